"""Parameters of a live pool: the file differs, two persons apply, a restart brings them into force (design 5)."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.parameter_changes import NONE, ParameterChange, changes_between, changes_text, parameter_words
from jackpotd.core.parameters import BreakerParams, GameTiers, LevelRate, MappedTier, PoolParams, Rules
from jackpotd.core.proposals import PROPOSAL_MS
from tests.support.felt import (
    ACCOUNTANT,
    FLUSH,
    NOTHING_2,
    ROYAL,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Felt,
)
from tests.support.hits import approve, house, play
from tests.support.pools import STUD_PRIZES, mop, option_pool, prize, stud_pool

NEW_PRIZES = (prize("royal_flush", "600000.00", 1_000_000), *STUD_PRIZES[1:4], prize("flush", "700.00"))


def says(felt: Felt, **changes: Any) -> PoolParams:
    """The file says this of the pool when it is read next."""
    felt.pools = [stud_pool(**changes)]
    felt.configure()
    return felt.pools[0]


def apply(felt: Felt, *by: f.By, why: str = "the regulator agreed") -> None:
    for one in by or (SUPERVISOR, ACCOUNTANT):
        felt.act(f.ApplyPool(one, "stud-main", why))


def test_what_two_persons_apply_waits_for_the_next_restart_which_begins_with_the_new_seed() -> None:
    felt = house(2)
    new = says(felt, seed_atoms=mop("300000.00"), prizes=NEW_PRIZES, contribution_ppm=600_000)
    assert felt.alarms() == ["parameters-stud-main"]
    apply(felt)
    applied = felt.said(e.ParametersApplied)
    assert applied.by == (SUPERVISOR, ACCOUNTANT)
    assert (applied.why, applied.staged, applied.in_force) == ("the regulator agreed", new, stud_pool())
    assert changes_text(applied.changes) == (
        "seed 500000.00 -> 300000.00, contribution 70% -> 60%, "
        "prizes.royal_flush the greater of 500000.00 and 100% of the pool -> "
        "the greater of 600000.00 and 100% of the pool, prizes.flush 500.00 -> 700.00"
    )
    assert felt.alarms() == ["staged-stud-main"]

    play(felt, "T01", {1: FLUSH})
    assert felt.hit("T01.1.stud-main.flush").total_atoms == mop("500.00")
    assert felt.pool().params == stud_pool()

    approve(felt, "T01.1.stud-main.flush")
    play(felt, "T01", {1: ROYAL})
    assert felt.hit("T01.2.stud-main.royal_flush").total_atoms == mop("500000.00")
    assert felt.meter() == mop("300000.00")
    assert (felt.pool().params, felt.pool().staged) == (new, None)
    forced = felt.said(e.ParametersTookForce)
    assert (forced.params, forced.changes) == (new, applied.changes)
    assert felt.alarms() == []

    play(felt, "T02", {1: FLUSH})
    assert felt.hit("T02.1.stud-main.flush").total_atoms == mop("700.00")
    assert felt.meter() == mop("300006.00") - mop("700.00")


def test_the_hit_that_brings_new_parameters_is_approved_by_the_old_ones() -> None:
    felt = house(auto_pay_below_atoms=mop("600000.00"))
    says(felt, auto_pay_below_atoms=None)
    apply(felt)
    play(felt, "T01", {1: ROYAL})
    assert felt.hit("T01.1.stud-main.royal_flush").status.value == "approved"
    play(felt, "T01", {1: FLUSH})
    assert felt.hit("T01.2.stud-main.flush").status.value == "pending"


def test_a_limit_alone_takes_effect_at_once() -> None:
    felt = house()
    says(felt, limit_atoms=mop("500003.00"))
    apply(felt)
    assert felt.pool().params == felt.pools[0]
    assert (felt.pool().staged, felt.alarms()) == (None, [])
    play(felt, "T01", {1: NOTHING_2})
    assert (felt.meter(), felt.pool().overflow_atoms) == (mop("500003.00"), mop("4.00"))


def test_a_limit_among_other_changes_takes_effect_at_once_and_they_wait() -> None:
    felt = house()
    new = says(felt, limit_atoms=mop("900000.00"), seed_atoms=mop("1.00"))
    apply(felt)
    assert felt.pool().params == stud_pool(limit_atoms=mop("900000.00"))
    assert felt.pool().staged == new
    assert felt.state.alarms["staged-stud-main"].text == (
        "at the next restart of pool stud-main: seed 500000.00 -> 1.00"
    )


def test_no_limit_is_set_below_the_meter() -> None:
    felt = house()
    says(felt, limit_atoms=mop("499999.99"))
    with pytest.raises(RuleError, match=r"499999\.99 is below 500000\.00"):
        apply(felt)


def test_a_restart_begins_with_the_staged_seed_also_where_the_old_one_is_above_the_new_limit() -> None:
    felt = house()
    felt.act(f.AdjustPool(SUPERVISOR, "stud-main", "-200000.00", "counted twice"))
    felt.act(f.AdjustPool(ACCOUNTANT, "stud-main", "-200000.00", "counted twice"))
    says(felt, limit_atoms=mop("400000.00"), seed_atoms=mop("100000.00"))
    apply(felt)
    play(felt, "T01", {1: ROYAL})
    assert (felt.meter(), felt.pool().overflow_atoms) == (mop("100000.00"), 0)


@pytest.mark.parametrize(
    ("change", "named"),
    [({"bet_atoms": mop("20.00")}, "bet"), ({"rules": Rules.BACCARAT_B}, "rules"), ({"currency": "HKD"}, "currency")],
)
def test_what_bets_in_play_were_made_under_stays_as_long_as_the_pool_lives(change: dict[str, Any], named: str) -> None:
    felt = house()
    says(felt, **change)
    with pytest.raises(RuleError, match=f"{named} of live pool stud-main cannot change: open another pool"):
        apply(felt)


def test_with_nothing_to_apply_nobody_is_asked() -> None:
    felt = house()
    with pytest.raises(RuleError, match="what is in force: there is nothing to apply"):
        apply(felt)
    says(felt, seed_atoms=mop("1.00"))
    apply(felt)
    with pytest.raises(RuleError, match="what is staged: there is nothing to apply"):
        apply(felt)
    with pytest.raises(RuleError, match="there is no pool other; there are stud-main"):
        felt.act(f.ApplyPool(SUPERVISOR, "other", "why"))


def test_applying_a_file_that_says_what_is_in_force_withdraws_what_was_staged() -> None:
    felt = house()
    says(felt, seed_atoms=mop("1.00"))
    apply(felt)
    says(felt)
    assert felt.alarms() == ["parameters-stud-main", "staged-stud-main"]
    assert (
        "what is staged for live pool stud-main: seed 1.00 -> 500000.00"
        in felt.state.alarms["parameters-stud-main"].text
    )
    apply(felt)
    assert felt.said(e.ParametersApplied).staged is None
    assert felt.alarms() == []
    play(felt, "T01", {1: ROYAL})
    assert felt.meter() == mop("500000.00")


def test_a_file_that_moved_on_before_the_restart_alarms_anew_when_the_staged_take_force() -> None:
    felt = house()
    says(felt, seed_atoms=mop("1.00"))
    apply(felt)
    says(felt, seed_atoms=mop("2.00"))
    play(felt, "T01", {1: ROYAL})
    assert felt.meter() == mop("1.00")
    assert felt.alarms() == ["parameters-stud-main"]
    assert "is in force at live pool stud-main: seed 1.00 -> 2.00" in felt.state.alarms["parameters-stud-main"].text


def test_an_alarm_that_would_fill_the_screen_names_the_first_changes_and_counts_the_rest() -> None:
    felt = house()
    says(
        felt,
        seed_atoms=mop("1.00"),
        payout_unit_atoms=mop("1.00"),
        reserve_ppm=1,
        contribution_ppm=2,
        fixed_prizes_from="house",
        remainder="house",
        straight_flush_base="running",
        prizes=NEW_PRIZES,
    )
    assert felt.state.alarms["parameters-stud-main"].text.endswith(" and 3 more; nothing is changed")


def test_without_a_name_every_pool_that_differs_is_applied_and_all_are_judged_before_any_is_written() -> None:
    felt = Felt([stud_pool(), stud_pool(pool="other"), stud_pool(pool="third")], [])
    with pytest.raises(RuleError, match="the file says of every pool what is in force"):
        felt.act(f.ApplyPool(SUPERVISOR, None, "agreed"))
    felt.pools[:2] = [stud_pool(seed_atoms=mop("1.00")), stud_pool(pool="other", limit_atoms=mop("900000.00"))]
    felt.configure()
    for by in (SUPERVISOR, ACCOUNTANT):
        felt.act(f.ApplyPool(by, None, "agreed"))
    assert [entry.pool for entry in felt.all_said(e.ParametersApplied)] == ["other", "stud-main"]
    assert (felt.pool().staged, felt.pool("other").params) == (felt.pools[0], felt.pools[1])

    felt.pools[1:] = [stud_pool(pool="other"), stud_pool(pool="third", bet_atoms=mop("20.00"))]
    felt.configure()
    with pytest.raises(RuleError, match="bet of live pool third cannot change"):
        felt.act(f.ApplyPool(SUPERVISOR, None, "agreed"))
    assert felt.pool("other").proposal is None


def test_a_level_that_the_file_names_must_be_a_live_pool() -> None:
    felt = Felt([stud_pool(), stud_pool(pool="mini")], [])
    for by in (SUPERVISOR, ACCOUNTANT):
        felt.act(f.RetirePool(by, "mini", "house", "the link ends"))
    felt.pools = [stud_pool(levels=(LevelRate("mini", 10_000),))]
    felt.configure()
    with pytest.raises(RuleError, match="pool mini is retired"):
        apply(felt)


# ---- two persons


def test_the_second_person_is_another_operator_of_another_role_who_wants_the_same() -> None:
    felt = house()
    says(felt, seed_atoms=mop("1.00"))
    apply(felt, SUPERVISOR)
    proposed = felt.said(e.PoolActProposed)
    assert (proposed.act, proposed.what, proposed.by) == ("apply", "seed 500000.00 -> 1.00", SUPERVISOR)
    with pytest.raises(RuleError, match="sam has spoken already"):
        apply(felt, SUPERVISOR)
    with pytest.raises(RuleError, match="must have another role"):
        apply(felt, f.By("sue", "supervisor"))
    with pytest.raises(RuleError, match="tom is technician: this takes"):
        apply(felt, TECHNICIAN)
    with pytest.raises(RuleError, match="needs its reason"):
        apply(felt, ACCOUNTANT, why=" ")
    apply(felt, SURVEILLANCE)
    assert felt.pool().staged == felt.pools[0]
    assert felt.pool().proposal is None


def test_another_word_replaces_the_one_before_and_nobody_agrees_to_what_he_did_not_see() -> None:
    felt = house()
    says(felt, seed_atoms=mop("1.00"))
    apply(felt, SUPERVISOR)
    says(felt, seed_atoms=mop("2.00"))
    apply(felt, ACCOUNTANT)
    proposal = felt.pool().proposal
    assert proposal is not None
    assert (proposal.by, proposal.what) == (ACCOUNTANT, "seed 500000.00 -> 2.00")
    assert felt.pool().staged is None
    apply(felt, SUPERVISOR)
    assert felt.pool().staged == felt.pools[0]


@pytest.mark.parametrize(("later_ms", "completes"), [(PROPOSAL_MS - 100, True), (PROPOSAL_MS, False)])
def test_a_word_holds_for_a_shift(later_ms: int, completes: bool) -> None:
    felt = house()
    says(felt, seed_atoms=mop("1.00"))
    apply(felt, SUPERVISOR)
    felt.now_ms += later_ms
    apply(felt, ACCOUNTANT)
    assert (felt.pool().staged is not None) is completes


# ---- words


def test_every_parameter_is_told_as_the_file_writes_it() -> None:
    words = parameter_words(stud_pool(limit_atoms=mop("900000.00"), breaker=BreakerParams(10, 60_000)))
    assert words["seed"] == "500000.00"
    assert words["contribution"] == "70%"
    assert words["limit"] == "900000.00"
    assert words["auto_pay_below"] == NONE
    assert words["four_of_a_kind_suits"] == NONE
    assert words["show_hit_for"] == "600000 ms"
    assert words["hold_tables_on_hit"] == "table"
    assert words["breaker"] == "1 in 10 within 60000 ms"
    assert words["prizes.royal_flush"] == "the greater of 500000.00 and 100% of the pool"
    assert words["prizes.flush"] == "500.00"
    option = parameter_words(option_pool(Rules.BACCARAT_C))
    assert option["breaker"] == "off"
    assert option["prizes.five_of_a_kind"] == "nothing is paid"
    assert option["prizes.six_of_a_kind_one_colour"] == "100% of the pool"


def test_games_and_levels_are_parameters_like_any_other() -> None:
    tiers = (MappedTier(STUD_PRIZES[0], "grand"), MappedTier(STUD_PRIZES[4], ""))
    new = stud_pool(rules=None, games=(GameTiers(Rules.STUD, tiers),), levels=(LevelRate("mini", 10_000),))
    changes = {change.name: change for change in changes_between(stud_pool(), new)}
    assert changes["games.stud.rules"] == ParameterChange("games.stud.rules", NONE, "stud")
    assert changes["games.stud.royal_flush"].new == "grand, the greater of 500000.00 and 100% of the pool"
    assert "games.stud.flush" in parameter_words(new)
    assert changes["levels.mini"] == ParameterChange("levels.mini", NONE, "1%")
