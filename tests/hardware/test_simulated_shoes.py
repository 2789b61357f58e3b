"""Simulated shoes speak the real wire: what they deal is what the decoders hear, through good lines and bad ones."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.angel_eye import AngelEye
from hardware.bee_tek import BeeTek
from hardware.reports import (
    CardOut,
    CardUnreadable,
    SequenceGap,
    ShoeFault,
    ShoeNotice,
    ShoeResult,
    ShoeStarted,
    Target,
)
from hardware.simulated.angel_eye_shoe import AngelEyeShoe
from hardware.simulated.baccarat_shoe_rule import next_target
from hardware.simulated.bee_tek_shoe import BeeTekShoe
from hardware.simulated.line import Faults, FaultyLine
from jackpotd.core.baccarat import Side, coup_of, draw
from jackpotd.core.cards import Card
from tests.support.decoding import feed_all, sort_out, whats

PACK = [rank + suit for rank in "A23456789TJQK" for suit in "SHCD"]
six_cards = st.lists(st.sampled_from(PACK), min_size=6, max_size=6, unique=True)


@given(six_cards)
def test_a_coup_is_dealt_and_judged_as_the_controller_judges_it(cards: list[str]) -> None:
    shoe = AngelEyeShoe(cards[:2])
    shoe.load(cards[2:])
    said = whats(AngelEye().feed(b"".join(shoe.coup())))
    *dealt, result = said
    coup = coup_of(Card(card.card) for card in dealt if isinstance(card, CardOut))
    assert coup.next_side is None
    assert result == ShoeResult(coup.outcome, player_pair=coup.player_pair, banker_pair=coup.banker_pair)
    for side, target in ((coup.player, Target.PLAYER), (coup.banker, Target.BANKER)):
        assert [card for card in dealt if isinstance(card, CardOut) and card.target is target] == [
            CardOut(card, target, index) for index, card in enumerate(side, start=1)
        ]


def hand(points: int) -> list[Card]:
    return [Card("KS"), Card({0: "T", 1: "A"}.get(points, str(points)) + "H")]


@pytest.mark.parametrize("player", range(10))
def test_the_shoes_own_drawing_rule_is_the_controllers(player: int) -> None:
    for banker in range(10):
        side, target = draw(hand(player), hand(banker)), next_target(hand(player), hand(banker))
        assert (target and target.value) == (side and side.value)
        for third in "A23456789TJQK" if side is Side.PLAYER else "":
            cards = [*hand(player), Card(third + "D")]
            side, target = draw(cards, hand(banker)), next_target(cards, hand(banker))
            assert (target and target.value) == (side and side.value)


def test_every_method_of_the_angel_eye_shoe_says_what_its_name_says() -> None:
    shoe = AngelEyeShoe()
    sent = [
        shoe.power_up(),
        shoe.card("9H", Target.BURN),
        shoe.burn_count(9),
        shoe.card("9H", Target.OUTSIDE),
        shoe.card("AS", Target.PLAYER, 1),
        shoe.card_again("AS", Target.PLAYER, 1),
        shoe.fault(1),
        shoe.fault_cleared(1),
        shoe.cut_card(),
        shoe.result(ShoeResult("forced_quit", player_pair=False, banker_pair=False)),
    ]
    said, noise = feed_all(AngelEye(), sent)
    assert not noise
    assert whats(said) == [
        ShoeStarted(),
        CardOut("9H", Target.BURN),
        ShoeNotice("burn_count", "9 cards to burn"),
        CardOut("9H", Target.OUTSIDE),
        CardOut("AS", Target.PLAYER, 1),
        CardOut("AS", Target.PLAYER, 1, again=True),
        ShoeFault("1", "a card could not be read", raised=True),
        ShoeFault("1", "a card could not be read", raised=False),
        ShoeNotice("cut_card", "the cut card came out"),
        ShoeResult("forced_quit", player_pair=False, banker_pair=False),
    ]


def test_every_method_of_the_bee_tek_shoe_says_what_its_name_says() -> None:
    shoe = BeeTekShoe(["AS"])
    shoe.load(["2S", "3S", "4S"])
    sent = [shoe.deal(), shoe.burn(), shoe.deal_unread(), shoe.deal(), shoe.alarm(), shoe.warning()]
    said, noise = feed_all(BeeTek(), sent)
    assert not noise
    assert whats(said) == [
        CardOut("AS"),
        CardOut("2S", Target.BURN),
        CardUnreadable(),
        CardOut("4S"),
        ShoeFault("E3", "Card Not Read", raised=True),
        ShoeNotice("warning", "W0x01"),
    ]


def test_an_empty_shoe_deals_nothing() -> None:
    shoe = BeeTekShoe()
    with pytest.raises(IndexError):
        shoe.deal()


def over(line: FaultyLine, messages: Sequence[bytes]) -> list[bytes]:
    return [piece for message in messages for _, piece in line.carry(message)]


@pytest.mark.parametrize("seed", range(40))
def test_a_numbered_shoe_on_a_bad_line_never_loses_a_card_unnoticed(seed: int) -> None:
    rng = random.Random(seed)
    shoe = AngelEyeShoe(sends=3)
    messages = [shoe.card(rng.choice(PACK), Target.PLAYER, 1) for _ in range(60)]
    perfect, _ = feed_all(AngelEye(), messages)
    pieces = over(FaultyLine(rng, Faults(drop=0.04, repeat=0.05, split=0.2)), messages)
    said, noise = feed_all(AngelEye(), pieces)
    cards = [item for item in said if isinstance(item.what, CardOut)]
    gaps = [item for item in said if isinstance(item.what, SequenceGap)]
    trailing = perfect[len(cards) :] if not gaps else []
    assert noise["frame"] + noise["bcc"] > 0
    if gaps:
        assert len(cards) < len(perfect)
    else:  # only what was lost at the very end can be missing: nothing came after it to show the gap
        assert whats([*cards, *trailing]) == whats(perfect)


def test_a_line_without_faults_changes_nothing() -> None:
    line = FaultyLine(random.Random(1), Faults())
    assert line.carry(b"card") == [(0, b"card")]
    assert line.carry(b"") == []


def test_one_seed_gives_one_run_of_faults() -> None:
    faults = Faults(drop=0.1, corrupt=0.1, repeat=0.3, split=0.3, delay_ms=9)
    runs = [[FaultyLine(random.Random(4), faults).carry(bytes(range(200)))] for _ in range(2)]
    assert runs[0] == runs[1]
    assert runs[0] != [[(0, bytes(range(200)))]]


def test_each_fault_is_what_it_says() -> None:
    def carried(faults: Faults) -> list[tuple[int, bytes]]:
        return FaultyLine(random.Random(2), faults).carry(bytes(100))

    assert carried(Faults(drop=1.0)) == []
    assert carried(Faults(repeat=1.0)) == [(0, bytes(100))] * 2
    assert carried(Faults(split=1.0)) == [(0, b"\0")] * 100
    ((_, corrupted),) = carried(Faults(corrupt=1.0))
    assert all(byte.bit_count() == 1 for byte in corrupted)
    assert {delay for delay, _ in carried(Faults(split=1.0, delay_ms=3))} == {0, 1, 2, 3}


def test_a_bare_shoe_on_a_corrupting_line_gives_a_word_for_every_token() -> None:
    rng = random.Random(11)
    for _ in range(300):
        token = BeeTekShoe([rng.choice(PACK)]).deal()
        damaged = bytearray(token)
        damaged[rng.randrange(1, len(token) - 2)] ^= 1 << rng.randrange(8)
        said, _ = sort_out(BeeTek().feed(bytes(damaged)))
        assert len(said) == 1
