"""Deciding: one fact in, the entries it leads to out (design 1, law 4).

Laws
1. `decide` is the only way from facts to entries. It reads no clock and no file; same facts in, same entries out.
2. A repeat leads to nothing (None). A skipped number of a journaled device is a gap: alarm and hold.
3. An act that the rules refuse raises RuleError before anything is written; a device's word never does.
4. The state is changed by the entries as they are written, through the same `apply` that replays the ledger.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core import hits, site, supervising
from jackpotd.core.book import Book
from jackpotd.core.doubt import doubt
from jackpotd.core.errors import RuleError
from jackpotd.core.rounds import hear
from jackpotd.core.said import said
from jackpotd.core.state import State, Table, note_fact

SUPERVISOR, SURVEILLANCE, ACCOUNTING, TECHNICIAN, DEALER_ASSIST, REGULATOR = (
    "supervisor",
    "surveillance",
    "accounting",
    "technician",
    "dealer-assist",
    "regulator",
)
ROLES = (DEALER_ASSIST, SUPERVISOR, SURVEILLANCE, ACCOUNTING, TECHNICIAN, REGULATOR)
ADMIN = "admin"  # root or the service's own user: adds operators, and does nothing else

_DECIDERS = frozenset({SUPERVISOR, SURVEILLANCE, ACCOUNTING})
ACTS: dict[type, tuple[Callable[[Book, Any], None], frozenset[str]]] = {
    f.ApproveHit: (hits.approve, _DECIDERS),
    f.RejectHit: (hits.reject, _DECIDERS),
    f.PayHit: (hits.pay, frozenset({SUPERVISOR, ACCOUNTING})),
    f.OpenTable: (site.open_table, frozenset({SUPERVISOR})),
    f.CloseTable: (site.close_table, frozenset({SUPERVISOR})),
    f.CloseDay: (site.close_day, frozenset({SUPERVISOR, ACCOUNTING})),
    f.VoidRound: (supervising.void_round, frozenset({SUPERVISOR})),
    f.EnterCard: (supervising.enter_card, frozenset({SUPERVISOR})),
    f.ConfirmRound: (supervising.confirm_round, frozenset({SUPERVISOR})),
    f.ChangeOperator: (site.change_operator, frozenset({ADMIN})),
}


def is_repeat(state: State, fact: f.Fact) -> bool:
    """Whether the ledger has this fact already (design 1, law 6)."""
    return fact.seq <= state.marks.get(f"{fact.source}#{fact.journal}", 0)


def decide(state: State, fact: f.Fact) -> list[e.Entry] | None:
    """The entries of a fact, applied; None for a repeat. RuleError: a person's act is refused, nothing is recorded."""
    mark = state.marks.get(f"{fact.source}#{fact.journal}", 0)
    if fact.seq <= mark:
        return None
    book = Book(state, fact)
    word = fact.what
    act = ACTS.get(type(word))
    if act is not None:
        _act(book, act, word)
        note_fact(state, fact)
        return book.entries
    note_fact(state, fact)
    match word:
        case f.ControllerStarted():
            site.controller_started(book, word)
        case f.SiteConfigured():
            site.site_configured(book, word)
        case f.ChainBroken():
            site.chain_broken(book, word)
        case _:
            _table_word(book, fact, mark)
    return book.entries


def _act(book: Book, act: tuple[Callable[[Book, Any], None], frozenset[str]], word: Any) -> None:
    handler, roles = act
    if word.by.role not in roles:
        raise RuleError(f"{word.by.name} is {word.by.role}: this takes {' or '.join(sorted(roles))}")
    handler(book, word)


def _table_word(book: Book, fact: f.Fact, mark: int) -> None:
    table = book.state.tables[fact.table]
    if fact.grade == "journaled" and fact.raw and fact.seq > mark + 1:
        _numbers_skipped(book, table, fact, mark)
    hear(book, table, said(fact, fact.what))  # type: ignore[arg-type]  # every other What is a TableWord


def _numbers_skipped(book: Book, table: Table, fact: f.Fact, mark: int) -> None:
    name = table.params.table
    text = f"{fact.device} of table {name} skipped from event {mark} to {fact.seq}"
    book.alarm("journal_gap", f"{name}-{fact.device}", text, name, fact.device)
    doubt(book, table, "journal_gap", f"{fact.device} from {mark} to {fact.seq}")
