"""What the daemon meets outside itself: time, chance, lines, the broker, the control socket, where its ledger lies.

Law: the composition root takes all of it as one value and the shell reaches for nothing else, so that a simulation can
put a whole world in its place.
"""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Protocol

from hardware.links import open_link
from jackpotd.core.facts import ChainBroken, StorageSaid
from jackpotd.daemon.broker_client import broker_client
from jackpotd.daemon.chain_watch import watch_chain
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.clock_sync import is_synchronised
from jackpotd.daemon.config_settings import Config
from jackpotd.daemon.control import Answerer, ControlServer
from jackpotd.daemon.cpu_latency import Bound, open_bound
from jackpotd.daemon.metrics import Metrics
from jackpotd.daemon.odds_watch import ComputeLimits, compute_limits
from jackpotd.daemon.operators import FILE_NAME
from jackpotd.daemon.owner_thread import Owner, OwnerThread
from jackpotd.daemon.ports import OpenLink
from jackpotd.daemon.publisher import Connect
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.storage import Storage, watch_storage
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import Ledger, LedgerError

log = logging.getLogger(__name__)


class Listener(Protocol):
    """An open control socket."""

    async def run(self) -> None:
        """Serve for ever."""
        ...

    def close(self) -> None:
        """Stop listening."""
        ...


Listen = Callable[[Path, Answerer, Callable[[int], Awaitable[str]]], Listener]
WatchChain = Callable[[str, int, ShellAlarms, Metrics, Callable[[ChainBroken], None]], Awaitable[None]]

WatchStorage = Callable[[Path, int, bool, Callable[[StorageSaid], None]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Outside:
    """The daemon's world. `rng` is for jitter and holds no secret; `random_bytes` is for nonces."""

    clock: Clock
    is_synchronised: Callable[[], bool]
    rng: Random
    random_bytes: Callable[[int], bytes]
    open_link: OpenLink
    connect: Connect
    listen: Listen
    own_thread: Callable[[str], Owner]
    open_bound: Callable[[], Bound]
    open_ledger: Callable[[Config], Ledger]
    watch_chain: WatchChain
    watch_storage: WatchStorage
    compute_limits: ComputeLimits


def real_outside(*, existing_ledger: bool = False) -> Outside:
    """The machine as it is; `existing_ledger`: a ledger that is not there is not made."""
    return Outside(
        clock=Clock(),
        is_synchronised=is_synchronised,
        rng=Random(),  # noqa: S311  # jitter, no secret
        random_bytes=os.urandom,
        open_link=open_link,
        connect=broker_client,
        listen=ControlServer,
        own_thread=OwnerThread,
        open_bound=open_bound,
        open_ledger=partial(open_for_writing, existing=existing_ledger),
        watch_chain=watch_chain,
        watch_storage=watch_storage,
        compute_limits=compute_limits,
    )


def ledger_url(config: Config) -> str:
    """The address of a configuration's ledger."""
    return f"sqlite:///{config.ledger_path}"


def open_for_writing(config: Config, *, existing: bool) -> Ledger:
    """The ledger of a configuration; where there is none yet a new one, unless it has to be `existing`.

    LedgerError "missing": it has to be there. With its disk not mounted, a new one would show all at the seeds.
    """
    path = config.ledger_path
    if path.exists():
        Storage(path, config.min_free_bytes, was_low=False).make_room()
        return open_ledger(ledger_url(config), config.site.site)
    if existing and not operators_path(config).exists():
        how = "mount its disk, or make the first one with `jackpotd ledger create`"
        raise LedgerError("missing", f"there is no ledger at {path}: {how}")
    ledger = create_ledger(config)
    log.warning("there was no ledger: a new one, every pool begins at its seed", extra={"ledger": str(path)})
    return ledger


def create_ledger(config: Config) -> Ledger:
    """The first ledger of a configuration, with a new id. LedgerError: there is one, or there was one."""
    ledger, operators = config.ledger_path, operators_path(config)
    if ledger.exists():
        raise LedgerError("exists", f"there is a ledger at {ledger} already")
    if operators.exists():
        raise LedgerError(
            "missing", f"the ledger {ledger} is gone: put it back, or move {operators} away to begin with a new one"
        )
    return open_ledger(ledger_url(config), config.site.site, create=str(uuid.uuid4()))


def operators_path(config: Config) -> Path:
    """The operators' file, beside the ledger and made after it."""
    return config.ledger_path.with_name(FILE_NAME)
