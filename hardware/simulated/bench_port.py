"""Where a simulated device on the bench is plugged in: a new pseudo-terminal, a real serial port, or a TCP server.

Law: one address says which. `socket://host:port` is a server there, a character device is a real port with the host
at the other end of its cable, and any other path becomes a link to a new pseudo-terminal.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from hardware.links import Link, SerialSettings, open_link
from hardware.simulated.line import FaultyLine
from hardware.simulated.pty_port import PtyPort
from hardware.simulated.serial_server import SerialServer
from hardware.simulated.wire import PortDevice, Wire

_SOCKET = "socket://"
_PSEUDO = "/dev/pts/"


class PortTakenError(Exception):
    """The address cannot be used; one sentence."""


@asynccontextmanager
async def plugged_in(
    port: str, device: PortDevice, baud: int, to_host: FaultyLine | None, to_device: FaultyLine | None
) -> AsyncIterator[tuple[str, Callable[[bytes], None]]]:
    """The device on its port: what the host opens, and where unasked bytes go. LinkError, PortTakenError."""
    if port.startswith(_SOCKET):
        address = urlsplit(port)
        async with SerialServer(
            [device], host=address.hostname or "", port=address.port or 0, to_host=to_host, to_devices=to_device
        ) as server:
            yield server.url, server.send
    elif _is_real(Path(port)):
        async with _on_cable(port, device, baud, to_host, to_device) as send:
            yield port, send
    else:
        with PtyPort([device], link=_free(Path(port)), to_host=to_host, to_devices=to_device) as pty:
            yield pty.path, pty.send


@asynccontextmanager
async def _on_cable(
    port: str, device: PortDevice, baud: int, to_host: FaultyLine | None, to_device: FaultyLine | None
) -> AsyncIterator[Callable[[bytes], None]]:
    link = await open_link(port, SerialSettings(baud))
    wire = Wire([device], link.write, to_host=to_host, to_devices=to_device)
    wire.open()
    try:
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(_read(link, wire))
            yield wire.send
            reading.cancel()
    finally:
        wire.close()
        link.close()


async def _read(link: Link, wire: Wire) -> None:
    while True:
        wire.heard(await link.read())


def _is_real(path: Path) -> bool:
    """A serial port by its own name or a by-id link; not a link that a pseudo-terminal left over."""
    return path.is_char_device() and not (path.is_symlink() and str(path.readlink()).startswith(_PSEUDO))


def _free(path: Path) -> Path:
    """A path where a link may be made: nothing there, or a link left over."""
    if path.exists() and not path.is_symlink():
        raise PortTakenError(f"{path} is there already and is no serial port")
    return path
