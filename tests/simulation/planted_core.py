"""Faults planted in the rules: bets, prizes, persons, held rounds and cards."""

from __future__ import annotations

from tests.simulation.planted_faults import Planted

_LOCKING, _SETTLEMENT, _SETTLING = (
    "jackpotd/core/locking.py",
    "jackpotd/core/settlement.py",
    "jackpotd/core/settling.py",
)
_ROUNDS, _DEALING, _VOIDING, _HITS, _APPLY = (
    "jackpotd/core/rounds.py",
    "jackpotd/core/dealing.py",
    "jackpotd/core/voiding.py",
    "jackpotd/core/hits.py",
    "jackpotd/core/apply_round.py",
)

# What is computed wrong would be held by the second reckoning; a card too many, when the last one comes.
_SECOND_RECKONING = ("jackpotd/core/breaker.py", "fault = _not_owed(pool, settlement, table)", 'fault = ""')
_CARD_TOO_MANY = (
    _DEALING,
    'hold(book, table, "card_extra", _text(said))\n        _note(book, table, said)\n        return\n    packets',
    "return\n    packets",
)

CORE = (
    # ---- bets
    Planted(
        "carried bets contribute again",
        _LOCKING,
        "tuple(sorted(placed - carried))",
        "tuple(sorted(placed | (carried & main)))",
        breaks=("bets", "pool"),
    ),
    Planted(
        "a bet without a main bet counts",
        _LOCKING,
        "set(table.seats_with(progressive(name))) & main",
        "set(table.seats_with(progressive(name)))",
        breaks=("bets",),
    ),
    Planted(
        "carried bets are lost",
        _VOIDING,
        "seats = table.live.get(name, [])",
        "seats = table.live.get(name, [])[1:]",
        breaks=("carried",),
    ),
    Planted(
        "bets after the lock count when they are heard before it",
        _LOCKING,
        "if move.said_ms > lock_ms and there is move.on:",
        "if move.said_ms > lock_ms + 60_000 and there is move.on:",
        breaks=("bets",),
        seed=92,
    ),
    Planted(
        "bets after the lock count when they are heard while it is locking",
        _ROUNDS,
        "if said.said_ms <= table.lock_ms and not clock_was_set:",
        "if not clock_was_set:",
        breaks=("bets",),
        seed=8,
    ),
    Planted(
        "a clock set back takes bets away",
        _LOCKING,
        "    if any(move.at_ms > book.at_ms for move in table.moves):\n        return\n",
        "",
        breaks=("bets",),
        seed=2,
    ),
    Planted(
        "the reserve gets nothing",
        _SETTLEMENT,
        "return Split(pool, share_of(bets_atoms, params.reserve_ppm), Atoms(contribution - pool), ZERO)",
        "return Split(pool, ZERO, Atoms(contribution - pool), ZERO)",
        breaks=("pool",),
    ),
    Planted(
        "one exposed card makes a round void",
        "jackpotd/core/playing.py",
        "VOID_EXPOSURES = 2",
        "VOID_EXPOSURES = 1",
        breaks=("voids",),
        seed=2,
    ),
    Planted(
        "a limit limits nothing",
        _SETTLEMENT,
        "pool = Atoms(min(contribution, max(0, params.limit_atoms - pool_atoms)))",
        "pool = contribution",
        breaks=("pool",),
    ),
    Planted(
        "what passes a limit is the house's",
        _SETTLEMENT,
        "Atoms(contribution - pool), ZERO)",
        "ZERO, ZERO)",
        breaks=("pool",),
    ),
    Planted(
        "levels are fed beside the bet",
        "jackpotd/core/feeding.py",
        "_meter(pool, before), Atoms(levels_atoms))",
        "_meter(pool, before), Atoms(0 * levels_atoms))",
        breaks=("money",),
        seed=4,
    ),
    # ---- prizes
    Planted(
        "prizes are rounded up",
        _SETTLEMENT,
        "each = floor_to(max(prize.fixed_atoms, share) // len(seats), unit)",
        "each = Atoms(floor_to(max(prize.fixed_atoms, share) // len(seats), unit) + unit)",
        also=(_SECOND_RECKONING,),
        breaks=("prizes",),
    ),
    Planted(
        "a restart is skipped",
        _SETTLING,
        "        if one.settlement.restart is not None:\n            _restart(",
        "        if False:\n            _restart(",
        breaks=("pool",),
    ),
    Planted(
        "the rest of a pool vanishes at its restart",
        _SETTLEMENT,
        'rest = left if params.remainder == "pool" else 0',
        "rest = 0",
        breaks=("pool",),
    ),
    Planted(
        "royals are paid before straight flushes",
        _SETTLEMENT,
        "        order.sort(key=lambda turn: not 0 < turn[0].share_ppm < PPM)\n",
        "        order.sort(key=lambda turn: turn[0].share_ppm < PPM)\n",
        breaks=("prizes",),
        seed=2,
    ),
    Planted(
        "each royal gets the whole pool",
        _SETTLEMENT,
        "each = floor_to(max(fixed, left) // len(seats), unit)",
        "each = floor_to(max(fixed, left), unit)",
        also=(_SECOND_RECKONING,),
        breaks=("prizes",),
        seed=2,
    ),
    Planted(
        "the second straight flush takes of what is left",
        _SETTLEMENT,
        'base = pool_atoms if params.straight_flush_base == "round" else left',
        "base = left",
        breaks=("prizes",),
        seed=2,
    ),
    Planted(
        "a folded hand wins",
        _SETTLING,
        " if seat in seats and seat not in table.folded}\n    return {seat: tier for seat",
        " if seat in seats}\n    return {seat: tier for seat",
        breaks=("prizes",),
        seed=4,
    ),
    Planted(
        "a rejection gives nothing back",
        _HITS,
        "        moves[account] = change - missing\n",
        "        moves[account] = 0\n        house += change - missing\n",
        breaks=("pool",),
        seed=2,
    ),
    Planted(
        "one person approves anything",
        _HITS,
        "if _needs_another(voters, two=needs_two(book.state.pools[hit.pool], hit)):",
        "if False:",
        breaks=("persons",),
    ),
    Planted(
        "one person is two",
        "jackpotd/core/voters.py",
        "    for voter in voters:\n",
        "    for voter in voters[:0]:\n",
        breaks=("persons",),
    ),
    Planted(
        "a hit is paid before it is approved",
        _HITS,
        "HitStatus.PENDING: frozenset({HitStatus.APPROVED, HitStatus.REJECTED}),",
        "HitStatus.PENDING: frozenset({HitStatus.APPROVED, HitStatus.REJECTED, HitStatus.PAID}),",
        breaks=("persons",),
    ),
    Planted(
        "a hit is paid twice",
        _HITS,
        "HitStatus.PAID: frozenset(),",
        "HitStatus.PAID: frozenset({HitStatus.PAID}),",
        breaks=("persons",),
    ),
    # ---- held rounds and cards
    Planted(
        "lost events hold no round",
        "jackpotd/core/devices.py",
        '    device_doubt(book, table, said.device, "journal_gap", said.device)\n',
        "",
        breaks=("lost", "bets"),
        seed=18,
    ),
    Planted(
        "a card that came twice is dealt",
        _DEALING,
        '        wrong_cards(book, table, "card_repeated", str(error))',
        "        del error",
        also=(
            _CARD_TOO_MANY,
            ("jackpotd/core/integrity.py", "    if came > table.params.decks:\n", "    if came < 0:\n"),
        ),
        breaks=("cards",),
        seed=110,
    ),
    Planted(
        "an unread card is taken for another",
        _DEALING,
        "word.card if isinstance(word, CardRead) else UNREAD_CARD\n    book.write(",
        'word.card if isinstance(word, CardRead) else "2S"\n    book.write(',
        breaks=("cards",),
        seed=12,
    ),
    Planted(
        "a held round is settled by the dealer's key",
        _ROUNDS,
        "        f.CardExposed: expose,\n    },\n}\n",
        "        f.CardExposed: expose,\n        f.RoundEnded: lambda b, t, _: settle(b, t),\n    },\n}\n",
        breaks=("held",),
        seed=14,
    ),
    Planted(
        "the fold carries less than was decided",
        _APPLY,
        "    state.tables[entry.table].folded.append(entry.seat)\n",
        "    state.tables[entry.table].folded = [entry.seat]\n",
        breaks=("prizes",),
        seed=4,
    ),
)
