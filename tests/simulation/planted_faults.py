"""The faults that are planted: name, file, what stands there, what is put in its place."""

from __future__ import annotations

from dataclasses import dataclass

Patch = tuple[str, str, str]  # file, what stands there, what is put in its place


@dataclass(frozen=True, slots=True)
class Planted:
    """One fault. `seed` is known to find it. `also`: the guards behind it, which would hide it, taken away too."""

    name: str
    file: str
    find: str
    put: str
    seed: int = 0
    also: tuple[Patch, ...] = ()

    @property
    def patches(self) -> tuple[Patch, ...]:
        """All of it."""
        return (self.file, self.find, self.put), *self.also


_LOCKING, _SETTLEMENT, _SETTLING = (
    "jackpotd/core/locking.py",
    "jackpotd/core/settlement.py",
    "jackpotd/core/settling.py",
)
_ENGINE, _WRITER, _ROUNDS = "jackpotd/daemon/engine.py", "jackpotd/daemon/writer.py", "jackpotd/core/rounds.py"
_PEER, _PLACE, _BULLETIN = "hardware/bus_peer.py", "jackpotd/daemon/bus_place.py", "jackpotd/daemon/bulletin.py"
_VOIDING, _HITS, _APPLY = "jackpotd/core/voiding.py", "jackpotd/core/hits.py", "jackpotd/core/apply_round.py"

PLANTED = (
    # ---- commit, acknowledge, publish
    Planted(
        "acknowledged before the commit",
        _PLACE,
        "items[-1].settled = lambda error: ack() if error is None else None",
        "ack()",
    ),
    Planted(
        "acknowledged as soon as delivered",
        _PEER,
        "self._delivered += len(said)\n",
        "self._delivered += len(said)\n        self._acked = self._delivered\n",
    ),
    Planted(
        "answered before the commit",
        _ENGINE,
        "        head = await self._written(self.writer.append(",
        "        decided.answer()\n        head = await self._written(self.writer.append(",
    ),
    Planted(
        "published before the commit",
        _ENGINE,
        "        began_ns = self.clock.monotonic_ns()\n",
        "        began_ns = self.clock.monotonic_ns()\n"
        "        for observer in self.observers:\n"
        "            observer(self.state, Committed(self.writer.head, decided.facts, 0, 0))\n",
    ),
    Planted(
        "a failed write is taken for a good one",
        _WRITER,
        "            return ledger.append(bodies, marks), ledger.checkpoint_due()\n",
        "            try:\n"
        "                return ledger.append(bodies, marks), ledger.checkpoint_due()\n"
        "            except Exception:\n"
        "                return self.head, False\n",
    ),
    Planted(
        "a failed write is tried again",
        _WRITER,
        "            return ledger.append(bodies, marks), ledger.checkpoint_due()\n",
        "            try:\n"
        "                return ledger.append(bodies, marks), ledger.checkpoint_due()\n"
        "            except Exception:\n"
        "                ledger._failed = ''\n"
        "                return ledger.append(bodies, marks), ledger.checkpoint_due()\n",
    ),
    Planted(
        "every second commit of one row is forgotten",
        _WRITER,
        "            return ledger.append(bodies, marks), ledger.checkpoint_due()\n",
        "            if len(bodies) == 1 and ledger.head.seq % 2:\n"
        "                return ledger.head, False\n"
        "            return ledger.append(bodies, marks), ledger.checkpoint_due()\n",
    ),
    # ---- facts and their names
    Planted(
        "a sequence is used again",
        "jackpotd/daemon/intake.py",
        "seq = state.marks.get(mark_key(source, journal), 0) + 1",
        "seq = max(1, state.marks.get(mark_key(source, journal), 0))",
    ),
    Planted(
        "marks are forgotten at a restart",
        "jackpotd/ledger/restore.py",
        "        note_fact(state, item)\n",
        "        pass\n",
    ),
    Planted(
        "a journal is taken for new at every hello",
        "jackpotd/core/devices.py",
        "    elif word.newest < committed(book.state, device):",
        "    elif word.newest > 0:",
    ),
    Planted(
        "the raw bytes are another event's",
        _PLACE,
        "said.seq, said.raw, stale)",
        "said.seq, events.said[0].raw, stale)",
    ),
    # ---- bets
    Planted(
        "carried bets contribute again",
        _LOCKING,
        "tuple(sorted(placed - carried))",
        "tuple(sorted(placed | (carried & main)))",
    ),
    Planted(
        "a bet without a main bet counts",
        _LOCKING,
        "set(table.seats_with(progressive(name))) & main",
        "set(table.seats_with(progressive(name)))",
    ),
    Planted(
        "carried bets are lost", _VOIDING, "seats = table.live.get(name, [])", "seats = table.live.get(name, [])[1:]"
    ),
    Planted(
        "bets after the lock count when they are heard before it",
        _LOCKING,
        "if move.said_ms > lock_ms and there is move.on:",
        "if move.said_ms > lock_ms + 60_000 and there is move.on:",
    ),
    Planted(
        "bets after the lock count when they are heard while it is locking",
        _ROUNDS,
        "if said.said_ms <= table.lock_ms and not clock_was_set:",
        "if not clock_was_set:",
    ),
    Planted(
        "a clock set back takes bets away",
        _LOCKING,
        "    if any(move.at_ms > book.at_ms for move in table.moves):\n        return\n",
        "",
    ),
    Planted(
        "the reserve gets nothing",
        _SETTLEMENT,
        "return Split(pool, share_of(bets_atoms, params.reserve_ppm), Atoms(contribution - pool), ZERO)",
        "return Split(pool, ZERO, Atoms(contribution - pool), ZERO)",
    ),
    # ---- prizes
    Planted(
        "prizes are rounded up",
        _SETTLEMENT,
        "each = floor_to(max(prize.fixed_atoms, share) // len(seats), unit)",
        "each = Atoms(floor_to(max(prize.fixed_atoms, share) // len(seats), unit) + unit)",
    ),
    Planted(
        "a restart is skipped",
        _SETTLING,
        "        if one.settlement.restart is not None:\n            _restart(",
        "        if False:\n            _restart(",
    ),
    Planted(
        "the rest of a pool vanishes at its restart",
        _SETTLEMENT,
        'rest = left if params.remainder == "pool" else 0',
        "rest = 0",
    ),
    Planted(
        "royals are paid before straight flushes",
        _SETTLEMENT,
        "        order.sort(key=lambda turn: not 0 < turn[0].share_ppm < PPM)\n",
        "        order.sort(key=lambda turn: turn[0].share_ppm < PPM)\n",
    ),
    Planted(
        "each royal gets the whole pool",
        _SETTLEMENT,
        "each = floor_to(max(fixed, left) // len(seats), unit)",
        "each = floor_to(max(fixed, left), unit)",
    ),
    Planted(
        "the second straight flush takes of what is left",
        _SETTLEMENT,
        'base = pool_atoms if params.straight_flush_base == "round" else left',
        "base = left",
    ),
    Planted(
        "a folded hand wins",
        _SETTLING,
        " if seat in seats and seat not in table.folded}\n    return {seat: tier for seat",
        " if seat in seats}\n    return {seat: tier for seat",
    ),
    Planted(
        "a rejection gives nothing back",
        _HITS,
        "        moves[account] = change - missing\n",
        "        moves[account] = 0\n        house += change - missing\n",
    ),
    Planted(
        "one person approves anything",
        _HITS,
        "if _needs_another(voters, two=needs_two(book.state.pools[hit.pool], hit)):",
        "if False:",
    ),
    # ---- held rounds and cards
    Planted(
        "a card that came twice is dealt",
        "jackpotd/core/dealing.py",
        '        wrong_cards(book, table, "card_repeated", str(error))',
        "        del error",
    ),
    Planted(
        "an unread card is skipped",
        "jackpotd/core/dealing.py",
        "    card = word.card if isinstance(word, CardRead) else UNREAD_CARD\n    book.write(",
        "    if not isinstance(word, CardRead):\n        return\n    card = word.card\n    book.write(",
    ),
    Planted(
        "a held round is settled by the dealer's key",
        _ROUNDS,
        "        f.CardExposed: expose,\n    },\n}\n",
        "        f.CardExposed: expose,\n        f.RoundEnded: lambda b, t, _: settle(b, t),\n    },\n}\n",
    ),
    # ---- state, epochs, signs
    Planted(
        "the fold carries less than was decided",
        _APPLY,
        "    state.tables[entry.table].folded.append(entry.seat)\n",
        "    state.tables[entry.table].folded = [entry.seat]\n",
    ),
    Planted(
        "a set clock makes an old epoch",
        "jackpotd/core/site.py",
        "epoch = max(book.state.epoch + 1, word.unix_s)",
        "epoch = word.unix_s",
    ),
    Planted("meters are not said again", _BULLETIN, "AGAIN_MS = 2_500", "AGAIN_MS = 60_000"),
    Planted(
        "the beat stands still", _BULLETIN, "        self._beat += 1\n        return self._beat\n", "        return 1\n"
    ),
    Planted(
        "a sign takes an old counter",
        "jackpotd/sign/model.py",
        "            if _order(meter) <= _order(known.meter):\n                return False\n",
        "",
    ),
    Planted(
        "a sign trusts what the broker remembers",
        "jackpotd/sign/model.py",
        "known.live_ms = None if retained else now_ms",
        "known.live_ms = now_ms",
    ),
    Planted(
        "a sign shows on without its broker",
        "jackpotd/sign/model.py",
        "            pool.live_ms = None\n",
        "            pass\n",
    ),
)
