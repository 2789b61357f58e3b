"""Who may do what at the control socket, and when it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jackpotd.core import entries as e
from jackpotd.core.errors import RuleError
from jackpotd.core.facts import ClockSaid
from jackpotd.daemon.control_ops import OPERATIONS, Who
from jackpotd.daemon.identity import RefusedError
from jackpotd.daemon.inbox import Item
from jackpotd.daemon.operators import Record
from jackpotd.daemon.tokens import TOKEN_MS, WAIT_MS
from jackpotd.ledger.port import Archived, Head, Mark
from jackpotd.messages import control as m
from jackpotd.messages.base import MessageError
from tests.support.desk import CONSOLE, NOBODY, PASSWORD, ROOT, Room, room

# ---- everybody


def test_every_operation_of_the_messages_is_done_and_no_other() -> None:
    assert OPERATIONS.keys() == m.OPERATIONS.keys()


def test_an_operation_that_nobody_knows_is_named(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        with pytest.raises(RefusedError, match=r"there is no operation hit\.steal"):
            await here.ask(ROOT, "hit.steal")
        with pytest.raises(MessageError, match=r"table\.open: table"):
            await here.ask(ROOT, "table.open")

    room(tmp_path, work)


@pytest.mark.parametrize("op", sorted(op for op, one in OPERATIONS.items() if one.who is Who.ANYBODY))
def test_looking_takes_no_operator_but_a_token_that_is_shown_must_be_good(tmp_path: Path, op: str) -> None:
    async def work(here: Room) -> None:
        await here.ask(NOBODY, op)
        assert await here.refused(NOBODY, op, "forged") == "login"

    room(tmp_path, work)


_ARGS: dict[str, dict[str, Any]] = {
    "hit.approve": {"hit": "h"},
    "hit.reject": {"hit": "h", "why": "because"},
    "hit.pay": {"hit": "h", "slip": "1"},
    "table.open": {"table": "T01"},
    "table.close": {"table": "T01"},
    "device.replace": {"table": "T01", "device": "shoe", "why": "because"},
    "table.deal": {"table": "T01", "deal": "shoe", "why": "because"},
    "round.void": {"table": "T01", "why": "because"},
    "round.confirm": {"table": "T01", "why": "because"},
    "round.card": {"table": "T01", "hand": "0", "index": 1, "card": "TS"},
    "round.dealt": {"table": "T01", "seats": [5], "why": "because"},
    "round.refuse": {"table": "T01", "seat": 4, "pool": "stud-main", "why": "because"},
    "round.refund": {"table": "T01", "seat": 4, "pool": "stud-main", "why": "because"},
    "alarm.ack": {"alarm": "held-T01"},
    "pool.apply": {"pool": "stud-main", "why": "because"},
    "pool.adjust": {"pool": "stud-main", "why": "because", "amount": "+1.00"},
    "pool.transfer": {"pool": "stud-main", "why": "because", "into": "other"},
    "pool.retire": {"pool": "stud-main", "why": "because", "to": "house"},
    "pool.suspend": {"pool": "stud-main", "why": "because"},
    "pool.resume": {"pool": "stud-main", "why": "because"},
    "ledger.archive": {
        "day": 1,
        "first": 1,
        "last": 2,
        "closed": 2,
        "facts": 1,
        "rows": "0" * 64,
        "sha256": "0" * 64,
        "file": "facts-000000000001-000000000002.jsonl",
    },
    "ledger.drop": {"rows": [1]},
    "operator.add": {"name": "eve", "role": "supervisor", "password": PASSWORD},
    "operator.disable": {"name": "ana"},
    "operator.passwd": {"name": "ana", "password": PASSWORD},
}


@pytest.mark.parametrize("op", sorted(op for op, one in OPERATIONS.items() if one.who is Who.OPERATOR))
def test_whoever_is_no_operator_decides_nothing_root_included(tmp_path: Path, op: str) -> None:
    async def work(here: Room) -> None:
        for peer in (ROOT, NOBODY):
            assert await here.refused(peer, op, **_ARGS.get(op, {})) == "not_allowed"
            assert await here.refused(peer, op, "forged", **_ARGS.get(op, {})) == "login"

    room(tmp_path, work)


@pytest.mark.parametrize("op", sorted(op for op, one in OPERATIONS.items() if one.who is Who.ADMINISTRATOR))
def test_an_operator_administers_nothing(tmp_path: Path, op: str) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        token = await here.token("ana")
        assert await here.refused(CONSOLE, op, token, **_ARGS.get(op, {})) == "not_allowed"
        assert here.reloads == 0

    room(tmp_path, work)


# ---- acts


def test_the_unix_user_says_who_acts(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.ask(ROOT, "operator.add", name="ana", role="supervisor", unix_user="nobody")
        assert (await here.ask(NOBODY, "table.close", table="T01"))["phase"] == "closed"
        (closed,) = (row for row in await here.rows() if isinstance(row, e.TableClosed))
        assert (closed.by.name, closed.by.role) == ("ana", "supervisor")
        assert await here.refused(CONSOLE, "table.open", table="T01") == "not_allowed"

    room(tmp_path, work)


def test_a_token_says_who_acts_whatever_the_unix_user(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana", unix_user="nobody")
        await here.add("rui")
        await here.ask(NOBODY, "table.close", await here.token("rui", NOBODY), table="T01")
        (closed,) = (row for row in await here.rows() if isinstance(row, e.TableClosed))
        assert closed.by.name == "rui"

    room(tmp_path, work)


def test_the_wrong_role_is_refused_and_nothing_is_recorded(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("tec", "technician")
        token = await here.token("tec")
        before = len(await here.rows())
        with pytest.raises(RuleError, match="tec is technician: this takes supervisor"):
            await here.ask(CONSOLE, "table.close", token, table="T01")
        assert len(await here.rows()) == before

    room(tmp_path, work)


def test_an_act_is_answered_only_when_the_ledger_has_it(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        token = await here.token("ana")
        reached, gate = asyncio.Event(), asyncio.Event()
        append = here.writer.append

        async def slow(bodies: Sequence[bytes], marks: Sequence[Mark], archives: Sequence[Archived] = ()) -> Head:
            reached.set()
            await gate.wait()
            return await append(bodies, marks, archives)

        here.writer.append = slow  # type: ignore[method-assign]
        asked = asyncio.ensure_future(here.ask(CONSOLE, "table.close", token, table="T01"))
        await reached.wait()
        await asyncio.sleep(0)
        assert not asked.done()
        assert here.desk.board.tables["T01"].phase == "open"
        gate.set()
        assert (await asked)["phase"] == "closed"

    room(tmp_path, work)


def test_who_asks_again_after_a_lost_answer_is_told_how_it_stands(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        token = await here.token("ana")
        await here.ask(CONSOLE, "table.close", token, table="T01")
        with pytest.raises(RuleError, match="table T01 is closed already"):
            await here.ask(CONSOLE, "table.close", token, table="T01")

    room(tmp_path, work)


def test_closing_the_day_answers_with_its_meters(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("acc", "accounting")
        closed = await here.ask(CONSOLE, "day.close", await here.token("acc"))
        assert closed["day"] == 1
        assert {"pool": "stud-main", "opening": "500000.00", "closing": "500000.00"} in closed["meters"]
        assert (await here.ask(ROOT, "status"))["day"] == 2

    room(tmp_path, work)


def test_a_day_whose_clock_was_in_doubt_is_closed_as_provisional_and_says_why(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("acc", "accounting")
        said = ClockSaid(synchronised=False, jump_ms=-86_400_000, calm=False)
        here.desk.inbox.put_now(Item("", "", said, 1, 1, 1))
        jumped = {"at": "1970-01-01T00:00:00.001Z", "why": "jumped", "by_ms": -86_400_000}
        unsynchronised = {"at": "1970-01-01T00:00:00.001Z", "why": "unsynchronised", "by_ms": 0}
        closed = await here.ask(CONSOLE, "day.close", await here.token("acc"), day=1)
        assert closed["provisional"] == [jumped, unsynchronised]
        (next_day,) = (await here.ask(ROOT, "status"))["provisional"]
        assert next_day["why"] == "unsynchronised"
        here.desk.inbox.put_now(Item("", "", ClockSaid(synchronised=True, jump_ms=0, calm=True), 1, 1, 1))
        assert (await here.ask(CONSOLE, "day.close", await here.token("acc"), day=2))["provisional"] == [next_day]
        assert (await here.ask(CONSOLE, "day.close", await here.token("acc"), day=3))["provisional"] == []
        assert (await here.ask(ROOT, "status"))["provisional"] == []

    room(tmp_path, work)


# ---- passwords and tokens


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        said = []
        for name in ("ana", "nobody-here"):
            with pytest.raises(RefusedError) as caught:
                await here.token(name, password="wrong")
            said.append((caught.value.code, str(caught.value)))
        assert said[0] == said[1]
        assert said[0][0] == "login"

    room(tmp_path, work)


def test_a_guesser_waits_and_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        for _ in range(5):
            assert await here.refused(NOBODY, "login", name="ana", password="wrong") == "login"
        with pytest.raises(RefusedError, match=r"too many wrong passwords: try again in \d+ s"):
            await here.token("ana", NOBODY)
        assert await here.token("ana", CONSOLE)
        here.clock.passed_ms += WAIT_MS
        assert await here.token("ana", NOBODY)

    room(tmp_path, work)


def test_guesses_side_by_side_gain_nothing(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        guesses = [here.refused(NOBODY, "login", name="ana", password="wrong") for _ in range(16)]
        await asyncio.gather(*guesses)
        assert await here.refused(NOBODY, "login", name="ana", password=PASSWORD) == "login"

    room(tmp_path, work)


def test_a_token_ends_with_its_five_minutes(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        token = await here.token("ana")
        here.clock.passed_ms += TOKEN_MS
        with pytest.raises(RefusedError, match="log in again"):
            await here.ask(CONSOLE, "table.close", token, table="T01")

    room(tmp_path, work)


def test_a_token_is_no_good_to_another_unix_user(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        token = await here.token("ana", CONSOLE)
        assert await here.refused(NOBODY, "table.close", token, table="T01") == "login"

    room(tmp_path, work)


@pytest.mark.parametrize(("op", "args"), [("operator.disable", {}), ("operator.passwd", {"password": "another horse"})])
def test_who_is_disabled_or_has_another_password_is_logged_out(tmp_path: Path, op: str, args: dict[str, str]) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        token = await here.token("ana")
        await here.ask(ROOT, op, name="ana", **args)
        assert await here.refused(CONSOLE, "table.close", token, table="T01") == "login"
        assert await here.refused(CONSOLE, "login", name="ana", password=PASSWORD) == "login"

    room(tmp_path, work)


# ---- operators


def test_every_change_of_an_operator_is_an_entry_without_the_secret(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        await here.ask(ROOT, "operator.passwd", name="ana", password="another horse")
        await here.ask(ROOT, "operator.disable", name="ana")
        assert await here.changes() == [("ana", "added"), ("ana", "password"), ("ana", "disabled")]
        (first, *_) = (row for row in await here.rows() if isinstance(row, e.OperatorChanged))
        assert (first.by.name, first.by.role) == ("root", "admin")
        assert "horse" not in repr(await here.rows())
        assert "argon2" not in repr(await here.rows())

    room(tmp_path, work)


def test_an_operator_is_added_once_until_he_is_disabled(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        assert (
            await here.refused(ROOT, "operator.add", name="ana", role="accounting", password="mine now!") == "refused"
        )
        assert await here.token("ana")
        await here.ask(ROOT, "operator.disable", name="ana")
        await here.add("ana", "accounting")
        assert (await here.ask(ROOT, "operator.list"))[0]["role"] == "accounting"

    room(tmp_path, work)


def test_one_unix_user_is_one_operator_or_two_persons_could_be_one(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana", unix_user="nobody")
        with pytest.raises(RefusedError, match="the Unix user nobody is operator ana already"):
            await here.add("rui", "surveillance", unix_user="nobody")
        with pytest.raises(RefusedError, match="there is no Unix user no-such-user"):
            await here.add("rui", "surveillance", unix_user="no-such-user")
        assert await here.changes() == [("ana", "added")]

    room(tmp_path, work)


def test_an_operator_whom_nothing_would_prove_is_not_added(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        assert await here.refused(ROOT, "operator.add", name="ana", role="supervisor") == "refused"
        assert await here.changes() == []

    room(tmp_path, work)


def test_who_is_not_there_cannot_be_disabled_or_given_a_password(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        assert await here.refused(ROOT, "operator.disable", name="eve") == "refused"
        assert await here.refused(ROOT, "operator.passwd", name="eve", password=PASSWORD) == "refused"

    room(tmp_path, work)


def test_an_operator_put_into_the_file_behind_the_ledgers_back_is_nobody(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        operators = here.desk.operators
        await operators.put(Record("eve", "supervisor", "nobody", await operators.hashed(PASSWORD), disabled=False))
        assert await here.refused(NOBODY, "table.close", table="T01") == "not_allowed"
        assert await here.refused(CONSOLE, "login", name="eve", password=PASSWORD) == "login"
        assert (await here.ask(ROOT, "operator.list"))[0]["active"] is False

    room(tmp_path, work)


def test_a_role_changed_in_the_file_behind_the_ledgers_back_makes_him_nobody(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("tec", "technician")
        token = await here.token("tec")
        record = here.desk.operators.records["tec"]
        await here.desk.operators.put(Record("tec", "supervisor", "", record.secret, disabled=False))
        assert await here.refused(CONSOLE, "table.close", token, table="T01") == "login"

    room(tmp_path, work)


def test_an_operator_whose_adding_was_cut_short_can_be_added_again(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.desk.operators.put(Record("ana", "accounting", "", "half", disabled=False))
        await here.add("ana")
        assert await here.token("ana")

    room(tmp_path, work)


def test_an_operator_whose_file_is_lost_is_disabled_and_added_anew(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        await here.add("ana")
        here.desk.operators._records.clear()
        assert await here.refused(ROOT, "operator.add", name="ana", role="supervisor", password=PASSWORD) == "refused"
        await here.ask(ROOT, "operator.disable", name="ana")
        await here.add("ana")
        assert await here.token("ana")

    room(tmp_path, work)


def test_root_and_the_services_user_reload_and_nobody_else(tmp_path: Path) -> None:
    async def work(here: Room) -> None:
        assert await here.refused(NOBODY, "reload") == "not_allowed"
        await here.ask(ROOT, "reload")
        assert here.reloads == 1

    room(tmp_path, work)
