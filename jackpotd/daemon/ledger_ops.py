"""The control socket's operations on the ledger itself: facts of closed days leave it for an archive.

Laws
1. The archive is written and read back by whoever asks, who sees its folder; the daemon, the one writer, has the chain
   name it, and only then empties rows.
2. Rows are emptied between two commits, a bounded number at once, so that no table waits for long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jackpotd.core import facts as f
from jackpotd.daemon.identity import Caller, RefusedError
from jackpotd.ledger.archives import check_next
from jackpotd.ledger.port import Ledger, LedgerError
from jackpotd.messages import control as m

if TYPE_CHECKING:
    from collections.abc import Callable

    from jackpotd.daemon.control_ops import Desk


async def register_archive(desk: Desk, caller: Caller, args: m.LedgerArchiveArgs) -> dict[str, Any]:
    """Have the chain name an archive."""
    word = f.ArchiveFacts(desk.identity.administrator(caller), **args.model_dump())
    async with desk.changing:
        await _between_commits(desk, lambda ledger: check_next(ledger, word.day, word.first, word.last, word.closed))
        await desk.act(word.by, word)
    return {"file": word.file}


async def drop_payloads(desk: Desk, _caller: Caller, args: m.LedgerDropArgs) -> dict[str, Any]:
    """Empty rows whose payloads are in a registered archive."""
    await _between_commits(desk, lambda ledger: ledger.drop_payloads(args.rows))
    return {"rows": len(args.rows)}


async def _between_commits(desk: Desk, work: Callable[[Ledger], None]) -> None:
    try:
        await desk.engine.between_commits(work)
    except LedgerError as error:
        raise RefusedError("refused", str(error)) from error
