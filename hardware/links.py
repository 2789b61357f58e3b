"""Links: where bytes enter and leave, over a serial port or a one-port serial server.

Laws
1. A link is used once. Whatever breaks it ends it with one `LinkError`; opening again is the caller's, with `Backoff`.
2. The descriptor is read only while somebody waits for bytes, so a caller that cannot keep up holds the device back
   instead of filling memory. Silence is no fault here: the idle watchdog is the caller's.
3. Nothing waits to write. At most `_OUT_BYTES` are kept for a device that does not drain; one more breaks the link.
4. The path is resolved anew at every open, and a serial port is held exclusively until it is closed.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import select
import socket
import termios
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import serial

_READ_BYTES: Final = 4096  # a terminal's whole input queue; one read never hands over more
_OUT_BYTES: Final = 4096  # 18 of the longest bus frames: far more than one request in flight
_EMPTY_READS: Final = 8  # readable but empty: once may be a race with another reader, eight in a row is a dead adapter
_CONNECT_S: Final = 5.0  # a serial server on the same floor answers in milliseconds; a dead one must not be waited for
_KEEPALIVE_S: Final = 5  # idle seconds before the first probe, and between probes
_KEEPALIVE_PROBES: Final = 3
_UNACKNOWLEDGED_MS: Final = 10_000  # sent bytes without an answer: the server is gone, whatever TCP would still hope
_TCP_PREFIX: Final = "socket://"
_OPEN_KINDS: Final = {
    errno.ENOENT: "absent",
    errno.ENODEV: "absent",
    errno.ENXIO: "absent",
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.EAGAIN: "busy",
    errno.EBUSY: "busy",
}

# What a supervisor reads, who has a table before the eyes and no port.
_PLAIN: Final = {
    "absent": "its port is not there",
    "denied": "its port may not be opened",
    "busy": "another program has its port",
    "open_failed": "its port does not open",
    "lost": "its line broke off",
    "reads_nothing": "its port is dead",
    "unreachable": "its serial server does not answer",
}

_Address: TypeAlias = tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]  # what getaddrinfo gives


class LinkError(Exception):
    """A link that cannot be opened or used. `kind`: a short fixed word, used as a metric label."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{text} ({kind})")
        self.kind = kind
        self.text = text

    @property
    def plain(self) -> str:
        """Why the device is not reached, in words for people."""
        return _PLAIN.get(self.kind, self.text)


@dataclass(frozen=True, slots=True)
class SerialSettings:
    """How a serial port is set. `parity`: N, E or O."""

    baud: int
    parity: str = "N"
    data_bits: int = 8
    stop_bits: int = 1


async def open_link(port: str, settings: SerialSettings) -> Link:
    """Open a serial port by its path, or `socket://host:port`; LinkError where it cannot be."""
    if port.startswith(_TCP_PREFIX):
        return await _open_tcp(port)
    opening = asyncio.get_running_loop().run_in_executor(None, _open_serial, port, settings)
    try:
        handle = await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_close_late)  # the thread goes on: what it opens must not stay locked
        raise
    return Link(
        port, handle.fileno(), lambda: _close_serial(handle), on_empty="reads_nothing", empty_reads=_EMPTY_READS
    )


class Link:
    """An open link. One reader at a time."""

    def __init__(self, name: str, fd: int, close_fd: Callable[[], None], *, on_empty: str, empty_reads: int) -> None:
        self.name = name
        self._loop = asyncio.get_running_loop()
        self._fd = fd
        # The loop watches a watch: libuv gives a descriptor up at its first error, and a terminal that hangs up is one.
        self._incoming = select.epoll()
        self._incoming.register(fd, select.EPOLLIN)
        self._close_fd: Callable[[], None] | None = close_fd
        self._on_empty = on_empty
        self._empty_reads = empty_reads
        self._empty = 0
        self._chunk = b""
        self._out = bytearray()
        self._watched = False
        self._woken = False
        self._waiter: asyncio.Future[None] | None = None
        self._broken: LinkError | None = None

    async def read(self) -> bytes:
        """The next bytes, never none; LinkError once the link is over and all that came before has been read."""
        while not self._chunk:
            self._check()
            await self._wait()
        return self._taken()

    async def read_unless_woken(self) -> bytes:
        """The next bytes, or none when `wake` was called since the last time; LinkError as `read`."""
        if not self._chunk:
            self._check()
            if not self._woken:
                await self._wait()
        self._woken = False
        return self._taken()

    def wake(self) -> None:
        """Let whoever waits in `read_unless_woken`, or comes there next, go on without bytes."""
        self._woken = True
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)

    def write(self, data: bytes) -> None:
        """Send, or keep what the device does not take yet; LinkError when it takes nothing for too long."""
        self._check()
        if len(self._out) + len(data) > _OUT_BYTES:
            self._break("write_stalled", f"{len(self._out)} bytes wait and the device takes none")
            self._check()
        waiting = bool(self._out)
        self._out += data
        if not waiting:
            self._send()
            self._check()
            if self._out:
                self._loop.add_writer(self._fd, self._send)

    def close(self) -> None:
        """End the link; a waiting `read` gets a LinkError. Closing twice is closing once."""
        self._break("closed", "closed by this side")
        close_fd, self._close_fd = self._close_fd, None
        if close_fd:
            self._incoming.close()
            close_fd()

    async def _wait(self) -> None:
        """Until bytes are read, the link is over, or somebody is woken."""
        assert self._waiter is None, "a link has one reader"
        self._waiter = self._loop.create_future()
        if not self._watched:
            self._loop.add_reader(self._incoming.fileno(), self._readable)
            self._watched = True
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _taken(self) -> bytes:
        chunk, self._chunk = self._chunk, b""
        return chunk

    def _readable(self) -> None:
        if self._waiter is None or self._waiter.done():
            self._unwatch()  # law 2: nobody asks, so the bytes stay where they are
            return
        try:
            data = os.read(self._fd, _READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            self._break("lost", f"{error.strerror} while reading")
            return
        if data:
            self._empty = 0
            self._chunk = data
            self._waiter.set_result(None)
            return
        self._empty += 1
        if self._empty >= self._empty_reads:
            self._break(self._on_empty, "ready to read, and nothing there")

    def _send(self) -> None:
        try:
            sent = os.write(self._fd, self._out)
        except BlockingIOError:
            return
        except OSError as error:
            self._break("lost", f"{error.strerror} while writing")
            return
        del self._out[:sent]
        if not self._out:
            self._loop.remove_writer(self._fd)

    def _check(self) -> None:
        if self._broken:
            raise LinkError(self._broken.kind, self._broken.text)

    def _break(self, kind: str, text: str) -> None:
        """Remember the first fault, stop watching the descriptor, wake the reader."""
        if self._broken:
            return
        self._broken = LinkError(kind, f"{self.name}: {text}")
        self._unwatch()
        self._loop.remove_writer(self._fd)
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)

    def _unwatch(self) -> None:
        if self._watched:
            self._loop.remove_reader(self._incoming.fileno())
            self._watched = False


# ---- serial ports


def _open_serial(port: str, settings: SerialSettings) -> serial.Serial:
    """Open, lock and set a port. Runs in a thread: a dying USB adapter can block for seconds."""
    # A pseudo-terminal has neither data bits nor parity, and refuses them the second time it is opened.
    data_bits, parity = (8, "N") if _is_pseudo(port) else (settings.data_bits, settings.parity)
    try:
        handle = serial.Serial(
            port,
            settings.baud,
            data_bits,
            parity,
            settings.stop_bits,
            timeout=0,
            exclusive=True,  # flock: a second daemon, even root's, is refused
        )
    except (OSError, ValueError, termios.error) as error:  # the last: an adapter that has no such setting
        kind = _OPEN_KINDS.get(getattr(error, "errno", None) or 0, "open_failed")
        raise LinkError(kind, f"{port}: {error}") from error
    try:
        _settle(port, handle)
    except (OSError, termios.error) as error:
        handle.close()
        raise LinkError("open_failed", f"{port}: {error}") from error
    return handle


def _settle(port: str, handle: serial.Serial) -> None:
    """What pyserial leaves undone: others kept out, a break read as a byte, no waiting in the adapter."""
    iflag, *others = termios.tcgetattr(handle.fileno())
    termios.tcsetattr(
        handle.fileno(), termios.TCSANOW, [iflag & ~termios.BRKINT, *others]
    )  # a break would flush the queue
    if not _is_pseudo(port):
        # Programs that do not ask for the lock are kept out too. Not on a pseudo-terminal: there the mark outlives a
        # killed daemon for as long as the other end lives.
        fcntl.ioctl(handle.fileno(), termios.TIOCEXCL)
    with suppress(OSError, ValueError):  # most adapters have no such mode, and read well without it
        handle.set_low_latency_mode(True)


def _is_pseudo(port: str) -> bool:
    return Path(port).resolve().is_relative_to("/dev/pts")


def _close_serial(handle: serial.Serial) -> None:
    """Close without waiting for a device that drains nothing."""
    with suppress(OSError, termios.error):  # an unplugged port cannot be flushed, and need not be
        termios.tcflush(handle.fileno(), termios.TCIOFLUSH)
    handle.close()


def _close_late(opening: asyncio.Future[serial.Serial]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        _close_serial(opening.result())


# ---- serial servers


async def _open_tcp(port: str) -> Link:
    try:
        address = urlsplit(port)
        host, number = address.hostname, address.port
    except ValueError as error:
        raise LinkError("bad_port", f"{port}: {error}") from error
    if not host or number is None:
        raise LinkError("bad_port", f"{port}: expected socket://host:port")
    try:
        async with asyncio.timeout(_CONNECT_S):
            connection = await _connect(host, number)
    except TimeoutError as error:
        raise LinkError("unreachable", f"{port}: no answer within {_CONNECT_S:g} s") from error
    except OSError as error:
        raise LinkError("unreachable", f"{port}: {error}") from error
    return Link(port, connection.fileno(), connection.close, on_empty="closed_by_peer", empty_reads=1)


async def _connect(host: str, number: int) -> socket.socket:
    """Connect to the first address of `host` that answers; OSError of the last where none does."""
    found = await asyncio.get_running_loop().getaddrinfo(host, number, type=socket.SOCK_STREAM)
    *firsts, last = [(family, address) for family, _, _, _, address in found]
    for family, address in firsts:
        with suppress(OSError):  # the next address may answer; the last one's error is raised
            return await _connect_to(family, address)
    return await _connect_to(*last)


async def _connect_to(family: int, address: _Address) -> socket.socket:
    """A connected socket that notices a dead server within seconds."""
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, _KEEPALIVE_S)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, _KEEPALIVE_S)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, _KEEPALIVE_PROBES)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNACKNOWLEDGED_MS)
        await asyncio.get_running_loop().sock_connect(connection, address)
    except BaseException:
        connection.close()
        raise
    return connection
