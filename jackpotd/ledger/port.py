"""The port: what every ledger does, wherever it keeps its rows.

Laws
1. `append` is one transaction: all rows, their hashes and their marks, or nothing; durable when it returns.
2. Rows are only ever added, one after the other, from 1 and without a gap.
3. Every fact carries (source, journal, seq) and a mark only rises: what the ledger has, it refuses to take again.
4. The body of a fact of a closed day may go, once, if an archive that the chain names has it: the row is then empty and
   keeps its hash. Nothing else of a row ever changes.
5. After a write that failed nothing is tried again: the ledger is unusable until it is opened anew and reread.
6. One writer. A second one is refused; readers may look while it works.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

# At most 1,024 events wait in the engine, and an event makes a fact and seldom more than a few entries.
MAX_APPEND_ROWS = 16_384
# The largest rows hold the parameters of every table and pool: some kilobytes each, a few hundred of them.
MAX_BODY_BYTES = 4 * 1024 * 1024
# design.md: a snapshot is at most this many rows old, so that a start replays no more; two older ones to fall back on.
MAX_SNAPSHOT_AGE_ROWS = 10_000
KEPT_SNAPSHOTS = 3
# What whoever started a version that is too old for its ledger can do.
USE_THE_NEWER = "start the newer version, or restore the backup made before the upgrade"


class LedgerError(Exception):
    """What the ledger refuses or cannot do, in one sentence. `kind` is a short word for programs.

    url, missing, exists, other_site, locked, not_writable, full, newer (than this version reads), corrupt,
    repeat, unfit, unusable.
    """

    def __init__(self, kind: str, text: str) -> None:
        """`kind` from the list above; `text` says what is wrong and where."""
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Head:
    """The last row of a chain; seq 0 and the genesis hash when there is none."""

    seq: int
    hash: bytes


class Row(NamedTuple):
    """One row: canonical JSON, and SHA-256 of the previous row's hash joined with it. A tuple: millions are read."""

    seq: int
    hash: bytes
    body: bytes


class Mark(NamedTuple):
    """A fact's name; of each (source, journal) the ledger keeps the highest `seq` it has. A tuple: one a fact."""

    source: str
    journal: int
    seq: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state after row `seq`, whose hash was `head`; `state_hash` = SHA-256 of `body`; `version` wrote it."""

    seq: int
    head: bytes
    state_hash: bytes
    version: str
    body: bytes


class Archived(NamedTuple):
    """An archive has facts of the rows `first` to `last`, of a day that `closed` ended, as the row `entry` says."""

    entry: int
    first: int
    last: int
    closed: int


class LedgerReader(Protocol):
    """A ledger to look at; one thread at a time. Every method raises LedgerError and nothing else."""

    @property
    def site(self) -> str:
        """The site whose money this is."""

    @property
    def uuid(self) -> str:
        """The ledger's own id, fixed when it was made."""

    @property
    def head(self) -> Head:
        """The newest row; for a reader, as of now."""

    def rows(self, after: int = 0, to: int | None = None) -> Iterator[Row]:
        """Rows `after` < seq <= `to` (default: all there are), in order, without holding the writer up.

        A row whose payload is in an archive has an empty body.
        """

    def marks(self) -> Mapping[tuple[str, int], int]:
        """The highest seq of every (source, journal)."""

    def snapshots(self) -> list[Snapshot]:
        """The kept snapshots, newest first, not judged: see `snapshots.sound_snapshots`."""

    def archives(self) -> list[Archived]:
        """The registered archives, in the order of their rows."""

    def structure_faults(self) -> list[str]:
        """What the storage beneath the rows finds wrong with itself, in sentences."""

    def close(self) -> None:
        """Let go of everything; closing twice is harmless."""


class Ledger(LedgerReader, Protocol):
    """A ledger and the right to write it."""

    def append(self, bodies: Sequence[bytes], marks: Sequence[Mark], archives: Sequence[Archived] = ()) -> Head:
        """Add rows, durable at return (law 1). `marks` names the facts among them, in order; "repeat" if not newer.

        `archives` are those that `bodies` say: `entry` counts within them, from 1.
        """

    def drop_payloads(self, seqs: Sequence[int]) -> None:
        """Empty the rows of these facts, durably (law 4); "unfit" if one is no fact of a registered archive's rows."""

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot durably, and of all of them only the newest KEPT_SNAPSHOTS."""

    def checkpoint_due(self, *, idle: bool = False) -> bool:
        """Whether the writer should call `checkpoint` now: even if it is busy, or because it is `idle`."""

    def checkpoint(self) -> bool:
        """Housekeeping; False when a reader kept it from finishing."""
