"""The browser face: a page on localhost, fed by server-sent events.

Laws
1. The page gets the whole picture each time, at once after a change and at least every `AGAIN_S`: a page that hears
   nothing for longer turns neutral by itself.
2. Nothing comes from elsewhere: the policy allows this server's own scripts and styles, and nothing inline.
3. Files are read once, at the start; a request reaches no file system.
"""

from __future__ import annotations

import asyncio
import hashlib
import html
import json
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from jackpotd.sign.clock import monotonic_ms, wait
from jackpotd.sign.face import Shown
from jackpotd.sign.screens import MAX_REPORT_BYTES, PageReport, Screens
from jackpotd.sign.settings import NotFreeError, Settings, SignError, host_port
from jackpotd.sign.snapshot import snapshot
from jackpotd.sign.views import SignView, neutral_view

log = logging.getLogger(__name__)

AGAIN_S = 1.0
# After which a page that lost its stream asks for it again.
RETRY_MS = 1_000
# Requests under way at once: pages with a stream and a report each, and a start of all of them.
MAX_REQUESTS = 64
BACKLOG = 16
# A page that takes nothing for so long is not there: its cable was pulled, or it never reads.
GONE_MS = 10_000
# A theme is some kilobytes; a picture in it makes it larger.
MAX_THEME_BYTES = 1024 * 1024
_MS_PER_S = 1_000
_TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript"}
_SCRIPTS_AND_STYLES = ("sign.js", "roll.js", "odometer.js", "sign.css")
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class _Server(uvicorn.Server):
    """A server that leaves signals to the player."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take none."""
        yield


class BrowserFace:
    """The page and those who look at it. SignError: it cannot listen, or has no such theme."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._assets = _assets(settings)
        self._build = hashlib.sha256(b"".join(self._assets.values())).hexdigest()[:16]
        self._socket = _listen(settings.listen)
        self._screens = Screens()
        self._picture = b""
        self._news = asyncio.Event()
        self._stop = asyncio.Event()  # until `run` gets the player's
        self.show(neutral_view(settings.pools))

    @property
    def url(self) -> str:
        """Where the page is."""
        host, port = self._socket.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/"

    def show(self, view: SignView) -> None:
        """Show this from now on."""
        turn_s = self._settings.rotate_s
        turn = monotonic_ms() // (turn_s * _MS_PER_S) % len(view.pools) if turn_s else 0
        picture = snapshot(self._settings, view, turn)
        self._view = view
        if picture != self._picture:
            self._picture = picture
            self._news.set()
            self._news = asyncio.Event()

    def shown(self) -> Shown:
        """What the pages say they show."""
        return self._screens.shown(self._view, monotonic_ms())

    async def run(self, stop: asyncio.Event) -> None:
        """Serve, until the sign stops."""
        server = _Server(self._server_config())
        async with asyncio.TaskGroup() as parts:
            parts.create_task(server.serve(sockets=[self._socket]), name="sign page")
            await stop.wait()
            server.should_exit = True
            self._stop = stop
            self._news.set()  # streams end by themselves

    def _server_config(self) -> uvicorn.Config:
        app = Starlette(
            routes=[
                Route("/", self._file),
                Route("/events", self._events),
                Route("/shown", self._heard, methods=["POST"]),
                Route("/{name}", self._file),
            ]
        )
        return uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=MAX_REQUESTS,
            timeout_graceful_shutdown=1,
        )

    async def _file(self, request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        content = self._assets.get(name)
        if content is None:
            return Response(status_code=404, headers=_HEADERS)
        return Response(content, media_type=_TYPES[Path(name).suffix], headers=_HEADERS)

    async def _events(self, _request: Request) -> Response:
        if self._screens.full:
            return Response(status_code=503, headers=_HEADERS)
        return StreamingResponse(self._stream(), media_type="text/event-stream", headers=_HEADERS)

    async def _stream(self) -> AsyncIterator[bytes]:
        """A page's stream: it joins with the first byte that is asked for, so that it leaves whatever happens."""
        page = self._screens.join(monotonic_ms())
        try:
            yield b"retry: %d\nevent: page\ndata: %b\n\n" % (
                RETRY_MS,
                json.dumps({"page": page, "build": self._build}).encode(),
            )
            while not self._stop.is_set():
                news = self._news
                yield b"data: %b\n\n" % self._picture
                await wait(news, AGAIN_S)
        finally:
            self._screens.leave(page)

    async def _heard(self, request: Request) -> Response:
        if request.headers.get("content-type") != "application/json":
            return Response(status_code=415, headers=_HEADERS)
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_REPORT_BYTES:
                    return Response(status_code=413, headers=_HEADERS)
        except ClientDisconnect:
            return Response(status_code=400, headers=_HEADERS)  # a page that was closed in mid-word hears no answer
        try:
            report = PageReport.model_validate_json(bytes(body))
        except ValidationError:
            return Response(status_code=400, headers=_HEADERS)
        return Response(status_code=204 if self._screens.heard(report, monotonic_ms()) else 410, headers=_HEADERS)


def _assets(settings: Settings) -> dict[str, bytes]:
    """Every file of the page, by the name in its address (law 3)."""
    folder = files("jackpotd.sign").joinpath("page")
    assets = {name: folder.joinpath(name).read_bytes() for name in _SCRIPTS_AND_STYLES}
    assets["theme.css"] = _theme(settings.theme)
    page = folder.joinpath("index.html").read_text(encoding="utf-8")
    words = {
        "{language}": settings.language,
        "{title}": html.escape(settings.id),
        "{layout}": "turn" if settings.rotate_s else "together",
    }
    for mark, word in words.items():
        page = page.replace(mark, word)
    assets["index.html"] = page.encode()
    return assets


def themes() -> list[str]:
    """The names of the themes that ship."""
    names = [one.name for one in files("jackpotd.sign").joinpath("page").iterdir()]
    return sorted(name[6:-4] for name in names if name.startswith("theme-") and name.endswith(".css"))


def _theme(theme: str) -> bytes:
    if theme in themes():
        return files("jackpotd.sign").joinpath("page", f"theme-{theme}.css").read_bytes()
    try:
        with Path(theme).open("rb") as file:
            content = file.read(MAX_THEME_BYTES + 1)
    except OSError as error:
        raise SignError(f"theme: {error}; there are {', '.join(themes())}, or the path of a CSS file") from error
    if len(content) > MAX_THEME_BYTES:
        raise SignError(f"theme: {theme} has more than {MAX_THEME_BYTES} bytes")
    return content


def _listen(address: str) -> socket.socket:
    host, port = host_port(address)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, where = found[0]
        listening = socket.create_server(where[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        raise NotFreeError(f"listen: {address}: {error}") from error
    # Those who connect inherit it: a screen that is gone without a word leaves its place.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
    return listening
