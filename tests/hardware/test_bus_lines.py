"""Master and devices over bad lines: every event is counted once, in order, and forgotten only when committed."""

from __future__ import annotations

from random import Random

import pytest

from hardware.bus_events import BusEvent, Kind
from hardware.bus_master import REPLY_WAIT_SOCKET_MS, REPLY_WAIT_TTY_MS
from hardware.bus_reports import BusNoise, Events, Forged
from hardware.reports import BetMoved, CardOut, DeviceStarted, Folded
from hardware.simulated.bus_device import BusDeviceSim
from hardware.simulated.line import Faults, FaultyLine
from tests.hardware.bus_rig import Rig

KEY = bytes(range(16))

LINES = {
    "perfect": Faults(),
    "one byte": Faults(split=1.0),
    "lossy": Faults(drop=0.004),
    "repeating": Faults(repeat=0.3),
    "corrupting": Faults(corrupt=0.004),
    "late": Faults(delay_ms=100),
    "everything": Faults(drop=0.002, corrupt=0.002, repeat=0.1, split=0.2, delay_ms=4),
}


def table(key: bytes | None) -> list[BusDeviceSim]:
    return [
        BusDeviceSim(Kind.BET_PANEL, "BP-1", 1, key),
        BusDeviceSim(Kind.DEALER_KEYPAD, "DK-1", 2, key),
        BusDeviceSim(Kind.SHUFFLER, "SH-1", 3, key),
    ]


def chance_event(kind: Kind, rng: Random) -> BusEvent:
    if kind is Kind.BET_PANEL:
        return BetMoved(rng.randint(1, 7), rng.choice([0, 1, 2]), rng.random() < 0.5)
    if kind is Kind.DEALER_KEYPAD:
        return Folded(rng.randint(1, 7))
    return CardOut(rng.choice("23456789TJQKA") + rng.choice("SHCD"))


@pytest.mark.parametrize("key", [KEY, None], ids=["keyed", "plain"])
@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_event_is_counted_once_and_in_order(name: str, key: bytes | None, seed: int) -> None:
    rng = Random(seed)
    faults = LINES[name]
    wait_ms = REPLY_WAIT_SOCKET_MS if name == "late" else REPLY_WAIT_TTY_MS
    devices = table(key)
    rig = Rig(
        devices,
        to_devices=FaultyLine(rng, faults),
        to_master=FaultyLine(rng, faults),
        commit_ms=rng.randint(0, 40),
        reply_wait_ms=wait_ms,
    )
    said: dict[str, list[BusEvent]] = {device.serial: [DeviceStarted(1)] for device in devices}
    for _ in range(60):
        for device in devices:
            for _ in range(rng.choice([0, 0, 1, 3, 30])):
                event = chance_event(device.kind, rng)
                if device.say(event, rig.now_ms) is not None:
                    said[device.serial].append(event)
            if rng.random() < 0.02:
                has_room = device.journal.room > 0
                device.power_cycle(rig.now_ms)
                said[device.serial] += [DeviceStarted(device.journal.boots)] if has_room else []
        rig.run(rng.randint(1, 200))
    rig.run_until_counted(120_000)
    assert rig.ledger.counted == said
    assert rig.ledger.gaps == []
    if faults.corrupt == 0 or key is not None:
        assert not any(isinstance(report, Forged) for report in rig.reports)


def test_a_repeating_line_costs_no_second_count_and_is_seen_as_old() -> None:
    (panel, *_) = devices = table(KEY)
    rig = Rig(devices, to_master=FaultyLine(Random(3), Faults(repeat=1.0)))
    panel.say(BetMoved(3, 0, on=True), 0)
    rig.run(1_000)
    assert rig.ledger.counted["BP-1"] == [DeviceStarted(1), BetMoved(3, 0, on=True)]
    assert rig.ledger.repeats == 0
    assert BusNoise("BP-1", "old", 1) in rig.reports


def test_the_lost_acknowledgement_of_a_commit_brings_no_event_twice_in_one_session() -> None:
    (panel, *_) = devices = table(KEY)
    rig = Rig(devices, commit_ms=1_200)
    rig.run(1_000)
    for seat in range(1, 8):
        panel.say(BetMoved(seat, 0, on=True), rig.now_ms)
    rig.run(4_000)
    delivered = [s.seq for r in rig.reports if isinstance(r, Events) and r.device == "BP-1" for s in r.said]
    assert delivered == list(range(1, 9))
