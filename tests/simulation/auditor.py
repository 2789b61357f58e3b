"""The auditor: recomputes every pool from what the devices know, and holds the ledger and the signs against it.

Laws
1. It shares no import with the program: rows are JSON to it, prizes come from the plain references of the tests.
2. The ledger says in which order things happened; how much, by whom and for which cards, the felt says.
3. What it finds is a `Violation` that names the check, at the moment at which it is seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.core import reference_stud
from tests.simulation.terms import PoolBook
from tests.simulation.truth import PROGRESSIVES, Coup, Event, Truth

STUD_TIERS = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")
# Between two crystals and a poll, nobody can say which of a chip and a key came first.
UNSURE_S = 0.25
# A lock that was heard only when its device was reached again: what was moved about then has no order.
UNHEARD_S = 5.0
ATOMS_PER_MINOR = 1_000_000


Seats = dict[str, set[int]]  # by pool


class Violation(AssertionError):  # noqa: N818  # what an auditor finds is no error of his
    """Something that must never be. `check` names which promise it breaks."""

    def __init__(self, check: str, text: str) -> None:
        super().__init__(f"{check}: {text}")
        self.check = check


class Auditor:
    """All pools and tables of a site."""

    def __init__(
        self,
        truth: Truth,
        pools: dict[str, PoolBook],
        tables: dict[str, tuple[str, ...]],
        now_s: Callable[[], float],
    ) -> None:
        self.pools = pools
        self.rounds = {"locked": 0, "exact": 0, "settled": 0, "void": 0, "held": 0, "prizes": 0}
        self.facts = 0
        self._truth = truth
        self._tables = tables  # table -> the pools that its bets are on
        self._now_s = now_s
        self._rows = 0
        self._names: set[tuple[str, int, int]] = set()
        self._counted: set[Event] = set()
        self._doubted: set[str] = set()  # tables whose round was held at some time
        self._held: set[str] = set()
        self._late_locks: set[str] = set()  # tables whose dealer locked while nobody listened
        self._judged: dict[str, int] = {}  # table -> the last coup on the felt that was settled or void
        self._live: dict[str, Seats] = {}
        self._carried: dict[str, Seats] = {table: {pool: set() for pool in pools} for table, pools in tables.items()}
        self._unexplained: dict[str, str] = {}
        self._expected: dict[str, dict[tuple[str, str], dict[int, int]]] = {}  # table -> pool, tier -> seat -> prize
        self._totals: dict[str, int] = {}
        self._statuses: dict[str, str] = {}
        self._hits: dict[str, tuple[int, bool]] = {}  # from the pool, and whether the pool restarted by it
        self.clock_jumps = 0
        self._clock_told = 0  # how many of them there were when the ledger last had one
        self._clock_rows = 0

    # ---- what the ledger commits

    def committed(self, first: int, rows: Sequence[bytes]) -> None:
        """A batch is durable: each row is judged, then the pools are held against the books."""
        self._require("chain", first == self._rows + 1, f"row {first} follows row {self._rows}")
        self._rows += len(rows)
        fell = False
        self._unexplained.clear()
        self._expected.clear()
        for body in rows:
            row = json.loads(body)
            if row["row"] == "fact":
                self._fact(row)
                continue
            self._post(row)
            judge = _JUDGES.get(row["kind"])
            if judge is not None:
                judge(self, row)
            fell = fell or row["kind"] in ("prize_locked", "pool_restarted", "hit_rejected")
        for table, why in self._unexplained.items():
            raise Violation("bets", f"table {table}: {why}, and the round is not held")
        for table, prizes in self._expected.items():
            self._require("prizes", not prizes, f"table {table}: not locked: {prizes}")
        self._balance(fell)

    def _balance(self, fell: bool) -> None:
        for name, book in self.pools.items():
            held = book.ledger.get("pool", 0)
            self._require("pool", held == book.pool, f"{name}: the ledger has {held}, the felt makes {book.pool}")
            for account, kept in (("reserve", book.reserve), ("overflow", book.overflow)):
                has = book.ledger.get(account, 0)
                self._require("pool", has == kept, f"{name}: {account} {has}, the felt makes {kept}")
            minor = held // ATOMS_PER_MINOR
            if not book.history or book.history[-1][1] != minor:
                falls = bool(book.history) and minor < book.history[-1][1]
                self._require("falls", not falls or fell, f"{name} fell to {minor} without a reason")
                book.history.append((self._now_s(), minor))

    def _fact(self, row: dict[str, Any]) -> None:
        self.facts += 1
        name = (row["source"], row["journal"], row["seq"])
        self._require("once", name not in self._names, f"fact {name} is in the ledger twice")
        self._names.add(name)
        if row["what"]["kind"] == "bets_locked":
            (self._late_locks.add if row["stale"] else self._late_locks.discard)(row["table"])
        if row["grade"] != "journaled" or not row["raw"]:
            return
        source, journal, seq = row["source"], row["journal"], row["seq"]
        board = self._truth.boards.get(source)
        self._require("facts", board is not None, f"a fact of {source}, which is no device")
        assert board is not None
        self._require("facts", journal <= board.journal, f"{source} had {board.journal} journals, this is {journal}")
        noted = board.noted if journal == board.journal else board.past[journal - 1]
        self._require("facts", seq <= len(noted), f"{source} never noted event {seq}")
        self._require("facts", bytes.fromhex(row["raw"]) == noted[seq - 1], f"event {seq} of {source} differs")
        event = source, journal, seq
        self._require("once", event not in self._counted, f"event {seq} of {source} is in the ledger twice")
        self._counted.add(event)

    def _post(self, row: dict[str, Any]) -> None:
        postings = row.get("postings", ())
        self._require("money", sum(int(p["atoms"]) for p in postings) == 0, f"{row['kind']} does not balance")
        for posting in postings:
            account, _, pool = posting["account"].partition(":")
            ledger = self.pools[pool].ledger
            ledger[account] = ledger.get(account, 0) + int(posting["atoms"])
            negative = account in ("pool", "reserve", "overflow") and ledger[account] < 0
            self._require("money", not negative, f"{posting['account']} is below zero")

    # ---- entries

    def _pool_opened(self, row: dict[str, Any]) -> None:
        self.pools[row["postings"][0]["account"].partition(":")[2]].opens()

    def _round_locked(self, row: dict[str, Any]) -> None:
        table = row["table"]
        self.rounds["locked"] += 1
        self._held.discard(table)
        self._live[table] = {}
        taken = {one["pool"]: one for one in row["contributions"]}
        self._require("bets", list(taken) == list(self._tables[table]), f"table {table}: the pools of {list(taken)}")
        exact = [
            self._bets(table, pool, place, set(taken[pool]["seats"]), set(taken[pool]["carried_seats"]))
            for pool, place in zip(taken, PROGRESSIVES, strict=False)
        ]
        self.rounds["exact"] += all(exact)
        bet = sum(len(one["seats"]) * self.pools[pool].bet for pool, one in taken.items())
        wagers = sum(int(p["atoms"]) for p in row["postings"] if p["account"].startswith("wagers:"))
        self._require("money", -wagers == bet, f"table {table}: {-wagers} of the wagers went somewhere, {bet} were bet")

    def _bets(self, table: str, pool: str, place: int, new: set[int], carried: set[int]) -> bool:
        """What one pool took of a round, against the felt; whether nothing of it was in doubt."""
        coup = self._truth.coup_at(table)
        certain, possible = (set[int](), set[int]())
        if coup is not None and coup.lock_s is not None and coup.number != self._judged.get(table):
            unsure_s = UNHEARD_S if table in self._late_locks else UNSURE_S
            certain, possible = coup.bettors(place, unsure_s)
        elif coup is not None:
            possible = {move.seat for move in coup.moves}  # held before the lock, or void before the lock was heard
        known = self._carried[table][pool]
        self._require("carried", carried <= known, f"table {table}: {carried} take part carried, {known} were")
        if not certain - known <= new <= possible - known:
            self._unexplained[table] = (
                f"{pool} has bets of {sorted(new)}, the felt had {sorted(certain)} to {sorted(possible)}"
            )
        self._carried[table][pool] = known - carried
        self._live[table][pool] = new | carried
        book = self.pools[pool]
        book.feed(len(new) * book.bet, book.rate)
        for level, rate in book.levels.items():
            self.pools[level].feed(len(new) * book.bet, rate)
            self._live[table].setdefault(level, set()).update(new | carried)
        return table not in self._unexplained and certain == possible

    def _round_held(self, row: dict[str, Any]) -> None:
        if row["table"] not in self._held:
            self.rounds["held"] += 1
        self._held.add(row["table"])
        self._doubted.add(row["table"])
        self._unexplained.pop(row["table"], None)

    def _round_confirmed(self, row: dict[str, Any]) -> None:
        self._held.discard(row["table"])

    def _round_voided(self, row: dict[str, Any]) -> None:
        table = row["table"]
        self._held.discard(table)
        self._doubted.discard(table)
        self.rounds["void"] += 1
        live = self._live.pop(table, {})
        for pool, waiting in self._carried[table].items():
            carried = {int(seat) for seat, pools in row["carried"].items() if pool in pools}
            were_in = live.get(pool, set())
            self._require("carried", carried == were_in, f"table {table}, {pool}: {carried} carried, {were_in} were in")
            waiting |= were_in
        coup = self._truth.coup_at(table)
        if coup is not None:
            self._judged[table] = coup.number
        if row["by"] is not None:
            self._require("voids", table in self._truth.voids_asked, f"nobody asked for table {table} to be void")
        else:
            pressed = coup is not None and (coup.void_pressed or coup.exposed >= 2)
            self._require("voids", pressed, f"table {table}: nothing on the felt makes the round void")

    def _round_settled(self, row: dict[str, Any]) -> None:
        table = row["table"]
        self._require("held", table not in self._held, f"table {table}: a held round is settled")
        coup = self._truth.coup_at(table)
        over = coup is None or self._judged.get(table) == coup.number
        if over and not any(self._live.get(table, {"": {0}}).values()):
            return  # what a lock that was heard late had locked, without a bet; the dealer ends it
        self._require("cards", coup is not None, f"table {table}: settled, and no round was dealt")
        assert coup is not None
        self.rounds["settled"] += 1
        self._judged[table] = coup.number
        hands = {hand: tuple(cards) for hand, cards in row["hands"].items()}
        as_dealt = hands == coup.hands if coup.is_read else hands.items() <= coup.hands.items()
        self._require("cards", as_dealt, f"table {table}: {hands}, dealt were {coup.hands}")
        lost = [event for event in coup.lost if event not in self._counted]
        self._require(
            "lost", not lost or table in self._doubted, f"table {table}: settled unseen, though {lost} is lost"
        )
        self._doubted.discard(table)
        expected = self._expected[table] = {}
        for pool, seats in self._live.pop(table, {}).items():
            for tier, prizes in self._pay(pool, coup, seats).items():
                expected[pool, tier] = prizes
        self.rounds["prizes"] += len(expected)

    def _pay(self, pool: str, coup: Coup, live: set[int]) -> dict[str, dict[int, int]]:
        """The prizes that the felt makes; the pool falls by them."""
        book = self.pools[pool]
        if coup.game == "baccarat":
            return book.pay_baccarat(coup.hands["player"], coup.hands["banker"], live)
        # One whose bet people confirmed after a held lock, and who was not dealt to, has nothing to win with.
        dealt = {seat for seat in live - coup.folds if str(seat) in coup.hands}
        tiers = {seat: reference_stud.described(coup.hands[str(seat)])[0] for seat in dealt}
        if not coup.is_read:
            claimed = {(seat, tier) for seat, tier, at in coup.claims if self._plays_for(coup.table, at, pool)}
            tiers = dict(claimed & tiers.items())
        return book.pay_stud({seat: tier for seat, tier in tiers.items() if tier in STUD_TIERS})

    def _plays_for(self, table: str, at: int, pool: str) -> bool:
        """Whether a claim on the table's pool of this number is one on the pool, or on the level of it."""
        taker = self._tables[table][at]
        return pool in (taker, *self.pools[taker].levels)

    def _prize_locked(self, row: dict[str, Any]) -> None:
        table = row["table"]
        self._require("held", table not in self._held, f"table {table}: a held round pays")
        awards = {award["seat"]: int(award["atoms"]) for award in row["awards"]}
        expected = self._expected.get(table, {}).pop((row["pool"], row["tier"]), None)
        self._require("prizes", awards == expected, f"{row['hit']}: {awards}, the felt makes {expected}")
        self._require("prizes", row["hit"] not in self._hits, f"{row['hit']} is locked twice")
        self._hits[row["hit"]] = int(row["from_pool_atoms"]), False
        self._totals[row["hit"]], self._statuses[row["hit"]] = sum(awards.values()), "pending"

    def _pool_restarted(self, row: dict[str, Any]) -> None:
        for hit, (from_pool, _) in list(self._hits.items()):
            if hit.rpartition(".")[0] == row["hit"].rpartition(".")[0]:
                self._hits[hit] = from_pool, True

    def _hit_approved(self, row: dict[str, Any]) -> None:
        """Nobody, a supervisor, or two persons of two roles, by the amount (design 7)."""
        hit, voters = row["hit"], row["by"]
        total = self._totals[hit]
        terms = self.pools[hit.split(".")[2]].approvals
        alone = bool(voters) or total < terms["auto_pay_below"]
        both = len({by["name"] for by in voters}) == len({by["role"] for by in voters}) == 2
        self._require("persons", alone, f"{hit} of {total} was approved by nobody")
        self._require("persons", both or total <= terms["two_person_above"], f"{hit} of {total} by {voters}")
        self._require("persons", self._statuses.get(hit) == "pending", f"{hit} was {self._statuses.get(hit)}")
        self._statuses[hit] = "approved"

    def _hit_paid(self, row: dict[str, Any]) -> None:
        hit = row["hit"]
        self._require("persons", self._statuses[hit] == "approved", f"{hit} is paid, it was {self._statuses[hit]}")
        self._statuses[hit] = "paid"

    def _hit_rejected(self, row: dict[str, Any]) -> None:
        from_pool, restarted = self._hits[row["hit"]]
        self._require("persons", self._statuses[row["hit"]] != "paid", f"{row['hit']} was paid already")
        self._statuses[row["hit"]] = "rejected"
        self._require("rejections", not restarted, f"{row['hit']} was not to be rejected")
        self.pools[row["hit"].split(".")[2]].takes(Fraction(from_pool))

    def may_be_rejected(self, hit: str) -> bool:
        """Whether taking it back is plain: the pool did not restart by it."""
        return hit in self._hits and not self._hits[hit][1]

    # ---- the machine's clock

    def clock_was_set(self) -> int:
        """Somebody sets the wall clock; how often that was done."""
        self.clock_jumps += 1
        return self.clock_jumps

    def clock_is_told(self, by_ms: int) -> None:
        """The controller lived on: by now the gaming day is provisional."""
        told = self._clock_told == self.clock_jumps
        self._require("clock", told, f"the clock was set by {by_ms} ms, and the gaming day is not provisional")

    def _clock_jumped(self, row: dict[str, Any]) -> None:
        self._clock_rows += 1  # one for each jump, or for several together; and a row may come after the next jump
        self._require("clock", self._clock_rows <= self.clock_jumps, f"nobody set the clock by {row['by_ms']} ms")
        self._clock_told = self.clock_jumps

    # ---- signs and the end

    def shown(self, shown: dict[str, int | None]) -> None:
        """What a sign shows now is what was committed at some moment, and never an earlier one than before."""
        for name, minor in shown.items():
            if minor is None:
                continue
            book = self.pools[name]
            at = book.shown_at
            while at < len(book.history) and book.history[at][1] != minor:
                at += 1
            where = f"{name} shows {minor}, committed last {book.history[-3:]}"
            self._require("sign", at < len(book.history), where)
            book.shown_at = at

    def shown_is_right(self, shown: dict[str, int | None], within_s: float) -> None:
        """With everything well the sign shows what was true not longer than `within_s` ago."""
        for name, minor in shown.items():
            book = self.pools[name]
            self._require("fresh", minor is not None, f"{name} is neutral though all is well")
            current = book.current(self._now_s() - within_s)
            self._require("fresh", minor in current, f"{name} shows {minor}, true were {sorted(current)}")

    def shown_is_neutral(self, shown: dict[str, int | None], why: str) -> None:
        """The sign cannot know, and says so."""
        for name, minor in shown.items():
            self._require("neutral", minor is None, f"{name} shows {minor} though {why}")

    def acknowledged(self, event: Event) -> None:
        """A device was acknowledged an event: from now on the ledger must have it."""
        self._require("acknowledged", event in self._counted, f"{event} is not there")

    def finish(self) -> None:
        """Every acknowledged event is in the ledger, every other is kept by its device, unless a fault took it."""
        for board in self._truth.boards.values():
            for event_id in set(range(1, board.acknowledged + 1)) - board.gone:
                self.acknowledged((board.serial, board.journal, event_id))
            gone = sum(event_id > board.acknowledged for event_id in board.gone)
            kept = board.acknowledged + gone + board.held == len(board.noted)
            self._require(
                "kept", kept, f"{board.serial} noted {len(board.noted)}, was acknowledged {board.acknowledged}"
            )

    @staticmethod
    def _require(check: str, holds: bool, text: str) -> None:
        if not holds:
            raise Violation(check, text)


_JUDGES: dict[str, Callable[[Auditor, dict[str, Any]], None]] = {
    "pool_opened": Auditor._pool_opened,
    "round_locked": Auditor._round_locked,
    "round_held": Auditor._round_held,
    "round_confirmed": Auditor._round_confirmed,
    "round_voided": Auditor._round_voided,
    "round_settled": Auditor._round_settled,
    "prize_locked": Auditor._prize_locked,
    "pool_restarted": Auditor._pool_restarted,
    "hit_approved": Auditor._hit_approved,
    "hit_paid": Auditor._hit_paid,
    "hit_rejected": Auditor._hit_rejected,
    "clock_jumped": Auditor._clock_jumped,
}
