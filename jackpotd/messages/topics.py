"""MQTT topics: where each message is said, by whom, and whether the broker keeps it (design section 6).

Laws
1. A topic is made from ids alone, and an id never holds a slash, a wildcard or a blank: nobody can speak elsewhere.
2. `TOPICS` is the whole list; the AsyncAPI document is printed from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

# Ids of the configuration have 32 characters; those of hits and alarms are put together from several.
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,128}", re.ASCII)
_PARAMETER = re.compile(r"\{([a-z]+)\}")


class Writer(StrEnum):
    """Who may write a topic; the broker's access list says the same."""

    CONTROLLER = "controller"
    RELAY = "relay"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class Topic:
    """One row of design section 6. `message` names the model of its content."""

    name: str
    template: str
    writer: Writer
    retained: bool
    message: str
    about: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The ids in the topic, in order."""
        return tuple(_PARAMETER.findall(self.template))

    def at(self, *ids: str) -> str:
        """The topic of these ids, in the order of `parameters`; ValueError for one that is not topic-safe (law 1)."""
        for one in ids:
            if _ID.fullmatch(one) is None:
                raise ValueError(f"{one!r} cannot stand in a topic")
        return self.template.format(**dict(zip(self.parameters, ids, strict=True)))

    def everywhere(self, site: str) -> str:
        """The subscription to this topic of a whole site."""
        return _PARAMETER.sub("+", self.template.replace("{site}", site))

    def ids_of(self, text: str) -> tuple[str, ...] | None:
        """The ids in a topic that was received; None when it is another topic."""
        levels, wanted = text.split("/"), self.template.split("/")
        if len(levels) != len(wanted):
            return None
        pairs = list(zip(levels, wanted, strict=True))
        if any(level != want for level, want in pairs if not want.startswith("{")):
            return None
        ids = tuple(level for level, want in pairs if want.startswith("{"))
        return ids if all(_ID.fullmatch(one) for one in ids) else None


STATUS = Topic(
    "status",
    "jackpotd/{site}/status/{node}",
    Writer.CONTROLLER,
    retained=True,
    message="Status",
    about="A controller is there; also its will. At least every 5 s and after every connect.",
)
METER = Topic(
    "meter",
    "jackpotd/{site}/pool/{pool}/meter",
    Writer.CONTROLLER,
    retained=True,
    message="Meter",
    about="What a pool holds. At most 5 a second and pool, said again at least every 5 s.",
)
HIT = Topic(
    "hit",
    "jackpotd/{site}/pool/{pool}/hit/{hit}",
    Writer.CONTROLLER,
    retained=True,
    message="Hit",
    about="One tier of one round, from its settlement until show_hit_for after it is paid or rejected; then empty.",
)
TABLE_STATE = Topic(
    "table",
    "jackpotd/{site}/table/{table}/state",
    Writer.CONTROLLER,
    retained=True,
    message="TableState",
    about="Where a table's round stands. At most 5 a second.",
)
ALARM = Topic(
    "alarm",
    "jackpotd/{site}/alarm/{alarm}",
    Writer.CONTROLLER,
    retained=True,
    message="Alarm",
    about="Something a person must look at, while it lasts; then empty.",
)
RELAY_UP = Topic(
    "relay-up",
    "jackpotd/{site}/relay/{node}/up",
    Writer.RELAY,
    retained=False,
    message="RelayUp",
    about="Facts of a relay's outbox, sent again every second from the acknowledged one on.",
)
RELAY_DOWN = Topic(
    "relay-down",
    "jackpotd/{site}/relay/{node}/down",
    Writer.CONTROLLER,
    retained=False,
    message="RelayDown",
    about="The cumulative acknowledgement and the whole state of a relay's tables.",
)
SIGN_STATE = Topic(
    "sign",
    "jackpotd/{site}/sign/{id}/state",
    Writer.SIGN,
    retained=True,
    message="SignState",
    about="What a sign shows; also its will.",
)

TOPICS = (STATUS, METER, HIT, TABLE_STATE, ALARM, RELAY_UP, RELAY_DOWN, SIGN_STATE)
