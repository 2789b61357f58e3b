"""Chance at a house of felt: steps of three small numbers each, which a house turns into words, sense or nonsense.

The numbers say what and where; a house always finds something to do with them, so that any list of steps is a story.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from hypothesis import strategies as st

from jackpotd.core import facts as f
from jackpotd.core.cards import FULL_PACK
from jackpotd.core.parameters import Rules
from jackpotd.core.state import Phase
from jackpotd.ledger.restore import STATE, encode_state
from tests.support.chance_pools import attempt as _try
from tests.support.chance_pools import pool_act
from tests.support.felt import (
    ACCOUNTANT,
    DEALER,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    NOTHING_2,
    ROOT,
    ROYAL,
    ROYAL_2,
    SEQUENCED_SHOE,
    SHUFFLER,
    STRAIGHT_FLUSH,
    STRAIGHT_FLUSH_2,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Felt,
    Spot,
    baccarat_table,
    shuffler_or_shoe,
    stud_table,
)
from tests.support.luck import DAILY, plain_limits
from tests.support.pools import level_pool, levels, mixed_pool, mop, option_pool, prize, stud_pool

Step = tuple[int, int, int]

_TABLES, _CHOICES = 5, 401

_PEOPLE = (SUPERVISOR, SURVEILLANCE, ACCOUNTANT, ROOT, f.By("sue", "supervisor"))
# Hands by two, which share no card with each other or with the dealer's.
_PAIRS = ((ROYAL, STRAIGHT_FLUSH), (FOUR, FULL_HOUSE), (ROYAL, ROYAL_2), (FLUSH, STRAIGHT_FLUSH_2), (NOTHING_2, FOUR))
_COUPS = (
    ("KS KD KC", "KH KS KD", "tie"),
    ("8S KD", "KC KS", "player"),
    ("KS KD KC", "KH KS 9D", "banker"),
    ("8S 8D", "9C KS", "banker"),
)


def house() -> Felt:
    """Every game, every way to deal, every reading that moves money another way."""
    pools = [
        stud_pool(
            reserve_ppm=50_000,
            limit_atoms=mop("500020.00"),
            auto_pay_below_atoms=mop("1000.00"),
            two_person_above_atoms=mop("40000.00"),
            bare_two_person_above_atoms=mop("2000.00"),
            levels=levels(mini=100_000),
        ),
        level_pool(
            "mini",
            prize("flush", share_ppm=1_000_000),
            prize("full_house", "100.00", 300_000),
            reserve_ppm=10_000,
            limit_atoms=mop("1002.00"),
        ),
        mixed_pool(void_round="refund", limit_atoms=mop("500030.00")),
        stud_pool(pool="small", seed_atoms=mop("600.00"), remainder="house", hold_tables_on_hit="none", breaker=DAILY),
        option_pool(Rules.BACCARAT_A, fixed_prizes_from="house", hold_tables_on_hit="link"),
        option_pool(Rules.BACCARAT_B, void_round="refund", seed_atoms=mop("900.00"), payout_unit_atoms=mop("1.00")),
    ]
    tables = [
        stud_table("T01"),
        stud_table("T02", SHUFFLER, pools=("stud-main", "small", "mega"), **shuffler_or_shoe()),
        stud_table("T03", None),
        baccarat_table("B01", SEQUENCED_SHOE, pools=("baccarat-b", "baccarat-a")),
        baccarat_table("B02", pools=("baccarat-b", "mega")),
    ]
    felt = Felt(pools, tables)
    felt.control(f.LimitsComputed(plain_limits(pools[3])))
    return felt


def step(dice: Random) -> Step:
    """A step by chance."""
    return dice.randrange(len(_EVENTS)), dice.randrange(_TABLES), dice.randrange(_CHOICES)


def tell(felt: Felt, steps: Sequence[Step]) -> None:
    """Live through a story. A refused act is part of it; a device's word is never refused."""
    for what, where, which in steps:
        spot = felt.spot(felt.tables[where % len(felt.tables)].table)
        _EVENTS[what % len(_EVENTS)](spot, which)


def snapshot(felt: Felt) -> None:
    """The controller goes on from a snapshot of its state."""
    body = encode_state(felt.state)
    felt.state = STATE.decode(body)
    assert felt.state == felt.folded
    assert encode_state(felt.state) == body


def _seat(which: int) -> int:
    return 1 + which % 7


def _card(which: int) -> str:
    return FULL_PACK[which % len(FULL_PACK)]


def _deals(spot: Spot) -> bool:
    return spot.dealer != "claims"


def _bet(spot: Spot, which: int) -> None:
    if which % 3:
        spot.bet(_seat(which))
    elif which % 2:
        spot.bet(_seat(which), "raise", *(f"progressive:{pool}" for pool in spot.table.params.pools))
    else:
        spot.unbet(_seat(which), stale=which % 5 == 0)


def _late_bet(spot: Spot, which: int) -> None:
    spot.bet(_seat(which), said_ms=spot.felt.now_ms - 300 + 50 * (which % 13), stale=which % 4 == 0)


def _lock(spot: Spot, which: int) -> None:
    spot.press(f.BetsLocked(), said_ms=spot.felt.now_ms - 200 + 50 * (which % 7), stale=which % 6 == 0)
    if which % 2:
        spot.drain()


def _round(spot: Spot, which: int) -> None:
    """A round as it should be, unless something is in its way."""
    if spot.table.phase is Phase.HELD:
        _try(spot.felt, f.VoidRound(SUPERVISOR, spot.name, "make room"))
    seats = (_seat(which), _seat(which + 2))
    for seat in seats:
        spot.bet(seat, *spot.usual, *(f"progressive:{pool}" for pool in spot.table.params.pools[1:]))
    spot.lock()
    if not _deals(spot):
        if which % 2:
            spot.press(f.Claimed(seats[0], 1 + which % 5, 0))
        spot.end()
    elif spot.table.params.game == "stud":
        _deal_stud(spot, which)
    else:
        player, banker, outcome = _COUPS[which % len(_COUPS)]
        spot.coup(player, banker)
        spot.result(outcome, player_pair=player[0] == player[3], banker_pair=banker[0] == banker[3])


def _seat_too_many(spot: Spot, which: int) -> None:
    """A seat without a bet is dealt among two that have one, and perhaps the supervisor sees which."""
    if spot.table.phase is not Phase.OPEN or spot.table.params.game != "stud" or not _deals(spot):
        return
    for seat in (2, 5):
        spot.bet(seat)
    spot.lock()
    spot.deal({2: FLUSH, 4: FOUR, 5: FULL_HOUSE, 0: DEALER})
    _try(spot.felt, f.NameDealtSeats(SUPERVISOR, spot.name, (1 + which % 5,), 5, "seen"))
    _try(spot.felt, f.ConfirmRound(SUPERVISOR, spot.name, "seen"))


def _deal_stud(spot: Spot, which: int) -> None:
    hands = _PAIRS[which % len(_PAIRS)]
    seats = sorted(seat for seat, bets in spot.table.bets.items() if "ante" in bets)
    spot.deal(dict(zip(seats, hands, strict=False)) | {0: DEALER})
    if which % 11 == 0:
        spot.fold(seats[0] if seats else 1)
    spot.end()


def _any_card(spot: Spot, which: int) -> None:
    if not _deals(spot):
        return
    target = (None, "player", "banker", "burn", "outside")[which % 5]
    index = None if target is None else 1 + which % 3
    spot.card(_card(which), target, index, again=which % 17 == 0)


def _dealing_device(spot: Spot, which: int) -> None:
    words: tuple[f.TableWord, ...] = (
        f.CardUnread(),
        f.PacketOut(which % 7),
        f.ResultSaid(("player", "banker", "tie", "forced_quit")[which % 4], which % 3 == 0, which % 5 == 0),
        f.DeviceFault("1", "odd", raised=which % 2 == 0),
        f.DeviceStarted(which),
        f.SequenceGap(1, 3),
        f.DeviceNotice("cut_card", ""),
        f.ShufflerFault(1),
        f.ShufflerReady(),
        f.UnknownSaid(which, "", "odd"),
    )
    spot.say(spot.dealer if _deals(spot) else "panel", words[which % len(words)], stale=which % 9 == 0)


def _dealer(spot: Spot, which: int) -> None:
    words: tuple[f.TableWord, ...] = (
        f.RoundEnded(),
        f.VoidPressed("misdeal"),
        f.CardExposed(which % 8),
        f.Folded(_seat(which)),
        f.Claimed(_seat(which), which % 7, which % 3),
        f.KeyTurned(1),
        f.PlacesSaid(_seat(which), ("ante",)),
    )
    spot.press(words[which % len(words)])


def _watch(spot: Spot, which: int) -> None:
    names = [params.name for params in spot.table.params.devices]
    name = names[which % len(names)]
    match which % 7:
        case 0 | 1:
            spot.lose(name)
        case 2 | 3 | 4:
            spot.back(name)
        case 5:
            spot.drain()
        case _:
            spot.time_out(("lock", "deal")[which // 7 % 2])


def _journal(spot: Spot, which: int) -> None:
    mark = spot.felt.state.marks.get(f"{spot.serial('panel')}#{spot.table.devices['panel'].journal}", 0)
    match which % 4:
        case 0:
            spot.watch("panel", f.JournalGap(mark + which % 3))
        case 1:
            spot.hello("panel", newest=max(0, mark - which % 2), oldest=1)
        case 2:
            spot.hello("panel", "FOREIGN")
        case _:
            spot.say("panel", f.BetMoved(_seat(which), "ante", on=True), seq=mark + 1 + which % 2)


def _replace(spot: Spot, which: int) -> None:
    """A board or shoe is exchanged, and perhaps both persons say so."""
    name = ("panel", "keypad", "shoe", "shuffler")[which % 4]
    if name in spot.table.devices and spot.table.devices[name].params.grade == "journaled":
        spot.hello(name, f"{spot.name}-{name}-{which}", newest=which % 3)
    for by in (TECHNICIAN, SUPERVISOR)[which % 5 // 4 :]:
        _try(spot.felt, f.ReplaceDevice(by, spot.name, name, "broken"))
    if name in spot.table.devices and spot.table.devices[name].params.grade == "journaled":
        spot.hello(name, f"{spot.name}-{name}-{which}", newest=which % 3)


def _hit(spot: Spot, which: int) -> None:
    hits = sorted(spot.felt.state.hits) or ["none"]
    hit, by = hits[which % len(hits)], _PEOPLE[which % len(_PEOPLE)]
    acts = (f.ApproveHit(by, hit), f.RejectHit(by, hit, "wrong"), f.PayHit(by, hit, "17"))
    _try(spot.felt, acts[which // 5 % 3])


def _supervise(spot: Spot, which: int) -> None:
    hand = ("0", "1", "3", "player", "banker")[which % 5]
    acts = (
        f.VoidRound(SUPERVISOR, spot.name, "seen"),
        f.ConfirmRound(SUPERVISOR, spot.name, "seen"),
        f.EnterCard(SUPERVISOR, spot.name, hand, 1 + which % 5, _card(which)),
        f.NameDealtSeats(SUPERVISOR, spot.name, (_seat(which),), 5 - which % 7 // 6, "seen"),
        f.RefundBet(SUPERVISOR, spot.name, _seat(which), spot.table.params.pools[0], "leaves"),
        f.AcknowledgeAlarm(SURVEILLANCE, f"held-{spot.name}", ""),
    )
    _try(spot.felt, acts[which // 5 % len(acts)])


def _mend(spot: Spot, which: int) -> None:
    """A supervisor fills in what is missing, refuses what the cards do not support, and confirms."""
    if spot.table.phase is not Phase.HELD:
        return
    if spot.table.params.game == "stud":
        seats = [seat for seat, bets in sorted(spot.table.bets.items()) if "ante" in bets]
        hands = dict(zip([str(seat) for seat in seats], _PAIRS[which % len(_PAIRS)], strict=False)) | {"0": DEALER}
    else:
        player, banker, _ = _COUPS[which % len(_COUPS)]
        hands = {"player": player, "banker": banker}
    spot.press(f.KeyTurned(1))
    for hand, cards in hands.items():
        for index, card in enumerate(cards.split(), start=1):
            _try(spot.felt, f.EnterCard(SUPERVISOR, spot.name, hand, index, card))
    for made in tuple(spot.table.claims):
        _try(spot.felt, f.RefuseClaim(SUPERVISOR, spot.name, made.seat, made.pool, "no such hand"))
    _try(spot.felt, f.ConfirmRound(SUPERVISOR, spot.name, "seen on camera"))
    if which % 2:
        spot.end()


def _house(spot: Spot, which: int) -> None:
    acts = (
        f.ChangeDeal(SUPERVISOR, spot.name, ("shuffler", "shoe", "claims")[which // 4 % 3], "it jams"),
        f.OpenTable(SUPERVISOR, spot.name),
        f.CloseTable(SUPERVISOR, spot.name),
        f.CloseDay(SUPERVISOR, spot.felt.state.day),
        f.ChangeOperator(ROOT, "sam", "supervisor", "sam", ("added", "disabled", "password")[which // 4 % 3]),
    )
    _try(spot.felt, acts[which % len(acts)])


def _restart(spot: Spot, which: int) -> None:
    spot.felt.start()
    for params in spot.felt.tables:
        if which % 4:
            spot.felt.spot(params.table).connect()


def _reload(spot: Spot, which: int) -> None:
    kept = spot.felt.tables
    spot.felt.tables = kept if which % 2 else kept[1:]
    spot.felt.configure()
    spot.felt.tables = kept


def _repeat(spot: Spot, which: int) -> None:
    facts = spot.felt.facts
    old = facts[which % len(facts)]
    spot.felt.hear(old) if old.seq <= spot.felt.state.marks.get(f"{old.source}#{old.journal}", 0) else None


def _chain(spot: Spot, which: int) -> None:
    if which % 50 == 0:
        spot.felt.control(f.ChainBroken(which, "odd"))


def _snapshot(spot: Spot, _: int) -> None:
    snapshot(spot.felt)


_EVENTS: tuple[Callable[[Spot, int], None], ...] = (
    _bet,
    _late_bet,
    _lock,
    _round,
    _round,
    _round,
    _seat_too_many,
    _any_card,
    _any_card,
    _dealing_device,
    _dealer,
    _watch,
    _journal,
    _replace,
    _hit,
    _hit,
    _supervise,
    _mend,
    _house,
    pool_act,
    pool_act,
    _restart,
    _reload,
    _repeat,
    _chain,
    _snapshot,
)
STEPS = st.lists(
    st.tuples(st.integers(0, len(_EVENTS) - 1), st.integers(0, _TABLES - 1), st.integers(0, _CHOICES - 1)), max_size=40
)
