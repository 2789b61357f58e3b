"""What people do with whole pools, by chance: proposals, changes of the file, transfers and retirements at rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from tests.support.felt import ACCOUNTANT, SUPERVISOR, SURVEILLANCE, Felt, Spot
from tests.support.pools import mop


def attempt(felt: Felt, act: f.Act) -> None:
    try:
        felt.act(act)
    except RuleError:
        return  # refused; the felt has checked that nothing changed


def pool_act(spot: Spot, which: int) -> None:
    """One or two persons of two roles want something of a pool; now and then the file says something else."""
    felt = spot.felt
    names = sorted(felt.state.pools)
    name, other = names[which % len(names)], names[(which // 7 + 1) % len(names)]
    if which % 3 == 0:
        _change_file(felt, which)
    for by in (SUPERVISOR, ACCOUNTANT)[: 1 + which % 2]:
        acts: tuple[f.Act, ...] = (
            f.ApplyPool(by, name, "new prizes"),
            f.AdjustPool(by, name, ("+12.34", "-400.00", "0.000001", "-99999999.00")[which // 3 % 4], "miscounted"),
            f.SuspendPool(by, name, "odd"),
            f.ResumePool(by, name, "looked"),
            f.ResumePool(by, name, "looked"),
        )
        attempt(felt, acts[which // 5 % len(acts)])
    if which % 4 == 1:
        _at_rest(felt, name, other, which)


def _change_file(felt: Felt, which: int) -> None:
    index = which // 3 % len(felt.pools)
    changes: tuple[dict[str, Any], ...] = (
        {"seed_atoms": mop("700.00")},
        {"seed_atoms": mop("500000.00"), "contribution_ppm": 600_000},
        {"limit_atoms": mop("500040.00")},
        {"limit_atoms": None, "auto_pay_below_atoms": mop("20.00")},
    )
    felt.pools[index] = replace(felt.pools[index], **changes[which // 5 % 4])
    felt.configure()


def _at_rest(felt: Felt, name: str, other: str, which: int) -> None:
    """Everything that keeps a pool where it is ends, and it is moved."""
    for pool in (name, other):
        _both(felt, lambda by, pool=pool: f.ResumePool(by, pool, "looked"))
    for table, spot in sorted(felt.state.tables.items()):
        attempt(felt, f.VoidRound(SUPERVISOR, table, "make room"))
        for seat, pools in sorted(spot.carried.items()):
            for pool in tuple(pools):
                attempt(felt, f.RefundBet(SUPERVISOR, table, seat, pool, "leaves"))
        attempt(felt, f.CloseTable(SUPERVISOR, table))
    for hit in sorted(felt.state.hits):
        _both(felt, lambda by, hit=hit: f.ApproveHit(by, hit))
        attempt(felt, f.PayHit(SUPERVISOR, hit, "1"))
        _both(felt, lambda by, hit=hit: f.RejectHit(by, hit, "odd"))
    if which % 5 == 1:
        _both(felt, lambda by: f.RetirePool(by, name, ("house", other)[which // 4 % 2], "the link ends"))
    else:
        _both(felt, lambda by: f.TransferPool(by, name, other, "one link of two"))
    for table in sorted(felt.state.tables):
        attempt(felt, f.OpenTable(SUPERVISOR, table))


def _both(felt: Felt, act: Callable[..., f.Act]) -> None:
    for by in (SURVEILLANCE, SUPERVISOR):
        attempt(felt, act(by))
