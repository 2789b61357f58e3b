"""Rounds as `adjudicate` reads them: one JSON object a line (design section 4).

Laws
1. What is not exactly a round is refused in words (`RuleError`): a wrong type, an unknown key, a key said twice.
2. An optional key may be absent or null, which is the same.
3. Amounts are text. Which cards and bets may be together is the core's question, not asked here.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import orjson

from jackpotd.core.baccarat import BetKind
from jackpotd.core.cards import Card, parse_cards
from jackpotd.core.errors import RuleError
from jackpotd.core.judge_baccarat import BaccaratRound, Bet
from jackpotd.core.judge_stud import StudRound, StudSeat
from jackpotd.core.judging import Funds, Irregularity
from jackpotd.core.money import ZERO, Atoms, parse_amount
from jackpotd.core.parameters import PoolParams

Record = dict[str, Any]

_COMMON = frozenset({"round", "meter", "reserve", "overflow", "irregularity", "void_seats"})
_STUD = _COMMON | {"dealer", "seats"}
_STUD_SEAT = frozenset({"cards", "ante", "folded", "progressive"})
_BACCARAT = _COMMON | {"cards", "bets"}
_BET = frozenset({"seat", "kind", "amount"})
_KINDS: dict[str, BetKind] = {kind.value: kind for kind in BetKind}
_IRREGULARITIES: dict[str, Irregularity] = {one.value: one for one in Irregularity}
# Seats as keys: no sign, no leading zero, and more of them than a table has.
_SEATS: dict[str, int] = {str(seat): seat for seat in range(100)}
# Stakes and meters come again and again: as many as a run plausibly has, and little memory.
_atoms_of = lru_cache(maxsize=4_096)(parse_amount)
# Fifteen seats with every bet of baccarat take a tenth of it.
MAX_LINE_BYTES = 65_536


def parse_record(line: bytes) -> Record:
    """The object of a line; RuleError unless it is one."""
    if len(line) > MAX_LINE_BYTES:
        raise RuleError(f"a line of more than {MAX_LINE_BYTES} bytes is no round")
    try:
        return _object(orjson.loads(line), "a round")
    except orjson.JSONDecodeError as error:
        raise RuleError(f"this is no JSON: {error}") from error


def check_repeats(line: bytes, record: Record) -> None:
    """RuleError if an object of the line says a key twice, of which the fast parser kept the last."""
    try:
        # A key that was dropped took its quotes along. Texts with escapes change theirs, so the careful parser looks.
        if b"\\" in line or line.count(b'"') != orjson.dumps(record).count(b'"'):
            json.loads(line, object_pairs_hook=_refuse_repeats)
    except (orjson.JSONEncodeError, RecursionError, ValueError) as error:
        raise RuleError(f"no round looks like this: {error}") from error


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RuleError(f'"{twice}" is said twice')
    return record


def read_name(record: Record) -> str:
    """What the round is called."""
    name = record.get("round")
    if not isinstance(name, str):
        raise RuleError('"round" must be text')
    return name


def read_stud(record: Record, pool: PoolParams) -> StudRound:
    """A stud round of a record."""
    _check_keys(record, _STUD)
    seats: dict[int, StudSeat] = {}
    for name, value in _object(record.get("seats", {}), '"seats"').items():
        seat = _SEATS.get(name)
        if seat is None:
            raise RuleError(f"seat {name!r} is unknown")
        try:
            seats[seat] = _stud_seat(_object(value, "a seat"), pool.exponent)
        except RuleError as error:
            raise RuleError(f"seat {name}: {error}") from error
    return StudRound(
        funds=_funds(record, pool.exponent),
        dealer=_cards(record, "dealer"),
        seats=seats,
        irregularity=_irregularity(record),
        void_seats=frozenset(_seat(value) for value in _list(record, "void_seats")),
    )


def _stud_seat(record: Record, exponent: int) -> StudSeat:
    _check_keys(record, _STUD_SEAT)
    ante_atoms = _optional_amount(record, "ante", exponent)
    return StudSeat(_cards(record, "cards"), ante_atoms, _flag(record, "folded"), _flag(record, "progressive"))


def read_baccarat(record: Record, pool: PoolParams) -> BaccaratRound:
    """A baccarat round of a record."""
    _check_keys(record, _BACCARAT)
    if _list(record, "void_seats"):
        raise RuleError('"void_seats" are stud\'s (61/2004 11(3)); baccarat deals no cards to seats')
    return BaccaratRound(
        funds=_funds(record, pool.exponent),
        cards=_cards(record, "cards"),
        bets=_bets(_list(record, "bets"), pool),
        irregularity=_irregularity(record),
    )


def _bets(values: list[Any], pool: PoolParams) -> tuple[Bet, ...]:
    bets: list[Bet] = []
    for value in values:
        try:
            bets.append(_bet(_object(value, "a bet"), pool))
        except RuleError as error:
            raise RuleError(f"bet {len(bets) + 1}: {error}") from error
    return tuple(bets)


def _bet(record: Record, pool: PoolParams) -> Bet:
    _check_keys(record, _BET)
    said = (record.get("seat"), record.get("kind"), record.get("amount"))
    try:
        return _known_bet(*said, pool.bet_atoms, pool.exponent)
    except TypeError:  # a list or an object is no key of a cache; that it is no part of a bet is said by reading it
        return _read_bet(*said, pool.bet_atoms, pool.exponent)


def _read_bet(seat: object, name: object, amount: object, progressive_atoms: Atoms, exponent: int) -> Bet:
    number = _seat(seat)
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RuleError(f'"kind" must be one of {", ".join(_KINDS)}')
    if kind is BetKind.PROGRESSIVE and amount is None:
        return Bet(number, kind, progressive_atoms)
    return Bet(number, kind, _atoms(amount, "amount", exponent))


# Seats, kinds and stakes come again together; typed, for to a cache JSON's true and 1.0 are the seat 1.
_known_bet = lru_cache(maxsize=4_096, typed=True)(_read_bet)


def _check_keys(record: Record, known: frozenset[str]) -> None:
    if not known.issuperset(record):
        unknown = next(key for key in record if key not in known)
        raise RuleError(f'the key "{unknown}" is not known here')


def _object(value: object, what: str) -> Record:
    if not isinstance(value, dict):
        raise RuleError(f"{what} must be an object")
    return value


def _list(record: Record, key: str) -> list[Any]:
    value = record.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise RuleError(f'"{key}" must be a list')
    return value


def _cards(record: Record, key: str) -> tuple[Card, ...]:
    return parse_cards(_list(record, key))


def _seat(value: object) -> int:
    if type(value) is not int:  # JSON's true and false are not the seats 1 and 0
        raise RuleError("a seat must be a whole number")
    return value


def _flag(record: Record, key: str) -> bool:
    value = record.get(key)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise RuleError(f'"{key}" must be true or false')
    return value


def _irregularity(record: Record) -> Irregularity | None:
    value = record.get("irregularity")
    if value is None:
        return None
    found = _IRREGULARITIES.get(value) if isinstance(value, str) else None
    if found is None:
        raise RuleError(f'"irregularity" must be one of {", ".join(_IRREGULARITIES)}')
    return found


def _funds(record: Record, exponent: int) -> Funds:
    return Funds(
        _amount(record, "meter", exponent),
        _optional_amount(record, "reserve", exponent),
        _optional_amount(record, "overflow", exponent),
    )


def _optional_amount(record: Record, key: str, exponent: int) -> Atoms:
    return ZERO if record.get(key) is None else _amount(record, key, exponent)


def _amount(record: Record, key: str, exponent: int) -> Atoms:
    return _atoms(record.get(key), key, exponent)


def _atoms(value: object, key: str, exponent: int) -> Atoms:
    if not isinstance(value, str):
        raise RuleError(f'"{key}" must be an amount as text, like "100.00"')
    try:
        amount_atoms = _atoms_of(value, exponent)
    except RuleError as error:
        raise RuleError(f'"{key}": {error}') from error
    if amount_atoms < 0:
        raise RuleError(f'"{key}" must not be below nothing')
    return amount_atoms
