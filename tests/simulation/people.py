"""People on the simulated floor: a supervisor and a second person, who act through the control socket's own answerer.

Laws
1. They know what the controller tells and what lies on the felt.
2. An answer that never came is no answer: they look again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

from jackpotd.core.errors import RuleError
from jackpotd.daemon.control import Answerer
from jackpotd.daemon.identity import Caller, Peer, RefusedError
from jackpotd.messages.control import Request
from tests.core.reference_stud import described
from tests.simulation.trace import Trace
from tests.simulation.truth import Coup, Truth

PATIENCE_S = 5.0
LOOK_S = 0.4
REJECTS = 0.15
VOIDS_ANYWAY = 0.2
IMPATIENT = 0.3  # pays whatever the hit's status, and speaks twice where two must
VOIDS_CLAIMS = 0.07
# Unix users of every Debian; the kernel is not asked.
SUPERVISOR, SURVEILLANCE, ROOT = Peer(1, "daemon"), Peer(2, "bin"), Peer(0, "root")


class SimControl:
    """Stands where the control socket stands."""

    def __init__(self, _path: Path, answer: Answerer, _name_of: Callable[[int], Awaitable[str]]) -> None:
        self.answer = answer

    async def run(self) -> None:
        """Serve for ever."""
        await asyncio.get_running_loop().create_future()

    def close(self) -> None:
        """Stop listening."""


class People:
    """They live as long as the floor; `control` is None while the controller is away."""

    def __init__(self, rng: Random, truth: Truth, trace: Trace, may_reject: Callable[[str], bool]) -> None:
        self.control: SimControl | None = None
        self.waiting = 0  # hits that are not decided or paid
        self.look_s = LOOK_S
        self._rng = rng
        self._truth = truth
        self._trace = trace
        self._may_reject = may_reject
        self._rejects: dict[str, bool] = {}

    async def ask(self, peer: Peer, op: str, **args: Any) -> Any:
        """The result; False when the answer is no, None when none came."""
        control = self.control
        if control is None:
            return None
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await control.answer(Caller(peer, None), Request(id=1, op=op, args=args))
        except (RuleError, RefusedError) as error:
            self._trace.say(f"refused {op} {args}: {error}")
            return False
        except TimeoutError:
            self._trace.say(f"no answer to {op} {args}")
        return None

    async def run(self) -> None:
        """Be operators, then see to the hits, for ever."""
        for name, role, peer in (("ana", "supervisor", SUPERVISOR), ("bento", "surveillance", SURVEILLANCE)):
            while not await self._is_operator(name):
                await self.ask(ROOT, "operator.add", name=name, role=role, unix_user=peer.unix_user)
                await asyncio.sleep(LOOK_S)
        while True:
            hits = await self.ask(SUPERVISOR, "hit.list")
            if hits:
                open_hits = [hit for hit in hits if hit["status"] in ("pending", "approved")]
                self.waiting = len(open_hits)
                for hit in open_hits:
                    await self._see_to(hit)
            await asyncio.sleep(self.look_s)

    async def _is_operator(self, name: str) -> bool:
        known = await self.ask(SUPERVISOR, "operator.list")
        return bool(known) and any(one["name"] == name and one["active"] for one in known)

    async def _see_to(self, hit: dict[str, Any]) -> None:
        name = hit["hit"]
        is_impatient = self._rng.random() < IMPATIENT
        if hit["status"] == "approved" or is_impatient:
            for _ in range(1 + is_impatient):
                await self.ask(SUPERVISOR, "hit.pay", hit=name, slip=f"slip-{name}"[:64])
        if hit["status"] == "approved":
            return
        if name not in self._rejects:
            self._rejects[name] = self._may_reject(name) and self._rng.random() < REJECTS
        for peer in (*[SUPERVISOR] * (1 + is_impatient), SURVEILLANCE):
            if self._rejects[name]:
                result = await self.ask(peer, "hit.reject", hit=name, why="not as claimed")
            else:
                result = await self.ask(peer, "hit.approve", hit=name)
            if result is None or (result and result["status"] != "pending"):
                return

    # ---- held rounds

    async def decide(self, coup: Coup) -> str:
        """A held round: "confirmed" or "void"; "" when it is not held (any more)."""
        asked = ""
        while True:
            await asyncio.sleep(self._rng.uniform(0.05, 0.3))
            status = await self.ask(SUPERVISOR, "status")
            if not status:
                continue
            (view,) = (one for one in status["tables"] if one["table"] == coup.table)
            if view["phase"] != "held":
                return asked
            asked = await self._act(coup, view)

    async def _act(self, coup: Coup, view: dict[str, Any]) -> str:
        if coup.lost:
            return await self._void(coup)
        if not coup.is_read:
            return await self._judge_claims(coup, view)
        hands: dict[str, list[str]] = view["hands"]
        as_dealt = hands.keys() == coup.hands.keys() and all(
            len(cards) == len(coup.hands[hand])
            and all(card in (dealt, "??") for card, dealt in zip(cards, coup.hands[hand], strict=True))
            for hand, cards in hands.items()
        )
        if not as_dealt or coup.exposed >= 2 or self._rng.random() < VOIDS_ANYWAY:
            return await self._void(coup)
        for hand, cards in sorted(hands.items()):
            for at, card in enumerate(cards):
                if card == "??":
                    await self._enter(coup, hand, at)
        return await self._confirm(coup)

    async def _judge_claims(self, coup: Coup, view: dict[str, Any]) -> str:
        """The cards of every seat whose claim they make; the other claims are refused (design 7)."""
        if coup.exposed >= 2 or self._rng.random() < VOIDS_CLAIMS:
            return await self._void(coup)
        made = {(claim["seat"], claim["tier"], claim["pool"]) for claim in view["claims"]}
        for seat, tier, pool in sorted(made):
            hand = coup.hands[str(seat)]
            if described(hand)[0] != tier:
                await self.ask(SUPERVISOR, "round.refuse", table=coup.table, seat=seat, pool=pool, why="not its cards")
                continue
            entered = view["hands"].get(str(seat), [])
            for at in range(len(hand)):
                if entered[at : at + 1] != [hand[at]]:
                    await self._enter(coup, str(seat), at)
        known = {(seat, tier) for seat, tier, _ in made if described(coup.hands[str(seat)])[0] == tier}
        coup.refused |= {claim for claim in coup.claims if claim[:2] not in known}
        return await self._confirm(coup)

    async def _enter(self, coup: Coup, hand: str, at: int) -> None:
        card = coup.hands[hand][at]
        await self.ask(SUPERVISOR, "round.card", table=coup.table, hand=hand, index=at + 1, card=card)

    async def _confirm(self, coup: Coup) -> str:
        done = await self.ask(SUPERVISOR, "round.confirm", table=coup.table, why="as it lies on the table")
        return await self._void(coup) if done is False else "confirmed"

    async def _void(self, coup: Coup) -> str:
        self._truth.voids_asked.add(coup.table)
        await self.ask(SUPERVISOR, "round.void", table=coup.table, why="cannot be decided")
        return "void"
