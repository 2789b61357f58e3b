"""Rounds in short lines, played live and then put to `adjudicate`: whatever is paid, both must have said so.

A script is a line of steps with semicolons between; TABLE is what stands after the seat or the word:

    3 bets ante progressive | 3 takes back ante | lock | deal 3=ROYAL 0=NO_OPEN | 3 folds | 0 exposed | end |
    void misdeal | shuffler fails | 5 dealt too | confirm | coup 8S KD / KC KS

"progressive" is the bet on the table's first pool, "progressive:b" that on option B. Hands are names of HANDS, or cards
with commas between. A baccarat script deals only after its `lock`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from jackpotd.commands.adjudicate import answer, judge_of
from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.cards import parse_cards
from jackpotd.core.dealing import dealing_order
from jackpotd.core.money import Atoms, format_amount
from jackpotd.core.parameters import DeviceParams, PoolParams, Rules
from jackpotd.core.state import Hit, Phase
from tests.support.adjudication import Answer, said
from tests.support.felt import BARE_SHOE, SHUFFLER, Felt, Spot, baccarat_table, stud_table
from tests.support.pools import option_pool, stud_pool

# Names are for reading; hands that share a card cannot meet in one round.
HANDS = {
    **{f"ROYAL_{suit}": f"A{suit},K{suit},Q{suit},J{suit},T{suit}" for suit in "SHCD"},
    **{f"LOW_{suit}": f"2{suit},3{suit},4{suit},5{suit},6{suit}" for suit in "SHCD"},
    "FOUR": "7S,7H,7C,7D,8S",
    "FULL": "8H,8C,8D,9S,9H",
    "FLUSH": "TC,JC,9C,3C,2C",
    "STRAIGHT": "7H,8S,9C,TD,JH",
    "OPEN": "AD,KC,JD,9D,4D",  # ace and king, no more
    "NO_OPEN": "QD,JD,9D,5D,4C",
}
STAKE = "100.00"
RULES = {"a": Rules.BACCARAT_A, "b": Rules.BACCARAT_B, "c": Rules.BACCARAT_C}


@dataclass(frozen=True, slots=True)
class Row:
    """An article, what happens, and what it leads to.

    paid: "3" is seat 3 of stud, "b3" seat 3 of option B. results: of the last round settled, by "3", or "3 banker".
    meter: the table's first pool. options: the baccarat table's; `shuffler`: what deals the stud table's cards.
    """

    article: str
    what: str
    script: str
    paid: dict[str, str] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)
    meter: str = ""
    carried: Sequence[int] = ()
    hold: str = ""
    terms: dict[str, Any] = field(default_factory=dict)
    table: dict[str, Any] = field(default_factory=dict)
    shuffler: bool = False
    options: str = "b"


@dataclass(frozen=True)
class Before:
    """What stood when the prizes of a round began."""

    meters: dict[str, Atoms]
    live: dict[str, list[int]]
    bets: dict[int, list[str]]
    folded: list[int]


class Story:
    """What a script led to; `settled` is the last round that was not void, None without one."""

    def __init__(self, felt: Felt) -> None:
        self.felt = felt
        self.spot = felt.spot(felt.tables[0].table)
        self.before: Before | None = None
        self.settled: e.RoundSettled | None = None

    def end(self, finish: Callable[[], object]) -> None:
        """Finish the round by what its last word may be."""
        table, pools = self.spot.table, self.felt.state.pools
        meters = {name: pool.pool_atoms for name, pool in pools.items()}
        before = Before(meters, deepcopy(table.live), deepcopy(table.bets), list(table.folded))
        finish()
        if table.phase is not Phase.HELD:
            self.before, self.settled = before, self.felt.said(e.RoundSettled)

    def paid(self) -> dict[str, str]:
        """Every prize, by seat."""
        return {
            f"{_letter(hit)}{award.seat}": format_amount(award.atoms, 2)
            for hit in self.felt.state.hits.values()
            for award in hit.awards
        }

    def results(self) -> dict[str, str]:
        """Results and odds of the last round."""
        if self.settled is None:
            return {}
        seats = {str(one.seat): _words(one.result, str(one.odds)) for one in self.settled.seats}
        bets = {
            f"{one.seat} {one.bet}" if one.seat else one.bet: _words(one.result, format_amount(one.odds_ppm, 0))
            for one in self.settled.bets
        }
        return seats | bets


def _letter(hit: Hit) -> str:
    return "" if hit.pool == "stud-main" else hit.pool[-1]


def _words(result: str, odds: str) -> str:
    return f"{result} {odds}" if result == "win" else result


def play_stud(row: Row) -> Story:
    """The row at a stud table."""
    deals: DeviceParams = SHUFFLER if row.shuffler else BARE_SHOE
    return _play(Felt([stud_pool(**row.terms)], [stud_table(deals=deals, **row.table)]), row.script)


def play_baccarat(row: Row) -> Story:
    """The row at a baccarat table that offers the row's options."""
    pools = [option_pool(RULES[option], **row.terms) for option in row.options]
    table = baccarat_table(pools=tuple(pool.pool for pool in pools), **row.table)
    return _play(Felt(pools, [table]), row.script)


def _play(felt: Felt, script: str) -> Story:
    story = Story(felt)
    for step in script.split(";"):
        _step(story, step.split())
    return story


def _step(story: Story, words: list[str]) -> None:
    spot = story.spot
    match words:
        case [seat, "bets", *bets]:
            spot.bet(int(seat), *(_bet(spot, bet) for bet in bets))
        case [seat, "takes", "back", *bets]:
            spot.unbet(int(seat), *(_bet(spot, bet) for bet in bets))
        case [seat, "folds"]:
            spot.fold(int(seat))
        case [seat, "dealt", "too"]:
            spot.dealt_too(int(seat))
        case ["confirm"]:
            spot.confirm()
        case [place, "exposed"]:
            spot.press(f.CardExposed(int(place)))
        case ["lock"]:
            spot.lock()
        case ["deal", *hands]:
            spot.deal({int(seat): _cards(name) for seat, name in (hand.split("=") for hand in hands)})
        case ["void", why]:
            spot.press(f.VoidPressed(why))
        case ["shuffler", "fails"]:
            spot.say("shuffler", f.ShufflerFault(1))
        case ["end"]:
            story.end(spot.end)
        case ["coup", *cards]:
            player, banker = " ".join(cards).split(" / ")
            story.end(lambda: spot.coup(player, banker))
        case _:
            raise AssertionError(f"the playbook has no step {' '.join(words)!r}")


def _bet(spot: Spot, bet: str) -> str:
    pools = spot.table.params.pools
    if bet == "progressive":
        return f"progressive:{pools[0]}"
    option = bet.removeprefix("progressive:")
    return bet if option == bet else f"progressive:{RULES[option].value}"


def _cards(name: str) -> str:
    return HANDS.get(name, name).replace(",", " ")


def adjudicated(story: Story, pool: PoolParams) -> Answer:
    """The answer of `adjudicate` to the last round settled, for one of its pools; every stake is 100.00."""
    before, settled = story.before, story.settled
    assert before is not None, "no round was settled"
    assert settled is not None, "no round was settled"
    make = _stud_record if pool.rules is Rules.STUD else _baccarat_record
    record = make(before, settled, before.live[pool.pool])
    record |= {"round": "live", "meter": format_amount(before.meters[pool.pool], 2)}
    return said(answer(json.dumps(record).encode(), judge_of(pool, story.spot.table.params)))


def _stud_record(before: Before, settled: e.RoundSettled, live: list[int]) -> dict[str, Any]:
    hands = dict(settled.hands)
    dealer = hands.pop("0")
    seats = {
        seat: {"cards": cards, "ante": STAKE, "folded": int(seat) in before.folded, "progressive": int(seat) in live}
        for seat, cards in hands.items()
    }
    void_seats = [one.seat for one in settled.seats if one.result == "void"]
    return {"dealer": dealer, "seats": seats, "void_seats": void_seats}


def _baccarat_record(before: Before, settled: e.RoundSettled, live: list[int]) -> dict[str, Any]:
    player, banker = (list(parse_cards(settled.hands[side])) for side in ("player", "banker"))
    cards = dealing_order(player, banker)
    bets: list[dict[str, Any]] = [{"seat": seat, "kind": "progressive"} for seat in live]
    for seat, placed in before.bets.items():
        bets += [{"seat": seat, "kind": bet, "amount": STAKE} for bet in placed if ":" not in bet]
    return {"cards": cards, "bets": bets}


def judge(row: Row, story: Story) -> None:
    """The script led to what the row says and to nothing more, and `adjudicate` says the same."""
    table = story.spot.table
    assert story.paid() == row.paid, row.what
    assert {one: story.results().get(one) for one in row.results} == row.results, row.what
    assert sorted(table.carried) == list(row.carried), row.what
    assert table.hold_code == row.hold, row.what
    if row.meter:
        assert format_amount(story.felt.meter(table.params.pools[0]), 2) == row.meter, row.what
    agree(story)


def agree(story: Story) -> None:
    """The live round and its adjudication paid the same prizes from the same meter, and had the same results."""
    if story.settled is None:
        return
    table, number = story.settled.table, story.settled.round
    hits = [hit for hit in story.felt.state.hits.values() if (hit.table, hit.round) == (table, number)]
    for params in story.felt.pools:
        found = adjudicated(story, params)
        of_pool = [hit for hit in hits if hit.pool == params.pool]
        assert found["meter"] == format_amount(story.felt.meter(params.pool), 2)
        assert found["from_pool"] == format_amount(sum(hit.from_pool_atoms for hit in of_pool), 2)
        assert found["from_house"] == format_amount(sum(hit.from_house_atoms for hit in of_pool), 2)
        prizes = {award.seat: format_amount(award.atoms, 2) for hit in of_pool for award in hit.awards}
        if params.rules is Rules.STUD:
            assert prizes == {int(seat): one["prize"] for seat, one in found["seats"].items() if "prize" in one}
            results = {seat: one["result"] for seat, one in found["seats"].items()}
            assert results == {str(one.seat): one.result for one in story.settled.seats}
        else:
            shared = found.get("prize", {"seats": [], "each": "0.00"})
            assert prizes == dict.fromkeys(shared["seats"], shared["each"])
            nets = {(one["seat"], one["kind"]): one["net"] for one in found["bets"]}
            odds = {(one.seat, one.bet): one.odds_ppm for one in story.settled.bets if one.seat}
            assert nets == {bet: format_amount(odds_ppm * 10_000, 2) for bet, odds_ppm in odds.items()}
