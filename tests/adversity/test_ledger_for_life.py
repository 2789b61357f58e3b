"""A ledger kept for years: backed up while it runs, restored elsewhere, sealed, exported, its past unalterable."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from jackpotd.ledger.seals import public_key
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.plays import JournaledPlay
from tests.support.sources import ROOT
from tests.support.until import until

SEED = bytes(range(32))


def sealed(floor: Floor) -> dict[str, object]:
    """The [ledger] block of a house that seals its days."""
    key = floor.folder / "seal-key"
    key.write_text(SEED.hex() + "\n")
    return {"url": f"sqlite:///{floor.ledger}", "min_free": "1MiB", "seal_key_file": str(key)}


def close_day(floor: Floor, person: str = "ada") -> None:
    floor.person(person, "accounting").does("day.close")


def seals(floor: Floor) -> list[dict[str, object]]:
    path = floor.ledger.with_name("ledger.db.seals")
    if not path.exists():
        return []
    *whole, _ = path.read_text().split("\n")  # a line is a seal once it has its end
    return [json.loads(line) for line in whole]


def played(floor: Floor) -> JournaledPlay:
    """A house that has played a round with a hit, and closed its day."""
    play = JournaledPlay(floor)
    floor.start(ledger=sealed(floor))
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    play.deal_rest()
    floor.seen.table("T02", phase="dealt")
    play.finish()
    play.prizes()
    floor.seen.meter(play.pool, play.pencil.meter)
    close_day(floor)
    until(lambda: len(seals(floor)) == 1, "the seal of the day")
    return play


def verify_package(folder: Path, key: str = "") -> subprocess.CompletedProcess[str]:
    """The package's own verifier, under a Python that finds nothing of ours."""
    command = [sys.executable, "-I", "-S", str(folder / "verify_package.py"), str(folder)]
    key = key or public_key(SEED)
    return subprocess.run([*command, "--key", key], capture_output=True, text=True, cwd="/", check=False)


def export(floor: Floor, name: str) -> Path:
    folder = floor.folder / name
    floor.command("ledger", "export", "--to", str(folder))
    return folder


def rewrite(floor: Floor, old: bytes, new: bytes) -> None:
    """Somebody with every right on the machine writes the past anew, all hashes after it too."""
    with closing(sqlite3.connect(floor.ledger, isolation_level=None)) as file:
        guards = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            file.execute(f"DROP TRIGGER {name}")
        ((site, uuid),) = file.execute("SELECT site, uuid FROM ledger").fetchall()
        previous = sha256((site + uuid).encode()).digest()
        changed = 0
        for seq, body in file.execute("SELECT seq, body FROM row ORDER BY seq").fetchall():
            changed += old in body
            previous = sha256(previous + body.replace(old, new)).digest()
            file.execute("UPDATE row SET body = ?, hash = ? WHERE seq = ?", (body.replace(old, new), previous, seq))
        assert changed
        file.execute("DELETE FROM snapshot")
        for _, sql in guards:
            file.execute(sql)


def test_a_day_is_sealed_once_and_a_seal_that_a_power_cut_prevented_comes_at_the_next_start(floor: Floor) -> None:
    played(floor)
    floor.kill()
    floor.start(ledger=sealed(floor))
    floor.person("eva", "accounting").does("day.close", day=2)
    until(lambda: len(seals(floor)) == 2, "the second seal")
    floor.kill()
    kept = floor.ledger.with_name("ledger.db.seals")
    kept.write_text(kept.read_text()[:-30])  # the power failed while it was written
    floor.start(ledger=sealed(floor))
    until(lambda: len(seals(floor)) == 2 and kept.read_text().endswith("\n"), "the second seal again")
    assert [seal["day"] for seal in seals(floor)] == [1, 2]


def test_a_package_is_verified_by_one_file_and_adds_up_every_pool(floor: Floor) -> None:
    play = played(floor)
    found = verify_package(export(floor, "audit"))
    assert found.returncode == 0, found.stdout + found.stderr
    assert "1 sealed days" in found.stdout
    assert f"{play.pencil.meter}  pool:{play.pool}" in found.stdout
    rows = (floor.folder / "audit" / "rows.jsonl").read_bytes().splitlines()
    assert [json.loads(row) for row in rows] == raw_ledger.rows(floor.ledger)[: len(rows)]
    history = (floor.folder / "audit" / "configuration.jsonl").read_text().splitlines()
    kinds = {json.loads(line)["row"].get("what", {}).get("kind") for line in history}
    assert {"controller_started", "site_configured"} <= kinds


def test_a_rewritten_past_shows_to_whoever_has_only_the_seals(floor: Floor) -> None:
    played(floor)
    honest = export(floor, "honest")
    floor.stop()
    rewrite(floor, b'"straight_flush"', b'"full_house"')
    assert floor.command("ledger", "verify")["ok"], "a rewrite that hashes alone would show proves nothing"
    forged = export(floor, "forged")
    found = verify_package(forged)
    assert found.returncode == 1
    assert "the ledger was rewritten before row" in found.stdout
    # Seals made anew by somebody without the key.
    lines = [json.loads(line) for line in (forged / "seals.jsonl").read_text().splitlines()]
    rows = (forged / "rows.jsonl").read_bytes().splitlines()
    summary = json.loads((forged / "summary.json").read_text())
    previous = sha256((summary["site"] + summary["ledger"]).encode()).digest()
    for row in rows[: lines[0]["seq"]]:
        previous = sha256(previous + row).digest()
    lines[0]["hash"] = previous.hex()
    (forged / "seals.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = verify_package(forged)
    assert found.returncode == 1
    assert "is forged: its signature does not hold" in found.stdout
    assert verify_package(honest).returncode == 0
    assert verify_package(honest, key="00" * 32).returncode == 1


@pytest.mark.parametrize("harm", ["a row less", "a row more", "no seals", "half a file"])
def test_a_package_that_is_not_whole_is_not_in_order(floor: Floor, harm: str) -> None:
    played(floor)
    folder = export(floor, "audit")
    rows = folder / "rows.jsonl"
    lines = rows.read_bytes().splitlines(keepends=True)
    if harm == "a row less":
        rows.write_bytes(b"".join(lines[:3] + lines[4:]))
    elif harm == "a row more":
        rows.write_bytes(b"".join([*lines, lines[-1]]))
    elif harm == "no seals":
        (folder / "seals.jsonl").unlink()
    else:
        rows.write_bytes(rows.read_bytes()[:-200])
    found = verify_package(folder)
    assert found.returncode in (1, 2)
    assert "Traceback" not in found.stderr


def test_a_backup_made_under_load_is_restored_on_a_new_machine_and_the_signs_accept_it(floor: Floor) -> None:
    play = played(floor)
    table = play.table
    floor.command("ledger", "backup", "--to", str(floor.folder / "backup"))
    epoch = floor.seen.epoch
    table.place(5, "raise")
    floor.stop()
    for path in floor.folder.glob("ledger.db*"):
        path.unlink()
    (floor.folder / "operators.db").unlink()
    for path in (floor.folder / "backup").iterdir():
        shutil.copy(path, floor.folder)
    assert floor.command("ledger", "verify")["ok"]
    floor.start(ledger=sealed(floor))
    assert floor.seen.epoch > epoch
    floor.seen.meter(play.pool, play.pencil.meter)
    assert [seal["day"] for seal in seals(floor)] == [1]
    # The operators are those of the backup.
    listed = floor.command("operator", "list")
    assert [operator["name"] for operator in listed] == ["ada"]


def beside(floor: Floor) -> set[str]:
    """What lies beside the ledger; the ballast comes and goes by the daemon's own watch."""
    return {path.name for path in floor.folder.glob("ledger.db*")} - {"ledger.db.ballast"}


def test_an_upgrade_is_checked_on_a_copy_while_the_daemon_runs_and_it_plays_on(floor: Floor) -> None:
    play = played(floor)
    names = beside(floor)
    found = floor.command("upgrade", "check")
    assert (found["ok"], found["reasons"]) == (True, [])
    assert found["pools"][play.pool]["pool"] == play.pencil.meter
    assert beside(floor) == names
    play.table.place(5, "raise")
    floor.stop()
    before = {path.name: path.read_bytes() for path in floor.folder.glob("ledger.db*")}
    assert floor.command("upgrade", "check")["ok"]
    assert {path.name: path.read_bytes() for path in floor.folder.glob("ledger.db*")} == before


def test_backup_and_export_say_no_in_one_sentence(floor: Floor) -> None:
    played(floor)
    for action in ("backup", "export"):
        (floor.folder / action).mkdir()
        command = [sys.executable, "-m", "jackpotd.cli", "ledger", action, "--to", str(floor.folder / action)]
        command += ["--config", str(floor.config)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "overwrites nothing" in done.stderr


def test_a_new_key_is_for_its_owner_alone_and_overwrites_none(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "jackpotd.cli", "ledger", "newkey", "--json", "--to", str(tmp_path / "key")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    seed = bytes.fromhex((tmp_path / "key").read_text())
    assert json.loads(done.stdout)["public_key"] == public_key(seed)
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert again.returncode == 1
    assert bytes.fromhex((tmp_path / "key").read_text()) == seed
