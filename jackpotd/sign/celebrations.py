"""Hits: celebrated once an id, shown until the controller clears them.

Laws
1. A hit takes the stage once, however often its message comes; one that is first heard of when it is already paid,
   from the broker's memory, does not.
2. One hit at a time is on the stage; one that would have to wait too long goes straight to the ribbon.
3. (epoch, seq, beat) orders what is said of one hit, also after it was cleared.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.messages.mqtt import Hit
from jackpotd.sign.views import Amount, HitView, Place

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
    stage_from_ms: int | None


class Celebrations:
    """The hits of a sign's pools."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}  # in the order in which the ids were first heard
        self._stage_free_ms = 0

    def hear(self, hit: Hit, now_ms: int, *, retained: bool) -> bool | None:
        """Take what is said of a hit: True for a new id, False for a known one, None when it is not newer."""
        order = (hit.epoch, hit.seq, hit.beat)
        shown = None if hit.state == "rejected" else hit
        known = self._known.get(hit.hit)
        if known is not None:
            if order <= known.order:
                return None
            known.order, known.hit = order, shown
            return False
        news = shown is not None and not (retained and hit.state == "paid")
        stage_from_ms = self._place_on_stage(now_ms) if news else None
        self._known[hit.hit] = _Known(hit.pool, order, shown, stage_from_ms)
        while len(self._known) > MAX_HITS:
            del self._known[next(iter(self._known))]
        return True

    def clear(self, hit: str) -> None:
        """The controller shows a hit no longer."""
        known = self._known.get(hit)
        if known is not None:
            known.hit = None

    def views(self, pool: str, epoch: int, currency: str, now_ms: int) -> list[HitView]:
        """The hits of a pool to be shown under the meter's `epoch`, newest first."""
        return [
            _view(known, known.hit, currency, now_ms)
            for known in reversed(self._known.values())
            if known.pool == pool and known.hit is not None and known.hit.epoch >= epoch
        ]

    def _place_on_stage(self, now_ms: int) -> int | None:
        from_ms = max(now_ms, self._stage_free_ms)
        if from_ms - now_ms > MAX_STAGE_WAIT_MS:
            return None
        self._stage_free_ms = from_ms + STAGE_MS
        return from_ms


def _view(known: _Known, hit: Hit, currency: str, now_ms: int) -> HitView:
    whole, _, fraction = hit.amount.partition(".")
    from_ms = known.stage_from_ms
    assert hit.state != "rejected", "a rejected hit is not kept"
    return HitView(
        hit=hit.hit,
        pool=hit.pool,
        tier=hit.tier,
        amount=Amount(int(whole + fraction), currency, len(fraction)),
        places=tuple(Place(winner.table, winner.seat) for winner in hit.winners),
        state=hit.state,
        on_stage=from_ms is not None and from_ms <= now_ms < from_ms + STAGE_MS,
    )
