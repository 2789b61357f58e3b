"""The sign of the demo: a process of its own, as it is on a floor.

Law: it ends with the demo, whatever ends that.
"""

from __future__ import annotations

import asyncio
import logging
import sys

from jackpotd.demo import sign_child
from jackpotd.demo.site import Site

log = logging.getLogger(__name__)

# A web server with a browser on it closes its streams first.
GOODBYE_S = 3.0


async def keep_sign(site: Site) -> None:
    """Show both pools on a page until cancelled."""
    with (site.folder / "sign.log").open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", sign_child.__name__, site.broker_url, site.sign),
            stdin=asyncio.subprocess.PIPE,  # closed by the kernel, whatever ends the demo
            stdout=output,
            stderr=output,
        )
        try:
            code = await process.wait()
            log.warning("the sign ended", extra={"code": code})
        finally:
            if process.returncode is None:
                await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    process.terminate()
    try:
        async with asyncio.timeout(GOODBYE_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
