"""The demo's sign, in its process: `jackpotd sign` that also ends when the demo is gone, however that ended.

    python -m jackpotd.demo.sign_child BROKER LISTEN

Law: the demo holds the other end of standard input. Its end is this process's.
"""

from __future__ import annotations

import asyncio
import signal
import sys

from jackpotd.demo.site import BACCARAT_POOL, SITE_ID, STUD_POOL


async def _run(broker: str, listen: str) -> None:
    from jackpotd.sign.settings import read_settings  # noqa: PLC0415  # its web server is no affair of the demo's
    from jackpotd.sign.start import run_sign  # noqa: PLC0415  # the same

    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    loop.add_reader(sys.stdin.fileno(), stop.set)  # nobody writes there: readable is closed
    settings = read_settings(
        None,
        {
            "broker": broker,
            "site": SITE_ID,
            "pool": (STUD_POOL, BACCARAT_POOL),
            "id": SITE_ID,
            "language": "en",
            "listen": listen,
        },
    )
    await run_sign(settings, stop, lambda _: None, lambda: None)
    loop.remove_reader(sys.stdin.fileno())


if __name__ == "__main__":
    asyncio.run(_run(*sys.argv[1:]))
