"""What the log says of a day in the house: each occurrence once, in words that the journal keeps on one line."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from jackpotd.core import entries as e
from jackpotd.core.apply import apply
from jackpotd.core.facts import By, Fact, RoundEnded
from jackpotd.core.money import Atoms
from jackpotd.core.parameters import TableParams
from jackpotd.core.postings import Posting
from jackpotd.core.state import State
from jackpotd.daemon.engine import Committed
from jackpotd.daemon.journal import LINES, write_down
from jackpotd.daemon.logs import JournalFormatter
from jackpotd.ledger.port import Head
from tests.support.pools import mop, stud_pool

LEI, WONG = By("lei", "supervisor"), By("wong", "surveillance")
POOL = "stud-main"
TABLE = TableParams(
    table="T01",
    game="stud",
    pools=(POOL,),
    seats=7,
    deal=("claims",),
    devices=(),
    decks=1,
    commission=None,
    royal_raise_odds=100,
    max_payout_atoms=None,
    advisory_lock=False,
    deal_timeout_ms=180_000,
)


class Lines(logging.Handler):
    """Keeps what would be written."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JournalFormatter())
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler, logger = Lines(), logging.getLogger("jackpotd.daemon.journal")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.setLevel(before)
    logger.removeHandler(handler)


def prize(hit: str) -> e.PrizeLocked:
    moved = (Posting(f"pool:{POOL}", mop("-50000.00")), Posting(f"prizes:{POOL}", mop("50000.00")))
    return e.PrizeLocked(
        at_ms=1,
        hit=hit,
        pool=POOL,
        tier="straight_flush",
        prize="straight_flush",
        table="T01",
        round=17,
        awards=(e.Award(3, mop("25000.00")), e.Award(6, mop("25000.00"))),
        from_pool_atoms=mop("50000.00"),
        from_house_atoms=Atoms(0),
        whole_pool=False,
        late=False,
        grade="bare",
        postings=moved,
    )


def opened() -> State:
    state = State()
    seed = (Posting(f"house:{POOL}", mop("-500000.00")), Posting(f"pool:{POOL}", mop("500000.00")))
    apply(state, e.PoolOpened(1, stud_pool(), seed))
    apply(state, e.TableSet(1, TABLE))
    return state


def told(lines: Lines, *entries: e.Entry, state: State | None = None) -> list[str]:
    """What is said when these entries are committed together."""
    fact = Fact("T01/keypad", 1, 1, 1, 1, "T01", "keypad", "bare", "", False, RoundEnded())
    write_down(state or opened(), Committed(Head(7, b"h" * 32), [(fact, list(entries))], 0, 0))
    return lines.said


def test_a_hit_is_told_with_its_amount_and_seats(lines: Lines) -> None:
    state = opened()
    apply(state, prize("T01.17"))
    assert told(lines, prize("T01.17"), state=state) == [
        '<4>hit locked hit=T01.17 pool=stud-main tier=straight_flush seats="3 6" amount="50000.00 MOP" late=False'
    ]


def test_the_people_who_decide_a_hit_are_named(lines: Lines) -> None:
    assert told(
        lines,
        e.HitVoted(1, "h", "approve", LEI, ""),
        e.HitApproved(1, "h", (LEI, WONG)),
        e.HitPaid(1, "h", LEI, "slip 9"),
        e.HitRejected(1, "g", (LEI,), "misread", ("k",), ()),
    ) == [
        '<6>hit judged by one person hit=h vote=approve by="lei (supervisor)" why=""',
        '<6>hit approved hit=h by="lei (supervisor), wong (surveillance)"',
        '<6>hit paid hit=h by="lei (supervisor)" slip="slip 9"',
        '<4>hit rejected hit=g by="lei (supervisor)" why=misread later_hits=k',
    ]


def test_a_round_in_doubt_is_told_from_hold_to_release(lines: Lines) -> None:
    assert told(
        lines,
        e.RoundHeld(1, "T01", 17, "card_repeated", "a card came more often than the packs hold it"),
        e.CardEntered(1, "T01", "3", 2, "AS", "??", LEI),
        e.RoundConfirmed(1, "T01", 17, LEI, "seen on camera", dealt=True),
        e.RoundVoided(1, "T01", 18, "misdeal", None, {}, {}, ()),
        e.SeatsDealt(1, "T01", 18, (5, 6), (), {}, LEI, "seen"),
        e.ClaimRefused(1, "T01", 4, "flush", "stud-main", (), LEI, "a pair"),
        e.BetRefunded(1, "T01", 4, "stud-main", LEI, "leaves", ()),
    ) == [
        '<4>round held table=T01 round=17 code=card_repeated text="a card came more often than the packs hold it"',
        '<6>card entered table=T01 hand=3 index=2 card=AS was=?? by="lei (supervisor)"',
        '<6>round confirmed table=T01 round=17 by="lei (supervisor)" why="seen on camera"',
        '<6>round voided table=T01 round=18 cause=misdeal by=""',
        '<6>dealt without a bet table=T01 round=18 seats="5, 6" by="lei (supervisor)" why=seen',
        '<4>claim refused table=T01 seat=4 tier=flush pool=stud-main by="lei (supervisor)" why="a pair"',
        '<6>carried bet given back table=T01 seat=4 pool=stud-main by="lei (supervisor)" why=leaves',
    ]


def test_tables_devices_pools_and_alarms_are_told(lines: Lines) -> None:
    assert told(
        lines,
        e.PoolOpened(1, stud_pool(), ()),
        e.TableSet(1, TABLE),
        e.TableOpened(1, "T01", LEI),
        e.TableClosed(1, "T01", LEI),
        e.DealChanged(1, "T01", "shoe", "shuffler", LEI, "it jams"),
        e.DayClosed(1, 4, LEI, (), ("T02 round 5",), (), ("T01 seat 4 stud-main",)),
        e.DayProvisional(1, 4, (e.ClockDoubt(1, "jumped", -3_600_000),)),
        e.ClockNoted(1, 4, synchronised=False),
        e.ClockJumped(1, 4, -3_600_000),
        e.OperatorChanged(1, By("root", "admin"), "lei", "supervisor", "lei", "added"),
        e.DeviceTaken(1, "T01", "panel", "BP-0001", 1, 1, 0),
        e.DeviceForeign(1, "T01", "panel", "BP-0002"),
        e.DeviceVoted(1, "T01", "panel", "BP-0002", WONG, "broken"),
        e.DeviceReplaced(1, "T01", "panel", "BP-0002", "BP-0001", (WONG, LEI), "broken"),
        e.DeviceOnline(1, "T01", "panel"),
        e.DeviceOffline(1, "T01", "panel", "no answer"),
        e.AlarmRaised(1, "held-T01", "held", "the round is held", "T01", "", "look"),
        e.AlarmCleared(1, "held-T01"),
        e.PoolSuspended(1, POOL, "the ledger's chain breaks at row 7"),
        e.PoolRestarted(1, POOL, "h", ()),
    ) == [
        '<6>pool opened pool=stud-main rules=stud seed="500000.00 MOP"',
        "<6>table set table=T01 pools=stud-main seats=7",
        '<6>table opened table=T01 by="lei (supervisor)"',
        '<6>table closed table=T01 by="lei (supervisor)"',
        '<4>table deals otherwise table=T01 deal=shoe was=shuffler by="lei (supervisor)" why="it jams"',
        (
            '<6>day closed day=4 by="lei (supervisor)" held_rounds="T02 round 5" pending_hits="" '
            'carried_bets="T01 seat 4 stud-main"'
        ),
        "<4>day provisional day=4 why=jumped",
        "<4>clock day=4 synchronised=False",
        "<3>the clock was set day=4 by_ms=-3600000",
        '<6>operator changed operator=lei role=supervisor change=added by="root (admin)"',
        "<6>device taken table=T01 device=panel serial=BP-0001 journal=1",
        "<4>another board answers table=T01 device=panel serial=BP-0002",
        '<6>device accepted by one table=T01 device=panel serial=BP-0002 by="wong (surveillance)" why=broken',
        (
            "<4>device replaced table=T01 device=panel serial=BP-0002 was=BP-0001 "
            'by="wong (surveillance), lei (supervisor)" why=broken'
        ),
        "<6>device back table=T01 device=panel",
        '<4>device lost table=T01 device=panel why="no answer"',
        '<4>alarm raised alarm=held-T01 text="the round is held"',
        "<6>alarm cleared alarm=held-T01",
        '<2>pool suspended pool=stud-main why="the ledger\'s chain breaks at row 7"',
        "<6>pool restarted pool=stud-main hit=h",
    ]


def test_cards_and_bets_make_no_line(lines: Lines) -> None:
    assert told(lines, e.BetRecorded(1, "T01", 3, "ante", True, 1), e.CardTaken(1, "T01", "3", "AS", "shoe")) == []
    assert not LINES.keys() & {e.BetRecorded, e.CardTaken, e.RoundLocked, e.RoundSettled}


def test_a_person_cannot_break_a_line_with_a_reason(lines: Lines) -> None:
    (said,) = told(lines, e.HitRejected(1, "h", (LEI,), 'no\n<2>hit paid hit=h slip="1', (), ()))
    assert len(said.splitlines()) == 1
    assert 'why="no\\n<2>hit paid hit=h slip=\\"1"' in said
