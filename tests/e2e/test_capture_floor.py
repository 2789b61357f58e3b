"""What a daemon records of a floor, a replay makes into the ledger's own rows, byte for byte (design 4)."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.floor_config import Block
from tests.support.people import PASSWORD, NoError
from tests.support.plays import BarePlay, SequencedPlay
from tests.support.replaying import Replayed, replay

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
