"""The browsers that show a sign, and what each says it shows.

Laws
1. A page that has not reported for `STALE_MS` shows nothing that anybody may rely on: neutral.
2. Where pages differ, the sign shows what is furthest from what it was asked to show: the worst screen counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from jackpotd.messages.base import Id, MinorText
from jackpotd.sign.face import Shown
from jackpotd.sign.settings import MAX_POOLS
from jackpotd.sign.views import Amount, PoolView, SignView

# The kiosk, and some technicians' tablets.
MAX_PAGES = 8
# Pages report every second.
STALE_MS = 4_000
MAX_REPORT_BYTES = 8 * 1024
_Counter = Annotated[int, Field(ge=0)]


class _Report(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PoolReport(_Report):
    """A pool on a page: `minor` is the amount of its last frame."""

    pool: Id
    state: Literal["live", "pending", "suspended", "neutral"]
    minor: MinorText | None = None
    epoch: _Counter | None = None
    seq: _Counter | None = None


class PageReport(_Report):
    """A page's own word on what it shows."""

    page: int
    pools: tuple[PoolReport, ...] = Field(max_length=MAX_POOLS)


@dataclass(slots=True)
class _Page:
    """A connected page."""

    since_ms: int
    reported_ms: int | None = None
    pools: dict[str, PoolReport] | None = None


class Screens:
    """The pages that are connected now."""

    def __init__(self) -> None:
        self._pages: dict[int, _Page] = {}
        self._last_page = 0

    @property
    def full(self) -> bool:
        """Whether there are enough pages."""
        return len(self._pages) >= MAX_PAGES

    def join(self, now_ms: int) -> int:
        """The number of a new page."""
        self._last_page += 1
        self._pages[self._last_page] = _Page(now_ms)
        return self._last_page

    def leave(self, page: int) -> None:
        """A page is gone."""
        del self._pages[page]

    def heard(self, report: PageReport, now_ms: int) -> bool:
        """Take a page's report; False for a page that is not connected."""
        page = self._pages.get(report.page)
        if page is None:
            return False
        page.reported_ms = now_ms
        page.pools = {pool.pool: pool for pool in report.pools}
        return True

    def shown(self, view: SignView, now_ms: int) -> Shown:
        """What is to be seen of `view`. Without any page it is what a page would show."""
        pools = tuple(self._worst(pool, now_ms) for pool in view.pools)
        return Shown(pools, screens=len(self._pages))

    def _worst(self, asked: PoolView, now_ms: int) -> PoolView:
        worst = asked
        for page in self._pages.values():
            seen = _seen(page, asked, now_ms)
            if seen.state == "neutral":
                return seen
            if seen != asked:
                worst = seen
        return worst


def _seen(page: _Page, asked: PoolView, now_ms: int) -> PoolView:
    heard_ms = page.reported_ms if page.reported_ms is not None else page.since_ms
    if now_ms - heard_ms > STALE_MS:
        return PoolView(asked.pool, "neutral")
    if page.pools is None:
        return asked  # it has only just come
    report = page.pools.get(asked.pool)
    if report is None or report.state == "neutral" or report.minor is None or asked.amount is None:
        return PoolView(asked.pool, "neutral")
    amount = Amount(int(report.minor), asked.amount.currency, asked.amount.exponent)
    return PoolView(asked.pool, report.state, amount, report.epoch, report.seq)
