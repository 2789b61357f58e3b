"""Devices alone on a technician's bench: what is typed is done, what they do by themselves is what can be typed."""

from __future__ import annotations

import asyncio
import os
from itertools import islice, pairwise
from pathlib import Path
from random import Random

import pytest

from hardware.alpha_led import text_packet
from hardware.angel_eye import AngelEye
from hardware.bee_tek import BeeTek
from hardware.links import LinkError, SerialSettings, open_link
from hardware.reports import CardOut, CardUnreadable, ShoeResult, ShoeStarted, Target
from hardware.simulated.bench import DEVICES, Bench, BenchError, Setup
from hardware.simulated.bench_port import PortTakenError, plugged_in
from hardware.simulated.dealer import look
from tests.support.decoding import whats
from tests.support.reading import read_exactly

KEY = bytes(range(16))
BAUD = 9600
WAIT_S = 20.0


class Desk:
    """A bench with a device on it, what it sent unasked, and what it told."""

    def __init__(self, device: str, seed: int = 1) -> None:
        self.sent = b""
        self.told: list[str] = []
        self.bench: Bench = DEVICES[device](Setup(Random(seed), "", 1, KEY, self._send, self.told.append))

    def _send(self, data: bytes) -> None:
        self.sent += data


@pytest.mark.parametrize("device", DEVICES)
def test_what_a_device_does_by_itself_can_be_typed(device: str) -> None:
    bench = Desk(device).bench
    for line in islice(bench.by_itself, 30):
        bench.do(line)


@pytest.mark.parametrize("device", DEVICES)
def test_the_same_seed_does_the_same(device: str) -> None:
    one, same = (list(islice(Desk(device, seed=4).bench.by_itself, 30)) for _ in range(2))
    assert one == same


@pytest.mark.parametrize(
    ("device", "line"),
    [
        ("panel", "deal"),
        ("panel", "place"),
        ("panel", "place three 0"),
        ("keypad", "void nothing"),
        ("bee-tek", "card ZZ"),
        ("angel-eye", "card 8S nobody 1"),
        ("angel-eye", "result tie"),
        ("angel-eye", "result dealer none"),
        ("angel-eye", "result banker two"),
        ("reader", "card ZZ"),
        ("shuffler", ""),
    ],
)
def test_a_line_that_means_nothing_is_told_as_such(device: str, line: str) -> None:
    with pytest.raises(BenchError):
        Desk(device).bench.do(line)


def test_what_belongs_to_a_word_is_told_when_it_is_not_there() -> None:
    with pytest.raises(BenchError, match="place 3: it is `place SEAT PLACE`"):
        Desk("panel").bench.do("place 3")


def test_a_bee_tek_shoe_says_what_is_typed() -> None:
    desk = Desk("bee-tek")
    for line in ("card 4S", "burn TH", "unread"):
        desk.bench.do(line)
    assert whats(BeeTek().feed(desk.sent)) == [CardOut("4S"), CardOut("TH", Target.BURN), CardUnreadable()]


def test_an_angel_eye_shoe_deals_coup_after_coup_by_itself() -> None:
    desk = Desk("angel-eye")
    desk.bench.do("start")
    for line in islice(desk.bench.by_itself, 40):
        desk.bench.do(line)
    said = whats(AngelEye().feed(desk.sent))
    assert said[0] == ShoeStarted()
    results = [at for at, what in enumerate(said) if isinstance(what, ShoeResult)]
    assert len(results) >= 4
    assert all(4 <= end - start - 1 <= 6 for start, end in pairwise(results))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("result banker none", ShoeResult("banker", player_pair=False, banker_pair=False)),
        ("result tie both", ShoeResult("tie", player_pair=True, banker_pair=True)),
        ("result player banker", ShoeResult("player", player_pair=False, banker_pair=True)),
    ],
)
def test_an_angel_eye_shoe_says_the_result_that_is_typed(line: str, said: ShoeResult) -> None:
    desk = Desk("angel-eye")
    desk.bench.do(line)
    assert whats(AngelEye().feed(desk.sent)) == [said]


def test_a_shut_slot_takes_no_chip() -> None:
    bench = Desk("panel").bench
    assert not bench.do("place 3 0")
    assert bench.do("place 3 1")


def test_a_bench_on_a_pseudo_terminal_is_a_link_to_open_and_hears_its_host(tmp_path: Path) -> None:
    async def check() -> None:
        desk = Desk("bee-tek")
        async with plugged_in(str(tmp_path / "shoe"), desk.bench.hears, BAUD, None, None) as (address, send):
            link = await open_link(address, SerialSettings(BAUD))
            send(b"hello")
            assert await read_exactly(link, 5) == b"hello"
            link.write(b"\x02")
            async with asyncio.timeout(WAIT_S):
                await look(lambda: bool(desk.told))
            link.close()
        assert desk.told == ["< 02"]

    asyncio.run(check())
    assert list(tmp_path.iterdir()) == []


def test_a_bench_on_a_tcp_port_is_a_serial_server() -> None:
    async def check() -> None:
        desk = Desk("bee-tek")
        async with plugged_in("socket://127.0.0.1:0", desk.bench.hears, BAUD, None, None) as (address, send):
            link = await open_link(address, SerialSettings(BAUD))
            link.write(b"\x02")
            async with asyncio.timeout(WAIT_S):
                await look(lambda: bool(desk.told))
            send(b"hello")
            assert await read_exactly(link, 5) == b"hello"
            link.close()

    asyncio.run(check())


def test_a_bench_on_a_cable_speaks_through_the_port_and_ends_when_it_is_lost() -> None:
    async def check() -> None:
        desk = Desk("bee-tek")
        host, cable = os.openpty()
        name = os.ttyname(cable)
        os.close(cable)
        async with plugged_in(name, desk.bench.hears, BAUD, None, None) as (address, send):
            assert address == name
            send(b"hello")
            assert os.read(host, 5) == b"hello"
            os.close(host)
            await asyncio.sleep(WAIT_S)

    with pytest.raises(ExceptionGroup) as caught:
        asyncio.run(check())
    assert caught.group_contains(LinkError)


def test_a_file_that_is_no_port_is_left_alone(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine", encoding="utf-8")

    async def check() -> None:
        async with plugged_in(str(precious), Desk("panel").bench.hears, BAUD, None, None):
            pytest.fail("plugged in over a file")

    with pytest.raises(PortTakenError):
        asyncio.run(check())
    assert precious.read_text(encoding="utf-8") == "mine"


def test_an_led_sign_tells_what_it_shows_each_time_that_it_changes() -> None:
    desk = Desk("led-sign")
    for text in ("MOP 1,000", "MOP 1,000", "MOP 1,100"):
        assert desk.bench.hears.feed(text_packet(text), 0) == b""
    assert desk.told == ["shows MOP 1,000", "shows MOP 1,100"]
    desk.bench.do("swap")
    desk.bench.hears.tick(5_000)
    desk.bench.hears.feed(text_packet("MOP 1,100"), 5_000)
    assert desk.told[-1] == "shows MOP 1,100"
    assert len(desk.told) == 3
