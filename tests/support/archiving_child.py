"""A process that archives a ledger of version 1 whose facts are of real kinds: archiving_child FOLDER.

The ledger is FOLDER/ledger.db, the archives go to the same folder. A line on standard output says what is durable.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from jackpotd.ledger.archives import Registration
from jackpotd.ledger.archiving import archive
from jackpotd.ledger.open import open_ledger, read_ledger
from tests.support.archived import Hands, two_days
from tests.support.ledgers import SITE, append_said, url_of
from tests.support.version_1 import make_version_1


class Telling(Hands):
    """Says what was done, and writes rows between the chunks as tables do."""

    def register(self, day: int, closed: int, archive: Registration) -> None:
        super().register(day, closed, archive)
        os.write(1, f"registered done {self.ledger.head.seq}\n".encode())

    def _step(self) -> None:
        super()._step()
        append_said(self.ledger, [1_000 - self.steps])
        self.ledger.checkpoint()
        os.write(1, f"row done {self.ledger.head.seq}\n".encode())


def main(folder: Path) -> None:
    path = folder / "ledger.db"
    make_version_1(path)
    ledger, reader = open_ledger(url_of(path), SITE), read_ledger(url_of(path))
    two_days(ledger)
    ledger.checkpoint()
    os.write(1, f"row done {ledger.head.seq}\n".encode())
    archive(reader, folder, None, Telling(ledger, 900, chunk=2))
    os.write(1, f"row done {ledger.head.seq}\n".encode())
    ledger.checkpoint()
    reader.close()
    ledger.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
