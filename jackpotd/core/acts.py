"""Acts: what people say, each with who acts as the controller verified it.

Laws
1. An act says what a person wants, never what it means; the core judges it by the state and by the role.
2. Whoever acts is named in the act itself: By is first.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class By:
    """Who acts: the operator's name and role as the controller verified them."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class ApproveHit:
    """Approve a pending hit."""

    by: By
    hit: str


@dataclass(frozen=True, slots=True)
class RejectHit:
    """Reject a hit that is not yet paid."""

    by: By
    hit: str
    why: str


@dataclass(frozen=True, slots=True)
class PayHit:
    """The player has the money; slip: the hand-pay slip number."""

    by: By
    hit: str
    slip: str


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table for the gaming day."""

    by: By
    table: str


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close a table for the gaming day."""

    by: By
    table: str


@dataclass(frozen=True, slots=True)
class ChangeDeal:
    """Deal from another of the table's devices from now on, or from "claims" (61/2004 11(4))."""

    by: By
    table: str
    deal: str
    why: str


@dataclass(frozen=True, slots=True)
class ReplaceDevice:
    """Accept the device that stands at a place now: the board that answers there, or another shoe on its line."""

    by: By
    table: str
    device: str
    why: str


@dataclass(frozen=True, slots=True)
class CloseDay:
    """End the gaming day. day: the one that is meant, None for the one that runs."""

    by: By
    day: int | None = None


@dataclass(frozen=True, slots=True)
class ArchiveFacts:
    """Facts of the rows `first` to `last`, of a day that the row `closed` ended, are in an archive file.

    facts: how many; rows: SHA-256 of their rows' numbers; sha256: of the file; both in hex.
    """

    by: By
    day: int
    first: int
    last: int
    closed: int
    facts: int
    rows: str
    sha256: str
    file: str


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Void the round in play (61/2004 11)."""

    by: By
    table: str
    why: str


@dataclass(frozen=True, slots=True)
class EnterCard:
    """A supervisor says which card lies in a hand: "0" dealer, "1".. a seat, "player", "banker"; index from 1."""

    by: By
    table: str
    hand: str
    index: int
    card: str


@dataclass(frozen=True, slots=True)
class NameDealtSeats:
    """Seats without a bet were dealt cards, `cards` each, in their turn of the deal (61/2004 11(3))."""

    by: By
    table: str
    seats: tuple[int, ...]
    cards: int
    why: str


@dataclass(frozen=True, slots=True)
class ConfirmRound:
    """The held round is in order as the cards now stand."""

    by: By
    table: str
    why: str


@dataclass(frozen=True, slots=True)
class RefuseClaim:
    """The dealer's claims of a seat on a pool are not what its cards show."""

    by: By
    table: str
    seat: int
    pool: str
    why: str


@dataclass(frozen=True, slots=True)
class RefundBet:
    """Give a carried bet back to a player who leaves (61/2004 11(1))."""

    by: By
    table: str
    seat: int
    pool: str
    why: str


@dataclass(frozen=True, slots=True)
class ChangeOperator:
    """change: added, disabled or password (another one)."""

    by: By
    name: str
    role: str
    unix_user: str
    change: str


@dataclass(frozen=True, slots=True)
class ApplyPool:
    """Put the file's parameters in force at the next restart: of one live pool, or of every one that differs (None)."""

    by: By
    pool: str | None
    why: str


@dataclass(frozen=True, slots=True)
class AdjustPool:
    """Correct a pool's meter by an amount with its sign."""

    by: By
    pool: str
    amount: str
    why: str


@dataclass(frozen=True, slots=True)
class TransferPool:
    """Move all that a pool holds into another; it restarts from its seed."""

    by: By
    pool: str
    into: str
    why: str


@dataclass(frozen=True, slots=True)
class RetirePool:
    """End a pool. to: "house", or the pool that gets what is left."""

    by: By
    pool: str
    to: str
    why: str


@dataclass(frozen=True, slots=True)
class SuspendPool:
    """Stop a pool: it takes and pays nothing."""

    by: By
    pool: str
    why: str


@dataclass(frozen=True, slots=True)
class ResumePool:
    """Let a suspended pool go on."""

    by: By
    pool: str
    why: str


@dataclass(frozen=True, slots=True)
class AcknowledgeAlarm:
    """Someone has seen an alarm. seen: the text of one that only the shell knows, "" for the ledger's own."""

    by: By
    alarm: str
    seen: str


Act = (
    ApproveHit
    | RejectHit
    | PayHit
    | OpenTable
    | CloseTable
    | ChangeDeal
    | ReplaceDevice
    | CloseDay
    | ArchiveFacts
    | VoidRound
    | EnterCard
    | NameDealtSeats
    | ConfirmRound
    | RefuseClaim
    | RefundBet
    | ChangeOperator
    | ApplyPool
    | AdjustPool
    | TransferPool
    | RetirePool
    | SuspendPool
    | ResumePool
    | AcknowledgeAlarm
)
