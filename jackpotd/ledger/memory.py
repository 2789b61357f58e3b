"""A ledger in memory, for replay and tests: the same contract, gone with the process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jackpotd.ledger.chain import check_bounds, check_may_drop, genesis, hash_rows, repeat
from jackpotd.ledger.port import KEPT_SNAPSHOTS, Archived, Head, LedgerError, Mark, Row, Snapshot


class MemoryLedger:
    """Rows in a list; see the port for the contract."""

    def __init__(self, site: str, uuid: str, after: Head | None = None) -> None:
        """An empty ledger; or what comes `after` a row of another one, which keeps the rows before."""
        self.site = site
        self.uuid = uuid
        self.head = after or Head(0, genesis(site, uuid))
        self._gone = self.head.seq  # rows that are not here, because another ledger has them or somebody took them
        self._rows: list[Row] = []
        self._marks: dict[tuple[str, int], int] = {}
        self._snapshots: list[Snapshot] = []
        self._archives: list[Archived] = []
        self._open = True

    def append(self, bodies: Sequence[bytes], marks: Sequence[Mark], archives: Sequence[Archived] = ()) -> Head:
        """Add rows, all or none."""
        self._require_open()
        check_bounds(bodies)
        risen: dict[tuple[str, int], int] = {}
        for mark in marks:
            key = (mark.source, mark.journal)
            stored = risen.get(key, self._marks.get(key, -1))
            if mark.seq <= stored:
                raise repeat(mark, stored)
            risen[key] = mark.seq
        hashes = hash_rows(self.head.hash, bodies)
        first = self.head.seq + 1
        self._rows.extend(map(Row, range(first, first + len(bodies)), hashes, bodies))
        self._marks.update(risen)
        self._archives += [archive._replace(entry=self.head.seq + archive.entry) for archive in archives]
        self.head = Head(self.head.seq + len(bodies), hashes[-1])
        return self.head

    def drop_payloads(self, seqs: Sequence[int]) -> None:
        """Empty these rows, all or none."""
        self._require_open()
        rows = [self._rows[seq - self._gone - 1] for seq in seqs if self._gone < seq <= self.head.seq]
        check_may_drop(seqs, rows, self._archives)
        for row in rows:
            self._rows[row.seq - self._gone - 1] = row._replace(body=b"")

    def archives(self) -> list[Archived]:
        """A copy of the registrations."""
        self._require_open()
        return list(self._archives)

    def rows(self, after: int = 0, to: int | None = None) -> Iterator[Row]:
        """The rows there are now, in order."""
        self._require_open()
        last = None if to is None else max(0, to - self._gone)
        return iter(self._rows[max(0, after - self._gone) : last])

    def given_away(self) -> list[Row]:
        """The rows since the last time, which are kept here no more: a ledger longer than the memory."""
        rows, self._rows = self._rows, []
        self._gone += len(rows)
        return rows

    def marks(self) -> Mapping[tuple[str, int], int]:
        """A copy of the marks."""
        self._require_open()
        return dict(self._marks)

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep it in place of one of the same seq, and only the newest."""
        self._require_open()
        others = [kept for kept in self._snapshots if kept.seq != snapshot.seq]
        self._snapshots = sorted([*others, snapshot], key=lambda kept: kept.seq, reverse=True)[:KEPT_SNAPSHOTS]

    def snapshots(self) -> list[Snapshot]:
        """Newest first."""
        self._require_open()
        return list(self._snapshots)

    def checkpoint_due(self, *, idle: bool = False) -> bool:
        """Never: there is nothing to keep house in."""
        del idle
        return False

    def checkpoint(self) -> bool:
        """Nothing to do."""
        self._require_open()
        return True

    def structure_faults(self) -> list[str]:
        """None: there is no storage beneath."""
        return []

    def close(self) -> None:
        """Refuse everything from now on."""
        self._open = False

    def _require_open(self) -> None:
        if not self._open:
            raise LedgerError("unusable", "the ledger is closed")
