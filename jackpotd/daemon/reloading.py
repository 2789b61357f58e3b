"""`jackpotd reload`: the configuration file read anew while the tables play (design 5).

Laws
1. A file with faults changes nothing; all faults are answered.
2. Pools and tables come into force as the ledger takes them; a live pool's parameters and a busy table's wait.
3. What only a start can change is named, and stays as it was at the start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from jackpotd.core.errors import RuleError
from jackpotd.core.state import State
from jackpotd.daemon.check import faults_json
from jackpotd.daemon.config import load
from jackpotd.daemon.config_faults import ConfigError
from jackpotd.daemon.config_settings import Config
from jackpotd.daemon.identity import RefusedError

log = logging.getLogger(__name__)

# Keys that are read once, by what they are called in the file.
_AT_START: dict[str, Callable[[Config], object]] = {
    "site.timezone": lambda config: config.site.timezone.key,
    "site.node": lambda config: config.site.node,
    "site.require_synchronised_clock": lambda config: config.site.require_synchronised_clock,
    "site.keep_cores_awake": lambda config: config.site.keep_cores_awake,
    "ledger.min_free": lambda config: config.min_free_bytes,
    "ledger.seal_key_file": lambda config: config.seal_key_file,
    "mqtt": lambda config: config.mqtt,
    "metrics": lambda config: config.metrics,
    "control": lambda config: config.control_socket,
    "capture": lambda config: config.capture,
}
# The ledger is one site's money in one currency: with another of these it is another controller.
_NEVER: dict[str, Callable[[Config], object]] = {
    "site.id": lambda config: config.site.site,
    "site.currency": lambda config: config.site.currency,
    "ledger.url": lambda config: config.ledger_path,
}


async def reload_when(asked: asyncio.Event, reload: Callable[[], Awaitable[object]]) -> None:
    """Reload whenever it is set, for ever; what is wrong with the file is a line in the log, and nothing changes."""
    while True:
        await asked.wait()
        asked.clear()
        try:
            await reload()
        except (RefusedError, RuleError) as error:  # of the file, or of what the ledger makes of it
            log.warning("SIGHUP: the configuration is not taken", extra={"why": str(error)})


class Reloader:
    """Reads the file of the start again. `follow` brings a configuration into force, `state` is the ledger's."""

    def __init__(
        self, started: Config, follow: Callable[[Config], Awaitable[None]], state: Callable[[], State]
    ) -> None:
        self._started = started
        self._now = started
        self._follow = follow
        self._state = state

    async def reload(self) -> dict[str, Any]:
        """What has changed. RefusedError with every fault of the file."""
        try:
            config = await asyncio.to_thread(load, self._started.path)
            return await self._take(config)
        except ConfigError as error:
            raise RefusedError("configuration", str(error), faults_json(error)) from error

    async def _take(self, config: Config) -> dict[str, Any]:
        other = [key for key, value in _NEVER.items() if value(config) != value(self._started)]
        if other:
            raise RefusedError("refused", f"{', '.join(other)}: another one is another controller; nothing is changed")
        await self._follow(config)
        before, self._now = self._now, config
        log.info("configuration read anew", extra={"config": config.sha256})
        return self._changes(before, config)

    def _changes(self, before: Config, after: Config) -> dict[str, Any]:
        state = self._state()
        return {
            "file": str(after.path),
            "sha256": after.sha256,
            "pools": _difference({p.pool: p for p in before.pools}, {p.pool: p for p in after.pools}),
            "tables": _difference({t.table: t for t in before.tables}, {t.table: t for t in after.tables}),
            "devices": _difference({d.label: d for d in before.devices}, {d.label: d for d in after.devices}),
            "waiting": {
                "pools": [p.pool for p in after.pools if state.pools[p.pool].params != p],
                "tables": [t.table for t in after.tables if state.tables[t.table].params != t],
            },
            "restart": [key for key, value in _AT_START.items() if value(after) != value(self._started)],
        }


def _difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, list[str]]:
    return {
        "added": sorted(after.keys() - before.keys()),
        "changed": sorted(key for key in after.keys() & before.keys() if after[key] != before[key]),
        "removed": sorted(before.keys() - after.keys()),
    }
