"""Two controllers at one ledger or at one port: the second says so in one sentence, the first plays on."""

from __future__ import annotations

from pathlib import Path

from tests.support.broker import free_port
from tests.support.daemon_process import DaemonProcess
from tests.support.floor import SITE, Floor
from tests.support.plays import BarePlay
from tests.support.until import until


def second(floor: Floor, folder: Path, **changes: str) -> Path:
    """The configuration of another controller, with the first one's text changed: its sockets at least are its own."""
    text = floor.config.read_text()
    sockets = {str(floor.control): f"{folder}/second.sock", f":{floor.metrics_port}": f":{free_port()}"}
    for old, new in (sockets | changes).items():
        assert old in text
        text = text.replace(old, new)
    config = folder / "second.toml"
    config.write_text(text)
    return config


def plays_on(play: BarePlay) -> None:
    play.lock()
    play.floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    play.deal_rest()
    play.floor.seen.table("T01", phase="dealt")


def test_a_second_daemon_on_the_same_ledger_refuses_in_one_sentence(floor: Floor, tmp_path: Path) -> None:
    play = BarePlay(floor)
    floor.start()
    play.bets()
    log = tmp_path / "second.log"
    refused = DaemonProcess(second(floor, tmp_path), log)
    assert refused.ended() == 1
    (sentence,) = log.read_text().splitlines()
    assert str(floor.ledger) in sentence
    assert "another" in sentence
    plays_on(play)


def test_a_second_daemon_on_the_same_ports_says_that_they_are_taken_and_disturbs_nothing(
    floor: Floor, tmp_path: Path
) -> None:
    play = BarePlay(floor)
    floor.start()
    play.bets()
    log = tmp_path / "second.log"
    (tmp_path / "second").mkdir()
    changes = {str(floor.ledger): f"{tmp_path}/second/ledger.db", f'id = "{SITE}"': 'id = "elsewhere"'}
    other = DaemonProcess(second(floor, tmp_path, **changes), log)
    try:
        ports = [play.table.bus.path, play.table.shoe_port.path]
        until(lambda: all(any("busy" in line for line in log_of(log, port)) for port in ports), "both ports busy")
        plays_on(play)
        assert [len(log_of(log, port)) for port in ports] == [1, 1]
    finally:
        assert other.stop() == 0
    assert "Traceback" not in log.read_text()


def log_of(log: Path, port: str) -> list[str]:
    return [line for line in log.read_text().splitlines() if port in line]
