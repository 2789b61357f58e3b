"""Noise, half frames, wrong checks, repeats: counted, resynchronised, and nothing lost around them."""

from __future__ import annotations

from random import Random

from hardware.simulated.line import Faults
from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.plays import BarePlay, JournaledPlay, SequencedPlay

JUNK = bytes([0x00, 0xFF, 0x41, 0x03, 0x7F, 0x20])


def bad_frames(floor: Floor, device: str) -> dict[str, int]:
    """Reason -> count of what counted for nothing."""
    start = f'jackpotd_frames_bad_total{{device="{device}",reason="'
    return {
        name.removeprefix(start).rstrip('"}'): count
        for name, count in floor.metrics().items()
        if name.startswith(start)
    }


def test_a_shoe_that_says_everything_three_times_on_a_noisy_line_deals_one_coup(floor: Floor) -> None:
    play = SequencedPlay(floor, sends=3)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    rng = Random(7)
    for message in play.messages():
        copy = message[: len(message) // 3]
        wrong = copy[:-1] + bytes([copy[-1] ^ 0x01])
        half = copy[: rng.randrange(1, len(copy))]
        play.table.shoe_port.send(JUNK + half + wrong + copy + half + copy)
    prizes = play.prizes()
    hit = floor.seen.hit(play.pool, play.hit, "pending")
    assert {winner["seat"]: winner["amount"] for winner in hit["winners"]} == prizes[play.tier]
    floor.seen.meter(play.pool, play.pencil.meter)
    assert len(raw_ledger.words(floor.ledger, "card_read")) == 6
    assert len(raw_ledger.words(floor.ledger, "result_said")) == 1
    counted = bad_frames(floor, "B01/shoe")
    assert counted["repeat"] == 7
    assert sum(counted.values()) > 3 * 7


def test_noise_between_a_bare_shoes_tokens_takes_no_card_away(floor: Floor) -> None:
    play = BarePlay(floor)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    for step in (play.deal_some, play.deal_rest):
        play.table.shoe_port.send(b"\xff\x00 <<[]>> \x80")
        step()
    floor.seen.table("T01", phase="dealt")
    play.finish()
    play.prizes()
    floor.seen.meter(play.pool, play.pencil.meter, "pending")
    assert sum(bad_frames(floor, "T01/shoe").values()) > 0


def test_a_bus_that_drops_spoils_repeats_and_cuts_bytes_counts_every_event_once(floor: Floor) -> None:
    faults = Faults(drop=0.001, corrupt=0.001, repeat=0.03, split=0.2, delay_ms=2)
    play = JournaledPlay(floor, faults=faults)
    floor.start()
    play.bets()
    play.lock()
    floor.seen.meter(play.pool, play.pencil.bets(2))
    play.deal_some()
    play.deal_rest()
    floor.seen.table("T02", phase="dealt")
    play.finish()
    play.prizes()
    floor.seen.hit(play.pool, play.hit, "pending")
    floor.seen.meter(play.pool, play.pencil.meter)
    assert len(raw_ledger.words(floor.ledger, "card_read")) == 15
    assert len(raw_ledger.words(floor.ledger, "packet_out")) == 3
    assert any(name.startswith("jackpotd_frames_bad_total") for name in floor.metrics())
