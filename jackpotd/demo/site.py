"""The site of the demo: its folder, and the configuration that the real daemon reads from there.

Laws
1. Everything that the demo writes is in one folder; nothing else on the machine is touched.
2. The configuration is a file like any other: the same loader checks it, the same commands take it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from jackpotd.demo.broker import free_port

STUD_POOL, BACCARAT_POOL = "stud-main", "bac-b"
SHOE_TABLE, SHUFFLER_TABLE, BACCARAT_TABLE = "T01", "T02", "B01"
TABLES = (SHOE_TABLE, SHUFFLER_TABLE, BACCARAT_TABLE)
STUD_SEATS, BACCARAT_SEATS = 7, 9
SITE_ID = "demo"
_METRICS_PORT = 9464  # the shipped configuration's
_SIGN_PORT = 8090  # the sign's usual one
_KEY_BYTES = 16  # devices.md section 3


@dataclass(frozen=True, slots=True)
class Site:
    """Where things are. `key_hex` is the table bus's, new for every demo."""

    folder: Path
    broker_url: str
    metrics: str
    sign: str
    key_hex: str

    @classmethod
    def make(cls, folder: Path, broker_url: str) -> Site:
        """A site with a new key."""
        metrics = f"127.0.0.1:{free_port(_METRICS_PORT)}"
        sign = f"127.0.0.1:{free_port(_SIGN_PORT)}"
        return cls(folder, broker_url, metrics, sign, secrets.token_hex(_KEY_BYTES))

    @property
    def config(self) -> Path:
        """The configuration."""
        return self.folder / "jackpotd.toml"

    @property
    def ledger(self) -> Path:
        """The ledger."""
        return self.folder / "ledger.db"

    @property
    def rounds(self) -> Path:
        """What the simulated tables played, one round a line."""
        return self.folder / "rounds.jsonl"

    def port(self, name: str) -> Path:
        """A link to a pseudo-terminal, as a by-id path is one to a tty."""
        return self.folder / name

    def password(self, person: str) -> Path:
        """A person's password."""
        return self.folder / f"{person}.password"

    def write_config(self) -> None:
        """Write the configuration."""
        self.config.write_text(
            _CONFIG.format(site=self, stud_seats=STUD_SEATS, baccarat_seats=BACCARAT_SEATS), encoding="utf-8"
        )


# The shipped example with ten times its bets, so that the meters are seen to move between the many prizes.
_CONFIG = """\
# Written by `jackpotd demo`. Simulated tables; the packs are stacked.

[site]
id = "demo"
currency = "MOP"
timezone = "Asia/Macau"
require_synchronised_clock = false  # a demo plays anywhere

[ledger]
url = "sqlite:///{site.ledger}"
min_free = "16MiB"

[mqtt]
url = "{site.broker_url}"

[metrics]
listen = "{site.metrics}"

[control]
socket = "{site.folder}/ctl.sock"

[[approval]]
covers = ["61/2004 9(5)(9)", "2/2009 13(1)(4)", "2/2009 17(12)"]
reference = "none: a demo"
applied = 2026-01-05
from = 2026-01-12

[[pool]]
id = "stud-main"
rules = "stud"
seed = "500000.00"
bet = "100.00"
contribution = "70%"
reserve = "5%"
straight_flush_base = "round"
several_royals = "split_greater"
fixed_prizes_from = "pool"
remainder = "pool"
auto_pay_below = "5000.00"
two_person_above = "50000.00"
bare_two_person_above = "5000.00"
hold_tables_on_hit = "table"
show_hit_for = "1m"
breaker = "off"  # these packs are stacked: such luck would suspend the pool within the minute

[pool.prizes]
royal_flush = {{ share = "100%", fixed = "500000.00" }}
straight_flush = {{ share = "10%", fixed = "50000.00" }}
four_of_a_kind = {{ fixed = "5000.00" }}
full_house = {{ fixed = "1000.00" }}
flush = {{ fixed = "500.00" }}

[[pool]]
id = "bac-b"
rules = "baccarat-b"
seed = "100000.00"
bet = "100.00"
contribution = "70%"
fixed_prizes_from = "pool"
remainder = "pool"
void_round = "carry"
auto_pay_below = "5000.00"
two_person_above = "50000.00"
hold_tables_on_hit = "table"
show_hit_for = "1m"
breaker = "off"

[pool.prizes]
six_of_a_kind = {{ share = "100%" }}
five_of_a_kind = {{ fixed = "8000.00" }}
double_three = {{ fixed = "4000.00" }}
four_of_a_kind = {{ fixed = "1000.00" }}
three_of_a_kind = {{ fixed = "800.00" }}

[[table]]
id = "T01"
pools = ["stud-main"]
seats = {stud_seats}
deal = ["shoe"]
royal_raise_odds = 100

[[table.device]]
name = "shoe"
driver = "bee-tek"
port = "{site.folder}/T01-shoe"
baud = 9600

[[table.device]]
name = "panel"
driver = "table-bus"
port = "{site.folder}/T01-bus"
address = 1
key = "{site.key_hex}"

[[table.device]]
name = "keypad"
driver = "table-bus"
port = "{site.folder}/T01-bus"
address = 2
key = "{site.key_hex}"

[[table]]
id = "T02"
pools = ["stud-main"]
seats = {stud_seats}
deal = ["shuffler"]
royal_raise_odds = 100

[[table.device]]
name = "panel"
driver = "table-bus"
port = "{site.folder}/T02-bus"
address = 1
key = "{site.key_hex}"

[[table.device]]
name = "keypad"
driver = "table-bus"
port = "{site.folder}/T02-bus"
address = 2
key = "{site.key_hex}"

[[table.device]]
name = "shuffler"
driver = "table-bus"
port = "{site.folder}/T02-bus"
address = 3
key = "{site.key_hex}"

[[table]]
id = "B01"
pools = ["bac-b"]
seats = {baccarat_seats}
deal = ["shoe"]
decks = 8
commission = "five_percent"

[[table.device]]
name = "shoe"
driver = "angel-eye"
port = "{site.folder}/B01-shoe"
baud = 9600

[[table.device]]
name = "board"
driver = "table-bus"
port = "{site.folder}/B01-bus"
address = 1
key = "{site.key_hex}"
"""
