"""Simulated tables that play whole rounds: chips, lock, cards, folds, end, all said by the devices over the real wire.

Laws
1. A table plays one plan at a time and answers what came of it: which chips went in and how long hands took.
2. No card leaves before the display has counted the bets, and no round ends before its cards are known.
3. How cards leave is the device's affair: a shoe's port or a shuffler's board.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from hardware.simulated.bee_tek_shoe import BeeTekShoe
from hardware.simulated.bus_boards import ShufflerSim
from hardware.simulated.dealer import Dealer
from hardware.simulated.plans import BaccaratPlan, StudPlan
from hardware.simulated.wire import monotonic_ms

ANTE, RAISE, PROGRESSIVE = 1, 2, 0  # places of the table bus

DealStud = Callable[[StudPlan], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Played:
    """A round as it was played: seats whose progressive chip was in its slot at the lock; seconds at speed 1."""

    progressive: tuple[int, ...]
    seconds: float


class StudTableSim:
    """A stud table. `deal` returns when the controller knows the cards, as far as that can be told."""

    def __init__(self, dealer: Dealer, deal: DealStud) -> None:
        self.dealer = dealer
        self._deal = deal

    async def play(self, plan: StudPlan) -> Played:
        """One round. RoundHeldError when the controller holds it."""
        dealer, began_s = self.dealer, self.dealer.pace.paused_s
        await dealer.between_rounds()
        for seat in plan.seats:
            await dealer.place(seat, ANTE, pause_s=0.25)
            if seat in plan.progressive:
                await dealer.place(seat, PROGRESSIVE, pause_s=0.2)
        in_slot = await dealer.lock()
        await self._deal(plan)
        await dealer.pace.pause(1.2)
        for seat in plan.seats:
            if seat in plan.folds:
                await dealer.pace.pause(0.3)
                dealer.keypad.fold(seat, monotonic_ms())
            else:
                await dealer.place(seat, RAISE, pause_s=0.3)
        await dealer.pace.pause(1.0)
        dealer.keypad.end_round(monotonic_ms())
        await dealer.round_over()
        await dealer.clear()
        return Played(in_slot, dealer.pace.paused_s - began_s)


class BaccaratTableSim:
    """A baccarat table with a shoe that knows the game."""

    def __init__(self, dealer: Dealer, shoe: AngelEyeShoe, send: Callable[[bytes], None]) -> None:
        self.dealer = dealer
        self._shoe = shoe
        self._send = send

    async def play(self, plan: BaccaratPlan) -> Played:
        """One coup. RoundHeldError when the controller holds it."""
        dealer, began_s = self.dealer, self.dealer.pace.paused_s
        await dealer.between_rounds()
        for seat, place in plan.bets.items():
            await dealer.place(seat, place, pause_s=0.25)
            if seat in plan.progressive:
                await dealer.place(seat, PROGRESSIVE, pause_s=0.2)
        in_slot = await dealer.lock()
        self._shoe.load(plan.cards)
        for message in self._shoe.coup():
            await dealer.pace.pause(0.7)
            self._send(message)
        await dealer.round_over()
        await dealer.clear()
        return Played(in_slot, dealer.pace.paused_s - began_s)


def deal_from_shoe(
    dealer: Dealer, shoe: BeeTekShoe, send: Callable[[bytes], None], known: Callable[[], Awaitable[None]]
) -> DealStud:
    """Card by card from a shoe without acknowledgement; `known` waits until the cards are counted."""

    async def deal(plan: StudPlan) -> None:
        shoe.load(plan.card_by_card())
        for _ in plan.card_by_card():
            await dealer.pace.pause(0.12)
            send(shoe.deal())
        await known()

    return deal


def deal_from_shuffler(dealer: Dealer, shuffler: ShufflerSim) -> DealStud:
    """A packet of five to each hand; the shuffler's own light says when all of it is taken."""

    async def deal(plan: StudPlan) -> None:
        for hand in plan.hands.values():
            await dealer.pace.pause(0.6)
            shuffler.deal(hand, monotonic_ms())
        await dealer.taken(shuffler.bus)

    return deal
