"""Rounds put to the judge of `jackpotd adjudicate`, JSON to JSON, under the shipped example with what a test edits.

The hands by name come from one pack, so that any of them may meet: a royal flush and a low straight flush of each
suit, and what the sevens, eights and nines give.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import orjson

from jackpotd.commands.adjudicate import answer, chosen, judge_of
from tests.support.configs import config

Answer = dict[str, Any]
Ask = Callable[..., Answer]

ROYAL = {suit: f"A{suit} K{suit} Q{suit} J{suit} T{suit}".split() for suit in "SHCD"}
LOW = {suit: f"2{suit} 3{suit} 4{suit} 5{suit} 6{suit}".split() for suit in "SHCD"}
FOUR = ["7S", "7H", "7C", "7D", "8S"]
FULL_HOUSE = ["8H", "8C", "8D", "9S", "9H"]
FLUSH = ["TC", "JC", "9C", "3C", "2C"]  # takes cards of clubs: not beside ROYAL["C"] or LOW["C"]
ACE_KING = ["AD", "KD", "JC", "9D", "4H"]  # opens; not beside ROYAL["D"], LOW["H"] or FLUSH
NO_OPEN = ["QS", "JD", "9C", "7H", "2S"]


def asking(*edits: tuple[str, str], pool: str = "stud-main", table: str | None = None) -> Ask:
    """A function that puts one round, given by its keys, to the judge of a pool."""
    judge = judge_of(*chosen(config(*edits), pool, table))

    def ask(**keys: Any) -> Answer:
        return said(answer(json.dumps({"round": "r1", "meter": "1000000.00"} | keys).encode(), judge))

    return ask


def said(record: Any) -> Answer:
    """An answer as its reader has it."""
    answered: Answer = json.loads(orjson.dumps(record))
    return answered


def seat(cards: list[str], **keys: Any) -> dict[str, Any]:
    """A stud seat with ante and progressive bet, and with what a test changes."""
    return {"cards": cards, "ante": "100.00", "folded": False, "progressive": True} | keys


def bet(number: int, kind: str, amount: str = "100.00") -> dict[str, Any]:
    return {"seat": number, "kind": kind, "amount": amount}


def progressive(*seats: int) -> list[dict[str, Any]]:
    """Progressive bets with the Player bets that they need."""
    return [one for number in seats for one in (bet(number, "player"), {"seat": number, "kind": "progressive"})]
