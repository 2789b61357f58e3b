"""What the page is sent: the whole sign each time, as JSON, with every word and format that it needs.

Law: the page does no arithmetic on money but to roll its digits; what it prints as text comes from here.
"""

from __future__ import annotations

import json
from typing import Any

from jackpotd.sign.settings import Settings
from jackpotd.sign.views import HitView, PoolView, SignView
from jackpotd.sign.wording import GROUPINGS, WORDS, money, places, symbol


def snapshot(settings: Settings, view: SignView, turn: int) -> bytes:
    """The picture; `turn`: which pool is shown where they take turns."""
    content = {
        "pools": [_pool(settings, at, pool, turn) for at, pool in enumerate(view.pools)],
        "hits": [_hit(settings, hit) for hit in view.hits],
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _pool(settings: Settings, at: int, view: PoolView, turn: int) -> dict[str, Any]:
    language = settings.language
    words, grouping = WORDS[language], GROUPINGS[language]
    told: dict[str, Any] = {
        "pool": view.pool,
        "state": view.state,
        "name": settings.pool[at].title(language),
        "neutral": words.jackpot,
        "note": words.suspended,
        "levels": [[words.tier(level.tier), level.prize] for level in settings.pool[at].levels],
        "turn": not settings.rotate_s or at == turn,
    }
    if view.amount is None:
        return told
    return told | {
        "minor": str(view.amount.minor),
        "exponent": view.amount.exponent,
        "epoch": view.epoch,
        "seq": view.seq,
        "format": {
            "symbol": symbol(view.amount.currency),
            "symbol_first": grouping.symbol_first,
            "separator": grouping.separator,
            "least": grouping.least,
        },
    }


def _hit(settings: Settings, view: HitView) -> dict[str, Any]:
    language = settings.language
    words = WORDS[language]
    titles = {pool.id: pool.title(language) for pool in settings.pool}
    return {
        "hit": view.hit,
        "pool": view.pool,
        "name": titles[view.pool],
        "tier": words.tier(view.tier),
        "prize": money(view.amount, language),
        "places": places(view, language),
        "state": view.state,
        "word": words.of_state(view.state),
        "stage": view.on_stage,
    }
