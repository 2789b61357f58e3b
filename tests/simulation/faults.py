"""What breaks, and when: drawn from the seed.

Laws
1. A run has some kinds of faults and not others, so that each is also met alone.
2. What a real line cannot hide is not asked to be found: a shoe without a checksum loses and cuts, and spoils nothing.
3. `mend` makes everything whole: what is wrong afterwards is the controller's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from hardware.bus_peer import OFFLINE_BUSY
from hardware.simulated import line
from hardware.simulated.bus_device import BusDeviceSim
from jackpotd.daemon.clock_watch import LOOK_S
from jackpotd.daemon.publisher import PUBACK_TIMEOUT_S
from tests.simulation.broker import Weather
from tests.simulation.disk import FAULTS
from tests.simulation.lines import Cable, Trouble
from tests.simulation.sign import CLIENT_ID
from tests.simulation.world import DAEMON_ID, World

DAY_MS = 86_400_000
# A leap second or two are no clock that was set: the controller follows them slowly.
FOLLOWED_MS = 2_000
# A look, and commits of a disk that stalls.
TOLD_S = 10.0
# So many events that what a board notes before it is greeted again is fewer.
TELLING = 80
# Of the kinds, so many in one run at most.
MOST_KINDS = 5
# What the broker's side of a half-open connection needs to see it, and a client to come back.
HALF_OPEN_S = 16.0


class Faults:
    """The faults of one run."""

    def __init__(self, world: World) -> None:
        self.made: list[str] = []
        self._world = world
        self._rng = world.part()
        self._yesterday: dict[str, bytes] = {}
        self._clock_sets: list[tuple[float, int]] = []
        kinds = sorted(_KINDS)
        self.kinds = self._rng.sample(kinds, self._rng.randint(0, MOST_KINDS))

    async def run(self) -> None:
        """Break one thing after the other, sometimes two at once, for ever."""
        if not self.kinds:
            await asyncio.get_running_loop().create_future()
        async with asyncio.TaskGroup() as under_way:
            while True:
                await asyncio.sleep(self._rng.uniform(0.5, 6.0))
                kind = self._rng.choice(self.kinds)
                self.made.append(kind)
                self._world.trace.say(f"fault {kind}")
                under_way.create_task(_KINDS[kind](self))

    async def mend(self) -> None:
        """Everything is whole again."""
        world = self._world
        for cable in self._cables():
            cable.trouble = Trouble()
        for stand in world.floor.stands.values():
            for board in stand.boards:
                self._power_on(board)
        world.disk.fault = ""
        self._clear_weather()
        if not world.broker.weather.up:
            world.broker.start(world.broker.retained)
        reasons = sorted(world.trouble.reasons - {"daemon"})
        if reasons:
            await asyncio.sleep(HALF_OPEN_S)
        for reason in reasons:
            world.trouble.end(reason, world.loop.time())

    def _cables(self) -> list[Cable]:
        return [self._world.floor.cables.by_name[name] for name in sorted(self._world.floor.cables.by_name)]

    def _some_cable(self, *, bus: bool) -> Cable | None:
        stands = self._world.floor.stands.values()
        cables = [stand.bus for stand in stands] if bus else [stand.shoe for stand in stands if stand.shoe is not None]
        return self._rng.choice(cables) if cables else None

    # ---- lines

    async def _bus_noise(self) -> None:
        rng = self._rng
        noise = line.Faults(
            drop=rng.choice((0.0, 0.002, 0.01)),
            corrupt=rng.choice((0.0, 0.002, 0.01)),
            repeat=rng.choice((0.0, 0.1)),
            split=rng.choice((0.0, 0.1)),
            delay_ms=rng.choice((0, 0, 10, 50)),
        )
        await self._trouble(self._some_cable(bus=True), Trouble(noise), 6.0)

    async def _shoe_noise(self) -> None:
        rng = self._rng
        noise = line.Faults(
            drop=rng.choice((0.0, 0.003)), repeat=rng.choice((0.0, 0.02)), split=0.2, delay_ms=rng.choice((0, 20))
        )
        await self._trouble(self._some_cable(bus=False), Trouble(noise), 6.0)

    async def _stolen(self) -> None:
        bus = self._rng.random() < 0.5
        await self._trouble(self._some_cable(bus=bus), Trouble(stolen=self._rng.choice((0.02, 0.3))), 4.0)

    async def _trouble(self, cable: Cable | None, trouble: Trouble, most_s: float) -> None:
        if cable is None or cable.trouble != Trouble():
            return
        cable.trouble = trouble
        await asyncio.sleep(self._rng.uniform(0.2, most_s))
        if cable.trouble is trouble:
            cable.trouble = Trouble()

    async def _unplugged(self) -> None:
        cable = self._some_cable(bus=self._rng.random() < 0.6)
        if cable is None or cable.trouble != Trouble():
            return
        cable.unplug()
        await asyncio.sleep(self._rng.choice((0.05, 0.5, 3.0)))
        cable.plug()

    async def _board_power(self) -> None:
        world = self._world
        boards = [board for stand in world.floor.stands.values() for board in stand.boards]
        board = self._rng.choice(boards)
        if board.powered:
            board.power_off()
            await asyncio.sleep(self._rng.choice((0.05, 0.5, 2.5)))
            self._power_on(board)

    async def _erased(self) -> None:
        """A board comes back without its memory. With few events nobody could tell that there were others before."""
        stands = self._world.floor.stands.values()
        known = self._world.truth.boards
        old = [
            (stand, board)
            for stand in stands
            for board in stand.boards
            if board.powered and known[board.serial].acknowledged >= TELLING
        ]
        if old:
            stand, board = self._rng.choice(old)
            board.power_off()
            self._world.floor.erase(stand, board)
            await asyncio.sleep(self._rng.choice((0.05, 0.5)))
            self._power_on(board)

    async def _lost_events(self) -> None:
        """Behind a line that is cut a board fills, and loses the oldest of it."""
        stand = self._rng.choice(list(self._world.floor.stands.values()))
        if stand.bus.trouble != Trouble():
            return
        stand.bus.unplug()
        await asyncio.sleep(self._rng.choice((0.3, 1.0)))
        board = self._rng.choice(stand.boards)
        self._world.floor.lose(stand, board, self._rng.choice((1, 2, 40)))
        stand.bus.plug()

    async def _busy_board(self) -> None:
        """One board is slow while the others answer, so that what was said first is heard last."""
        boards = [board for stand in self._world.floor.stands.values() for board in stand.boards]
        board = self._rng.choice(boards)
        for _ in range(self._rng.randint(10, 40)):
            board.busy = self._rng.randint(0, OFFLINE_BUSY - 2)
            await asyncio.sleep(self._rng.uniform(0.1, 0.4))

    def _power_on(self, board: BusDeviceSim) -> None:
        if not board.powered:
            board.power_on(self._world.floor.now_ms())

    # ---- the controller and its disk

    async def _killed(self) -> None:
        if self._world.process.alive:
            self._world.kill(power=self._rng.random() < 0.5, noticed_s=self._rng.choice((0.0, 0.01, 15.0)))

    async def _stopped(self) -> None:
        self._world.stop()

    async def _disk_fails(self) -> None:
        self._world.disk.may_fail(self._rng.choice(FAULTS))

    async def _disk_stalls(self) -> None:
        self._world.disk.stall_s = self._rng.choice((0.1, 0.6, 2.5))

    async def _clock_jumps(self) -> None:
        world, by_ms = self._world, self._rng.choice((-DAY_MS, DAY_MS, -1_000, 1_000, -60_000))
        process = world.process
        jumps = world.set_clock(by_ms)
        found_ms = min(abs(by_ms), abs(self._set_between_looks(by_ms)))
        if found_ms <= FOLLOWED_MS or process.daemon is None:
            return
        await asyncio.sleep(TOLD_S)
        if process.alive and world.auditor.clock_jumps == jumps:
            world.auditor.clock_is_told(by_ms)

    def _set_between_looks(self, by_ms: int) -> int:
        """By how much a controller may find it set: what is set back before it looks dates nothing, and is not seen."""
        now_s = asyncio.get_running_loop().time()
        self._clock_sets = [(at_s, by) for at_s, by in self._clock_sets if now_s - at_s <= LOOK_S] + [(now_s, by_ms)]
        return sum(by for _, by in self._clock_sets)

    # ---- the broker

    async def _broker_restarts(self) -> None:
        world, rng = self._world, self._rng
        if not self._is_up():
            return
        world.trouble.begin("broker")
        kept = dict(world.broker.retained)
        world.broker.stop()
        await asyncio.sleep(rng.choice((0.05, 1.0, 12.0)))
        if not self._is_up():
            world.broker.start(rng.choice((kept, {}, self._yesterday)))
        self._yesterday = kept
        world.trouble.end("broker", world.loop.time())

    async def _half_open(self) -> None:
        client = self._rng.choice((DAEMON_ID, CLIENT_ID))
        if self._world.broker.black_hole(client):
            reason = f"half-open {client} {len(self.made)}"
            self._world.trouble.begin(reason)
            await asyncio.sleep(HALF_OPEN_S)
            self._world.trouble.end(reason, self._world.loop.time())

    async def _bad_weather(self) -> None:
        rng, weather = self._rng, self._world.broker.weather
        if "weather" in self._world.trouble.reasons:
            return
        self._world.trouble.begin("weather")
        weather.twice = rng.choice((0.0, 0.3))
        weather.slow_s = rng.choice((0.0, 0.2, 1.5))
        weather.no_puback = rng.choice((0.0, 0.1))
        await asyncio.sleep(rng.uniform(1.0, 10.0))
        self._clear_weather()
        await asyncio.sleep(PUBACK_TIMEOUT_S)  # so long the controller waits for one that was lost
        self._world.trouble.end("weather", self._world.loop.time())

    def _is_up(self) -> bool:
        return self._world.broker.weather.up

    def _clear_weather(self) -> None:
        weather = self._world.broker.weather
        self._world.broker.weather = Weather(up=weather.up)


_KINDS: dict[str, Callable[[Faults], Coroutine[None, None, None]]] = {
    "bus noise": Faults._bus_noise,
    "shoe noise": Faults._shoe_noise,
    "second reader": Faults._stolen,
    "unplugged": Faults._unplugged,
    "board without power": Faults._board_power,
    "journal erased": Faults._erased,
    "events lost": Faults._lost_events,
    "busy board": Faults._busy_board,
    "killed": Faults._killed,
    "stopped": Faults._stopped,
    "disk fails": Faults._disk_fails,
    "disk stalls": Faults._disk_stalls,
    "clock jumps": Faults._clock_jumps,
    "broker restarts": Faults._broker_restarts,
    "half-open": Faults._half_open,
    "bad weather": Faults._bad_weather,
}
