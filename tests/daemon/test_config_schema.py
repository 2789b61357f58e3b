"""The JSON Schema of the configuration, as `jackpotd schema` prints it."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from jackpotd.daemon.config_models import config_schema
from tests.support.configs import EXAMPLE

SCHEMA: dict[str, Any] = json.loads(json.dumps(config_schema()))


def block(name: str) -> dict[str, Any]:
    found: dict[str, Any] = SCHEMA["$defs"][name]
    return found


def test_every_key_of_the_example_is_in_the_schema() -> None:
    file = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    assert file.keys() <= SCHEMA["properties"].keys()
    for pool in file["pool"]:
        assert pool.keys() <= block("PoolBlock")["properties"].keys()
    for table in file["table"]:
        assert table.keys() <= block("TableBlock")["properties"].keys()
        for device in table["device"]:
            assert device.keys() <= block("DeviceBlock")["properties"].keys()


def test_required_keys_are_named() -> None:
    assert SCHEMA["required"] == ["site", "ledger", "mqtt", "pool", "table"]
    assert block("PoolBlock")["required"] == ["id", "seed", "prizes"]
    assert block("ApprovalBlock")["required"] == ["covers", "reference", "applied", "from"]


def test_an_unknown_key_is_not_allowed_anywhere() -> None:
    assert all(one["additionalProperties"] is False for name, one in SCHEMA["$defs"].items() if name.endswith("Block"))


def test_toml_knows_no_null_and_neither_does_the_schema() -> None:
    assert '"null"' not in json.dumps(SCHEMA)
    assert ": null" not in json.dumps(SCHEMA)


def test_a_default_is_written_as_the_file_writes_it() -> None:
    assert block("PoolBlock")["properties"]["hold_tables_on_hit"]["default"] == "table"
    assert "default" not in block("PoolBlock")["properties"]["show_hit_for"]
    assert "default" not in block("PoolBlock")["properties"]["reserve"]
