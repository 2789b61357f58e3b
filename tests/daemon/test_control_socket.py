"""The control socket's server against clients that are slow, loud, half gone, too many, or somebody else."""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import socket
import stat
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pytest

from jackpotd.core.errors import RuleError
from jackpotd.daemon import control
from jackpotd.daemon.control import ControlError, ControlServer
from jackpotd.daemon.identity import Caller, RefusedError
from jackpotd.ledger.owners import unix_user
from jackpotd.messages.control import MAX_REQUEST_BYTES, Request

T = TypeVar("T")
Asked = list[tuple[Caller, Request]]
# More than a socket's buffers and the server's own hold together.
LONG_ANSWER = "x" * 4_000_000
# Generous: only a server that hangs lets a test wait this long.
LIMIT_S = 30.0


class Line:
    """A client that is in no hurry to be one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    async def ask(self, op: str, **more: Any) -> dict[str, Any]:
        return await self.say(json.dumps({"v": 1, "id": 1, "op": op} | more).encode() + b"\n")

    async def say(self, data: bytes) -> dict[str, Any]:
        self.writer.write(data)
        await self.writer.drain()
        return await self.hear()

    async def hear(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(await self._reader.readuntil(b"\n"))
        return answer

    async def ended(self) -> None:
        """Wait until the server ends it; what it still has to say is read and dropped."""
        async with asyncio.timeout(LIMIT_S):
            try:
                while await self._reader.read(1 << 20):
                    pass
            except ConnectionResetError:
                return


class Server:
    """A server whose operations are these: echo, long, refuse, rule, wait."""

    def __init__(self, path: Path) -> None:
        self.asked: Asked = []
        self.waited = asyncio.Event()
        self.release = asyncio.Event()
        self.lines: list[Line] = []
        self.path = path
        self.server = ControlServer(path, self._answer, self._name_of)

    async def _name_of(self, uid: int) -> str:
        return unix_user(uid)

    async def _answer(self, caller: Caller, request: Request) -> object:
        self.asked.append((caller, request))
        match request.op:
            case "long":
                return LONG_ANSWER
            case "refuse":
                raise RefusedError("not_allowed", "not you", {"why": "so"})
            case "rule":
                raise RuleError("the table is closed")
            case "wait":
                self.waited.set()
                await self.release.wait()
            case _:
                return request.args
        return None

    async def client(self) -> Line:
        line = Line(*await asyncio.open_unix_connection(str(self.path), limit=2 * len(LONG_ANSWER)))
        self.lines.append(line)
        return line

    async def left(self, count: int) -> None:
        """Wait until only so many clients are there."""
        async with asyncio.timeout(LIMIT_S):
            while self.server._clients.total() > count:  # noqa: ASYNC110  # the server tells nobody of an end
                await asyncio.sleep(0.01)


def served(folder: Path, work: Callable[[Server], Awaitable[T]]) -> T:
    """Run a server beside the work."""

    async def run() -> T:
        server = Server(folder / "control.sock")
        with closing(server.server):
            task = asyncio.ensure_future(server.server.run())
            try:
                return await work(server)
            finally:
                for line in server.lines:
                    line.writer.close()
                task.cancel()
                await asyncio.wait([task])
                if not task.cancelled():
                    task.result()

    return asyncio.run(run())


def test_a_request_is_answered_with_its_id_and_the_kernel_says_who_asked(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        line = await server.client()
        answer = await line.ask("echo", id="a-7", args={"n": 1}, token="secret")
        assert (answer["id"], answer["ok"], answer["result"]) == ("a-7", True, {"n": 1})
        ((caller, _),) = server.asked
        assert (caller.peer.uid, caller.peer.unix_user) == (os.getuid(), getpass.getuser())
        assert caller.token == "secret"

    served(tmp_path, work)


def test_the_sockets_mode_is_0660_and_the_file_goes_with_the_server(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        found = server.path.stat().st_mode
        assert stat.S_ISSOCK(found)
        assert stat.S_IMODE(found) == 0o660

    served(tmp_path, work)
    assert not (tmp_path / "control.sock").exists()


def test_many_requests_on_one_connection_are_answered_in_order(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        line = await server.client()
        lines = [json.dumps({"id": number, "op": "echo", "args": {}}).encode() + b"\n" for number in range(20)]
        assert (await line.say(b"".join(lines)))["id"] == 0
        assert [(await line.hear())["id"] for _ in range(19)] == list(range(1, 20))

    served(tmp_path, work)


def test_a_line_in_pieces_is_one_line(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        line = await server.client()
        for byte in b'{"id":1,"op":"echo"}':
            line.writer.write(bytes([byte]))
            await line.writer.drain()
        assert server.asked == []
        assert (await line.say(b"\n"))["ok"] is True

    served(tmp_path, work)


@pytest.mark.parametrize(
    "line", [b"\n", b"{}\n", b"\xff\xfe\x00\n", b'{"id":1,"op":"../../etc"}\n', b"[" * 9_000 + b"\n"]
)
def test_garbage_gets_an_error_object_and_the_connection_goes_on(tmp_path: Path, line: bytes) -> None:
    async def work(server: Server) -> None:
        client = await server.client()
        answer = await client.say(line)
        assert (answer["ok"], answer["id"], answer["code"]) == (False, None, "bad_request")
        assert "Traceback" not in answer["error"]
        assert (await client.ask("echo"))["ok"] is True

    served(tmp_path, work)


def test_a_line_that_is_too_long_is_refused_and_ends_the_connection(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        client = await server.client()
        answer = await client.say(b"x" * (MAX_REQUEST_BYTES + 1))
        assert (answer["ok"], answer["code"]) == (False, "bad_request")
        await client.ended()
        assert (await (await server.client()).ask("echo"))["ok"] is True

    served(tmp_path, work)


def test_a_line_without_its_end_is_not_carried_out(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        client = await server.client()
        client.writer.write(b'{"id":1,"op":"echo"}')
        client.writer.write_eof()
        assert (await client.hear())["error"] == "the line has no end, so nothing was done"
        await client.ended()
        assert server.asked == []

    served(tmp_path, work)


def test_a_client_that_has_said_all_still_gets_a_long_answer_whole(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        client = await server.client()
        client.writer.write(b'{"id":1,"op":"long"}\n')
        client.writer.write_eof()
        assert (await client.hear())["result"] == LONG_ANSWER
        await client.ended()

    served(tmp_path, work)


def test_a_refusal_has_its_code_and_what_there_is_to_say(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        client = await server.client()
        no = await client.ask("refuse")
        assert (no["ok"], no["code"], no["error"], no["result"]) == (False, "not_allowed", "not you", {"why": "so"})
        rule = await client.ask("rule")
        assert (rule["ok"], rule["code"], rule["error"]) == (False, "refused", "the table is closed")

    served(tmp_path, work)


def test_a_client_that_does_not_read_is_dropped_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "UNREAD_S", 0.1)

    async def work(server: Server) -> None:
        deaf = await server.client()
        deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]  # every stream transport has it
        deaf.writer.write(b'{"id":1,"op":"long"}\n' * 3)
        other = await server.client()
        assert (await other.ask("echo"))["ok"] is True
        await server.left(1)
        assert (await other.ask("echo"))["ok"] is True

    served(tmp_path, work)


def test_a_client_that_says_nothing_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "IDLE_S", 0.05)

    async def work(server: Server) -> None:
        silent, half = await server.client(), await server.client()
        half.writer.write(b'{"id":1,')
        await silent.ended()
        await half.ended()

    served(tmp_path, work)


def test_a_client_that_waits_for_an_answer_does_not_hold_up_another(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        waiting, other = await server.client(), await server.client()
        waiting.writer.write(b'{"id":1,"op":"wait"}\n')
        await server.waited.wait()
        assert (await other.ask("echo"))["ok"] is True
        server.release.set()
        assert (await waiting.hear())["ok"] is True

    served(tmp_path, work)


def test_a_client_that_is_gone_before_its_answer_harms_nothing(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        gone = await server.client()
        gone.writer.write(b'{"id":1,"op":"wait"}\n')
        await server.waited.wait()
        gone.writer.transport.abort()
        server.release.set()
        assert (await (await server.client()).ask("echo"))["ok"] is True

    served(tmp_path, work)


@pytest.mark.parametrize("bound", ["MAX_CLIENTS", "MAX_CLIENTS_A_USER"])
def test_a_client_too_many_is_told_so_and_may_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(control, bound, 2)

    async def work(server: Server) -> None:
        first, second = await server.client(), await server.client()
        assert (await first.ask("echo"))["ok"] is True
        assert (await second.ask("echo"))["ok"] is True
        third = await server.client()
        answer = await third.hear()
        assert (answer["ok"], answer["code"]) == (False, "busy")
        await third.ended()
        first.writer.close()
        await server.left(1)
        assert (await (await server.client()).ask("echo"))["ok"] is True

    served(tmp_path, work)


def test_a_file_that_a_killed_daemon_left_is_replaced(tmp_path: Path) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / "control.sock"))
    left.close()

    async def work(server: Server) -> None:
        assert (await (await server.client()).ask("echo"))["ok"] is True

    served(tmp_path, work)


def test_a_socket_that_somebody_answers_on_is_not_taken_from_him(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        with pytest.raises(ControlError, match="another daemon answers on it"):
            Server(server.path)
        assert (await (await server.client()).ask("echo"))["ok"] is True

    served(tmp_path, work)


def test_another_file_in_the_sockets_place_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    path.write_text("somebody's", encoding="utf-8")
    with pytest.raises(ControlError, match="another file in its place"):
        served(tmp_path, lambda _: asyncio.sleep(0))
    assert path.read_text(encoding="utf-8") == "somebody's"


def test_a_folder_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ControlError, match="No such file or directory"):
        served(tmp_path / "none", lambda _: asyncio.sleep(0))


def test_a_file_that_another_daemon_has_put_there_since_stays(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"

    async def work(server: Server) -> None:
        server.path.rename(tmp_path / "moved.sock")
        path.write_text("another's", encoding="utf-8")

    served(tmp_path, work)
    assert path.read_text(encoding="utf-8") == "another's"
