"""From the file's bytes to a draft: every key that can be read is read, the others are faults.

Laws
1. One unreadable key hides no other fault: it is taken out and the rest is read again.
2. A fault names the block by its id where it has one, else by its number in the file.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from jackpotd.core.currency import currency
from jackpotd.core.errors import RuleError
from jackpotd.daemon.config_faults import ConfigError, Fault, FaultList, element_key, join_key
from jackpotd.daemon.config_models import (
    BREAKER_TAGS,
    PRIZE_TAGS,
    TABLE_ARRAYS,
    ApprovalBlock,
    BreakerBlock,
    ControlBlock,
    DeviceBlock,
    FileModel,
    GameBlock,
    GamesBlock,
    LedgerBlock,
    MetricsBlock,
    MqttBlock,
    PoolBlock,
    PrizeBlock,
    SiteBlock,
    TableBlock,
)

# A floor of 6,000 tables fits; a bigger file is not a configuration.
MAX_FILE_BYTES = 8 * 1024 * 1024
# While the currency is unreadable its amounts are read with the decimals that most currencies have.
_USUAL_EXPONENT = 2
_TAGS = (*PRIZE_TAGS, *BREAKER_TAGS)
_MODELS: dict[str, type[BaseModel]] = {
    "site": SiteBlock,
    "ledger": LedgerBlock,
    "mqtt": MqttBlock,
    "metrics": MetricsBlock,
    "control": ControlBlock,
    "approval": ApprovalBlock,
    "pool": PoolBlock,
    "breaker": BreakerBlock,
    "prizes": PrizeBlock,
    "games": GamesBlock,
    "stud": GameBlock,
    "baccarat": GameBlock,
    "table": TableBlock,
    "device": DeviceBlock,
}


def read_draft(content: bytes) -> tuple[FileModel, FaultList]:
    """The file with what can be read of it; an unreadable key is a fault and absent from the draft."""
    raw = _parse(content)
    faults = FaultList(raw)
    context = {"exponent": _exponent(raw)}
    try:
        return FileModel.model_validate(raw, context=context), faults
    except ValidationError as error:
        details = error.errors(include_url=False)
    for detail in details:
        faults.unreadable(_key(raw, detail["loc"]), _reason(detail))
    readable = _parse(content)
    for detail in reversed(details):
        _take_out(readable, detail["loc"])
    return FileModel.model_validate(readable, context=context), faults


def _parse(content: bytes) -> dict[str, Any]:
    reason = f"it is over {MAX_FILE_BYTES} bytes"
    if len(content) <= MAX_FILE_BYTES:
        try:
            return tomllib.loads(content.decode("utf-8"))
        except RecursionError:
            reason = "it is nested too deeply to be a configuration"
        except ValueError as error:
            reason = f"it is not TOML: {error}"
    raise ConfigError([Fault("(file)", f"{len(content)} bytes", reason)])


def _exponent(raw: dict[str, Any]) -> int:
    """The decimals of the site's currency, needed before any amount can be read."""
    site = raw.get("site")
    code = site.get("currency") if isinstance(site, dict) else None
    try:
        return currency(code).exponent if isinstance(code, str) else _USUAL_EXPONENT
    except RuleError:
        return _USUAL_EXPONENT


def _steps(raw: Any, loc: Sequence[int | str]) -> Iterator[tuple[Any, int | str]]:
    """Containers and keys from the root to the place of an error, as far as the file goes; pydantic's tags left out."""
    container = raw
    for part in loc:
        in_table = isinstance(container, dict) and part in container
        in_list = isinstance(container, list) and isinstance(part, int) and part < len(container)
        if in_table or in_list:
            yield container, part
            container = container[part]
        elif part not in _TAGS:
            return


def _key(raw: dict[str, Any], loc: Sequence[int | str]) -> str:
    """The key of an error as the file has it, blocks named by their ids."""
    key, block = "", ""
    for container, part in _steps(raw, loc):
        if isinstance(part, int):
            key = element_key(key, block, part, container[part])
        else:
            block = part
            key = join_key(key, part)
    return key


def _reason(detail: ErrorDetails) -> str:
    kind = detail["type"]
    if kind == "extra_forbidden":
        return _unknown_key(detail["loc"])
    if kind in {"literal_error", "enum"}:
        return f"must be {detail['ctx']['expected']}"
    if kind == "model_type":
        return "must be a table of keys"
    return detail["msg"].replace("Input should be", "must be").replace("Value should", "must")


def _unknown_key(loc: Sequence[int | str]) -> str:
    """Unknown, with the nearest known key of the block where one is near."""
    blocks = [_MODELS[part] for part in loc[:-1] if isinstance(part, str) and part in _MODELS]
    model = blocks[-1] if blocks else FileModel
    known = [field.alias or name for name, field in model.model_fields.items()]
    near = difflib.get_close_matches(str(loc[-1])[:64], known, n=1)
    return f"unknown key; did you mean {near[0]}?" if near else "unknown key"


def _take_out(raw: dict[str, Any], loc: Sequence[int | str]) -> None:
    """Remove what could not be read: the key, or all of a list of values; a non-table among tables becomes empty."""
    steps = list(_steps(raw, loc))
    if len(steps) < sum(part not in _TAGS for part in loc):
        return  # another fault of the same list has taken it out already
    while steps:
        container, part = steps.pop()
        if isinstance(container, dict):
            del container[part]
            return
        block = steps[-1][1] if steps else ""
        if block in TABLE_ARRAYS and not isinstance(container[part], dict):
            container[part] = {}
            return
