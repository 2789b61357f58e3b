"""Entries: what the facts meant. The state is a fold of these and of nothing else.

Laws
1. An entry carries everything its effect needs; applying it asks nobody and decides nothing.
2. Where money moves the entry has postings, and they sum to zero.
"""

from __future__ import annotations

from jackpotd.core.entries_hits import (
    Award,
    HitApproved,
    HitPaid,
    HitRejected,
    HitVoted,
    PoolRestarted,
    PrizeLocked,
)
from jackpotd.core.entries_round import (
    BetRecorded,
    BetRefunded,
    BetResult,
    CardEntered,
    CardNoted,
    CardsDealt,
    CardTaken,
    ClaimMade,
    ClaimRefused,
    Contribution,
    DeviceDrained,
    ExposureNoted,
    KeyUsed,
    LockBegan,
    PacketCounted,
    RoundConfirmed,
    RoundHeld,
    RoundLocked,
    RoundSettled,
    RoundVoided,
    SeatFolded,
    SeatResult,
    SeatsDealt,
    TierWon,
    WordDeferred,
)
from jackpotd.core.entries_site import (
    AlarmCleared,
    AlarmRaised,
    BreakerArmed,
    DayClosed,
    DayMeter,
    DealChanged,
    DeviceFaulted,
    DeviceOffline,
    DeviceOnline,
    DeviceTaken,
    EpochBegan,
    JournalMoved,
    OperatorChanged,
    PoolOpened,
    PoolSuspended,
    StorageNoted,
    TableClosed,
    TableOpened,
    TableSet,
)

__all__ = [
    "AlarmCleared",
    "AlarmRaised",
    "Award",
    "BetRecorded",
    "BetRefunded",
    "BetResult",
    "BreakerArmed",
    "CardEntered",
    "CardNoted",
    "CardTaken",
    "CardsDealt",
    "ClaimMade",
    "ClaimRefused",
    "Contribution",
    "DayClosed",
    "DayMeter",
    "DealChanged",
    "DeviceDrained",
    "DeviceFaulted",
    "DeviceOffline",
    "DeviceOnline",
    "DeviceTaken",
    "Entry",
    "EpochBegan",
    "ExposureNoted",
    "HitApproved",
    "HitPaid",
    "HitRejected",
    "HitVoted",
    "JournalMoved",
    "KeyUsed",
    "LockBegan",
    "OperatorChanged",
    "PacketCounted",
    "PoolOpened",
    "PoolRestarted",
    "PoolSuspended",
    "PrizeLocked",
    "RoundConfirmed",
    "RoundHeld",
    "RoundLocked",
    "RoundSettled",
    "RoundVoided",
    "SeatFolded",
    "SeatResult",
    "SeatsDealt",
    "StorageNoted",
    "TableClosed",
    "TableOpened",
    "TableSet",
    "TierWon",
    "WordDeferred",
]

Entry = (
    EpochBegan
    | PoolOpened
    | PoolSuspended
    | StorageNoted
    | BreakerArmed
    | TableSet
    | TableOpened
    | TableClosed
    | DealChanged
    | DayClosed
    | OperatorChanged
    | AlarmRaised
    | AlarmCleared
    | DeviceTaken
    | JournalMoved
    | DeviceOnline
    | DeviceOffline
    | DeviceFaulted
    | BetRecorded
    | LockBegan
    | DeviceDrained
    | WordDeferred
    | RoundLocked
    | CardTaken
    | CardNoted
    | CardEntered
    | SeatsDealt
    | PacketCounted
    | CardsDealt
    | SeatFolded
    | ExposureNoted
    | ClaimMade
    | ClaimRefused
    | KeyUsed
    | RoundHeld
    | RoundConfirmed
    | RoundSettled
    | RoundVoided
    | BetRefunded
    | PrizeLocked
    | PoolRestarted
    | HitVoted
    | HitApproved
    | HitPaid
    | HitRejected
)
