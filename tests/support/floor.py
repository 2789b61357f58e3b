"""A test floor: real broker, real daemon process, simulated tables on real pseudo-terminals, and a client who watches.

Laws
1. Devices, chips and the ledger outlive the daemon: `kill` and `start` are a power cut of the controller alone.
2. At the end the daemon has stopped in order, its log holds no traceback, and its ledger verifies and balances.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from jackpotd.ledger.verify import verify_url
from tests.support import raw_ledger
from tests.support.broker import Mosquitto, free_port
from tests.support.daemon_process import DaemonProcess
from tests.support.floor_config import Block, block_text, pool_block
from tests.support.mqtt_client import MqttClient
from tests.support.people import Person
from tests.support.reckoning import Reckoning
from tests.support.seen import Seen
from tests.support.sim_tables import AngelEyeTable, BeeTekTable, ClaimsTable, ShufflerTable, SimTable
from tests.support.sim_thread import SimThread
from tests.support.sources import ROOT
from tests.support.until import LIMIT_S

SITE = "lisboa"
T = TypeVar("T", bound=SimTable)
_LOG_CHARACTERS = 8_000
_SAMPLE = re.compile(r"^(\w+(?:\{.*\})?) (\d+)(?:\.0)?$", re.MULTILINE)


class Floor:
    """Pools and tables are named first, then `start`."""

    def __init__(self, folder: Path, broker: Mosquitto) -> None:
        self.folder = folder
        self.broker = broker
        self.ledger = folder / "ledger.db"
        self.min_free = "1MiB"
        self.config = folder / "jackpotd.toml"
        self.control = folder / "control.sock"
        self.log = folder / "daemon.log"
        self.daemon: DaemonProcess | None = None
        self.metrics_port = 0
        self._pools: dict[str, Block] = {}
        self._tables: list[SimTable] = []
        self._entered = ExitStack()

    def __enter__(self) -> Self:
        self.thread = self._entered.enter_context(SimThread())
        client = self._entered.enter_context(MqttClient(self.broker.host, self.broker.port))
        client.subscribe("jackpotd/#")
        self.seen = Seen(client, SITE)
        self.seen.explain = self.said
        self.seen.is_well = lambda: self.daemon is None or self.daemon.running
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self.daemon is not None:
                self.daemon.thaw()
                self.stop()
        finally:
            self._entered.close()
        if kind is None:
            assert "Traceback" not in self.said(), self.said()
            self.check_ledger()

    # ---- what stands on it

    def pool(self, pool: str, **changes: object) -> Reckoning:
        """A pool of the examples, with changes, and a pencil that keeps it."""
        self._pools[pool] = pool_block(pool, **changes)
        return Reckoning(self._pools[pool])

    def level(self, level: str, bet: str, part: str, **changes: object) -> Reckoning:
        """A level that gets this part of such a bet, and a pencil that keeps it."""
        self._pools[level] = pool_block(level, **changes)
        return Reckoning(self._pools[level] | {"bet": bet, "contribution": part})

    def stud(self, name: str = "T01", pools: Sequence[str] = ("stud-main",), **options: Any) -> BeeTekTable:
        """A stud table with a Bee-Tek shoe."""
        return self._stands(BeeTekTable(self.thread, self.folder, name, pools, **options))

    def shuffled(self, name: str = "T02", **options: Any) -> ShufflerTable:
        """A stud table with a shuffler that reads cards."""
        return self._stands(ShufflerTable(self.thread, self.folder, name, ("stud-main",), **options))

    def claims(self, name: str = "T03") -> ClaimsTable:
        """A stud table without card reading."""
        return self._stands(ClaimsTable(self.thread, self.folder, name, ("stud-main",)))

    def baccarat(self, *pools: str, name: str = "B01", **options: Any) -> AngelEyeTable:
        """A baccarat table with an Angel Eye shoe."""
        return self._stands(AngelEyeTable(self.thread, self.folder, name, pools, **options))

    def _stands(self, table: T) -> T:
        self._tables.append(table)
        return table

    def take_away(self, pool: str, table: SimTable) -> None:
        """The configuration names neither any more."""
        del self._pools[pool]
        self._tables.remove(table)

    def write_config(self, **blocks: Block) -> Path:
        """The configuration of what stands here; `blocks` are added to those of the site."""
        listen = self.metrics_port or free_port()
        self.metrics_port = listen
        named: dict[str, Block] = {
            "site": {"id": SITE, "currency": "MOP", "timezone": "Asia/Macau", "require_synchronised_clock": False},
            "ledger": {"url": f"sqlite:///{self.ledger}", "min_free": self.min_free},
            "mqtt": {"url": self.broker.url},
            "control": {"socket": str(self.control)},
            "metrics": {"listen": f"127.0.0.1:{listen}"},
            **blocks,
        }
        text = [block_text(f"[{name}]", block) for name, block in named.items()]
        text += [block_text("[[pool]]", block) for block in self._pools.values()]
        text += [block_text(header, block) for table in self._tables for header, block in table.blocks()]
        self.config.write_text("\n".join(text), encoding="utf-8")
        return self.config

    # ---- the daemon

    def start(self, *prefix: str, **blocks: Block) -> None:
        """Run the daemon, and wait until it is online with a new epoch."""
        self.launch(*prefix, **blocks)
        self.seen.online()

    def launch(self, *prefix: str, **blocks: Block) -> None:
        """Run the daemon, and wait for nothing."""
        self.daemon = DaemonProcess(self.write_config(**blocks), self.log, prefix)

    def kill(self) -> None:
        """Cut the controller's power."""
        daemon, self.daemon = self.daemon, None
        assert daemon is not None
        daemon.kill()

    def stop(self) -> None:
        """Stop the service in order."""
        daemon, self.daemon = self.daemon, None
        assert daemon is not None
        assert daemon.stop() == 0, self.said()

    def said(self) -> str:
        """The end of the daemon's log."""
        return self.log.read_text(errors="replace")[-_LOG_CHARACTERS:] if self.log.exists() else ""

    # ---- on the tables

    def bet(self, table: SimTable, *seats: int, main: str = "", also: Sequence[str] = ("progressive",)) -> None:
        """These seats bet, and the table's topic shows it, as a dealer sees on the screen before the cards."""
        # After a restart the panel still shows what the controller before said: the table's topic knows better.
        progressive = {"progressive": "open"} if "progressive" in also else {}

        def free(bets: dict[str, list[str]]) -> bool:
            return not {str(seat) for seat in seats} & bets.keys()

        self.seen.table(table.name, phase="open", seats=free, **progressive)
        table.bet(*seats, main=main, also=also)
        wanted = {str(seat): [main or table.main_bet, *also] for seat in seats}

        def shown(bets: dict[str, list[str]]) -> bool:
            return all(bets.get(seat) == placed for seat, placed in wanted.items())

        self.seen.table(table.name, seats=shown)

    # ---- people

    def person(self, name: str, role: str) -> Person:
        """A new operator."""
        return Person(self.control, name, role)

    def metrics(self) -> dict[str, int]:
        """The metrics page: name with labels -> value, of those that are whole numbers."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=LIMIT_S) as page:
            return {name: int(value) for name, value in _SAMPLE.findall(page.read().decode())}

    def hit_list(self) -> list[dict[str, Any]]:
        """`jackpotd hit list --json`, as a person at the terminal gets it."""
        hits: list[dict[str, Any]] = self.command("hit", "list")
        return hits

    def command(self, *words: str) -> Any:
        """What a command of ours answers with --json; it must succeed."""
        command = [sys.executable, "-m", "jackpotd.cli", *words, "--json", "--config", str(self.config)]
        return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)

    # ---- the ledger

    def check_ledger(self) -> None:
        """The ledger verifies, every entry and all together balance, and nothing is counted twice."""
        verdict = verify_url(f"sqlite:///{self.ledger}", balances=True)
        assert verdict.ok, verdict.findings
        accounts = raw_ledger.balances(self.ledger)
        assert sum(accounts.values()) == 0
        assert accounts == verdict.balances
        assert raw_ledger.repeated_facts(self.ledger) == []
