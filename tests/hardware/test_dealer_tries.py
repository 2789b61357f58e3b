"""A simulated dealer tries the boards before the first round: words that the controller hears, and an empty felt."""

from __future__ import annotations

import asyncio

from hardware.bus_events import Kind, encode_event
from hardware.reports import BetMoved, RoundEnded
from hardware.simulated.bus_boards import BetPanelSim, KeypadSim
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.bus_journal import Journal
from hardware.simulated.dealer import Dealer, Pace, look

TRIES = 3


class NotedJournal(Journal):
    """Keeps the codes of all that it was ever given."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[int] = []

    def append(self, record: bytes) -> int | None:
        self.noted.append(record[1])  # after the length
        return super().append(record)


def test_the_boards_are_tried_one_by_one_and_nothing_stays_on_the_felt() -> None:
    journals = NotedJournal(), NotedJournal()
    panel = BetPanelSim(BusDeviceSim(Kind.BET_PANEL, "BP-1", 1, None, journals[0]), 7)
    keypad = KeypadSim(BusDeviceSim(Kind.DEALER_KEYPAD, "KP-1", 2, None, journals[1]))
    most_waiting: list[int] = []

    async def take() -> None:
        """The controller takes what it is told."""
        while True:
            await asyncio.sleep(0.01)
            for journal in journals:
                most_waiting.append(journal.newest - journal.oldest + 1)
                journal.forget(journal.newest)

    async def story() -> None:
        panel.bus.power_on(0)
        keypad.bus.power_on(0)
        taking = asyncio.create_task(take())
        await look(lambda: all(journal.newest < journal.oldest for journal in journals))
        for journal in journals:
            journal.noted.clear()
        most_waiting.clear()
        await Dealer(panel, keypad, Pace()).try_boards()
        taking.cancel()

    asyncio.run(story())
    on, off, ended = (
        encode_event(word)[0] for word in (BetMoved(1, 1, on=True), BetMoved(1, 1, on=False), RoundEnded())
    )
    assert journals[0].noted == [on, off] * TRIES
    assert journals[1].noted == [ended] * TRIES
    assert max(most_waiting) == 2, "the next try did not wait until the last was taken"
    assert not panel.chips
