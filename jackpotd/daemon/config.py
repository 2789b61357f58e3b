"""The configuration of a controller: a TOML file, checked whole before anything starts.

Laws
1. All faults are told at once, each with key, value, reason, and the article where there is one.
2. What has no fault is complete: nothing is looked up, guessed or filled in later.
3. Reading it touches nothing but the file: no secret, no device, no network, so that anybody may check it anywhere.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from jackpotd.daemon.approvals import options_in_use, uncovered
from jackpotd.daemon.config_build import build
from jackpotd.daemon.config_devices import check_devices
from jackpotd.daemon.config_draft import MAX_FILE_BYTES, read_draft
from jackpotd.daemon.config_faults import ConfigError, Fault, FaultList
from jackpotd.daemon.config_pools import check_pools
from jackpotd.daemon.config_settings import Config
from jackpotd.daemon.config_site import check_site
from jackpotd.daemon.config_tables import check_tables

__all__ = ["Config", "ConfigError", "Fault", "load", "parse"]


def load(path: Path) -> Config:
    """The checked configuration of a file; ConfigError with every fault."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ConfigError([Fault(str(path), "(file)", f"cannot be read: {error.strerror}")]) from error
    return parse(content, path)


def parse(content: bytes, path: Path) -> Config:
    """The checked configuration of a file's bytes; `path` is only remembered. ConfigError with every fault."""
    model, faults = read_draft(content)
    check_site(model, faults)
    check_pools(model.pool, faults)
    check_tables(model.table, model.pool, faults)
    check_devices(model.table, faults)
    faults.raise_if_any()
    config = build(model, path, hashlib.sha256(content).hexdigest())
    if config.site.require_approvals:
        _check_approvals(config, faults)
        faults.raise_if_any()
    return config


def _check_approvals(config: Config, faults: FaultList) -> None:
    options = options_in_use(config.pools, config.tables)
    for one in uncovered(options, config.approvals, config.site.holidays):
        faults.add(one.option.key, one.reason, one.option.article)
