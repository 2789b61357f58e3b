from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.core.baccarat import (
    BetKind,
    Commission,
    Coup,
    Outcome,
    Side,
    bet_net,
    bet_outcome,
    coup_odds,
    coup_of,
    draw,
    is_pair,
    total,
)
from jackpotd.core.cards import FULL_PACK, Card, parse_card
from jackpotd.core.errors import RuleError
from tests.core import reference_baccarat
from tests.support.pools import mop


def cards(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


def coup(text: str) -> Coup:
    return coup_of(cards(text))


@pytest.mark.parametrize(
    ("text", "points"), [("AS", 1), ("9S KD", 9), ("TS JH QC KD", 0), ("5S 5D", 0), ("9S 8D 7C", 4), ("", 0)]
)
def test_a_total_is_its_points_modulo_ten(text: str, points: int) -> None:
    assert total(cards(text)) == points


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("", Side.PLAYER),
        ("2S", Side.BANKER),
        ("2S 2H", Side.PLAYER),
        ("2S 2H 3S", Side.BANKER),
        ("8S 2H KS 3H", None),
        ("2S 9H KS KH", None),
        ("2S 2H 3S 3H", Side.PLAYER),
        ("3S 2H 3C 3H", Side.BANKER),
        ("3S 3H 3C 3D", None),
        ("4S 3H 3C 4H", None),
        ("2S 2H 3S 3H 4S", Side.BANKER),
        ("2S 2H 3S 3H 4S 9D", None),
        ("3S 2H 3C 3H 9D", None),
        ("2S 4H 3S 3H AS", None),
    ],
)
def test_the_next_card_goes_where_the_drawing_rule_sends_it(text: str, side: Side | None) -> None:
    assert coup(text).next_side is side


@pytest.mark.parametrize("third", "A23456789TJQK")
@pytest.mark.parametrize(
    ("banker", "draws_on"),
    [
        ("TK", "A23456789TJQK"),
        ("AT", "A23456789TJQK"),
        ("AA", "A23456789TJQK"),
        ("3K", "A2345679TJQK"),
        ("4K", "234567"),
        ("5K", "4567"),
        ("6K", "67"),
        ("7K", ""),
    ],
)
def test_the_banker_draws_by_the_players_third_card(banker: str, draws_on: str, third: str) -> None:
    side = draw(cards(f"2S 3S {third}S"), cards(f"{banker[0]}H {banker[1]}D"))
    assert side is (Side.BANKER if third in draws_on else None)


@given(st.lists(st.sampled_from(FULL_PACK), min_size=6, max_size=6))
def test_a_coup_goes_as_the_reference_plays_it_and_ends_where_it_ends(shoe: list[Card]) -> None:
    goes_as_the_reference(shoe)


def test_all_sequences_of_six_point_values_go_as_the_reference_plays_them() -> None:
    """A coup that asked for no card where it got one would be refused, so its prefixes need no look."""
    for shoe in product([Card(rank + "S") for rank in "A23456789T"], repeat=6):
        player, banker = reference_baccarat.played(shoe)
        dealt = len(player) + len(banker)
        if any(card != "AS" for card in shoe[dealt:]):
            continue  # the same coup with other cards behind it
        done = coup_of(shoe[:dealt])
        assert (list(done.player), list(done.banker), done.next_side) == (player, banker, None)
        assert done.outcome == reference_baccarat.winner(player, banker)


def goes_as_the_reference(shoe: list[Card]) -> None:
    player, banker = reference_baccarat.played(shoe)
    dealt = len(player) + len(banker)
    done = coup_of(shoe[:dealt])
    assert (list(done.player), list(done.banker)) == (player, banker)
    assert done.next_side is None
    assert done.outcome == reference_baccarat.winner(player, banker)
    for before in range(dealt):
        assert coup_of(shoe[:before]).next_side is not None


def test_a_card_beyond_the_drawing_rule_is_refused_and_named() -> None:
    with pytest.raises(RuleError, match=r"^2D is beyond the drawing rule: Player 8S KS, Banker 2H 3H was complete$"):
        coup("8S 2H KS 3H 2D")


@pytest.mark.parametrize(("text", "waits"), [("", "player: Player none, Banker none"), ("2S 2H 3S 3H 4S", "banker")])
def test_an_unfinished_coup_has_no_outcome_and_says_who_needs_a_card(text: str, waits: str) -> None:
    with pytest.raises(RuleError, match=f"^the drawing rule asks for another card for {waits}"):
        _ = coup(text).outcome


PLAYER_WINS = "9S 2H KS 5H"
BANKER_WINS = "KS 9H 7S KH"
BANKER_WINS_WITH_6 = "2S 3H 3S 3S 8C"
TIE = "8S 8H KS KH"
DRAGON_7 = "2S KH 2H QC KC 7D"
SEVEN_OF_TWO = "3S 7H 3H KC"
PLAYER_7_OF_THREE = "2S KH 2H QC 3C AD"
TIE_AT_7_OF_THREE = "2S KH 2H QC 3C 7D"


@pytest.mark.parametrize(
    ("text", "outcome", "dragon7"),
    [
        (PLAYER_WINS, Outcome.PLAYER, False),
        (BANKER_WINS, Outcome.BANKER, False),
        (BANKER_WINS_WITH_6, Outcome.BANKER, False),
        (TIE, Outcome.TIE, False),
        (DRAGON_7, Outcome.BANKER, True),
        (SEVEN_OF_TWO, Outcome.BANKER, False),
        (PLAYER_7_OF_THREE, Outcome.PLAYER, False),
        (TIE_AT_7_OF_THREE, Outcome.TIE, False),
    ],
)
def test_the_outcome_and_dragon_7(text: str, outcome: Outcome, dragon7: bool) -> None:
    assert (coup(text).outcome, coup(text).result.dragon7) == (outcome, dragon7)


def test_a_pair_is_two_first_cards_of_one_rank_and_jack_and_queen_are_none() -> None:
    assert (coup("JS 4H JD 5H").player_pair, coup("JS 4H JD 5H").banker_pair) == (True, False)
    assert (coup("JS 4H QD 4C").player_pair, coup("JS 4H QD 4C").banker_pair) == (False, True)
    assert not is_pair(cards("JS"))


FIVE, SIX, SEVEN = Commission.FIVE_PERCENT, Commission.SIX_PAYS_HALF, Commission.DRAGON7_PUSH
PAYS = [
    ("17(1) Player 1 to 1", BetKind.PLAYER, PLAYER_WINS, FIVE, "100.00"),
    ("Player loses to Banker", BetKind.PLAYER, BANKER_WINS, FIVE, "-100.00"),
    ("Player pushes on a tie", BetKind.PLAYER, TIE, FIVE, "0.00"),
    ("Banker pushes on a tie", BetKind.BANKER, TIE, FIVE, "0.00"),
    ("Banker loses to Player", BetKind.BANKER, PLAYER_WINS, FIVE, "-100.00"),
    ("18(1) Banker less 5%", BetKind.BANKER, BANKER_WINS, FIVE, "95.00"),
    ("18(1) also with 6", BetKind.BANKER, BANKER_WINS_WITH_6, FIVE, "95.00"),
    ("18(1) also on a Dragon 7", BetKind.BANKER, DRAGON_7, FIVE, "95.00"),
    ("18(2) no commission", BetKind.BANKER, BANKER_WINS, SIX, "100.00"),
    ("18(2) half with 6", BetKind.BANKER, BANKER_WINS_WITH_6, SIX, "50.00"),
    ("18(2) all on a Dragon 7", BetKind.BANKER, DRAGON_7, SIX, "100.00"),
    ("18(3) no commission", BetKind.BANKER, BANKER_WINS, SEVEN, "100.00"),
    ("18(3) all with 6", BetKind.BANKER, BANKER_WINS_WITH_6, SEVEN, "100.00"),
    ("18(3) push on a Dragon 7", BetKind.BANKER, DRAGON_7, SEVEN, "0.00"),
    ("18(3) all with a 7 of two cards", BetKind.BANKER, SEVEN_OF_TWO, SEVEN, "100.00"),
    ("18(3) Player loses on a Dragon 7", BetKind.PLAYER, DRAGON_7, SEVEN, "-100.00"),
    ("18(3) Tie loses on a Dragon 7", BetKind.TIE, DRAGON_7, SEVEN, "-100.00"),
    ("17(2) Tie 8 to 1", BetKind.TIE, TIE, FIVE, "800.00"),
    ("Tie loses otherwise", BetKind.TIE, PLAYER_WINS, FIVE, "-100.00"),
    ("17(3) Player pair 11 to 1", BetKind.PLAYER_PAIR, "JS 4H JD 5H", FIVE, "1100.00"),
    ("no Player pair", BetKind.PLAYER_PAIR, PLAYER_WINS, FIVE, "-100.00"),
    ("17(3) Banker pair 11 to 1", BetKind.BANKER_PAIR, "JS 4H 9D 4C", FIVE, "1100.00"),
    ("no Banker pair", BetKind.BANKER_PAIR, PLAYER_WINS, FIVE, "-100.00"),
    ("17(4) Dragon 7 40 to 1", BetKind.DRAGON7, DRAGON_7, FIVE, "4000.00"),
    ("a 7 of two cards is none", BetKind.DRAGON7, SEVEN_OF_TWO, FIVE, "-100.00"),
]


@pytest.mark.parametrize(("rule", "kind", "text", "commission", "net"), PAYS)
def test_bets_pay_as_2_2009_17_and_18_say(
    rule: str, kind: BetKind, text: str, commission: Commission, net: str
) -> None:
    done = coup(text)
    assert bet_net(kind, mop("100.00"), coup_odds(done.result, commission)) == mop(net), rule


@pytest.mark.parametrize(
    ("stake", "commission", "text", "net"),
    [
        ("0.05", FIVE, BANKER_WINS, "0.04"),
        ("0.19", FIVE, BANKER_WINS, "0.18"),
        ("0.20", FIVE, BANKER_WINS, "0.19"),
        ("0.01", FIVE, BANKER_WINS, "0.00"),
        ("0.05", SIX, BANKER_WINS_WITH_6, "0.02"),
    ],
)
def test_what_a_player_wins_is_rounded_down_to_the_minor_unit(
    stake: str, commission: Commission, text: str, net: str
) -> None:
    assert bet_net(BetKind.BANKER, mop(stake), coup_odds(coup(text).result, commission)) == mop(net)


@pytest.mark.parametrize(("rule", "kind", "text", "commission", "net"), PAYS)
def test_a_round_of_unknown_amounts_has_the_odds_of_the_same_bets(
    rule: str, kind: BetKind, text: str, commission: Commission, net: str
) -> None:
    odds_ppm = coup_odds(coup(text).result, commission)[kind]
    assert odds_ppm is not None
    assert odds_ppm * 100 == mop(net) // 100, rule
    assert bet_outcome(odds_ppm) == ("win" if net[0] not in "-0" else "lose" if net[0] == "-" else "push")


def test_the_progressive_bet_has_no_net() -> None:
    assert bet_net(BetKind.PROGRESSIVE, mop("10.00"), coup_odds(coup(TIE).result, FIVE)) is None


def test_no_bet_is_judged_before_the_coup_is_complete() -> None:
    with pytest.raises(RuleError, match="not complete"):
        coup_odds(coup("2S 2H 3S 3H").result, FIVE)
