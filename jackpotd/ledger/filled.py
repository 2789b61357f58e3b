"""A ledger with the payloads that left it, read from the folder of its archives as if they had never gone.

Laws
1. A payload counts only if its archive is the file that the chain names and the row has the payload's own hash.
2. An archive that is missing or harmed is told by name when its first row is asked for; nothing is read around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from jackpotd.ledger import archive_file
from jackpotd.ledger.archives import ArchiveCheck, Registration
from jackpotd.ledger.port import Archived, Head, LedgerError, LedgerReader, Row, Snapshot


class FilledReader:
    """A reader and its archives; takes the reader over."""

    def __init__(self, ledger: LedgerReader, folder: Path) -> None:
        """LedgerError "corrupt": the chain does not name an archive that is registered."""
        self._ledger = ledger
        self._folder = folder
        self._check = ArchiveCheck(ledger)
        self.site, self.uuid = ledger.site, ledger.uuid

    @property
    def head(self) -> Head:
        """The newest row now."""
        return self._ledger.head

    def rows(self, after: int = 0, to: int | None = None) -> Iterator[Row]:
        """All rows, whole."""
        archive: Registration | None = None
        facts: Iterator[Row] = iter(())
        for row in self._ledger.rows(after, to):
            if row.body:
                yield row
                continue
            holding = self._check.holding(row.seq)
            if holding is None:
                yield row
                continue
            if holding is not archive:
                archive, facts = holding, archive_file.read(self._folder / holding.file, holding.sha256)
            found = next((fact for fact in facts if fact.seq >= row.seq), None)
            if found is None or (found.seq, found.hash) != (row.seq, row.hash):
                raise LedgerError("corrupt", f"the payload of row {row.seq} is not in {self._folder / archive.file}")
            yield found

    def marks(self) -> Mapping[tuple[str, int], int]:
        """The ledger's."""
        return self._ledger.marks()

    def snapshots(self) -> list[Snapshot]:
        """The ledger's."""
        return self._ledger.snapshots()

    def archives(self) -> list[Archived]:
        """The ledger's."""
        return self._ledger.archives()

    def structure_faults(self) -> list[str]:
        """The ledger's."""
        return self._ledger.structure_faults()

    def close(self) -> None:
        """Close the ledger."""
        self._ledger.close()
