"""`jackpotd ledger`: create, verify, back up, restore, export, archive; most of it also while the daemon writes."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from jackpotd.commands import verify_package
from jackpotd.commands.archive_keepers import keeper
from jackpotd.commands.asking import print_json
from jackpotd.commands.client import UnreachableError
from jackpotd.commands.common import (
    DONE,
    NO,
    UNREACHABLE,
    USAGE,
    add_action,
    add_config,
    clear_progress,
    refuse,
    shown,
)
from jackpotd.commands.tables import plain
from jackpotd.core.money import format_amount
from jackpotd.daemon.config import ConfigError, load
from jackpotd.daemon.config_settings import Config
from jackpotd.daemon.outside import create_ledger, ledger_url, operators_path
from jackpotd.ledger.archiving import archive
from jackpotd.ledger.backup import back_up_all, put_back
from jackpotd.ledger.export import export
from jackpotd.ledger.open import read_ledger
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.seals import KEY_BYTES, public_key
from jackpotd.ledger.sqlite_file import free_bytes_of
from jackpotd.ledger.verify import Verdict, verify_url


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `ledger`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = add_action(
        actions,
        "create",
        "make a site's first ledger, once, at the installation; it is whoever's makes it, of root the folder's owner's",
        "ledger create",
    )
    verify = add_action(
        actions,
        "verify",
        "check every row: its hash, its facts, its postings; a bad one is named",
        "ledger verify",
        "ledger verify --json",
    )
    backup = add_action(
        actions,
        "backup",
        "copy the ledger, whole and verified, to a new folder, while the daemon writes on",
        "ledger backup --to /mnt/backup/2026-11-30",
    )
    restore = add_action(
        actions,
        "restore",
        "put a backup where no ledger is: verified first, whole or not at all, with the folder's owner",
        "ledger restore --from /mnt/backup/2026-11-30",
    )
    restore.add_argument(
        "--from", required=True, type=_path, dest="backup", metavar="FOLDER", help="what `ledger backup` made"
    )
    export_ = add_action(
        actions,
        "export",
        "write the audit package: rows, seals, history of the configuration, and a verifier that needs only Python",
        "ledger export --to /mnt/audit/2026-11-30",
    )
    archive_ = add_action(
        actions,
        "archive",
        "move what was said on closed days to files, while tables play; hashes stay and the chain still verifies",
        "ledger archive --to /mnt/archive",
        "ledger archive --to /mnt/archive --before 30",
    )
    archive_.add_argument("--before", type=int, metavar="DAY", help="only gaming days before this one; else all closed")
    newkey = add_action(
        actions,
        "newkey",
        "make a key that seals days: the secret one to a new file, the public one printed for the regulator",
        "ledger newkey --to /etc/credstore/jackpotd.seal-key",
    )
    for action in (create, verify, backup, restore, export_, archive_):
        add_config(action)
    for action in (verify, export_):
        action.add_argument("--archive", type=Path, metavar="FOLDER", help="the folder of the ledger's archives")
    for action in (create, verify, backup, restore, export_, archive_, newkey):
        action.add_argument("--json", action="store_true", help="print JSON")
    for action, what in ((backup, "folder"), (export_, "folder"), (newkey, "file")):
        action.add_argument("--to", required=True, type=_path, metavar="PATH", help=f"a {what} that is not there yet")
    archive_.add_argument("--to", required=True, type=_path, metavar="FOLDER", help="the folder of all archives")


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("a path is wanted, and this one is empty")
    return Path(text)


def call(args: argparse.Namespace) -> int:
    """Do it. 1: something is wrong, or there is no ledger."""
    if args.action == "newkey":
        return _newkey(args)
    try:
        config = load(Path(args.config))
    except ConfigError as error:
        return refuse(USAGE, str(error), as_json=args.json)
    acts = {
        "create": _create,
        "verify": _verify,
        "backup": _backup,
        "restore": _restore,
        "export": _export,
        "archive": _archive,
    }
    try:
        return acts[args.action](args, config)
    except LedgerError as error:
        return refuse(NO, str(error), as_json=args.json)
    except UnreachableError as error:
        return refuse(UNREACHABLE, str(error), as_json=args.json)
    finally:
        clear_progress()


def _create(args: argparse.Namespace, config: Config) -> int:
    with closing(create_ledger(config)) as ledger:
        text = f"a new ledger of site {ledger.site} is at {config.ledger_path}: every pool begins at its seed"
        return _done(args, text, {"ledger": str(config.ledger_path), "uuid": ledger.uuid})


def _backup(args: argparse.Namespace, config: Config) -> int:
    """Ledger, operators and seals in one folder; the ledger last, so that a folder without one is no backup."""
    head = back_up_all(config.ledger_path, operators_path(config), args.to, shown("pages"))
    text = f"backed up to {args.to}: {head.seq:,} rows, verified, head {head.hash.hex()}"
    return _done(args, text, {"rows": head.seq, "head": head.hash.hex(), "to": str(args.to)})


def _restore(args: argparse.Namespace, config: Config) -> int:
    path = config.ledger_path
    head = put_back(args.backup, path, operators_path(config), config.site.site, shown("pages"))
    text = f"restored to {path}: {head.seq:,} rows, verified, head {head.hash.hex()}"
    return _done(args, text, {"rows": head.seq, "head": head.hash.hex(), "ledger": str(path)})


def _export(args: argparse.Namespace, config: Config) -> int:
    verifier = Path(verify_package.__file__)
    head = export(config.ledger_path, args.to, (verifier,), args.archive, shown("rows"))
    text = (
        f"exported to {args.to}: {head.seq:,} rows; verify with python3 {args.to / verifier.name} {args.to} --key KEY"
    )
    return _done(args, text, {"rows": head.seq, "head": head.hash.hex(), "to": str(args.to)})


def _archive(args: argparse.Namespace, config: Config) -> int:
    with closing(read_ledger(ledger_url(config))) as ledger, keeper(config) as writer, _folder(args.to):
        done = archive(ledger, args.to, args.before, writer, shown("rows"))
    free_bytes = free_bytes_of(config.ledger_path)
    mib = 1024 * 1024
    text = (
        f"archived to {args.to}: {done.facts:,} facts, {done.payload_bytes / mib:.1f} MiB, in {len(done.files)} files;"
        f" the ledger has {free_bytes / mib:.1f} MiB free for rows to come"
    )
    lacking = (
        f"warning: {args.to} lacks {len(done.elsewhere)} of the archives made before, {name} the oldest: move all into"
        " one folder, since --archive takes one"
        for name in done.elsewhere[:1]
    )
    found = {
        "facts": done.facts,
        "payload_bytes": done.payload_bytes,
        "free_bytes": free_bytes,
        "files": done.files,
        "elsewhere": done.elsewhere,
    }
    return _done(args, text if done.files else f"there is nothing to archive to {args.to}", found, *lacking)


@contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """A folder, made if need be; one that was made and has nothing in it at the end is gone again."""
    try:
        made = not folder.exists()
        folder.mkdir(mode=0o750, exist_ok=True)
    except OSError as error:
        raise LedgerError("not_writable", f"the folder {folder} cannot be made: {error.strerror}") from error
    try:
        yield
    finally:
        if made:
            with suppress(OSError):  # it has archives
                folder.rmdir()


def _newkey(args: argparse.Namespace) -> int:
    seed = secrets.token_bytes(KEY_BYTES)
    try:
        descriptor = os.open(args.to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError as error:
        return refuse(NO, f"{args.to} cannot be made: {error.strerror}", as_json=args.json)
    try:
        with ExitStack() as undo:
            undo.callback(args.to.unlink)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(seed.hex() + "\n")
                file.flush()
                os.fsync(descriptor)
            undo.pop_all()
    except OSError as error:
        return refuse(NO, f"{args.to} cannot be written: {error.strerror}", as_json=args.json)
    key = public_key(seed)
    return _done(args, f"public key: {key}", {"public_key": key})


def _done(args: argparse.Namespace, text: str, found: dict[str, Any], *more: str) -> int:
    if args.json:
        print_json({"ok": True, **found})
    else:
        print("\n".join(map(plain, (text, *more))))
    return DONE


def _verify(args: argparse.Namespace, config: Config) -> int:
    verdict = verify_url(ledger_url(config), args.archive, progress=shown("rows"))
    found = _as_json(verdict, config)
    if args.json:
        print_json(found)
    else:
        print("\n".join(map(plain, _lines(found))))
    return DONE if verdict.ok else NO


def _as_json(verdict: Verdict, config: Config) -> dict[str, Any]:
    exponent = config.site.currency.exponent
    return {
        "ok": verdict.ok,
        "ledger": str(config.ledger_path),
        "rows": verdict.rows,
        "head": {"seq": verdict.head.seq, "hash": verdict.head.hash.hex()},
        "currency": config.site.currency.code,
        "balances": {account: format_amount(atoms, exponent) for account, atoms in sorted(verdict.balances.items())},
        "sum": format_amount(sum(verdict.balances.values()), exponent),
        "archived": verdict.archived,
        "bound": verdict.bound,
        "findings": [{"row": finding.row, "text": finding.text} for finding in verdict.findings],
    }


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"{found['ledger']}: {found['rows']:,} rows, head {found['head']['seq']} {found['head']['hash']}"]
    width = max(map(len, found["balances"].values()), default=0)
    lines += [f"  {amount:>{width}} {found['currency']}  {account}" for account, amount in found["balances"].items()]
    if found["archived"]:
        lines.append(
            f"{found['archived']:,} rows are facts whose payloads are in archives: their hashes were not worked out"
            f" again; of {found['bound']:,} the next row bears it out; --archive FOLDER proves all"
        )
    for finding in found["findings"]:
        lines.append(f"row {finding['row']} {finding['text']}" if finding["row"] else finding["text"])
    return [*lines, "in order" if found["ok"] else "NOT in order"]
