"""The hash chain: hash = SHA-256(previous hash, 32 raw bytes, + the row's UTF-8); before the first stands genesis."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from jackpotd.ledger.port import MAX_APPEND_ROWS, MAX_BODY_BYTES, LedgerError, Mark


def genesis(site: str, uuid: str) -> bytes:
    """The hash before the first row: SHA-256 of the site id joined with the ledger's uuid."""
    return sha256((site + uuid).encode()).digest()


def hash_rows(previous: bytes, bodies: Sequence[bytes]) -> list[bytes]:
    """The hashes of consecutive rows after `previous`."""
    hashes = []
    for body in bodies:
        previous = sha256(previous + body).digest()
        hashes.append(previous)
    return hashes


def check_bounds(bodies: Sequence[bytes]) -> None:
    """LedgerError "unfit" unless an append has rows, not too many, and none too large."""
    if not 0 < len(bodies) <= MAX_APPEND_ROWS:
        raise LedgerError("unfit", f"an append has 1 to {MAX_APPEND_ROWS} rows, not {len(bodies)}")
    if max(map(len, bodies)) > MAX_BODY_BYTES:
        raise LedgerError("unfit", f"a row is larger than {MAX_BODY_BYTES} bytes")


def repeat(mark: Mark, stored: int) -> LedgerError:
    """The refusal of a fact that is not newer than the mark of its journal."""
    return LedgerError(
        "repeat", f"fact {mark.seq} of {mark.source}, journal {mark.journal}, is not newer than {stored}: already here"
    )
