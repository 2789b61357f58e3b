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
AGAIN_MS = 2_500  # a sign is right within 5 s of the broker's return: it may connect 2 s after all was said again
_OVER = frozenset({"paid", "rejected"})

Key = tuple[str, ...]  # a topic's name and its ids


class Bulletin:
    """One controller's messages."""

    def __init__(self, site: str, node: str, version: str, board: Board, alarms: ShellAlarms, clock: Clock) -> None:
        self.status_topic = topics.STATUS.at(site, node)
        self._site = site
        self._node = node
        self._version = version
        self._board = board
        self._alarms = alarms
        self._clock = clock
        self._beat = 0
        self._slots: dict[Key, Slot] = {}
        self._passing: set[Key] = set()  # hits and alarms: their topics are cleared when they are over
        self._ended: set[str] = set()  # retired pools whose meter is cleared at this broker
        self._first_pools: dict[str, str] = {}
        # What slots show already: most of what is looked at after a commit has not changed.
        self._meters_shown: dict[str, object] = {}
        self._tables_shown: dict[str, object] = {}

    def set_tables(self, tables: Mapping[str, TableParams]) -> None:
        """The tables as configured: their first pool is called `progressive` on their topic."""
        self._first_pools = {name: params.pools[0] for name, params in tables.items()}
        self._tables_shown.clear()

    def passing_filters(self) -> list[str]:
        """Where the broker may still keep what is over: hits of this controller's pools, and alarms."""
        hits = topics.HIT.everywhere(self._site)
        return [topics.ALARM.everywhere(self._site), *(hits.replace("+", pool, 1) for pool in self._board.meters)]

    def knows(self, topic: str) -> bool:
        """Whether something is said there."""
        return any(slot.topic == topic for slot in self._slots.values())

    def offline(self) -> bytes:
        """The goodbye, and the will."""
        return orjson.dumps(notices.status("offline", self._board.epoch, self.next_beat(), self._version))

    def next_beat(self) -> int:
        """The next message's number."""
        self._beat += 1
        return self._beat

    def say_all_again(self) -> None:
        """A new connection: nothing is known of what the broker has."""
        self._ended.clear()
        for slot in self._slots.values():
            slot.say_again()

    def due(self, now_ms: int) -> tuple[list[Slot], int]:
        """The slots that may speak now, the longest waiting first; and when others may, at the latest in AGAIN_MS."""
        waiting: list[tuple[int, Slot]] = []
        next_ms = now_ms + AGAIN_MS
        for slot in self._slots.values():
            at_ms = slot.due_ms()
            if at_ms is None:
                continue
            if at_ms <= now_ms:
                waiting.append((at_ms, slot))
            elif at_ms < next_ms:
                next_ms = at_ms
        return [slot for _, slot in sorted(waiting, key=itemgetter(0))], next_ms

    def forget(self, slot: Slot) -> None:
        """Its topic is cleared and nothing more is to be said there."""
        for key in [key for key, known in self._slots.items() if known is slot]:
            del self._slots[key]
            self._passing.discard(key)

    # ---- from the board to the slots

    def refresh(self) -> None:
        """Bring every slot to the newest view; topics whose subject is over are cleared."""
        epoch = self._board.epoch
        self._slot(topics.STATUS, self._node, again_ms=AGAIN_MS).set(
            epoch, lambda beat: orjson.dumps(notices.status("online", epoch, beat, self._version))
        )
        self._refresh_meters()
        self._refresh_tables()
        wanted = self._refresh_hits() | self._refresh_alarms()
        for key in sorted(self._passing - wanted):
            self._slots[key].set(None, None)
        self._passing |= wanted

    def _slot(self, topic: topics.Topic, *ids: str, again_ms: int | None = None) -> Slot:
        """The slot of a topic; its text is made once, for it is asked for after every commit."""
        key = (topic.name, *ids)
        slot = self._slots.get(key)
        if slot is None:
            slot = self._slots[key] = Slot(topic.at(self._site, *ids), RATE_INTERVAL_MS, again_ms)
        return slot

    def _refresh_meters(self) -> None:
        board, epoch, suspended = self._board, self._board.epoch, bool(self._board.suspended)
        now_ms = self._clock.utc_ms()
        for name, view in board.meters.items():
            if view.retired_ms and now_ms - view.retired_ms >= view.show_for_ms:
                if name not in self._ended:
                    self._ended.add(name)
                    self._slot(topics.METER, name).set(None, None)
                continue
            shown = (view, epoch, suspended)
            if self._meters_shown.get(name) == shown:
                continue
            self._meters_shown[name] = shown

            def build(beat: int, view: MeterView = view) -> bytes:
                return orjson.dumps(notices.meter(view, epoch, beat, self._clock.utc_ms(), suspended=suspended))

            slot = self._slot(topics.METER, name, again_ms=AGAIN_MS)
            slot.set(shown, build, view.heard_ns)

    def _refresh_tables(self) -> None:
        board, epoch, closed = self._board, self._board.epoch, self._board.suspended
        for name, view in board.tables.items():
            shown = (view, epoch, closed)
            if self._tables_shown.get(name) == shown:
                continue
            self._tables_shown[name] = shown
            first = self._first_pools.get(name, "")

            def build(beat: int, view: TableView = view, first: str = first) -> bytes:
                return orjson.dumps(notices.table(view, first, epoch, beat, closed))

            self._slot(topics.TABLE_STATE, name).set(shown, build)

    def _refresh_hits(self) -> set[Key]:
        epoch, now_ms = self._board.epoch, self._clock.utc_ms()
        wanted: set[Key] = set()
        for view in self._board.hits.values():
            if view.status in _OVER and now_ms - view.decided_ms >= view.show_for_ms:
                continue

            def build(beat: int, view: HitView = view) -> bytes:
                return orjson.dumps(notices.hit(view, epoch, beat))

            self._slot(topics.HIT, view.pool, view.hit).set((view, epoch), build)
            wanted.add((topics.HIT.name, view.pool, view.hit))
        return wanted

    def _refresh_alarms(self) -> set[Key]:
        epoch = self._board.epoch
        wanted: set[Key] = set()
        for active in (*self._board.alarms.values(), *self._alarms.active.values()):

            def build(beat: int, active: Alarm = active) -> bytes:
                return orjson.dumps(notices.alarm(active, epoch, beat))

            self._slot(topics.ALARM, active.alarm).set((active.alarm, active.text, active.since_ms, epoch), build)
            wanted.add((topics.ALARM.name, active.alarm))
        return wanted
