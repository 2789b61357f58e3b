"""`jackpotd sign`: the sign player."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from hardware.alpha_led import BAUD
from hardware.links import LinkError
from jackpotd.commands.common import DONE, NO, USAGE
from jackpotd.daemon.logs import set_up_logs
from jackpotd.daemon.service_manager import ServiceManager
from jackpotd.sign.settings import NotFreeError, Settings, SignError, read_settings
from jackpotd.sign.start import run_sign

_EXAMPLES = """examples:
  a page for a kiosk browser on this machine:
    jackpotd sign --broker mqtt://127.0.0.1:1883 --site lisboa --pool stud-main --listen 127.0.0.1:8090
  two pools in turn, in Portuguese, on a board of the floor:
    jackpotd sign --broker mqtts://broker.lisboa:8883 --ca-file /etc/jackpotd/ca.pem --username tv-1 \\
      --password-file /etc/jackpotd/tv-1.password --site lisboa --pool stud-main --pool bac-b --rotate 15 --language pt
  an LED sign on a serial line:
    jackpotd sign --broker mqtt://127.0.0.1:1883 --site lisboa --pool stud-main --led alpha --port /dev/ttyUSB0
  take the number off an LED sign whose player was killed, and leave:
    jackpotd sign --blank --led alpha --port /dev/ttyUSB0
  a terminal:
    jackpotd sign --broker mqtt://127.0.0.1:1883 --site lisboa --pool stud-main --terminal
  everything from a file, which also names pools and prize levels:
    jackpotd sign --config /etc/jackpotd/sign.toml
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `sign`; what is given stands in front of the file's."""
    parser.epilog = _EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("--config", type=Path, metavar="F", help="TOML file with these settings, by the same names")
    add("--broker", metavar="URL", help="mqtt://host:port, or mqtts:// for TLS")
    add("--site", help="the site's id")
    add("--pool", action="append", metavar="ID", help="a pool to show; again for more, side by side")
    add("--rotate", type=int, dest="rotate_s", metavar="SECONDS", help="show the pools in turn instead")
    add("--id", help="the sign's id (default: the user name, else the machine's name)")
    add("--username", help="user at the broker")
    add("--password-file", metavar="FILE", help="file that holds the password")
    add("--ca-file", metavar="FILE", help="certificates to believe (default: the system's)")
    add("--insecure", action="store_true", default=None, help="allow a broker elsewhere without TLS or password")
    face = parser.add_mutually_exclusive_group()
    face.add_argument("--browser", action="store_const", const="browser", dest="face", help="a page (the default)")
    face.add_argument("--led", choices=("alpha",), help="an LED sign: Alpha/BetaBrite on --port")
    face.add_argument("--terminal", action="store_const", const="terminal", dest="face", help="this terminal")
    add("--listen", metavar="HOST:PORT", help="where the page is (default: 127.0.0.1:8090)")
    add("--theme", help="classic, lantern, or the path of a CSS file (default: classic)")
    add("--language", choices=("zh-Hant", "pt", "en"), help="default: zh-Hant")
    add("--port", metavar="DEVICE", help="the LED sign's serial port, or socket://host:port")
    add("--blank", action="store_true", help="write the neutral text on the LED sign once, and leave")
    add("--baud", type=int, help="the LED sign's line speed (default: 9600)")


def call(args: argparse.Namespace) -> int:
    """Play until SIGTERM or Ctrl-C. 1: something that it needs is not there now; 2: the settings are wrong."""
    try:
        if args.blank:
            return _blank(args)
        settings = settings_of(args)
        if settings.face != "terminal" or not sys.stderr.isatty():  # a log would run through the picture
            set_up_logs()
        logging.getLogger("uvicorn").setLevel(logging.WARNING)
        asyncio.run(_play(settings))
    except SignError as error:
        print(error, file=sys.stderr)
        return NO if isinstance(error, NotFreeError) else USAGE
    return DONE


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of a command line; SignError lists every fault."""
    given: dict[str, Any] = {
        name: value
        for name, value in vars(args).items()
        if value is not None and name not in {"config", "command", "call", "blank"}
    }
    return read_settings(args.config, given)


def _blank(args: argparse.Namespace) -> int:
    """Needs no file: what ends a service reads no credentials. 1: the line cannot be had."""
    from jackpotd.sign.led import blank  # noqa: PLC0415  # serial lines are for LED signs

    if args.led is None or args.port is None:
        raise SignError("blank: name the sign, as in --blank --led alpha --port /dev/ttyUSB0")
    try:
        asyncio.run(blank(args.port, args.baud or BAUD, args.language or "en"))
    except LinkError as error:
        print(error, file=sys.stderr)
        return NO
    return DONE


class _Pulse:
    """Feeds the service manager's watchdog while the player comes round, four times in the time that it gives."""

    def __init__(self, manager: ServiceManager) -> None:
        self._manager = manager
        self._next_s = time.monotonic()

    def beat(self) -> None:
        """The player came round."""
        watchdog_s = self._manager.watchdog_s
        if watchdog_s is not None and time.monotonic() >= self._next_s:
            self._manager.say("WATCHDOG=1")
            self._next_s = time.monotonic() + watchdog_s / 4


async def _play(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    manager = ServiceManager(os.environ)

    def started(where: str) -> None:
        print(f"sign {settings.id}: {where}", flush=True)
        manager.say("READY=1", f"STATUS=sign {settings.id}: {where}")

    await run_sign(settings, stop, started, _Pulse(manager).beat)
    manager.say("STOPPING=1")
