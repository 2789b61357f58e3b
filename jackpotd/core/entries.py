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
from jackpotd.core.entries_pools import (
    ParametersApplied,
    ParametersRead,
    ParametersTookForce,
    PoolActProposed,
    PoolAdjusted,
    PoolResumed,
    PoolRetired,
    PoolSuspended,
    PoolTransferred,
)
from jackpotd.core.entries_round import (
    BetRecorded,
    BetRefunded,
    BetResult,
    CardBurnt,
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
    ShoeForgotten,
    TierWon,
    WordDeferred,
)
from jackpotd.core.entries_site import (
    AlarmAcknowledged,
    AlarmCleared,
    AlarmRaised,
    BreakerArmed,
    ClockDoubt,
    ClockJumped,
    ClockNoted,
    DayClosed,
    DayMeter,
    DayProvisional,
    DealChanged,
    DeviceFaulted,
    DeviceForeign,
    DeviceOffline,
    DeviceOnline,
    DeviceReplaced,
    DeviceTaken,
    DeviceVoted,
    EpochBegan,
    FactsArchived,
    JournalMoved,
    OperatorChanged,
    PoolOpened,
    StorageNoted,
    TableClosed,
    TableOpened,
    TableSet,
)

__all__ = [
    "AlarmAcknowledged",
    "AlarmCleared",
    "AlarmRaised",
    "Award",
    "BetRecorded",
    "BetRefunded",
    "BetResult",
    "BreakerArmed",
    "CardBurnt",
    "CardEntered",
    "CardNoted",
    "CardTaken",
    "CardsDealt",
    "ClaimMade",
    "ClaimRefused",
    "ClockDoubt",
    "ClockJumped",
    "ClockNoted",
    "Contribution",
    "DayClosed",
    "DayMeter",
    "DayProvisional",
    "DealChanged",
    "DeviceDrained",
    "DeviceFaulted",
    "DeviceForeign",
    "DeviceOffline",
    "DeviceOnline",
    "DeviceReplaced",
    "DeviceTaken",
    "DeviceVoted",
    "Entry",
    "EpochBegan",
    "ExposureNoted",
    "FactsArchived",
    "HitApproved",
    "HitPaid",
    "HitRejected",
    "HitVoted",
    "JournalMoved",
    "KeyUsed",
    "LockBegan",
    "OperatorChanged",
    "PacketCounted",
    "ParametersApplied",
    "ParametersRead",
    "ParametersTookForce",
    "PoolActProposed",
    "PoolAdjusted",
    "PoolOpened",
    "PoolRestarted",
    "PoolResumed",
    "PoolRetired",
    "PoolSuspended",
    "PoolTransferred",
    "PrizeLocked",
    "RoundConfirmed",
    "RoundHeld",
    "RoundLocked",
    "RoundSettled",
    "RoundVoided",
    "SeatFolded",
    "SeatResult",
    "SeatsDealt",
    "ShoeForgotten",
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
    | ClockNoted
    | ClockJumped
    | BreakerArmed
    | PoolResumed
    | PoolActProposed
    | ParametersRead
    | ParametersApplied
    | ParametersTookForce
    | PoolAdjusted
    | PoolTransferred
    | PoolRetired
    | TableSet
    | TableOpened
    | TableClosed
    | DealChanged
    | DayProvisional
    | DayClosed
    | FactsArchived
    | OperatorChanged
    | AlarmRaised
    | AlarmCleared
    | AlarmAcknowledged
    | DeviceTaken
    | JournalMoved
    | DeviceOnline
    | DeviceOffline
    | DeviceFaulted
    | DeviceForeign
    | DeviceVoted
    | DeviceReplaced
    | BetRecorded
    | LockBegan
    | DeviceDrained
    | WordDeferred
    | RoundLocked
    | CardTaken
    | CardNoted
    | CardBurnt
    | ShoeForgotten
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
