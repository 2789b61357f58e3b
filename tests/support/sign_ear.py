"""A sign's model that hears what a test says, on a clock that the test moves."""

from __future__ import annotations

from typing import Any

import orjson

from jackpotd.messages.base import from_json
from jackpotd.messages.mqtt import Hit, Meter, Status
from jackpotd.sign.model import SignModel
from jackpotd.sign.views import PoolView
from tests.support.controller_voice import POOL, hit, meter, status


def to_model(model: Any, said: dict[str, Any]) -> Any:
    return from_json(model, orjson.dumps(said))


class Sign:
    """A connected sign with an online controller, and a clock that the test moves."""

    def __init__(self, pools: tuple[str, ...] = (POOL,)) -> None:
        self.model = SignModel(pools)
        self.now_ms = 1_000
        self.model.connected()
        self.status()

    def status(self, state: str = "online", *, node: str = "main", **changes: Any) -> bool:
        return self.model.heard_status(node, to_model(Status, status(state) | changes))

    def meter(self, minor: int, seq: int = 1, beat: int = 1, *, retained: bool = False, **changes: Any) -> bool:
        said = to_model(Meter, meter(minor, seq=seq, beat=beat, **changes))
        return self.model.heard_meter(said.pool, said, self.now_ms, retained=retained)

    def hit(self, name: str = "h1", state: str = "pending", *, retained: bool = False, **changes: Any) -> bool:
        said = to_model(Hit, hit(name, state, **changes))
        return self.model.heard_hit(said.pool, said, self.now_ms, retained=retained)

    @property
    def pool(self) -> PoolView:
        return self.model.view(self.now_ms).pools[0]

    def minor(self) -> int | None:
        return None if self.pool.amount is None else self.pool.amount.minor

    @property
    def falls(self) -> int:
        return self.model.view(self.now_ms).falls

    @property
    def hits(self) -> list[tuple[str, str, bool]]:
        return [(one.hit, one.state, one.on_stage) for one in self.model.view(self.now_ms).hits]
