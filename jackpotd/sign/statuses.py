"""Which controllers are there (design section 6).

Laws
1. (epoch, beat) orders what a node says; what is not newer is dropped.
2. An `offline` of a node's newest epoch counts whatever its beat, since the will was written at connect; only a newer
   `online` ends it.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.messages.mqtt import Status

# A leader, its standby, and the controllers of a site that is split over several.
MAX_NODES = 64


@dataclass(slots=True)
class _Node:
    """The newest that a node said."""

    epoch: int
    beat: int
    online: bool


class Statuses:
    """The nodes of one site."""

    def __init__(self) -> None:
        self._nodes: dict[str, _Node] = {}

    def hear(self, node: str, status: Status) -> bool:
        """Take a node's status; False when it is not newer, or of one node too many."""
        known = self._nodes.get(node)
        online = status.state == "online"
        if known is None:
            if len(self._nodes) >= MAX_NODES:
                return False
            self._nodes[node] = _Node(status.epoch, status.beat, online)
            return True
        will = status.state == "offline" and status.epoch == known.epoch
        if not will and (status.epoch, status.beat) <= (known.epoch, known.beat):
            return False
        beat = max(known.beat, status.beat) if will else status.beat
        self._nodes[node] = _Node(status.epoch, beat, online)
        return True

    def speaks(self, epoch: int) -> bool:
        """Whether the controller that said something under `epoch` is there.

        Of an epoch that no node is known by, any controller that is online may have said it.
        """
        known = [node.online for node in self._nodes.values() if node.epoch == epoch]
        return any(known or (node.online for node in self._nodes.values()))
