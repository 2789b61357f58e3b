"""A person's Ctrl-C ends a command at once, quietly, and nothing half done is left."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from jackpotd.cli import main
from tests.ledger.golden.keeping import goldens
from tests.support.quiet_house import QuietHouse

BROKEN_OFF = 130


def broken_off(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        (("ledger", "verify"), "jackpotd.commands.ledger.verify_url"),
        (("ledger", "backup", "--to", "{to}"), "jackpotd.ledger.backup.verify_url"),
        (("ledger", "export", "--to", "{to}"), "jackpotd.ledger.export.sync"),
        (("ledger", "newkey", "--to", "{to}"), "os.fsync"),
        (("upgrade", "check"), "jackpotd.commands.upgrade.try_upgrade"),
    ],
)
def test_a_command_that_is_broken_off_says_nothing_and_leaves_nothing(
    words: tuple[str, ...],
    moment: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, spare = tmp_path / "house", tmp_path / "spare"
    folder.mkdir()
    spare.mkdir()
    goldens()[-1].put(folder)
    house = QuietHouse(folder)
    monkeypatch.setenv("JACKPOTD_CONFIG", str(house.write_config()))
    monkeypatch.setattr(tempfile, "tempdir", str(spare))
    monkeypatch.setattr(moment, broken_off)
    assert main([word.format(to=spare / "to") for word in words]) == BROKEN_OFF
    assert capsys.readouterr() == ("", "")
    assert list(spare.iterdir()) == []
