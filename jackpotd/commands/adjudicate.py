"""`jackpotd adjudicate`: rounds in, one JSON object a line, what they win out (design section 4).

Laws
1. A round is judged by itself: no state, no daemon, memory that does not grow with the number of rounds.
2. Every round has one answer, in order, as soon as its line is complete; a bad one is told and the run goes on.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import orjson

from jackpotd.commands.adjudicate_in import (
    MAX_LINE_BYTES,
    Record,
    check_repeats,
    parse_record,
    read_baccarat,
    read_name,
    read_stud,
)
from jackpotd.commands.adjudicate_out import baccarat_record, stud_record
from jackpotd.commands.common import DONE, NO, USAGE, add_config, plain_error
from jackpotd.core.errors import RuleError
from jackpotd.core.judge_baccarat import judge_baccarat
from jackpotd.core.judge_stud import judge_stud
from jackpotd.core.parameters import PoolParams, TableParams
from jackpotd.daemon.config import Config, ConfigError, load

# What a pipe holds: as much is judged and answered together as is there.
CHUNK_BYTES = 65_536
_STDIN = 0

HELP = """\
a stud round and a baccarat round (amounts are text; "meter" has the round's contributions in it):
  {"round":"r1","meter":"100000.00","dealer":["AS","KD","7C","5H","2S"],
   "seats":{"3":{"cards":["9H","TH","JH","QH","KH"],"ante":"100.00","folded":false,"progressive":true}}}
  {"round":"b1","meter":"88000.00","cards":["8S","KD","8C","8H"],
   "bets":[{"seat":1,"kind":"banker","amount":"100.00"},{"seat":1,"kind":"progressive"}]}
each is one line of its file. Optional: "reserve", "overflow", "void_seats" of stud, and
"irregularity": misdeal, exposed_one, exposed_two or shuffler. Bets: player, banker, tie, player_pair, banker_pair,
dragon7, progressive. A bad round is answered by {"round":...,"error":...}, and the exit code is then 1.
examples:
  jackpotd adjudicate --pool stud-main rounds.jsonl
  jackpotd adjudicate --pool bac-b --table B01 < rounds.jsonl > answers.jsonl
"""

Judge = Callable[[Record], Record]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `adjudicate`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = HELP
    parser.add_argument("file", metavar="F", nargs="?", help="rounds, one JSON object a line; standard input if absent")
    parser.add_argument("--pool", metavar="ID", required=True, help="the pool, or level, whose progressive is judged")
    parser.add_argument("--table", metavar="ID", help="the table played at; the first that offers the pool if absent")
    add_config(parser)


def call(args: argparse.Namespace) -> int:
    """Answer every round; exit 1 if one was bad, 2 if the configuration, pool, table or file is."""
    try:
        judge = judge_of(*chosen(load(Path(args.config)), args.pool, args.table))
        source = _opened(args.file)
    except (ConfigError, RuleError, OSError) as error:
        print(plain_error(error), file=sys.stderr)
        return USAGE
    with source:
        try:
            return judge_all(source, sys.stdout.buffer, judge)
        except BrokenPipeError:
            # Nobody reads on. What is still buffered goes nowhere, or the interpreter would complain at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return NO


def _opened(file: str | None) -> BinaryIO:
    """The rounds, unbuffered: a read gives what is there and does not wait for more."""
    if file is None:
        return os.fdopen(_STDIN, "rb", buffering=0, closefd=False)
    return Path(file).open("rb", buffering=0)


def chosen(config: Config, pool_id: str, table_id: str | None) -> tuple[PoolParams, TableParams]:
    """The pool as the table sees it, and the table whose settings the rounds were played under; RuleError without one.

    A level is offered where a pool that feeds it is; its progressive bet is that pool's.
    """
    pools = {pool.pool: pool for pool in config.pools}
    pool = pools.get(pool_id)
    if pool is None:
        raise RuleError(f"there is no pool {pool_id}")
    for table in config.tables:
        for taker in (pools[name] for name in table.pools):
            offered = pool_id in (taker.pool, *(level.pool for level in taker.levels))
            if offered and table_id in (None, table.table):
                return replace(pool.of_game(table.game), bet_atoms=taker.bet_atoms), table
    raise RuleError(f"there is no table {table_id} that offers {pool_id}" if table_id else f"no table offers {pool_id}")


def judge_of(pool: PoolParams, table: TableParams) -> Judge:
    """The judge of rounds at this table, for the pool."""

    def stud(record: Record) -> Record:
        return stud_record(read_name(record), judge_stud(read_stud(record, pool), pool, table), pool.exponent)

    def baccarat(record: Record) -> Record:
        played = read_baccarat(record, pool)
        return baccarat_record(read_name(record), played.bets, judge_baccarat(played, pool, table), pool.exponent)

    return stud if table.game == "stud" else baccarat


def judge_all(source: BinaryIO, sink: BinaryIO, judge: Judge) -> int:
    """Answer in batches of what is there, so that whoever waits for an answer before the next round gets it."""
    code = DONE
    for batch in batches(source):
        for line in batch:
            record = answer(line, judge)
            if "error" in record:
                code = NO
            sink.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
        sink.flush()
    return code


def answer(line: bytes, judge: Judge) -> Record:
    """The answer to one line, or what is wrong with it."""
    name: object = None
    try:
        record = parse_record(line)
        name = record.get("round")
        check_repeats(line, record)
        return judge(record)
    except RuleError as error:
        return {"round": name if isinstance(name, str | int) else None, "error": str(error)}


def batches(source: BinaryIO) -> Iterator[list[bytes]]:
    """The lines that have something in them, as they come; of a line that is too long, enough to tell."""
    rest = b""
    while chunk := source.read(CHUNK_BYTES):
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[: MAX_LINE_BYTES + 1]
        if found := [line for line in lines if line.strip()]:
            yield found
    if rest.strip():
        yield [rest]
