"""Passwords as argon2id hashes. Imported when the first one is needed: most daemons never see a password.

Law: hashing is slow on purpose, and takes memory; it belongs into the operators' own thread.
"""

from __future__ import annotations

import secrets
from functools import cache

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

# OWASP's least for argon2id is 19 MiB and two passes; a third costs a guesser half as much again, and us nothing.
_HASHER = PasswordHasher(time_cost=3, memory_cost=19 * 1_024, parallelism=1, type=Type.ID)


def hashed(password: str) -> str:
    """What is kept of a password."""
    return _HASHER.hash(password)


@cache
def nobodys() -> str:
    """The hash of a password that nobody has: to take as long over an unknown name as over a known one."""
    return hashed(secrets.token_hex())


def verify(secret: str, password: str) -> bool:
    """Whether the password is the one of this hash."""
    try:
        return _HASHER.verify(secret, password)
    except (VerificationError, InvalidHashError):
        return False
