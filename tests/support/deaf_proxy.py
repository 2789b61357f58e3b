"""A proxy between an MQTT client and its broker that loses what it is told to lose, both ways otherwise untouched.

Law: it cuts the broker's bytes into MQTT packets, so that exactly the named ones are lost and no other byte.
"""

from __future__ import annotations

import math
import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

PUBACK = 4
_READ_BYTES = 65_536


class DeafProxy:
    """Listens on `port`; of the packets of type `losing` that the broker sends, `most` never reach the client."""

    def __init__(self, broker: tuple[str, int]) -> None:
        self._broker = broker
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.losing: int | None = None
        self.most = math.inf
        self.lost = 0
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one in (self._listener, *self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self._threads:
            thread.join()

    def _start(self, work: object, *args: object) -> None:
        assert callable(work)
        thread = threading.Thread(target=work, args=args)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                broker = socket.create_connection(self._broker)
                self._sockets += [client, broker]
                self._start(self._carry, client, broker)
                self._start(self._carry_packets, broker, client)

    def _carry(self, source: socket.socket, to: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_READ_BYTES):
                to.sendall(data)
        self._end(to)

    def _carry_packets(self, source: socket.socket, to: socket.socket) -> None:
        held = b""
        with suppress(OSError):
            while data := source.recv(_READ_BYTES):
                held += data
                while (length := _packet_bytes(held)) is not None:
                    packet, held = held[:length], held[length:]
                    if packet[0] >> 4 == self.losing and self.lost < self.most:
                        self.lost += 1
                    else:
                        to.sendall(packet)
        self._end(to)

    def _end(self, to: socket.socket) -> None:
        with suppress(OSError):
            to.shutdown(socket.SHUT_RDWR)


def _packet_bytes(held: bytes) -> int | None:
    """The length of the first packet, or None while it is not whole (MQTT 3.1.1, section 2.2)."""
    length, shift = 0, 0
    for at, byte in enumerate(held[1:5], start=2):
        length |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return at + length if len(held) >= at + length else None
    return None
