"""Simulated ports: pseudo-terminals and serial servers that carry what their devices say, and nothing else."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from hardware.angel_eye import AngelEye
from hardware.bus_codec import DAEMON, Frame, FrameReader, FrameType
from hardware.bus_events import Kind
from hardware.links import Link, SerialSettings, open_link
from hardware.reports import ShoeResult
from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.line import Faults, FaultyLine
from hardware.simulated.pty_port import PtyPort
from hardware.simulated.serial_server import SerialServer
from tests.support.decoding import whats
from tests.support.reading import read_exactly

SETTINGS = SerialSettings(115200)


class Parrot:
    """A device that answers every read with its name and what it heard."""

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.ticks = asyncio.Event()

    def feed(self, data: bytes, now_ms: int) -> bytes:
        return self.name + data

    def tick(self, now_ms: int) -> None:
        self.ticks.set()


def test_every_device_on_a_port_hears_every_byte_and_the_answers_are_joined() -> None:
    async def check() -> None:
        with PtyPort([Parrot(b"1"), Parrot(b"2")]) as port:
            link = await open_link(port.path, SETTINGS)
            link.write(b"x")
            assert await read_exactly(link, 4) == b"1x2x"
            link.close()

    asyncio.run(check())


def test_the_devices_time_passes_while_nobody_talks_to_them() -> None:
    async def check() -> None:
        parrot = Parrot(b"")
        with PtyPort([parrot]):
            parrot.ticks.clear()
            async with asyncio.timeout(20):
                await parrot.ticks.wait()

    asyncio.run(check())


def test_the_host_may_come_and_go() -> None:
    async def check() -> None:
        with PtyPort([Parrot(b"")]) as port:
            for _ in range(3):
                link = await open_link(port.path, SETTINGS)
                link.write(b"again")
                assert await read_exactly(link, 5) == b"again"
                link.close()

    asyncio.run(check())


def test_what_a_host_does_not_read_in_time_is_lost_and_counted() -> None:
    async def check() -> None:
        with PtyPort() as port:
            for _ in range(1000):
                port.send(b"x" * 1000)
            assert 0 < port.lost_bytes < 1_000_000

    asyncio.run(check())


def test_a_link_path_points_to_the_port_while_it_is_plugged_in(tmp_path: Path) -> None:
    async def check() -> None:
        port = PtyPort(link=tmp_path / "shoe")
        with port:
            assert (tmp_path / "shoe").is_char_device()
        port.send(b"nobody hears")
        port.unplug()

    asyncio.run(check())
    assert list(tmp_path.iterdir()) == []


def test_a_shoe_on_a_late_and_splitting_line_is_heard_in_order() -> None:
    async def check() -> None:
        line = FaultyLine(random.Random(3), Faults(split=0.7, delay_ms=3))
        cards = ["8S", "2H", "AD", "5C", "9S", "KD"]
        async with SerialServer([Parrot(b"")], to_host=line) as server:
            link = await open_link(server.url, SETTINGS)
            link.write(b"?")
            assert await read_exactly(link, 1) == b"?"
            messages = list(AngelEyeShoe(cards).coup())
            for message in messages:
                server.send(message)
            said = whats(AngelEye().feed(await read_exactly(link, sum(map(len, messages)))))
            assert len(said) == len(messages)
            assert isinstance(said[-1], ShoeResult)
            link.close()

    asyncio.run(check())


def test_closing_a_port_loses_what_is_late_on_its_line() -> None:
    async def check() -> None:
        with PtyPort(to_host=FaultyLine(random.Random(1), Faults(delay_ms=1))) as port:
            for _ in range(50):
                port.send(b"late")
        await asyncio.sleep(0.1)
        assert port.lost_bytes == 0

    asyncio.run(check())


@pytest.mark.parametrize("over_tcp", [False, True])
def test_a_bus_device_answers_the_real_host_frame_to_its_address_alone(over_tcp: bool) -> None:
    devices = [BusDeviceSim(Kind.BET_PANEL, f"BP-000{address}", address) for address in (1, 2)]
    opening = bytes.fromhex("00 03 01 01 02 01 01 01 01 01 08 11 22 33 44 55 66 77 01 01 01 01 01 01 01 03 dc 7d 00")

    async def hello(link: Link) -> Frame:
        reader = FrameReader()
        async with asyncio.timeout(20):
            while True:
                for item in reader.feed(await link.read()):
                    assert isinstance(item, Frame)
                    return item

    async def check() -> None:
        for device in devices:
            device.power_on(0)
        if over_tcp:
            async with SerialServer(devices) as server:
                await talk(server.url)
        else:
            with PtyPort(devices) as port:
                await talk(port.path)

    async def talk(path: str) -> None:
        link = await open_link(path, SETTINGS)
        link.write(opening)
        frame = await hello(link)
        assert (frame.type, frame.src, frame.dst) == (FrameType.HELLO, 1, DAEMON)
        link.close()

    asyncio.run(check())
