"""Dealers: they play rounds at the simulated tables, by what the devices show, whatever breaks meanwhile.

Laws
1. A dealer begins when the display says that bets are open, deals when it has counted, and stops when it says held.
2. A key that a device without power did not note is pressed again.
3. What happened on the felt is written down in `Coup` when it happens, also what the controller never hears of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from hardware.simulated.bee_tek_shoe import BeeTekShoe
from hardware.simulated.plans import BaccaratPlan, StudPlan, plan_baccarat, plan_stud
from hardware.simulated.stacking import OPTION_B_TIERS, STUD_TIERS
from tests.core.reference_baccarat import played
from tests.simulation.auditor import Violation
from tests.simulation.floor import BACCARAT_SEATS, STUD_SEATS, Floor, Stand
from tests.simulation.people import People
from tests.simulation.truth import PROGRESSIVES, Coup, Move

ANTE, RAISE = 1, 2
LOOK_S = 0.02
STUCK_S = 400.0
# The dealer waits so long for the panel's light before the lock, and then locks anyway.
PATIENCE_S = 1.5
LOOK_AGAIN_S = 5.0
LUCKY = 0.3
UNREAD = 0.004  # of the cards
# Hands that meet in one round: each tier alone, twice, and the two whose order of payment matters (61/2004 10(7)).
_LUCKY_HANDS = (
    *((tier,) * count for tier in STUD_TIERS for count in (1, 2)),
    *[("royal_flush", "straight_flush")] * 2,
)
# A player too late: so long after the lock that there is no doubt about it, and on a bad line before the slot is shut.
TOO_LATE_S = (0.27, 0.6)
LATE, LONELY, LUCKY_FOLDS, TAKES_BACK = 0.3, 0.1, 0.1, 0.05
PASSES = 0.4  # who plays for the first pool does not play for another


class Dealer:
    """One table's. `rest_s`: the pause between two rounds, at least and at most; `lucky`: how many win something."""

    def __init__(self, stand: Stand, floor: Floor, people: People, rng: Random) -> None:
        self.stand = stand
        self.rounds = 0
        self.step = "nothing yet"
        self.rest_s = (0.02, 0.1)
        self.lucky = LUCKY
        self._floor = floor
        self._people = people
        self._rng = rng
        self._shoe = BeeTekShoe()
        self._eye = AngelEyeShoe(sends=rng.choice((1, 1, 2, 3)))

    async def play(self, go_on: Callable[[], bool]) -> None:
        """Round after round."""
        while go_on():
            await self._between()
            self.rounds += 1
            coup = Coup(self.stand.name, self.stand.game, self.rounds, self._now_s(), is_read=self.stand.is_read)
            self._floor.truth.coups[self.stand.name].append(coup)
            await (self._stud(coup) if coup.game == "stud" else self._baccarat(coup))
            await self._to_the_end(coup)
            coup.over_s = self._now_s()
            self._floor.truth.voids_asked.discard(coup.table)
            await self._pause(*self.rest_s)
            self.stand.panel.sweep(self._now_ms())

    async def _between(self) -> None:
        """Until bets are open; what is held though nothing is dealt is a supervisor's too.

        A lock that was heard late may have locked a round without bets: where no card is read, the dealer ends it.
        """
        while not self._is_open():
            await self._until("bets open", lambda: self._is_open() or self._is_held() or self._is_empty())
            if self._is_held():
                await self._decided(Coup(self.stand.name, self.stand.game, 0, self._now_s()))
            elif self._is_empty():
                await self._press("end", self.stand.keypad.end_round)
                await self._until("the end is heard", lambda: not self._is_empty() or self._is_heard())
                await asyncio.sleep(LOOK_AGAIN_S)

    # ---- a stud round

    async def _stud(self, coup: Coup) -> None:
        rng = self._rng
        tiers = rng.choice(_LUCKY_HANDS) if rng.random() < self.lucky else ()
        plan = plan_stud(rng, STUD_SEATS, tiers)
        await self._bets(coup, dict.fromkeys(plan.seats, ANTE), plan.progressive)
        on_felt = [seat for seat in plan.seats if (seat, ANTE) in self.stand.panel.chips]
        coup.hands = {str(seat): hand for seat, hand in plan.hands.items() if seat in (0, *on_felt)}
        if not await self._lock(coup):
            return
        if rng.random() < 0.04:
            await self._press("void", partial(self.stand.keypad.void, "misdeal"))
            coup.void_pressed = True
            return
        dealt = await self._dealt(coup, plan)
        if dealt and rng.random() < 0.08:
            await self._expose(coup)
            if coup.exposed >= 2:
                return
        await self._finish(coup, plan)

    async def _dealt(self, coup: Coup, _: StudPlan) -> bool:
        """Deal; whether to the end."""
        return await (self._cards(coup) if self.stand.shuffler is None else self._packets(coup))

    async def _cards(self, coup: Coup) -> bool:
        """From the shoe, one to each hand five times round; False when the display says held."""
        assert self.stand.shoe is not None
        self._shoe = BeeTekShoe(card for at in range(5) for card in (hand[at] for hand in coup.hands.values()))
        for _ in range(5 * len(coup.hands)):
            if self._is_held():
                return False
            said = self._shoe.deal_unread() if self._rng.random() < UNREAD else self._shoe.deal()
            self.stand.shoe.to_daemon(said)
            await self._pause(0.002, 0.02)
        return True

    async def _packets(self, coup: Coup) -> bool:
        """From the shuffler."""
        shuffler = self.stand.shuffler
        assert shuffler is not None
        for hand in coup.hands.values():
            await self._until("shuffler has room", lambda: shuffler.bus.journal.room > 10 or self._is_held())
            await self._until("shuffler has power", lambda: shuffler.bus.powered or self._is_held())
            if self._is_held():
                return False
            shuffler.deal(hand, self._now_ms())
            await self._pause(0.01, 0.05)
        journal = shuffler.bus.journal
        await self._until("shuffler heard", lambda: journal.newest < journal.oldest or self._is_held())
        return not self._is_held()

    async def _expose(self, coup: Coup) -> None:
        for _ in range(self._rng.choice((1, 2))):
            position = int(self._rng.choice(sorted(coup.hands)))
            await self._press("exposed", partial(self.stand.keypad.expose, position))
            coup.exposed += 1

    async def _finish(self, coup: Coup, plan: StudPlan) -> None:
        """Folds, the dealer's end, and whatever a supervisor decides on the way."""
        if self._is_held() and await self._decided(coup) == "void":
            return
        if coup.exposed < 2 or not self._is_open():
            await self._folds(coup, self._who_folds(coup, plan))
            await self._end(coup)

    async def _end(self, _: Coup) -> None:
        """Round ended."""
        await self._press("end", self.stand.keypad.end_round)

    async def _to_the_end(self, coup: Coup) -> None:
        """Until the display says that the round is over; a supervisor decides it if it is held."""
        while True:
            await self._until("round over", lambda: self._is_held() or self._is_over())
            if not self._is_held():
                return
            if await self._decided(coup) == "confirmed" and coup.game == "stud":
                await self._end(coup)

    async def _decided(self, coup: Coup) -> str:
        """A display may say held of what is decided already, or of what is held anew meanwhile: they look again."""
        decision = ""
        while self._is_held():
            decision = await self._people.decide(coup) or decision
            again_s = self._now_s() + LOOK_AGAIN_S
            await self._until("no more held", partial(self._is_decided, again_s))
        return decision

    def _who_folds(self, coup: Coup, plan: StudPlan) -> list[int]:
        """Those who have nothing, and now and then somebody who does not know what he has."""
        odd = [seat for seat in plan.progressive if seat not in plan.folds and self._rng.random() < LUCKY_FOLDS]
        return [seat for seat in (*plan.folds, *odd) if str(seat) in coup.hands]

    async def _folds(self, coup: Coup, folds: list[int]) -> None:
        for seat in folds:
            await self._pause(0.005, 0.03)
            await self._press("fold", partial(self.stand.keypad.fold, seat))
            coup.folds.add(seat)

    # ---- a baccarat round

    async def _baccarat(self, coup: Coup) -> None:
        rng = self._rng
        tier = rng.choice(OPTION_B_TIERS) if rng.random() < self.lucky else None
        plan: BaccaratPlan = plan_baccarat(rng, BACCARAT_SEATS, tier)
        await self._bets(coup, plan.bets, plan.progressive)
        player, banker = played([*plan.cards, *["2S"] * 2])
        coup.hands = {"player": tuple(player), "banker": tuple(banker)}
        if not await self._lock(coup):
            return
        self._eye.load(plan.cards)
        await self._messages(self._eye.coup())
        self._eye.empty()

    async def _messages(self, messages: Iterator[bytes]) -> None:
        assert self.stand.shoe is not None
        for message in messages:
            if self._is_held():
                return
            self.stand.shoe.to_daemon(message)
            await self._pause(0.005, 0.05)

    # ---- what every round has

    async def _bets(self, coup: Coup, main: dict[int, int], progressive: tuple[int, ...]) -> None:
        for seat, place in main.items():
            await self._chip(coup, seat, place)
            for jackpot in self.stand.places if seat in progressive else ():
                if jackpot and self._rng.random() < PASSES:
                    continue
                await self._chip(coup, seat, jackpot)
                if self._rng.random() < TAKES_BACK:
                    await self._chip(coup, seat, jackpot, on=False)
        empty = [seat for seat in range(1, self.stand.panel.seats + 1) if seat not in main]
        if empty and self._rng.random() < LONELY:  # without a main bet it plays for nothing
            await self._chip(coup, self._rng.choice(empty), self._rng.choice(self.stand.places))

    async def _chip(self, coup: Coup, seat: int, place: int, *, on: bool = True) -> None:
        await self._pause(0.005, 0.04)
        panel = self.stand.panel
        at_s = self._now_s()
        noted = panel.place(seat, place, self._now_ms()) if on else panel.remove(seat, place, self._now_ms())
        if noted:
            coup.moves.append(Move(at_s, seat, place, on))

    async def _lock(self, coup: Coup) -> bool:
        """Bets locked; True when the display has counted, False when a supervisor voided the round."""
        board, until_s = self.stand.panel.bus, self._now_s() + PATIENCE_S
        await self._until("panel heard", lambda: self._now_s() > until_s or board.journal.newest < board.journal.oldest)
        await self._pause(0.3, 0.5)
        await self._press("lock", self.stand.keypad.lock_bets)
        coup.lock_s = self._now_s()
        if self._rng.random() < LATE:
            await self._late_chips(coup)
        while True:
            await self._until("counted", lambda: self._is_counted() or self._is_held())
            if not self._is_held():
                return True
            if await self._decided(coup) == "void":
                return False

    async def _late_chips(self, coup: Coup) -> None:
        """Players who do not see that bets are closed; the slot takes no chip once it is shut, nor gives one back."""
        await self._pause(*TOO_LATE_S)
        main = [seat for seat, place in sorted(self.stand.panel.chips) if place not in PROGRESSIVES]
        for seat in self._rng.sample(main, min(2, len(main))):
            jackpot = self._rng.choice(self.stand.places)
            there = (seat, jackpot) in self.stand.panel.chips
            await self._chip(coup, seat, jackpot, on=not there)

    async def _press(self, key: str, press: Callable[[int], bool]) -> None:
        while not press(self._now_ms()):
            self.step = f"presses {key}"
            await asyncio.sleep(LOOK_S)

    # ---- what a dealer sees

    @property
    def _text(self) -> str:
        return self.stand.keypad.bus.text

    def _is_open(self) -> bool:
        return self._text.startswith("BETS OPEN") and not self.stand.panel.bus.lockout and self._is_heard()

    def _is_empty(self) -> bool:
        return not self.stand.is_read and self._text == "NO PROGRESSIVE" and self._is_heard()

    def _is_held(self) -> bool:
        return self._text.startswith("ROUND HELD")

    def _is_over(self) -> bool:
        """A closed progressive alone says nothing: a disk that does not answer closes it too."""
        return self._text.startswith(("BETS OPEN", "HIT ")) and self._is_heard()

    def _is_decided(self, again_s: float) -> bool:
        return not self._is_held() or self._now_s() > again_s

    def _is_counted(self) -> bool:
        return "PROGRESSIVE" in self._text and not self._text.startswith("PROGRESSIVE CLOSED")

    def _is_heard(self) -> bool:
        """The keypad's own light: the controller has taken everything."""
        journal = self.stand.keypad.bus.journal
        return self.stand.keypad.bus.powered and journal.newest < journal.oldest

    async def _until(self, step: str, seen: Callable[[], bool]) -> None:
        self.step = f"waits until {step}"
        began_s = self._now_s()
        while not seen():
            if self._now_s() - began_s > STUCK_S:
                raise Violation("rest", f"{self.stand.name} {self.step}; the display says {self._text!r}")
            await asyncio.sleep(LOOK_S)

    async def _pause(self, least_s: float, most_s: float) -> None:
        await asyncio.sleep(self._rng.uniform(least_s, most_s))

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()

    def _now_ms(self) -> int:
        return self._floor.now_ms()
