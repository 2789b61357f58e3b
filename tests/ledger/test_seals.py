"""Seals of days: signed with Ed25519, kept beside the ledger, checked by other code than the one that signs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.commands.verify_package import is_signed
from jackpotd.ledger.port import Head, LedgerError
from jackpotd.ledger.seals import Seal, keep, public_key, read_seals, seals_of, sign

SEED = bytes(range(32))
# RFC 8032, section 7.1: secret key, public key, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
]


def seal(day: int) -> Seal:
    return sign(SEED, "lisboa", "5f0c7c9e", day, Head(day * 10, bytes([day]) * 32), "2026-11-30T06:00:00.000Z")


@pytest.mark.parametrize(("secret", "key", "message", "signature"), VECTORS)
def test_the_verifier_agrees_with_the_published_vectors(secret: str, key: str, message: str, signature: str) -> None:
    assert public_key(bytes.fromhex(secret)) == key
    assert is_signed(bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature))


@given(message=st.binary(max_size=200), at=st.integers(0, 63), bit=st.integers(0, 7))
def test_a_signature_with_a_flipped_bit_holds_for_nothing(message: bytes, at: int, bit: int) -> None:
    one = seal(1)
    key, signature = bytes.fromhex(one.key), bytearray.fromhex(one.signature)
    assert is_signed(key, one.signed_bytes(), bytes(signature))
    assert not is_signed(key, message, bytes(signature))
    signature[at] ^= 1 << bit
    assert not is_signed(key, one.signed_bytes(), bytes(signature))


@given(key=st.binary(max_size=40), message=st.binary(max_size=40), signature=st.binary(max_size=70))
def test_whatever_is_given_as_key_or_signature_is_an_answer_and_no_error(
    key: bytes, message: bytes, signature: bytes
) -> None:
    assert not is_signed(key, message, signature)


@pytest.mark.parametrize("changed", [{"day": 2}, {"seq": 11}, {"hash": "00" * 32}, {"site": "sands"}, {"at": "later"}])
def test_a_seal_with_anything_changed_is_forged(changed: dict[str, object]) -> None:
    one = replace(seal(1), **changed)  # type: ignore[arg-type]
    assert not is_signed(bytes.fromhex(one.key), one.signed_bytes(), bytes.fromhex(one.signature))


def test_seals_are_kept_in_order_and_a_line_cut_short_is_taken_off(tmp_path: Path) -> None:
    path = seals_of(tmp_path / "ledger.db")
    assert read_seals(path) == []
    keep(path, seal(1))
    with path.open("ab") as file:
        file.write(seal(2).line()[:40])
    assert read_seals(path) == [seal(1)]
    keep(path, seal(2))
    assert read_seals(path) == [seal(1), seal(2)]
    path.write_bytes(b"no seal\n" + path.read_bytes())
    with pytest.raises(LedgerError, match="no seal"):
        read_seals(path)
