"""A dealer whose cards nothing reads: who has won says so, is claimed on the keypad, and is looked at by a supervisor.

Laws
1. A claim is pressed before the round is ended, so that the journal tells them in that order.
2. Nobody decides before the keypad's own light says that all presses are heard; then the supervisor turns the key.
3. Now and then somebody claims what he does not have. A claim that was refused is not made again.
"""

from __future__ import annotations

from functools import partial

from hardware.simulated.plans import StudPlan
from hardware.simulated.stacking import STUD_TIERS
from tests.core.reference_stud import described
from tests.simulation.dealers import Dealer
from tests.simulation.truth import Coup

CLAIMS_FALSELY = 0.15
KEY = 1


class ClaimsDealer(Dealer):
    """A stud table's without card reading."""

    _false: tuple[tuple[int, str], ...] = ()

    async def _dealt(self, coup: Coup, plan: StudPlan) -> bool:
        await self._pause(0.05, 0.3)
        honest = [seat for seat in plan.progressive if described(plan.hands[seat])[0] not in STUD_TIERS]
        lies = honest and self._rng.random() < CLAIMS_FALSELY
        self._false = ((self._rng.choice(honest), self._rng.choice(STUD_TIERS)),) if lies else ()
        return not self._is_held()

    async def _end(self, coup: Coup) -> None:
        """Claim, then end, unless the round is over or held by now."""
        await self._until("round goes on", lambda: self._is_counted() or self._is_over() or self._is_held())
        for seat, tier, pool in self._claims(coup):
            if not self._is_counted():
                return
            number = STUD_TIERS.index(tier) + 1
            await self._press("claim", lambda ms: self.stand.keypad.claim(seat, number, ms, pool))  # noqa: B023
            coup.claims.add((seat, tier, pool))
            await self._pause(0.005, 0.03)
        if self._is_counted():
            await super()._end(coup)

    def _claims(self, coup: Coup) -> list[tuple[int, str, int]]:
        """Of every seat that played for a pool and did not fold, what it has, or says it has."""
        tiers = {int(hand): described(cards)[0] for hand, cards in coup.hands.items() if hand != "0"}
        said = [*((seat, tier) for seat, tier in tiers.items() if tier in STUD_TIERS), *self._false]
        claims = [
            (seat, tier, number)
            for seat, tier in said
            for number, place in enumerate(self.stand.places)
            if seat in tiers and seat not in coup.folds and (seat, place) in self.stand.panel.chips
        ]
        return [claim for claim in claims if claim not in coup.refused]

    async def _decided(self, coup: Coup) -> str:
        """The supervisor comes to the table when all presses are heard, and turns the key."""
        if coup.claims and self._is_held():
            await self._until("presses heard", lambda: self._is_heard() or not self._is_held())
            await self._press("key", partial(self.stand.keypad.turn_key, KEY))
            await self._until("key heard", lambda: self._is_heard() or not self._is_held())
        decision = await super()._decided(coup)
        if decision == "void":
            await self._end_what_a_late_lock_began(coup)
        return decision

    async def _end_what_a_late_lock_began(self, coup: Coup) -> None:
        """A lock that was heard only after the void locks the next round, without a bet; no time-out ends it here."""
        await self._until("void", lambda: self._is_counted() or self._is_over() or self._is_held())
        if self._is_counted():
            await super()._end(coup)
