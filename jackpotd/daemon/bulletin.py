"""What is to be said over MQTT: the board's newest views as slots, one a retained topic (design 6). Knows no broker.

Laws
1. It says what is committed and nothing else; a rise is never shown before it is on disk.
2. At most 5 messages a second and topic; meters and the status again at least every 5 s; `beat` rises with each.
3. Who has waited longest speaks first, so that no topic is starved by busier ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

import orjson

from jackpotd.core.parameters import TableParams
from jackpotd.core.state import Alarm
from jackpotd.daemon import notices
from jackpotd.daemon.board import Board, HitView, MeterView, TableView
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.shell_alarms import ShellAlarms
from jackpotd.daemon.slots import Slot
from jackpotd.messages import topics

RATE_INTERVAL_MS = 200  # 5 a second
AGAIN_MS = 4_000  # within the 5 s that signs are promised, with time for a slow broker
_OVER = frozenset({"paid", "rejected"})


class Bulletin:
    """One controller's messages."""

    def __init__(self, site: str, node: str, version: str, board: Board, alarms: ShellAlarms, clock: Clock) -> None:
        self.status_topic = topics.STATUS.at(site, node)
        self._site = site
        self._version = version
        self._board = board
        self._alarms = alarms
        self._clock = clock
        self._beat = 0
        self._slots: dict[str, Slot] = {}
        self._passing: set[str] = set()  # topics of hits and alarms: cleared when their subject is over
        self._first_pools: dict[str, str] = {}

    def set_tables(self, tables: Mapping[str, TableParams]) -> None:
        """The tables as configured: their first pool is called `progressive` on their topic."""
        self._first_pools = {name: params.pools[0] for name, params in tables.items()}

    def passing_filters(self) -> list[str]:
        """Where the broker may still keep what is over: hits of this controller's pools, and alarms."""
        hits = topics.HIT.everywhere(self._site)
        return [topics.ALARM.everywhere(self._site), *(hits.replace("+", pool, 1) for pool in self._board.meters)]

    def knows(self, topic: str) -> bool:
        """Whether something is said there."""
        return topic in self._slots

    def offline(self) -> bytes:
        """The goodbye, and the will."""
        return orjson.dumps(notices.status("offline", self._board.epoch, self.next_beat(), self._version))

    def next_beat(self) -> int:
        """The next message's number."""
        self._beat += 1
        return self._beat

    def say_all_again(self) -> None:
        """A new connection: nothing is known of what the broker has."""
        for slot in self._slots.values():
            slot.dirty = True

    def due(self, now_ms: int) -> list[Slot]:
        """The slots that may speak now, the longest waiting first."""
        waiting = [(at_ms, slot) for slot in self._slots.values() if (at_ms := slot.due_ms()) is not None]
        return [slot for at_ms, slot in sorted(waiting, key=itemgetter(0)) if at_ms <= now_ms]

    def wait_ms(self, now_ms: int) -> int:
        """How long nobody may speak; never more than AGAIN_MS."""
        due = [at_ms for slot in self._slots.values() if (at_ms := slot.due_ms()) is not None]
        return max(0, min(due, default=now_ms + AGAIN_MS) - now_ms)

    def forget(self, slot: Slot) -> None:
        """Its topic is cleared and nothing more is to be said there."""
        self._slots.pop(slot.topic, None)
        self._passing.discard(slot.topic)

    # ---- from the board to the slots

    def refresh(self) -> None:
        """Bring every slot to the newest view; topics whose subject is over are cleared."""
        epoch = self._board.epoch
        self._slot(self.status_topic, AGAIN_MS).set(
            epoch, lambda beat: orjson.dumps(notices.status("online", epoch, beat, self._version))
        )
        self._refresh_meters()
        self._refresh_tables()
        wanted = self._refresh_hits() | self._refresh_alarms()
        for topic in self._passing - wanted:
            self._slots[topic].set(None, None)
        self._passing |= wanted

    def _slot(self, topic: str, again_ms: int | None = None) -> Slot:
        slot = self._slots.get(topic)
        if slot is None:
            slot = self._slots[topic] = Slot(topic, RATE_INTERVAL_MS, again_ms)
        return slot

    def _refresh_meters(self) -> None:
        board, epoch, suspended = self._board, self._board.epoch, bool(self._board.suspended)
        for name, view in board.meters.items():

            def build(beat: int, view: MeterView = view) -> bytes:
                return orjson.dumps(notices.meter(view, epoch, beat, self._clock.utc_ms(), suspended=suspended))

            slot = self._slot(topics.METER.at(self._site, name), AGAIN_MS)
            slot.set((view, epoch, suspended), build, view.heard_ns)

    def _refresh_tables(self) -> None:
        board, epoch, closed = self._board, self._board.epoch, self._board.suspended
        for name, view in board.tables.items():
            first = self._first_pools.get(name, "")

            def build(beat: int, view: TableView = view, first: str = first) -> bytes:
                return orjson.dumps(notices.table(view, first, epoch, beat, closed))

            self._slot(topics.TABLE_STATE.at(self._site, name)).set((view, epoch, closed), build)

    def _refresh_hits(self) -> set[str]:
        epoch, now_ms = self._board.epoch, self._clock.utc_ms()
        wanted = set()
        for view in self._board.hits.values():
            if view.status in _OVER and now_ms - view.decided_ms >= view.show_for_ms:
                continue

            def build(beat: int, view: HitView = view) -> bytes:
                return orjson.dumps(notices.hit(view, epoch, beat))

            topic = topics.HIT.at(self._site, view.pool, view.hit)
            self._slot(topic).set((view, epoch), build)
            wanted.add(topic)
        return wanted

    def _refresh_alarms(self) -> set[str]:
        epoch = self._board.epoch
        wanted = set()
        for active in (*self._board.alarms.values(), *self._alarms.active.values()):

            def build(beat: int, active: Alarm = active) -> bytes:
                return orjson.dumps(notices.alarm(active, epoch, beat))

            topic = topics.ALARM.at(self._site, active.alarm)
            self._slot(topic).set((active.alarm, active.text, active.since_ms, epoch), build)
            wanted.add(topic)
        return wanted
