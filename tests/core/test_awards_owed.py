"""What rules and meter allow: an award that cannot be owed is refused, whatever reckoned it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jackpotd.core import settling
from jackpotd.core.errors import RuleError
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import Rules
from jackpotd.core.settlement import Settlement, Turn, settle_stud
from jackpotd.core.state import Phase
from tests.support.felt import DEALER, FLUSH, ROYAL, STRAIGHT_FLUSH, Felt, baccarat_table, stud_table
from tests.support.pools import mop, option_pool, stud_pool


def play_flush(felt: Felt) -> None:
    """A round of one seat that has a flush."""
    spot = felt.spot("T01")
    spot.bet(2)
    spot.lock()
    spot.deal({2: FLUSH, 0: DEALER})
    spot.end()


def house(**changes: Any) -> Felt:
    return Felt([stud_pool(**changes)], [stud_table()])


Wrong = Callable[[Settlement], Settlement]


def bigger(settlement: Settlement) -> Settlement:
    (turn,) = settlement.turns
    more = Atoms(turn.total_atoms + 1)
    return replace(settlement, turns=(replace(turn, awards=((turn.awards[0][0], more),), from_house_atoms=Atoms(1)),))


def for_somebody_else(settlement: Settlement) -> Settlement:
    (turn,) = settlement.turns
    return replace(settlement, turns=(replace(turn, awards=((5, turn.total_atoms),)),))


def twice(settlement: Settlement) -> Settlement:
    return replace(settlement, turns=settlement.turns * 2)


def from_an_empty_pool(settlement: Settlement) -> Settlement:
    (turn,) = settlement.turns
    moved = Turn(turn.tier, turn.awards, Atoms(turn.total_atoms + 1), Atoms(-1))
    return replace(settlement, turns=(moved,))


@pytest.mark.parametrize("wrong", [bigger, for_somebody_else, twice, from_an_empty_pool])
def test_an_award_that_cannot_be_owed_is_refused_and_suspends_the_pool(
    monkeypatch: pytest.MonkeyPatch, wrong: Wrong
) -> None:
    right = settle_stud
    monkeypatch.setattr(settling, "settle_stud", lambda *given: wrong(right(*given)))
    felt = house()
    before = felt.meter()
    play_flush(felt)
    spot = felt.spot("T01")
    assert felt.state.hits == {}
    assert felt.meter() == before + mop("7.00")
    assert felt.pool().suspended.startswith("an award beyond rules and meter: ")
    assert (spot.phase(), spot.table.hold_code) == (Phase.HELD, "award")
    with pytest.raises(RuleError, match="suspended"):
        spot.confirm()
    spot.void()
    assert spot.phase() is Phase.OPEN


def test_an_award_from_more_than_the_pool_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    right = settle_stud
    monkeypatch.setattr(settling, "settle_stud", lambda params, pool_atoms, *rest: right(params, pool_atoms + 1, *rest))
    felt = house(seed_atoms=mop("100.00"))
    play_flush(felt)
    assert "more than the pool's 107.00 would be taken from it" in felt.pool().suspended


def test_a_tier_that_is_not_paid_owes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def paid(*given: Any) -> Settlement:
        award = ((1, mop("8000.00")),)
        turn = Turn("five_of_a_kind", award, mop("8000.00"), Atoms(0))
        return Settlement((turn,), None, Atoms(given[1] - turn.total_atoms), Atoms(0), Atoms(0))

    monkeypatch.setattr(settling, "settle_baccarat", paid)
    felt = Felt([option_pool(Rules.BACCARAT_C)], [baccarat_table(pools=("baccarat-c",))])
    spot = felt.spot("B01")
    spot.bet(1)
    spot.lock()
    spot.coup("2S 2D 2H", "2C 2S AD")
    assert "five_of_a_kind of 8000.00, 0.00 at most is owed" in felt.pool("baccarat-c").suspended


@pytest.mark.parametrize("reading", ["split_greater", "greater_each"])
def test_all_that_the_dispatch_grants_is_owed(reading: str) -> None:
    felt = house(several_royals=reading)
    spot = felt.spot("T01")
    for seat in (1, 2, 3):
        spot.bet(seat)
    spot.lock()
    spot.deal({1: ROYAL, 2: STRAIGHT_FLUSH, 3: "AH KH QH JH TH", 0: DEALER})
    spot.end()
    assert not felt.pool().suspended
    assert len(felt.state.hits) == 2
