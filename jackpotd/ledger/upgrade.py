"""The trial of an upgrade: a copy of the ledger, read from its first row by the version that runs.

Laws
1. Nothing is written but the copy; what is wrong with it is a reason against the switch, in a sentence.
2. The state is folded from row 1, since a new version trusts no snapshot of another; what the older version kept of its
   own state is compared with it: all of it where the shape is the same, else every amount of every pool.
3. What a pool holds is added up twice: by the fold, and from the postings alone.
4. The start itself is tried: what the controller would say first is decided, and goes nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import orjson

from jackpotd.core.decide import decide
from jackpotd.core.entries import Entry, EpochBegan
from jackpotd.core.errors import RuleError
from jackpotd.core.facts import Act, Fact, What
from jackpotd.core.invariants import InvariantError
from jackpotd.core.state import Pool, State
from jackpotd.ledger import sqlite_file
from jackpotd.ledger.archives import ArchiveCheck
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import LedgerError, LedgerReader, Snapshot
from jackpotd.ledger.restore import PROGRESS_ROWS, STATE, Progress, fold_row, state_codec
from jackpotd.ledger.rows import TODAY, RowCodec
from jackpotd.ledger.schemas import FIRST_SCHEMA
from jackpotd.ledger.shapes import kind_of
from jackpotd.ledger.verify import Verdict, verify

ACCOUNTS = ("pool", "reserve", "overflow", "house", "wagers", "prizes")
# Enough to see what is wrong; `ledger verify` names every bad row.
_MAX_REASONS = 20
_THEN = "from then on with the backup made before the switch"
# What is said without any person's act, so that nobody can keep it from being written.
_UNASKED = {kind_of(cls) for cls in set(get_args(What)) - set(get_args(Act))}
# What a version that is not ready for a row does: anything but a bug of the check itself.
_BREAKS = (RuleError, InvariantError, LookupError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True, slots=True)
class Compared:
    """A snapshot beside the fold; `whole`: its shape is today's, so that everything was compared."""

    row: int
    version: str
    whole: bool
    same: bool


@dataclass(slots=True)
class Trial:
    """What was found; `reasons` against the switch, none if it is safe. File versions before and after opening."""

    rows: int = 0
    head: str = ""
    written_by: str = ""
    schema: int = FIRST_SCHEMA
    schema_row: int = 0  # the first row of that schema
    file_before: int = 0
    file_after: int = 0
    compared: list[Compared] = field(default_factory=list)
    starts_with: list[str] = field(default_factory=list)  # kinds that the first start writes in a schema not yet there
    state: State = field(default_factory=State)
    reasons: list[str] = field(default_factory=list)

    def object(self, reason: str) -> None:
        """A reason against the switch."""
        if len(self.reasons) < _MAX_REASONS:
            self.reasons.append(reason)


def try_upgrade(
    copy: Path,
    site: str,
    start: Sequence[Callable[[State], Fact]],
    progress: Callable[[str], Progress | None],
    codec: RowCodec = TODAY,
) -> Trial:
    """Do with a copy all that a start does, and more.

    `start`: what a controller says first, each bound to the state as it then is; `progress` is told what begins, and
    gives what is told how far it is.
    """
    trial, url = Trial(), f"sqlite:///{copy.absolute()}"
    try:
        trial.file_before = trial.file_after = sqlite_file.version_of(copy)
        open_ledger(url, site).close()  # brings an older file to this version's
        trial.file_after = sqlite_file.version_of(copy)
        with closing(read_ledger(url)) as reader:
            verdict = verify(reader, progress=progress("rows verified"))
            trial.rows, trial.head = verdict.head.seq, verdict.head.hash.hex()
            for finding in verdict.findings:
                trial.object(f"row {finding.row} {finding.text}" if finding.row else finding.text)
            _fold(trial, reader, codec, progress("rows replayed"))
    except LedgerError as error:
        trial.object(str(error))
    else:
        _compare_balances(trial, verdict)
        _try_start(trial, start, codec)
    return trial


def _fold(trial: Trial, reader: LedgerReader, codec: RowCodec, progress: Progress | None) -> None:
    """Every row takes effect; the snapshots are compared on the way. LedgerError for a row that cannot be read."""
    archives = ArchiveCheck(reader)
    kept = {each.seq: each for each in reader.snapshots() if not archives.splits(each.seq)}
    for row in reader.rows(0, trial.rows):
        if not row.body:
            continue
        try:
            item = fold_row(trial.state, row.body, row.seq, codec)
        except _BREAKS as error:
            raise LedgerError("unfit", f"row {row.seq} cannot take effect: {type(error).__name__} {error}") from error
        if isinstance(item, EpochBegan):
            trial.written_by = item.version
        schema = orjson.loads(row.body)["schema"]
        if schema > trial.schema:
            trial.schema, trial.schema_row = schema, row.seq
        if row.seq in kept:
            _compare_snapshot(trial, kept[row.seq])
        if progress is not None and row.seq % PROGRESS_ROWS == 0:
            progress(row.seq, trial.rows)


def _compare_snapshot(trial: Trial, snapshot: Snapshot) -> None:
    today = orjson.loads(STATE.encode(trial.state))
    try:
        then = orjson.loads(snapshot.body)
    except orjson.JSONDecodeError:
        return  # its hash does not fit either, which is among the findings
    whole = _is_of_todays_shape(snapshot.body, then)
    # The number is that of the version's newest rows, and nothing of the state.
    pair = ({**today, "schema": then["schema"]}, then) if whole else (_amounts(today), _amounts(then))
    differences = list(_differences(*pair))
    trial.compared.append(Compared(snapshot.seq, snapshot.version, whole, not differences))
    for where in differences:
        trial.object(f"after row {snapshot.seq} jackpotd {snapshot.version} had another {where}")


def _is_of_todays_shape(body: bytes, then: Any) -> bool:
    schema = then.get("schema") if type(then) is dict else None
    try:
        state_codec(schema if type(schema) is int else FIRST_SCHEMA).decode(body)
    except LedgerError:
        return False
    return True


def _amounts(state: Any) -> dict[str, dict[str, Any]]:
    """What every pool holds, by the names that every schema has; nothing where a state has no such names."""
    try:
        return {pool: {name: held[f"{name}_atoms"] for name in ACCOUNTS} for pool, held in state["pools"].items()}
    except (LookupError, TypeError, AttributeError):
        return {}


def _differences(today: object, then: object, where: str = "state") -> Iterator[str]:
    """Where two states differ, with both values."""
    if isinstance(today, dict) and isinstance(then, dict):
        for name in sorted(today.keys() | then.keys()):
            yield from _differences(today.get(name), then.get(name), f"{where}.{name}")
    elif today != then:
        yield f"{where}: {str(then)[:60]}, now {str(today)[:60]}"


def _compare_balances(trial: Trial, verdict: Verdict) -> None:
    posted = dict(verdict.balances)
    for name, pool in trial.state.pools.items():
        for account, atoms in pool_accounts(pool).items():
            if posted.pop(f"{account}:{name}", 0) != atoms:
                trial.object(f"{account}:{name} is {atoms} atoms in the state, and not what its postings add up to")
    for account, atoms in posted.items():
        if atoms:
            trial.object(f"{account} has {atoms} atoms in its postings, and no pool has them")


def _try_start(trial: Trial, words: Sequence[Callable[[State], Fact]], codec: RowCodec) -> None:
    """Decide what a controller says first; its rows tell whether a start alone ends the way back."""
    rows: list[Fact | Entry] = []
    try:
        for word in words:
            fact = word(trial.state)
            rows += [fact, *(decide(trial.state, fact) or ())]
    except _BREAKS as error:
        trial.object(f"a start would fail: {type(error).__name__} {error}")
    written = [orjson.loads(codec.encode(row)) for row in rows]
    trial.starts_with = sorted({row.get("what", row)["kind"] for row in written if row["schema"] > trial.schema})


def way_back(trial: Trial, codec: RowCodec = TODAY) -> str:
    """Until when the version before can have the ledger again."""
    ahead = codec.kinds_above(trial.schema)
    if trial.file_after != trial.file_before:
        return "only with the backup made before the switch: the file itself becomes another"
    if trial.starts_with:
        return f"until the first start, which writes {', '.join(trial.starts_with)}; {_THEN}"
    if ahead:
        own = ", ".join(kind for kind in ahead if kind in _UNASKED)
        start = f"the first start, for {own} may come by itself, then or at any time; else until " if own else ""
        return f"until {start}the first row of {', '.join(ahead)}; {_THEN}"
    return f"at any time, for a version that reads schema {trial.schema}"


def pool_accounts(pool: Pool) -> dict[str, int]:
    """A pool's accounts, in atoms."""
    return {name: getattr(pool, f"{name}_atoms") for name in ACCOUNTS}
