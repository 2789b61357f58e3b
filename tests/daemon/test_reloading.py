"""A reload that somebody asked for by a signal: whatever refuses it, the controller lives on."""

from __future__ import annotations

import asyncio

import pytest

from jackpotd.core.errors import RuleError
from jackpotd.daemon.identity import RefusedError
from jackpotd.daemon.reloading import reload_when


@pytest.mark.parametrize(
    "refusal", [RefusedError("configuration", "seats = 0"), RuleError("the ledger says no")], ids=["file", "ledger"]
)
def test_a_reload_that_is_refused_is_told_and_the_next_one_is_done(
    refusal: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[str] = []

    async def reload() -> None:
        done.append("reload")
        if len(done) == 1:
            raise refusal

    async def story() -> None:
        asked = asyncio.Event()
        task = asyncio.create_task(reload_when(asked, reload))
        for _ in range(2):
            asked.set()
            for _ in range(5):
                await asyncio.sleep(0)
            assert not task.done()
        task.cancel()

    asyncio.run(story())
    assert len(done) == 2
    assert [record.__dict__["why"] for record in caplog.records] == [str(refusal)]
