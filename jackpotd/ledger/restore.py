"""Restoring the state: the newest sound snapshot, then a fold of every row after it, its chain checked on the way.

Laws
1. What cannot be read or does not chain is never skipped; the start is refused with the row's number.
2. Facts whose payloads are in an archive are not needed: what they left in the state is in facts that stay. A state
   between two rows of one archive is that archive's to tell, and is refused without it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from jackpotd.core.apply import apply
from jackpotd.core.entries import Entry
from jackpotd.core.facts import Fact
from jackpotd.core.state import State, note_fact
from jackpotd.ledger.archives import ArchiveCheck
from jackpotd.ledger.chain import genesis, hash_rows
from jackpotd.ledger.codec import Codec
from jackpotd.ledger.port import LedgerError, LedgerReader
from jackpotd.ledger.rows import TODAY, RowCodec, decode_row
from jackpotd.ledger.schemas import CHANGES, Change, newest_of
from jackpotd.ledger.snapshots import sound_snapshots


def state_codec(schema: int = newest_of(CHANGES)) -> Codec[State]:
    """The codec of snapshots of a version that writes rows up to this schema: it reads no other version's."""
    return Codec([State], changes=[Change(schema, State)])


STATE = state_codec()

# A fraction of a second.
PROGRESS_ROWS = 10_000
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Restored:
    """The state at the ledger's head; the rows up to `snapshot_seq` were taken from a snapshot, unread."""

    state: State
    snapshot_seq: int
    replayed: int


def encode_state(state: State) -> bytes:
    """A state as a snapshot's body."""
    return STATE.encode(state)


def fold_row(state: State, body: bytes, row: int | None = None, codec: RowCodec = TODAY) -> Fact | Entry:
    """Let one row take effect, and say what it was. LedgerError as the codec raises it, naming the `row`."""
    item = codec.decode(body, row)
    if isinstance(item, Fact):
        note_fact(state, item)
    else:
        apply(state, item)
    return item


def last_ms(ledger: LedgerReader) -> int:
    """When the last row was written, by the clock of then; 0 without one."""
    last = next(ledger.rows(max(0, ledger.head.seq - 1)), None)
    return 0 if last is None else decode_row(last.body, last.seq).at_ms


def restore(
    ledger: LedgerReader,
    version: str,
    progress: Progress | None = None,
    to: int | None = None,
    codec: RowCodec = TODAY,
) -> Restored:
    """The state of a ledger, or as it was after row `to`, as a version with this codec reads it.

    LedgerError "corrupt" names the row that does not chain or cannot be read, "newer" the first that only a newer
    version reads. `progress` is told (the row just read, the last there is) every PROGRESS_ROWS.
    """
    state, start, previous = _beginning(ledger, version, to)
    seq, archives, emptied = start, ArchiveCheck(ledger, start), 0
    for row in ledger.rows(start, to):
        seq += 1
        if (not row.body or seq >= archives.begins) and (fault := archives.take(row)):
            raise LedgerError("corrupt", f"row {row.seq} of the ledger {fault}")
        previous = hash_rows(previous, (row.body,))[0] if row.body else row.hash
        if row.seq != seq or row.hash != previous:
            raise LedgerError("corrupt", f"row {row.seq} of the ledger does not follow from the rows before it")
        if row.body:
            fold_row(state, row.body, seq, codec)
        else:
            emptied = seq
        if progress is not None and seq % PROGRESS_ROWS == 0:
            progress(seq, ledger.head.seq)
    holding = archives.holding(emptied)
    if holding is not None and seq < holding.last:
        raise LedgerError("missing", f"the state after row {seq} is told by the archive {holding.file} alone")
    return Restored(state, start, seq - start)


def _beginning(ledger: LedgerReader, version: str, to: int | None) -> tuple[State, int, bytes]:
    """The state to go on from, its row and that row's hash: of the newest snapshot that can be read, else nothing.

    A state of another shape or schema, as another build of the same version keeps it, is passed over: the rows have all
    of it, and one that this version cannot read is not passed by.
    """
    for snapshot in sound_snapshots(ledger, version, to):
        with suppress(LedgerError):
            return STATE.decode(snapshot.body), snapshot.seq, snapshot.head
    return State(), 0, genesis(ledger.site, ledger.uuid)
