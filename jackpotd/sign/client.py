"""The sign's MQTT connection: what the controller says goes to the model, what is shown goes back.

Laws
1. A connection that is lost is opened again, for ever, with jittered backoff; the model knows at once.
2. What is shown is said again at least every `AGAIN_S`, at most once a second, and retained; `offline` is the will and
   the last word.
3. What is no message of its topic is a line in the log and shown nowhere.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable, Sequence
from random import Random

import aiomqtt
from paho.mqtt.reasoncodes import ReasonCode

from hardware.reconnect import Backoff
from jackpotd.messages.base import MessageError, from_json, to_json
from jackpotd.messages.connection import PromptClient
from jackpotd.messages.mqtt import Hit, Meter, SignState, Status
from jackpotd.messages.topics import HIT, METER, SIGN_STATE, STATUS
from jackpotd.sign.clock import monotonic_ms, wait
from jackpotd.sign.model import SignModel
from jackpotd.sign.settings import Settings, SignError

log = logging.getLogger(__name__)

AGAIN_S = 4.0
REPORT_S = 1.0
# A broker that dies is noticed in half as much again.
KEEPALIVE_S = 5
ANSWER_S = 10.0
FIRST_WAIT_S, LONGEST_WAIT_S, STABLE_S = 0.2, 2.0, 30.0
# A broker that starts anew ends one connection, or two; a sign of the same id ends every one.
MOST_YOUNG_ENDS = 4
# What a board of 8 pools is sent within ten seconds of its busiest; older messages are worth nothing.
MAX_QUEUED = 1_000
GOODBYE_S = 2.0
_DEFAULT_PORTS = {"mqtt": 1883, "mqtts": 8883}


class SignClient:
    """One sign's voice and ear. `report` makes what is shown; `changed` is called after every message."""

    def __init__(
        self,
        settings: Settings,
        model: SignModel,
        report: Callable[[], SignState],
        changed: Callable[[], None],
        stop: asyncio.Event,
    ) -> None:
        self._settings = settings
        self._password = settings.password()
        self._tls = _tls(settings)
        self._model = model
        self._report = report
        self._changed = changed
        self._stop = stop
        self._topic = SIGN_STATE.at(settings.site, settings.id)
        self._met = False  # the broker, at the last try

    async def run(self) -> None:
        """Connect, listen and report until the sign stops (law 1)."""
        backoff = Backoff(Random(), FIRST_WAIT_S, LONGEST_WAIT_S, STABLE_S)  # noqa: S311  # jitter, no secret
        loop = asyncio.get_running_loop()
        said, young_ends = "", 0
        while not self._stop.is_set():
            began_s = loop.time()
            try:
                await self._session()
            except* (aiomqtt.MqttError, OSError) as group:
                why = str(group.exceptions[0])
                if why != said:
                    log.warning("broker not reached", extra={"broker": str(self._settings.broker), "why": why})
                said = why
            finally:
                self._model.disconnected()
                self._changed()
            lived_s = loop.time() - began_s
            young_ends = young_ends + 1 if self._met and lived_s < STABLE_S else 0
            if young_ends == MOST_YOUNG_ENDS:
                log.warning("every connection is ended: has another sign this id?", extra={"sign": self._settings.id})
            if lived_s >= STABLE_S:
                said = ""
            await wait(self._stop, backoff.delay_s(lived_s))

    async def _session(self) -> None:
        settings, self._met = self._settings, False
        async with PromptClient(
            (settings.broker.host or "").strip("[]"),
            settings.broker.port or _DEFAULT_PORTS[settings.broker.scheme],
            username=settings.username,
            password=self._password,
            identifier=f"jackpotd-sign-{settings.site}-{settings.id}",
            will=aiomqtt.Will(self._topic, to_json(SignState(state="offline")), qos=1, retain=True),
            keepalive=KEEPALIVE_S,
            timeout=ANSWER_S,
            tls_context=self._tls,
            max_queued_incoming_messages=MAX_QUEUED,
        ) as client:
            log.info("broker connected", extra={"broker": str(settings.broker), "sign": settings.id})
            self._met = True
            self._model.connected()
            async with asyncio.TaskGroup() as both:
                listening = both.create_task(self._listen(client), name="sign listens")
                await self._subscribe(client)
                await self._say(client)
                listening.cancel()

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        site = self._settings.site
        topics = [STATUS.everywhere(site)]
        for pool in self._settings.pools:
            meter = METER.at(site, pool)
            topics += [meter, f"{meter.removesuffix('/meter')}/hit/+"]
        granted: Sequence[int | ReasonCode] = await client.subscribe([(topic, 1) for topic in topics])
        refused = [topic for topic, code in zip(topics, granted, strict=True) if _refused(code)]
        if refused:
            raise aiomqtt.MqttError(f"the broker refuses {', '.join(refused)}")

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            try:
                self.heard(str(message.topic), bytes(message.payload), retained=bool(message.retain))
            except MessageError as error:
                log.warning("no message of its topic", extra={"topic": str(message.topic), "why": str(error)})
            self._changed()

    def heard(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """Take one message; MessageError when it is none of its topic."""
        model = self._model
        if (ids := METER.ids_of(topic)) and payload:
            model.heard_meter(ids[1], from_json(Meter, payload), monotonic_ms(), retained=retained)
        elif ids := HIT.ids_of(topic):
            if not payload:
                model.cleared_hit(ids[2])
                return
            hit = from_json(Hit, payload)
            if hit.hit != ids[2]:
                raise MessageError("Hit: another hit than its topic's")
            model.heard_hit(ids[1], hit, monotonic_ms(), retained=retained)
        elif (ids := STATUS.ids_of(topic)) and payload:
            model.heard_status(ids[1], from_json(Status, payload))

    async def _say(self, client: aiomqtt.Client) -> None:
        """Say what is shown until the sign stops or fails, then goodbye (law 2)."""
        try:
            await self._report_on(client)
        except asyncio.CancelledError:
            await self._say_goodbye(client)
            raise
        await self._say_goodbye(client)

    async def _report_on(self, client: aiomqtt.Client) -> None:
        loop = asyncio.get_running_loop()
        said, said_s = b"", 0.0
        while not self._stop.is_set():
            payload = to_json(self._report())
            if payload != said or loop.time() - said_s >= AGAIN_S:
                await client.publish(self._topic, payload, qos=1, retain=True)
                said, said_s = payload, loop.time()
            await wait(self._stop, REPORT_S)

    async def _say_goodbye(self, client: aiomqtt.Client) -> None:
        gone = to_json(SignState(state="offline"))
        await client.publish(self._topic, gone, qos=1, retain=True, timeout=GOODBYE_S)


def _refused(code: int | ReasonCode) -> bool:
    """Whether an answer to a subscription is no grant of QoS 0 to 2."""
    return (code if isinstance(code, int) else code.value) > 2


def _tls(settings: Settings) -> ssl.SSLContext | None:
    """What vouches for the broker; SignError when the authority's file is none."""
    if settings.broker.scheme != "mqtts":
        return None
    ca = settings.ca_file
    try:
        return ssl.create_default_context(cafile=str(ca) if ca is not None else None)
    except OSError as error:
        raise SignError(f"ca_file: {ca}: {error}") from error
