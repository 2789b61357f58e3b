"""61/2004 article 11, "irregularities", paragraph by paragraph, as a live table hears them from its devices.

The quotations are of the dispatch in English; rules.md section 1 is the reading.
"""

from __future__ import annotations

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.errors import RuleError
from jackpotd.core.parameters import DeviceParams, Rules
from jackpotd.core.state import Phase
from tests.support.felt import (
    BARE_SHOE,
    DEALER,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    NOTHING_2,
    ROYAL,
    SHUFFLER,
    SUPERVISOR,
    SURVEILLANCE,
    Felt,
    Spot,
    baccarat_table,
    stud_table,
)
from tests.support.pools import mop, option_pool, stud_pool

SEED, SHARE = mop("500000.00"), mop("7.00")
WAYS = pytest.mark.parametrize("deals", [BARE_SHOE, SHUFFLER], ids=["shoe", "shuffler"])


def locked(*seats: int, deals: DeviceParams = BARE_SHOE) -> Spot:
    """A locked round with ante and progressive at these seats."""
    table = Felt([stud_pool()], [stud_table(deals=deals)]).spot("T01")
    for seat in seats:
        table.bet(seat)
    table.lock()
    return table


def results(table: Spot) -> dict[int, str]:
    return {seat.seat: seat.result for seat in table.felt.said(e.RoundSettled).seats}


# ---- 11(1): "wrong dealing order, wrong number of cards": void


@WAYS
def test_more_cards_than_the_seats_with_bets_take_hold_the_round(deals: DeviceParams) -> None:
    """Found from the card stream itself: the first card beyond the last hand holds, and all of them are kept."""
    table = locked(2, 5, deals=deals)
    table.deal({2: FLUSH, 4: FOUR, 5: FULL_HOUSE, 0: DEALER})
    assert (table.phase(), table.table.hold_code) == (Phase.HELD, "card_extra")
    assert [*table.table.taken, *table.table.noted] == [
        said.what.card for said in table.felt.facts if isinstance(said.what, f.CardRead)
    ]
    assert len(table.table.noted) == 5


@WAYS
def test_fewer_cards_than_the_seats_with_bets_take_hold_the_round_at_its_end(deals: DeviceParams) -> None:
    table = locked(2, 4, 5, deals=deals)
    table.deal({2: FLUSH, 5: FULL_HOUSE, 0: DEALER})
    assert table.phase() is Phase.DEALING
    table.end()
    assert (table.phase(), table.table.hold_code) == (Phase.HELD, "cards_missing")


@WAYS
def test_a_wrong_deal_is_void_and_its_progressive_bets_carry_to_the_next_round(deals: DeviceParams) -> None:
    table = locked(2, 5, deals=deals)
    table.deal({2: FLUSH, 4: FOUR, 5: FULL_HOUSE, 0: DEALER})
    table.void("wrong dealing order")
    voided = table.felt.said(e.RoundVoided)
    assert (voided.cause, voided.by, voided.carried) == (
        "wrong dealing order",
        SUPERVISOR,
        {2: ("stud-main",), 5: ("stud-main",)},
    )
    assert table.felt.meter() == SEED + 2 * SHARE
    assert table.felt.state.hits == {}


# ---- 11(3): "cards dealt to a seat without a bet": that seat is void, the round stands


@WAYS
def test_a_seat_dealt_without_a_bet_is_void_alone_and_the_later_hands_are_assigned_anew(deals: DeviceParams) -> None:
    table = locked(2, 5, deals=deals)
    table.deal({2: FLUSH, 4: FOUR, 5: FULL_HOUSE, 0: DEALER})
    table.dealt_too(4)
    assert table.table.hands == {
        hand: cards.split() for hand, cards in {"2": FLUSH, "4": FOUR, "5": FULL_HOUSE, "0": DEALER}.items()
    }
    assert table.phase() is Phase.HELD
    table.confirm()
    assert table.phase() is Phase.DEALT
    table.end()
    assert results(table) == {2: "push-raise", 4: "void", 5: "push-raise"}
    assert sorted(table.felt.state.hits) == ["T01.1.stud-main.flush", "T01.1.stud-main.full_house"]
    assert table.felt.meter() == SEED + 2 * SHARE - mop("1500.00")


def test_the_entry_shows_what_the_device_said_and_what_the_person_said() -> None:
    table = locked(2)
    table.deal({2: FLUSH, 7: FOUR, 0: DEALER})
    said = [fact.what.card for fact in table.felt.facts if isinstance(fact.what, f.CardRead)]
    table.dealt_too(7, why="camera 4, 21:10")
    entry = table.felt.said(e.SeatsDealt)
    assert (entry.round, entry.seats, list(entry.said)) == (1, (7,), said)
    assert entry.hands == {"2": tuple(FLUSH.split()), "7": tuple(FOUR.split()), "0": tuple(DEALER.split())}
    assert (entry.by, entry.why) == (SUPERVISOR, "camera 4, 21:10")


def test_a_void_seat_claims_nothing_even_with_a_carried_bet_which_waits_on() -> None:
    table = locked(2, 4)
    table.void()
    table.bet(2, "ante")
    table.lock()
    table.deal({2: NOTHING_2, 4: ROYAL, 0: DEALER})
    table.dealt_too(4)
    table.confirm()
    table.end()
    assert table.felt.state.hits == {}
    assert table.table.carried == {4: ["stud-main"]}


def test_the_void_hand_is_in_the_pack_all_the_same() -> None:
    table = locked(2)
    table.deal({2: FLUSH, 4: f"AD {FOUR[3:]}", 0: DEALER})
    table.dealt_too(4)
    with pytest.raises(RuleError, match="AD"):
        table.confirm()


@pytest.mark.parametrize("cards", [1, 3])
def test_a_dealer_who_noticed_it_stopped_dealing_that_seat(cards: int) -> None:
    table = locked(2, 5)
    for turn in range(5):
        for hand in (FLUSH, FOUR if turn < cards else "", FULL_HOUSE, DEALER):
            if hand:
                table.card(hand.split()[turn])
    table.dealt_too(4, cards=cards)
    assert table.table.hands["5"] == FULL_HOUSE.split()
    assert table.table.hands["4"] == FOUR.split()[:cards]
    table.confirm()
    table.end()
    assert "T01.1.stud-main.full_house" in table.felt.state.hits


def test_two_seats_may_have_been_dealt_without_a_bet() -> None:
    table = locked(5)
    table.deal({1: FOUR, 3: FULL_HOUSE, 5: FLUSH, 0: DEALER})
    table.dealt_too(3, 1)
    table.confirm()
    table.end()
    assert results(table) == {1: "void", 3: "void", 5: "push-raise"}


def test_naming_again_corrects_the_naming_also_after_more_cards_came() -> None:
    table = locked(5)
    hands = {5: FLUSH.split(), 6: FOUR.split(), 0: DEALER.split()}
    cards = [hands[hand][turn] for turn in range(5) for hand in (5, 6, 0)]
    table.cards(" ".join(cards[:12]))
    with pytest.raises(RuleError, match=r"12 cards came, and with 5 each for seat 6 there would be 15"):
        table.dealt_too(6)
    table.dealt_too(6, cards=2)
    table.cards(" ".join(cards[12:]))
    assert table.table.noted == cards[12:]
    table.dealt_too(4)
    assert table.table.void_seats == [4]
    table.dealt_too(6)
    assert (table.table.void_seats, table.table.hands["5"]) == ([6], FLUSH.split())


def test_a_card_that_was_not_read_keeps_its_place_and_is_entered_then() -> None:
    table = locked(2)
    hands = [FOUR, FLUSH, DEALER]
    for turn in range(5):
        for hand in hands:
            table.card(hand.split()[turn]) if (turn, hand) != (4, FLUSH) else table.unread()
    table.dealt_too(1)
    assert table.table.hands["2"] == [*FLUSH.split()[:4], "??"]
    with pytest.raises(RuleError, match="not complete"):
        table.confirm()
    table.enter("2", 5, FLUSH.split()[4])
    table.confirm()
    table.end()
    assert "T01.1.stud-main.flush" in table.felt.state.hits


def test_a_seat_named_while_its_round_was_held_for_something_else_leaves_no_card_to_be_guessed() -> None:
    """Named where the count happens to fit; what comes after that is only noted."""
    table = locked(2)
    table.cards("AD 4S KC KD")
    table.lose("panel")
    table.cards("4H QD JD 4D 9S TD")
    assert table.table.hold_code == "device_lost"
    table.cards("4C")
    table.dealt_too(3, cards=1)
    table.cards("7S 6D 2S 3C")
    assert table.table.noted == ["7S", "6D", "2S", "3C"]


@pytest.mark.parametrize(
    ("seats", "cards", "why", "text"),
    [
        ((2,), 5, "seen", "seat 2 has an ante: its cards are its own"),
        ((8,), 5, "seen", "has the seats 1 to 7, and no seat 8"),
        ((4,), 6, "seen", "a seat gets 1 to 5 cards"),
        ((4,), 5, " ", "needs its reason"),
        ((4, 6), 5, "seen", r"15 cards came, and with 5 each for seat 4, 6 there would be 20: .*61/2004 11\(1\)"),
    ],
)
def test_what_cannot_have_been_is_refused(seats: tuple[int, ...], cards: int, why: str, text: str) -> None:
    table = locked(2)
    table.deal({2: FLUSH, 4: FOUR, 0: DEALER})
    with pytest.raises(RuleError, match=text):
        table.dealt_too(*seats, cards=cards, why=why)


def test_a_seat_is_named_at_a_held_stud_round_by_a_supervisor() -> None:
    table = locked(2)
    with pytest.raises(RuleError, match="is not held"):
        table.dealt_too(4)
    with pytest.raises(RuleError, match="this takes supervisor"):
        table.felt.act(f.NameDealtSeats(SURVEILLANCE, "T01", (4,), 5, "seen"))
    coup = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table()]).spot("B01")
    coup.bet(1)
    coup.lock()
    coup.unread()
    with pytest.raises(RuleError, match="11\\(3\\) is about stud"):
        coup.dealt_too(4)


def test_a_card_more_after_the_naming_holds_again() -> None:
    table = locked(2)
    table.deal({2: FLUSH, 4: FOUR, 0: DEALER})
    table.dealt_too(4)
    table.confirm()
    table.card("8H")
    assert (table.phase(), table.table.noted) == (Phase.HELD, ["8H"])


def test_the_next_round_knows_nothing_of_it() -> None:
    table = locked(2)
    table.deal({2: FLUSH, 4: FOUR, 0: DEALER})
    table.dealt_too(4)
    table.confirm()
    table.end()
    table.bet(2)
    table.lock()
    table.deal({2: FLUSH, 0: DEALER})
    table.end()
    assert results(table) == {2: "push-raise"}


def test_cards_to_seats_of_which_none_has_a_bet_are_no_round() -> None:
    table = locked()
    table.cards("2C 3C")
    assert (table.table.hold_code, table.table.noted) == ("no_bets", ["2C", "3C"])
    table.void()
    assert table.table.carried == {}
