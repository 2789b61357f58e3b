"""A house with one stud table whose devices are not there, and no broker: enough for a daemon to start or to refuse."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.support.daemon_process import DaemonProcess
from tests.support.floor_config import Block, block_text, pool_block
from tests.support.service_manager import ServiceManagerSim

POOL = "stud-main"


class QuietHouse:
    """One ledger and one configuration in a folder; daemons come and go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = folder / "ledger.db"
        self.control = folder / "control.sock"
        self.log = folder / "daemon.log"
        self.options: tuple[str, ...] = ()

    def write_config(self, **blocks: Block) -> Path:
        """The configuration; `blocks` are added to those of the site, or take their place."""
        named: dict[str, Block] = {
            "site": {"id": "lisboa", "currency": "MOP", "timezone": "Asia/Macau"},
            "ledger": {"url": f"sqlite:///{self.ledger}", "min_free": "1MiB"},
            "mqtt": {"url": "mqtt://127.0.0.1:1"},
            "control": {"socket": str(self.control)},
            **blocks,
        }
        table: Block = {"id": "T01", "pools": [POOL], "seats": 7, "deal": ["shoe"], "royal_raise_odds": 100}
        bus: Block = {"driver": "table-bus", "port": str(self.folder / "bus")}
        text = [block_text(f"[{name}]", block) for name, block in named.items()]
        text.append(block_text("[[pool]]", pool_block(POOL)))
        text.append(block_text("[[table]]", table))
        devices: tuple[Block, ...] = (
            {"name": "shoe", "driver": "bee-tek", "port": str(self.folder / "shoe")},
            {"name": "panel", "address": 1, **bus},
            {"name": "keypad", "address": 2, **bus},
        )
        text += [block_text("[[table.device]]", device) for device in devices]
        path = self.folder / "jackpotd.toml"
        path.write_text("\n".join(text), encoding="utf-8")
        return path

    def start(self, manager: ServiceManagerSim, watchdog_ms: int | None = None, **blocks: Block) -> DaemonProcess:
        """A daemon that has said that it is ready."""
        daemon = DaemonProcess(
            self.write_config(**blocks), self.log, environ=manager.environ(watchdog_ms), options=self.options
        )
        try:
            manager.wait("READY=1")
        except AssertionError as error:
            daemon.kill()
            raise AssertionError(f"{error}\n{self.said()}") from error
        return daemon

    def refused(self, *prefix: str, environ: Mapping[str, str] | None = None, **blocks: Block) -> tuple[int, list[str]]:
        """The exit code and the last words, without log lines, of a daemon that does not start."""
        self.log.unlink(missing_ok=True)
        daemon = DaemonProcess(self.write_config(**blocks), self.log, prefix, environ, self.options)
        code = daemon.ended()
        return code, [line for line in self.said().splitlines() if not line.startswith("<")]

    def said(self) -> str:
        """All that the daemons have logged."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""
