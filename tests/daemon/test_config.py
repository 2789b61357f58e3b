"""The whole file: what is read, and that every fault is told at once."""

from __future__ import annotations

import contextlib
import hashlib
from datetime import date, time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.core.money import parse_amount
from jackpotd.core.parameters import BreakerParams, DeviceParams, Rules, TierPrize
from jackpotd.daemon.config import ConfigError, load, parse
from tests.support.configs import EXAMPLE, OPTION_A, OPTION_C, config, edited, fault_of, faults_of


def test_the_example_is_in_order() -> None:
    found = load(EXAMPLE)
    assert found.sha256 == hashlib.sha256(EXAMPLE.read_bytes()).hexdigest()
    assert found.path == EXAMPLE
    assert [pool.pool for pool in found.pools] == ["stud-main", "bac-b"]
    assert [table.table for table in found.tables] == ["T01", "T02", "B01"]


def test_the_site_of_the_example_is_read() -> None:
    site = load(EXAMPLE).site
    assert (site.site, site.node, site.currency.code, site.currency.exponent) == ("lisboa", "main", "MOP", 2)
    assert site.timezone.key == "Asia/Macau"
    assert site.gaming_day_starts == time(6, 0)
    assert date(2026, 12, 8) in site.holidays
    assert site.languages == ("zh-Hant", "pt", "en")


def test_the_stud_pool_of_the_example_is_read_into_atoms_and_parts_per_million() -> None:
    pool = load(EXAMPLE).pools[0]
    assert pool.rules is Rules.STUD
    assert pool.seed_atoms == parse_amount("500000.00", 2)
    assert pool.bet_atoms == 1_000_000_000
    assert (pool.contribution_ppm, pool.reserve_ppm) == (700_000, 50_000)
    assert pool.limit_atoms == parse_amount("5000000.00", 2)
    assert pool.prizes[0] == TierPrize("royal_flush", 1_000_000, parse_amount("500000.00", 2))
    assert pool.prizes[1] == TierPrize("straight_flush", 100_000, parse_amount("50000.00", 2))
    assert [prize.tier for prize in pool.prizes[2:]] == ["four_of_a_kind", "full_house", "flush"]
    assert (pool.straight_flush_base, pool.several_royals) == ("round", "split_greater")
    assert (pool.fixed_prizes_from, pool.remainder) == ("pool", "pool")
    assert (pool.four_of_a_kind_suits, pool.void_round) == (None, None)
    assert pool.show_hit_for_ms == 600_000


def test_what_is_absent_means_no_reserve_no_limit_the_minor_unit_and_every_hit_by_hand() -> None:
    pool = load(EXAMPLE).pools[1]
    assert (pool.reserve_ppm, pool.limit_atoms, pool.payout_unit_atoms) == (0, None, 1_000_000)
    assert (pool.auto_pay_below_atoms, pool.bare_two_person_above_atoms) == (None, None)


def test_a_breaker_is_on_unless_the_file_says_off() -> None:
    written = 'breaker = { one_in = 10000000, window = "24h" }'
    named, absent = load(EXAMPLE).pools
    assert named.breaker == absent.breaker == BreakerParams(10_000_000, 24 * 3_600_000)
    other = config((written, 'breaker = { one_in = 5000, window = "90m" }'))
    assert other.pools[0].breaker == BreakerParams(5_000, 90 * 60_000)
    assert config((written, 'breaker = "off"')).pools[0].breaker is None


def test_each_device_has_its_dialects_grade() -> None:
    tables = load(EXAMPLE).tables
    grades = {device.driver: device.grade for table in tables for device in table.devices}
    assert grades == {"bee-tek": "bare", "angel-eye": "sequenced", "table-bus": "journaled"}
    assert tables[0].devices[1] == DeviceParams("panel", "table-bus", "journaled", None, keyed=True)


def test_a_table_has_its_games_settings() -> None:
    stud, _, baccarat = load(EXAMPLE).tables
    assert (stud.game, stud.decks, stud.commission, stud.royal_raise_odds) == ("stud", 1, None, 100)
    assert stud.max_payout_atoms == parse_amount("200000.00", 2)
    assert (baccarat.game, baccarat.decks, baccarat.commission) == ("baccarat", 8, "five_percent")
    assert baccarat.deal_timeout_ms == 180_000


def test_a_line_has_the_dialects_speed_unless_the_file_names_another() -> None:
    found = config(("baud = 9600                              # the", "# the"))
    assert [device.baud for device in found.devices if device.label == "B01/shoe"] == [4800]
    assert [device.baud for device in load(EXAMPLE).devices if device.label == "B01/shoe"] == [9600]
    assert [device.baud for device in found.devices if device.label == "T01/panel"] == [115_200]


def test_a_key_in_the_file_shows_in_no_repr() -> None:
    key = "000102030405060708090a0b0c0d0e0f"
    found = config(('key_file = "credential:bus-t01"', f'key = "{key}"'))
    assert [device.key_hex for device in found.devices if device.label == "T01/panel"] == [key]
    assert key not in repr(found)


def test_option_a_is_read() -> None:
    pool = config(*OPTION_A).pools[1]
    assert pool.four_of_a_kind_suits == "distinct"
    assert pool.prize("heavenly_straight") == TierPrize("heavenly_straight", 100_000, parse_amount("8000.00", 2))


def test_option_c_takes_its_percentage_from_the_file() -> None:
    pool = config(*OPTION_C).pools[1]
    assert pool.prize("six_of_a_kind").share_ppm == 75_000


def test_option_c_may_leave_five_of_a_kind_unpaid() -> None:
    pool = config(*OPTION_C, ('five_of_a_kind = { fixed = "8000.00" }', 'five_of_a_kind = "not paid"')).pools[1]
    assert pool.prize("five_of_a_kind") == TierPrize("five_of_a_kind", 0, parse_amount("0", 2), paid=False)


def test_a_currency_without_decimals_has_amounts_without_decimals() -> None:
    text = EXAMPLE.read_text(encoding="utf-8").replace('"MOP"', '"JPY"').replace('.00"', '"').replace('"0.01"', '"1"')
    pool = parse(text.encode(), Path("test.toml")).pools[0]
    assert (pool.currency, pool.exponent, pool.bet_atoms) == ("JPY", 0, 10_000_000)


# ---- faults


def test_two_faults_are_both_told() -> None:
    found = faults_of(edited(('currency = "MOP"', 'currency = "XXX"'), ("seats = 9", "seats = 0")))
    assert [fault.key for fault in found] == ["site.currency", "table[B01].seats"]


def test_a_value_of_the_wrong_shape_hides_no_fault_of_its_neighbours() -> None:
    found = faults_of(
        edited(
            ('seed = "500000.00"', "seed = 500000.00"),
            ('several_royals = "split_greater"', ""),
            ("seats = 7", "seats = 8"),
        )
    )
    assert {fault.key for fault in found} == {
        "pool[stud-main].seed",
        "pool[stud-main].several_royals",
        "table[T01].seats",
    }


def test_a_key_that_could_not_be_read_is_not_also_called_missing() -> None:
    assert fault_of(('seed = "500000.00"', 'seed = "half a million"')).key == "pool[stud-main].seed"
    assert fault_of(('deal = ["shoe"]', 'deal = ["shoe", "hand"]')).key == "table[T01].deal[#2]"


def test_a_fault_has_key_value_reason_and_article() -> None:
    fault = fault_of(("royal_raise_odds = 100", "royal_raise_odds = 120"))
    assert (fault.key, fault.value, fault.article) == ("table[T01].royal_raise_odds", "120", "61/2004 9(5)(9)")
    assert "50 to 100" in fault.reason
    assert str(fault) == f"table[T01].royal_raise_odds = 120: {fault.reason} (61/2004 9(5)(9))"


def test_an_unknown_key_is_a_fault_and_the_near_one_is_named() -> None:
    fault = fault_of(('timezone = "Asia/Macau"', 'timezone = "Asia/Macau"\nholiday = []'))
    assert (fault.key, fault.reason) == ("site.holiday", "unknown key; did you mean holidays?")


def test_a_block_that_this_version_does_not_know_is_a_fault() -> None:
    assert fault_of(("[ledger]", '[recorder]\ndir = "/tmp"\n[ledger]')).reason == "unknown key"


def test_two_faults_in_one_list_leave_the_rest_of_the_block_readable() -> None:
    found = faults_of(edited(("holidays = [2026-12-08, 2026-12-20,", 'holidays = ["a", "b",')))
    assert [fault.key for fault in found] == ["site.holidays[#1]", "site.holidays[#2]"]


def test_a_block_that_is_no_table_is_one_fault() -> None:
    assert {fault.key for fault in faults_of("pool = 5\ntable = [1]\nsite = 3\nledger = 4\nmqtt = []")} == {
        "pool",
        "table[#1]",
        "site",
        "ledger",
        "mqtt",
    }


def test_an_empty_file_is_told_everything_that_it_needs() -> None:
    keys = {fault.key for fault in faults_of("")}
    assert keys == {"site.id", "site.currency", "site.timezone", "ledger.url", "mqtt.url", "pool", "table"}


def test_a_text_that_is_not_toml_says_where() -> None:
    (fault,) = faults_of('[site]\nid = "a\n')
    assert "line 2" in fault.reason


def test_bytes_that_are_not_text_are_a_fault() -> None:
    (fault,) = faults_of(b"\xff\xfe")
    assert fault.key == "(file)"


def test_a_deeply_nested_file_is_a_fault_and_no_crash() -> None:
    (fault,) = faults_of("a = " + "[" * 20_000)
    assert fault.key == "(file)"


def test_a_deeply_dotted_key_is_a_fault_and_no_crash() -> None:
    keys = {fault.key for fault in faults_of(".".join(["a"] * 500) + " = 1")}
    assert "a" in keys


def test_a_huge_number_is_a_fault_and_no_crash() -> None:
    fault = fault_of(("seats = 9", "seats = 0x" + "f" * 5000))
    assert (fault.key, fault.value) == ("table[B01].seats", "(a number of many digits)")


def test_a_file_that_is_too_big_is_refused_unread() -> None:
    (fault,) = faults_of(b"#" * (8 * 1024 * 1024 + 1))
    assert "over" in fault.reason


def test_a_file_that_is_not_there_is_a_fault_of_its_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path / "none.toml")
    (fault,) = caught.value.faults
    assert fault.key == str(tmp_path / "none.toml")
    assert "No such file" in fault.reason


def test_a_strange_key_is_quoted_in_the_fault_so_that_it_makes_no_line_of_its_own() -> None:
    fault = fault_of(("[ledger]", '"a\\nb" = 1\n[ledger]'))
    assert fault.key == 'site."a\\nb"'
    assert "\n" not in str(fault)


def test_a_password_in_an_address_shows_in_no_fault() -> None:
    fault = fault_of(('url = "mqtt://127.0.0.1:1883"', 'url = "mqtt://jackpotd:hunter2@127.0.0.1"'))
    assert "keys of their own" in fault.reason
    assert "hunter2" not in str(fault)


def test_a_key_shows_in_no_fault() -> None:
    fault = fault_of(('key_file = "credential:bus-t01"', 'key = "c0ffee"'))
    assert fault.key == "table[T01].device[panel].key"
    assert "c0ffee" not in str(fault)


@given(
    st.text(max_size=200)
    | st.sampled_from(["[site]\nid=", "[[pool]]\nprizes."]).flatmap(lambda a: st.text().map(a.__add__))
)
def test_no_text_makes_anything_but_faults(text: str) -> None:
    assert faults_of(text.encode("utf-8", "surrogatepass"))


_VALUES = st.recursive(
    st.sampled_from(['"x"', "1", "1.5", "true", "2026-01-01", "[]", "{}", '"not paid"', '"70%"', '"1.00"']),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    max_leaves=5,
)


@given(st.integers(min_value=0), _VALUES)
def test_any_value_in_any_place_is_read_or_told_and_nothing_else(place: int, value: str) -> None:
    lines = edited().splitlines()
    keyed = [number for number, line in enumerate(lines) if " = " in line and not line.startswith("#")]
    number = keyed[place % len(keyed)]
    lines[number] = f"{lines[number].split(' = ')[0]} = {value}"
    with contextlib.suppress(ConfigError):
        assert parse("\n".join(lines).encode(), Path("test.toml")).pools
