"""What production checks of every entry: money is neither made nor lost, and nothing below zero (design 1, law 3)."""

from __future__ import annotations

import pytest

from jackpotd.core import entries as e
from jackpotd.core.apply import apply
from jackpotd.core.invariants import InvariantError
from jackpotd.core.money import Atoms
from jackpotd.core.postings import Posting
from tests.support.felt import Felt
from tests.support.pools import mop, stud_pool

SEED = mop("500000.00")


def post(*moves: tuple[str, int]) -> None:
    """Let postings take effect at a house with one pool at its seed."""
    felt = Felt([stud_pool()], [])
    postings = tuple(Posting(f"{account}:stud-main", Atoms(atoms)) for account, atoms in moves)
    apply(felt.state, e.PoolRestarted(1, "stud-main", "no hit", postings))


def test_postings_that_do_not_sum_to_zero_end_the_process() -> None:
    with pytest.raises(InvariantError, match="sum to zero but to 1 atoms"):
        post(("pool", 7), ("wagers", -6))


@pytest.mark.parametrize("account", ["pool", "reserve", "overflow"])
def test_nothing_that_a_pool_holds_goes_below_zero(account: str) -> None:
    with pytest.raises(InvariantError, match="below zero"):
        post((account, -SEED - 1), ("house", SEED + 1))


def test_the_accounts_of_a_pool_sum_to_zero_even_when_an_entry_reaches_over_pools() -> None:
    felt = Felt([stud_pool(), stud_pool(pool="other")], [])
    postings = (Posting("pool:stud-main", Atoms(-5)), Posting("pool:other", Atoms(5)))
    with pytest.raises(InvariantError, match="accounts of pool stud-main do not sum to zero"):
        apply(felt.state, e.PoolRestarted(1, "stud-main", "no hit", postings))
