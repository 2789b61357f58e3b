"""The one command, `jackpotd`: imports the subcommand's module alone and turns its answer into an exit code.

Exit codes: 0 done, 1 the answer is no or cannot be written, 2 usage or configuration, 3 the daemon is not reached
(design 4); as the shell says it, 130 when a person broke it off, 141 when whoever read the output stopped.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
from importlib import import_module

from jackpotd import __version__

# Name -> one line. The module is jackpotd.commands.<name>, with add_arguments(parser) and call(args) -> exit code.
COMMANDS: dict[str, str] = {
    "run": "the daemon",
    "check": "check a configuration and print the readings it chooses",
    "demo": "the whole product on this machine, with simulated tables",
    "simulate": "one simulated device alone, for a technician's bench",
    "replay": "tell captures again: the ledger's rows, byte for byte, and what the pools then hold",
    "adjudicate": "judge rounds: JSON lines in, JSON lines out",
    "odds": "what a pool's prizes are worth: exact chances, returns, and what luck is credible",
    "status": "pools, tables, hits and alarms at a glance",
    "hit": "list hits, approve, reject and pay them",
    "round": "decide a round that is held: its cards and seats, confirm, void; give a carried bet back",
    "table": "open and close tables, and deal from another device",
    "pool": "show pools; adjust, transfer, retire, suspend and resume one, apply its parameters",
    "device": "list the devices, and replace one in mid-shift",
    "day": "close the gaming day",
    "ledger": "verify, back up, export and archive the ledger",
    "upgrade": "check on a copy of the ledger whether it is safe to switch to this version",
    "alarm": "list and acknowledge what needs a person",
    "operator": "add, disable and list operators, and set their passwords",
    "reload": "have the daemon read its configuration anew",
    "schema": "print the formats of MQTT, configuration and control socket",
    "sign": "show pools to the players: a browser page, an LED sign or a terminal",
}

_BROKEN_OFF = 128 + 2  # SIGINT's
_READER_GONE = 128 + 13  # SIGPIPE's
_UNWRITTEN = 1


def build_parser(chosen: str | None) -> argparse.ArgumentParser:
    """The parser; only the chosen command's module is imported and adds its arguments."""
    parser = argparse.ArgumentParser(prog="jackpotd", description="Linked progressive jackpots at table games.")
    parser.add_argument("--version", action="version", version=f"jackpotd {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, line in COMMANDS.items():
        sub = commands.add_parser(name, help=line, description=line)
        if name == chosen:
            module = import_module(f"jackpotd.commands.{name}")
            module.add_arguments(sub)
            sub.set_defaults(call=module.call)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run a command; the console script's entry point."""
    words = sys.argv[1:] if argv is None else argv
    if sys.stdout is None:
        return _not_written("it is closed")  # before anything is done of which nobody would hear
    try:
        return _answer(words)
    except KeyboardInterrupt:
        return _BROKEN_OFF
    except BrokenPipeError:
        if not _reader_is_gone():
            raise
        return _READER_GONE  # as with `| head`: it has what it wanted
    except OSError as error:
        if error.filename is not None or not _output_is_full():
            raise
        return _not_written(str(error.strerror))


def _answer(words: list[str]) -> int:
    """The chosen command's exit code, all that it said being written; also where argparse ends it."""
    chosen = next((word for word in words if not word.startswith("-")), None)
    try:
        args = build_parser(chosen).parse_args(words)
        code: int = args.call(args)
    finally:
        sys.stdout.flush()
    return code


def _not_written(why: str) -> int:
    print(f"the output cannot be written: {why}", file=sys.stderr)
    return _UNWRITTEN


def _reader_is_gone() -> bool:
    """Whether nobody reads standard output any more; if so, what is left in it goes nowhere."""
    output = select.poll()
    output.register(sys.stdout.fileno(), 0)
    if not output.poll(0):
        return False
    _write_nowhere()
    return True


def _output_is_full() -> bool:
    """Whether standard output takes not one line end more; if so, what is left in it goes nowhere."""
    try:
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), b"\n")
    except OSError:
        _write_nowhere()
        return True
    return False


def _write_nowhere() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
