"""The terminal face."""

from __future__ import annotations

import asyncio
import io

import pytest
from rich.console import Console

from jackpotd.sign.settings import Settings, read_settings
from jackpotd.sign.terminal import TerminalFace, large
from jackpotd.sign.views import Amount, HitView, Place, PoolView, SignView
from tests.support.controller_voice import POOL, SITE

HIT = HitView("h", POOL, "flush", Amount(50_000, "MOP", 2), (Place("T01", 4),), "paid", on_stage=True)


def settings() -> Settings:
    given = {"broker": "mqtt://127.0.0.1", "site": SITE, "language": "en", "pool": (POOL,), "face": "terminal"}
    return read_settings(None, given)


def drawn(*views: SignView, columns: int = 120) -> str:
    """What a terminal has been sent, the views one after the other."""
    out = io.StringIO()
    face = TerminalFace(settings(), Console(file=out, width=columns, force_terminal=True, color_system=None))

    async def play() -> None:
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as parts:
            parts.create_task(face.run(stop))
            for view in views:
                face.show(view)
                async with asyncio.timeout(20):
                    while not out.getvalue() or face.shown().pools != view.pools:  # noqa: ASYNC110  # a face tells nobody
                        await asyncio.sleep(0.01)
            stop.set()
            face.show(SignView(views[-1].pools, (), 1))

    asyncio.run(play())
    return out.getvalue()


def test_the_amount_is_large() -> None:
    view = SignView((PoolView(POOL, "live", Amount(1_234_56, "MOP", 2), 1, 1),), (), 0)
    text = drawn(view)
    for line in large("1,234").splitlines():
        assert line.strip() in text
    assert "MOP$" in text


@pytest.mark.parametrize(("columns", "blocks"), [(57, True), (56, False), (24, False)])
def test_a_narrow_terminal_shows_the_whole_number_in_small_digits(columns: int, blocks: bool) -> None:
    view = SignView((PoolView(POOL, "live", Amount(99_999_999_999_999, "MOP", 2), 1, 1),), (), 0)
    text = drawn(view, columns=columns)
    assert ("█" in text) == blocks
    assert ("999,999,999,999" in text) != blocks
    for line in large("999,999,999,999").splitlines():
        assert (line.strip() in text) == blocks


def test_the_neutral_face_has_no_number() -> None:
    text = drawn(SignView((PoolView(POOL, "neutral"),), (), 0))
    assert "Progressive jackpot" in text
    assert "█" not in text


def test_a_hit_is_told_with_tier_amount_table_and_seat() -> None:
    pool = PoolView(POOL, "suspended", Amount(100, "MOP", 2), 1, 1)
    text = drawn(SignView((pool,), (HIT,), 0))
    assert "Flush  MOP$500  Table T01 · Seat 4  Paid" in text
    assert "Suspended" in text


def test_every_digit_and_separator_is_drawn_five_rows_high() -> None:
    rows = large("0,123\u00a0456789").splitlines()
    assert len(rows) == 5
    assert len({len(row) for row in rows}) == 1
