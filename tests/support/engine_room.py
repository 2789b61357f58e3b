"""An engine whose ledger waits at a gate, for tests of what happens while a commit is under way."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from jackpotd.core.facts import Act, By, ControllerStarted, SiteConfigured, What
from jackpotd.core.parameters import TableParams
from jackpotd.core.state import State
from jackpotd.daemon.clock import Clock
from jackpotd.daemon.engine import Committed, Engine
from jackpotd.daemon.inbox import Inbox, Item
from jackpotd.daemon.writer import LedgerWriter
from jackpotd.ledger.memory import MemoryLedger
from jackpotd.ledger.port import Archived, Head, LedgerError, Mark
from jackpotd.ledger.restore import encode_state, restore
from tests.support.ledgers import SITE, UUID
from tests.support.pools import stud_pool
from tests.support.until import LIMIT_S

BY = By("lei", "supervisor")
VERSION = "0.1.0"
TABLE = TableParams(
    table="T01",
    game="stud",
    pools=("stud-main",),
    seats=7,
    deal=("claims",),
    devices=(),
    decks=1,
    commission=None,
    royal_raise_odds=100,
    max_payout_atoms=None,
    advisory_lock=False,
    deal_timeout_ms=180_000,
)


class Gated(MemoryLedger):
    """A ledger whose appends wait at a gate, and may fail there."""

    def __init__(self) -> None:
        super().__init__(SITE, UUID)
        self.gate = threading.Event()
        self.gate.set()
        self.waiting = threading.Event()
        self.appends: list[int] = []
        self.failure: LedgerError | None = None

    def append(self, bodies: Sequence[bytes], marks: Sequence[Mark], archives: Sequence[Archived] = ()) -> Head:
        self.waiting.set()
        assert self.gate.wait(LIMIT_S), "nobody opened the gate"
        if self.failure is not None:
            raise self.failure
        self.appends.append(len(bodies))
        return super().append(bodies, marks, archives)


class Room:
    """An engine with its ledger; what observers and askers were told is in `told`, in order."""

    def __init__(self, ledger: Gated, writer: LedgerWriter) -> None:
        self.ledger = ledger
        self.inbox = Inbox()
        self.engine = Engine(State(), writer, self.inbox, Clock(), VERSION, 0)
        self.engine.observers.append(self._observe)
        self.told: list[str] = []
        self.seen_writing: list[int | None] = []

    def _observe(self, state: State, committed: Committed) -> None:
        assert encode_state(state) == encode_state(restore(self.ledger, VERSION).state)
        self.seen_writing.append(self.engine.writing_since_ms)
        self.told.append(f"committed {committed.head.seq}")

    def item(self, what: What, operator: str = "") -> Item:
        return Item("", "", what, 1, 1, 0, operator=operator, settled=self._settled)

    def _settled(self, error: Exception | None) -> None:
        self.told.append("done" if error is None else str(error))

    def act(self, what: Act) -> None:
        self.inbox.put_now(self.item(what, what.by.name))

    async def open_house(self) -> None:
        words = (ControllerStarted(VERSION, "c", "p", 1_764_489_600), SiteConfigured((stud_pool(),), (TABLE,)))
        await self.engine.commit([self.item(word) for word in words])
        self.told.clear()
        self.ledger.appends.clear()


async def room() -> Room:
    ledger = Gated()
    made = Room(ledger, await LedgerWriter.opened(lambda: ledger))
    await made.open_house()
    return made
