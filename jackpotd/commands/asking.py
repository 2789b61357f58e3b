"""How every command asks the daemon: as whom, what is printed, and the exit code (design 4).

Laws
1. 0: done; 1: the answer is no; 2: usage or configuration; 3: the daemon is not reached.
2. With --json, what is printed on standard output is JSON, a refusal too.
3. A password is never an argument: it is typed, comes as a line on standard input, or from a file.
"""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jackpotd.commands.client import AnswerError, Client, UnreachableError, UsageError, socket_of
from jackpotd.commands.common import DONE, NO, UNREACHABLE, USAGE, add_config
from jackpotd.commands.tables import plain

_MAX_SECRET_BYTES = 4_096
_USAGE_CODES = ("bad_request", "configuration")


def add_asking(parser: argparse.ArgumentParser) -> None:
    """The options of every command that asks the daemon."""
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_acting(parser: argparse.ArgumentParser) -> None:
    """The options of a command by which an operator acts."""
    add_asking(parser)
    parser.add_argument(
        "--as", dest="operator", metavar="NAME", help="act as this operator, whose password is asked for"
    )
    parser.add_argument("--password-file", metavar="F", type=Path, help="with --as: the file that has the password")


def ask(args: argparse.Namespace, op: str, show: Callable[[Any], None], **op_args: Any) -> int:
    """Ask for one thing and show the result; the exit code."""
    return attempt(args, lambda: answer(args, op, op_args), show)


def answer(args: argparse.Namespace, op: str, op_args: dict[str, Any]) -> Any:
    """The daemon's result, asked as whoever is to act. UsageError, UnreachableError, AnswerError."""
    socket = socket_of(Path(args.config))
    operator = getattr(args, "operator", None)
    if operator is None:
        with Client(socket) as client:
            return client.ask(op, op_args)
    password = read_secret(args.password_file, f"Password of {operator}: ")
    with Client(socket) as client:
        login = client.ask("login", {"name": operator, "password": password})
        return client.ask(op, op_args, login["token"])


def attempt(args: argparse.Namespace, get: Callable[[], Any], show: Callable[[Any], None]) -> int:
    """Get a result and show it, or say why there is none; the exit code."""
    try:
        result = get()
    except UsageError as error:
        return _refused(args, USAGE, "configuration", str(error))
    except UnreachableError as error:
        return _refused(args, UNREACHABLE, "unreachable", str(error))
    except AnswerError as error:
        code = USAGE if error.code in _USAGE_CODES else UNREACHABLE if error.code == "busy" else NO
        return _refused(args, code, error.code, str(error), error.result)
    if args.json:
        print_json(result)
    else:
        show(result)
    return DONE


def _refused(args: argparse.Namespace, exit_code: int, code: str, text: str, result: Any = None) -> int:
    if args.json:
        print_json({"ok": False, "error": text, "code": code, "result": result})
    else:
        for line in text.splitlines():
            print(f"jackpotd: {plain(line)}", file=sys.stderr)
    return exit_code


def print_json(value: Any) -> None:
    """JSON as every command prints it."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def read_secret(file: Path | None, prompt: str) -> str:
    """A password from a file, the terminal, or a line of standard input. UsageError when the file has none."""
    if file is not None:
        try:
            with file.open("rb") as opened:
                return opened.read(_MAX_SECRET_BYTES).decode("utf-8").removesuffix("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{file} cannot be read: {error}") from error
    if sys.stdin.isatty():
        return getpass.getpass(prompt)
    return sys.stdin.readline().removesuffix("\n")
