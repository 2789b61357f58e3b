"""What `jackpotd check` prints of a configuration."""

from __future__ import annotations

import json

import pytest

from jackpotd.core.baccarat import Commission
from jackpotd.daemon.check import check_json, check_lines, faults_json
from jackpotd.daemon.config import ConfigError
from jackpotd.daemon.config_readings import FIVE_OF_A_KIND_C, READINGS, readings_of
from tests.support.configs import OPTION_A, OPTION_C, config, edited, faults_of


def test_every_reading_of_every_pool_is_printed_in_plain_words_with_its_article() -> None:
    for found in (config(), config(*OPTION_A), config(*OPTION_C)):
        text = "\n".join(check_lines(found))
        for pool in found.pools:
            for reading in readings_of(pool.all_rules()):
                value = getattr(pool, reading.key)
                assert f"reading {reading.key} = {value}: {reading.meanings[value]} ({reading.article})" in text


def test_the_other_reading_is_printed_when_it_is_chosen() -> None:
    lines = check_lines(config(('several_royals = "split_greater"', 'several_royals = "greater_each"')))
    meaning = next(one.meanings["greater_each"] for one in READINGS if one.key == "several_royals")
    assert any(meaning in line for line in lines)


def test_option_c_says_what_five_of_a_kind_pays() -> None:
    unpaid = config(*OPTION_C, ('five_of_a_kind = { fixed = "8000.00" }', 'five_of_a_kind = "not paid"'))
    assert (
        f"  reading five_of_a_kind = not paid: {FIVE_OF_A_KIND_C.meanings['not paid']} (2/2009 17(11))"
        in check_lines(unpaid)
    )
    assert "  five_of_a_kind: nothing is paid (2/2009 17(11))" in check_lines(unpaid)
    assert "  five_of_a_kind: 8000.00 (2/2009 17(11))" in check_lines(config(*OPTION_C))


def test_every_prize_is_printed_with_its_article() -> None:
    lines = check_lines(config(*OPTION_C))
    assert "  royal_flush: the greater of 500000.00 and 100% of the pool (61/2004 10(2)(1))" in lines
    assert "  six_of_a_kind_one_colour: 100% of the pool (2/2009 17(9))" in lines
    assert "  six_of_a_kind: the greater of 90000.00 and 7.5% of the pool (2/2009 17(10))" in lines


def test_who_approves_which_hit_is_printed() -> None:
    text = "\n".join(check_lines(config()))
    assert "below 5000.00 approved at once, above 50000.00 by two persons" in text
    assert "of every size approved by hand" in text


def test_what_trips_the_breaker_is_printed_and_that_it_is_off_is_a_warning() -> None:
    assert "  breaker: luck beyond 1 in 10,000,000 within 24 h suspends the pool" in check_lines(config())
    found = config(('breaker = { one_in = 10000000, window = "24h" }', 'breaker = "off"'))
    lines = check_lines(found)
    assert "  breaker: off" in lines
    assert "warning: pool[stud-main].breaker: it is off: hits that no luck explains go on unseen" in lines
    assert check_json(found)["pools"][0]["breaker"] is None


def test_an_advisory_lock_is_printed() -> None:
    assert not any("advisory" in line for line in check_lines(config()))
    lines = check_lines(config(("seats = 9", "seats = 9\nadvisory_lock = true")))
    assert any(line.startswith("table B01") and "advisory" in line for line in lines)


def test_what_a_raise_pays_at_most_is_printed() -> None:
    assert not any(
        "at most" in line
        for line in check_lines(config(('max_payout = "200000.00"', "")))
        if line.startswith("table T01")
    )
    most = "a royal flush's raise pays 100 to 1, raises of four of a kind and better at most 200000.00 a seat"
    assert any(line.startswith("table T01") and most in line for line in check_lines(config()))


@pytest.mark.parametrize("commission", list(Commission))
def test_the_commission_is_printed_with_its_article(commission: Commission) -> None:
    lines = check_lines(config(('commission = "five_percent"', f'commission = "{commission}"')))
    article = {"five_percent": "18(1)", "six_pays_half": "18(2)", "dragon7_push": "18(3)"}[commission]
    assert any(line.startswith("table B01") and f"(2/2009 {article})" in line for line in lines)


def test_approvals_are_printed_with_their_dates() -> None:
    assert any("applied for on 2026-01-05, in force from 2026-01-12, in time" in line for line in check_lines(config()))
    late = check_lines(config(("from = 2026-01-12", "from = 2026-01-06")))
    assert any("less than 3 working days before" in line for line in late)


def test_an_option_without_approval_is_a_warning_with_its_article() -> None:
    found = config(('"2/2009 17(12)", ', ""))
    assert [line for line in check_lines(found) if line.startswith("warning")] == [
        "warning: pool[bac-b].prizes: no approval covers fixed progressive prizes (2/2009 17(12))"
    ]
    assert [one["article"] for one in check_json(found)["warnings"]] == ["2/2009 17(12)"]


def test_the_json_says_that_the_file_is_in_order_and_is_json() -> None:
    found = json.loads(json.dumps(check_json(config())))
    assert found["ok"] is True
    assert [pool["id"] for pool in found["pools"]] == ["stud-main", "bac-b"]
    assert found["pools"][0]["readings"][0]["article"] == "61/2004 10(6)"
    assert found["tables"][0]["devices"][0] == {"name": "shoe", "driver": "bee-tek", "grade": "bare"}


def test_the_json_of_faults_lists_them_all() -> None:
    faults = faults_of(edited(("seats = 9", "seats = 0"), ("decks = 8", "")))
    found = json.loads(json.dumps(faults_json(ConfigError(faults))))
    assert found["ok"] is False
    assert [one["key"] for one in found["faults"]] == ["table[B01].seats", "table[B01].decks"]
    assert found["faults"][0]["value"] == "0"


def test_a_table_bus_device_without_a_key_is_a_warning() -> None:
    edit = ('key_file = "credential:bus-b01"', "")
    found = check_json(config(edit))["warnings"]
    assert [one for one in found if "key_file" in str(one["key"])] == [
        {
            "key": "table[B01].device[panel].key_file",
            "reason": "it has none: whoever reaches the line can speak in its name",
            "article": None,
        }
    ]
