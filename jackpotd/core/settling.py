"""Settling a round: results, prizes locked, pools fallen or restarted, all in one decision (rules.md section 4).

Laws
1. A seat has a prize by its progressive bet and its cards; it needs no opened dealer and no win (61/2004 10(2)).
2. One tier of one round of one pool is one hit. All of a round is recorded together or not at all.
3. A tier is worth what the parameters in force say; nothing is computed twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from jackpotd.core import entries as e
from jackpotd.core.baccarat import BetKind, Commission, Coup, bet_outcome, coup_odds
from jackpotd.core.book import Book
from jackpotd.core.breaker import is_owed, watch_luck
from jackpotd.core.cards import Card
from jackpotd.core.dealing import DEALER, dealing_order, sides
from jackpotd.core.feeding import pools_in_play
from jackpotd.core.hits import approve_if_small
from jackpotd.core.locking import dealing_device
from jackpotd.core.money import PPM, Atoms
from jackpotd.core.options import option_tier
from jackpotd.core.parameters import PoolParams
from jackpotd.core.postings import Posting
from jackpotd.core.settlement import Restart, Settlement, Turn, settle_baccarat, settle_stud
from jackpotd.core.staging import settling_params, take_force
from jackpotd.core.state import Pool, Table
from jackpotd.core.stud import VOID_SEAT, HandValue, evaluate, opens, showdown, stud_tier

_COUP_BETS = {kind.value: kind for kind in BetKind if kind is not BetKind.PROGRESSIVE}
_SIDE_BETS = (BetKind.PLAYER_PAIR, BetKind.BANKER_PAIR, BetKind.DRAGON7)  # 2/2009 13(1)(4)(1)-(2)


@dataclass(frozen=True, slots=True)
class _Settled:
    """What a round does to one pool; params: the pool's as this game sees it."""

    pool: Pool
    params: PoolParams
    settlement: Settlement


def settle(book: Book, table: Table) -> None:
    """The cards are complete and undisputed: settle, lock the prizes, open the next round."""
    if table.params.game == "stud":
        _settle_stud(book, table)
    else:
        _settle_baccarat(book, table)


def _settle_stud(book: Book, table: Table) -> None:
    void = {str(seat) for seat in table.void_seats}
    hands = {hand: evaluate([Card(card) for card in cards]) for hand, cards in table.hands.items() if hand not in void}
    dealer = hands.pop(DEALER)
    seats = {int(hand): value for hand, value in hands.items()}
    played = [_seat_result(table, dealer, seat, value) for seat, value in seats.items()]
    voided = [e.SeatResult(seat, "", VOID_SEAT.result.value, VOID_SEAT.raise_odds) for seat in table.void_seats]
    results = tuple(sorted(played + voided, key=attrgetter("seat")))
    tiers: list[e.TierWon] = []
    settled: list[_Settled] = []
    for pool in pools_in_play(book.state, table):
        name = pool.params.pool
        winners = _winners(table, table.live.get(name, []), seats)
        tiers += [e.TierWon(name, seat, tier) for seat, tier in winners.items()]
        settled.append(_stud_settled(pool, winners))
    outcome = f"{dealer.hand.value}{', opens' if opens(dealer) else ', does not open'}"
    _close(book, table, outcome, results, (), tuple(tiers), settled)


def _stud_settled(pool: Pool, winners: dict[int, str]) -> _Settled:
    params = settling_params(pool).of_game("stud")
    settlement = settle_stud(params, pool.pool_atoms, pool.reserve_atoms, pool.overflow_atoms, winners)
    return _Settled(pool, params, settlement)


def settle_claims(book: Book, table: Table) -> None:
    """A table without card reading, its claims supported by entered cards: only the claiming seats are judged.

    A claim is of a tier of the pool that took the bet, and of the same tier of that pool's levels.
    """
    if table.params.game == "baccarat":
        _settle_baccarat(book, table)
        return
    tiers: list[e.TierWon] = []
    settled: list[_Settled] = []
    for pool in pools_in_play(book.state, table):
        name = pool.params.pool
        claimed = (name, *table.level_of.get(name, ()))
        winners = {made.seat: made.tier for made in table.claims if made.pool in claimed}
        winners = {seat: tier for seat, tier in winners.items() if seat not in table.folded}
        tiers += [e.TierWon(name, seat, tier) for seat, tier in winners.items()]
        settled.append(_stud_settled(pool, winners))
    _close(book, table, "claims", (), (), tuple(tiers), settled)


def _seat_result(table: Table, dealer: HandValue, seat: int, value: HandValue) -> e.SeatResult:
    odds = table.params.royal_raise_odds
    assert odds is not None
    result = showdown(dealer, value, folded=seat in table.folded, royal_raise_odds=odds)
    return e.SeatResult(seat, value.hand.value, result.result.value, result.raise_odds)


def _winners(table: Table, live: list[int], seats: dict[int, HandValue]) -> dict[int, str]:
    """Seat -> tier of the seats with a progressive in play; a folded seat has none (rules.md 1)."""
    tiers = {seat: stud_tier(seats[seat].hand) for seat in live if seat in seats and seat not in table.folded}
    return {seat: tier for seat, tier in tiers.items() if tier is not None}


def _settle_baccarat(book: Book, table: Table) -> None:
    player, banker = sides(table)
    coup = Coup(tuple(player), tuple(banker))
    cards = dealing_order(player, banker)
    tiers: list[e.TierWon] = []
    settled: list[_Settled] = []
    for pool in pools_in_play(book.state, table):
        params = settling_params(pool).of_game("baccarat")
        tier = option_tier(params.sole_rules, cards, player, banker, params.four_of_a_kind_suits)
        if tier is None:
            continue
        tiers.append(e.TierWon(params.pool, 0, tier))
        bettors = table.live.get(params.pool, [])
        settlement = settle_baccarat(params, pool.pool_atoms, pool.reserve_atoms, pool.overflow_atoms, tier, bettors)
        settled.append(_Settled(pool, params, settlement))
    _close(book, table, coup.outcome.value, (), _bet_results(table, coup), tuple(tiers), settled)


def _bet_results(table: Table, coup: Coup) -> tuple[e.BetResult, ...]:
    """What the coup decides about every bet seen at a seat, and about the side bets, which no sensor sees."""
    assert table.params.commission is not None, "the configuration names the commission of every baccarat table"
    odds = coup_odds(coup.result, Commission(table.params.commission))
    seen = [(seat, _COUP_BETS[bet]) for seat, bets in sorted(table.bets.items()) for bet in bets if bet in _COUP_BETS]
    found = []
    for seat, kind in [*seen, *((0, kind) for kind in _SIDE_BETS)]:
        odds_ppm = odds[kind]
        assert odds_ppm is not None, "a bet on the coup has odds"
        found.append(e.BetResult(seat, kind.value, bet_outcome(odds_ppm).value, odds_ppm))
    return tuple(found)


def _close(
    book: Book,
    table: Table,
    outcome: str,
    seats: tuple[e.SeatResult, ...],
    bets: tuple[e.BetResult, ...],
    tiers: tuple[e.TierWon, ...],
    settled: list[_Settled],
) -> None:
    """Record the result, then the prizes it brings, then the next round. What cannot be owed is held, not paid."""
    if not all(is_owed(book, table, one.pool, one.settlement) for one in settled):
        return
    hands = {hand: tuple(cards) for hand, cards in sorted(table.hands.items())}
    number, name = table.round, table.params.table
    ended_ms = table.held_ms or book.fact.said_ms  # a held round was over before it was decided
    device = dealing_device(table)
    grade = device.grade if device is not None else "claims"
    book.write(e.RoundSettled(book.at_ms, name, number, hands, outcome, seats, bets, tiers))
    for one in settled:
        pool = one.pool
        for turn in one.settlement.by_tier():
            _lock_prize(book, one, turn, name, number, grade, late=ended_ms < pool.restarted_ms)
        if one.settlement.restart is not None:
            _restart(book, one, name, number)
        if one.settlement.turns:
            watch_luck(book, pool)
        for turn in one.settlement.by_tier():
            approve_if_small(book, hit_id(name, number, pool, turn.tier))
        if one.settlement.restart is not None:
            take_force(book, pool)


def hit_id(table: str, number: int, pool: Pool, tier: str) -> str:
    """The name of a hit: one tier of one round of one pool. Ids have no dots, so no two hits share it."""
    return f"{table}.{number}.{pool.params.pool}.{tier}"


def _lock_prize(book: Book, one: _Settled, turn: Turn, table: str, number: int, grade: str, *, late: bool) -> None:
    name = one.params.pool
    postings = (
        Posting(f"pool:{name}", Atoms(-turn.from_pool_atoms)),
        Posting(f"house:{name}", Atoms(-turn.from_house_atoms)),
        Posting(f"prizes:{name}", turn.total_atoms),
    )
    book.write(
        e.PrizeLocked(
            at_ms=book.at_ms,
            hit=hit_id(table, number, one.pool, turn.tier),
            pool=name,
            tier=turn.tier,
            prize=one.pool.params.prize_name(turn.tier, one.params.sole_rules),
            table=table,
            round=number,
            awards=tuple(e.Award(seat, atoms) for seat, atoms in turn.awards),
            from_pool_atoms=turn.from_pool_atoms,
            from_house_atoms=turn.from_house_atoms,
            whole_pool=one.params.prize(turn.tier).share_ppm == PPM,
            late=late,
            grade=grade,
            postings=tuple(posting for posting in postings if posting.atoms),
        )
    )


def _restart(book: Book, one: _Settled, table: str, number: int) -> None:
    """The pool begins again; the hit of the 100% tier, else of the last turn, is what emptied it."""
    pool, restart = one.pool, one.settlement.restart
    assert restart is not None
    tiers = [turn.tier for turn in one.settlement.turns]
    whole = [tier for tier in tiers if one.params.prize(tier).share_ppm == PPM]
    cause = hit_id(table, number, pool, (whole or tiers)[-1])
    book.write(e.PoolRestarted(book.at_ms, pool.params.pool, cause, _restart_postings(pool, restart)))


def _restart_postings(pool: Pool, restart: Restart) -> tuple[Posting, ...]:
    name = pool.params.pool
    overflow = restart.to_overflow_atoms - restart.from_overflow_atoms
    house = restart.rest_to_house_atoms - restart.seed_from_house_atoms
    postings = (
        Posting(f"pool:{name}", Atoms(restart.pool_atoms - pool.pool_atoms)),
        Posting(f"reserve:{name}", Atoms(-restart.seed_from_reserve_atoms)),
        Posting(f"overflow:{name}", Atoms(overflow)),
        Posting(f"house:{name}", Atoms(house)),
    )
    return tuple(posting for posting in postings if posting.atoms)
