"""`python -m tests.ledger.golden n`: play a ledger of schema n, the newest, and keep it; schemas.py says when."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from jackpotd.ledger.schemas import CHANGES, newest_of
from tests.ledger.golden.keeping import keep

if sys.argv[1:] != [str(newest_of(CHANGES))]:
    sys.exit(f"usage: python -m tests.ledger.golden {newest_of(CHANGES)}, which is the newest schema; others are kept")
with TemporaryDirectory() as scratch:
    keep(Path(scratch))
