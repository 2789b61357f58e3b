"""Going back to the version before works until the first row of a new schema, and says so from then on.

"New" is today's program with one kind changed once more; "old" is a reader of today's that knows nothing of it.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from jackpotd.core import facts as f
from jackpotd.core.decide import decide
from jackpotd.core.state import State
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import LedgerError
from jackpotd.ledger.restore import encode_state, restore, state_codec
from jackpotd.ledger.rows import TODAY, RowCodec, mark_of, row_codec
from jackpotd.ledger.schemas import CHANGES, Change
from jackpotd.ledger.snapshots import take_snapshot
from jackpotd.ledger.verify import verify_url
from tests.ledger.golden.keeping import accounts_of, goldens
from tests.support.ledgers import SITE, url_of
from tests.support.raw_ledger import bodies

OLD = TODAY
SINCE = OLD.newest + 1
NEW = row_codec([*CHANGES, Change(SINCE, f.CloseTable, lambda fields: fields)])
BEFORE, AFTER = "the version before", "the new version"
SUPERVISOR = f.By("sam", "supervisor")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger that the version before wrote, with its snapshot at the last row."""
    path = goldens()[-1].put(tmp_path)
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        state = restore(ledger, BEFORE).state
        ledger.save_snapshot(take_snapshot(ledger.head, BEFORE, encode_state(state)))
    return path


def start(path: Path, version: str, codec: RowCodec, *acts: f.Act) -> State:
    """A version opens the ledger as a daemon does, reads it, writes what people do, and keeps a snapshot."""
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        state = restore(ledger, version, codec=codec).state
        for act in acts:
            source = f"operator/{act.by.name}"
            seq = state.marks.get(f"{source}#1", 0) + 1
            fact = f.Fact(source, 1, seq, 9_000_000, 9_000_000, "", "", "", "", False, act)
            entries = decide(state, fact)
            assert entries is not None
            ledger.append([codec.encode(fact), *map(codec.encode, entries)], [mark_of(fact)])
        ledger.save_snapshot(take_snapshot(ledger.head, version, state_codec(codec.newest).encode(state)))
        return state


CLOSE = f.CloseTable(SUPERVISOR, "T02")
OTHER = f.AcknowledgeAlarm(SUPERVISOR, "capture", "no room")


def test_without_a_row_of_the_new_schema_the_version_before_goes_on_where_the_new_one_stopped(path: Path) -> None:
    written = start(path, AFTER, NEW, OTHER)
    back = start(path, BEFORE, OLD)
    assert encode_state(back) == encode_state(written)
    again = start(path, BEFORE, OLD, CLOSE)
    assert not again.tables["T02"].open
    assert verify_url(url_of(path)).findings == ()


def test_it_needs_none_of_the_new_ones_snapshots(path: Path) -> None:
    """Three starts of the new version leave only its own: the version before reads every row."""
    written = State()
    for _ in range(3):
        written = start(path, AFTER, NEW, OTHER)
    with closing(read_ledger(url_of(path))) as reader:
        assert {snapshot.version for snapshot in reader.snapshots()} == {AFTER}
        restored = restore(reader, BEFORE, codec=OLD)
    assert restored.snapshot_seq == 0
    assert accounts_of(restored.state) == accounts_of(written)


def test_an_upgrade_that_is_broken_off_half_way_has_changed_nothing(path: Path) -> None:
    """Rows of older shapes are brought up in memory only: there is no half way on the disk."""
    before = bodies(path)
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        restore(ledger, AFTER, codec=NEW)
    assert bodies(path) == before
    start(path, BEFORE, OLD, CLOSE)
    assert bodies(path)[: len(before)] == before


def test_the_first_row_of_the_new_schema_ends_it_in_one_sentence_that_names_the_row(path: Path) -> None:
    start(path, AFTER, NEW, OTHER)
    with closing(read_ledger(url_of(path))) as reader:
        row = reader.head.seq + 1
    start(path, AFTER, NEW, CLOSE, OTHER)
    with pytest.raises(LedgerError) as refusal:
        start(path, BEFORE, OLD)
    assert refusal.value.kind == "newer"
    assert str(refusal.value) == (
        f"row {row} is of schema {SINCE}, kind 'close_table': this jackpotd reads up to schema {SINCE - 1}; start the "
        "newer version, or restore the backup made before the upgrade"
    )


def test_a_refused_start_leaves_the_ledger_as_it_was_and_the_new_version_goes_on(path: Path) -> None:
    start(path, AFTER, NEW, CLOSE)
    with closing(read_ledger(url_of(path))) as reader:
        head = reader.head
    with pytest.raises(LedgerError):
        start(path, BEFORE, OLD, OTHER)
    with closing(read_ledger(url_of(path))) as reader:
        assert reader.head == head
    assert verify_url(url_of(path)).findings == (), "whoever knows no kinds still verifies it"
    assert not start(path, AFTER, NEW).tables["T02"].open


def test_a_reader_held_to_the_first_schema_reads_all_that_schema_wrote(tmp_path: Path) -> None:
    oldest = goldens()[0]
    start(oldest.put(tmp_path), BEFORE, row_codec(newest=oldest.schema))


def test_a_snapshot_of_the_new_version_is_no_way_past_its_rows(path: Path) -> None:
    """Also where somebody gave both versions one name."""
    start(path, AFTER, NEW, CLOSE)
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        newest = ledger.snapshots()[0]
        ledger.save_snapshot(replace(newest, version=BEFORE))
        with pytest.raises(LedgerError, match=f"is of schema {SINCE}"):
            restore(ledger, BEFORE, codec=OLD)
