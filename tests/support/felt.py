"""A house of felt: tables spoken to in the words of the floor, and an auditor who folds every row that was recorded.

After each word the fold of the recorded rows, through the ledger's own codec, must be the state that decided them;
after a refused act nothing at all may have changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.decide import decide
from jackpotd.core.errors import RuleError
from jackpotd.core.invariants import check_balances
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import DeviceParams, PoolParams, TableParams
from jackpotd.core.state import Hit, Phase, Pool, State, Table
from jackpotd.ledger.restore import fold_row
from jackpotd.ledger.rows import encode_row

E = TypeVar("E")

KINDS = {"panel": 1, "keypad": 2, "shuffler": 3, "reader": 4, "board": 5}
START_MS = 1_000_000
STEP_MS = 100

SUPERVISOR = f.By("sam", "supervisor")
SURVEILLANCE = f.By("vera", "surveillance")
ACCOUNTANT = f.By("ada", "accounting")
TECHNICIAN = f.By("tom", "technician")
ROOT = f.By("root", "admin")


def device(name: str, driver: str = "table-bus", grade: str = "journaled", serial: str | None = None) -> DeviceParams:
    return DeviceParams(name, driver, grade, serial, keyed=True)


PANEL, KEYPAD, SHUFFLER = device("panel"), device("keypad"), device("shuffler")
BARE_SHOE = device("shoe", "bee-tek", "bare")
SEQUENCED_SHOE = device("shoe", "angel-eye", "sequenced")


def archive_of(day: int) -> f.ArchiveFacts:
    """Somebody has archived facts of a day."""
    return f.ArchiveFacts(ROOT, day, 1, 9, 9, 4, "0" * 64, "1" * 64, "facts-000000000001-000000000009.jsonl")


def stud_table(name: str = "T01", deals: DeviceParams | None = BARE_SHOE, **changes: Any) -> TableParams:
    """A stud table; `deals` None: without card reading."""
    return _table(name, "stud", deals, {"pools": ("stud-main",), "seats": 7, "royal_raise_odds": 100} | changes)


def baccarat_table(name: str = "B01", deals: DeviceParams | None = BARE_SHOE, **changes: Any) -> TableParams:
    """A baccarat table of option B; `deals` None: without card reading."""
    more = {"pools": ("baccarat-b",), "seats": 9, "decks": 8, "commission": "five_percent"}
    return _table(name, "baccarat", deals, more | changes)


def shuffler_or_shoe(*deal: str) -> dict[str, Any]:
    """A table that deals from its shuffler, else from its shoe, else without reading cards."""
    return {"deal": deal or ("shuffler", "shoe", "claims"), "devices": (PANEL, KEYPAD, SHUFFLER, BARE_SHOE)}


def _table(name: str, game: str, deals: DeviceParams | None, changes: dict[str, Any]) -> TableParams:
    values: dict[str, Any] = {
        "table": name,
        "game": game,
        "deal": (deals.name,) if deals else ("claims",),
        "devices": (PANEL, KEYPAD, deals) if deals else (PANEL, KEYPAD),
        "decks": 1,
        "commission": None,
        "royal_raise_odds": None,
        "max_payout_atoms": None,
        "advisory_lock": False,
        "deal_timeout_ms": 180_000,
    }
    return TableParams(**(values | changes))


class Felt:
    """A site. `last` is what the last word led to (None: a repeat), `rows` all that was recorded."""

    def __init__(self, pools: Sequence[PoolParams], tables: Sequence[TableParams]) -> None:
        self.state = State()
        self.folded = State()
        self.rows: list[bytes] = []
        self.facts: list[f.Fact] = []
        self.last: list[e.Entry] | None = []
        self.now_ms = START_MS
        self.pools, self.tables = list(pools), list(tables)
        self._events: dict[str, int] = {}
        self.start()
        for params in tables:
            self.spot(params.table).connect()

    # ---- saying

    def hear(self, fact: f.Fact) -> list[e.Entry]:
        """Decide one fact, and audit what it led to."""
        self.facts.append(fact)
        try:
            self.last = decide(self.state, fact)
        except RuleError:
            assert self.state == self.folded, "a refused act changed something"
            raise
        if self.last is not None:
            bodies = [encode_row(fact), *map(encode_row, self.last)]
            for body in bodies:
                fold_row(self.folded, body)
            self.rows += bodies
        assert self.state == self.folded, "the state is not the fold of what was recorded"
        for pool in self.state.pools.values():
            check_balances(pool)
        return self.last or []

    def fact(self, source: str, what: f.What, journal: int = 1, seq: int | None = None, **more: Any) -> f.Fact:
        """A fact of this moment; without `seq` the next of its source."""
        self.now_ms += STEP_MS
        number = self.state.marks.get(f"{source}#{journal}", 0) + 1 if seq is None else seq
        values: dict[str, Any] = {"table": "", "device": "", "grade": "", "raw": "", "stale": False}
        values |= {"at_ms": self.now_ms, "said_ms": self.now_ms} | more
        return f.Fact(source=source, journal=journal, seq=number, what=what, **values)

    def control(self, what: f.What, table: str = "", device: str = "", **more: Any) -> list[e.Entry]:
        """The controller's own word."""
        return self.hear(self.fact("controller", what, max(self.state.epoch, 1), table=table, device=device, **more))

    def act(self, what: f.Act) -> list[e.Entry]:
        """A person's act."""
        return self.hear(self.fact(f"operator/{what.by.name}", what))

    def start(self) -> list[e.Entry]:
        """A controller starts leading and reads its configuration."""
        entries = self.control(f.ControllerStarted("1.0", "config", "package", self.now_ms // 1_000))
        return entries + self.configure()

    def set_clock(self, by_ms: int) -> list[e.Entry]:
        """Somebody sets the machine's clock, and the watch says so."""
        self.now_ms += by_ms
        return self.control(f.ClockSaid(self.state.clock_synchronised, by_ms, calm=False))

    def configure(self) -> list[e.Entry]:
        return self.control(f.SiteConfigured(tuple(self.pools), tuple(self.tables)))

    # ---- looking

    def spot(self, name: str) -> Spot:
        return Spot(self, name)

    def pool(self, name: str = "stud-main") -> Pool:
        return self.state.pools[name]

    def meter(self, name: str = "stud-main") -> Atoms:
        return self.state.pools[name].pool_atoms

    def hit(self, name: str) -> Hit:
        return self.state.hits[name]

    def alarms(self) -> list[str]:
        return sorted(self.state.alarms)

    def said(self, kind: type[E]) -> E:
        """The one entry of this kind that the last word led to."""
        (entry,) = self.all_said(kind)
        return entry

    def all_said(self, kind: type[E]) -> list[E]:
        return [entry for entry in self.last or () if isinstance(entry, kind)]


class Spot:
    """One table, its devices and its dealer."""

    def __init__(self, felt: Felt, name: str) -> None:
        self.felt = felt
        self.name = name

    @property
    def table(self) -> Table:
        return self.felt.state.tables[self.name]

    def phase(self) -> Phase:
        return self.table.phase

    # ---- devices

    def connect(self) -> None:
        """Every device is reached and in step."""
        for params in self.table.params.devices:
            if params.grade == "journaled":
                self.hello(params.name)
            self.back(params.name)

    def serial(self, device: str) -> str:
        return self.table.devices[device].serial or f"{self.name}-{device}"

    def hello(
        self, device: str, serial: str | None = None, oldest: int = 1, newest: int | None = None
    ) -> list[e.Entry]:
        serial = serial or self.serial(device)
        mark = self.felt.state.marks.get(f"{serial}#{self.table.devices[device].journal}", 0)
        word = f.DeviceHello(serial, KINDS[device], 1, oldest, mark if newest is None else newest)
        return self.felt.control(word, self.name, device)

    def back(self, device: str) -> list[e.Entry]:
        return self.felt.control(f.DeviceBack(), self.name, device)

    def lose(self, device: str) -> list[e.Entry]:
        return self.felt.control(f.DeviceLost("no answer"), self.name, device)

    def drain(self) -> list[e.Entry]:
        """Every bet device that the lock waits for has nothing new."""
        entries: list[e.Entry] = []
        for name in tuple(self.table.waiting):
            entries += self.felt.control(f.Drained(), self.name, name)
        return entries

    def watch(self, device: str, word: f.WatchWord) -> list[e.Entry]:
        return self.felt.control(word, self.name, device)

    def say(self, device: str, word: f.TableWord, **more: Any) -> list[e.Entry]:
        """A word of a device, as intake would bind it."""
        state = self.table.devices[device]
        grade = state.params.grade
        source, journal = (state.serial, state.journal) if grade == "journaled" else (f"{self.name}/{device}", 1)
        values = {"raw": "00", "grade": grade} | more
        return self.felt.hear(self.felt.fact(source, word, journal, table=self.name, device=device, **values))

    # ---- players

    def bet(self, seat: int, *bets: str, **more: Any) -> None:
        """Chips on places; without names the main bet and the progressive of the table's first pool."""
        for bet in bets or self.usual:
            self.say("panel", f.BetMoved(seat, bet, on=True), **more)

    def unbet(self, seat: int, *bets: str, **more: Any) -> None:
        for bet in bets or self.usual:
            self.say("panel", f.BetMoved(seat, bet, on=False), **more)

    @property
    def usual(self) -> tuple[str, str]:
        main = "ante" if self.table.params.game == "stud" else "banker"
        return main, f"progressive:{self.table.params.pools[0]}"

    # ---- the dealer

    def press(self, word: f.TableWord, **more: Any) -> list[e.Entry]:
        return self.say("keypad", word, **more)

    def lock(self, **more: Any) -> list[e.Entry]:
        """The keypad's lock, and every bet device heard out."""
        return self.press(f.BetsLocked(), **more) + self.drain()

    def card(self, card: str, target: str | None = None, index: int | None = None, *, again: bool = False) -> None:
        """A card leaves the dealing device; a round that it locks is heard out."""
        self.say(self.dealer, f.CardRead(card, target, index, again))
        self.drain()

    def cards(self, text: str) -> None:
        for card in text.split():
            self.card(card)

    def unread(self) -> list[e.Entry]:
        return self.say(self.dealer, f.CardUnread())

    def deal(self, hands: dict[int, str]) -> None:
        """Stud hands by seat, 0 the dealer's, card by card from a shoe or packet by packet from a shuffler."""
        order = [hands[seat].split() for seat in [*sorted(hands.keys() - {0}), 0]]
        if self.dealer == "shuffler":
            for hand in order:
                self.packet(hand)
            return
        for turn in range(5):
            for hand in order:
                self.card(hand[turn])

    def packet(self, cards: Iterable[str], count: int = 5) -> list[e.Entry]:
        for card in cards:
            self.card(card)
        return self.say("shuffler", f.PacketOut(count))

    def coup(self, player: str, banker: str) -> None:
        """A baccarat coup, the shoe naming the places if it is one that does."""
        sides = {"player": player.split(), "banker": banker.split()}
        names = self.table.params.devices[-1].driver == "angel-eye"
        for index in (1, 2, 3):
            for side, cards in sides.items():
                if index <= len(cards):
                    self.card(cards[index - 1], side if names else None, index if names else None)

    def result(self, outcome: str, *, player_pair: bool = False, banker_pair: bool = False) -> list[e.Entry]:
        return self.say(self.dealer, f.ResultSaid(outcome, player_pair, banker_pair))

    def fold(self, seat: int) -> list[e.Entry]:
        return self.press(f.Folded(seat))

    def end(self) -> list[e.Entry]:
        return self.press(f.RoundEnded())

    @property
    def dealer(self) -> str:
        return self.table.deals

    def time_out(self, wait: str) -> list[e.Entry]:
        return self.felt.control(f.TimedOut(wait, self.table.round, self.table.changed_ms), self.name)

    # ---- the supervisor

    def void(self, why: str = "misdeal") -> list[e.Entry]:
        return self.felt.act(f.VoidRound(SUPERVISOR, self.name, why))

    def confirm(self, why: str = "seen on camera 4") -> list[e.Entry]:
        return self.felt.act(f.ConfirmRound(SUPERVISOR, self.name, why))

    def refund(self, seat: int, pool: str = "stud-main", why: str = "leaves") -> list[e.Entry]:
        return self.felt.act(f.RefundBet(SUPERVISOR, self.name, seat, pool, why))

    def dealt_too(self, *seats: int, cards: int = 5, why: str = "seen on camera 4") -> list[e.Entry]:
        return self.felt.act(f.NameDealtSeats(SUPERVISOR, self.name, seats, cards, why))

    def refuse(self, seat: int, pool: str = "stud-main", why: str = "no such hand") -> list[e.Entry]:
        return self.felt.act(f.RefuseClaim(SUPERVISOR, self.name, seat, pool, why))

    def replace(self, device: str, *by: f.By, why: str = "a broken place") -> list[e.Entry]:
        """These persons, one after the other, accept what stands there now."""
        return [entry for one in by for entry in self.felt.act(f.ReplaceDevice(one, self.name, device, why))]

    def deal_from(self, deal: str, why: str = "the shuffler jams") -> list[e.Entry]:
        return self.felt.act(f.ChangeDeal(SUPERVISOR, self.name, deal, why))

    def enter(self, hand: str, index: int, card: str) -> list[e.Entry]:
        return self.felt.act(f.EnterCard(SUPERVISOR, self.name, hand, index, card))


# Hands of one pack, for rounds in which the others matter.
ROYAL, ROYAL_2 = "AS KS QS JS TS", "AH KH QH JH TH"
STRAIGHT_FLUSH, STRAIGHT_FLUSH_2 = "9D 8D 7D 6D 5D", "9C 8C 7C 6C 5C"
FOUR, FULL_HOUSE, FLUSH = "4S 4H 4D 4C 2S", "3S 3H 3D 2H 2D", "AD KD JD TD 6D"
NOTHING_2, DEALER = "2C 4H 6H 8H TC", "KC QD 9S 7S 3C"
