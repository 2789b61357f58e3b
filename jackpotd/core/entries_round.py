"""Entries about the life of a round, from the first bet to settled or void (design 7)."""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.core.facts import By, TableWord
from jackpotd.core.postings import Posting


@dataclass(frozen=True, slots=True)
class BetRecorded:
    """A bet came onto a place (`on`) or left it, at said_ms; UNKNOWN_MS: out of a journal from before, nobody knows."""

    at_ms: int
    table: str
    seat: int
    bet: str
    on: bool
    said_ms: int


@dataclass(frozen=True, slots=True)
class LockBegan:
    """No bet made after lock_ms counts; the round locks when the devices waited for have nothing new.

    doubt: why it is held then, "" if nothing is known against it.
    """

    at_ms: int
    table: str
    lock_ms: int
    cause: str
    waiting: tuple[str, ...]
    doubt: str


@dataclass(frozen=True, slots=True)
class DeviceDrained:
    """A bet device had nothing new to say since the lock began."""

    at_ms: int
    table: str
    device: str


@dataclass(frozen=True, slots=True)
class WordDeferred:
    """Said while the lock was under way; it is judged when the round is locked."""

    at_ms: int
    table: str
    device: str
    word: TableWord
    said_ms: int
    stale: bool


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one pool took of one round: new bets that contribute, carried bets that take part for nothing."""

    pool: str
    seats: tuple[int, ...]
    carried_seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundLocked:
    """The bets are accepted; new progressive bets contribute now, once (61/2004 10(1)).

    levels: level -> the pools whose bets feed it; the seats that play for one of them play for the level too, once.
    """

    at_ms: int
    table: str
    round: int
    bets: dict[int, tuple[str, ...]]
    contributions: tuple[Contribution, ...]
    levels: dict[str, tuple[str, ...]]
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class CardTaken:
    """A card in a hand: "0" the dealer's, "1".. a seat's, "player", "banker". "??" is a card not read."""

    at_ms: int
    table: str
    hand: str
    card: str
    device: str


@dataclass(frozen=True, slots=True)
class CardNoted:
    """A card that came while the round was held: kept for the supervisor, judged by nobody."""

    at_ms: int
    table: str
    card: str


@dataclass(frozen=True, slots=True)
class CardBurnt:
    """A baccarat shoe burnt a card. begins: it follows a card in play, so the shoe may be new: the count is anew."""

    at_ms: int
    table: str
    card: str
    begins: bool


@dataclass(frozen=True, slots=True)
class ShoeForgotten:
    """The shoe may have been changed unheard: its cards are not counted until the next burn."""

    at_ms: int
    table: str
    why: str


@dataclass(frozen=True, slots=True)
class CardEntered:
    """A supervisor's card; was: what the devices said, "" where they said nothing."""

    at_ms: int
    table: str
    hand: str
    index: int
    card: str
    was: str
    by: By


@dataclass(frozen=True, slots=True)
class SeatsDealt:
    """A supervisor names the seats that were dealt without a bet: theirs alone are void (61/2004 11(3)).

    said: all cards of the round as the device gave them; hands: whose they are, these seats being in the deal.
    """

    at_ms: int
    table: str
    round: int
    seats: tuple[int, ...]
    said: tuple[str, ...]
    hands: dict[str, tuple[str, ...]]
    by: By
    why: str


@dataclass(frozen=True, slots=True)
class PacketCounted:
    """A packet of five left the shuffler (61/2004 7(2))."""

    at_ms: int
    table: str


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """Every hand is complete."""

    at_ms: int
    table: str


@dataclass(frozen=True, slots=True)
class SeatFolded:
    """The seat gave up its ante (61/2004 6(7))."""

    at_ms: int
    table: str
    seat: int


@dataclass(frozen=True, slots=True)
class ExposureNoted:
    """A card was wrongly exposed (61/2004 11(2))."""

    at_ms: int
    table: str
    position: int


@dataclass(frozen=True, slots=True)
class ClaimMade:
    """The dealer claims a tier for a seat."""

    at_ms: int
    table: str
    seat: int
    tier: str
    pool: str


@dataclass(frozen=True, slots=True)
class ClaimRefused:
    """A supervisor refused a claim; cards: what was entered for its seat by then, of either side at baccarat."""

    at_ms: int
    table: str
    seat: int
    tier: str
    pool: str
    cards: tuple[str, ...]
    by: By
    why: str


@dataclass(frozen=True, slots=True)
class KeyUsed:
    """The supervisor's key was turned."""

    at_ms: int
    table: str
    key: int


@dataclass(frozen=True, slots=True)
class RoundHeld:
    """Law 7: nothing of this round moves until a supervisor decides."""

    at_ms: int
    table: str
    round: int
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class RoundConfirmed:
    """A supervisor found the held round in order: it goes on, dealt, or locked where no cards are read."""

    at_ms: int
    table: str
    round: int
    by: By
    why: str
    dealt: bool


@dataclass(frozen=True, slots=True)
class SeatResult:
    """A seat's hand and what it did against the dealer; odds of the raise, 0 where it is not paid.

    hand "" and result void: a seat that was dealt without a bet (61/2004 11(3)).
    """

    seat: int
    hand: str
    result: str
    odds: int


@dataclass(frozen=True, slots=True)
class BetResult:
    """What became of a baccarat bet: win, lose or push; odds after commission, in millionths of the stake.

    Sensors carry no amounts. seat 0: what the coup decides about a bet that no sensor reports.
    """

    seat: int
    bet: str
    result: str
    odds_ppm: int


@dataclass(frozen=True, slots=True)
class TierWon:
    """The tier a pool's rules see in the round, whether or not anyone bet on it."""

    pool: str
    seat: int  # 0: the whole table's (baccarat)
    tier: str


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """The round is over. hands as dealt; outcome: the dealer's hand (stud) or player, banker, tie (baccarat).

    seats: the showdown of stud; bets: what a coup of baccarat decides.
    """

    at_ms: int
    table: str
    round: int
    hands: dict[str, tuple[str, ...]]
    outcome: str
    seats: tuple[SeatResult, ...]
    bets: tuple[BetResult, ...]
    tiers: tuple[TierWon, ...]


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round is void (61/2004 11). carried: seat -> pools whose bet goes to the next round."""

    at_ms: int
    table: str
    round: int
    cause: str
    by: By | None
    carried: dict[int, tuple[str, ...]]
    refunded: dict[int, tuple[str, ...]]
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class BetRefunded:
    """A carried bet went back to a player who left: the house paid the stake, the pool keeps its contribution."""

    at_ms: int
    table: str
    seat: int
    pool: str
    by: By
    why: str
    postings: tuple[Posting, ...]
