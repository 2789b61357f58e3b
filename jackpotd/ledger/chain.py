"""The hash chain: hash = SHA-256(previous hash, 32 raw bytes, + the row's UTF-8); before the first stands genesis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

import orjson

from jackpotd.ledger.port import MAX_APPEND_ROWS, MAX_BODY_BYTES, Archived, LedgerError, Mark, Row


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
    """LedgerError "unfit" unless an append has rows, not too many, none empty and none too large."""
    if not 0 < len(bodies) <= MAX_APPEND_ROWS:
        raise LedgerError("unfit", f"an append has 1 to {MAX_APPEND_ROWS} rows, not {len(bodies)}")
    if not all(bodies):
        raise LedgerError("unfit", "a row is empty, which only a fact in an archive may be")
    if max(map(len, bodies)) > MAX_BODY_BYTES:
        raise LedgerError("unfit", f"a row is larger than {MAX_BODY_BYTES} bytes")


def check_may_drop(seqs: Iterable[int], rows: Iterable[Row], archives: Sequence[Archived]) -> None:
    """LedgerError "unfit" unless each of these rows is empty already, or a fact that a registered archive may have."""
    for seq in seqs:
        if not any(archive.first <= seq <= archive.last for archive in archives):
            raise LedgerError("unfit", f"row {seq} is in no registered archive")
    for row in rows:
        if row.body and not is_fact(row.body):
            raise LedgerError("unfit", f"row {row.seq} is no fact: only facts go into archives")


def is_fact(body: bytes) -> bool:
    """Whether a row says that it is a fact."""
    return b'"row":"fact"' in body and fields_of(body).get("row") == "fact"


def fields_of(body: bytes) -> dict[str, Any]:
    """What a row says, whatever its kind; empty for what is no JSON object."""
    try:
        fields = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return fields if type(fields) is dict else {}


def repeat(mark: Mark, stored: int) -> LedgerError:
    """The refusal of a fact that is not newer than the mark of its journal."""
    return LedgerError(
        "repeat", f"fact {mark.seq} of {mark.source}, journal {mark.journal}, is not newer than {stored}: already here"
    )
