"""Tables without card reading: a dealer's claim, a supervisor's key, entered cards that support it (design 7).

Laws
1. A claim is never a hit by itself: the supervisor's key was turned, and the entered cards make the tier claimed.
2. Such a table goes from locked to settled at `round ended`; with a claim it is held until it is confirmed or voided.
3. A false claim is refused by itself: the supervisor takes it out, and the true ones of the round are paid.
"""

from __future__ import annotations

from jackpotd.core import entries as e
from jackpotd.core import facts as f
from jackpotd.core.book import Book
from jackpotd.core.cards import Card, check_pack
from jackpotd.core.dealing import HAND_CARDS, dealing_order, is_complete, known_cards, sides
from jackpotd.core.errors import RuleError
from jackpotd.core.holding import hold
from jackpotd.core.options import option_tier
from jackpotd.core.parameters import TIERS
from jackpotd.core.said import Said
from jackpotd.core.state import Claim, Table
from jackpotd.core.stud import evaluate, stud_tier

CLAIMS = "claims"
# An alarm's text is a thousand characters at most on MQTT; a keypad can claim every tier of every seat and pool.
_SHOWN_CLAIMS = 8


def has_no_reader(table: Table) -> bool:
    """Whether the table plays without card reading now."""
    return table.deals == CLAIMS


def claim(book: Book, table: Table, said: Said) -> None:
    """The dealer claims a tier for a seat; one that cannot be is held for the supervisor to see."""
    word = said.word
    assert isinstance(word, f.Claimed)
    pools = table.params.pools
    name = pools[word.pool] if word.pool < len(pools) else ""
    in_play = has_no_reader(table) and word.seat in table.live.get(name, ())
    tiers = TIERS[book.state.pools[name].params.of_game(table.params.game).sole_rules] if in_play else ()
    if not 1 <= word.tier <= len(tiers):
        hold(book, table, "claim", f"seat {word.seat} claims tier {word.tier} of pool {word.pool}, which it cannot")
        return
    made = Claim(word.seat, tiers[word.tier - 1], name)
    if made not in table.claims:
        book.write(e.ClaimMade(book.at_ms, table.params.table, made.seat, made.tier, made.pool))


def end_claims_round(book: Book, table: Table, _: Said) -> None:
    """`round ended` at a table without card reading settles it; elsewhere cards are missing."""
    if not has_no_reader(table):
        if table.params.game == "stud":
            hold(book, table, "cards_missing", "no card is known")
        return
    if table.claims:
        hold(book, table, "claim", _shown(table.claims))
        return
    book.write(e.RoundSettled(book.at_ms, table.params.table, table.round, {}, "not read", (), (), ()))


def _shown(claims: list[Claim]) -> str:
    more = len(claims) - _SHOWN_CLAIMS
    first = ", ".join(f"seat {made.seat} claims {made.tier} of {made.pool}" for made in claims[:_SHOWN_CLAIMS])
    return first + (f" and {more} more" if more > 0 else "")


def check_supported(book: Book, table: Table) -> None:
    """RuleError unless the key was turned and the entered cards, possible in the packs, make every tier claimed."""
    if not table.key_used:
        raise RuleError("a claim needs the supervisor's key at the keypad first")
    check_pack(known_cards(table), table.params.decks)
    for made in table.claims:
        tier, shown = _tier_of_entered_cards(book, table, made)
        if tier != made.tier:
            raise RuleError(f"the cards of {shown} do not support {made.tier}: enter them right or refuse the claim")


def refuse(book: Book, table: Table, act: f.RefuseClaim) -> None:
    """Take back the claims of a seat on a pool, unless the entered cards support one; the others of the round stand."""
    claims = [made for made in table.claims if (made.seat, made.pool) == (act.seat, act.pool)]
    if not claims:
        there = ", ".join(f"seat {made.seat} on {made.pool}" for made in table.claims)
        raise RuleError(
            f"seat {act.seat} claims nothing of {act.pool}; table {act.table} has claims of {there or 'none'}"
        )
    for made in claims:
        tier, shown = _tier_of_entered_cards(book, table, made)
        if tier == made.tier:
            raise RuleError(f"the cards of {shown} support {made.tier}: confirm the round")
    for made in claims:
        cards = tuple(_entered(table, made))
        entry = e.ClaimRefused(book.at_ms, act.table, made.seat, made.tier, made.pool, cards, act.by, act.why)
        book.write(entry)


def _entered(table: Table, made: Claim) -> list[str]:
    hands = [str(made.seat)] if table.params.game == "stud" else ["player", "banker"]
    return [card for hand in hands for card in table.hands.get(hand, ())]


def _tier_of_entered_cards(book: Book, table: Table, made: Claim) -> tuple[str | None, str]:
    """The tier that the cards entered for a claim make, and whose cards they are."""
    if table.params.game == "stud":
        cards = [Card(card) for card in table.hands.get(str(made.seat), ())]
        tier = stud_tier(evaluate(cards).hand) if len(cards) == HAND_CARDS else None
        return tier, f"seat {made.seat} ({' '.join(cards) or 'none entered'})"
    player, banker = sides(table)
    if not is_complete(table):
        return None, "the round (not complete)"
    params = book.state.pools[made.pool].params.of_game(table.params.game)
    cards = dealing_order(player, banker)
    return option_tier(params.sole_rules, cards, player, banker, params.four_of_a_kind_suits), "the round"
