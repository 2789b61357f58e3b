"""What a daemon records of a floor, a replay makes into the ledger's own rows, byte for byte (design 4)."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.floor_config import Block
from tests.support.people import PASSWORD, NoError
from tests.support.plays import BarePlay, JournaledPlay, SequencedPlay
from tests.support.replaying import Replayed, replay
from tests.support.until import until

KEY = bytes(range(0x10, 0x20))


def capture(floor: Floor, **more: object) -> Block:
    return {"dir": str(floor.folder / "captures"), **more}


def captures(floor: Floor) -> list[Path]:
    return sorted((floor.folder / "captures").iterdir())


def check_replay(floor: Floor, *files: Path) -> Replayed:
    """The replay gives the ledger's rows, as many as the ledger has."""
    done = replay(floor.config, *(files or [floor.folder / "captures"]))
    assert (done.code, done.rows) == (0, raw_ledger.bodies(floor.ledger)), done.said
    return done


def test_a_floor_with_people_and_a_lost_device_is_replayed_row_by_row(floor: Floor) -> None:
    stud, baccarat = BarePlay(floor), SequencedPlay(floor, key=KEY)
    floor.start(capture=capture(floor))
    ana, bento = floor.person("ana", "supervisor"), floor.person("bento", "surveillance")
    for play in (stud, baccarat):
        play.bets()
    stud.table.now(lambda _: stud.table.panel.bus.power_off())
    floor.seen.table("T01", progressive="closed", devices=lambda devices: devices["panel"] == "offline")
    stud.table.now(stud.table.panel.bus.power_on)
    floor.seen.table("T01", progressive="open")
    stud.table.wait_open()
    for play in (stud, baccarat):
        play.lock()
        floor.seen.meter(play.pool, play.pencil.bets(2))
        play.deal_some()
        play.deal_rest()
        play.finish()
        play.prizes()
        floor.seen.hit(play.pool, play.hit, "pending")
    ana.does("hit.approve", hit=stud.hit)
    with pytest.raises(NoError):
        ana.does("hit.pay", hit=baccarat.hit, slip="0")
    with pytest.raises(NoError):
        bento.does("hit.reject", hit=baccarat.hit, why="the second ace was marked")
    ana.does("hit.reject", hit=baccarat.hit, why="the second ace was marked")
    ana.does("hit.pay", hit=stud.hit, slip="004711")
    floor.stop()
    done = check_replay(floor)
    assert "refused: ana" in done.said
    assert "refused: bento" in done.said
    assert done.last == {"meters": {pool: done.last["meters"][pool] for pool in ("bac-b", "stud-main")}, "held": []}
    assert done.last["meters"]["stud-main"] == stud.pencil.meter
    (file,) = captures(floor)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    text = file.read_text()
    assert PASSWORD not in text
    assert KEY.hex() not in text.replace(" ", "")


def filled(floor: Floor, play: BarePlay) -> bool:
    play.table.shoe_port.send(b" " * 4_000)
    return len(captures(floor)) > 1


def test_parts_and_starts_follow_one_another_and_each_part_stands_alone_beside_the_ledger(floor: Floor) -> None:
    bare, keyed = BarePlay(floor), SequencedPlay(floor, key=KEY)
    floor.start(capture=capture(floor, file_mib=1))
    for play in (bare, keyed):
        play.bets()
        play.lock()
        floor.seen.meter(play.pool, play.pencil.bets(2))
        play.deal_some()
    # Blanks between tokens fill the first part in the middle of both rounds.
    until(lambda: filled(floor, bare), "another part")
    for play in (bare, keyed):
        play.deal_rest()
        play.finish()
        play.prizes()
        floor.seen.hit(play.pool, play.hit, "pending")
    floor.stop()
    ended = len(raw_ledger.bodies(floor.ledger))
    floor.start(capture=capture(floor, file_mib=1))
    floor.person("ana", "supervisor").does("hit.approve", hit=bare.hit)
    floor.stop()
    check_replay(floor)
    files = captures(floor)
    rows = raw_ledger.bodies(floor.ledger)
    for number, file in enumerate(files):
        after = json.loads(file.read_bytes().splitlines()[0])["after"]
        last = number == len(files) - 1
        until_row = len(rows) if last else json.loads(files[number + 1].read_bytes().splitlines()[0])["after"]
        alone = replay(floor.config, file)
        assert (alone.code, alone.rows) == (0, rows[after:until_row]), (file.name, alone.said)
    assert json.loads(files[-1].read_bytes().splitlines()[0])["after"] == ended
    missing = replay(floor.config, files[0], files[-1])
    assert missing.code == 2
    assert "and what came before it ends at row" in missing.said


def test_a_part_that_begins_after_a_shoe_was_replaced_knows_nothing_of_the_old_one(floor: Floor) -> None:
    filler = BarePlay(floor)
    floor.pool("bac-b")
    table = floor.baccarat("bac-b")
    floor.start(capture=capture(floor, file_mib=1))
    tom, ana = floor.person("tom", "technician"), floor.person("ana", "supervisor")
    for number in (1, 2):
        if number == 2:
            table.shoe = AngelEyeShoe()
            for person in (ana, tom):
                person.does("device.replace", table="B01", device="shoe", why="a worn roller")
            until(lambda: filled(floor, filler), "another part")
        floor.bet(table, number)
        table.lock()
        floor.seen.table("B01", phase="locked")
        table.deal_coup("8S 9H 8D 9C")
        table.sweep()
        floor.seen.table("B01", phase="open", round=f"B01-{number + 1}")
    floor.stop()
    file = captures(floor)[-1]
    after = json.loads(file.read_bytes().splitlines()[0])["after"]
    done = replay(floor.config, file)
    assert (done.code, done.rows) == (0, raw_ledger.bodies(floor.ledger)[after:]), done.said


def test_a_journal_told_again_after_a_power_cut_is_replayed_too(floor: Floor) -> None:
    play = JournaledPlay(floor, key=KEY)
    floor.start(capture=capture(floor))
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    floor.kill()
    floor.start(capture=capture(floor))
    play.deal_rest()
    floor.seen.table("T02", phase="dealt")
    floor.stop()
    file = captures(floor)[-1]
    after = json.loads(file.read_bytes().splitlines()[0])["after"]
    done = replay(floor.config, file)
    assert (done.code, done.rows) == (0, raw_ledger.bodies(floor.ledger)[after:]), done.said


def test_a_capture_that_cannot_be_written_is_an_alarm_and_the_tables_play(floor: Floor) -> None:
    play = BarePlay(floor)
    (floor.folder / "captures").write_text("a file")
    floor.start(capture=capture(floor))
    floor.seen.alarm("capture_stopped-capture")
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
