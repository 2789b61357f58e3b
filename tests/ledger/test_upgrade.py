"""The trial of an upgrade on a copy of the ledger: what makes it safe, and each thing that speaks against it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jackpotd.commands.archive_keepers import OwnHands
from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.state import State
from jackpotd.ledger.archiving import archive
from jackpotd.ledger.backup import copy_aside
from jackpotd.ledger.codec import canonical
from jackpotd.ledger.open import open_ledger
from jackpotd.ledger.port import LedgerError, Mark
from jackpotd.ledger.rows import TODAY, RowCodec, row_codec
from jackpotd.ledger.schemas import CHANGES, Change
from jackpotd.ledger.snapshots import take_snapshot
from jackpotd.ledger.sqlite_tables import NEWEST_VERSION
from jackpotd.ledger.upgrade import Compared, Trial, try_upgrade, way_back
from tests.ledger.golden.keeping import accounts_of, goldens
from tests.support.ledgers import SITE, append_said, url_of

GOLDEN = goldens()[-1]
HALF, ROWS = GOLDEN.about["snapshot"], GOLDEN.about["rows"]
NEXT = TODAY.newest + 1


def codec_after(cls: type, up: Callable[[dict[str, Any]], dict[str, Any]]) -> RowCodec:
    """A version that reads rows of this class otherwise."""
    return row_codec([*CHANGES, Change(NEXT, cls, up)])


def started(state: State) -> f.Fact:
    word = f.ControllerStarted("2.0", "config", "package", state.epoch + 5)
    return f.Fact("controller", state.epoch, 1_000, 9_000_000, 9_000_000, "", "", "", "", False, word)


def tried(path: Path, codec: RowCodec = TODAY, start: Callable[[State], f.Fact] = started, site: str = SITE) -> Trial:
    return try_upgrade(path, site, [start], lambda _: None, codec)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return GOLDEN.put(tmp_path)


def put_snapshot(path: Path, change: Callable[[dict[str, Any]], None], version: str = "0.1.0") -> None:
    """A snapshot half way with another body, whole by its hash."""
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        (snapshot,) = ledger.snapshots()
        body = json.loads(snapshot.body)
        change(body)
        head = replace(ledger.head, seq=snapshot.seq, hash=snapshot.head)
        ledger.save_snapshot(take_snapshot(head, version, canonical(body)))


def put_row(path: Path, fields: dict[str, Any]) -> None:
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        ledger.append([canonical(fields)], [])


def test_a_sound_ledger_is_folded_from_its_first_row_and_is_what_the_older_version_kept(copy: Path) -> None:
    trial = tried(copy)
    assert trial.reasons == []
    assert (trial.rows, trial.head, trial.written_by) == (ROWS, GOLDEN.about["head"], "1.0")
    assert trial.compared == [Compared(HALF, GOLDEN.about["version"], whole=True, same=True)]
    assert (trial.schema, trial.file_after, trial.starts_with) == (GOLDEN.schema, NEWEST_VERSION, [])
    assert accounts_of(trial.state) == GOLDEN.about["accounts"]


def test_a_ledger_whose_facts_are_in_archives_is_folded_without_them(tmp_path: Path) -> None:
    """Of the first schema, in a file of version 1; a snapshot among the archived rows is compared with nothing."""
    oldest, folder = goldens()[0], tmp_path / "archive"
    copy = oldest.put(tmp_path)
    folder.mkdir()
    with closing(open_ledger(url_of(copy), SITE)) as ledger:
        done = archive(ledger, folder, None, OwnHands(ledger))
        assert done.facts > 100
    trial = tried(copy)
    assert (trial.reasons, trial.compared) == ([], [])
    assert trial.rows > oldest.about["rows"]
    assert accounts_of(trial.state) == oldest.about["accounts"]


def test_what_another_version_had_otherwise_is_named(copy: Path) -> None:
    def harm(body: dict[str, Any]) -> None:
        body["tables"]["T01"]["round"] = 99

    put_snapshot(copy, harm)
    trial = tried(copy)
    (reason,) = trial.reasons
    assert reason.startswith(f"after row {HALF} jackpotd 0.1.0 had another state.tables.T01.round: 99, now ")
    assert trial.compared == [Compared(HALF, "0.1.0", whole=True, same=False)]


def test_of_a_snapshot_of_another_shape_every_amount_is_compared(copy: Path) -> None:
    put_snapshot(copy, lambda body: body.update(weather="fair"), "0.0.9")
    trial = tried(copy)
    assert trial.reasons == []
    assert trial.compared == [Compared(HALF, "0.0.9", whole=False, same=True)]

    def harm(body: dict[str, Any]) -> None:
        body["pools"]["stud-main"]["reserve_atoms"] = "1"

    put_snapshot(copy, harm, "0.0.9")
    (reason,) = tried(copy).reasons
    assert reason.startswith(f"after row {HALF} jackpotd 0.0.9 had another state.stud-main.reserve: 1, now ")


@pytest.mark.parametrize("schema", [1, TODAY.newest, NEXT])
def test_the_state_of_a_version_of_another_schema_is_compared_whole_where_its_shape_is_the_same(
    copy: Path, schema: int
) -> None:
    put_snapshot(copy, lambda body: body.update(schema=schema))
    trial = tried(copy)
    assert trial.reasons == []
    assert trial.compared == [Compared(HALF, "0.1.0", whole=True, same=True)]


@pytest.mark.parametrize("body", [{}, {"pools": []}, {"schema": "1"}, {"schema": 2}, {"pools": {"stud-main": {}}}])
def test_a_snapshot_that_says_no_amounts_is_no_proof(copy: Path, body: dict[str, Any]) -> None:
    def harm(found: dict[str, Any]) -> None:
        found.clear()
        found.update(body)

    put_snapshot(copy, harm)
    trial = tried(copy)
    assert not trial.compared[0].same
    assert trial.reasons


def test_a_row_of_a_newer_schema_speaks_against_it(copy: Path) -> None:
    put_row(copy, {"kind": "day_closed", "row": "entry", "schema": NEXT})
    (reason,) = tried(copy).reasons
    assert reason.startswith(f"row {ROWS + 1} is of schema {NEXT}, kind 'day_closed': this jackpotd reads up to")


def test_a_row_that_cannot_be_read_speaks_against_it(copy: Path) -> None:
    put_row(copy, {"kind": "unheard_of", "row": "entry", "schema": 1})
    assert tried(copy).reasons == [f"row {ROWS + 1} is of the unknown kind 'unheard_of'"]


def test_a_row_that_breaks_the_laws_speaks_against_it(copy: Path) -> None:
    with closing(open_ledger(url_of(copy), SITE)) as ledger:
        ledger.append([canonical({"row": "fact", "schema": 1, "kind": "fact"})], [Mark("BP-9", 1, 1)])
    reasons = tried(copy).reasons
    assert f"row {ROWS + 1} is a fact without source, journal and seq" in reasons
    assert "the mark of BP-9, journal 1, is 1, but no row has that fact" in reasons


def test_a_version_that_cannot_take_a_row_says_which(copy: Path) -> None:
    trial = tried(copy, codec_after(e.PoolAdjusted, lambda fields: {**fields, "pool": "nowhere"}))
    (reason,) = trial.reasons
    assert reason.endswith("cannot take effect: KeyError 'nowhere'")
    assert reason.startswith("row ")


def test_a_version_that_counts_otherwise_is_found_by_the_postings(copy: Path) -> None:
    def elsewhere(fields: dict[str, Any]) -> dict[str, Any]:
        """As a version would read it that takes an adjustment from the reserve."""
        moved = [{**one, "account": one["account"].replace("pool:", "reserve:")} for one in fields["postings"]]
        return {**fields, "postings": moved}

    reasons = tried(copy, codec_after(e.PoolAdjusted, elsewhere)).reasons
    assert [reason.partition(" is ")[0] for reason in reasons] == ["pool:stud-main", "reserve:stud-main"]
    assert all("in the state, and not what its postings add up to" in reason for reason in reasons)


def test_money_of_a_pool_that_the_state_does_not_have_speaks_against_it(copy: Path) -> None:
    moved = [{"account": "pool:lost", "atoms": "7"}, {"account": "house:lost", "atoms": "-7"}]
    put_row(copy, {"kind": "unheard_of", "row": "entry", "schema": 1, "postings": moved})
    assert [reason for reason in tried(copy, Blind()).reasons if "pool:lost" in reason] == [
        "pool:lost has 7 atoms in its postings, and no pool has them"
    ]


class Blind(RowCodec):
    """A version that takes a row that it does not know for another one."""

    def __init__(self) -> None:
        self.__dict__.update(row_codec().__dict__)

    def decode(self, body: bytes, row: int | None = None, *, must_be_canonical: bool = False) -> f.Fact | e.Entry:
        if b"unheard_of" in body:
            return e.StorageNoted(1, low=False)
        return super().decode(body, row, must_be_canonical=must_be_canonical)


def test_a_start_that_the_core_refuses_speaks_against_it(copy: Path) -> None:
    def refused(_: State) -> f.Fact:
        raise RuleError("no such table")

    assert tried(copy, start=refused).reasons == ["a start would fail: RuleError no such table"]


def test_a_ledger_of_another_site_or_none_speaks_against_it(copy: Path, tmp_path: Path) -> None:
    assert tried(copy, site="macau").reasons == [f"the ledger {copy} is of site 'lisboa', not 'macau'"]
    (tmp_path / "text").write_text("no ledger")
    assert tried(tmp_path / "text").reasons == [
        f"reading the ledger {tmp_path / 'text'} failed: file is not a database"
    ]


# ---- the way back


def test_without_a_new_shape_one_can_go_back_at_any_time() -> None:
    trial = Trial(schema=TODAY.newest)
    assert way_back(trial) == f"at any time, for a version that reads schema {TODAY.newest}"


def test_with_one_until_its_first_row(copy: Path) -> None:
    codec = codec_after(f.CloseTable, lambda fields: fields)
    assert way_back(Trial(schema=TODAY.newest), codec) == (
        "until the first row of close_table; from then on with the backup made before the switch"
    )
    assert tried(copy, codec).starts_with == []
    close = f.CloseTable(f.By("sam", "supervisor"), "T02")
    put_row(copy, json.loads(codec.encode(f.Fact("x", 1, 1, 1, 1, "", "", "", "", False, close))))
    trial = tried(copy, codec)
    assert (trial.schema, trial.schema_row) == (NEXT, ROWS + 1)
    assert way_back(trial, codec) == f"at any time, for a version that reads schema {NEXT}"


def test_with_one_that_comes_without_an_act_only_the_first_start_is_certain() -> None:
    codec = codec_after(f.ClockSaid, lambda fields: fields)
    assert way_back(Trial(schema=TODAY.newest), codec) == (
        "until the first start, for clock_said may come by itself, then or at any time; else until the first row of"
        " clock_said; from then on with the backup made before the switch"
    )


def test_with_one_that_the_start_writes_until_the_start(copy: Path) -> None:
    codec = codec_after(e.EpochBegan, lambda fields: fields)
    trial = tried(copy, codec)
    assert trial.starts_with == ["epoch_began"]
    assert way_back(trial, codec).startswith("until the first start, which writes epoch_began; from then on")


def test_with_another_file_format_only_by_the_backup() -> None:
    assert way_back(Trial(file_before=1, file_after=2)).startswith("only with the backup")


# ---- the copy


def test_a_copy_leaves_nothing_beside_a_ledger_that_nobody_has_open(copy: Path, tmp_path: Path) -> None:
    before = {path.name: path.stat() for path in tmp_path.iterdir()}
    aside = tmp_path / "aside"
    aside.mkdir()
    copy_aside(copy, aside / "ledger.db")
    aside_stat = {path.name: path.stat() for path in tmp_path.iterdir() if path != aside}
    assert {name: (s.st_mtime_ns, s.st_size) for name, s in aside_stat.items()} == {
        name: (s.st_mtime_ns, s.st_size) for name, s in before.items()
    }
    assert tried(aside / "ledger.db").reasons == []


def test_a_copy_beside_a_writer_is_of_one_moment(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    (tmp_path / "aside").mkdir()
    with closing(open_ledger(url_of(path), SITE, create="u")) as ledger:
        append_said(ledger, range(1, 200))
        names = {one.name for one in tmp_path.iterdir()}
        copy_aside(path, tmp_path / "aside" / "ledger.db", lambda *_: append_said(ledger, [next(seqs)]))
        assert {one.name for one in tmp_path.iterdir()} == names
    with closing(open_ledger(url_of(tmp_path / "aside" / "ledger.db"), SITE)) as copied:
        assert copied.head.seq == 398


seqs = iter(range(1_000, 2_000))


def test_a_copy_is_made_again_where_a_writer_came_meanwhile(copy: Path, tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    came: list[int] = []

    def come(_done: int, _of: int) -> None:
        if not came:
            came.append(1)
            put_row(copy, {"kind": "alarm_cleared", "row": "entry", "schema": 1, "at_ms": 1, "alarm": "none"})

    copy_aside(copy, aside / "ledger.db", come)
    assert tried(aside / "ledger.db").rows == ROWS + 1


def test_there_is_no_copy_of_no_ledger(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no ledger")
    with pytest.raises(LedgerError, match="reading the ledger"):
        copy_aside(tmp_path / "text", tmp_path / "copy")
