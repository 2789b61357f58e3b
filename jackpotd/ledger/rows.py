"""Rows: the core's facts and entries as the ledger's bytes.

Law: a row says which it is, "row": "fact" or "entry", so that a reader who knows no kinds can still check the chain,
the order of facts and the balance of postings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from jackpotd.core.entries import Entry
from jackpotd.core.facts import Fact
from jackpotd.ledger.codec import Codec
from jackpotd.ledger.port import Mark
from jackpotd.ledger.schemas import CHANGES, Change

ROW_KEY = "row"
FACT = "fact"
ENTRY = "entry"

RowCodec = Codec[Fact | Entry]


def row_codec(changes: Sequence[Change] = CHANGES, newest: int | None = None) -> RowCodec:
    """The codec of a version that knows these changes, and reads rows up to the schema `newest`."""
    return Codec([Fact, *get_args(Entry)], lambda cls: {ROW_KEY: FACT if cls is Fact else ENTRY}, changes, newest)


TODAY = row_codec()


def encode_row(item: Fact | Entry) -> bytes:
    """The canonical body of a fact's or an entry's row."""
    return TODAY.encode(item)


def decode_row(body: bytes, row: int | None = None) -> Fact | Entry:
    """The fact or entry of a row; LedgerError "newer" or "corrupt" for anything else, naming the `row`."""
    return TODAY.decode(body, row)


def mark_of(fact: Fact) -> Mark:
    """What names the fact for ever."""
    return Mark(fact.source, fact.journal, fact.seq)
