"""Faults planted in the shell: commits, acknowledgements, names of facts, epochs, signs."""

from __future__ import annotations

from tests.simulation.planted_faults import Planted

_ENGINE, _WRITER, _BULLETIN = "jackpotd/daemon/engine.py", "jackpotd/daemon/writer.py", "jackpotd/daemon/bulletin.py"
_PEER, _PLACE, _SIGN = "hardware/bus_peer.py", "jackpotd/daemon/bus_place.py", "jackpotd/sign/model.py"

# A name that is used again is refused twice: by whoever decides, and by the ledger.
_GUARDS_OF_NAMES = (
    ("jackpotd/core/decide.py", "    if fact.seq <= mark:\n        return None\n", ""),
    (
        "jackpotd/ledger/memory.py",
        "            if mark.seq <= stored:\n                raise repeat(mark, stored)\n",
        "",
    ),
)

SHELL = (
    # ---- commit, acknowledge, publish
    Planted(
        "acknowledged before the commit",
        _PLACE,
        "items[-1].settled = lambda error: ack() if error is None else None",
        "ack()",
        breaks=("acknowledged",),
    ),
    Planted(
        "acknowledged as soon as delivered",
        _PEER,
        "self._delivered += len(said)\n",
        "self._delivered += len(said)\n        self._acked = self._delivered\n",
        breaks=("acknowledged",),
        seed=4,
    ),
    Planted(
        "answered before the commit",
        _ENGINE,
        "        head = await self._written(self.writer.append(",
        "        decided.answer()\n        head = await self._written(self.writer.append(",
        breaks=("acknowledged",),
    ),
    Planted(
        "published before the commit",
        _ENGINE,
        "        began_ns = self.clock.monotonic_ns()\n",
        "        began_ns = self.clock.monotonic_ns()\n"
        "        for observer in self.observers:\n"
        "            observer(self.state, Committed(self.writer.head, decided.facts, 0, 0))\n",
        breaks=("sign",),
    ),
    Planted(
        "a failed write is taken for a good one",
        _WRITER,
        "            return ledger.append(bodies, marks, archives), ledger.checkpoint_due()\n",
        "            try:\n"
        "                return ledger.append(bodies, marks, archives), ledger.checkpoint_due()\n"
        "            except Exception:\n"
        "                return self.head, False\n",
        breaks=("acknowledged",),
        seed=1,
    ),
    Planted(
        "a failed write is tried again",
        _WRITER,
        "            return ledger.append(bodies, marks, archives), ledger.checkpoint_due()\n",
        "            try:\n"
        "                return ledger.append(bodies, marks, archives), ledger.checkpoint_due()\n"
        "            except Exception:\n"
        "                ledger._failed = ''\n"
        "                return ledger.append(bodies, marks, archives), ledger.checkpoint_due()\n",
        breaks=("durable",),
        seed=1,
    ),
    Planted(
        "every second commit of one row is forgotten",
        _WRITER,
        "            return ledger.append(bodies, marks, archives), ledger.checkpoint_due()\n",
        "            if len(bodies) == 1 and ledger.head.seq % 2:\n"
        "                return ledger.head, False\n"
        "            return ledger.append(bodies, marks, archives), ledger.checkpoint_due()\n",
        breaks=("acknowledged",),
        seed=2,
    ),
    # ---- facts and their names
    Planted(
        "a sequence is used again",
        "jackpotd/daemon/intake.py",
        "seq = state.marks.get(mark_key(source, journal), 0) + 1",
        "seq = max(1, state.marks.get(mark_key(source, journal), 0))",
        also=_GUARDS_OF_NAMES,
        breaks=("once",),
        seed=1,
    ),
    Planted(
        "marks are forgotten at a restart",
        "jackpotd/ledger/restore.py",
        "            fold_row(state, row.body, seq, codec)\n",
        "            fold_row(state, row.body, seq, codec)\n            state.marks.clear()\n",
        also=_GUARDS_OF_NAMES,
        breaks=("once",),
        seed=1,
    ),
    Planted(
        "a journal is taken for new at every hello",
        "jackpotd/core/devices.py",
        "    elif word.newest < committed(book.state, device):",
        "    elif word.newest > 0:",
        breaks=("facts",),
    ),
    Planted(
        "the raw bytes are another event's",
        _PLACE,
        "said.seq, said.raw, stale)",
        "said.seq, events.said[0].raw, stale)",
        breaks=("facts",),
    ),
    Planted(
        "the repeat check is forgotten",
        _PEER,
        "if first + count - 1 > self._delivered:\n            said = decode_events(",
        "if count:\n            self._delivered = first - 1\n            said = decode_events(",
        also=_GUARDS_OF_NAMES,
        breaks=("once",),
        seed=4,
    ),
    Planted(
        "a greeting acknowledges the whole journal",
        _PLACE,
        '        self._foreign = ""\n        return committed(state, device)\n',
        '        self._foreign = ""\n        return hello.newest\n',
        breaks=("acknowledged", "kept"),
    ),
    # ---- state, epochs, signs
    Planted(
        "a set clock makes an old epoch",
        "jackpotd/core/site.py",
        "epoch = max(book.state.epoch + 1, word.unix_s)",
        "epoch = word.unix_s",
        breaks=("fresh",),
        seed=74,
    ),
    Planted(
        "meters are not said again",
        _BULLETIN,
        "AGAIN_MS = 2_500",
        "AGAIN_MS = 60_000",
        breaks=("fresh",),
    ),
    Planted(
        "the beat stands still",
        _BULLETIN,
        "        self._beat += 1\n        return self._beat\n",
        "        return 1\n",
        breaks=("fresh",),
    ),
    Planted(
        "a sign takes an old counter",
        _SIGN,
        "            if _order(meter) <= _order(known.meter):\n                return False\n",
        "",
        also=((_SIGN, "known.live_ms = None if retained else now_ms", "known.live_ms = now_ms"),),
        breaks=("sign",),
        seed=235,
    ),
    Planted(
        "a sign trusts what the broker remembers",
        _SIGN,
        "known.live_ms = None if retained else now_ms",
        "known.live_ms = now_ms",
        breaks=("sign", "neutral"),
        seed=86,
    ),
    Planted(
        "a sign shows on without its broker",
        _SIGN,
        "            pool.live_ms = None\n",
        "            pass\n",
        also=((_SIGN, "live_ms is None or not self._connected", "live_ms is None"),),
        breaks=("neutral",),
        seed=15,
    ),
)
