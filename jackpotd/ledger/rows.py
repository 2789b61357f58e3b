"""Rows: the core's facts and entries as the ledger's bytes.

Law: a row says which it is, "row": "fact" or "entry", so that a reader who knows no kinds can still check the chain,
the order of facts and the balance of postings.
"""

from __future__ import annotations

from typing import get_args

from jackpotd.core.entries import Entry
from jackpotd.core.facts import Fact
from jackpotd.ledger.codec import Codec
from jackpotd.ledger.port import Mark

ROW_KEY = "row"
FACT = "fact"
ENTRY = "entry"

_CODEC: Codec[Fact | Entry] = Codec([Fact, *get_args(Entry)], lambda cls: {ROW_KEY: FACT if cls is Fact else ENTRY})


def encode_row(item: Fact | Entry) -> bytes:
    """The canonical body of a fact's or an entry's row."""
    return _CODEC.encode(item)


def decode_row(body: bytes) -> Fact | Entry:
    """The fact or entry of a row; LedgerError "corrupt" for anything else."""
    return _CODEC.decode(body)


def mark_of(fact: Fact) -> Mark:
    """What names the fact for ever."""
    return Mark(fact.source, fact.journal, fact.seq)
