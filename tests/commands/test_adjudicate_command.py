"""`jackpotd adjudicate` as a user runs it: files, pipes, tables, exit codes, and 100,000 rounds."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

import pytest

from jackpotd.cli import main
from jackpotd.commands.adjudicate import HELP, answer, batches, chosen, judge_all, judge_of
from jackpotd.commands.adjudicate_in import MAX_LINE_BYTES
from jackpotd.core.errors import RuleError
from tests.support.adjudication import ACE_KING, FOUR, ROYAL, Answer, seat
from tests.support.configs import EXAMPLE, config, edited, parsed, with_levels, with_mega
from tests.support.sources import ROOT

# What the interpreter's allocator may keep; 90,000 rounds that stayed would take a hundred times as much.
GROWTH_LIMIT_KIB = 4_096
END_LIMIT_S = 60.0


def stud_line(name: str, number: int = 3) -> bytes:
    record = {"round": name, "meter": "600000.00", "dealer": ACE_KING, "seats": {str(number): seat(ROYAL["H"])}}
    return json.dumps(record).encode() + b"\n"


def coup_line(number: int) -> bytes:
    """A baccarat round with a meter of its own; one of a hundred is bad."""
    cards = ["8S", "KD", "8C", "6H"] if number % 100 else ["8S"]
    bets = [{"seat": 1, "kind": "tie", "amount": "10.00"}, {"seat": 1, "kind": "progressive"}]
    record = {"round": f"b{number}", "meter": f"{100_000 + number}.00", "cards": cards, "bets": bets}
    return json.dumps(record).encode() + b"\n"


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "jackpotd.cli", "adjudicate", "--config", str(EXAMPLE), *arguments]


@contextmanager
def adjudicating(pool: str) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]]:
    """The command as a process, with its input and output."""
    with subprocess.Popen(
        command("--pool", pool), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process, process.stdin, process.stdout
        finally:
            process.kill()


def told(capsys: pytest.CaptureFixture[str]) -> list[Answer]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_file_of_good_rounds_is_answered_in_order_and_the_exit_is_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_bytes(stud_line("r2") + b"\r\n\n" + stud_line("r1").rstrip())
    assert main(["adjudicate", "--config", str(EXAMPLE), "--pool", "stud-main", str(rounds)]) == 0
    answers = told(capsys)
    assert [one["round"] for one in answers] == ["r2", "r1"]
    assert [one["seats"]["3"]["prize"] for one in answers] == ["600000.00", "600000.00"]


def test_a_bad_round_is_told_the_others_are_judged_and_the_exit_is_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_bytes(stud_line("r1") + stud_line("r2", number=9) + b"?\n" + stud_line("r3"))
    assert main(["adjudicate", "--config", str(EXAMPLE), "--pool", "stud-main", str(rounds)]) == 1
    answers = told(capsys)
    assert [(one["round"], "error" in one) for one in answers] == [
        ("r1", False),
        ("r2", True),
        (None, True),
        ("r3", False),
    ]


def test_the_settings_are_the_named_tables_else_the_first_that_offers_the_pool(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, rounds = tmp_path / "jackpotd.toml", tmp_path / "rounds.jsonl"
    small = 'id = "T02"\npools = ["stud-main"]\nseats = '
    path.write_text(edited((f"{small}7", f"{small}4")), encoding="utf-8")
    rounds.write_bytes(stud_line("r1", number=5))
    asked = ["adjudicate", "--config", str(path), "--pool", "stud-main", str(rounds)]
    assert (main(asked), "error" in told(capsys)[0]) == (0, False)
    assert (main([*asked, "--table", "T01"]), "error" in told(capsys)[0]) == (0, False)
    assert main([*asked, "--table", "T02"]) == 1
    assert told(capsys)[0]["error"] == "seat 5 is unknown: the table has seats 1 to 4"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--pool", "nowhere"], "there is no pool nowhere"),
        (["--pool", "bac-b", "--table", "T01"], "there is no table T01 that offers bac-b"),
        (["--pool", "bac-b", "--table", "B09"], "there is no table B09 that offers bac-b"),
        (["--pool", "bac-b", "/nonexistent/rounds.jsonl"], "No such file or directory"),
        (["--pool", "bac-b", "--config", "/nonexistent/jackpotd.toml"], "cannot be read"),
    ],
)
def test_what_cannot_be_begun_is_said_and_the_exit_is_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["adjudicate", "--config", str(EXAMPLE), *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err


def test_a_pool_that_no_table_offers_has_no_settings_to_judge_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "jackpotd.toml"
    text = edited()
    second = text[text.index('[[pool]]\nid = "bac-b"') : text.index('[[table]]\nid = "B01"')]
    path.write_text(text + "\n" + second.replace('id = "bac-b"', 'id = "bac-free"'), encoding="utf-8")
    assert main(["adjudicate", "--config", str(path), "--pool", "bac-free"]) == 2
    assert capsys.readouterr().err == "no table offers bac-free\n"


def test_who_waits_for_an_answer_before_the_next_round_gets_it() -> None:
    with adjudicating("stud-main") as (process, rounds, answers):
        for name in ("r1", "r2", "r3"):
            rounds.write(stud_line(name))
            rounds.flush()
            assert json.loads(answers.readline())["round"] == name
        rounds.close()
        assert process.wait(END_LIMIT_S) == 0


def test_a_reader_that_goes_away_ends_the_run_without_a_traceback() -> None:
    with adjudicating("stud-main") as (process, rounds, answers):
        assert process.stderr is not None
        answers.close()
        rounds.write(stud_line("r1"))
        rounds.close()
        assert process.wait(END_LIMIT_S) == 1
        assert process.stderr.read() == b""


def peak_kib(process: subprocess.Popen[bytes]) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1])


def test_a_hundred_thousand_rounds_take_no_more_memory_than_ten_thousand() -> None:
    with adjudicating("bac-b") as (process, rounds, answers):
        early = 0
        for first in range(0, 100_000, 100):  # so few that neither pipe fills while the other side waits
            rounds.write(b"".join(coup_line(number) for number in range(first, first + 100)))
            rounds.flush()
            got = [json.loads(answers.readline()) for _ in range(100)]
            assert [one["round"] for one in got] == [f"b{number}" for number in range(first, first + 100)]
            assert ["error" in one for one in got] == [True] + [False] * 99
            if first == 10_000:
                early = peak_kib(process)
        assert peak_kib(process) - early < GROWTH_LIMIT_KIB
        rounds.close()
        assert process.wait(END_LIMIT_S) == 1


class Dribble(io.RawIOBase):
    """A source that gives a few bytes a read."""

    def __init__(self, content: bytes, step: int) -> None:
        super().__init__()
        self._content, self._step = io.BytesIO(content), step

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        part = self._content.read(min(self._step, len(view)))
        view[: len(part)] = part
        return len(part)


CONTENT = b"\n" + stud_line("r1") + b"  \r\n" + stud_line("r2") + b"x\n" + stud_line("r3").rstrip()


@pytest.mark.parametrize("step", [1, 2, 7, 100, 65_536])
def test_lines_are_the_same_however_they_come(step: int) -> None:
    source = cast("BinaryIO", Dribble(CONTENT, step))
    lines = [line for batch in batches(source) for line in batch]
    assert lines == [stud_line("r1").rstrip(), stud_line("r2").rstrip(), b"x", stud_line("r3").rstrip()]


@pytest.mark.parametrize("length", [MAX_LINE_BYTES + 1, 3 * MAX_LINE_BYTES, 10 * MAX_LINE_BYTES + 7])
@pytest.mark.parametrize("ending", [b"\n", b""])
def test_a_line_without_end_is_one_bad_round_and_holds_no_memory(length: int, ending: bytes) -> None:
    source, sink = io.BytesIO(stud_line("r1") + b"1" * length + ending), io.BytesIO()
    assert all(len(line) <= 2 * MAX_LINE_BYTES + 1 for batch in batches(source) for line in batch)
    source.seek(0)
    assert judge_all(source, sink, judge_of(*chosen(config(), "stud-main", None))) == 1
    answers = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert answers[0]["round"] == "r1"
    assert answers[1:] == [{"round": None, "error": f"a line of more than {MAX_LINE_BYTES} bytes is no round"}]


# ---- pools over games, and levels


def test_a_level_is_judged_by_its_own_prizes_with_the_bet_of_the_pool_that_feeds_it() -> None:
    found = parsed(with_levels())
    judge = judge_of(*chosen(found, "minor", None))
    record = {"round": "r1", "meter": "21000.00", "dealer": ACE_KING, "seats": {"3": seat(FOUR), "4": seat(ROYAL["H"])}}
    answered = answer(json.dumps(record).encode(), judge)
    assert (answered["seats"]["3"]["tier"], answered["seats"]["3"]["prize"]) == ("four_of_a_kind", "21000.00")
    assert "tier" not in answered["seats"]["4"]
    assert (answered["meter"], answered["seed_from_house"]) == ("20000.00", "20000.00")
    assert chosen(found, "minor", "T02")[1].table == "T02"
    assert chosen(found, "minor", None)[0].bet_atoms == found.pools[0].bet_atoms
    with pytest.raises(RuleError, match="no table B01 that offers minor"):
        chosen(found, "minor", "B01")


def test_a_pool_over_games_is_judged_by_the_game_of_the_table() -> None:
    found = parsed(with_mega())
    stud = judge_of(*chosen(found, "mega", None))
    royal = {"round": "r1", "meter": "600000.00", "dealer": ACE_KING, "seats": {"3": seat(ROYAL["H"])}}
    assert answer(json.dumps(royal).encode(), stud)["seats"]["3"]["prize"] == "900000.00"
    baccarat = judge_of(*chosen(found, "mega", "B01"))
    bets = [{"seat": 1, "kind": "tie", "amount": "10.00"}, {"seat": 1, "kind": "progressive", "amount": "20.00"}]
    six = {"round": "b1", "meter": "600000.00", "cards": ["KS", "KD", "KC", "KH", "KS", "KD"], "bets": bets}
    answered = answer(json.dumps(six).encode(), baccarat)
    assert (answered["tier"], answered["prize"]["paid"]) == ("six_of_a_kind", "600000.00")


def test_the_rounds_of_the_help_are_good_rounds() -> None:
    text = HELP.split(":\n", 1)[1].split("each is", 1)[0]
    stud, baccarat = ('{"round"' + round_.replace("\n", "") for round_ in text.split('{"round"')[1:])
    assert answer(stud.encode(), judge_of(*chosen(config(), "stud-main", None)))["from_pool"] == "50000.00"
    assert answer(baccarat.encode(), judge_of(*chosen(config(), "bac-b", None)))["tier"] == "three_of_a_kind"
