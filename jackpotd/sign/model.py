"""What a sign may show, decided from what it heard and when; pure: times are the caller's monotonic milliseconds.

Laws (design section 6)
1. (epoch, seq, beat) orders a pool's meters; what is not newer changes nothing, not even the amount's age.
2. A pool is neutral until a live meter has come on this connection, once its age passes `ttl_ms`, and while the
   controller that said it is not online.
3. A meter that falls is shown as the controller says it; a fall that no hit and no new epoch explains is counted.
4. No wall clock is read or believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jackpotd.messages.mqtt import Hit, Meter, Status
from jackpotd.sign.celebrations import Celebrations
from jackpotd.sign.statuses import Statuses
from jackpotd.sign.views import Amount, PoolView, SignView

# Meter and hit are said at the same time on two topics: the hit that explains a fall may come after it.
HIT_GRACE_MS = 5_000
# Hits that a face has room for: one on the stage, three in the ribbon.
MAX_SHOWN = 4


@dataclass(slots=True)
class _Pool:
    """The newest meter of a pool, and what is known of its last fall."""

    meter: Meter | None = None
    live_ms: int | None = None  # when it came; None: from the broker's memory, or on a connection that is gone
    hit_since: bool = False  # a new hit was heard of since the amount last changed
    fell_ms: int | None = None  # when it fell with no hit known so far


class SignModel:
    """The pools of one sign."""

    def __init__(self, pools: Sequence[str]) -> None:
        self._pools = {pool: _Pool() for pool in pools}
        self._statuses = Statuses()
        self._celebrations = Celebrations()
        self._connected = False
        self._falls = 0

    def connected(self) -> None:
        """The broker is there, and is about to say what it keeps."""
        self._connected = True

    def disconnected(self) -> None:
        """The broker is gone: what was live is so no longer."""
        self._connected = False
        for pool in self._pools.values():
            pool.live_ms = None
        self._celebrations.disconnected()

    def heard_status(self, node: str, status: Status) -> bool:
        """Take a controller's status; False when it is not newer."""
        return self._statuses.hear(node, status)

    def heard_meter(self, pool: str, meter: Meter, now_ms: int, *, retained: bool) -> bool:
        """Take a meter; False when it is not newer, or not of this pool."""
        known = self._pools.get(pool)
        if known is None or meter.pool != pool:
            return False
        if known.meter is not None:
            if _order(meter) <= _order(known.meter):
                return False
            self._follow(known, known.meter, meter, now_ms)
        known.meter = meter
        known.live_ms = None if retained else now_ms
        return True

    def heard_hit(self, pool: str, hit: Hit, now_ms: int, *, retained: bool) -> bool:
        """Take what is said of a hit; False when it is not newer, or not of this pool."""
        known = self._pools.get(pool)
        if known is None or hit.pool != pool:
            return False
        new = self._celebrations.hear(hit, now_ms, retained=retained)
        if new:
            known.hit_since, known.fell_ms = known.fell_ms is None, None
        return new is not None

    def cleared_hit(self, hit: str) -> None:
        """The controller shows a hit no longer."""
        self._celebrations.clear(hit)

    def view(self, now_ms: int) -> SignView:
        """What the sign shows now."""
        self._count_falls(now_ms)
        pools = tuple(self._pool_view(name, pool, now_ms) for name, pool in self._pools.items())
        hits = self._celebrations.views({pool.pool: pool for pool in pools}, now_ms)
        return SignView(pools, tuple(hits[:MAX_SHOWN]), self._falls)

    def _pool_view(self, name: str, pool: _Pool, now_ms: int) -> PoolView:
        meter, live_ms = pool.meter, pool.live_ms
        if meter is None or live_ms is None or not self._connected:
            return PoolView(name, "neutral")
        if now_ms - live_ms > meter.ttl_ms or not self._statuses.speaks(meter.epoch):
            return PoolView(name, "neutral")
        amount = Amount(int(meter.amount_minor), meter.currency, meter.exponent)
        return PoolView(name, meter.state, amount, meter.epoch, meter.seq)

    def _follow(self, pool: _Pool, last: Meter, meter: Meter, now_ms: int) -> None:
        """See whether the amount falls without a reason (law 3)."""
        change = int(meter.amount_minor) - int(last.amount_minor)
        if change < 0 and not pool.hit_since and meter.epoch == last.epoch:
            self._count_fall(pool)
            pool.fell_ms = now_ms
        if change:
            pool.hit_since = False

    def _count_falls(self, now_ms: int) -> None:
        for pool in self._pools.values():
            if pool.fell_ms is not None and now_ms - pool.fell_ms > HIT_GRACE_MS:
                self._count_fall(pool)

    def _count_fall(self, pool: _Pool) -> None:
        """Count a fall that no hit has explained so far, if there is one."""
        if pool.fell_ms is not None:
            self._falls += 1
            pool.fell_ms = None


def _order(meter: Meter) -> tuple[int, int, int]:
    return meter.epoch, meter.seq, meter.beat
