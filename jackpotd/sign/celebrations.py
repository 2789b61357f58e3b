"""Hits: celebrated once an id, shown until the controller clears them.

Laws
1. A hit takes the stage once, however often its message comes; one that is first heard of when it is already paid,
   from the broker's memory, does not.
2. One hit at a time is on the stage, and of those that wait the greatest is next; one that would have to wait too long
   stays in the ribbon.
3. (epoch, seq, beat) orders what is said of one hit, also after it was cleared.
4. On a new connection a hit is shown when it was said again: one that was cleared while the sign was away is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jackpotd.messages.mqtt import Hit
from jackpotd.sign.views import Amount, HitView, Place, PoolView

# Long enough to be read aloud, short enough that the meter is missed by nobody.
STAGE_MS = 15_000
# Three hits waiting: what comes later is no news any more by the time it would be shown.
MAX_STAGE_WAIT_MS = 3 * STAGE_MS
# Ids and marks kept, so that an old message shows nothing again; a site has some dozens of hits an hour.
MAX_HITS = 1_000

_Order = tuple[int, int, int]


@dataclass(slots=True)
class _Known:
    """A hit id that was heard of. `hit` None: cleared, or rejected."""

    pool: str
    order: _Order
    hit: Hit | None
    heard_ms: int
    waits: bool  # for its time on the stage
    said: bool = True  # on this connection


class Celebrations:
    """The hits of a sign's pools."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}  # in the order in which the ids were first heard
        self._stage: _Known | None = None
        self._stage_free_ms = 0

    def hear(self, hit: Hit, now_ms: int, *, retained: bool) -> bool | None:
        """Take what is said of a hit: True for a new id, False for a known one, None when it is not newer."""
        order = (hit.epoch, hit.seq, hit.beat)
        shown = None if hit.state == "rejected" else hit
        known = self._known.get(hit.hit)
        if known is not None:
            known.said = known.said or order >= known.order
            if order <= known.order:
                return None
            known.order, known.hit = order, shown
            return False
        news = shown is not None and not (retained and hit.state == "paid")
        self._known[hit.hit] = _Known(hit.pool, order, shown, now_ms, waits=news)
        while len(self._known) > MAX_HITS:
            del self._known[next(iter(self._known))]
        return True

    def clear(self, hit: str) -> None:
        """The controller shows a hit no longer."""
        known = self._known.get(hit)
        if known is not None:
            known.hit = None

    def disconnected(self) -> None:
        """What is cleared from now on is not heard (law 4)."""
        for known in self._known.values():
            known.said = False

    def views(self, pools: Mapping[str, PoolView], now_ms: int) -> list[HitView]:
        """The hits of the pools that have an amount: the one on the stage first, then the greatest."""
        shown = [
            (known, known.hit, pool.amount.currency)
            for known in self._known.values()
            if known.said
            and known.hit is not None
            and (pool := pools.get(known.pool)) is not None
            and pool.amount is not None
            and pool.epoch is not None
            and known.hit.epoch >= pool.epoch
        ]
        shown.sort(key=lambda one: -_whole_units(one[1]))
        self._set_stage([known for known, _, _ in shown], now_ms)
        shown.sort(key=lambda one: one[0] is not self._stage)
        return [_view(hit, currency, on_stage=known is self._stage) for known, hit, currency in shown]

    def _set_stage(self, shown: list[_Known], now_ms: int) -> None:
        """Empty the stage when its time is over, and give it to the first of `shown` that waits (law 2)."""
        if now_ms >= self._stage_free_ms or not any(known is self._stage for known in shown):
            self._stage = None
        for known in shown:
            known.waits = known.waits and now_ms - known.heard_ms <= MAX_STAGE_WAIT_MS
            if self._stage is None and known.waits:
                self._stage, self._stage_free_ms, known.waits = known, now_ms + STAGE_MS, False


def _whole_units(hit: Hit) -> int:
    return int(hit.amount.partition(".")[0])


def _view(hit: Hit, currency: str, *, on_stage: bool) -> HitView:
    whole, _, fraction = hit.amount.partition(".")
    assert hit.state != "rejected", "a rejected hit is not kept"
    return HitView(
        hit=hit.hit,
        pool=hit.pool,
        tier=hit.prize or hit.tier,
        amount=Amount(int(whole + fraction), currency, len(fraction)),
        places=tuple(Place(winner.table, winner.seat) for winner in hit.winners),
        state=hit.state,
        on_stage=on_stage,
    )
