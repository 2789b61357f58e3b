"""The configuration of a test floor as TOML: the examples' pools, edited, and the tables' own blocks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Block = dict[str, Any]

_COMMON: Block = {
    "bet": "10.00",
    "contribution": "70%",
    "payout_unit": "0.01",
    "fixed_prizes_from": "pool",
    "remainder": "pool",
    "breaker": "off",  # the packs of test floors are stacked
}
_BACCARAT: Block = {**_COMMON, "seed": "100000.00", "void_round": "carry"}
_OPTION_C_AND_B: Block = {
    "double_three": {"fixed": "4000.00"},
    "four_of_a_kind": {"fixed": "1000.00"},
    "three_of_a_kind": {"fixed": "800.00"},
}
_STUD_READINGS: Block = {
    "fixed_prizes_from": "pool",
    "remainder": "pool",
    "straight_flush_base": "round",
    "several_royals": "split_greater",
}
_LEVEL: Block = {"rules": "stud", "breaker": "off", **_STUD_READINGS}
POOLS: dict[str, Block] = {
    "mini": {
        **_LEVEL,
        "seed": "1000.00",
        "reserve": "1%",
        "prizes": {"flush": {"share": "100%"}, "full_house": {"share": "20%", "fixed": "100.00"}},
    },
    "minor": {
        **_LEVEL,
        "seed": "20000.00",
        "prizes": {"four_of_a_kind": {"share": "100%"}, "full_house": {"share": "10%"}},
    },
    "mega": {
        **_COMMON,
        **_STUD_READINGS,
        "seed": "900000.00",
        "void_round": "refund",
        "prizes": {
            "grand": {"share": "100%", "fixed": "900000.00"},
            "major": {"share": "10%", "fixed": "50000.00"},
            "four": {"fixed": "4000.00"},
            "small": {"fixed": "500.00"},
        },
        "games": {
            "stud": {
                "rules": "stud",
                "tiers": {
                    "royal_flush": "grand",
                    "straight_flush": "major",
                    "four_of_a_kind": "four",
                    "full_house": "small",
                    "flush": "small",
                },
            },
            "baccarat": {
                "rules": "baccarat-b",
                "tiers": {
                    "six_of_a_kind": "grand",
                    "five_of_a_kind": "four",
                    "double_three": "four",
                    "four_of_a_kind": "small",
                    "three_of_a_kind": "small",
                },
            },
        },
    },
    "stud-main": {
        "rules": "stud",
        **_COMMON,
        "seed": "500000.00",
        "straight_flush_base": "round",
        "several_royals": "split_greater",
        "prizes": {
            "royal_flush": {"share": "100%", "fixed": "500000.00"},
            "straight_flush": {"share": "10%", "fixed": "50000.00"},
            "four_of_a_kind": {"fixed": "5000.00"},
            "full_house": {"fixed": "1000.00"},
            "flush": {"fixed": "500.00"},
        },
    },
    "bac-a": {
        "rules": "baccarat-a",
        **_BACCARAT,
        "four_of_a_kind_suits": "distinct",
        "prizes": {
            "royal_flush": {"share": "100%"},
            "heavenly_straight": {"share": "10%", "fixed": "8000.00"},
            "four_of_a_kind": {"fixed": "4000.00"},
            "double_pair": {"fixed": "400.00"},
            "three_of_a_kind": {"fixed": "80.00"},
            "single_pair": {"fixed": "8.00"},
        },
    },
    "bac-b": {
        "rules": "baccarat-b",
        **_BACCARAT,
        "prizes": {"six_of_a_kind": {"share": "100%"}, "five_of_a_kind": {"fixed": "8000.00"}, **_OPTION_C_AND_B},
    },
    "bac-c": {
        "rules": "baccarat-c",
        **_BACCARAT,
        "prizes": {
            "six_of_a_kind_one_colour": {"share": "100%"},
            "six_of_a_kind": {"share": "7.5%", "fixed": "9000.00"},
            "five_of_a_kind": "not paid",
            **_OPTION_C_AND_B,
        },
    },
}


def pool_block(pool: str, **changes: object) -> Block:
    """A [[pool]] block; a change to None takes a key out."""
    block = {"id": pool, **POOLS[pool], **changes}
    return {key: value for key, value in block.items() if value is not None}


def value_text(value: object) -> str:
    """A TOML value: text, numbers, lists, and dictionaries as inline tables."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {value_text(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


def block_text(header: str, block: Mapping[str, object]) -> str:
    """One block."""
    return "\n".join([header, *(f"{key} = {value_text(value)}" for key, value in block.items()), ""])
