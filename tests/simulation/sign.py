"""A sign on the simulated floor: the sign's own model behind a simulated connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random

import aiomqtt

from hardware.reconnect import Backoff
from jackpotd.messages.base import from_json
from jackpotd.messages.mqtt import Hit, Meter, Status
from jackpotd.messages.topics import HIT, METER, STATUS
from jackpotd.sign.client import FIRST_WAIT_S, LONGEST_WAIT_S, STABLE_S
from jackpotd.sign.model import SignModel
from tests.simulation.broker import SimBroker, SimClient

CLIENT_ID = "sign"
# Every so many connections break because the sign's machine is started anew: it remembers nothing.
STARTS_ANEW = 2


class SimSign:
    """Shows some pools. `looked` is called whenever what it shows may have changed."""

    def __init__(
        self,
        site: str,
        pools: Sequence[str],
        broker: SimBroker,
        rng: Random,
        now_ms: Callable[[], int],
        looked: Callable[[], None],
    ) -> None:
        self._pools = pools
        self._breaks = 0
        self.model = SignModel(pools)
        self.connected_s: float | None = None
        self._topics = [STATUS.everywhere(site)]
        for pool in pools:
            meter = METER.at(site, pool)
            self._topics += [meter, f"{meter.removesuffix('/meter')}/hit/+"]
        self._broker = broker
        self._rng = rng
        self._now_ms = now_ms
        self._looked = looked

    def shown(self) -> dict[str, int | None]:
        """Minor units by pool; None is the neutral face."""
        view = self.model.view(self._now_ms())
        return {one.pool: None if one.amount is None else one.amount.minor for one in view.pools}

    async def run(self) -> None:
        """Listen, for ever."""
        loop = asyncio.get_running_loop()
        backoff = Backoff(self._rng, FIRST_WAIT_S, LONGEST_WAIT_S, STABLE_S)
        while True:
            began_s = loop.time()
            try:
                await self._session()
            except aiomqtt.MqttError:
                self._broken()
            await asyncio.sleep(backoff.delay_s(loop.time() - began_s))

    def _broken(self) -> None:
        """The connection is gone, or none could be made."""
        self.model.disconnected()
        if self.connected_s is not None:
            self._breaks += 1
            if self._breaks % STARTS_ANEW == 0:
                self.model = SignModel(self._pools)
        self.connected_s = None
        self._looked()

    async def _session(self) -> None:
        async with SimClient(self._broker, CLIENT_ID, None) as client:
            self.model.connected()
            self.connected_s = asyncio.get_running_loop().time()
            await client.subscribe([(topic, 1) for topic in self._topics])
            async for message in client.messages:
                assert isinstance(message.payload, bytes)
                self._hear(str(message.topic), message.payload, retained=message.retain)
                self._looked()

    def _hear(self, topic: str, payload: bytes, *, retained: bool) -> None:
        now_ms = self._now_ms()
        if (ids := METER.ids_of(topic)) and payload:
            self.model.heard_meter(ids[1], from_json(Meter, payload), now_ms, retained=retained)
        elif (ids := HIT.ids_of(topic)) and payload:
            self.model.heard_hit(ids[1], from_json(Hit, payload), now_ms, retained=retained)
        elif ids:
            self.model.cleared_hit(ids[2])
        elif (ids := STATUS.ids_of(topic)) and payload:
            self.model.heard_status(ids[1], from_json(Status, payload))
