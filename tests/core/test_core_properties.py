"""Properties of any story that a floor may tell, sense or nonsense.

After every word `Felt` checks that the fold of the recorded rows, through the ledger's codec, is the state; that every
pool's accounts balance with nothing below zero; and that a refused act has changed nothing. A device's word that is
refused ends the story as an error.
"""

from __future__ import annotations

from random import Random
from typing import get_args

from hypothesis import given, settings

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.decide import ACTS, decide
from jackpotd.core.state import Phase, State
from jackpotd.ledger.memory import MemoryLedger
from jackpotd.ledger.restore import encode_state, restore
from jackpotd.ledger.rows import decode_row, encode_row
from jackpotd.ledger.snapshots import take_snapshot
from tests.support.chance import STEPS, Step, house, snapshot, step, tell
from tests.support.felt import SUPERVISOR, Felt, archive_of

_STORIES = 60  # a few are enough; the rest only say that it was no accident
_FALLS = (
    e.PrizeLocked,
    e.PoolRestarted,
    e.HitRejected,
    e.PoolAdjusted,
    e.PoolTransferred,
    e.PoolRetired,
)


def retold(felt: Felt) -> tuple[State, list[tuple[f.Fact, list[e.Entry]]]]:
    """The same facts told to a state of its own, from the beginning and without a snapshot."""
    state = State()
    facts = [row for row in map(decode_row, felt.rows) if isinstance(row, f.Fact)]
    return state, [(fact, decide(state, fact) or []) for fact in facts]


@settings(max_examples=120, deadline=None)
@given(STEPS)
def test_same_facts_in_same_entries_out_whether_or_not_a_snapshot_lies_between(steps: list[Step]) -> None:
    felt = house()
    tell(felt, steps)
    state, told = retold(felt)
    assert state == felt.state
    assert [encode_row(row) for fact, entries in told for row in (fact, *entries)] == felt.rows


@settings(max_examples=60, deadline=None)
@given(STEPS, STEPS)
def test_a_ledger_restored_from_a_snapshot_or_from_its_first_row_is_the_same_state(
    before: list[Step], after: list[Step]
) -> None:
    felt = house()
    tell(felt, before)
    ledger = MemoryLedger("lisboa", "5f0c7c9e-0f0c-4a8e-9d2b-3c1f5a7e9b10")
    ledger.append(felt.rows, [])
    ledger.save_snapshot(take_snapshot(ledger.head, "1", encode_state(felt.state)))
    written = len(felt.rows)
    tell(felt, after)
    if felt.rows[written:]:
        ledger.append(felt.rows[written:], [])
    assert restore(ledger, "1").state == felt.state
    assert restore(ledger, "another version").state == felt.state
    snapshot(felt)


@settings(max_examples=120, deadline=None)
@given(STEPS)
def test_the_meter_falls_only_for_a_reason_and_no_held_round_is_paid_by_a_device(steps: list[Step]) -> None:
    felt = house()
    tell(felt, steps)
    state = State()
    for row in map(decode_row, felt.rows):
        if not isinstance(row, f.Fact):
            continue
        held = {name for name, table in state.tables.items() if table.phase is Phase.HELD}
        live = {name: {**table.live} for name, table in state.tables.items()}
        for entry in decide(state, row) or ():
            _judge(row, entry, held, live)
            if isinstance(entry, e.RoundLocked):
                live[entry.table] = {
                    part.pool: sorted((*part.seats, *part.carried_seats)) for part in entry.contributions
                }
                for level, pools in entry.levels.items():
                    live[entry.table][level] = [seat for pool in pools for seat in live[entry.table][pool]]


def _judge(fact: f.Fact, entry: e.Entry, held: set[str], live: dict[str, dict[str, list[int]]]) -> None:
    for posting in getattr(entry, "postings", ()):
        if posting.account.startswith("pool:") and posting.atoms < 0:
            assert isinstance(entry, _FALLS)
    if isinstance(entry, e.PrizeLocked):
        assert {award.seat for award in entry.awards} <= set(live[entry.table][entry.pool])
        assert entry.table not in held or type(fact.what) in ACTS


def test_the_stories_reach_every_kind_of_entry() -> None:
    """Else the properties above would be about nothing."""
    missing = set(get_args(e.Entry))
    for seed in range(_STORIES):
        felt, dice = house(), Random(seed)
        tell(felt, [step(dice) for _ in range(200)])
        felt.control(f.StorageSaid(low=True, free_bytes=0, bound_bytes=1))
        felt.set_clock(-60_000)
        felt.control(f.ClockSaid(synchronised=False, jump_ms=0, calm=False))
        felt.act(f.CloseDay(SUPERVISOR, felt.state.day))
        felt.act(archive_of(felt.state.day - 1))
        felt.control(f.ChainBroken(1, "the end of the story"))
        missing -= {type(row) for row in map(decode_row, felt.rows)}
        if not missing:
            return
    raise AssertionError(f"no story has {missing}")
