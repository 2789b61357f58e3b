"""Snapshots: where a start may begin instead of at row 1.

Law: a snapshot counts only if its body is what was written, by this version, on this chain; else the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from jackpotd.ledger.chain import genesis
from jackpotd.ledger.port import MAX_SNAPSHOT_AGE_ROWS, Head, LedgerReader, Snapshot


def take_snapshot(head: Head, version: str, body: bytes) -> Snapshot:
    """The snapshot of a state, encoded as `body`, after the row `head`."""
    return Snapshot(head.seq, head.hash, sha256(body).digest(), version, body)


def snapshot_due(head: Head, last_seq: int) -> bool:
    """Whether the newest snapshot, at `last_seq`, is so old that the next should be taken now."""
    return head.seq - last_seq >= MAX_SNAPSHOT_AGE_ROWS // 2


def sound_snapshots(ledger: LedgerReader, version: str, to: int | None = None) -> Iterator[Snapshot]:
    """The snapshots (until row `to`) that `version` wrote, unharmed and on the chain, the newest first."""
    for snapshot in ledger.snapshots():
        if to is not None and snapshot.seq > to:
            continue
        if snapshot.version == version and is_unharmed(snapshot) and _chain_hash(ledger, snapshot.seq) == snapshot.head:
            yield snapshot


def is_unharmed(snapshot: Snapshot) -> bool:
    """Whether the body is the one that was written."""
    return sha256(snapshot.body).digest() == snapshot.state_hash


def _chain_hash(ledger: LedgerReader, seq: int) -> bytes | None:
    if seq == 0:
        return genesis(ledger.site, ledger.uuid)
    return next((row.hash for row in ledger.rows(seq - 1, seq)), None)
