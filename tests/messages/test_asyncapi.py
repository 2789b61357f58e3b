"""The AsyncAPI document names every topic and every field, and its schemas know the messages that we send."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from jackpotd.messages.asyncapi import MODELS, asyncapi
from jackpotd.messages.topics import TOPICS
from tests.support.messages import SAMPLES

DOCUMENT: dict[str, Any] = json.loads(json.dumps(asyncapi("0.1.0")))


def resolve(reference: str) -> Any:
    """What a reference within the document points to; KeyError when it points nowhere."""
    found: Any = DOCUMENT
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def fits(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value fits a schema: the part of JSON Schema that our models use, written anew for the test."""
    if "$ref" in schema:
        return fits(resolve(schema["$ref"]), value)
    if "anyOf" in schema:
        return any(fits(one, value) for one in schema["anyOf"])
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    kind = schema.get("type")
    if kind == "object":
        return isinstance(value, dict) and _fits_object(schema, value)
    if kind == "array":
        return isinstance(value, list) and all(fits(schema.get("items", {}), item) for item in value)
    if kind == "string":
        return isinstance(value, str) and re.search(schema.get("pattern", ""), value) is not None
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool) and value >= schema.get("minimum", value)
    return {"boolean": isinstance(value, bool), "null": value is None, None: True}[kind]


def _fits_object(schema: dict[str, Any], value: dict[str, Any]) -> bool:
    properties = schema.get("properties", {})
    if not set(schema.get("required", [])) <= value.keys():
        return False
    others = schema.get("additionalProperties", True)
    return all(
        fits(properties[key], item) if key in properties else isinstance(others, bool) or fits(others, item)
        for key, item in value.items()
    )


def test_the_document_is_asyncapi_3() -> None:
    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert DOCUMENT["info"] == {"title": "jackpotd", "version": "0.1.0", "description": DOCUMENT["info"]["description"]}


def test_every_topic_of_the_design_is_a_channel_with_its_parameters() -> None:
    addresses = {channel["address"]: channel for channel in DOCUMENT["channels"].values()}
    assert addresses.keys() == {topic.template for topic in TOPICS}
    for address, channel in addresses.items():
        assert list(channel["parameters"]) == re.findall(r"\{(\w+)\}", address)


def test_every_topic_has_an_operation_with_its_quality_of_service_and_retention() -> None:
    by_channel = {operation["channel"]["$ref"]: operation for operation in DOCUMENT["operations"].values()}
    for topic in TOPICS:
        operation = by_channel[f"#/channels/{topic.name}"]
        assert operation["bindings"]["mqtt"] == {"qos": 1, "retain": topic.retained, "bindingVersion": "0.2.0"}
        assert operation["action"] == ("receive" if topic.name in {"relay-up", "sign"} else "send")


def test_every_reference_points_to_something() -> None:
    found = set(references(DOCUMENT))
    assert found
    for reference in found:
        assert resolve(reference)


@pytest.mark.parametrize("name", MODELS)
def test_the_schema_of_a_message_knows_the_sample(name: str) -> None:
    payload = DOCUMENT["components"]["messages"][name]["payload"]
    assert fits(payload, SAMPLES[name])


@pytest.mark.parametrize("name", MODELS)
def test_the_schema_of_a_message_names_exactly_the_designs_keys(name: str) -> None:
    """And a hit of a pool over games the name of its prize."""
    properties = [
        key for key in DOCUMENT["components"]["schemas"][name]["properties"] if (name, key) != ("Hit", "prize")
    ]
    assert properties == list(SAMPLES[name])


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("Meter", "amount", "12,0"),
        ("Meter", "state", "gone"),
        ("Meter", "seq", "1"),
        ("Status", "schema", 2),
        ("Hit", "winners", [{"table": "T01", "seat": 0, "amount": "1.00"}]),
        ("TableState", "phase", "shuffling"),
        ("SignState", "amount", 5),
    ],
)
def test_the_schema_of_a_message_refuses_what_the_model_refuses(name: str, key: str, value: object) -> None:
    payload = DOCUMENT["components"]["messages"][name]["payload"]
    assert not fits(payload, {**SAMPLES[name], key: value})
