"""Pools over games and levels in the configuration: what is built of them, every fault, and what `check` says."""

from __future__ import annotations

import re

import pytest

from jackpotd.core.money import parse_amount
from jackpotd.core.parameters import LevelRate, Rules, TierPrize
from jackpotd.daemon.check import check_json, check_lines
from tests.support.configs import faults_of, only_fault, parsed, with_levels, with_mega

WHOLE_PPM = 1_000_000


def test_a_level_is_built_with_no_bet_of_its_own_and_a_prize_for_every_tier() -> None:
    main, _, mini, minor = parsed(with_levels()).pools
    assert main.levels == (LevelRate("mini", 100_000), LevelRate("minor", 55_000))
    assert (mini.bet_atoms, mini.contribution_ppm, mini.reserve_ppm, mini.rules) == (0, 0, 10_000, Rules.STUD)
    assert mini.prize("flush") == TierPrize("flush", WHOLE_PPM, parse_amount("0.00", 2))
    assert mini.prize("full_house") == TierPrize("full_house", 200_000, parse_amount("100.00", 2))
    assert [prize.tier for prize in mini.prizes if not prize.paid] == [
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
    ]
    assert minor.levels == ()


def test_a_pool_over_games_is_built_with_every_games_tiers() -> None:
    config = parsed(with_mega())
    mega = config.pools[-1]
    assert (mega.rules, mega.all_rules()) == (None, (Rules.STUD, Rules.BACCARAT_B))
    assert [prize.tier for prize in mega.prizes] == ["grand", "major", "five", "four", "small"]
    fixed = parse_amount("900000.00", 2)
    assert mega.of_game("stud").prize("royal_flush") == TierPrize("royal_flush", WHOLE_PPM, fixed)
    # 2/2009 17(5): the pool and nothing else, whatever the stud tables' fixed amount is.
    assert mega.of_game("baccarat").prize("six_of_a_kind").fixed_atoms == 0
    assert mega.prize_name("double_three", Rules.BACCARAT_B) == "four"
    assert {table.table: table.game for table in config.tables} == {"T01": "stud", "T02": "stud", "B01": "baccarat"}


def test_a_tier_that_may_be_left_unpaid_is_left_so_in_words() -> None:
    option_c = with_mega(
        ('rules = "baccarat-b"\n[pool.games', 'rules = "baccarat-c"\n[pool.games'),
        ('six_of_a_kind = "grand"', 'six_of_a_kind_one_colour = "grand"\nsix_of_a_kind = "major"'),
        ('five_of_a_kind = "five"', 'five_of_a_kind = "not paid"'),
        ('five = { fixed = "8000.00" }\n', ""),
    )
    config = parsed(option_c)
    assert not config.pools[-1].of_game("baccarat").prize("five_of_a_kind").paid
    lines = check_lines(config)
    assert "  baccarat: five_of_a_kind: nothing is paid (2/2009 17(11))" in lines
    assert any(line.startswith("  reading five_of_a_kind = not paid") for line in lines)


LEVEL_FAULTS = [
    ('mini = "10%"', 'maxi = "10%"', "pool[stud-main].levels.maxi", "there is no pool maxi"),
    ('minor = "5.5%"', 'minor = "15%"', "pool[stud-main].levels", "101% of a bet"),
    ('minor = "5.5%"', 'minor = "0%"', "pool[stud-main].levels.minor", "above 0%"),
    ('reserve = "1%"', 'reserve = "1%"\nbet = "10.00"', "pool[mini].bet", "no bet of its own"),
    ('reserve = "1%"', 'reserve = "1%"\ncontribution = "1%"', "pool[mini].contribution", "no bet of its own"),
    ('reserve = "1%"', 'levels = { minor = "1%" }', "pool[mini].levels", "mini is itself a level of stud-main"),
    ('minor = "5.5%" }', 'stud-main = "5.5%" }', "pool[stud-main].levels", "itself a level of stud-main"),
    ('share = "100%" }\nfull', 'share = "0%" }\nfull', "pool[mini].prizes.flush.share", "above 0%"),
    ('{ share = "20%", fixed = "100.00" }', "{ }", "pool[mini].prizes.full_house", "a fixed amount, or both"),
    ('fixed = "100.00"', 'fixed = "0.00"', "pool[mini].prizes.full_house.fixed", "more than nothing"),
    ("full_house = { share", "straight = { share", "pool[mini].prizes.straight", "no such tier"),
    ('"20%", fixed', '"100%", fixed', "pool[mini].prizes", "full_house and flush each take the whole level"),
    ('four_of_a_kind = { share = "100%", fixed = "20000.00" }', "", "pool[minor].prizes", "at least one tier"),
    ('pools = ["stud-main"]', 'pools = ["stud-main", "mini"]', "table[T01].pools", "mini is a level of stud-main"),
]


@pytest.mark.parametrize(("old", "new", "key", "reason"), LEVEL_FAULTS)
def test_a_fault_of_a_level_is_told(old: str, new: str, key: str, reason: str) -> None:
    text = with_levels()
    found = [fault for fault in faults_of(with_levels((old, new))) if fault.key == key]
    assert old in text
    assert [reason in fault.reason for fault in found] == [True]


def test_a_level_judges_by_the_rules_of_the_bet() -> None:
    before, _, after = with_levels().partition('id = "minor"\nrules = "stud"\n')
    for name in ("straight_flush_base", "several_royals"):
        after = re.sub(rf"{name} = .*\n", "", after, count=1)
    fault = only_fault(f'{before}id = "minor"\nrules = "baccarat-b"\nvoid_round = "carry"\n{after}')
    assert fault.key == "pool[stud-main].levels.minor"
    assert "minor must judge by the rules of stud-main, stud, too" in fault.reason


def test_a_seat_plays_for_a_level_once() -> None:
    """Two pools of a table that feed one level would give a seat two parts of it."""
    second = with_levels().partition("[[pool]]")[2].partition("[[table]]")[0].replace('"stud-main"', '"stud-two"')
    text = with_levels(('pools = ["stud-main"]', 'pools = ["stud-main", "stud-two"]')) + "\n[[pool]]" + second
    found = faults_of(text)
    assert {(fault.key, fault.value) for fault in found} == {("table[T01].pools", '["stud-main", "stud-two"]')}
    twice = "stud-main and stud-two both feed level {}: a seat would play for it twice"
    assert [fault.reason for fault in found] == [twice.format("mini"), twice.format("minor")]


DROP = """
[[pool]]
id = "drop"
seed = "500.00"
fixed_prizes_from = "pool"
remainder = "pool"
straight_flush_base = "round"
several_royals = "split_greater"
void_round = "refund"
prizes = { small = { share = "50%", fixed = "20.00" } }
[pool.games]
stud = { rules = "stud", tiers = { flush = "small" } }
baccarat = { rules = "baccarat-b", tiers = { six_of_a_kind = "small", five_of_a_kind = "not paid" } }
"""


def test_a_level_over_games_pays_for_the_tiers_it_names_and_is_free_in_what() -> None:
    drop = parsed(with_mega(('bet = "20.00"', 'bet = "20.00"\nlevels = { drop = "5%" }')) + DROP).pools[-1]
    fixed = parse_amount("20.00", 2)
    assert drop.of_game("stud").prize("flush") == TierPrize("flush", 500_000, fixed)
    assert drop.of_game("baccarat").prize("six_of_a_kind") == TierPrize("six_of_a_kind", 500_000, fixed)
    assert [prize.tier for prize in drop.of_game("baccarat").prizes if prize.paid] == ["six_of_a_kind"]


GAME_FAULTS = [
    ('royal_flush = "grand"', "", "pool[mega].games.stud.tiers.royal_flush", "name the prize that it wins"),
    ('royal_flush = "grand"', 'royal_flush = "super"', "pool[mega].games.stud.tiers.royal_flush", "no prize super"),
    ('\nflush = "small"', '\nflush = "not paid"', "pool[mega].games.stud.tiers.flush", "name the prize that it wins"),
    ('\nflush = "small"', '\nflush = "major"', "pool[mega].games.stud.tiers.flush", "{ fixed = an amount }"),
    (
        'flush = "small"\n\n',
        'flush = "small"\nstraight = "four"\n\n',
        "pool[mega].games.stud.tiers.straight",
        "no such tier",
    ),
    ('rules = "stud"\n[', 'rules = "baccarat-b"\n[', "pool[mega].games.stud.rules", "no rules of stud"),
    ('rules = "stud"\n[', "[", "pool[mega].games.stud.rules", "name the rules that stud tables"),
    ('id = "mega"', 'id = "mega"\nrules = "stud"', "pool[mega].games", "remove one"),
    ("[pool.games.stud]", "[pool.games.stud]\nrulez = 1", "pool[mega].games.stud.rulez", "did you mean rules?"),
    ("[pool.games.stud]", "[pool.games.poker]", "pool[mega].games.poker", "unknown key"),
    ('five = { fixed = "8000.00" }', 'five = "not paid"', "pool[mega].prizes.five", "name what it pays"),
    ('five_of_a_kind = "five"', 'five_of_a_kind = "four"', "pool[mega].prizes.five", "no tier of any game wins it"),
    ('"60%"\nstraight_flush_base = "round"', '"60%"', "pool[mega].straight_flush_base", "leaves it open"),
    ('void_round = "refund"', "", "pool[mega].void_round", "leaves it open"),
    ('remainder = "pool"\nvoid', "void", "pool[mega].remainder", "leaves it open"),
    (
        'void_round = "refund"',
        'void_round = "carry"\nfour_of_a_kind_suits = "any"',
        "pool[mega].four_of_a_kind_suits",
        "",
    ),
    ('game = "stud"\n', "", "table[T01].game", 'name this table\'s, "stud" or "baccarat"'),
    ('"mega"]\ngame = "baccarat"', '"mega"]', "table[B01].game", "pool mega is fed by several games"),
    ('game = "stud"', 'game = "baccarat"', "table[T01].game", "pool stud-main is not for baccarat, but for stud"),
]


@pytest.mark.parametrize(("old", "new", "key", "reason"), GAME_FAULTS)
def test_a_fault_of_a_pool_over_games_is_told(old: str, new: str, key: str, reason: str) -> None:
    found = [fault for fault in faults_of(with_mega((old, new))) if fault.key.startswith(key)]
    assert [reason in fault.reason for fault in found] == [True], [str(fault) for fault in found]


def test_a_prize_has_a_name_that_signs_and_topics_carry() -> None:
    text = with_mega(('five = { fixed = "8000.00" }', '"five!" = { fixed = "1.00" }'), ('= "five"', '= "five!"'))
    fault = only_fault(text)
    assert (fault.key, fault.reason) == (
        'pool[mega].prizes."five!"',
        "a prize has a name of 1 to 32 letters, digits, - or _",
    )


def test_a_fixed_amount_that_no_tier_of_a_prize_knows_is_refused() -> None:
    """2/2009 17(5): six of a kind wins the pool and nothing more."""
    own = ('six_of_a_kind = "grand"', 'six_of_a_kind = "six"')
    text = with_mega(own, ("small = {", 'six = { share = "100%", fixed = "5.00" }\nsmall = {'))
    fault = only_fault(text)
    assert (fault.key, fault.article) == ("pool[mega].prizes.six.fixed", "2/2009 17(5)")
    assert "no tier that wins it has a fixed amount" in fault.reason
    assert parsed(text.replace(', fixed = "5.00"', "")).pools[-1].prize("six").share_ppm == WHOLE_PPM


def test_the_permission_of_a_progressive_on_baccarat_is_asked_for_where_the_file_has_it() -> None:
    uncovered = parsed(with_mega(('"2/2009 13(1)(4)", ', "")))
    keys = [warning["key"] for warning in check_json(uncovered)["warnings"]]
    assert "pool[mega].games.baccarat.rules" in keys


def test_a_reading_that_two_games_need_names_both_articles() -> None:
    fault = only_fault(with_mega(('remainder = "pool"\nvoid', "void")))
    assert fault.article == "61/2004 10, silent; 2/2009 17, silent"


def test_check_tells_a_levels_part_of_the_bet_on_both_sides() -> None:
    lines = check_lines(parsed(with_levels()))
    assert "  of it also 5.5% to the level minor, for which the seat plays too" in lines
    taken = "takes no bet of its own; of each bet on stud-main 10% comes to this pool and 1% to its reserve"
    assert f"  a level of stud-main: {taken}" in lines
    assert "  full_house: the greater of 100.00 and 20% of the pool (a level's own)" in lines
    assert "  straight_flush: nothing is paid (a level's own)" in lines
    found = check_json(parsed(with_levels()))["pools"]
    assert (found[0]["levels"], found[2]["fed_by"]) == ({"mini": "10%", "minor": "5.5%"}, {"stud-main": "10%"})
    assert (found[2]["bet"], found[2]["contribution"]) == (None, None)


def test_check_tells_what_every_tier_of_every_game_wins() -> None:
    lines = check_lines(parsed(with_mega()))
    assert "pool mega: stud+baccarat-b" in lines
    royal = "  stud: royal_flush wins grand: the greater of 900000.00 and 100% of the pool (61/2004 10(2)(1))"
    assert royal in lines
    assert "  baccarat: six_of_a_kind wins grand: 100% of the pool (2/2009 17(5))" in lines
    assert "  baccarat: three_of_a_kind wins small: 500.00 (2/2009 17(8))" in lines
    assert any("void_round = refund" in line for line in lines)
