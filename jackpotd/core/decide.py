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

from jackpotd.core import breaker, hits, pool_life, site, staging, supervising, wall_clock
from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.book import Book
from jackpotd.core.doubt import device_doubt
from jackpotd.core.errors import RuleError
from jackpotd.core.replacing import replace_device
from jackpotd.core.roles import ACCOUNTING, ADMIN, DECIDERS, SUPERVISOR, TECHNICIAN
from jackpotd.core.rounds import hear, hear_what_waited
from jackpotd.core.said import said
from jackpotd.core.state import State, mark_key, note_fact

ACTS: dict[type, tuple[Callable[[Book, Any], None], frozenset[str]]] = {
    f.ApproveHit: (hits.approve, DECIDERS),
    f.RejectHit: (hits.reject, DECIDERS),
    f.PayHit: (hits.pay, frozenset({SUPERVISOR, ACCOUNTING})),
    f.OpenTable: (site.open_table, frozenset({SUPERVISOR})),
    f.CloseTable: (site.close_table, frozenset({SUPERVISOR})),
    f.ChangeDeal: (site.change_deal, frozenset({SUPERVISOR})),
    f.ReplaceDevice: (replace_device, frozenset({TECHNICIAN, SUPERVISOR})),
    f.CloseDay: (site.close_day, frozenset({SUPERVISOR, ACCOUNTING})),
    f.ArchiveFacts: (site.archive_facts, frozenset({ADMIN})),
    f.VoidRound: (supervising.void_round, frozenset({SUPERVISOR})),
    f.EnterCard: (supervising.enter_card, frozenset({SUPERVISOR})),
    f.NameDealtSeats: (supervising.name_dealt_seats, frozenset({SUPERVISOR})),
    f.ConfirmRound: (supervising.confirm_round, frozenset({SUPERVISOR})),
    f.RefuseClaim: (supervising.refuse_claim, frozenset({SUPERVISOR})),
    f.RefundBet: (supervising.refund_bet, frozenset({SUPERVISOR})),
    f.ApplyPool: (staging.apply_parameters, DECIDERS),
    f.AdjustPool: (pool_life.adjust, DECIDERS),
    f.TransferPool: (pool_life.transfer, DECIDERS),
    f.RetirePool: (pool_life.retire, DECIDERS),
    f.SuspendPool: (pool_life.suspend, DECIDERS),
    f.ResumePool: (pool_life.resume, DECIDERS),
    f.AcknowledgeAlarm: (site.acknowledge_alarm, DECIDERS | {TECHNICIAN}),
    f.ChangeOperator: (site.change_operator, frozenset({ADMIN})),
}


def decide(state: State, fact: f.Fact) -> list[e.Entry] | None:
    """The entries of a fact, applied; None for a repeat (design 1, law 6). RuleError: an act refused, nothing done."""
    mark = state.marks.get(mark_key(fact.source, fact.journal), 0)
    if fact.seq <= mark:
        return None
    book = Book(state, fact)
    word = fact.what
    act = ACTS.get(type(word))
    if act is not None:
        _act(book, act, word)
        note_fact(state, fact)
        hear_what_waited(book)
        return book.entries
    note_fact(state, fact)
    match word:
        case f.ControllerStarted():
            site.controller_started(book, word)
        case f.SiteConfigured():
            site.site_configured(book, word)
        case f.ChainBroken():
            site.chain_broken(book, word)
        case f.StorageSaid():
            site.storage_said(book, word)
        case f.ClockSaid():
            wall_clock.clock_said(book, word)
        case f.LimitsComputed():
            breaker.arm(book, word)
        case _:
            _table_word(book, fact, mark)
    hear_what_waited(book)
    return book.entries


def _act(book: Book, act: tuple[Callable[[Book, Any], None], frozenset[str]], word: Any) -> None:
    handler, roles = act
    if word.by.role not in roles:
        raise RuleError(f"{word.by.name} is {word.by.role}: this takes {' or '.join(sorted(roles))}")
    handler(book, word)


def _table_word(book: Book, fact: f.Fact, mark: int) -> None:
    table = book.state.tables[fact.table]
    if fact.grade == "journaled" and fact.raw and fact.seq > mark + 1:
        book.device_alarm("journal_gap", table, fact.device, f"skipped from event {mark} to {fact.seq}")
        device_doubt(book, table, fact.device, "journal_gap", f"{fact.device} from {mark} to {fact.seq}")
        hear_what_waited(book)
    hear(book, table, said(fact, fact.what))  # type: ignore[arg-type]  # every other What is a TableWord
