"""The sign player: model, broker and face put together.

Laws
1. The face is asked to show the model's view after every message and every `TICK_S`: age alone turns it neutral. What
   comes within `LEAST_S` is one picture, so that a flood of messages is no flood of pictures.
2. What is reported is what the face says it shows, not what it was asked to.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from jackpotd.messages.base import decimal_text
from jackpotd.messages.mqtt import ShownPool, SignState
from jackpotd.sign.client import SignClient
from jackpotd.sign.clock import monotonic_ms, wait
from jackpotd.sign.face import Face
from jackpotd.sign.model import SignModel
from jackpotd.sign.settings import Settings
from jackpotd.sign.views import PoolView, SignView

log = logging.getLogger(__name__)

TICK_S = 0.2
LEAST_S = 0.05


class Player:
    """One sign. `came_round` is called whenever the face was asked to show, which never waits for anybody."""

    def __init__(self, settings: Settings, face: Face, stop: asyncio.Event, came_round: Callable[[], None]) -> None:
        self._settings = settings
        self._face = face
        self._stop = stop
        self._came_round = came_round
        self._model = SignModel(settings.pools)
        self._changed = asyncio.Event()
        self._client = SignClient(settings, self._model, self.report, self._changed.set, stop)
        self._last: SignView | None = None

    async def run(self) -> None:
        """Play until stopped."""
        async with asyncio.TaskGroup() as parts:
            parts.create_task(self._face.run(self._stop), name="sign face")
            parts.create_task(self._tick(), name="sign tick")
            parts.create_task(self._client.run(), name="sign broker")

    def report(self) -> SignState:
        """What the sign shows, for the broker (law 2)."""
        shown = self._face.shown()
        first, *others = [_shown_pool(pool) for pool in shown.pools]
        return SignState(
            **first.model_dump(),
            others=tuple(others),
            screens=shown.screens,
            falls=self._last.falls if self._last is not None else 0,
        )

    async def _tick(self) -> None:
        while not self._stop.is_set():
            self._changed.clear()
            view = self._model.view(monotonic_ms())
            self._note(view)
            self._face.show(view)
            self._came_round()
            await asyncio.sleep(LEAST_S)
            await wait(self._changed, TICK_S)

    def _note(self, view: SignView) -> None:
        """One line in the log for each state that a pool enters, and for each fall without a reason."""
        last, self._last = self._last, view
        before = {pool.pool: pool.state for pool in last.pools} if last is not None else {}
        for pool in view.pools:
            if before.get(pool.pool) != pool.state:
                log.info("pool shown", extra={"pool": pool.pool, "state": pool.state})
        if view.falls > (last.falls if last is not None else 0):
            log.warning("a meter fell without a hit", extra={"falls": view.falls})


def _shown_pool(view: PoolView) -> ShownPool:
    if view.amount is None:
        return ShownPool(state="neutral", pool=view.pool)
    amount = decimal_text(view.amount.minor, view.amount.exponent)
    return ShownPool(state=view.state, pool=view.pool, epoch=view.epoch, seq=view.seq, amount=amount)
