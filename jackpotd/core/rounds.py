"""The state machine of a round: one table, phase by word; a word that a phase's row lacks has no effect there.

Laws
1. Rows of the table are the whole of what a word can do; `EVERYWHERE` is judged in every phase.
2. While a round is locking, what is said of the deal waits (`DEFERRED`) and is judged in order once it is locked.
3. Facts that change nothing are recorded all the same: the ledger has every word.
"""

from __future__ import annotations

from collections.abc import Callable

from jackpotd.core import devices
from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.book import Book
from jackpotd.core.claims import claim, end_claims_round
from jackpotd.core.dealing import note_card, take_card, take_packet
from jackpotd.core.doubt import device_doubt, doubt
from jackpotd.core.holding import hold
from jackpotd.core.integrity import cut_card
from jackpotd.core.locking import (
    LOCK_TIMEOUT_MS,
    begin_lock,
    dealing_device,
    decides_who_plays,
    defer,
    is_bare_deal,
    lock_round,
    takes_bet,
)
from jackpotd.core.playing import expose, fold, result, round_ended, shuffler_failed, timed_out, void_pressed
from jackpotd.core.said import Said
from jackpotd.core.settling import settle
from jackpotd.core.shoe import burnt, missed_shoe
from jackpotd.core.state import UNKNOWN_MS, Device, Phase, Table

Handler = Callable[[Book, Table, Said], None]

# Dialects that report the coup's result (devices.md section 1).
RESULT_DRIVERS = frozenset({"angel-eye"})
# Locking ends by its time-out; what the clock says beyond twice that was not waited for.
LOCKING_MOST_MS = 2 * LOCK_TIMEOUT_MS
# A stud round has 40 cards; what comes beyond any round's length while locking is judged as doubt, not kept.
MAX_DEFERRED = 60


# ---- bets open


def _bet(book: Book, table: Table, said: Said) -> None:
    word = said.word
    assert isinstance(word, f.BetMoved)
    placed = word.bet in table.bets.get(word.seat, ())
    if word.on == placed or (word.on and not (table.open and takes_bet(book.state, table, word.bet))):
        return
    book.write(e.BetRecorded(book.at_ms, table.params.table, word.seat, word.bet, word.on, said.said_ms))


def _open_bet(book: Book, table: Table, said: Said) -> None:
    """Of a journal from before the device was reached nobody knows when; a lock made meanwhile may yet be heard."""
    _bet(book, table, said._replace(said_ms=UNKNOWN_MS) if said.stale else said)


def _first_card(book: Book, table: Table, said: Said) -> None:
    word = said.word
    if isinstance(word, f.CardRead) and word.target == "burn":
        burnt(book, table, said)
        return
    if isinstance(word, f.CardRead) and (word.again or word.target == "outside"):
        return
    if not table.open:
        text = f"cards are dealt at closed table {table.params.table}"
        book.alarm("closed_table_cards", table.params.table, text, table.params.table)
        return
    begin_lock(book, table, "first card", said.said_ms)
    defer(book, table, said)
    _finish_lock(book, table)


def _dealer_locks(book: Book, table: Table, said: Said) -> None:
    if table.open:
        unsure = _missed(table, said) or _unsure_when(book, table, said)
        begin_lock(book, table, "dealer", said.said_ms, unsure, _heard_out(table, said))
        _finish_lock(book, table)


def _heard_out(table: Table, said: Said) -> str | None:
    """The keypad's own board, which may have the bets too: what came before the lock came before it in its journal."""
    device = next((device for name, device in table.placed_devices() if name == said.device), None)
    in_order = device is not None and device.params.grade == "journaled" and not said.stale
    return said.device if in_order else None


def _missed(table: Table, said: Said) -> str:
    """A lock while nobody listened: a shoe that cannot repeat itself may have dealt meanwhile (design 7)."""
    return "cards_missed" if said.stale and is_bare_deal(table) else ""


def _unsure_when(book: Book, table: Table, said: Said) -> str:
    """A lock of which nobody knows when it was pressed: what was moved in this life may have been moved after it."""
    moves = (move for move in table.moves if move.at_ms >= book.state.started_ms)
    return "bets_unsure" if said.stale and any(decides_who_plays(table, move.bet) for move in moves) else ""


def _result_alone(book: Book, table: Table, _: Said) -> None:
    """The shoe ends a coup that we do not know: its own affair after a void or a held round, else cards were missed."""
    if not table.last_by_hand and table.open:
        doubt(book, table, "result_alone")


def _claim_alone(book: Book, table: Table, _: Said) -> None:
    doubt(book, table, "claim_alone")


# ---- locking


def _late_bet(book: Book, table: Table, said: Said) -> None:
    """What was moved before the lock counts; of a journal from before the device was reached nobody knows when.

    Nor can it be known when the wall clock was set while the round locked: times before and after do not compare.
    A raise is made after the lock and decides nothing about who plays for a pool (61/2004 6(6)).
    """
    word = said.word
    assert isinstance(word, f.BetMoved)
    clock_was_set = not 0 <= book.at_ms - table.changed_ms <= LOCKING_MOST_MS
    if said.said_ms <= table.lock_ms and not clock_was_set:
        _bet(book, table, said)
    elif (said.stale or clock_was_set) and decides_who_plays(table, word.bet):
        if not table.lock_doubt:
            begin_lock(book, table, "bets from before", table.lock_ms, "bets_unsure")
        _bet(book, table, said._replace(said_ms=table.lock_ms))


def _locked_again(book: Book, table: Table, said: Said) -> None:
    """The dealer's lock, heard after the first card: whichever came first counts (design 7)."""
    unsure = _missed(table, said) or _unsure_when(book, table, said)
    if said.said_ms < table.lock_ms or (unsure and not table.lock_doubt):
        begin_lock(book, table, "dealer", min(said.said_ms, table.lock_ms), unsure)


def _drained(book: Book, table: Table, said: Said) -> None:
    if said.device in table.waiting:
        book.write(e.DeviceDrained(book.at_ms, table.params.table, said.device))
    _finish_lock(book, table)


def _defer(book: Book, table: Table, said: Said) -> None:
    if len(table.deferred) >= MAX_DEFERRED:
        doubt(book, table, "card_extra")
        return
    defer(book, table, said)


def _finish_lock(book: Book, table: Table) -> None:
    """When nobody is waited for: lock; what was said meanwhile is judged next, in order."""
    if not table.waiting:
        lock_round(book, table)


# ---- words that end or hold a round


def _card_then_settle(book: Book, table: Table, said: Said) -> None:
    take_card(book, table, said)
    _settle_if_dealt(book, table)


def _settle_if_dealt(book: Book, table: Table) -> None:
    """Baccarat is over when the drawing rule is complete; where the shoe gives a result, its result must agree."""
    device = dealing_device(table)
    waits_for_result = device is not None and device.driver in RESULT_DRIVERS
    if table.phase is Phase.DEALT and table.params.game == "baccarat" and not waits_for_result:
        settle(book, table)


def _first_must_be_new(book: Book, table: Table, said: Said) -> None:
    word = said.word
    if isinstance(word, f.CardRead) and word.again:
        hold(book, table, "card_again_first", word.card)
        return
    _card_then_settle(book, table, said)


def _key(book: Book, table: Table, said: Said) -> None:
    assert isinstance(said.word, f.KeyTurned)
    book.write(e.KeyUsed(book.at_ms, table.params.table, said.word.key))


def _void_with_key(book: Book, table: Table, said: Said) -> None:
    if table.key_used:
        void_pressed(book, table, said)


def _gap(book: Book, table: Table, said: Said) -> None:
    word = said.word
    assert isinstance(word, f.SequenceGap)
    missed_shoe(book, table, said.device, "messages were lost")
    device_doubt(book, table, said.device, "sequence_gap", f"{said.device} from {word.expected} to {word.got}")


def _unknown(book: Book, table: Table, said: Said) -> None:
    word = said.word
    assert isinstance(word, f.UnknownSaid)
    device_doubt(book, table, said.device, "unknown_event", f"{said.device} code {word.code:02x}: {word.why}")


def _device_fault(book: Book, table: Table, said: Said) -> None:
    word = said.word
    assert isinstance(word, f.DeviceFault)
    book.device_fault(table, said.device, word.text if word.raised else "")
    if word.raised and table.phase is not Phase.OPEN:
        device_doubt(book, table, said.device, "device_fault", f"{said.device}: {word.text}")


def _shuffler_fault(book: Book, table: Table, said: Said) -> None:
    """It closes the progressive; during the deal it voids the round, even if that is still locking (61/2004 11(4))."""
    if table.phase is Phase.LOCKING:
        _defer(book, table, said)
        return
    book.device_fault(table, said.device, "shuffler fault")
    if table.phase in (Phase.LOCKED, Phase.DEALING):
        shuffler_failed(book, table, said)


def _shuffler_ready(book: Book, table: Table, said: Said) -> None:
    book.device_fault(table, said.device, "")


def _restarted(book: Book, table: Table, said: Said) -> None:
    """A power-up: a journaled device says all it has to say; another one may have dealt unseen.

    Bets that its journal had from before may be of a round that ended while it was away, and off the felt since.
    """
    device = table.devices[said.device]
    if table.phase is Phase.OPEN and _was_away_when_it_began(book, table, device) and _has_bets_of_unknown_time(table):
        doubt(book, table, "bets_unsure", said.device)
    book.device_fault(table, said.device, "")
    missed_shoe(book, table, said.device, "powered up")
    if device.params.grade != "journaled" and table.phase not in (Phase.OPEN, Phase.DEALT):
        device_doubt(book, table, said.device, "device_restarted", said.device)


def _was_away_when_it_began(book: Book, table: Table, device: Device) -> bool:
    """Whether the round that is open now began while the device was not reached."""
    alarm = book.state.alarms.get(f"offline-{table.params.table}.{device.params.name}")
    return alarm is not None and alarm.since_ms < table.changed_ms


def _has_bets_of_unknown_time(table: Table) -> bool:
    return any(
        move.said_ms == UNKNOWN_MS and move.bet in table.bets.get(move.seat, ()) and decides_who_plays(table, move.bet)
        for move in table.moves
    )


def _notice(book: Book, table: Table, said: Said) -> None:
    assert isinstance(said.word, f.DeviceNotice)
    if said.word.code == "cut_card" and said.device == table.deals:
        cut_card(book, table)


DEALT_WORDS = frozenset({f.CardRead, f.CardUnread, f.ResultSaid, f.PacketOut})
DEFERRED = (
    f.CardRead,
    f.CardUnread,
    f.ResultSaid,
    f.PacketOut,
    f.CardExposed,
    f.VoidPressed,
    f.Folded,
    f.Claimed,
    f.KeyTurned,
    f.RoundEnded,
)  # and a shuffler's fault

ROUND: dict[Phase, dict[type, Handler]] = {
    Phase.OPEN: {
        f.BetMoved: _open_bet,
        f.CardRead: _first_card,
        f.CardUnread: _first_card,
        f.PacketOut: _first_card,
        f.BetsLocked: _dealer_locks,
        f.ResultSaid: _result_alone,
        f.Claimed: _claim_alone,
    },
    Phase.LOCKING: {
        f.BetMoved: _late_bet,
        f.BetsLocked: _locked_again,
        f.Drained: _drained,
        f.TimedOut: timed_out,
        **dict.fromkeys(DEFERRED, _defer),
    },
    Phase.LOCKED: {
        f.CardRead: _first_must_be_new,
        f.CardUnread: _card_then_settle,
        f.PacketOut: take_packet,
        f.ResultSaid: result,
        f.VoidPressed: void_pressed,
        f.CardExposed: expose,
        f.Folded: fold,
        f.Claimed: claim,
        f.KeyTurned: _key,
        f.RoundEnded: end_claims_round,
        f.TimedOut: timed_out,
    },
    Phase.DEALING: {
        f.CardRead: _card_then_settle,
        f.CardUnread: _card_then_settle,
        f.PacketOut: take_packet,
        f.ResultSaid: result,
        f.VoidPressed: void_pressed,
        f.CardExposed: expose,
        f.Folded: fold,
        f.RoundEnded: round_ended,
        f.TimedOut: timed_out,
    },
    Phase.DEALT: {
        f.CardRead: take_card,
        f.CardUnread: take_card,
        f.ResultSaid: result,
        f.VoidPressed: void_pressed,
        f.CardExposed: expose,
        f.Folded: fold,
        f.RoundEnded: round_ended,
        f.TimedOut: timed_out,
    },
    Phase.HELD: {
        f.CardRead: note_card,
        f.CardUnread: note_card,
        f.Claimed: claim,
        f.KeyTurned: _key,
        f.VoidPressed: _void_with_key,
        f.Folded: fold,
        f.CardExposed: expose,
    },
}

EVERYWHERE: dict[type, Handler] = {
    f.DeviceHello: devices.hello,
    f.DeviceBack: devices.back,
    f.DeviceLost: devices.lost,
    f.JournalGap: devices.gap,
    f.SequenceGap: _gap,
    f.UnknownSaid: _unknown,
    f.DeviceFault: _device_fault,
    f.DeviceNotice: _notice,
    f.ShufflerFault: _shuffler_fault,
    f.ShufflerReady: _shuffler_ready,
    f.DeviceStarted: _restarted,
}


def hear(book: Book, table: Table, said: Said) -> None:
    """Judge one word of a device of this table."""
    kind = type(said.word)
    if said.stale and kind in DEALT_WORDS and table.stands_by(said.device):
        return  # a mended shuffler has the cards of the round that its failure voided
    handler = EVERYWHERE.get(kind) or ROUND[table.phase].get(kind)
    if handler is not None:
        handler(book, table, said)


def hear_what_waited(book: Book) -> None:
    """Judge, in the order in which they were said, the words that waited for rounds now locked."""
    while book.unheard:
        table, said = book.unheard.pop(0)
        hear(book, table, said)
