"""Serial links over real pseudo-terminals: opening, losing, holding back, and never blocking."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import termios
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from hardware.links import Link, LinkError, SerialSettings, open_link
from hardware.simulated.pty_port import PtyPort
from tests.support.reading import read_exactly

pytestmark = pytest.mark.usefixtures("each_loop")

SETTINGS = SerialSettings(9600)
TIOCGEXCL = 0x80045440  # the termios module does not name it
EVERY_BYTE = bytes(range(256))


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """A pseudo-terminal whose other end nobody reads: its descriptor, and the path to open."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(slave)
    os.close(master)


def target_of(port: PtyPort) -> Path:
    return Path(port.path).readlink()


def test_every_byte_passes_unchanged_in_both_directions(terminal: tuple[int, str]) -> None:
    master, path = terminal

    async def check() -> None:
        link = await open_link(path, SETTINGS)
        os.write(master, EVERY_BYTE)
        assert await read_exactly(link, 256) == EVERY_BYTE
        link.write(EVERY_BYTE)
        assert os.read(master, 4096) == EVERY_BYTE
        link.close()

    asyncio.run(check())


def test_the_port_is_set_as_configured(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        link = await open_link(terminal[1], SerialSettings(4800, "E", 7, 2))
        iflag, _, cflag, lflag, ispeed, ospeed, _ = termios.tcgetattr(terminal[0])
        assert (ispeed, ospeed) == (termios.B4800, termios.B4800)
        assert cflag & termios.CSTOPB
        assert not lflag & (termios.ECHO | termios.ICANON | termios.ISIG)
        assert not iflag & (termios.BRKINT | termios.ICRNL | termios.IXON)
        link.close()

    asyncio.run(check())


def test_a_by_id_path_is_resolved_anew_at_every_open(tmp_path: Path) -> None:
    async def check() -> None:
        port = PtyPort(link=tmp_path / "usb-shoe")
        with port:
            first = target_of(port)
            link = await open_link(port.path, SETTINGS)
            port.unplug()
            with pytest.raises(LinkError) as lost:
                await link.read()
            assert lost.value.kind in {"lost", "reads_nothing"}
            link.close()
            with pytest.raises(LinkError) as absent:
                await open_link(port.path, SETTINGS)
            assert absent.value.kind == "absent"
            assert absent.value.plain == "its port is not there"
            taken = os.openpty()  # the name that became free, so that the device comes back under another
            port.plug()
            assert target_of(port) != first
            link = await open_link(port.path, SETTINGS)
            port.send(b"back")
            assert await read_exactly(link, 4) == b"back"
            link.close()
            for end in taken:
                os.close(end)

    asyncio.run(check())


def test_a_port_is_held_by_one_link_at_a_time(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        first = await open_link(terminal[1], SETTINGS)
        with pytest.raises(LinkError) as busy:
            await open_link(terminal[1], SETTINGS)
        assert busy.value.kind == "busy"
        first.close()
        (await open_link(terminal[1], SETTINGS)).close()

    asyncio.run(check())


def test_a_path_that_is_no_serial_port_is_refused_and_released(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")

    async def check() -> None:
        with pytest.raises(LinkError, match="open_failed"):
            await open_link(str(file), SETTINGS)

    asyncio.run(check())
    with file.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_settings_that_no_port_has_are_a_link_error(terminal: tuple[int, str]) -> None:
    with pytest.raises(LinkError, match="open_failed"):
        asyncio.run(open_link(terminal[1], SerialSettings(9600, stop_bits=7)))


def test_an_adapter_that_lacks_a_setting_is_a_link_error(
    terminal: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacks(*_: object) -> None:
        raise termios.error(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(termios, "tcsetattr", lacks)
    with pytest.raises(LinkError, match="open_failed"):
        asyncio.run(open_link(terminal[1], SETTINGS))


def test_a_terminal_may_be_opened_again_with_settings_that_only_a_line_has(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        for _ in range(3):
            (await open_link(terminal[1], SerialSettings(9600, "E", 7))).close()

    asyncio.run(check())


def test_a_port_without_permission_says_so(terminal: tuple[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> serial.Serial:
        raise serial.SerialException(errno.EACCES, "could not open port")

    monkeypatch.setattr(serial, "Serial", refused)
    with pytest.raises(LinkError, match="denied"):
        asyncio.run(open_link(terminal[1], SETTINGS))


def test_a_port_that_fails_after_opening_is_closed_again(
    terminal: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> list[int]:
        raise termios.error(errno.EIO, "Input/output error")

    async def check() -> None:
        with monkeypatch.context() as patch:
            patch.setattr("hardware.links._settle", gone)
            with pytest.raises(LinkError, match="open_failed"):
                await open_link(terminal[1], SETTINGS)
        (await open_link(terminal[1], SETTINGS)).close()

    asyncio.run(check())


def test_real_ports_keep_other_programs_out_and_are_asked_for_low_latency(
    terminal: tuple[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(serial.Serial, "set_low_latency_mode", lambda _, mode: asked.append(mode))
    monkeypatch.setattr(Path, "resolve", lambda _: Path("/dev/ttyUSB0"))

    async def check() -> None:
        link = await open_link(terminal[1], SETTINGS)
        assert fcntl.ioctl(link._fd, TIOCGEXCL, bytes(4)) == (1).to_bytes(4, "little")
        link.close()

    asyncio.run(check())
    assert asked == [True]


def test_opening_given_up_half_way_leaves_the_port_free(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        opening = asyncio.create_task(open_link(terminal[1], SETTINGS))
        await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        await asyncio.get_running_loop().shutdown_default_executor()

    asyncio.run(check())
    opened = serial.Serial(terminal[1], exclusive=True)
    opened.close()


def test_opening_given_up_of_a_port_that_does_not_open_leaves_no_trace(tmp_path: Path) -> None:
    async def check() -> None:
        opening = asyncio.create_task(open_link(str(tmp_path / "absent"), SETTINGS))
        await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        await asyncio.get_running_loop().shutdown_default_executor()

    asyncio.run(check())


def test_nothing_is_read_ahead_of_a_caller_that_does_not_ask(terminal: tuple[int, str]) -> None:
    master, path = terminal
    os.set_blocking(master, False)

    async def check() -> None:
        link = await open_link(path, SETTINGS)
        os.write(master, b"a")
        assert await link.read() == b"a"
        sent = 0
        for _ in range(1000):
            try:
                sent += os.write(master, b"x" * 64)
            except BlockingIOError:
                break
            await asyncio.sleep(0)
        assert sent < 64_000  # the device is held back
        assert await read_exactly(link, sent) == b"x" * sent
        link.close()

    asyncio.run(check())


def test_a_device_that_drains_nothing_never_blocks_and_breaks_the_link_at_the_bound(
    terminal: tuple[int, str],
) -> None:
    async def check() -> None:
        link = await open_link(terminal[1], SETTINGS)
        sent = 0

        def flood() -> None:
            nonlocal sent
            for _ in range(1000):
                link.write(b"x" * 221)
                sent += 221

        with pytest.raises(LinkError) as stalled:
            flood()
        assert stalled.value.kind == "write_stalled"
        assert sent < 100_000
        with pytest.raises(LinkError, match="write_stalled"):
            await link.read()
        link.close()

    asyncio.run(check())


def test_what_a_slow_device_did_not_take_at_once_arrives_in_order(terminal: tuple[int, str]) -> None:
    master, path = terminal
    os.set_blocking(master, False)

    async def check() -> None:
        link = await open_link(path, SETTINGS)
        sent = bytearray()
        while not link._out:
            sent += (piece := os.urandom(200))
            link.write(piece)
        link._send()  # told it may write when it may not: nothing is lost
        sent += b"end"
        link.write(b"end")
        got = bytearray()
        async with asyncio.timeout(10):
            while len(got) < len(sent):
                await asyncio.sleep(0)
                try:
                    got += os.read(master, 4096)
                except BlockingIOError:
                    continue
        assert got == sent
        link.close()

    asyncio.run(check())


def test_a_reader_given_up_after_the_bytes_came_loses_none(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        link = await open_link(terminal[1], SETTINGS)
        reading = asyncio.create_task(link.read())
        await asyncio.sleep(0)
        os.write(terminal[0], b"card")
        link._readable()  # the loop found bytes, and in the same turn the reader is cancelled
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert await read_exactly(link, 4) == b"card"
        link.close()

    asyncio.run(check())


def test_closing_wakes_the_reader_and_closing_twice_is_closing_once(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        link = await open_link(terminal[1], SETTINGS)
        reading = asyncio.create_task(link.read())
        await asyncio.sleep(0)
        link.close()
        link.close()
        with pytest.raises(LinkError) as closed:
            await reading
        assert closed.value.kind == "closed"
        with pytest.raises(LinkError, match="closed by this side"):
            link.write(b"x")

    asyncio.run(check())


def test_a_port_that_answers_ready_and_then_reads_nothing_is_given_up() -> None:
    async def check() -> None:
        ready, other = os.pipe()
        os.close(other)  # from now on the descriptor is always ready, and always empty
        link = Link("/dev/dead", ready, lambda: os.close(ready), on_empty="reads_nothing", empty_reads=8)
        with pytest.raises(LinkError) as empty:
            await link.read()
        assert empty.value.kind == "reads_nothing"
        assert str(empty.value) == "/dev/dead: ready to read, and nothing there (reads_nothing)"
        link.close()

    asyncio.run(check())


def test_an_empty_read_between_others_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = iter([b""] * 7 + [b"a"] + [b""] * 7 + [b"b"])

    async def check() -> None:
        ready, other = os.pipe()
        os.write(other, b"x")
        link = Link("/dev/odd", ready, lambda: os.close(ready), on_empty="reads_nothing", empty_reads=8)
        with monkeypatch.context() as patch:
            patch.setattr("hardware.links.os.read", lambda *_: next(reads))
            assert [await link.read(), await link.read()] == [b"a", b"b"]
        link.close()
        os.close(other)

    asyncio.run(check())


def test_a_false_alarm_of_the_poll_waits_on() -> None:
    async def check() -> None:
        with PtyPort() as port:
            link = await open_link(port.path, SETTINGS)
            reading = asyncio.create_task(link.read())
            await asyncio.sleep(0)
            link._readable()
            port.send(b"ok")
            assert await reading == b"ok"
            link.close()

    asyncio.run(check())


def test_a_device_unplugged_while_written_to_is_lost(terminal: tuple[int, str]) -> None:
    async def check() -> None:
        with PtyPort() as port:
            link = await open_link(port.path, SETTINGS)
            port.unplug()
            with pytest.raises(LinkError) as lost:
                link.write(b"x")
            assert lost.value.kind == "lost"
            link.close()

    asyncio.run(check())
