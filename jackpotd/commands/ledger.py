"""`jackpotd ledger`: looks at the ledger, from the configuration alone, also while the daemon writes it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from jackpotd.commands.asking import print_json
from jackpotd.commands.common import DONE, NO, USAGE, add_action, add_config
from jackpotd.commands.tables import plain
from jackpotd.core.money import format_amount
from jackpotd.daemon.config import ConfigError, load
from jackpotd.daemon.config_settings import Config
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.verify import Verdict, verify_url


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `ledger`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    verify = add_action(
        actions,
        "verify",
        "check every row: its hash, its facts, its postings; a bad one is named",
        "ledger verify",
        "ledger verify --json",
    )
    add_config(verify)
    verify.add_argument("--json", action="store_true", help="print JSON")


def call(args: argparse.Namespace) -> int:
    """Verify. 1: something is wrong, or there is no ledger."""
    try:
        config = load(Path(args.config))
    except ConfigError as error:
        return _no(args, USAGE, str(error))
    try:
        verdict = verify_url(f"sqlite:///{config.ledger_path}", progress=_progress if sys.stderr.isatty() else None)
    except LedgerError as error:
        return _no(args, NO, str(error))
    finally:
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr)
    found = _as_json(verdict, config)
    if args.json:
        print_json(found)
    else:
        print("\n".join(map(plain, _lines(found))))
    return DONE if verdict.ok else NO


def _progress(done: int, rows: int) -> None:
    print(f"\r{done:,} of {rows:,} rows", end="", file=sys.stderr, flush=True)


def _no(args: argparse.Namespace, exit_code: int, text: str) -> int:
    if args.json:
        print_json({"ok": False, "error": text})
    else:
        print(text, file=sys.stderr)
    return exit_code


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
        "findings": [{"row": finding.row, "text": finding.text} for finding in verdict.findings],
    }


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"{found['ledger']}: {found['rows']:,} rows, head {found['head']['seq']} {found['head']['hash']}"]
    width = max(map(len, found["balances"].values()), default=0)
    lines += [f"  {amount:>{width}} {found['currency']}  {account}" for account, amount in found["balances"].items()]
    for finding in found["findings"]:
        lines.append(f"row {finding['row']} {finding['text']}" if finding["row"] else finding["text"])
    return [*lines, "in order" if found["ok"] else "NOT in order"]
