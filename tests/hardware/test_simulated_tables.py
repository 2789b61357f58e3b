"""Simulated tables play whole rounds by what the devices show; a test plays the controller, over the real codec."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from hardware.bus_events import Kind
from hardware.bus_payloads import Command, decode_events
from hardware.reports import BetMoved, BetsLocked, CardOut, Folded, PacketOut, Report, RoundEnded
from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from hardware.simulated.bee_tek_shoe import BeeTekShoe
from hardware.simulated.bus_boards import BetPanelSim, KeypadSim, ShufflerSim
from hardware.simulated.dealer import Dealer, Pace, RoundHeldError, look
from hardware.simulated.plans import plan_baccarat, plan_stud
from hardware.simulated.table import BaccaratTableSim, StudTableSim, deal_from_shoe, deal_from_shuffler
from hardware.simulated.wire import monotonic_ms
from tests.hardware.bus_host import Host, booted

SPEED = 10_000
WAIT_S = 20.0


Answers = dict[type, str]  # what is shown when a report of this class was heard


class Controller:
    """Polls one combined board, acknowledges all, and answers some reports with what the display then shows."""

    def __init__(self, answers: Answers) -> None:
        self.board = booted(Kind.COMBINED)
        self.heard: list[Report] = []
        self._answers = answers
        self._host = Host(self.board)
        self._commands = 0

    def show(self, text: str, *, lockout: bool) -> None:
        self._command(Command.LOCKOUT, bytes([lockout]))
        self._command(Command.TEXT, text.encode())

    async def run(self) -> None:
        while True:
            answer = self._host.poll(self.board.journal.oldest - 1, monotonic_ms())
            assert answer is not None
            for said in decode_events(answer.payload, Kind.COMBINED, keyed=True):
                assert said.seq is not None
                self.heard.append(said.what)
                self._host.poll(said.seq, monotonic_ms())
                if type(said.what) in self._answers:
                    self.show(self._answers[type(said.what)], lockout=True)
            await asyncio.sleep(0)

    def _command(self, code: Command, data: bytes) -> None:
        self._commands = (self._commands + 1) % 256
        self._host.command(self._commands, code, data, monotonic_ms())

    def dealer(self) -> Dealer:
        return Dealer(BetPanelSim(self.board, 9), KeypadSim(self.board), Pace(SPEED))


ROUND: Answers = {BetsLocked: "2 PROGRESSIVE: 1 2", RoundEnded: "PROGRESSIVE CLOSED"}


@asynccontextmanager
async def running(controller: Controller) -> AsyncIterator[None]:
    """The controller polls meanwhile, and nothing takes for ever."""
    polling = asyncio.create_task(controller.run())
    try:
        async with asyncio.timeout(WAIT_S):
            yield
    finally:
        polling.cancel()


def test_a_stud_round_goes_chips_lock_cards_folds_end_and_the_felt_is_cleared() -> None:
    plan = plan_stud(Random(3), 7)

    async def check() -> None:
        controller = Controller(ROUND)
        dealer = controller.dealer()
        table = StudTableSim(dealer, deal_from_shuffler(dealer, ShufflerSim(controller.board)))
        controller.show("BETS OPEN", lockout=False)
        async with running(controller):
            played = await table.play(plan)
        assert played.progressive == plan.progressive
        heard = controller.heard
        lock, end = heard.index(BetsLocked()), heard.index(RoundEnded())
        before, between, after = heard[:lock], heard[lock:end], heard[end:]
        assert {(b.seat, b.place) for b in before if isinstance(b, BetMoved)} == {
            *((seat, 1) for seat in plan.seats),
            *((seat, 0) for seat in plan.progressive),
        }
        assert [c.card for c in between if isinstance(c, CardOut)] == [c for hand in plan.hands.values() for c in hand]
        assert sum(isinstance(report, PacketOut) for report in between) == len(plan.hands)
        assert [report.seat for report in between if isinstance(report, Folded)] == list(plan.folds)
        assert all(isinstance(report, BetMoved) and not report.on for report in after[1:])
        assert not dealer.panel.chips

    asyncio.run(check())


def test_no_card_leaves_the_shoe_before_the_display_has_counted_the_bets() -> None:
    async def check() -> None:
        controller = Controller({})
        dealer = controller.dealer()
        sent: list[bytes] = []

        async def known() -> None:
            """The cards are known at once."""

        table = StudTableSim(dealer, deal_from_shoe(dealer, BeeTekShoe(), sent.append, known))
        controller.show("BETS OPEN", lockout=False)
        async with running(controller):
            playing = asyncio.create_task(table.play(plan_stud(Random(3), 7)))
            await look(lambda: BetsLocked() in controller.heard)
            await asyncio.sleep(0.05)
            assert not sent
            controller.show("2 PROGRESSIVE: 1 2", lockout=True)
            await look(lambda: RoundEnded() in controller.heard)
            assert sent
            controller.show("BETS OPEN", lockout=False)
            await playing

    asyncio.run(check())


def test_no_chip_is_placed_while_the_display_says_open_but_the_slots_are_still_shut() -> None:
    async def check() -> None:
        controller = Controller(ROUND)
        dealer = controller.dealer()
        controller.show("BETS OPEN", lockout=True)
        async with running(controller):
            waiting = asyncio.create_task(dealer.between_rounds())
            await asyncio.sleep(0.05)
            assert not waiting.done()
            controller.show("BETS OPEN", lockout=False)
            await waiting

    asyncio.run(check())


def test_beside_a_pending_hit_the_table_plays_on_and_the_shut_slots_take_no_chip() -> None:
    async def check() -> None:
        controller = Controller({BetsLocked: "NO PROGRESSIVE", RoundEnded: "HIT ROYAL FLUSH - WAIT"})
        dealer = controller.dealer()
        table = StudTableSim(dealer, deal_from_shuffler(dealer, ShufflerSim(controller.board)))
        controller.show("HIT ROYAL FLUSH - WAIT", lockout=True)
        async with running(controller):
            played = await table.play(plan_stud(Random(3), 7))
        assert played.progressive == ()
        assert not [bet for bet in controller.heard if isinstance(bet, BetMoved) and bet.place == 0]

    asyncio.run(check())


def test_a_round_that_the_display_calls_held_is_given_up_and_the_felt_cleared_after_it() -> None:
    async def check() -> None:
        controller = Controller({BetsLocked: "ROUND HELD - CALL SUPERVISOR"})
        dealer = controller.dealer()
        table = StudTableSim(dealer, deal_from_shuffler(dealer, ShufflerSim(controller.board)))
        controller.show("BETS OPEN", lockout=False)
        async with running(controller):
            with pytest.raises(RoundHeldError):
                await table.play(plan_stud(Random(3), 7))
            assert dealer.panel.chips
            controller.show("BETS OPEN - CARRIED 1", lockout=False)
            await dealer.after_hold()
        assert not dealer.panel.chips

    asyncio.run(check())


def test_a_coup_goes_chips_lock_cards_and_the_shoes_own_result() -> None:
    plan = plan_baccarat(Random(3), 9)

    async def check() -> None:
        controller = Controller({BetsLocked: "2 PROGRESSIVE: 1 2"})
        dealer = controller.dealer()
        sent: list[bytes] = []

        def send(data: bytes) -> None:
            sent.append(data)
            if len(sent) == len(plan.cards) + 1:
                controller.show("BETS OPEN", lockout=False)

        table = BaccaratTableSim(dealer, AngelEyeShoe(), send)
        controller.show("BETS OPEN", lockout=False)
        async with running(controller):
            played = await table.play(plan)
        assert played.progressive == plan.progressive
        placed = {(bet.seat, bet.place) for bet in controller.heard if isinstance(bet, BetMoved) and bet.on}
        assert placed == {*plan.bets.items(), *((seat, 0) for seat in plan.progressive)}
        assert b"".join(sent) == b"".join(AngelEyeShoe(plan.cards).coup())

    asyncio.run(check())


def test_pauses_are_counted_as_at_a_real_dealers_speed() -> None:
    async def check() -> None:
        pace = Pace(SPEED)
        await pace.pause(3.0)
        await pace.pause(1.5)
        assert pace.paused_s == 4.5

    asyncio.run(check())
