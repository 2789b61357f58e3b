"""The show goes on after a card that could not be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.simulated.bee_tek_shoe import BeeTekShoe
from jackpotd.demo.stage import Options, run_demo
from tests.conftest import StartBroker


def test_a_round_that_is_held_is_voided_by_the_supervisor_and_the_table_plays_on(
    mosquitto: StartBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deal, unread = BeeTekShoe.deal, iter([True])
    monkeypatch.setattr(BeeTekShoe, "deal", lambda shoe: shoe.deal_unread() if next(unread, False) else deal(shoe))
    options = Options(
        speed=500, seed=3, rounds=8, broker=mosquitto().url, staff=True, folder=tmp_path / "kept", picture=None
    )
    assert run_demo(options)
    said = capsys.readouterr().out
    assert "\nT01-1: void" in said
    assert "\nT01-2: " in said
    assert "ledger verified" in said
