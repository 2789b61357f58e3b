"""Seals: the ledger's head at the end of a gaming day, signed with Ed25519, for whoever keeps nothing else.

Laws
1. What is signed is the canonical JSON of the seal without its signature.
2. Seals are kept beside the ledger, a line each, only ever added; they prove the rows up to theirs, and every row
   before is proved with it, since a hash stands for all rows before it.
3. A rewrite of the past gives another hash at a sealed row, and without the key no other seal.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jackpotd.ledger.codec import canonical
from jackpotd.ledger.files import open_file
from jackpotd.ledger.port import Head, LedgerError
from jackpotd.ledger.sqlite_file import sync

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_BYTES = 32
_MODE = 0o640


@dataclass(frozen=True, slots=True)
class Seal:
    """The head of a ledger at the end of a gaming day. `at`: UTC text; hash, key and signature in hex."""

    site: str
    ledger: str
    day: int
    seq: int
    hash: str
    at: str
    key: str
    signature: str = ""

    def signed_bytes(self) -> bytes:
        """What the signature is of (law 1)."""
        return canonical({name: getattr(self, name) for name in self.__slots__ if name != "signature"} | {"schema": 1})

    def line(self) -> bytes:
        """The seal as it is kept."""
        return canonical({name: getattr(self, name) for name in self.__slots__} | {"schema": 1})


def seals_of(ledger: Path) -> Path:
    """The seals' file beside a ledger."""
    return ledger.with_name(ledger.name + ".seals")


def public_key(seed: bytes) -> str:
    """The public key of a secret one, in hex: what a regulator is given once."""
    return _private(seed).public_key().public_bytes_raw().hex()


def sign(seed: bytes, site: str, ledger: str, day: int, head: Head, at: str) -> Seal:
    """The seal of a day."""
    unsigned = Seal(site, ledger, day, head.seq, head.hash.hex(), at, public_key(seed))
    return replace(unsigned, signature=_private(seed).sign(unsigned.signed_bytes()).hex())


def _private(seed: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415  # 8 MiB that only a day's end needs

    return ed25519.Ed25519PrivateKey.from_private_bytes(seed)


def read_seals(path: Path) -> list[Seal]:
    """The seals kept, in order; a last line cut short by a power cut is none. LedgerError "corrupt" for any other."""
    if not path.exists():
        return []
    with open_file(path) as file:
        lines = file.read().split(b"\n")
    return [_parse(line, path) for line in lines[:-1]]


def _parse(line: bytes, path: Path) -> Seal:
    try:
        found = json.loads(line)
        return Seal(**{name: found[name] for name in Seal.__slots__})
    except (ValueError, KeyError, TypeError) as error:
        raise LedgerError("corrupt", f"{path} holds a line that is no seal: {error}") from error


def keep(path: Path, seal: Seal) -> None:
    """Add a seal, durably; what a power cut left of an unfinished line is taken off first. OSError as it comes."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, _MODE)
    try:
        kept = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        whole = kept.rfind(b"\n") + 1
        os.ftruncate(descriptor, whole)
        os.pwrite(descriptor, seal.line() + b"\n", whole)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync(path.parent)
