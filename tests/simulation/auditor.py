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

from tests.core import reference_baccarat, reference_settlement, reference_stud
from tests.core.reference_settlement import Book, Terms
from tests.simulation.truth import Coup, Truth

STUD_TIERS = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")
# Between two crystals and a poll, nobody can say which of a chip and a key came first.
UNSURE_S = 0.25
# A lock that was heard only when its device was reached again: what was moved about then has no order.
UNHEARD_S = 5.0
ATOMS_PER_MINOR = 1_000_000


class Violation(AssertionError):  # noqa: N818  # what an auditor finds is no error of his
    """Something that must never be. `check` names which promise it breaks."""

    def __init__(self, check: str, text: str) -> None:
        super().__init__(f"{check}: {text}")
        self.check = check


class PoolBook:
    """One pool as the auditor keeps it, in atoms, and every amount that was ever committed."""

    def __init__(
        self, terms: Terms, approvals: dict[str, Fraction], bet: Fraction, rate: Fraction, reserve_rate: Fraction
    ) -> None:
        self.terms = terms
        self.approvals = approvals
        self.bet = bet
        self.rate = rate
        self.reserve_rate = reserve_rate
        self.pool = Fraction(0)
        self.reserve = Fraction(0)
        self.ledger: dict[str, int] = {}
        self.history: list[tuple[float, int]] = []
        self.shown_at = 0  # the oldest committed amount that a sign may still show

    def current(self, since_s: float) -> set[int]:
        """The amounts that were true at some moment since then."""
        found: set[int] = set()
        for at_s, amount in reversed(self.history):
            found.add(amount)
            if at_s <= since_s:
                break
        return found

    def bets(self, count: int) -> None:
        """Contributions."""
        self.pool += count * self.bet * self.rate
        self.reserve += count * self.bet * self.reserve_rate


class Auditor:
    """All pools and tables of a site."""

    def __init__(self, truth: Truth, pools: dict[str, PoolBook], tables: dict[str, str], now_s: Callable[[], float]):
        self.pools = pools
        self.rounds = {"locked": 0, "exact": 0, "settled": 0, "void": 0, "held": 0, "prizes": 0}
        self.facts = 0
        self._truth = truth
        self._tables = tables  # table -> pool
        self._now_s = now_s
        self._rows = 0
        self._names: set[tuple[str, int, int]] = set()
        self._counted: set[tuple[str, int]] = set()
        self._held: set[str] = set()
        self._late_locks: set[str] = set()  # tables whose dealer locked while nobody listened
        self._live: dict[str, set[int]] = {}
        self._carried: dict[str, set[int]] = {table: set() for table in tables}
        self._unexplained: dict[str, str] = {}
        self._expected: dict[str, dict[str, dict[int, int]]] = {}  # table -> tier -> seat -> prize
        self._totals: dict[str, int] = {}
        self._statuses: dict[str, str] = {}
        self._hits: dict[str, tuple[int, bool]] = {}  # from the pool, and whether the pool restarted by it
        self.clock_jumps = 0
        self._clock_told = 0  # how many of them there were when the ledger last had one

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
            reserve = book.ledger.get("reserve", 0)
            self._require("pool", reserve == book.reserve, f"{name}: reserve {reserve}, the felt makes {book.reserve}")
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
        source, seq = row["source"], row["seq"]
        board = self._truth.boards.get(source)
        self._require("facts", board is not None, f"a fact of {source}, which is no device")
        assert board is not None
        self._require("facts", seq <= len(board.noted), f"{source} never noted event {seq}")
        self._require("facts", bytes.fromhex(row["raw"]) == board.noted[seq - 1], f"event {seq} of {source} differs")
        self._require("once", (source, seq) not in self._counted, f"event {seq} of {source} is in the ledger twice")
        self._counted.add((source, seq))

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
        book = self.pools[row["postings"][0]["account"].partition(":")[2]]
        book.pool += book.terms["seed"]

    def _round_locked(self, row: dict[str, Any]) -> None:
        table = row["table"]
        (taken,) = row["contributions"]
        new, carried = set(taken["seats"]), set(taken["carried_seats"])
        self.rounds["locked"] += 1
        self._held.discard(table)
        coup = self._truth.coup_at(table)
        certain, possible = (set[int](), set[int]())
        if coup is not None and coup.lock_s is not None:
            unsure_s = UNHEARD_S if table in self._late_locks else UNSURE_S
            certain, possible = coup.bettors(unsure_s)
        elif coup is not None:
            possible = {move.seat for move in coup.moves}  # held before the lock
        known = self._carried[table]
        self._require("carried", carried <= known, f"table {table}: {carried} take part carried, {known} were")
        if not certain - known <= new <= possible - known:
            self._unexplained[table] = f"bets of {sorted(new)}, the felt had {sorted(certain)} to {sorted(possible)}"
        elif certain == possible:
            self.rounds["exact"] += 1
        self._carried[table] = known - carried
        self._live[table] = new | carried
        self.pools[self._tables[table]].bets(len(new))

    def _round_held(self, row: dict[str, Any]) -> None:
        if row["table"] not in self._held:
            self.rounds["held"] += 1
        self._held.add(row["table"])
        self._unexplained.pop(row["table"], None)

    def _round_confirmed(self, row: dict[str, Any]) -> None:
        self._held.discard(row["table"])

    def _round_voided(self, row: dict[str, Any]) -> None:
        table = row["table"]
        self._held.discard(table)
        self.rounds["void"] += 1
        live = self._live.pop(table, set())
        carried = {int(seat) for seat in row["carried"]}
        self._require("carried", carried == live, f"table {table}: {carried} carried, {live} were in")
        self._carried[table] |= live
        coup = self._truth.coup_at(table)
        if row["by"] is not None:
            self._require("voids", table in self._truth.voids_asked, f"nobody asked for table {table} to be void")
        else:
            pressed = coup is not None and (coup.void_pressed or coup.exposed >= 2)
            self._require("voids", pressed, f"table {table}: nothing on the felt makes the round void")

    def _round_settled(self, row: dict[str, Any]) -> None:
        table = row["table"]
        self._require("held", table not in self._held, f"table {table}: a held round is settled")
        coup = self._truth.coup_at(table)
        self._require("cards", coup is not None, f"table {table}: settled, and no round was dealt")
        assert coup is not None
        self.rounds["settled"] += 1
        hands = {hand: tuple(cards) for hand, cards in row["hands"].items()}
        self._require("cards", hands == coup.hands, f"table {table}: {hands}, dealt were {coup.hands}")
        live = self._live.pop(table, set())
        paid = self._pay(self.pools[self._tables[table]], coup, live)
        self.rounds["prizes"] += len(paid)
        self._expected[table] = paid

    def _pay(self, book: PoolBook, coup: Coup, live: set[int]) -> dict[str, dict[int, int]]:
        """The prizes that the felt makes; the pool falls by them."""
        done: Book
        if coup.game == "stud":
            tiers = {seat: reference_stud.described(coup.hands[str(seat)])[0] for seat in live - coup.folds}
            winners = {seat: tier for seat, tier in tiers.items() if tier in STUD_TIERS}
            done = reference_settlement.stud(book.terms, book.pool, book.reserve, 0, winners)
        else:
            tier = reference_baccarat.of_a_kind([*coup.hands["player"], *coup.hands["banker"]])
            if tier is None:
                return {}
            done = reference_settlement.baccarat(book.terms, book.pool, book.reserve, 0, tier, sorted(live))
        book.pool, book.reserve = done.pool, done.reserve
        paid: dict[str, dict[int, int]] = {}
        for tier, seat, amount in done.paid:
            paid.setdefault(tier, {})[seat] = int(amount)
        return paid

    def _prize_locked(self, row: dict[str, Any]) -> None:
        table = row["table"]
        self._require("held", table not in self._held, f"table {table}: a held round pays")
        awards = {award["seat"]: int(award["atoms"]) for award in row["awards"]}
        expected = self._expected.get(table, {}).pop(row["tier"], None)
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
        self.pools[row["hit"].split(".")[2]].pool += from_pool

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
        self._require("clock", self._clock_told < self.clock_jumps, f"nobody set the clock by {row['by_ms']} ms")
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

    def acknowledged(self, serial: str, event_id: int) -> None:
        """A device was acknowledged an event: from now on the ledger must have it."""
        self._require("acknowledged", (serial, event_id) in self._counted, f"event {event_id} of {serial} is not there")

    def finish(self) -> None:
        """Every acknowledged event is in the ledger, every other is kept by its device."""
        for board in self._truth.boards.values():
            for event_id in range(1, board.acknowledged + 1):
                self.acknowledged(board.serial, event_id)
            kept = board.acknowledged + board.held == len(board.noted)
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
