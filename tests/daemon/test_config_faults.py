"""Every fault of a configuration by itself: one edit of the example, one fault, its key, reason and article."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from jackpotd.daemon.config_readings import READINGS, Reading
from tests.support.configs import EXAMPLE, OPTION_A, OPTION_C, config, edited, fault_of, faults_of

PANEL = """name = "panel"
driver = "table-bus"
port = "/dev/serial/by-id/usb-FTDI_FT232R_T01BUS-if00-port0"
"""
SHOE = """port = "/dev/serial/by-id/usb-FTDI_FT232R_T01SHOE-if00-port0"
baud = 9600
"""
BROKER = 'url = "mqtt://127.0.0.1:1883"'
LOGIN = 'username = "jackpotd"\npassword_file = "credential:mqtt-password"'

SITE = [
    ('id = "lisboa"', 'id = "lis/boa"', "site.id", "letters, digits"),
    ('id = "lisboa"', "", "site.id", "every site has an id"),
    ('currency = "MOP"', 'currency = "mop"', "site.currency", "ISO 4217"),
    ('currency = "MOP"', "", "site.currency", "like MOP"),
    ('"Asia/Macau"', '"Asia/Macao City"', "site.timezone", "time zone of this system"),
    ('"Asia/Macau"', '"../../etc/passwd"', "site.timezone", "time zone of this system"),
    ('"06:00"', '"6:00"', "site.gaming_day_starts", "like 06:00"),
    ("2026-12-08", '"2026-12-08"', "site.holidays[#1]", "valid date"),
    ('"zh-Hant"', '"chinese!"', "site.languages[#1]", "like zh-Hant"),
    ('url = "sqlite:', 'url = "oracle:', "ledger.url", "sqlite:////"),
    ("sqlite:////var", "sqlite:///var", "ledger.url", "absolute path"),
    ("sqlite:////var/lib/jackpotd/ledger.db", "postgresql://db/x", "ledger.url", "in SQLite"),
    ('"127.0.0.1:9464"', '"9464"', "metrics.listen", "like 127.0.0.1:9464"),
    ('"127.0.0.1:9464"', '"127.0.0.1:94640"', "metrics.listen", "like 127.0.0.1:9464"),
    ('listen = "127.0.0.1:9464"', "", "metrics.listen", "address of the metrics page"),
    ('"/run/jackpotd/control.sock"', '"control.sock"', "control.socket", "absolute path"),
    ('"/run/jackpotd/control.sock"', f'"/{"x" * 120}"', "control.socket", "at most 107 bytes"),
    ('socket = "/run/jackpotd/control.sock"', "", "control.socket", "name the path"),
    (BROKER, "", "mqtt.url", "name the broker"),
    (BROKER, 'url = "http://127.0.0.1"', "mqtt.url", "like mqtt://"),
    (BROKER, 'url = "mqtt://127.0.0.1:0"', "mqtt.url", "like mqtt://"),
    (BROKER, 'url = "mqtt://127.0.0.1:1883/site"', "mqtt.url", "like mqtt://"),
    (BROKER, 'url = "mqtt://127.0.0.1:1883"\nprotocol = "4"', "mqtt.protocol", "'3.1.1' or '5'"),
    (BROKER, 'url = "mqtt://127.0.0.1:1883"\nca_file = "/ca.pem"', "mqtt.ca_file", "only mqtts://"),
    (BROKER, 'url = "mqtt://broker.example"', "mqtt.url", "by mqtts://"),
    (LOGIN, 'password_file = "/x"', "mqtt.username", "never sent"),
    ('username = "jackpotd"', 'username = "jack\\u0000potd"', "mqtt.username", "control characters"),
    ('"credential:mqtt-password"', '"mqtt-password"', "mqtt.password_file", "absolute path, or credential:NAME"),
    ('"credential:mqtt-password"', '"credential:../x"', "mqtt.password_file", "absolute path, or credential:NAME"),
    ("2/2009 17(12)", "2/2009 art. 17", "approval[#1].covers[#3]", "like 2/2009 13(1)(4)"),
    ('"DICJ 0001/2026"', '"DICJ\\u001b[2J"', "approval[#1].reference", "control characters"),
    ('reference = "DICJ 0001/2026"', "", "approval[#1].reference", "regulator's reference"),
    ("applied = 2026-01-05", "", "approval[#1].applied", "date of the application"),
    ("from = 2026-01-12", "", "approval[#1].from", "in force"),
    ("from = 2026-01-12", "from = 2026-01-04", "approval[#1].from", "before the application"),
]

BREAKER = 'breaker = { one_in = 10000000, window = "24h" }'
POOLS = [
    ('rules = "stud"', "", "pool[stud-main].rules", "stud, baccarat-a"),
    ('rules = "stud"', 'rules = "draw"', "pool[stud-main].rules", "'baccarat-c'"),
    ('seed = "500000.00"', "", "pool[stud-main].seed", "restarts from"),
    ('seed = "500000.00"', 'seed = "0"', "pool[stud-main].seed", "more than nothing"),
    ('seed = "500000.00"', 'seed = "-1.00"', "pool[stud-main].seed", "not negative"),
    ('seed = "500000.00"', "seed = 500000", "pool[stud-main].seed", "in quotes"),
    ('seed = "500000.00"', "seed = 500000.00", "pool[stud-main].seed", "in quotes"),
    ('seed = "500000.00"', 'seed = "500,000.00"', "pool[stud-main].seed", "is not an amount"),
    ('seed = "500000.00"', 'seed = "6000000.00"', "pool[stud-main].limit", "above its own limit"),
    ('bet = "10.00"', "", "pool[stud-main].bet", "one progressive bet"),
    ('bet = "10.00"', 'bet = "10.005"', "pool[stud-main].bet", "whole minor units"),
    ('contribution = "70%"', "", "pool[stud-main].contribution", "percentage of each bet"),
    ('contribution = "70%"', "contribution = 0.7", "pool[stud-main].contribution", "in quotes"),
    ('contribution = "70%"', 'contribution = "70"', "pool[stud-main].contribution", "not a percentage"),
    ('contribution = "70%"', 'contribution = "96%"', "pool[stud-main].contribution", "more than the whole bet"),
    ('payout_unit = "0.01"', 'payout_unit = "0.001"', "pool[stud-main].payout_unit", "whole minor units"),
    ('payout_unit = "0.01"', 'payout_unit = "0"', "pool[stud-main].payout_unit", "more than nothing"),
    (
        'flush = { fixed = "500.00" }',
        'flush = { fixed = "500.005" }',
        "pool[stud-main].prizes.flush.fixed",
        "minor units",
    ),
    ('show_hit_for = "10m"', 'show_hit_for = "10 minutes"', "pool[stud-main].show_hit_for", "like 10m"),
    ('show_hit_for = "10m"', 'show_hit_for = "25h"', "pool[stud-main].show_hit_for", "longer than a day"),
    ('window = "24h"', 'window = "48h"', "pool[stud-main].breaker.window", "longer than a day"),
    ("one_in = 10000000", "one_in = 10", "pool[stud-main].breaker.one_in", "1000"),
    ("one_in = 10000000", "one_on = 10000000", "pool[stud-main].breaker.one_on", "did you mean one_in?"),
    (BREAKER, 'breaker = "on"', "pool[stud-main].breaker", "'off'"),
    (BREAKER, "breaker = false", "pool[stud-main].breaker", "table of keys"),
    ('two_person_above = "50000.00"', 'two_person_above = "10.00"', "pool[stud-main].two_person_above", "two persons"),
    (
        'bare_two_person_above = "5000.00"',
        'bare_two_person_above = "4999.99"',
        "pool[stud-main].bare_two_person_above",
        "two persons",
    ),
    (
        'several_royals = "split_greater"',
        'several_royals = "split"',
        "pool[stud-main].several_royals",
        "'greater_each'",
    ),
    ('id = "bac-b"', 'id = "bac b"', "pool[#2].id", "letters, digits"),
]

TABLES = [
    ("seats = 7", "", "table[T01].seats", "1 to 7"),
    ("seats = 7", "seats = 8", "table[T01].seats", "1 to 7"),
    ("seats = 9", "seats = 16", "table[B01].seats", "1 to 15"),
    ("seats = 9", "seats = true", "table[B01].seats", "valid integer"),
    ("royal_raise_odds = 100", "", "table[T01].royal_raise_odds", "50 to 100"),
    ("royal_raise_odds = 100", "royal_raise_odds = 49", "table[T01].royal_raise_odds", "50 to 100"),
    ('max_payout = "200000.00"', 'max_payout = "0"', "table[T01].max_payout", "more than nothing"),
    ("royal_raise_odds = 100", "royal_raise_odds = 100\ndecks = 1", "table[T01].decks", "stud has no such"),
    ("decks = 8", "", "table[B01].decks", "1 to 8"),
    ("decks = 8", "decks = 9", "table[B01].decks", "1 to 8"),
    ("decks = 8", "decks = 8\nroyal_raise_odds = 60", "table[B01].royal_raise_odds", "baccarat has no such"),
    ('commission = "five_percent"', "", "table[B01].commission", "six_pays_half"),
    ('pools = ["stud-main"]', "", "table[T01].pools", "name the pools"),
    ('pools = ["stud-main"]', 'pools = ["stud-man"]', "table[T01].pools", "no pool stud-man"),
    ('pools = ["stud-main"]', 'pools = ["stud-main", "stud-main"]', "table[T01].pools", "named twice"),
    ('deal = ["shoe"]', "", "table[T01].deal", "shoe, shuffler or claims"),
    ('deal = ["shoe"]', "deal = []", "table[T01].deal", "at least 1"),
    ('deal = ["shoe"]', 'deal = ["shuffler"]', "table[T01].deal", "no device named shuffler"),
    ('deal = ["shoe"]', 'deal = ["shoe", "shoe"]', "table[T01].deal", "named twice"),
    ('deal = ["shoe"]', 'deal = ["claims", "shoe"]', "table[T01].deal", "name it last"),
    ('id = "T02"', 'id = "T01"', "table[T01].id", "another table"),
]

DEVICES = [
    ('driver = "bee-tek" ', 'driver = "beetek" ', "table[T01].device[shoe].driver", "installed: angel-eye, bee-tek"),
    ('driver = "bee-tek" ', " ", "table[T01].device[shoe].driver", "name the driver"),
    (SHOE, "", "table[T01].device[shoe].port", "name the device's path"),
    (SHOE, 'port = "ttyS0"\n', "table[T01].device[shoe].port", "device's path"),
    (SHOE, 'port = "socket://host"\n', "table[T01].device[shoe].port", "socket://host:port"),
    (SHOE, 'port = "socket://host:70000"\n', "table[T01].device[shoe].port", "like 127.0.0.1"),
    (SHOE, f"{SHOE}address = 1\n", "table[T01].device[shoe].address", "only table-bus"),
    ("baud = 9600", "baud = 1", "table[T01].device[shoe].baud", "300"),
    ("baud = 9600", 'parity = "mark"', "table[T01].device[shoe].parity", "'none', 'even' or 'odd'"),
    (f"{PANEL}address = 1", PANEL, "table[T01].device[panel].address", "1 to 126"),
    (f"{PANEL}address = 1", f"{PANEL}address = 127", "table[T01].device[panel].address", "126"),
    (f"{PANEL}address = 1", f"{PANEL}address = 2", "table[T01].device[keypad].address", "same port"),
    (f"{PANEL}address = 1", f"{PANEL}baud = 9600\naddress = 1", "table[T01].device[keypad].port", "differ"),
    (
        f"{PANEL}address = 1",
        f'{PANEL}serial = "seventeen letters"\naddress = 1',
        "table[T01].device[panel].serial",
        "16",
    ),
    ('key_file = "credential:bus-t01"', 'key = "00"', "table[T01].device[panel].key", "32 hexadecimal"),
    (
        'key_file = "credential:bus-t01"',
        f'key_file = "/k"\nkey = "{"0" * 32}"',
        "table[T01].device[panel].key_file",
        "named twice",
    ),
]


SINGLE = SITE + POOLS + TABLES + DEVICES


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"), SINGLE, ids=[f"{number}-{key}" for number, (_, _, key, _) in enumerate(SINGLE)]
)
def test_one_fault_is_told_with_its_key_and_reason(old: str, new: str, key: str, reason: str) -> None:
    fault = fault_of((old, new))
    assert fault.key == key
    assert reason in fault.reason


ARTICLES = [
    ((("seats = 7", "seats = 8"),), "61/2004 2"),
    ((("royal_raise_odds = 100", "royal_raise_odds = 101"),), "61/2004 9(5)(9)"),
    ((('commission = "five_percent"', ""),), "2/2009 18"),
    ((('royal_flush = { share = "100%"', 'royal_flush = { share = "90%"'),), "61/2004 10(2)(1)"),
    ((('royal_flush = { share = "100%", ', "royal_flush = { "),), "61/2004 10(2)(1)"),
    ((('straight_flush = { share = "10%"', 'straight_flush = { share = "20%"'),), "61/2004 10(2)(2)"),
    ((('straight_flush = { share = "10%", fixed = "50000.00" }', ""),), "61/2004 10(2)(2)"),
    ((('full_house = { fixed = "1000.00" }', "full_house = {}"),), "61/2004 10(2)(4)"),
    ((('full_house = { fixed = "1000.00" }', 'full_house = { fixed = "0" }'),), "61/2004 10(2)(4)"),
    ((('full_house = { fixed = "1000.00" }', 'full_house = { share = "1%", fixed = "1.00" }'),), "61/2004 10(2)(4)"),
    ((('full_house = { fixed = "1000.00" }', 'full_house = "not paid"'),), "61/2004 10(2)(4)"),
    ((('six_of_a_kind = { share = "100%" }', 'six_of_a_kind = { share = "100%", fixed = "1.00" }'),), "2/2009 17(5)"),
    ((('double_three = { fixed = "4000.00" }', ""),), "2/2009 17(8)"),
    ((*OPTION_A, ('heavenly_straight = { share = "10%"', 'heavenly_straight = { share = "11%"')), "2/2009 17(6)"),
    ((*OPTION_A, ('single_pair = { fixed = "8.00" }', "")), "2/2009 17(7)"),
    ((*OPTION_C, ('share = "7.5%", ', "")), "2/2009 17(10)"),
    ((*OPTION_C, ('share = "7.5%"', 'share = "100%"')), "2/2009 17(10)"),
    ((*OPTION_C, ('share = "7.5%"', 'share = "0%"')), "2/2009 17(10)"),
    ((*OPTION_C, ('five_of_a_kind = { fixed = "8000.00" }', "")), "2/2009 17(11)"),
    ((*OPTION_C, ('double_three = { fixed = "4000.00" }', 'double_three = "not paid"')), "2/2009 17(11)"),
]


@pytest.mark.parametrize(
    ("edits", "article"), ARTICLES, ids=[f"{number}-{article}" for number, (_, article) in enumerate(ARTICLES)]
)
def test_a_fault_against_a_dispatch_names_the_article(edits: tuple[tuple[str, str], ...], article: str) -> None:
    assert fault_of(*edits).article == article


@pytest.mark.parametrize("reading", READINGS, ids=[f"{one.key}-{one.article}" for one in READINGS])
def test_a_missing_reading_names_its_article_and_both_readings(reading: Reading) -> None:
    rules = sorted(reading.rules)
    edits = OPTION_A if rules == ["baccarat-a"] else ()
    text = edited(*edits)
    pool = "stud-main" if rules == ["stud"] else "bac-b"
    start = text.index(f'id = "{pool}"')
    cut = text[:start] + re.sub(rf"\n{reading.key} = .*", "", text[start:], count=1)
    (fault,) = faults_of(cut)
    assert (fault.key, fault.value) == (f"pool[{pool}].{reading.key}", "(absent)")
    assert fault.article == reading.article
    assert len(reading.meanings) == 2
    for value, meaning in reading.meanings.items():
        assert f'"{value}": {meaning}' in fault.reason


def test_option_c_without_five_of_a_kind_is_told_both_readings() -> None:
    fault = fault_of(*OPTION_C, ('five_of_a_kind = { fixed = "8000.00" }', ""))
    assert '"not paid": the tier stays five of a kind' in fault.reason
    assert "{ fixed = ... }: five of a kind pays its fixed amount" in fault.reason


@pytest.mark.parametrize(
    ("pool", "reading"),
    [
        ("stud-main", 'void_round = "carry"'),
        ("stud-main", 'four_of_a_kind_suits = "any"'),
        ("bac-b", 'several_royals = "split_greater"'),
        ("bac-b", 'straight_flush_base = "round"'),
        ("bac-b", 'four_of_a_kind_suits = "any"'),
    ],
)
def test_a_reading_that_the_rules_do_not_need_is_refused(pool: str, reading: str) -> None:
    fault = fault_of((f'id = "{pool}"', f'id = "{pool}"\n{reading}'))
    assert fault.key == f"pool[{pool}].{reading.split(' = ', maxsplit=1)[0]}"
    assert "leave no such choice" in fault.reason


def test_a_fixed_prize_that_is_no_multiple_of_the_payout_unit_is_refused() -> None:
    fault = fault_of(('payout_unit = "0.01"', 'payout_unit = "1000.00"'))
    assert fault.key == "pool[stud-main].prizes.flush.fixed"
    assert "multiple of the pool's payout_unit" in fault.reason


def test_a_tier_that_the_rules_do_not_have_is_refused() -> None:
    fault = fault_of(("[pool.prizes]", '[pool.prizes]\nstraight = { fixed = "1.00" }'))
    assert fault.key == "pool[stud-main].prizes.straight"
    assert "royal_flush, straight_flush" in fault.reason


def test_a_table_plays_one_game() -> None:
    fault = fault_of(('pools = ["stud-main"]', 'pools = ["stud-main", "bac-b"]'))
    assert fault.key == "table[T01].pools"
    assert "one game" in fault.reason


def _pool_b() -> str:
    """The example's pool of option B as the file has it."""
    text = EXAMPLE.read_text(encoding="utf-8")
    return text[text.index('[[pool]]\nid = "bac-b"') : text.index('[[table]]\nid = "B01"')]


def test_two_pools_have_two_ids_and_the_tables_are_judged_by_the_first() -> None:
    (fault,) = faults_of(edited() + _pool_b().replace("bac-b", "stud-main"))
    assert fault.key == "pool[stud-main].id"
    assert "another pool" in fault.reason


def test_no_pool_is_named_as_the_house_into_which_pools_retire() -> None:
    (fault,) = faults_of(edited() + _pool_b().replace("bac-b", "house"))
    assert (fault.key, "means the house itself" in fault.reason) == ("pool[house].id", True)


def test_a_table_has_no_more_pools_than_a_panel_has_places() -> None:
    more = "".join(_pool_b().replace("bac-b", f"bac-{name}") for name in "xyz")
    (fault,) = faults_of(edited(('pools = ["bac-b"]', 'pools = ["bac-b", "bac-x", "bac-y", "bac-z"]')) + more)
    assert "places for 3" in fault.reason


def test_a_table_without_a_device_that_locks_needs_its_lock_called_advisory() -> None:
    shoe_only = EXAMPLE.read_text(encoding="utf-8")
    shoe_only = shoe_only[: shoe_only.index("[[table.device]]                         # bet panel and keypad")]
    (fault,) = faults_of(shoe_only)
    assert fault.key == "table[B01].advisory_lock"
    assert "advisory_lock = true" in fault.reason


def test_a_claims_table_needs_a_keyed_device_on_the_bus() -> None:
    text = edited(('deal = ["shoe"]', 'deal = ["claims"]')).replace('key_file = "credential:bus-t01"', "")
    (fault,) = faults_of(text)
    assert fault.key == "table[T01].deal"
    assert "has a key" in fault.reason


def test_baccarat_is_not_dealt_from_a_shuffler() -> None:
    found = faults_of(edited(("seats = 9\ndeal", "seats = 9\n# deal"), ("decks = 8", 'decks = 8\ndeal = ["shuffler"]')))
    assert {fault.key for fault in found} == {"table[B01].deal"}
    assert "dealt from a shoe" in found[-1].reason


def test_two_devices_of_a_table_have_two_names() -> None:
    fault = fault_of(('name = "keypad"', 'name = "panel"'))
    assert fault.key == "table[T01].device[panel].name"


def test_no_device_is_named_claims() -> None:
    assert "no card reading" in fault_of(('name = "keypad"', 'name = "claims"')).reason


def test_two_devices_are_not_pinned_to_one_board() -> None:
    text = EXAMPLE.read_text(encoding="utf-8").replace("address = 1", 'serial = "BP-0001"\naddress = 1')
    assert [fault.key for fault in faults_of(text)] == [
        "table[T02].device[panel].serial",
        "table[B01].device[panel].serial",
    ]


def test_only_table_bus_devices_share_a_port() -> None:
    found = faults_of(edited((SHOE, 'port = "/dev/serial/by-id/usb-FTDI_FT232R_T01BUS-if00-port0"\n')))
    assert [fault.key for fault in found] == ["table[T01].device[panel].port", "table[T01].device[keypad].port"]
    assert all("table[T01].device[shoe] has this port" in fault.reason for fault in found)


@pytest.fixture
def acme(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vendor's driver, installed as a plug-in of the name acme."""
    plugin = EntryPoint("acme", "hardware.angel_eye:AngelEye", "jackpotd.drivers")
    monkeypatch.setattr("hardware.drivers.entry_points", lambda **_: EntryPoints([plugin]))


@pytest.mark.usefixtures("acme")
def test_a_plug_ins_driver_has_its_own_grade() -> None:
    found = config(('driver = "bee-tek" ', 'driver = "acme" '))
    assert found.tables[0].devices[0].grade == "sequenced"


@pytest.mark.usefixtures("acme")
def test_a_plug_in_on_a_tty_names_the_lines_speed() -> None:
    fault = fault_of(('driver = "bee-tek" ', 'driver = "acme" '), ("baud = 9600", ""))
    assert fault.key == "table[T01].device[shoe].baud"


@pytest.mark.usefixtures("acme")
def test_a_plug_in_behind_a_serial_server_leaves_the_speed_to_it() -> None:
    found = config(('driver = "bee-tek" ', 'driver = "acme" '), (SHOE, 'port = "socket://[2001:db8::5]:4001"\n'))
    assert found.devices[0].baud is None


def _bus_devices(count: int, ports: int) -> str:
    return "".join(
        f'[[table.device]]\nname = "d{number}"\ndriver = "table-bus"\nport = "/dev/bus{number % ports}"\n'
        f"address = {number // ports + 1}\n"
        for number in range(count)
    )


def test_a_port_is_shared_by_at_most_eight_devices() -> None:
    (fault,) = faults_of(edited() + _bus_devices(9, ports=1))
    assert fault.key == "table[B01].device[d8].port"
    assert "at most 8" in fault.reason


def test_one_controller_polls_at_most_a_hundred_bus_devices() -> None:
    (fault,) = faults_of(edited() + _bus_devices(96, ports=20))
    assert fault.key == "table"
    assert "at most 100" in fault.reason


def test_off_this_machine_plain_and_anonymous_are_each_a_fault() -> None:
    found = faults_of(edited((BROKER, 'url = "mqtt://10.0.0.5"'), (LOGIN, "")))
    assert [fault.key for fault in found] == ["mqtt.url", "mqtt.username", "mqtt.password_file"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2", "[::1]"])
def test_on_this_machine_plain_and_anonymous_is_enough(host: str) -> None:
    assert config((BROKER, f'url = "mqtt://{host}"'), (LOGIN, "")).mqtt.broker.loopback


@pytest.mark.parametrize("url", ["mqtts://broker.example", "mqtts://10.0.0.5:8884"])
def test_off_this_machine_tls_with_user_and_password_is_enough(url: str) -> None:
    assert config((BROKER, f'url = "{url}"')).mqtt.broker.tls


def test_insecure_is_allowed_when_it_is_called_so() -> None:
    assert not config((BROKER, 'url = "mqtt://10.0.0.5"\ninsecure = true'), (LOGIN, "")).mqtt.broker.tls
