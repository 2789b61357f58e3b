"""The dealt round: folds, exposures, results, the dealer's end and void, time-outs (61/2004 6, 9, 11; 2/2009)."""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.baccarat import Coup
from jackpotd.core.book import Book
from jackpotd.core.claims import has_no_reader
from jackpotd.core.dealing import sides
from jackpotd.core.doubt import doubt
from jackpotd.core.holding import hold
from jackpotd.core.locking import MAIN_BETS
from jackpotd.core.said import Said
from jackpotd.core.settling import settle
from jackpotd.core.state import Phase, Table
from jackpotd.core.voiding import void

VOID_EXPOSURES = 2  # 61/2004 11(1): two or more cards wrongly exposed, counted over the whole table


def fold(book: Book, table: Table, said: Said) -> None:
    """A seat with an ante gives up (61/2004 6(7))."""
    word = said.word
    assert isinstance(word, f.Folded)
    if word.seat not in table.seats_with(*MAIN_BETS["stud"]):
        hold(book, table, "fold_unknown", f"seat {word.seat}")
    elif word.seat not in table.folded:
        book.write(e.SeatFolded(book.at_ms, table.params.table, word.seat))


def expose(book: Book, table: Table, said: Said) -> None:
    """One card wrongly exposed: the round stands; a second one voids it, unless it is held (61/2004 11(1)(2))."""
    word = said.word
    assert isinstance(word, f.CardExposed)
    if len(table.exposed) < VOID_EXPOSURES:
        book.write(e.ExposureNoted(book.at_ms, table.params.table, word.position))
    if is_void_by_exposure(table) and table.phase is not Phase.HELD:
        void(book, table, "exposed", None)


def is_void_by_exposure(table: Table) -> bool:
    """Whether the cards exposed void the round; 2/2009 knows no such rule."""
    return table.params.game == "stud" and len(table.exposed) >= VOID_EXPOSURES


def void_pressed(book: Book, table: Table, said: Said) -> None:
    """The dealer's void."""
    word = said.word
    assert isinstance(word, f.VoidPressed)
    void(book, table, word.reason, None)


def shuffler_failed(book: Book, table: Table, said: Said) -> None:
    """The shuffler fails during the deal: the round is void (61/2004 11(4))."""
    if said.device == table.deals:
        void(book, table, "shuffler", None)


def round_ended(book: Book, table: Table, _: Said) -> None:
    """The dealer ends a stud round; with cards missing it is held."""
    if table.params.game != "stud":
        return
    if table.phase is Phase.DEALT:
        settle(book, table)
    else:
        hold(book, table, "cards_missing", f"{table.dealt} cards are known")


def result(book: Book, table: Table, said: Said) -> None:
    """The shoe's own result: it must agree with ours, and never pays by itself (devices.md 1)."""
    word = said.word
    assert isinstance(word, f.ResultSaid)
    if word.outcome == "forced_quit":
        hold(book, table, "forced_quit")
        return
    if said.device != table.deals:
        hold(book, table, "wrong_device", said.device)
        return
    if table.phase is not Phase.DEALT or table.params.game != "baccarat":
        hold(book, table, "result_early", f"{word.outcome}, {table.dealt} cards are known")
        return
    player, banker = sides(table)
    coup = Coup(tuple(player), tuple(banker))
    ours = f.ResultSaid(coup.outcome.value, coup.player_pair, coup.banker_pair)
    if ours != word:
        hold(book, table, "result", f"ours {_text(ours)}, the shoe's {_text(word)}")
        return
    settle(book, table)


def _text(result: f.ResultSaid) -> str:
    pairs = (("Player pair", result.player_pair), ("Banker pair", result.banker_pair))
    return ", ".join([result.outcome, *(name for name, there in pairs if there)])


def timed_out(book: Book, table: Table, said: Said) -> None:
    """The table waited too long: for bet devices that do not answer, or for cards. A wait that has moved on is over."""
    word = said.word
    assert isinstance(word, f.TimedOut)
    wait = "lock" if table.phase is Phase.LOCKING else "deal"
    if (word.wait, word.round, word.since_ms) == (wait, table.round, table.changed_ms) and _waits(table):
        doubt(book, table, f"{wait}_timeout")


def _waits(table: Table) -> bool:
    """Whether time means anything: a dealt stud round and a table without card reading wait for the dealer."""
    is_dealt_stud = table.phase is Phase.DEALT and table.params.game == "stud"
    return table.phase is Phase.LOCKING or not (is_dealt_stud or has_no_reader(table))
