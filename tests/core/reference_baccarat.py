"""Baccarat's drawing rule as the published chart, and the options; knows nothing of the program."""

from __future__ import annotations

from collections.abc import Sequence

POINTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}
# Row: Banker's two cards 0..7. Column: Player's third card 0..9, then "Player stood". D draws, S stands.
CHART = [
    "DDDDDDDDDD D",
    "DDDDDDDDDD D",
    "DDDDDDDDDD D",
    "DDDDDDDDSD D",
    "SSDDDDDDSS D",
    "SSSSDDDDSS D",
    "SSSSSSDDSS S",
    "SSSSSSSSSS S",
]


def played(shoe: Sequence[str]) -> tuple[list[str], list[str]]:
    """Both hands of the coup that a shoe of at least six cards deals."""
    player, banker, rest = [shoe[0], shoe[2]], [shoe[1], shoe[3]], list(shoe[4:])
    player_points, banker_points = points(player), points(banker)
    if player_points in {8, 9} or banker_points in {8, 9}:
        return player, banker
    column = 11
    if player_points < 6:
        player.append(rest.pop(0))
        column = POINTS[player[2][0]]
    if CHART[banker_points][column] == "D":
        banker.append(rest.pop(0))
    return player, banker


def points(hand: Sequence[str]) -> int:
    return sum(POINTS[card[0]] for card in hand) % 10


def winner(player: Sequence[str], banker: Sequence[str]) -> str:
    difference = points(player) - points(banker)
    return "tie" if difference == 0 else "player" if difference > 0 else "banker"


def of_a_kind(cards: Sequence[str]) -> str | None:
    """Option B's tier."""
    ranks = [card[0] for card in cards]
    most = max(ranks.count(rank) for rank in ranks)
    threes = {rank for rank in ranks if ranks.count(rank) == 3}
    if most == 3:
        return "double_three" if len(threes) == 2 else "three_of_a_kind"
    return {6: "six_of_a_kind", 5: "five_of_a_kind", 4: "four_of_a_kind"}.get(most)


def of_one_colour(cards: Sequence[str]) -> bool:
    return {card[1] for card in cards} in ({"S"}, {"C"}, {"S", "C"}, {"H"}, {"D"}, {"H", "D"})


def option_c(cards: Sequence[str]) -> str | None:
    tier = of_a_kind(cards)
    return "six_of_a_kind_one_colour" if tier == "six_of_a_kind" and of_one_colour(cards) else tier


def option_a(cards: Sequence[str], *, any_suits: bool) -> str | None:
    """Option A's tier: each combination of 13(1)(4)(3) in the order of its list, the first that is there."""
    first_five = {card[0]: card[1] for card in cards[:5]}
    if sorted(first_five) == sorted("AKQJT"):
        ace = first_five.pop("A")
        if len(set(first_five.values())) == 1:
            return "royal_flush" if ace in first_five.values() else "heavenly_straight"
    one, two, three, four = (card[0] for card in cards[:4])
    if one == two == three == four and (any_suits or {card[1] for card in cards[:4]} == set("SHCD")):
        return "four_of_a_kind"
    player_pair, banker_pair = one == three, two == four
    if player_pair and banker_pair and one != two:
        return "double_pair"
    threes = [{one, two, three}, {one, two, four}, {one, three, four}, {two, three, four}]
    if any(len(ranks) == 1 for ranks in threes):
        return "three_of_a_kind"
    return "single_pair" if player_pair or banker_pair else None
