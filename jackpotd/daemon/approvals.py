"""Options that need the regulator's permission, and whether the site has it.

Laws
1. The options of 2/2009 13(1)(4) and 18 (2/2009 19) and the royal flush's odds (61/2004 13) are applied for at least
   three working days before they start; fixed progressive prizes of baccarat are approved beforehand (2/2009 17(12)).
2. A working day is neither Saturday, Sunday nor one of the site's holidays.
3. An approval covers an option when it names its article or one that contains it: "2/2009 18" covers "2/2009 18(2)".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from jackpotd.core.parameters import PoolParams, Rules, TableParams

WORKING_DAYS_BEFORE = 3
_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class Approval:
    """One permission: the articles that it covers, and its dates."""

    covers: tuple[str, ...]
    reference: str
    applied: date
    effective: date


@dataclass(frozen=True, slots=True)
class Option:
    """An option in use: where it is chosen, its article, and the article that asks for the three days, if one does."""

    key: str
    what: str
    article: str
    days_article: str | None


@dataclass(frozen=True, slots=True)
class Uncovered:
    """An option in use without an approval that counts, and why."""

    option: Option
    reason: str


_COMMISSION_ARTICLES = {"six_pays_half": "2/2009 18(2)", "dragon7_push": "2/2009 18(3)"}


def options_in_use(pools: Iterable[PoolParams], tables: Iterable[TableParams]) -> Iterator[Option]:
    """Every option in use that needs permission; the 5% commission of 18(1) is the rule, not an option."""
    for pool in pools:
        if any(rules is not Rules.STUD for rules in pool.all_rules()):
            key = f"pool[{pool.pool}]"
            where = f"{key}.games.baccarat.rules" if pool.games else f"{key}.rules"
            yield Option(where, "a progressive on baccarat", "2/2009 13(1)(4)(3)", "2/2009 19")
            yield Option(f"{key}.prizes", "fixed progressive prizes", "2/2009 17(12)", None)
    for table in tables:
        key = f"table[{table.table}]"
        if table.royal_raise_odds is not None:
            yield Option(f"{key}.royal_raise_odds", "the royal flush's odds", "61/2004 9(5)(9)", "61/2004 13")
        article = _COMMISSION_ARTICLES.get(table.commission or "")
        if article is not None:
            yield Option(f"{key}.commission", "this commission", article, "2/2009 19")


def uncovered(
    options: Iterable[Option], approvals: Iterable[Approval], holidays: frozenset[date]
) -> tuple[Uncovered, ...]:
    """The options that no approval covers, or only one whose working days are short."""
    given = tuple(approvals)
    found = (_uncovered(option, given, holidays) for option in options)
    return tuple(one for one in found if one is not None)


def working_days(start: date, end: date, holidays: frozenset[date]) -> int:
    """Working days from `start` until the day before `end`; no more than three are counted (law 1)."""
    count, day = 0, start
    while day < end and count < WORKING_DAYS_BEFORE:
        count += day.weekday() < _SATURDAY and day not in holidays
        day += timedelta(days=1)
    return count


def _uncovered(option: Option, approvals: tuple[Approval, ...], holidays: frozenset[date]) -> Uncovered | None:
    covering = [approval for approval in approvals if _covers(approval, option.article)]
    if not covering:
        return Uncovered(option, f"no approval covers {option.what}")
    if option.days_article is None:
        return None
    best = max(covering, key=lambda approval: working_days(approval.applied, approval.effective, holidays))
    days = working_days(best.applied, best.effective, holidays)
    if days >= WORKING_DAYS_BEFORE:
        return None
    lead = f"{days} working day{'' if days == 1 else 's'}"
    reason = (
        f"{option.what}: approval {best.reference} was applied for on {best.applied} and is in force from "
        f"{best.effective}, {lead}; {option.days_article} asks for {WORKING_DAYS_BEFORE}"
    )
    return Uncovered(option, reason)


def _covers(approval: Approval, article: str) -> bool:
    return any(article == cover or article.startswith(f"{cover}(") for cover in approval.covers)
