"""A coup of baccarat from the first card to the prizes: 2/2009, 55/2004 and devices.md 1."""

from __future__ import annotations

from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import DeviceParams, Rules
from jackpotd.core.state import Phase
from tests.support.felt import BARE_SHOE, SEQUENCED_SHOE, SUPERVISOR, Felt, Spot, baccarat_table
from tests.support.pools import mop, option_pool

SEED, SHARE = mop("100000.00"), mop("7.00")
# Player 8 stands, Banker 5 stands with it: a natural, four cards, three kings in eight packs.
THREE_KINGS = ("8S KD", "KC KS")


def baccarat(deals: DeviceParams = BARE_SHOE, **changes: Any) -> Spot:
    return Felt([option_pool(Rules.BACCARAT_B, **changes)], [baccarat_table(deals=deals)]).spot("B01")


def test_the_drawing_rule_says_whose_card_it_is() -> None:
    table = baccarat()
    table.cards("2S 3D 3C 2H 4C")  # Player 5 draws
    assert table.table.hands == {"player": ["2S", "3C", "4C"], "banker": ["3D", "2H"]}
    assert table.phase() is Phase.DEALING  # Banker 5 draws on a 4
    table.card("9D")
    assert table.felt.said(e.RoundSettled).outcome == "player"


def test_a_natural_ends_the_coup_after_four_cards() -> None:
    table = baccarat()
    table.coup(*THREE_KINGS)
    settled = table.felt.said(e.RoundSettled)
    assert (settled.outcome, settled.tiers) == ("player", (e.TierWon("baccarat-b", 0, "three_of_a_kind"),))
    assert table.phase() is Phase.OPEN


def test_a_coup_without_bets_is_a_free_hand() -> None:
    table = baccarat()
    table.coup(*THREE_KINGS)
    assert table.felt.state.hits == {}
    assert table.felt.meter("baccarat-b") == SEED


def test_the_bettors_share_one_prize_for_the_round_whoever_wins_it() -> None:
    table = baccarat()
    table.bet(1, "player", "progressive:baccarat-b")
    table.bet(4, "banker", "progressive:baccarat-b")
    table.bet(7, "tie", "progressive:baccarat-b")
    table.bet(8, "banker")
    table.lock()
    table.coup(*THREE_KINGS)
    hit = table.felt.hit("B01.1.baccarat-b.three_of_a_kind")
    assert hit.awards == [e.Award(seat, mop("266.66")) for seat in (1, 4, 7)]
    assert table.felt.meter("baccarat-b") == SEED + 3 * SHARE - mop("799.98")


def test_every_option_of_the_table_is_a_bet_and_a_pool_of_its_own() -> None:
    pools = [option_pool(Rules.BACCARAT_A), option_pool(Rules.BACCARAT_B), option_pool(Rules.BACCARAT_C)]
    params = baccarat_table(pools=("baccarat-a", "baccarat-b", "baccarat-c"))
    table = Felt(pools, [params]).spot("B01")
    table.bet(1, "player", "progressive:baccarat-a")
    table.bet(2, "player", "progressive:baccarat-b", "progressive:baccarat-c")
    table.lock()
    table.coup("KS 8D", "KC KH")
    tiers = {tier.pool: tier.tier for tier in table.felt.said(e.RoundSettled).tiers}
    assert tiers == {
        "baccarat-a": "three_of_a_kind",
        "baccarat-b": "three_of_a_kind",
        "baccarat-c": "three_of_a_kind",
    }
    assert sorted(table.felt.state.hits) == [
        "B01.1.baccarat-a.three_of_a_kind",
        "B01.1.baccarat-b.three_of_a_kind",
        "B01.1.baccarat-c.three_of_a_kind",
    ]


DRAGON_7 = ("2S 2H KC", "KH QC 7D")
LIVE_BETS = [
    (
        "five_percent",
        DRAGON_7,
        [(1, "player", "lose", -1_000_000), (2, "banker", "win", 950_000), (2, "tie", "lose", -1_000_000)],
        [("player_pair", "win", 11_000_000), ("banker_pair", "lose", -1_000_000), ("dragon7", "win", 40_000_000)],
    ),
    (
        "six_pays_half",
        ("2S 3S 8C", "3H 3D"),
        [(1, "player", "lose", -1_000_000), (2, "banker", "win", 500_000), (2, "tie", "lose", -1_000_000)],
        [("player_pair", "lose", -1_000_000), ("banker_pair", "win", 11_000_000), ("dragon7", "lose", -1_000_000)],
    ),
    (
        "dragon7_push",
        DRAGON_7,
        [(1, "player", "lose", -1_000_000), (2, "banker", "push", 0), (2, "tie", "lose", -1_000_000)],
        [("player_pair", "win", 11_000_000), ("banker_pair", "lose", -1_000_000), ("dragon7", "win", 40_000_000)],
    ),
    (
        "dragon7_push",
        ("8S KS", "8H KH"),
        [(1, "player", "push", 0), (2, "banker", "push", 0), (2, "tie", "win", 8_000_000)],
        [("player_pair", "lose", -1_000_000), ("banker_pair", "lose", -1_000_000), ("dragon7", "lose", -1_000_000)],
    ),
]


@pytest.mark.parametrize(("commission", "coup", "seats", "side"), LIVE_BETS)
def test_a_live_round_has_result_and_odds_of_every_bet_seen_and_of_those_that_no_sensor_sees(
    commission: str, coup: tuple[str, str], seats: list[Any], side: list[Any]
) -> None:
    params = baccarat_table(commission=commission)
    table = Felt([option_pool(Rules.BACCARAT_B)], [params]).spot("B01")
    table.bet(1, "player", "progressive:baccarat-b")
    table.bet(2, "banker", "tie")
    table.lock()
    table.coup(*coup)
    bets = table.felt.said(e.RoundSettled).bets
    assert [(bet.seat, bet.bet, bet.result, bet.odds_ppm) for bet in bets if bet.seat] == seats
    assert [(bet.bet, bet.result, bet.odds_ppm) for bet in bets if not bet.seat] == side


def test_after_a_whole_pool_tier_the_pool_restarts_at_its_seed() -> None:
    table = baccarat()
    table.bet(3)
    table.lock()
    table.coup("KS KD KC", "KH KS KD")
    hit = table.felt.hit("B01.1.baccarat-b.six_of_a_kind")
    assert hit.awards == [e.Award(3, Atoms(SEED + SHARE))]
    assert table.felt.meter("baccarat-b") == SEED


def test_the_dealers_round_ended_means_nothing_where_the_cards_end_the_round() -> None:
    table = baccarat()
    table.lock()
    assert table.end() == []
    table.card("2S")
    assert table.end() == []
    assert table.phase() is Phase.DEALING


def test_a_fold_is_not_baccarat_and_holds() -> None:
    table = baccarat()
    table.bet(1)
    table.lock()
    table.fold(1)
    assert table.table.hold_code == "fold_unknown"


def test_exposed_cards_void_no_coup() -> None:
    table = baccarat()
    table.card("2S")
    for _ in range(3):
        table.press(f.CardExposed(1))
    assert (table.table.phase, table.table.exposed) == (Phase.DEALING, [1, 1])


# ---- a shoe that names the places


@pytest.fixture
def angel() -> Spot:
    return baccarat(SEQUENCED_SHOE)


def test_the_shoes_result_settles_when_it_is_ours(angel: Spot) -> None:
    angel.bet(1)
    angel.lock()
    angel.coup(*THREE_KINGS)
    assert angel.phase() is Phase.DEALT
    angel.result("player", banker_pair=True)
    assert angel.felt.said(e.PrizeLocked).tier == "three_of_a_kind"


@pytest.mark.parametrize(
    ("outcome", "player_pair", "banker_pair"),
    [("banker", False, True), ("tie", False, True), ("player", True, True), ("player", False, False)],
)
def test_a_result_that_is_not_ours_holds_and_never_pays(
    angel: Spot, outcome: str, *, player_pair: bool, banker_pair: bool
) -> None:
    angel.bet(1)
    angel.lock()
    angel.coup(*THREE_KINGS)
    angel.result(outcome, player_pair=player_pair, banker_pair=banker_pair)
    assert angel.table.hold_code == "result"
    assert "ours player, Banker pair" in angel.table.hold_text
    assert angel.felt.state.hits == {}


def test_a_result_before_the_cards_are_complete_holds(angel: Spot) -> None:
    angel.card("2S", "player", 1)
    angel.result("player")
    assert angel.table.hold_code == "result_early"


def test_a_result_from_a_device_that_does_not_deal_holds(angel: Spot) -> None:
    angel.coup(*THREE_KINGS)
    angel.press(f.ResultSaid("player", player_pair=False, banker_pair=True))
    assert angel.table.hold_code == "wrong_device"


@pytest.mark.parametrize("cards", [0, 1, 4])
def test_a_forced_quit_holds(angel: Spot, cards: int) -> None:
    angel.bet(1)
    angel.lock()
    for card, side, index in [("8S", "player", 1), ("KC", "banker", 1), ("KD", "player", 2), ("KS", "banker", 2)][
        :cards
    ]:
        angel.card(card, side, index)
    angel.result("forced_quit")
    assert angel.table.hold_code == "forced_quit"


def test_no_result_for_too_long_holds(angel: Spot) -> None:
    angel.coup(*THREE_KINGS)
    angel.time_out("deal")
    assert angel.table.hold_code == "deal_timeout"


def test_a_result_of_a_coup_that_nobody_saw_holds(angel: Spot) -> None:
    angel.bet(1)
    angel.result("player")
    assert angel.table.hold_code == "result_alone"
    assert angel.table.live == {"baccarat-b": [1]}  # what was staked is known


def test_a_result_at_a_closed_table_is_the_shoes_own_affair(angel: Spot) -> None:
    angel.felt.act(f.CloseTable(SUPERVISOR, "B01"))
    assert angel.result("player") == []


def test_the_result_of_a_voided_coup_is_the_shoes_own_affair(angel: Spot) -> None:
    angel.card("2S", "player", 1)
    angel.void()
    assert angel.result("player") == []


def test_the_result_of_a_coup_that_a_supervisor_has_confirmed_is_the_shoes_own_affair(angel: Spot) -> None:
    angel.coup(*THREE_KINGS)
    angel.lose("panel")
    angel.confirm()
    assert angel.table.round == 2
    assert angel.result("player", banker_pair=True) == []


@pytest.mark.parametrize(
    ("card", "target", "index", "code"),
    [
        ("9C", "player", 1, "card_conflict"),
        ("2S", "player", 1, "card_extra"),
        ("9C", "player", 2, "drawing_rule"),
        ("9C", "banker", 2, "drawing_rule"),
        ("9C", "banker", 3, "drawing_rule"),
    ],
)
def test_a_place_takes_the_card_that_the_drawing_rule_gives_it_and_no_other(
    angel: Spot, card: str, target: str, index: int, code: str
) -> None:
    angel.card("2S", "player", 1)
    angel.card(card, target, index)
    assert angel.table.hold_code == code
    assert angel.table.hands == {"player": ["2S"]}


def test_a_retransmission_of_a_card_that_is_there_changes_nothing(angel: Spot) -> None:
    angel.card("2S", "player", 1)
    angel.card("2S", "player", 1, again=True)
    assert angel.felt.last == []
    assert angel.phase() is Phase.DEALING


def test_a_retransmission_of_a_card_that_was_lost_takes_its_place(angel: Spot) -> None:
    angel.card("2S", "player", 1)
    angel.card("3S", "banker", 1, again=True)
    assert angel.table.hands == {"player": ["2S"], "banker": ["3S"]}


@pytest.mark.parametrize("phase", [Phase.DEALING, Phase.DEALT])
def test_a_retransmission_never_overwrites_a_card_with_another(angel: Spot, phase: Phase) -> None:
    if phase is Phase.DEALING:
        angel.card("8S", "player", 1)
    else:
        angel.coup(*THREE_KINGS)
    angel.card("9C", "player", 1, again=True)
    assert angel.table.hold_code == "card_conflict"


@pytest.mark.parametrize(("target", "index"), [("player", 3), (None, None)])
def test_a_card_beyond_the_drawing_rule_holds(angel: Spot, target: str | None, index: int | None) -> None:
    angel.coup(*THREE_KINGS)
    angel.card("9C", target, index)
    assert angel.table.hold_code == "card_extra"


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.DEALING, Phase.DEALT])
def test_burnt_cards_count_nowhere(angel: Spot, phase: Phase) -> None:
    if phase is Phase.DEALING:
        angel.card("8S", "player", 1)
    if phase is Phase.DEALT:
        angel.coup(*THREE_KINGS)
    hands = dict(angel.table.hands)
    angel.card("9C", "burn", 1)
    assert (angel.table.phase, angel.table.hands) == (phase, hands)


def test_a_shoe_that_names_the_side_alone_is_checked_by_the_side() -> None:
    table = baccarat()
    table.card("2S", "player")
    table.card("3S", "banker")
    table.card("4S", "banker")
    assert table.table.hold_code == "drawing_rule"
    assert table.table.hands == {"player": ["2S"], "banker": ["3S"]}


def test_a_card_more_often_than_eight_packs_hold_it_holds() -> None:
    table = Felt([option_pool(Rules.BACCARAT_B)], [baccarat_table(decks=1)]).spot("B01")
    table.cards("2S 2S")
    assert table.table.hold_code == "card_repeated"
