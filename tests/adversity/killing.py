"""The controller killed again and again while three tables play, and what is left audited.

Laws
1. The tables know nothing of the kills: dealers and players go on as they would.
2. A kill comes at a moment drawn from the seed, also while the controller is still starting.
3. What is due is worked out from what hands did at the tables and from the cards, by pencil; the controller's own rows
   are only looked at to see that every event is there once, and that no meter ever showed what was not committed.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from concurrent.futures import Future
from dataclasses import dataclass, field
from random import Random

from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.dealer import Dealer, Pace
from hardware.simulated.plans import DEALER, StudPlan, plan_stud
from hardware.simulated.table import Played, StudTableSim, deal_from_shuffler
from tests.core.reference_stud import described
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.reckoning import Reckoning
from tests.support.sim_tables import ShufflerTable

POOL = "stud-main"
TABLES = ("T01", "T02", "T03")
SPEED = 20  # of the hands
LATEST_KILL_S = 0.25  # after the controller is online: some polls, a round's events, a few commits
LATEST_EARLY_KILL_S = 0.6  # after it was started: from Python's own start to the first commits
EARLY_KILLS = 0.3  # part of the kills
_FIXED = {"four_of_a_kind", "full_house", "flush"}  # tiers whose prizes do not depend on the order of the tables
_STACKED = 0.3  # part of the rounds


@dataclass(slots=True)
class Croupier:
    """A table that plays until told to stop, and what its players saw."""

    table: ShufflerTable
    rng: Random
    leaving: threading.Event = field(default_factory=threading.Event)
    rounds: list[tuple[StudPlan, Played]] = field(default_factory=list)

    async def play(self) -> None:
        """Round after round."""
        table = self.table
        dealer = Dealer(table.panel, table.keypad, Pace(SPEED))
        sim = StudTableSim(dealer, deal_from_shuffler(dealer, table.shuffler))
        while not self.leaving.is_set():
            plan = self._plan()
            self.rounds.append((plan, await sim.play(plan)))

    def _plan(self) -> StudPlan:
        while True:
            tiers = self.rng.choices(sorted(_FIXED)) if self.rng.random() < _STACKED else ()
            plan = plan_stud(self.rng, self.table.seats, tiers)
            if not any(described(hand)[0].endswith(("royal_flush", "straight_flush")) for hand in plan.hands.values()):
                return plan


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to."""

    kills: int
    rounds: int
    events: int
    prizes: int


def kill_again_and_again(floor: Floor, kills: int, seed: int) -> Outcome:
    """Play through `kills` kills and audit what is left. AssertionError says what was lost or counted twice."""
    pencil = floor.pool(POOL, hold_tables_on_hit="none", auto_pay_below="10000.00")
    croupiers = [Croupier(floor.shuffled(name), Random(f"{seed} {name}")) for name in TABLES]
    rng = Random(seed)
    floor.start()
    playing = [floor.thread.start(croupier.play) for croupier in croupiers]
    for _ in range(kills):
        _kill_once(floor, rng)
    for croupier in croupiers:
        croupier.leaving.set()
    _wait(floor, playing)
    prizes = sum(_reckon(pencil, *played) for croupier in croupiers for played in croupier.rounds)
    floor.seen.meter(POOL, pencil.meter)
    floor.stop()
    events = _check_events(floor, croupiers)
    _check_meters(floor)
    rounds = sum(len(croupier.rounds) for croupier in croupiers)
    assert len(raw_ledger.entries(floor.ledger, "round_settled")) == rounds
    assert len(raw_ledger.entries(floor.ledger, "prize_locked")) == prizes
    return Outcome(kills, rounds, events, prizes)


def _kill_once(floor: Floor, rng: Random) -> None:
    time.sleep(rng.uniform(0, LATEST_KILL_S))
    floor.kill()
    if rng.random() < EARLY_KILLS:
        floor.launch()
        time.sleep(rng.uniform(0, LATEST_EARLY_KILL_S))
    else:
        floor.start()


def _wait(floor: Floor, playing: list[Future[None]]) -> None:
    for played in playing:
        try:
            played.result(timeout=60)
        except (TimeoutError, asyncio.CancelledError) as error:
            raise AssertionError(f"a table never ended its round\n{floor.said()}") from error


def _reckon(pencil: Reckoning, plan: StudPlan, played: Played) -> int:
    """Keep the pool by pencil through a round; the number of its hits."""
    pencil.bets(len(played.progressive))
    hands = {seat: described(hand)[0] for seat, hand in plan.hands.items() if seat != DEALER}
    winners = {
        seat: hand
        for seat, hand in hands.items()
        if hand in _FIXED and seat in played.progressive and seat not in plan.folds
    }
    return len(pencil.stud(winners))


def _check_events(floor: Floor, croupiers: list[Croupier]) -> int:
    """Every event that a board noted is in the ledger exactly once, in order, and the board was told so."""
    said = Counter((row["source"], row["seq"]) for row in raw_ledger.rows(floor.ledger) if row["row"] == "fact")
    events = 0
    for croupier in croupiers:
        for board in croupier.table.boards.values():
            assert not _held(board), f"{board.serial} still holds events"
            noted = {(board.serial, event) for event in range(1, board.journal.newest + 1)}
            assert {fact: count for fact, count in said.items() if fact[0] == board.serial} == dict.fromkeys(noted, 1)
            events += len(noted)
    return events


def _held(board: BusDeviceSim) -> bool:
    return board.journal.newest >= board.journal.oldest


def _check_meters(floor: Floor) -> None:
    """Every meter ever shown is the pool as committed at the row that it names."""
    committed, atoms = {}, 0
    for seq, row in enumerate(raw_ledger.rows(floor.ledger), start=1):
        atoms += sum(int(moved["atoms"]) for moved in row.get("postings", ()) if moved["account"] == f"pool:{POOL}")
        committed[seq] = str(atoms // 1_000_000)
    shown = [message for topic, message in floor.seen.history if topic == f"pool/{POOL}/meter"]
    assert shown
    for message in shown:
        assert committed[message["seq"]] == message["amount_minor"], message
