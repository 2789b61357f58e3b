"""Judged rounds as `adjudicate` writes them: one JSON object a line (design section 4).

Law: every amount is text with all the decimals needed, at least the minor unit's, and none is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jackpotd.core.baccarat import total
from jackpotd.core.cards import Card
from jackpotd.core.judge_baccarat import Bet, JudgedBaccarat
from jackpotd.core.judge_stud import JudgedSeat, JudgedStud
from jackpotd.core.judging import Irregularity
from jackpotd.core.money import format_amount
from jackpotd.core.settlement import Settlement

Record = dict[str, Any]

# Stakes, odds on them and nothing at all come again and again: as many as a run plausibly has, and little memory.
_text = lru_cache(maxsize=4_096)(format_amount)


def stud_record(name: str, judged: JudgedStud, exponent: int) -> Record:
    """A stud round; `name` is what the round was called on the way in."""
    return {
        "round": name,
        "dealer": {"hand": judged.hand, "opens": judged.opens},
        "seats": {str(seat): _seat(one, exponent) for seat, one in judged.seats.items()},
        **_money(judged.settlement, judged.void, exponent),
    }


def _seat(judged: JudgedSeat, exponent: int) -> Record:
    record: Record = {
        "hand": judged.hand,
        "result": judged.result,
        "ante": _text(judged.net.ante_atoms, exponent),
        "raise": _text(judged.net.raise_atoms, exponent),
    }
    if judged.tier is not None:
        record["tier"] = judged.tier
        record["prize"] = _text(judged.prize_atoms, exponent)
    return record


def baccarat_record(name: str, bets: Sequence[Bet], judged: JudgedBaccarat, exponent: int) -> Record:
    """A baccarat round with these bets; progressive bets have no net and are told by the prize."""
    coup = judged.coup
    record: Record = {
        "round": name,
        "player": None if coup is None else _side(coup.player),
        "banker": None if coup is None else _side(coup.banker),
        "outcome": judged.outcome,
        "bets": [
            {"seat": bet.seat, "kind": bet.kind, "net": _text(net_atoms, exponent)}
            for bet, net_atoms in zip(bets, judged.nets, strict=True)
            if net_atoms is not None
        ],
        "tier": judged.tier,
    }
    for turn in judged.settlement.turns:  # at most one: the bettors of an option are paid together
        record["prize"] = {
            "paid": _text(turn.total_atoms, exponent),
            "each": _text(turn.awards[0][1], exponent),
            "seats": [seat for seat, _ in turn.awards],
        }
    return record | _money(judged.settlement, judged.void, exponent)


def _side(cards: Sequence[Card]) -> Record:
    return {"cards": cards, "total": total(cards)}


def _money(settlement: Settlement, void: Irregularity | None, exponent: int) -> Record:
    """Where the round's money came from and went, the same for both games."""
    restart = settlement.restart
    return {
        "meter": _text(settlement.pool_atoms, exponent),
        "from_pool": _text(sum(turn.from_pool_atoms for turn in settlement.turns), exponent),
        "from_house": _text(sum(turn.from_house_atoms for turn in settlement.turns), exponent),
        "seed_from_reserve": _text(restart.seed_from_reserve_atoms if restart else 0, exponent),
        "seed_from_house": _text(restart.seed_from_house_atoms if restart else 0, exponent),
        "rest_to_house": _text(restart.rest_to_house_atoms if restart else 0, exponent),
        "void": void,
    }
