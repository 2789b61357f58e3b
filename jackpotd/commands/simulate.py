"""`jackpotd simulate`: one simulated device alone, for a technician's bench."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import threading
from random import Random

from hardware.bus_codec import FIRST_DEVICE, LAST_DEVICE
from hardware.links import LinkError
from hardware.simulated.bench import DEVICES, Bench, BenchError, Setup
from hardware.simulated.bench_port import PortTakenError, plugged_in
from hardware.simulated.line import Faults, FaultyLine
from jackpotd.commands.common import DONE, NO, USAGE

_BAUD = {"bee-tek": 9600, "angel-eye": 4800, "led-sign": 9600}
_BUS_BAUD = 115_200
_KEY_BYTES = 16
_EXAMPLES = """\
What is typed on standard input is done at once: `place 3 0`, `lock`, `card 8S`, ...; it says at its start what can be.
PLACE: 0, 8, 9 the progressive of the first, second, third pool; 1 ante, 2 raise; 1 Player, 2 Banker, 3 Tie.
CARD: rank and suit, as TS; ?? is one not read. REASON: misdeal, exposed, shuffler, other. TARGET: player, banker, burn.
OUTCOME: player, banker, tie, forced_quit; PAIRS: none, player, banker, both.
examples:
  jackpotd simulate panel --port /tmp/panel --key 000102030405060708090a0b0c0d0e0f
  jackpotd simulate bee-tek --port /dev/ttyUSB0 --by-hand
  jackpotd simulate shuffler --port socket://127.0.0.1:4001 --drop 0.001
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `simulate`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    parser.add_argument("device", metavar="DEVICE", choices=DEVICES, help=", ".join(DEVICES))
    parser.add_argument("--port", required=True, metavar="P", help="a new link, a serial port, or socket://host:port")
    parser.add_argument("--serial", default="", metavar="S", help="serial number of a table-bus device")
    parser.add_argument("--address", type=_address, default=1, metavar="A", help="its address on the bus (now 1)")
    parser.add_argument("--key", type=_key, metavar="HEX", help="its key, 32 hexadecimal digits")
    parser.add_argument("--baud", type=int, metavar="B", help="speed of a serial port (by the device)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="same seed, same acts and faults (now 1)")
    parser.add_argument("--every", type=_seconds, default=2.0, metavar="SECONDS", help="time between its acts (now 2)")
    parser.add_argument("--by-hand", action="store_true", help="do only what is typed")
    for fault, what in (("drop", "a byte is lost"), ("corrupt", "a bit is wrong"), ("repeat", "bytes come twice")):
        parser.add_argument(f"--{fault}", type=_chance, default=0.0, metavar="P", help=f"chance that {what}")


def call(args: argparse.Namespace) -> int:
    """Run until Ctrl-C. 1: the port cannot be opened, or is lost; 2: its address is no good."""
    refused: list[BaseException] = []
    failed: list[BaseException] = []
    try:
        asyncio.run(_run(args))
    except* PortTakenError as group:
        refused += group.exceptions
    except* (LinkError, OSError) as group:
        failed += group.exceptions
    for error in (*refused, *failed):
        print(f"jackpotd: {error}", file=sys.stderr)
    return USAGE if refused else NO if failed else DONE


async def _run(args: argparse.Namespace) -> None:
    def send(data: bytes) -> None:
        to_port(data)

    rng = Random(args.seed)  # noqa: S311  # simulated chance is seeded, so that a run can be repeated
    bench = DEVICES[args.device](Setup(rng, args.serial, args.address, args.key, send, _tell))
    faults = Faults(drop=args.drop, corrupt=args.corrupt, repeat=args.repeat)
    up, down = FaultyLine(rng, faults), FaultyLine(rng, faults)
    baud = args.baud or _BAUD.get(args.device, _BUS_BAUD)
    async with plugged_in(args.port, bench.hears, baud, up, down) as (address, to_port):
        _tell(f"{args.device} at {address}; type {', '.join(bench.words)}; Ctrl-C ends")
        await _until_ended(bench, None if args.by_hand else args.every)


async def _until_ended(bench: Bench, every_s: float | None) -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    # A thread, since a file cannot be waited for; it ends with the process.
    threading.Thread(target=_read_lines, args=(loop, bench), daemon=True).start()
    async with asyncio.TaskGroup() as group:
        acting = group.create_task(_act_by_itself(bench, every_s), name="acts")
        await stop.wait()
        acting.cancel()


async def _act_by_itself(bench: Bench, every_s: float | None) -> None:
    if every_s is None:
        return
    for line in bench.by_itself:
        await asyncio.sleep(every_s)
        _tell(line)
        _do(bench, line)


def _read_lines(loop: asyncio.AbstractEventLoop, bench: Bench) -> None:
    for line in sys.stdin:
        loop.call_soon_threadsafe(_do, bench, line.strip())


def _do(bench: Bench, line: str) -> None:
    try:
        noted = bench.do(line)
    except BenchError as error:
        _tell(f"? {error}")
        return
    if not noted:
        _tell("not noted: a shut slot, a dark board, or a full journal")


def _tell(line: str) -> None:
    print(line, flush=True)


def _address(text: str) -> int:
    address = int(text)
    if not FIRST_DEVICE <= address <= LAST_DEVICE:
        raise argparse.ArgumentTypeError(f"an address is {FIRST_DEVICE} to {LAST_DEVICE}")
    return address


def _key(text: str) -> bytes:
    key = bytes.fromhex(text)
    if len(key) != _KEY_BYTES:
        raise argparse.ArgumentTypeError("a key is 32 hexadecimal digits")
    return key


def _chance(text: str) -> float:
    chance = float(text)
    if not 0 <= chance <= 1:
        raise argparse.ArgumentTypeError("a chance is 0 to 1")
    return chance


def _seconds(text: str) -> float:
    seconds = float(text)
    if seconds <= 0:
        raise argparse.ArgumentTypeError("a time between acts is more than 0")
    return seconds
