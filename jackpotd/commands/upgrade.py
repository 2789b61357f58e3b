"""`jackpotd upgrade check`: may the ledger be given to this version? Tried on a copy, while the daemon runs on."""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from jackpotd import __version__
from jackpotd.commands.asking import print_json
from jackpotd.commands.common import DONE, NO, USAGE, add_action, add_config, clear_progress, refuse, shown
from jackpotd.commands.tables import plain
from jackpotd.core.money import format_amount
from jackpotd.core.state import Pool
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.config import ConfigError, load
from jackpotd.daemon.config_settings import Config
from jackpotd.daemon.intake import bind
from jackpotd.daemon.metrics_page import Build
from jackpotd.daemon.package_hash import package_hash
from jackpotd.daemon.starting import first_words
from jackpotd.ledger.backup import copy_aside
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.rows import TODAY
from jackpotd.ledger.sqlite_file import log_of
from jackpotd.ledger.sqlite_tables import NEWEST_VERSION
from jackpotd.ledger.upgrade import Trial, pool_accounts, try_upgrade, way_back

_PREFIX = "jackpotd-upgrade-"
# A check that has just made its folder has it locked before this.
_STALE_S = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `upgrade`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = add_action(
        actions,
        "check",
        "replay a copy of the ledger with this version, and say whether it is safe to switch to it",
        "upgrade check",
        "upgrade check --in /mnt/spare --json",
    )
    add_config(check)
    check.add_argument("--in", dest="folder", type=Path, metavar="FOLDER", help="where the copy is made and removed")
    check.add_argument("--json", action="store_true", help="print JSON")


def call(args: argparse.Namespace) -> int:
    """Try it. 0: safe to switch; 1: not, with the reasons; 2: this version refuses the configuration."""
    try:
        config = load(Path(args.config))
    except ConfigError as error:
        return refuse(USAGE, str(error), as_json=args.json)
    try:
        trial = _tried(config, args.folder)
    except LedgerError as error:
        return refuse(NO, str(error), as_json=args.json)
    except OSError as error:
        return refuse(NO, f"no copy of the ledger can be made: {error.strerror}", as_json=args.json)
    finally:
        clear_progress()
    found = _as_json(trial, config)
    if args.json:
        print_json(found)
    else:
        print("\n".join(map(plain, _lines(found))))
    return DONE if found["ok"] else NO


def _tried(config: Config, folder: Path | None) -> Trial:
    """The trial of a copy that is gone afterwards. LedgerError, OSError: there can be no copy."""
    ledger = config.ledger_path
    with _scratch(folder) as place:
        if place.resolve().parent == ledger.resolve().parent:
            raise LedgerError("not_writable", "the copy would lie beside the ledger: name another folder with --in")
        _require_room(ledger, place)
        copy_aside(ledger, place / ledger.name, shown("pages copied"))
        build = Build(__version__, config.sha256, package_hash())
        start = [partial(bind, item=item) for item in first_words(config, build, Clock())]
        return try_upgrade(place / ledger.name, config.site.site, start, shown)


@contextmanager
def _scratch(folder: Path | None) -> Iterator[Path]:
    """A folder of this check alone; what killed ones have left beside it goes first."""
    for left in Path(folder or tempfile.gettempdir()).glob(_PREFIX + "*"):
        with suppress(OSError):  # it is in use, or another user's
            _remove_stale(left)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=folder) as scratch, _locked(Path(scratch)):
        yield Path(scratch)


def _remove_stale(left: Path) -> None:
    with _locked(left):
        found = left.stat()
        if found.st_uid == os.geteuid() and found.st_mtime < time.time() - _STALE_S:
            shutil.rmtree(left)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """A folder that nobody else has locked; OSError when somebody has."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _require_room(ledger: Path, place: Path) -> None:
    files = [path for path in (ledger, log_of(ledger)) if path.exists()]
    if not files:
        raise LedgerError("missing", f"there is no ledger at {ledger}")
    needed, free = sum(path.stat().st_size for path in files), shutil.disk_usage(place).free
    if free < needed:
        text = f"{place.parent} has {free:,} bytes free and the copy needs {needed:,}: name another folder with --in"
        raise LedgerError("full", text)


def _as_json(trial: Trial, config: Config) -> dict[str, Any]:
    return {
        "ok": not trial.reasons,
        "reasons": trial.reasons,
        "version": __version__,
        "written_by": trial.written_by,
        "ledger": str(config.ledger_path),
        "rows": trial.rows,
        "head": trial.head,
        "schema": {
            "newest": trial.schema,
            "since_row": trial.schema_row,
            "this_version": TODAY.newest,
            "ahead": TODAY.kinds_above(trial.schema),
            "a_start_writes": trial.starts_with,
        },
        "file_format": {"now": trial.file_before, "then": trial.file_after, "newest": NEWEST_VERSION},
        "rollback": way_back(trial),
        "snapshots": [asdict(one) for one in trial.compared],
        "pools": {name: _amounts(pool) for name, pool in trial.state.pools.items()},
    }


def _amounts(pool: Pool) -> dict[str, str]:
    """What a pool holds, in its currency."""
    exponent = pool.params.exponent
    held = {account: format_amount(atoms, exponent) for account, atoms in pool_accounts(pool).items()}
    return {"currency": pool.params.currency, **held}


def _lines(found: dict[str, Any]) -> list[str]:
    schema, file = found["schema"], found["file_format"]
    changes = "does not change" if file["now"] == file["then"] else f"becomes {file['then']}"
    later = f", {file['newest']} comes with the first archive" if file["then"] < file["newest"] else ""
    lines = [
        f"{found['ledger']}: {found['rows']:,} rows, head {found['head']}, last written by {found['written_by']}",
        f"replayed from row 1 by jackpotd {found['version']}, on a copy",
        f"newest schema in it {schema['newest']}; this version writes up to {schema['this_version']}",
        f"file format {file['now']} {changes}{later}",
    ]
    for one in found["snapshots"]:
        what = "state" if one["whole"] else "amounts in every pool, the state is of another shape"
        lines.append(f"beside the snapshot of row {one['row']}: {'the same' if one['same'] else 'OTHER'} {what}")
    lines += [f"  {pool['pool']:>20} {pool['currency']}  {name}" for name, pool in found["pools"].items()]
    lines.append(f"going back is possible {found['rollback']}")
    lines += [f"against it: {reason}" for reason in found["reasons"]]
    return [*lines, "safe to switch" if found["ok"] else "NOT safe to switch"]
