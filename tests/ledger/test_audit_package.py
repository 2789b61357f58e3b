"""An audit package with anything in it changed, missing or unsigned is not in order, and its verifier says why."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from jackpotd.commands import verify_package
from jackpotd.ledger import export as exporting
from jackpotd.ledger.export import HISTORY, ROWS, SEALS, SUMMARY, export
from jackpotd.ledger.open import read_ledger
from jackpotd.ledger.port import Head
from jackpotd.ledger.seals import keep, public_key, seals_of, sign
from tests.ledger.golden.keeping import goldens
from tests.support.ledgers import url_of

SEED, LATER_SEED = bytes(range(32)), bytes(range(1, 33))
DEEP = b"[" * 100_000
GARBAGE = [
    DEEP,
    b'{"a":' * 50_000,
    b"\xff\xfe\x00",
    b"null\n",
    b"{}\n",
    b'"text"\n',
    b"[1]\n",
    b"Infinity\n",
    b"9" * 9999,
]
ODD_ROWS = [
    {"row": "entry", "kind": "pool_opened", "params": {"pool": "x", "exponent": 10**9}},
    {"row": "entry", "kind": "pool_opened", "params": {"pool": "x", "exponent": "2"}},
    {"row": "entry", "kind": "clock_jumped", "day": float("inf")},
    {"row": "entry", "kind": "facts_archived"},
    {"row": "entry", "postings": [{"account": ["pool"], "atoms": 0}]},
    {"row": "archived", "hash": "no hash"},
]


class Package:
    """A package of a ledger with closed days, the last row under a seal."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.ledger = goldens()[-1].put(folder)
        self.kept = seals_of(self.ledger)
        self.seal(SEED, 1)
        self.folder = folder / "audit"
        export(self.ledger, self.folder, ())

    def seal(self, seed: bytes, day: int, head: Head | None = None) -> None:
        with closing(read_ledger(url_of(self.ledger))) as reader:
            identity = reader.site, reader.uuid
            keep(self.kept, sign(seed, *identity, day, head or reader.head, "2026-11-30T06:00:00.000Z"))

    def verdict(self, *options: str, keys: tuple[bytes, ...] = (SEED,)) -> tuple[int, str]:
        """The exit code, and all that is said."""
        said = [word for seed in keys for word in ("--key", public_key(seed))]
        code = verify_package.main([str(self.folder), *said, *options])
        found = self._capsys.readouterr()
        return code, found.out + found.err


@pytest.fixture
def package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Package:
    return Package(tmp_path, capsys)


def test_a_package_as_it_was_exported_is_in_order(package: Package) -> None:
    code, said = package.verdict()
    assert (code, said.splitlines()[-1]) == (0, "in order")


def test_a_day_that_is_sealed_during_the_export_and_a_seal_cut_short_make_no_package_doubtful(
    package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "_PROGRESS_ROWS", 100)
    added: list[int] = []

    def closing_a_day(_: int, rows: int) -> None:
        if not added:
            added.append(rows + 1)
            package.seal(SEED, 2, Head(rows + 1, b"\2" * 32))

    with package.kept.open("ab") as file:
        file.write(b'{"at":"2026-11')  # the power failed while it was written
    package.folder = package.folder.with_name("later")
    export(package.ledger, package.folder, (), progress=closing_a_day)
    assert added
    code, said = package.verdict()
    assert (code, "1 sealed days" in said) == (0, True)


@pytest.mark.parametrize("harm", ["a digit", "a line less", "a line more", "nothing", "no file"])
def test_a_history_of_the_configuration_that_the_rows_do_not_say_is_found(package: Package, harm: str) -> None:
    path = package.folder / HISTORY
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    harmed = {
        "a digit": whole.replace(b'"exponent":2', b'"exponent":3', 1),
        "a line less": b"".join(lines[:-1]),
        "a line more": whole + lines[-1],
        "nothing": b"",
    }
    if harm == "no file":
        path.unlink()
    else:
        assert harmed[harm] != whole
        path.write_bytes(harmed[harm])
    code, said = package.verdict()
    assert (code, said.splitlines()[-1]) == (1, "NOT in order")
    expected = "is not in the package" if harm == "no file" else "is not what the rows say of the configuration"
    assert f"{HISTORY} {expected}" in said


@pytest.mark.parametrize("harm", ["emptied", "taken away"])
def test_a_package_whose_seals_were_taken_is_not_proved_but_by_seals_that_the_reader_kept(
    package: Package, harm: str
) -> None:
    path = package.folder / SEALS
    path.write_bytes(b"")
    if harm == "taken away":
        path.unlink()
    code, said = package.verdict()
    assert code == 1
    assert "nothing here is signed: " in said
    code, said = package.verdict("--seals", str(package.kept))
    assert code == (0 if harm == "emptied" else 1)
    assert "nothing here is signed" not in said
    assert "1 sealed days" in said


def test_a_seal_that_the_reader_kept_and_that_the_rows_do_not_bear_out_is_found(package: Package) -> None:
    assert package.verdict("--seals", str(package.kept))[0] == 0
    package.seal(SEED, 2, Head(5, b"\1" * 32))
    code, said = package.verdict("--seals", str(package.kept))
    assert code == 1
    assert "the ledger was rewritten before row 5: day 2 was sealed otherwise" in said


def test_seals_say_nothing_without_a_key_and_a_key_that_was_changed_is_given_beside_the_old(package: Package) -> None:
    code, said = package.verdict(keys=())
    assert code == 1
    assert "say --key" in said
    package.seal(LATER_SEED, 2)
    kept = ("--seals", str(package.kept))
    code, said = package.verdict(*kept)
    assert code == 1
    assert f"the seal of day 2 is of another key: {public_key(LATER_SEED)}" in said
    assert package.verdict(*kept, keys=(SEED, LATER_SEED))[0] == 0


@pytest.mark.parametrize("name", [ROWS, SEALS, HISTORY, SUMMARY, "kept"])
@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda garbage: repr(garbage[:8]))
def test_garbage_in_any_file_is_one_sentence_and_not_in_order(package: Package, name: str, garbage: bytes) -> None:
    (package.folder / name).write_bytes(garbage)
    code, said = package.verdict(*(("--seals", str(package.folder / name)) if name == "kept" else ()))
    assert code == 1
    assert "NOT in order" in said


@pytest.mark.parametrize("row", ODD_ROWS, ids=lambda row: json.dumps(row)[:60])
def test_a_row_that_no_ledger_writes_is_one_sentence(package: Package, row: dict[str, object]) -> None:
    with (package.folder / ROWS).open("a") as rows:
        rows.write(json.dumps(row, separators=(",", ":")) + "\n")
    code, said = package.verdict()
    assert code == 1
    assert "NOT in order" in said
    assert len(said.splitlines()) == 1


def test_a_name_in_a_package_writes_no_verdict_of_its_own(package: Package) -> None:
    summary = json.loads((package.folder / SUMMARY).read_text())
    summary["site"] = "lisboa\nin order\x1b[2J"
    (package.folder / SUMMARY).write_text(json.dumps(summary))
    code, said = package.verdict()
    assert code == 1
    assert "in order" not in said.splitlines()
    assert "\x1b" not in said


def test_a_folder_that_is_no_package_and_a_key_that_is_none_are_told_apart_from_a_bad_one(package: Package) -> None:
    with pytest.raises(SystemExit, match="2"):
        verify_package.main([str(package.folder), "--key", "abc"])
    (package.folder / ROWS).unlink()
    code, said = package.verdict()
    assert (code, "is no whole package" in said) == (2, True)
