"""The AsyncAPI 3.0 document of everything said over MQTT, built from the topics and the models themselves.

Law: nothing is described twice; a topic or field that changes changes here by itself.
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

from jackpotd.messages.base import Message
from jackpotd.messages.mqtt import Alarm, Hit, Meter, SignState, Status, TableState
from jackpotd.messages.relay import RelayDown, RelayUp
from jackpotd.messages.topics import TOPICS, Topic, Writer

MODELS: dict[str, type[Message]] = {
    model.__name__: model for model in (Status, Meter, Hit, TableState, Alarm, RelayUp, RelayDown, SignState)
}
_PARAMETERS = {
    "site": "the site's id",
    "node": "the controller's or relay's own name",
    "pool": "the pool's id",
    "hit": "the hit's id",
    "table": "the table's id",
    "alarm": "the alarm's id",
    "id": "the sign's id, which is its user name at the broker",
}
_QOS = 1


def asyncapi(version: str) -> dict[str, Any]:
    """The document, for a controller of this version."""
    schemas = models_json_schema(
        [(model, "serialization") for model in MODELS.values()], ref_template="#/components/schemas/{model}"
    )[1]["$defs"]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "jackpotd",
            "version": version,
            "description": "Linked progressive jackpots. MQTT 3.1.1 (5 optional), QoS 1, JSON.",
        },
        "defaultContentType": "application/json",
        "channels": {topic.name: _channel(topic) for topic in TOPICS},
        "operations": {f"{_action(topic)}-{topic.name}": _operation(topic) for topic in TOPICS},
        "components": {
            "messages": {name: _message(name, model) for name, model in MODELS.items()},
            "schemas": dict(sorted(schemas.items())),
        },
    }


def _channel(topic: Topic) -> dict[str, Any]:
    return {
        "address": topic.template,
        "description": topic.about,
        "parameters": {name: {"description": _PARAMETERS[name]} for name in topic.parameters},
        "messages": {topic.message: {"$ref": f"#/components/messages/{topic.message}"}},
    }


def _action(topic: Topic) -> str:
    """What the controller does with it: it sends what is its own to write, and hears the rest."""
    return "send" if topic.writer is Writer.CONTROLLER else "receive"


def _operation(topic: Topic) -> dict[str, Any]:
    return {
        "action": _action(topic),
        "channel": {"$ref": f"#/channels/{topic.name}"},
        "messages": [{"$ref": f"#/channels/{topic.name}/messages/{topic.message}"}],
        "bindings": {"mqtt": {"qos": _QOS, "retain": topic.retained, "bindingVersion": "0.2.0"}},
    }


def _message(name: str, model: type[Message]) -> dict[str, Any]:
    return {
        "name": name,
        "summary": (model.__doc__ or "").strip(),
        "contentType": "application/json",
        "payload": {"$ref": f"#/components/schemas/{name}"},
    }
