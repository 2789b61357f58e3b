"""A hit through its life, cut off in every phase: on the table, on the sign and in `hit list` it stands unchanged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.floor import Floor
from tests.support.people import NoError, Person
from tests.support.plays import BarePlay

SLIP, WHY = "HP-000017", "the card was misread"
_OF_ONE_START = ("epoch", "seq", "beat")


class HitFloor:
    """A table with a straight flush on it, and two people of two roles."""

    def __init__(self, floor: Floor) -> None:
        self.play = BarePlay(floor)
        floor.pool("stud-main", two_person_above="50000.00", show_hit_for="1h")
        floor.start()
        self.floor = floor
        self.supervisor: Person = floor.person("ana", "supervisor")
        self.surveillance: Person = floor.person("bo", "surveillance")
        self.before = self.play.pencil.bets(2)
        self.play.bets()
        self.play.lock()
        self.play.deal_some()
        self.play.deal_rest()
        floor.seen.table("T01", phase="dealt")
        self.play.finish()
        self.prizes = self.play.prizes()[self.play.tier]
        self.hit = self.play.hit
        self.stands("pending")

    def stands(self, state: str) -> None:
        """Wait until every topic says so."""
        message = self.floor.seen.hit("stud-main", self.hit, state)
        assert {winner["seat"]: winner["amount"] for winner in message["winners"]} == self.prizes
        waits = state == "pending"
        amount = self.before if state == "rejected" else self.play.pencil.meter
        self.floor.seen.meter("stud-main", amount, "pending" if waits else "live")
        self.floor.seen.table("T01", round="T01-2", progressive="closed" if waits else "open")

    def shown(self) -> dict[str, Any]:
        """What table, sign and list say of it now, without what is of one start of the controller alone."""
        table = self.floor.seen.table("T01", devices=lambda devices: "offline" not in devices.values())
        hit, meter = self.floor.seen.hits()[self.hit], self.floor.seen.latest["pool/stud-main/meter"]
        said = {"table": table, "hit": hit, "meter": {key: meter[key] for key in ("amount", "state")}}
        timeless = {
            name: {key: value for key, value in message.items() if key not in _OF_ONE_START}
            for name, message in said.items()
        }
        return {**timeless, "list": self.floor.hit_list()}

    def cut(self) -> None:
        """Cut the controller's power and give it back: nothing that is shown has changed."""
        before = self.shown()
        self.floor.kill()
        self.floor.start()
        self.stands(before["hit"]["state"])
        assert self.shown() == before


def pending(on: HitFloor) -> None:
    on.play.table.wait_shows(True, 3, 0, 0, 0)


def half_approved(on: HitFloor) -> None:
    on.supervisor.does("hit.approve", hit=on.hit)


def approved(on: HitFloor) -> None:
    half_approved(on)
    on.surveillance.does("hit.approve", hit=on.hit)
    on.stands("approved")


def paid(on: HitFloor) -> None:
    approved(on)
    on.supervisor.does("hit.pay", hit=on.hit, slip=SLIP)
    on.stands("paid")


def rejected(on: HitFloor) -> None:
    on.supervisor.does("hit.reject", hit=on.hit, why=WHY)
    on.stands("rejected")


PHASES: dict[str, Callable[[HitFloor], None]] = {
    "pending": pending,
    "half approved": half_approved,
    "approved": approved,
    "paid": paid,
    "rejected": rejected,
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_hit_stands_unchanged_after_a_cut_and_goes_on_from_there(floor: Floor, phase: str) -> None:
    on = HitFloor(floor)
    PHASES[phase](on)
    on.cut()
    if phase == "pending":
        on.play.table.wait_shows(True, 3, 0, 0, 0)
        half_approved(on)
        assert on.floor.hit_list()[0]["status"] == "pending"
    if phase == "half approved":
        with pytest.raises(NoError, match="ana"):
            on.supervisor.does("hit.approve", hit=on.hit)
    if phase in ("pending", "half approved"):
        on.surveillance.does("hit.approve", hit=on.hit)
        on.stands("approved")
    if phase in ("pending", "half approved", "approved"):
        on.supervisor.does("hit.pay", hit=on.hit, slip=SLIP)
        on.stands("paid")
    if phase != "rejected":
        with pytest.raises(NoError, match="paid"):
            on.supervisor.does("hit.reject", hit=on.hit, why=WHY)
    on.play.table.wait_open()


def test_a_full_pool_is_won_approved_by_two_paid_and_the_next_round_feeds_the_new_one(floor: Floor) -> None:
    pencil = floor.pool("stud-main", two_person_above="50000.00")
    table = floor.stud()
    floor.start()
    supervisor, accounting = floor.person("ana", "supervisor"), floor.person("chan", "accounting")
    floor.bet(table, 2, 3)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(2))
    table.deal_hands({2: "TH JH QH KH AH", 3: "AS KD 7C 5H 2H", 0: "2D 3D 4D 5S 7S"})
    floor.seen.table("T01", phase="dealt")
    table.end_round()
    pencil.stud({2: "royal_flush"})
    floor.seen.meter("stud-main", pencil.meter, "pending")
    hit = "T01.1.stud-main.royal_flush"
    assert not table.place(2, "progressive")  # the winner's table waits
    supervisor.does("hit.approve", hit=hit)
    with pytest.raises(NoError):
        supervisor.does("hit.pay", hit=hit, slip=SLIP)
    accounting.does("hit.approve", hit=hit)
    accounting.does("hit.pay", hit=hit, slip=SLIP)
    floor.seen.hit("stud-main", hit, "paid")
    floor.bet(table, 2, 3, 7)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(3), "live")


def test_a_rejected_full_pool_comes_back_with_what_was_bet_since(floor: Floor) -> None:
    pencil = floor.pool("stud-main")
    winner, other = floor.stud(), floor.shuffled()
    floor.start()
    supervisor, surveillance = floor.person("ana", "supervisor"), floor.person("bo", "surveillance")
    floor.bet(winner, 1)
    winner.lock()
    before = pencil.bets(1)
    floor.seen.meter("stud-main", before)
    winner.deal_hands({1: "TH JH QH KH AH", 0: "2D 3D 4D 5S 7S"})
    floor.seen.table("T01", phase="dealt")
    winner.end_round()
    floor.seen.meter("stud-main", "500000.00", "pending")
    floor.bet(other, 4, 5)
    other.lock()
    floor.seen.meter("stud-main", "500014.00", "pending")
    hit = "T01.1.stud-main.royal_flush"
    for person in (supervisor, surveillance):
        if floor.hit_list()[0]["status"] == "pending":
            person.does("hit.reject", hit=hit, why=WHY)
    floor.seen.hit("stud-main", hit, "rejected")
    floor.seen.meter("stud-main", pencil.bets(2), "live")
    floor.check_ledger()
