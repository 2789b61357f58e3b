"""Any bytes, and good inputs bent anyhow, at everything that anybody's bytes reach: no error but the module's own."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.seeds import seeds
from tests.fuzz.targets import TARGETS

SEEDS = seeds()
BENT = 150  # of each good input


def bend(rng: Random, data: bytes) -> bytes:
    """A few bytes changed, taken out, doubled or put in."""
    bent = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(bent) + 1)
        match rng.randrange(4):
            case 0:
                bent[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del bent[at : at + rng.randint(1, 8)]
            case 2:
                bent[at:at] = bent[at : at + rng.randint(1, 40)]
            case _:
                bent[at:at] = rng.choice([b"0", b"-1", b"1e999", b"\x00", b"\xff", b'"', b"null", b"{", b"[" * 50])
    return bytes(bent)


@pytest.mark.parametrize("name", sorted(TARGETS))
@given(data=st.binary(max_size=400))
def test_any_bytes_end_in_order(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_good_inputs_bent_anyhow_end_in_order(name: str) -> None:
    rng = Random(name)
    for seed in SEEDS[name]:
        TARGETS[name](seed)
        for _ in range(BENT):
            bent = bend(rng, seed)
            try:
                TARGETS[name](bent)
            except Exception as error:
                raise AssertionError(f"{name} fell over {bent!r}") from error


def test_every_target_has_a_seed() -> None:
    assert SEEDS.keys() == TARGETS.keys()
    assert all(SEEDS.values())
