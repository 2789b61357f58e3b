"""Rounds of `jackpotd adjudicate` a second of one core, from the bytes of a line to the bytes of its answer.

Seven seats each: stud with antes, folds and progressive bets; baccarat with a main bet a seat, every second one with a
progressive bet. Cards are dealt at random from a fixed seed; meters and stakes differ from round to round. The pools
are those of the shipped example. The time is the processor's; of three runs the least disturbed counts.
"""

from __future__ import annotations

import io
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jackpotd.commands.adjudicate import Judge, chosen, judge_all, judge_of
from jackpotd.commands.common import DONE
from tests.bench.figures import Figure
from tests.core.reference_baccarat import played
from tests.support.configs import config

_ROUNDS, _RUNS, _SEED = 20_000, 3, 61_2004
_PACK = [rank + suit for suit in "SHCD" for rank in "A23456789TJQK"]


def measure(_: Path) -> list[Figure]:
    """Both games."""
    example = config()
    return [
        Figure(
            "stud rounds of seven seats a second",
            _rounds_per_s(_stud, judge_of(*chosen(example, "stud-main", None))),
            "1/s",
            asked=5_000,
        ),
        Figure(
            "baccarat rounds of seven seats a second",
            _rounds_per_s(_baccarat, judge_of(*chosen(example, "bac-b", None))),
            "1/s",
            asked=12_000,
            aim=20_000,
        ),
    ]


def _rounds_per_s(deal: Callable[[random.Random], dict[str, Any]], judge: Judge) -> float:
    chance = random.Random(_SEED)
    lines = b"".join(json.dumps(deal(chance)).encode() + b"\n" for _ in range(_ROUNDS))
    took_s = []
    for _ in range(_RUNS):
        source, sink = io.BytesIO(lines), io.BytesIO()
        began = time.process_time()
        code = judge_all(source, sink, judge)
        took_s.append(time.process_time() - began)
        assert code == DONE
        assert sink.getvalue().count(b"\n") == _ROUNDS
    return _ROUNDS / min(took_s)


def _stud(chance: random.Random) -> dict[str, Any]:
    cards = chance.sample(_PACK, 40)
    seats = {
        str(seat): {
            "cards": cards[5 * seat : 5 * seat + 5],
            "ante": f"{chance.randrange(1, 50)}00.00",
            "folded": chance.random() < 0.4,
            "progressive": chance.random() < 0.7,
        }
        for seat in range(1, 8)
    }
    return {"round": f"r{chance.random()}", "meter": _meter(chance), "dealer": cards[:5], "seats": seats}


def _baccarat(chance: random.Random) -> dict[str, Any]:
    shoe = chance.sample(_PACK * 8, 6)
    bets: list[dict[str, Any]] = []
    for seat in range(1, 8):
        kind = chance.choice(["player", "banker", "tie"])
        bets.append({"seat": seat, "kind": kind, "amount": f"{chance.randrange(1, 50)}00.00"})
        if seat % 2:
            bets.append({"seat": seat, "kind": "progressive"})
    player, banker = played(shoe)
    cards = shoe[: len(player) + len(banker)]
    return {"round": f"b{chance.random()}", "meter": _meter(chance), "cards": cards, "bets": bets}


def _meter(chance: random.Random) -> str:
    return f"{chance.randrange(100_000, 5_000_000)}.{chance.randrange(100):02}"
