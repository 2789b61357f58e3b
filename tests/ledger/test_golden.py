"""Ledgers of every schema, kept as the program of their time wrote them: today's reads them and goes on with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jackpotd.commands import verify_package
from jackpotd.core import facts as f
from jackpotd.core.decide import decide
from jackpotd.core.state import State
from jackpotd.ledger.backup import back_up
from jackpotd.ledger.export import export
from jackpotd.ledger.open import open_ledger, read_ledger
from jackpotd.ledger.port import Ledger
from jackpotd.ledger.restore import encode_state, restore
from jackpotd.ledger.rows import decode_row, encode_row
from jackpotd.ledger.schemas import CHANGES, newest_of
from jackpotd.ledger.shapes import kind_of
from jackpotd.ledger.snapshots import take_snapshot
from jackpotd.ledger.verify import verify_url
from tests.ledger.golden.keeping import Golden, accounts_of, append, goldens
from tests.ledger.golden.play import day
from tests.ledger.golden.shapes import KINDS, numbered_shapes
from tests.support.ledgers import SITE, all_rows, url_of

NEWEST = goldens()[-1]
OTHER_VERSION = "another"
# What a state said once and says no more, or otherwise: its schema, and when a table closed (now: after which hit).
NO_LOSS = {"schema", "closed_ms"}
HOW = "jackpotd/ledger/schemas.py says what to do when a row changes"


@pytest.fixture(params=goldens(), ids=lambda golden: f"schema {golden.schema}")
def golden(request: pytest.FixtureRequest) -> Golden:
    kept: Golden = request.param
    return kept


@pytest.fixture
def path(golden: Golden, tmp_path: Path) -> Path:
    """The file as the program of its time left it."""
    return golden.put(tmp_path)


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    """It, opened by today's program as a daemon does."""
    with closing(open_ledger(url_of(path), SITE)) as opened:
        yield opened


def in_rows(rows: list[bytes]) -> set[str]:
    """Kinds of rows and words."""
    found = [json.loads(row) for row in rows]
    return {row["kind"] for row in found} | {row["what"]["kind"] for row in found if row["row"] == "fact"}


def lost(today: Any, then: Any, where: str = "state") -> list[str]:
    """Where a state no longer says what it said then; what came since is no loss."""
    if isinstance(then, dict) and isinstance(today, dict):
        kept = then.keys() - NO_LOSS
        gone = [f"{where}.{name} is gone" for name in kept - today.keys()]
        return gone + [one for name in kept & today.keys() for one in lost(today[name], then[name], name)]
    if isinstance(then, list) and isinstance(today, list) and len(then) == len(today):
        return [one for pair in zip(today, then, strict=True) for one in lost(*pair, where)]
    return [] if today == then else [f"{where}: {today!r}, then {then!r}"]


# ---- every schema


def test_the_file_verifies_and_holds_the_rows_that_were_written(golden: Golden, path: Path) -> None:
    verdict = verify_url(url_of(path))
    assert verdict.findings == ()
    assert (verdict.rows, verdict.head.hash.hex()) == (golden.about["rows"], golden.about["head"])
    with closing(read_ledger(url_of(path))) as reader:
        assert [row.body for row in all_rows(reader)] == golden.rows


def test_folded_from_the_first_row_it_is_the_state_of_then_to_the_atom(golden: Golden, ledger: Ledger) -> None:
    restored = restore(ledger, OTHER_VERSION)
    assert (restored.snapshot_seq, restored.replayed) == (0, golden.about["rows"])
    then = {name: kept for name, kept in golden.state.items() if name != "schema"}
    assert lost(json.loads(encode_state(restored.state)), then) == []
    assert accounts_of(restored.state) == golden.about["accounts"]


def test_from_its_snapshot_it_is_the_same_state(golden: Golden, ledger: Ledger) -> None:
    """Or the snapshot is of another shape, and is passed over."""
    restored = restore(ledger, golden.about["version"])
    assert restored.snapshot_seq in (0, golden.about["snapshot"])
    assert encode_state(restored.state) == encode_state(restore(ledger, OTHER_VERSION).state)


def test_it_goes_on_with_todays_rows(golden: Golden, path: Path) -> None:
    """Twice, as starts do: the day's hit of the whole pool is approved, and its table closed."""
    acts: tuple[f.Act, ...] = (
        f.ApproveHit(f.By("sam", "supervisor"), "T02.2.other.royal_flush"),
        f.CloseTable(f.By("sam", "supervisor"), "T02"),
    )
    state = State()
    for act in acts:
        with closing(open_ledger(url_of(path), SITE)) as ledger:
            state = restore(ledger, golden.about["version"]).state
            go_on(ledger, state, act)
            ledger.save_snapshot(take_snapshot(ledger.head, golden.about["version"], encode_state(state)))
    assert (state.hits["T02.2.other.royal_flush"].status, state.tables["T02"].open) == ("approved", False)
    verdict = verify_url(url_of(path))
    assert verdict.findings == ()
    assert verdict.rows > golden.about["rows"]


def go_on(ledger: Ledger, state: State, act: f.Act) -> None:
    """Decide and commit."""
    source = f"operator/{act.by.name}"
    seq = state.marks.get(f"{source}#1", 0) + 1
    fact = f.Fact(source, 1, seq, 9_000_000, 9_000_000, "", "", "", "", False, act)
    entries = decide(state, fact)
    assert entries is not None
    append(ledger, [encode_row(fact), *map(encode_row, entries)])


def test_its_backup_and_its_audit_package_verify(golden: Golden, path: Path, tmp_path: Path) -> None:
    assert back_up(path, tmp_path / "copy.db").head.hash.hex() == golden.about["head"]
    export(path, tmp_path / "audit", (Path(verify_package.__file__),))
    audit = verify_package.Audit(tmp_path / "audit")
    audit.run()
    assert audit.faults == []
    assert audit.balances["pool:stud-main"] == golden.about["accounts"]["stud-main"]["pool"]
    assert (tmp_path / "audit" / "rows.jsonl").read_bytes().splitlines() == golden.rows


def test_its_audit_package_names_the_days_whose_clock_was_in_doubt(
    golden: Golden, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export(path, tmp_path / "audit", (Path(verify_package.__file__),))
    assert verify_package.main([str(tmp_path / "audit")]) == 0
    named = [line for line in capsys.readouterr().out.splitlines() if line.startswith("provisional")]
    said = ["provisional, as the clock was in doubt: gaming day 1, 2; amounts and order stand"]
    assert named == ([] if golden.schema == 1 else said)


def test_what_did_not_change_since_is_written_as_it_was_to_the_byte(golden: Golden) -> None:
    shapes = {kind: schema for schema, kind, _ in numbered_shapes()}
    for row in golden.rows:
        found = json.loads(row)
        words = [found["kind"], *([found["what"]["kind"]] if found["row"] == "fact" else [])]
        if max(shapes[word] for word in words) <= golden.schema:
            assert encode_row(decode_row(row)) == row


# ---- the newest one


def test_a_snapshot_of_todays_shape_is_used(tmp_path: Path) -> None:
    path = NEWEST.put(tmp_path)
    with closing(open_ledger(url_of(path), SITE)) as ledger:
        assert restore(ledger, NEWEST.about["version"]).snapshot_seq == NEWEST.about["snapshot"]


@pytest.mark.parametrize("harm", ["less", "more", "another version"])
def test_a_snapshot_of_another_shape_falls_back_to_the_rows(harm: str, tmp_path: Path) -> None:
    version = NEWEST.about["version"]
    with closing(open_ledger(url_of(NEWEST.put(tmp_path)), SITE)) as ledger:
        (snapshot,) = ledger.snapshots()
        body = json.loads(snapshot.body)
        if harm == "less":
            del body["day"]
        elif harm == "more":
            body["weather"] = "fair"
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        other = take_snapshot(replace(ledger.head, seq=snapshot.seq, hash=snapshot.head), version, text)
        ledger.save_snapshot(replace(other, version="0") if harm == "another version" else other)
        restored = restore(ledger, version)
        assert restored.snapshot_seq == 0
        assert accounts_of(restored.state) == NEWEST.about["accounts"]


# ---- the next engineer


def test_every_schema_has_its_golden_ledger() -> None:
    assert [golden.schema for golden in goldens()] == list(range(1, newest_of(CHANGES) + 1)), HOW


def test_no_shape_changed_without_a_number() -> None:
    kept = {golden.schema: golden.shapes for golden in goldens()}
    for schema, kind, shape in numbered_shapes():
        assert kept[schema].get(kind) == shape, f"{kind} is not what schema {schema} kept: {HOW}"


def test_the_day_that_is_played_and_the_newest_golden_ledger_hold_every_kind() -> None:
    every = {kind_of(cls) for cls in KINDS}
    assert every - in_rows(day().rows) == set(), "play it in tests/ledger/golden/play.py"
    assert every - in_rows(NEWEST.rows) == set(), HOW
