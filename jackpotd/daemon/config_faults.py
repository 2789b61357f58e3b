"""Faults of a configuration: all of them at once, each with key, value, reason and article.

Laws
1. A fault names its key as the file has it, a block by its id: `pool[stud-main].seed`, `table[T01].device[shoe].baud`.
2. Its value is what the file says there, on one line and cut to size; never a secret.
3. What follows from a fault is not a fault of its own: nothing is said about a key that could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)
ABSENT = "(absent)"
_HIDDEN = "(hidden)"
_SECRET_KEYS = ("key", "password")
_USER_OF_URL = re.compile(r"://[^/\s]*@")
# A value is shown so that it is recognised, not reprinted.
_MAX_VALUE_CHARACTERS = 80
_MAX_NAME_CHARACTERS = 40
_MAX_TEXT_CHARACTERS = 1_024
_MAX_SHOWN_ITEMS = 16
_MAX_SHOWN_DEPTH = 3
_MAX_SHOWN_BITS = 128
# No key of ours is deeper than table, device, key: what is below is shown with its parent.
_MAX_KEY_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with the file. `article` is the dispatch's, where the rule is the law's and not ours."""

    key: str
    value: str
    reason: str
    article: str | None = None

    def __str__(self) -> str:
        source = f" ({self.article})" if self.article else ""
        return f"{self.key} = {self.value}: {self.reason}{source}"


@dataclass(frozen=True, slots=True)
class Unseen(Fault):
    """A fault of where the process is: another, such as the service, may see what this one does not."""


class ConfigError(Exception):
    """The configuration cannot be used; `faults` lists every reason, never empty."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


@dataclass(frozen=True, slots=True)
class _Found:
    key: str
    reason: str
    article: str | None


class FaultList:
    """Collects faults while the checks run; `raw` is the file as TOML has it, left as it is."""

    def __init__(self, raw: Mapping[str, object]) -> None:
        self._raw = raw
        self._found: list[_Found] = []
        self._unread: list[str] = []

    def unreadable(self, key: str, reason: str) -> None:
        """A key whose value has not the right shape; what is said later about it or below it is dropped (law 3)."""
        self._found.append(_Found(key, reason, None))
        self._unread.append(key)

    def add(self, key: str, reason: str, article: str | None = None) -> None:
        """A fault of a key that could be read, or that is absent."""
        if not any(_concerns(key, unread) for unread in self._unread):
            self._found.append(_Found(key, reason, article))

    def raise_if_any(self) -> None:
        """ConfigError with everything collected; nothing when there is nothing."""
        if self._found:
            written = dict(_written("", "", self._raw, 0))
            raise ConfigError(
                Fault(found.key, written.get(found.key, ABSENT), found.reason, found.article) for found in self._found
            )


def _concerns(key: str, unread: str) -> bool:
    """Whether a key is the unreadable one, below it, or the list that was given up because of it."""
    return key == unread or key.startswith((f"{unread}.", f"{unread}[")) or unread.startswith(f"{key}[#")


def block_key(block: str, number: int, name: object) -> str:
    """How a fault names an element of an array of tables: by its id, else by its number from 1 (law 1)."""
    return f"{block}[{name}]" if isinstance(name, str) and IDENTIFIER.fullmatch(name) else f"{block}[#{number}]"


def join_key(parent: str, name: str) -> str:
    """A key with the names of what is around it; a name that no key of ours could have is quoted and cut."""
    plain = name if IDENTIFIER.fullmatch(name) else _toml(name[:_MAX_NAME_CHARACTERS], 0)
    return f"{parent}.{plain}" if parent else plain


def element_key(array: str, block: str, index: int, element: object) -> str:
    """`block_key` of an element as TOML has it; `block` is the array's own name, without what is around it."""
    name = element.get("name" if block == "device" else "id") if isinstance(element, dict) else None
    return block_key(array, index + 1, name)


def _written(key: str, block: str, value: object, depth: int) -> Iterator[tuple[str, str]]:
    """Every key of the file with its value as a fault shows it."""
    if key:
        yield key, _HIDDEN if block in _SECRET_KEYS else _shown(value)
    if depth == _MAX_KEY_DEPTH:
        return
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _written(join_key(key, name), name, item, depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _written(element_key(key, block, index, item), block, item, depth + 1)


def _shown(value: object) -> str:
    text = _toml(value, 0)
    return text if len(text) <= _MAX_VALUE_CHARACTERS else text[: _MAX_VALUE_CHARACTERS - 3] + "..."


def _toml(value: object, depth: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = _USER_OF_URL.sub(f"://{_HIDDEN}@", value[:_MAX_TEXT_CHARACTERS])
        return '"' + text.encode("unicode_escape").decode("ascii").replace('"', '\\"') + '"'
    if isinstance(value, list | Mapping) and depth == _MAX_SHOWN_DEPTH:
        return "..."
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item, depth + 1) for item in value[:_MAX_SHOWN_ITEMS]) + "]"
    if isinstance(value, Mapping):
        items = list(value.items())[:_MAX_SHOWN_ITEMS]
        inner = ", ".join(f"{join_key('', str(key))} = {_item(key, item, depth)}" for key, item in items)
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, int) and value.bit_length() > _MAX_SHOWN_BITS:
        return "(a number of many digits)"
    return str(value)


def _item(key: object, value: object, depth: int) -> str:
    return _HIDDEN if key in _SECRET_KEYS else _toml(value, depth + 1)
