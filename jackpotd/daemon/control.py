"""The control socket's server: a Unix socket, one JSON line in, one JSON line out (design 4).

Laws
1. The kernel says who calls (SO_PEERCRED); nothing that a client writes can change that.
2. Lines, clients, idle times and unread answers are bounded; what exceeds its bound is answered where that is
   possible, and dropped. No client can hold up another, nor the tables.
3. What is no request is answered with an error, never executed in part: a line without its end is not a line.
4. A socket file that nobody answers on is left over and replaced; one that somebody answers on is his.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import stat
import struct
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from jackpotd.core.errors import RuleError
from jackpotd.daemon.identity import Caller, Peer, RefusedError
from jackpotd.messages.base import MessageError, to_json
from jackpotd.messages.control import MAX_REQUEST_BYTES, Code, Request, Response, read_request

log = logging.getLogger(__name__)

SOCKET_MODE = 0o660
# A console, some terminals and scripts; each client costs a task and two small buffers.
MAX_CLIENTS = 64
# So that one person's runaway script leaves room for the others.
MAX_CLIENTS_A_USER = 16
# A console asks every few seconds; a terminal that was left is let go, and comes again when it has something to say.
IDLE_S = 60.0
# A client that does not read its answer for so long is gone.
UNREAD_S = 10.0
# A client that asks without pause is answered a hundred times a second at most: the tables come first.
PAUSE_S = 0.01
# After the kernel is short of something, which it tells by refusing to accept.
SHORT_OF_S = 1.0
_SHORT_OF = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.ECONNABORTED)
_BACKLOG = 32
_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid

Answerer = Callable[[Caller, Request], Awaitable[object]]


class ControlError(Exception):
    """The control socket cannot be opened; one sentence."""


class ControlServer:
    """The open socket. `answer` gives a result, or raises RefusedError, RuleError or MessageError."""

    def __init__(self, path: Path, answer: Answerer, name_of: Callable[[int], Awaitable[str]]) -> None:
        self._path = path
        self._answer = answer
        self._name_of = name_of
        self._clients: Counter[int] = Counter()
        self._listener = _listen(path)
        self._inode = path.stat().st_ino

    def close(self) -> None:
        """Stop listening; the file goes too, if it is still ours."""
        self._listener.close()
        try:
            if self._path.stat().st_ino == self._inode:
                self._path.unlink()
        except FileNotFoundError:
            return

    async def run(self) -> None:
        """Serve for ever."""
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as group:
            while True:
                try:
                    connection, _ = await loop.sock_accept(self._listener)
                except OSError as error:
                    if error.errno not in _SHORT_OF:
                        raise
                    log.warning("control socket", extra={"why": error.strerror})
                    await asyncio.sleep(SHORT_OF_S)
                    continue
                uid = _peer_uid(connection)
                if self._clients.total() >= MAX_CLIENTS or self._clients[uid] >= MAX_CLIENTS_A_USER:
                    _turn_away(connection)
                    continue
                self._clients[uid] += 1
                group.create_task(self._client(connection, uid), name=f"client of {uid}")

    async def _client(self, connection: socket.socket, uid: int) -> None:
        try:
            with closing(connection):
                reader, writer = await asyncio.open_unix_connection(sock=connection, limit=MAX_REQUEST_BYTES)
                # `drain` then waits until all of an answer has left, so that the end cuts none short.
                writer.transport.set_write_buffer_limits(0)
                try:
                    await self._converse(reader, writer, Peer(uid, await self._name_of(uid)))
                finally:
                    writer.transport.abort()
        except OSError:
            return  # the client is gone, which is his right
        finally:
            self._clients[uid] -= 1

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, peer: Peer) -> None:
        """Answer line after line until the client ends, idles, stops reading or says too much."""
        while True:
            try:
                async with asyncio.timeout(IDLE_S):
                    line = await reader.readuntil(b"\n")
            except TimeoutError:
                return
            except asyncio.LimitOverrunError:
                await _send(writer, _refusal(None, "bad_request", f"a request has at most {MAX_REQUEST_BYTES} bytes"))
                return
            except asyncio.IncompleteReadError as rest:
                if rest.partial:
                    await _send(writer, _refusal(None, "bad_request", "the line has no end, so nothing was done"))
                return
            if not await _send(writer, await self._respond(peer, line)):
                return
            await asyncio.sleep(PAUSE_S)

    async def _respond(self, peer: Peer, line: bytes) -> Response:
        request: Request | None = None
        try:
            request = read_request(line)
            result = await self._answer(Caller(peer, request.token), request)
        except (MessageError, RuleError, RefusedError) as error:
            return _no(request, peer, error)
        return Response(id=request.id, ok=True, result=result)


def _no(request: Request | None, peer: Peer, error: MessageError | RuleError | RefusedError) -> Response:
    code: Code = "bad_request" if isinstance(error, MessageError) else "refused"
    result = None
    if isinstance(error, RefusedError):
        code, result = error.code, error.result
    said = request.op if request is not None else ""
    log.warning("request refused", extra={"op": said, "by": peer.unix_user, "code": code, "why": str(error)})
    return _refusal(request.id if request is not None else None, code, str(error), result)


def _refusal(request_id: int | str | None, code: Code, text: str, result: object = None) -> Response:
    return Response(id=request_id, ok=False, error=text, code=code, result=result)


async def _send(writer: asyncio.StreamWriter, response: Response) -> bool:
    """Send a line; False when the client does not read it."""
    writer.write(to_json(response) + b"\n")
    try:
        async with asyncio.timeout(UNREAD_S):
            await writer.drain()
    except TimeoutError:
        return False
    return True


def _turn_away(connection: socket.socket) -> None:
    """One line for a client too many, if his buffer takes it, and the end."""
    line = to_json(_refusal(None, "busy", "too many clients: try again shortly")) + b"\n"
    with closing(connection):
        try:
            connection.send(line, socket.MSG_DONTWAIT)
        except OSError as error:
            log.warning("client turned away unheard", extra={"why": error.strerror})


def _peer_uid(connection: socket.socket) -> int:
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    uid: int = _CREDENTIALS.unpack(raw)[1]
    return uid


def _listen(path: Path) -> socket.socket:
    """A listening socket at the path (law 4); nobody can connect before its mode is set."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
    try:
        _clear(path)
        listener.bind(str(path))
        path.chmod(SOCKET_MODE)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ControlError(f"the control socket {path} cannot be opened: {error.strerror}") from error
    except ControlError:
        listener.close()
        raise
    return listener


def _clear(path: Path) -> None:
    """Take a left-over socket file away. ControlError when it is in use, or no socket."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise ControlError(f"the control socket {path} cannot be opened: there is another file in its place")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC) as probe:
        answered = probe.connect_ex(str(path))
    if answered != errno.ECONNREFUSED:
        raise ControlError(f"the control socket {path} is in use: another daemon answers on it")
    path.unlink()
