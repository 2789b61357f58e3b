"""From cards leaving a shoe or a shuffler to the amount on the sign, and to the hit that it ends in (61/2004)."""

from __future__ import annotations

from tests.support import raw_ledger
from tests.support.floor import Floor
from tests.support.until import until

NOBODY = "2D 3D 4D 5S 7S"


def winners_shown(message: dict[str, object]) -> dict[int, str]:
    """Seat -> amount of a hit's topic."""
    listed = message["winners"]
    assert isinstance(listed, list)
    return {winner["seat"]: winner["amount"] for winner in listed}


def test_two_royal_flushes_and_a_straight_flush_in_one_round_move_the_meter_as_a_pencil_says(floor: Floor) -> None:
    pencil = floor.pool("stud-main", contribution="70.1237%", reserve="5%", auto_pay_below="5000.00")
    shoe, shuffler = floor.stud(), floor.shuffled()
    floor.start()
    expected = [pencil.meter]

    floor.bet(shoe, 1, 2, 6)
    shoe.deal_hands({1: "2S 4S 6S 8S TS", 2: "9H TH 3C QH KH", 6: "TC JC 6D KC AC", 0: NOBODY})
    floor.seen.table("T01", phase="dealt")
    expected.append(pencil.bets(3))
    floor.seen.meter("stud-main", expected[-1])
    shoe.end_round()
    flush = pencil.stud({1: "flush"})["flush"]
    expected.append(pencil.meter)
    floor.seen.meter("stud-main", expected[-1], "live")
    assert winners_shown(floor.seen.hit("stud-main", "T01.1.stud-main.flush", "approved")) == flush

    floor.bet(shoe, 1, 2, 6)
    shoe.deal_hands({1: "TS JS QS KS AS", 2: "9H TH JH QH KH", 6: "TC JC QC KC AC", 0: NOBODY})
    floor.seen.table("T01", phase="dealt")
    expected.append(pencil.bets(3))
    floor.seen.meter("stud-main", expected[-1])
    shoe.end_round()
    prizes = pencil.stud({1: "royal_flush", 2: "straight_flush", 6: "royal_flush"})
    expected.append(pencil.meter)
    floor.seen.meter("stud-main", expected[-1], "pending")
    royal = floor.seen.hit("stud-main", "T01.2.stud-main.royal_flush", "pending")
    straight = floor.seen.hit("stud-main", "T01.2.stud-main.straight_flush", "pending")
    assert winners_shown(royal) == prizes["royal_flush"]
    assert winners_shown(straight) == prizes["straight_flush"]

    # The winners' table waits, the other one plays on and feeds the new pool (design 7).
    shoe.wait_shows(True, 3, 3, 0, 0, 0, 3)
    floor.bet(shuffler, 3)
    shuffler.lock()
    expected.append(pencil.bets(1))
    floor.seen.meter("stud-main", expected[-1], "pending")
    assert floor.seen.amounts("stud-main") == expected
    assert floor.command("ledger", "verify")["ok"]
    assert sum(raw_ledger.balances(floor.ledger).values()) == 0


def test_a_shuffler_deals_a_hand_a_packet_and_a_folded_seat_has_no_prize(floor: Floor) -> None:
    pencil = floor.pool("stud-main", auto_pay_below="20000.00")
    table = floor.shuffled()
    floor.start()
    floor.bet(table, 2, 5, 7)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(3))
    table.deal_hands({2: "AS AH AD AC 2S", 5: "3S 3H 3C 9C 9S", 7: "KS KH KD KC 2H", 0: NOBODY})
    floor.seen.table("T02", phase="dealt")
    table.press(lambda keypad, now: keypad.fold(2, now))
    table.end_round()
    prizes = pencil.stud({5: "full_house", 7: "four_of_a_kind"})
    floor.seen.meter("stud-main", pencil.meter)
    for tier, winners in prizes.items():
        assert winners_shown(floor.seen.hit("stud-main", f"T02.1.stud-main.{tier}", "approved")) == winners
    assert len(floor.seen.hits()) == 2


def test_a_void_round_carries_the_progressive_bets_which_then_contribute_nothing_more(floor: Floor) -> None:
    pencil = floor.pool("stud-main")
    table = floor.stud()
    floor.start()
    floor.bet(table, 1, 4)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(2))
    table.press(lambda keypad, now: keypad.void("misdeal", now))
    table.sweep()
    floor.seen.table("T01", phase="open", carried={"1": ["stud-main"], "4": ["stud-main"]})
    table.wait_shows(False, 2, 1, 1, 2)
    floor.bet(table, 1, also=())
    floor.bet(table, 2)
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(1))
    table.deal_hands({1: "2S 4S 6S 8S TS", 2: "AS KD 7C 5H 2H", 0: NOBODY})
    floor.seen.table("T01", phase="dealt", carried={"4": ["stud-main"]})
    table.end_round()
    assert (
        winners_shown(floor.seen.hit("stud-main", "T01.2.stud-main.flush", "pending"))
        == pencil.stud({1: "flush"})["flush"]
    )
    floor.seen.meter("stud-main", pencil.meter)


def test_a_bet_taken_back_before_the_lock_contributes_nothing(floor: Floor) -> None:
    pencil = floor.pool("stud-main")
    table = floor.stud()
    floor.start()
    floor.bet(table, 1, 2, 3)
    assert table.take_back(2, "progressive")
    assert table.take_back(3, "ante")
    floor.seen.table("T01", seats={"1": ["ante", "progressive"], "2": ["ante"], "3": ["progressive"]})
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(1))
    table.wait_shows(True, 2, 0, 0)


def test_a_shoe_and_a_bus_behind_serial_servers_play_a_round_though_the_connection_breaks_in_between(
    floor: Floor,
) -> None:
    pencil = floor.pool("stud-main")
    table = floor.stud(tcp=True)
    floor.start()
    floor.bet(table, 1, 3)
    table.bus.disconnect()
    until(lambda: len(raw_ledger.entries(floor.ledger, "device_offline")) == 2, "panel and keypad lost")
    until(lambda: len(raw_ledger.entries(floor.ledger, "device_online")) == 5, "panel and keypad back")
    floor.seen.table("T01", progressive="open", seats={"1": ["ante", "progressive"], "3": ["ante", "progressive"]})
    table.wait_open()
    table.lock()
    floor.seen.meter("stud-main", pencil.bets(2))
    table.deal_hands({1: "9H TH JH QH KH", 3: "AS KD 7C 5H 2H", 0: NOBODY})
    floor.seen.table("T01", phase="dealt")
    table.end_round()
    pencil.stud({1: "straight_flush"})
    floor.seen.meter("stud-main", pencil.meter, "pending")
