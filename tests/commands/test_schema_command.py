"""`jackpotd schema` as an integrator runs it."""

from __future__ import annotations

import json

import pytest

from jackpotd.cli import main


@pytest.mark.parametrize(
    ("words", "key"),
    [([], "asyncapi"), (["config"], "$defs"), (["control"], "operations"), (["sign"], "properties")],
)
def test_each_document_is_json(words: list[str], key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", *words]) == 0
    assert key in json.loads(capsys.readouterr().out)
