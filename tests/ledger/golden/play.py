"""A day in a house of felt that says and means nearly everything that a ledger may hold, for the golden ledgers.

The same words always give the same rows. A kind that is new or changed is played here too, before its ledger is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpotd.core import facts as f
from jackpotd.core.parameters import Rules
from jackpotd.ledger.archive_file import Header
from jackpotd.ledger.archives import Leaving, rows_digest
from tests.support.felt import (
    ACCOUNTANT,
    BARE_SHOE,
    DEALER,
    FLUSH,
    FOUR,
    KEYPAD,
    NOTHING_2,
    PANEL,
    ROOT,
    ROYAL,
    SEQUENCED_SHOE,
    SHUFFLER,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Felt,
    baccarat_table,
    stud_table,
)
from tests.support.hits import approve, pay, reject
from tests.support.ledgers import SITE, UUID
from tests.support.luck import DAILY, plain_limits
from tests.support.pools import level_pool, levels, mop, option_pool, prize, stud_pool

_BACCARAT = Rules.BACCARAT_B


def _house() -> Felt:
    """A stud table with every device, one where claims are made, and a baccarat table; a pool with a level."""
    changes: dict[str, Any] = {"auto_pay_below_atoms": mop("100.00"), "two_person_above_atoms": mop("4000.00")}
    pools = [
        stud_pool(reserve_ppm=50_000, breaker=DAILY, levels=levels(mini=50_000), **changes),
        level_pool("mini", prize("flush", "20.00")),
        stud_pool(pool="other"),
        option_pool(_BACCARAT),
    ]
    first = stud_table("T01", deal=("shoe", "shuffler", "claims"), devices=(PANEL, KEYPAD, BARE_SHOE, SHUFFLER))
    claims = stud_table("T02", None, pools=("other",), seats=3)
    return Felt(pools, [first, claims, baccarat_table("B01", SEQUENCED_SHOE)])


def day() -> Felt:
    """The house after its day: one round held, one hit undecided, one bet carried."""
    felt = _house()
    _people(felt)
    _rounds_of_stud(felt)
    _round_in_doubt(felt)
    _claims(felt)
    _baccarat(felt)
    _devices(felt)
    _pools(felt)
    _end(felt)
    return felt


def _people(felt: Felt) -> None:
    felt.act(f.ChangeOperator(ROOT, "ana", "supervisor", "ana", "added"))
    felt.control(f.LimitsComputed(plain_limits(felt.pool().params)))
    felt.control(f.StorageSaid(low=True, free_bytes=1, bound_bytes=2))
    felt.act(f.AcknowledgeAlarm(SUPERVISOR, felt.alarms()[0], ""))
    felt.control(f.StorageSaid(low=False, free_bytes=3, bound_bytes=2))


def _rounds_of_stud(felt: Felt) -> None:
    """A flush that is paid, a fold, four of a kind that two persons approve and one rejects."""
    spot = felt.spot("T01")
    spot.bet(1)
    spot.bet(2)
    spot.unbet(2)
    spot.bet(3, "ante")
    spot.lock()
    spot.deal({1: FLUSH, 3: NOTHING_2, 0: DEALER})
    spot.fold(3)
    spot.end()
    for hit in ("T01.1.stud-main.flush", "T01.1.mini.flush"):
        if felt.hit(hit).status == "pending":
            approve(felt, hit)
        pay(felt, hit)
    spot.bet(1)
    spot.lock()
    spot.deal({1: FOUR, 0: DEALER})
    spot.end()
    for by in (SUPERVISOR, SURVEILLANCE):
        approve(felt, "T01.2.stud-main.four_of_a_kind", by)
    reject(felt, "T01.2.stud-main.four_of_a_kind")


def _round_in_doubt(felt: Felt) -> None:
    """A card that nobody could read, entered by hand; a seat dealt without a bet; an exposed card; a void."""
    spot = felt.spot("T01")
    spot.bet(1)
    spot.lock()
    spot.unread()
    spot.cards("KC 4H QD 6H 9S 8H 7S TC 3C")
    spot.enter("1", 1, "2C")
    spot.confirm()
    spot.end()
    spot.bet(1)
    spot.lock()
    spot.card("2C")
    spot.press(f.CardExposed(1))
    spot.void()
    spot.refund(1)
    spot.deal_from("shuffler")
    spot.bet(1)
    spot.lock()
    spot.packet(NOTHING_2.split())
    spot.packet(FLUSH.split())
    spot.packet(DEALER.split())
    spot.dealt_too(2)
    spot.confirm()
    spot.end()
    spot.bet(1)
    spot.lock()
    spot.card("2C")
    spot.say("shuffler", f.ShufflerFault(7))
    spot.say("shuffler", f.ShufflerReady())


def _claims(felt: Felt) -> None:
    """A false claim is refused, a true one becomes a hit."""
    spot = felt.spot("T02")
    for seat in (1, 2):
        spot.bet(seat)
    spot.press(f.BetsLocked())
    spot.press(f.Claimed(1, 5, 0))
    spot.drain()
    spot.press(f.Claimed(2, 3, 0))
    spot.end()
    spot.press(f.KeyTurned(1))
    spot.refuse(1, "other")
    for index, card in enumerate(FOUR.split(), start=1):
        spot.enter("2", index, card)
    spot.confirm()
    approve(felt, "T02.1.other.four_of_a_kind")
    pay(felt, "T02.1.other.four_of_a_kind")


def _baccarat(felt: Felt) -> None:
    """A burn, a coup that wins, one that stays held after a card that could not be read and bytes that were lost."""
    spot = felt.spot("B01")
    spot.card("AS", "burn")
    spot.bet(1)
    spot.bet(2, "player", "progressive:baccarat-b")
    spot.lock()
    spot.coup("8S KD", "KC KS")
    spot.result("player", banker_pair=True)
    spot.say("shoe", f.DeviceNotice("cut_card", "the cut card"))
    spot.bet(1)
    spot.lock()
    spot.press(f.VoidPressed("misdeal"))
    spot.bet(1)
    spot.lock()
    spot.card("9S", "player", 1)
    spot.unread()
    spot.say("shoe", f.SequenceGap(4, 6))
    spot.say("shoe", f.UnknownSaid(119, "77", "nobody knows it"))
    spot.time_out("deal")


def _devices(felt: Felt) -> None:
    """Lost, faulty, of another house, replaced."""
    spot = felt.spot("T01")
    spot.say("shoe", f.DeviceFault("jam", "a card is stuck", raised=True))
    spot.say("shoe", f.DeviceFault("jam", "a card is stuck", raised=False))
    spot.say("panel", f.PlacesSaid(1, ("ante",)))
    spot.say("shuffler", f.DeviceStarted(2))
    spot.watch("keypad", f.JournalGap(spot.table.devices["keypad"].journal + 500))
    spot.lose("panel")
    spot.hello("panel", "BP-0002", newest=0)
    spot.replace("panel", TECHNICIAN, SUPERVISOR)
    spot.hello("panel", "BP-0002", newest=0)
    spot.back("panel")


def _pools(felt: Felt) -> None:
    """What people do with whole pools."""
    felt.act(f.SuspendPool(SURVEILLANCE, "stud-main", "the sensor counts twice"))
    felt.pools += [stud_pool(pool="next", seed_atoms=mop("1000.00")), stud_pool(pool="last")]
    felt.pools[2] = stud_pool(pool="other", limit_atoms=mop("900000.00"), seed_atoms=mop("400000.00"))
    felt.configure()
    acts: tuple[Callable[[f.By], f.Act], ...] = (
        lambda by: f.AdjustPool(by, "stud-main", "-0.50", "counted twice"),
        lambda by: f.ResumePool(by, "stud-main", "another sensor"),
        lambda by: f.ApplyPool(by, "other", "from Monday on"),
        lambda by: f.TransferPool(by, "next", "last", "one link of two"),
        lambda by: f.RetirePool(by, "next", "house", "the link ends"),
    )
    for act in acts:
        felt.act(act(SUPERVISOR))
        felt.act(act(ACCOUNTANT))


def _end(felt: Felt) -> None:
    """A hit of the whole pool brings what was staged; a table closes, a doubtful day ends, a controller starts."""
    spot = felt.spot("T02")
    spot.bet(3)
    spot.lock()
    spot.press(f.Claimed(3, 1, 0))
    spot.end()
    spot.press(f.KeyTurned(1))
    for index, card in enumerate(ROYAL.split(), start=1):
        spot.enter("3", index, card)
    spot.confirm()
    felt.act(f.CloseTable(SUPERVISOR, "T02"))
    felt.set_clock(-5_000)
    felt.control(f.ClockSaid(synchronised=False, jump_ms=0, calm=False))
    felt.act(f.CloseDay(ACCOUNTANT, 1))
    felt.act(f.OpenTable(SUPERVISOR, "T02"))
    _archive(felt)
    felt.control(f.ChainBroken(7, "it does not follow from the rows before it"))
    felt.control(f.ControllerStarted("1.0", "config", "package", felt.now_ms // 1_000 + 5))


def _archive(felt: Felt) -> None:
    """The facts of the day that was closed are archived; their payloads are still there."""
    closed = 1 + max(at for at, row in enumerate(felt.rows) if b'"kind":"day_closed"' in row)
    leaving = Leaving()
    for seq, row in enumerate(felt.rows[:closed], start=1):
        leaving.take(seq, row)
    facts, file = leaving.seqs(), Header(SITE, UUID, 1, 1, closed, 0).file
    felt.act(f.ArchiveFacts(ROOT, 1, 1, closed, closed, len(facts), rows_digest(facts), "0" * 64, file))
