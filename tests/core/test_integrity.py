"""Wrong cards of a shoe: a 33rd ace in eight packs, cards that stay away.

Each is an alarm and holds the round; nothing is voided by itself; a supervisor confirms or voids (design 1, law 7).
"""

from __future__ import annotations

from math import comb
from random import Random
from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.cards import FULL_PACK
from jackpotd.core.errors import RuleError
from jackpotd.core.integrity import CREDIBLE_SHOES, is_credible
from jackpotd.core.parameters import DeviceParams, Rules
from jackpotd.core.state import Phase
from tests.support.felt import (
    BARE_SHOE,
    SEQUENCED_SHOE,
    SUPERVISOR,
    TECHNICIAN,
    Felt,
    Spot,
    baccarat_table,
    device,
    shuffler_or_shoe,
    stud_table,
)
from tests.support.pools import option_pool, stud_pool

# Four cards, both natural: Player 8, Banker 9. A coup of two aces of spades among them.
ACES = ("AS 7D", "AS 8D")
READER = device("reader")


def shoe_of(decks: int = 8, deals: DeviceParams = SEQUENCED_SHOE, **changes: Any) -> Spot:
    params = baccarat_table(deals=deals, decks=decks, **changes)
    return Felt([option_pool(Rules.BACCARAT_B)], [params]).spot("B01")


def coup(spot: Spot, player: str = "KS 9D", banker: str = "KH 8D") -> None:
    """A natural, and the shoe's own result with it."""
    spot.coup(player, banker)
    if spot.phase() is Phase.DEALT:
        spot.result("banker" if (player, banker) == ACES else "player")


def aces_again(spot: Spot, coups: int = 1) -> None:
    for _ in range(coups):
        coup(spot, *ACES)


def burn(spot: Spot, *cards: str) -> None:
    for card in cards:
        spot.card(card, "burn")


def counted(spot: Spot) -> dict[str, int]:
    return spot.table.shoe.cards


def notice(spot: Spot, code: str, device: str = "shoe") -> list[e.Entry]:
    return spot.say(device, f.DeviceNotice(code, code))


def whole_shoe(spot: Spot, *without: str, decks: int = 8, last: int = 0) -> None:
    """Burn a whole shoe but these cards, and `last` more: what is left behind the cut card."""
    cards = [card for card in FULL_PACK for _ in range(decks) if card not in without]
    burn(spot, *cards[last:])


# ---- a card that the packs do not hold


def test_a_ninth_ace_of_spades_since_the_shoe_began_is_an_alarm_and_holds_the_round() -> None:
    spot = shoe_of()
    burn(spot, "AS", "2C")
    aces_again(spot, 3)
    assert counted(spot)["AS"] == 7
    spot.bet(3)
    aces_again(spot)
    assert (spot.phase(), spot.table.hold_code) == (Phase.HELD, "card_beyond_shoe")
    assert spot.table.hold_text.endswith("AS came 9 times since the shoe began, of 8 packs")
    assert spot.felt.alarms() == ["held-B01", "wrong_cards-B01"]
    assert "AS came 9 times" in spot.felt.state.alarms["wrong_cards-B01"].text


def test_the_deal_goes_on_at_the_held_table_and_the_award_waits_for_the_supervisor() -> None:
    spot = shoe_of()
    burn(spot, "AS")
    aces_again(spot, 3)
    spot.bet(3)
    spot.lock()
    spot.coup("AS AS", "KS KD")  # 2 against 0: Player draws, then Banker
    spot.card("AD", "player", 3)
    assert spot.table.hold_code == "card_beyond_shoe"
    spot.card("AC", "banker", 3)
    assert spot.table.hands == {"player": ["AS", "AS", "AD"], "banker": ["KS", "KD", "AC"]}
    assert spot.felt.state.hits == {}
    spot.confirm()
    assert list(spot.felt.state.hits) == ["B01.4.baccarat-b.four_of_a_kind"]
    assert spot.felt.alarms() == []


def test_a_supervisor_may_void_it_and_the_dealer_alone_may_not() -> None:
    spot = shoe_of()
    burn(spot, "AS")
    aces_again(spot, 4)
    spot.press(f.VoidPressed("misdeal"))
    assert spot.phase() is Phase.HELD
    spot.void("a card of another shoe")
    assert spot.phase() is Phase.OPEN
    assert spot.felt.alarms() == []


def test_a_count_that_a_supervisor_has_answered_holds_no_further_round() -> None:
    spot = shoe_of()
    burn(spot, "AS")
    aces_again(spot, 4)
    spot.void()
    assert not spot.table.shoe.begun
    aces_again(spot, 9)
    assert spot.phase() is Phase.OPEN


def test_a_round_voided_for_another_reason_leaves_the_count() -> None:
    spot = shoe_of()
    burn(spot, "2C")
    spot.card("AS", "player", 1)
    spot.press(f.VoidPressed("misdeal"))
    assert counted(spot) == {"2C": 1, "AS": 1}


# ---- what is certain of a shoe


def test_before_the_first_burn_nothing_is_counted() -> None:
    spot = shoe_of()
    aces_again(spot, 9)
    assert counted(spot) == {}
    assert spot.phase() is Phase.OPEN


@pytest.mark.parametrize("deals", [BARE_SHOE, SEQUENCED_SHOE])
def test_a_burn_after_a_card_in_play_begins_the_count_anew(deals: DeviceParams) -> None:
    spot = shoe_of(deals=deals)
    for _ in range(3):
        burn(spot, "9H", "2C")
        aces_again(spot, 3)
    assert counted(spot) == {"9H": 1, "2C": 1, "AS": 6, "7D": 3, "8D": 3}


@pytest.mark.parametrize("phase", [Phase.LOCKED, Phase.DEALING, Phase.DEALT, Phase.HELD])
def test_a_burn_in_a_round_is_counted_too(phase: Phase) -> None:
    spot = shoe_of()
    spot.lock()
    if phase is not Phase.LOCKED:
        spot.card("8S", "player", 1)
    if phase is Phase.DEALT:
        spot.card("KD", "banker", 1)
        spot.card("KS", "player", 2)
        spot.card("7D", "banker", 2)
    if phase is Phase.HELD:
        spot.unread()
    assert spot.phase() is phase
    burn(spot, "9C")
    spot.card("9D", "outside")
    assert counted(spot) == {"9C": 1}


def test_a_burn_at_a_closed_table_begins_the_shoe_that_it_opens_with() -> None:
    spot = shoe_of()
    burn(spot, "2C")
    spot.felt.act(f.CloseTable(SUPERVISOR, "B01"))
    assert not spot.table.shoe.begun
    burn(spot, "3C")
    spot.felt.act(f.OpenTable(SUPERVISOR, "B01"))
    assert counted(spot) == {"3C": 1}


def test_a_burn_of_a_device_that_does_not_deal_is_none_of_the_shoes() -> None:
    spot = shoe_of()
    spot.say("keypad", f.CardRead("2C", "burn"))
    assert not spot.table.shoe.begun


def test_an_unread_card_counts_nowhere_and_the_supervisors_card_replaces_the_devices() -> None:
    spot = shoe_of()
    burn(spot, "2C")
    spot.card("AS", "player", 1)
    spot.unread()
    spot.enter("banker", 1, "KD")
    spot.enter("player", 1, "AH")
    spot.enter("player", 2, "9H")
    assert {card for card, count in counted(spot).items() if count} == {"2C", "KD", "AH", "9H"}


def test_a_card_that_a_supervisor_enters_is_looked_at_like_any_other() -> None:
    spot = shoe_of()
    burn(spot, "AS")
    aces_again(spot, 3)
    spot.card("AS", "player", 1)
    spot.unread()
    assert spot.felt.alarms() == ["held-B01"]
    spot.enter("banker", 1, "AS")
    assert spot.felt.alarms() == ["held-B01", "wrong_cards-B01"]


def test_a_card_taken_back_from_before_the_count_does_not_fall_below_nothing() -> None:
    spot = shoe_of()
    spot.card("AS", "player", 1)
    burn(spot, "2C")
    spot.unread()
    spot.enter("player", 1, "AH")
    assert counted(spot) == {"2C": 1, "AS": 0, "AH": 1}


def lost_and_back(spot: Spot) -> None:
    spot.lose("shoe")
    spot.back("shoe")


def restarted(spot: Spot) -> None:
    spot.felt.start()
    spot.back("shoe")


def gap(spot: Spot) -> None:
    spot.say("shoe", f.SequenceGap(3, 5))


def powered_up(spot: Spot) -> None:
    spot.say("shoe", f.DeviceStarted(0))


def replaced(spot: Spot) -> None:
    spot.replace("shoe", TECHNICIAN, SUPERVISOR)


def other_settings(spot: Spot) -> None:
    spot.felt.tables = [baccarat_table(deals=SEQUENCED_SHOE, decks=6)]
    spot.felt.configure()


@pytest.mark.parametrize("change", [lost_and_back, restarted, gap, powered_up, replaced, other_settings])
def test_where_the_shoe_may_have_been_changed_unheard_its_count_is_forgotten(change: Any) -> None:
    spot = shoe_of()
    burn(spot, "2C")
    change(spot)
    assert not spot.table.shoe.begun
    assert counted(spot) == {}


def test_another_device_that_is_lost_or_said_to_be_there_once_more_forgets_nothing() -> None:
    spot = shoe_of()
    burn(spot, "2C")
    spot.lose("panel")
    spot.back("panel")
    spot.back("shoe")
    assert counted(spot) == {"2C": 1}


def test_what_a_journaled_reader_saw_is_not_forgotten_because_it_says_it_again() -> None:
    spot = shoe_of(deals=READER)
    spot.say("reader", f.CardRead("2C", "burn"))
    spot.lose("reader")
    spot.back("reader")
    assert counted(spot) == {"2C": 1}


def test_another_way_to_deal_is_another_shoe() -> None:
    spot = Felt(
        [option_pool(Rules.BACCARAT_B)], [baccarat_table(deal=("shoe", "claims"), devices=(SEQUENCED_SHOE,))]
    ).spot("B01")
    burn(spot, "2C")
    spot.deal_from("claims")
    assert not spot.table.shoe.begun


# ---- cards that stay away


def test_a_shoe_without_its_aces_is_an_alarm_at_the_cut_card_and_holds_the_round() -> None:
    spot = shoe_of()
    whole_shoe(spot, "AS", "AH", "AD", "AC", last=60)
    spot.bet(3)
    notice(spot, "cut_card")
    assert (spot.phase(), spot.table.hold_code) == (Phase.HELD, "cards_withheld")
    assert "of 32 cards of rank A 0 came, and 92 of the shoe's 416 cards are left" in spot.table.hold_text
    assert "wrong_cards-B01" in spot.felt.alarms()


def test_a_shoe_without_any_ace_of_spades_is_one_when_few_cards_are_left() -> None:
    spot = shoe_of()
    whole_shoe(spot, "AS", last=2)
    notice(spot, "cut_card")
    assert "of 8 cards of AS 0 came, and 10 of" in spot.table.hold_text


@pytest.mark.parametrize("behind", [1, 14, 52, 200])
def test_what_chance_leaves_behind_the_cut_card_is_no_alarm(behind: int) -> None:
    spot = shoe_of()
    shoe = [*FULL_PACK] * 8
    Random(behind).shuffle(shoe)
    burn(spot, *shoe[behind:])
    notice(spot, "cut_card")
    assert spot.phase() is Phase.OPEN
    assert spot.felt.alarms() == []


def test_a_cut_card_before_any_burn_at_a_closed_table_or_of_another_device_proves_nothing() -> None:
    spot = shoe_of()
    notice(spot, "cut_card")
    spot.felt.act(f.CloseTable(SUPERVISOR, "B01"))
    whole_shoe(spot, "AS", last=2)
    notice(spot, "cut_card")
    spot.felt.act(f.OpenTable(SUPERVISOR, "B01"))
    notice(spot, "cut_card", "keypad")
    notice(spot, "standby")
    assert spot.felt.alarms() == []
    notice(spot, "cut_card")
    assert spot.felt.alarms() == ["held-B01", "wrong_cards-B01"]


@pytest.mark.parametrize(("unseen", "away"), [(0, 0), (52, 0), (416, 32), (12, 12)])
def test_chance_is_reckoned_exactly(unseen: int, away: int) -> None:
    ways = sum(comb(32, n) * comb(384, unseen - n) for n in range(away, min(32, unseen) + 1))
    assert is_credible(416, 32, unseen, away) is (ways * CREDIBLE_SHOES >= comb(416, unseen))


def test_all_of_ten_cards_left_may_be_aces_and_all_of_twelve_may_not() -> None:
    assert is_credible(416, 32, 10, 10)
    assert not is_credible(416, 32, 12, 12)


def test_a_supervisor_confirms_only_what_is_complete() -> None:
    spot = shoe_of()
    burn(spot, "AS")
    aces_again(spot, 3)
    spot.coup("AS 2S", "AS 3S")
    assert spot.table.hold_code == "card_beyond_shoe"
    with pytest.raises(RuleError, match="not complete"):
        spot.confirm()


def test_other_devices_of_a_table_that_deals_from_its_shuffler_burn_nothing() -> None:
    spot = Felt([stud_pool()], [stud_table(**shuffler_or_shoe())]).spot("T01")
    spot.say("shoe", f.CardRead("2C", "burn"))
    assert not spot.table.shoe.begun
