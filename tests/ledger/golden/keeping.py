"""The golden ledgers: one for every schema, as the program of its time wrote it, kept for good in this folder.

`schema-<n>/`
  rows.jsonl     every row, byte for byte
  ledger.db.xz   the SQLite file as it was, with a snapshot half way
  about.json     whose it is, its head, and what every pool then held, in atoms
  state.json     the state after the last row, as that version kept it
  shapes.txt     the shapes of the kinds that the schema brought
"""

from __future__ import annotations

import json
import lzma
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jackpotd import __version__
from jackpotd.core.facts import Fact
from jackpotd.core.state import State
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import Ledger
from jackpotd.ledger.restore import encode_state, fold_row
from jackpotd.ledger.rows import decode_row, mark_of
from jackpotd.ledger.schemas import CHANGES, newest_of
from jackpotd.ledger.snapshots import take_snapshot
from jackpotd.ledger.upgrade import pool_accounts
from tests.ledger.golden.play import day
from tests.ledger.golden.shapes import numbered_shapes
from tests.support.ledgers import SITE, UUID, url_of

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Golden:
    """A golden ledger, by the number of its schema."""

    schema: int

    @property
    def folder(self) -> Path:
        return FOLDER / f"schema-{self.schema}"

    @property
    def about(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "about.json").read_text())
        return found

    @property
    def state(self) -> Any:
        return json.loads((self.folder / "state.json").read_text())

    @property
    def rows(self) -> list[bytes]:
        return (self.folder / "rows.jsonl").read_bytes().splitlines()

    @property
    def shapes(self) -> dict[str, str]:
        """Kind to shape."""
        lines = (self.folder / "shapes.txt").read_text().splitlines()
        return dict(line.split(" ", 1) for line in lines)

    def put(self, folder: Path) -> Path:
        """The file as it was, in a folder."""
        path = folder / "ledger.db"
        path.write_bytes(lzma.decompress((self.folder / "ledger.db.xz").read_bytes()))
        return path


def goldens() -> list[Golden]:
    """All of them, the oldest first."""
    found = (path.name.removeprefix("schema-") for path in FOLDER.glob("schema-*"))
    return [Golden(number) for number in sorted(map(int, found))]


def accounts_of(state: State) -> dict[str, dict[str, int]]:
    """What each pool's accounts hold, in atoms."""
    return {name: pool_accounts(pool) for name, pool in state.pools.items()}


def append(ledger: Ledger, bodies: list[bytes]) -> None:
    """Commit rows as a controller does."""
    facts = [item for item in map(decode_row, bodies) if isinstance(item, Fact)]
    ledger.append(bodies, [mark_of(fact) for fact in facts])


def keep(scratch: Path) -> Golden:
    """Play the day and keep its ledger as that of the newest schema, in place of one made before the release."""
    golden, path, rows = Golden(newest_of(CHANGES)), scratch / "ledger.db", day().rows
    golden.folder.mkdir(exist_ok=True)
    state, half = State(), len(rows) // 2
    with closing(open_ledger(url_of(path), SITE, create=UUID)) as ledger:
        append(ledger, rows[:half])
        for body in rows[:half]:
            fold_row(state, body)
        ledger.save_snapshot(take_snapshot(ledger.head, __version__, encode_state(state)))
        append(ledger, rows[half:])
        for body in rows[half:]:
            fold_row(state, body)
        head = ledger.head
    (golden.folder / "ledger.db.xz").write_bytes(lzma.compress(path.read_bytes(), preset=9))
    (golden.folder / "rows.jsonl").write_bytes(b"".join(body + b"\n" for body in rows))
    about = {"version": __version__, "site": SITE, "ledger": UUID, "rows": head.seq, "head": head.hash.hex()}
    about |= {"snapshot": half, "accounts": accounts_of(state)}
    _write(golden.folder / "about.json", about)
    _write(golden.folder / "state.json", json.loads(encode_state(state)))
    brought = [f"{kind} {shape}\n" for schema, kind, shape in numbered_shapes() if schema == golden.schema]
    (golden.folder / "shapes.txt").write_text("".join(brought))
    return golden


def _write(path: Path, found: Any) -> None:
    path.write_text(json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
