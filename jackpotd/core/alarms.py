"""What to do about each alarm, in words for the person who stands beside the table.

Law: every alarm code of the core is here, and only here.
"""

from __future__ import annotations

_TODO: dict[str, str] = {
    "held": "Look at the table, then enter a card, name a seat dealt without a bet, confirm or void the round.",
    "held claim": "Turn the supervisor's key, enter the cards of every seat that claims, confirm; or refuse the claim.",
    "held card_unreadable": "Enter the card that was not read, then confirm; or void the round.",
    "held card_extra": "A seat dealt without a bet: name it, then confirm. A wrong deal: void the round (61/2004 11).",
    "offline": "Check the cable, the adapter and the device's power; the progressive reopens by itself.",
    "device_fault": "Clear the device's error as its display says; or deal from another: `jackpotd table deal`.",
    "foreign_device": "A foreign board answers: put the right one back, or replace it (technician and supervisor).",
    "journal_lost": "The device lost its memory: compare the bets on the table with the screen, then decide the round.",
    "journal_gap": "Events of the device are lost: compare the table with the screen, then decide the round.",
    "parameters": "Undo the change of the file, or apply it with two persons: `jackpotd pool apply`.",
    "staged": "Nothing: it takes force by itself. Applying a file that says what is in force withdraws it.",
    "pool_retired": "Take the retired pool out of the file: a new pool needs a new name.",
    "pool_missing": "A live pool is not in the file any more: put it back, or retire the pool.",
    "table_missing": "A table is not in the file any more: put it back, or close the table.",
    "table_busy": "The table's settings change when no round is in play: reload once the round is over.",
    "storage": "Make room on the ledger's disk: rounds in play go on, no bet is taken until then.",
    "clock_jumped": "Compare the machine's clock with another: times of this day are in doubt, amounts and order not.",
    "clock_unsynchronised": "Mend the time service (`timedatectl`): until then the times of a day are in doubt.",
    "suspended": "It pays and takes nothing: find the cause, then two persons let it go on: `jackpotd pool resume`.",
    "wrong_cards": "Stop the table, keep the cards and call surveillance; then confirm or void the round.",
    "closed_table_cards": "Cards are dealt at a closed table: open the table or stop dealing.",
}


# Those about a device at its place; they go when the device is configured no more.
DEVICE_ALARMS = ("device_fault", "foreign_device", "journal_gap", "journal_lost", "offline")


def todo(code: str, cause: str = "") -> str:
    """What to do, in the words of its cause where that has some; KeyError for an unknown code is a bug."""
    return _TODO.get(f"{code} {cause}") or _TODO[code]


# Why a round is held: words for the screen. The code is the key.
HOLDS: dict[str, str] = {
    "card_unreadable": "a card could not be read",
    "card_repeated": "a card came more often than the packs hold it",
    "card_beyond_shoe": "a card came more often since the shoe began than its packs hold it",
    "order_repeated": "the pack has the order of an earlier round",
    "cards_withheld": "the shoe ends and cards have stayed away beyond what chance makes credible",
    "card_extra": "a card came that the round has no place for",
    "card_conflict": "two different cards for one place",
    "card_outside": "a card was drawn outside play",
    "card_again_first": "a card was sent again before the first card of the round",
    "cards_missed": "the bets were locked while nobody listened, and the shoe cannot repeat what it dealt since",
    "cards_missing": "the round ended before every hand was complete",
    "drawing_rule": "a card went to a side that the drawing rule does not give it",
    "no_bets": "cards are dealt and no seat has a bet",
    "wrong_device": "a card came from a device that is not dealing",
    "packet": "a packet had a wrong number of cards",
    "result": "the shoe's result is not ours",
    "result_early": "the shoe gave a result before the cards were complete",
    "result_alone": "the shoe gave a result and no cards are known",
    "forced_quit": "the shoe was made to quit the round",
    "device_fault": "a device raised an error",
    "deal_lost": "the device that deals is not reached, and cards may be missed",
    "device_lost": "a device is not reached",
    "deal_replaced": "the device that deals was replaced in the middle of the round",
    "device_replaced": "a device was replaced, and what the old one had not yet said is lost",
    "device_restarted": "a device powered up in the middle of the round",
    "controller_restarted": "the controller restarted and cards may have been missed",
    "sequence_gap": "messages of a device were lost",
    "journal_gap": "events of a device were lost",
    "journal_lost": "a device lost its journal",
    "unknown_event": "a device said something unknown",
    "bets_unsure": "a bet was made or taken back at a moment that is not known, near the lock",
    "by_hand": "a supervisor enters its cards",
    "lock_timeout": "a bet device did not answer in time",
    "deal_timeout": "no card came for too long",
    "fold_unknown": "a seat without a bet folded",
    "claim": "a claim waits for a supervisor's key and cards",
    "claim_alone": "a claim came and no round is in play",
    "award": "a prize that cannot be owed",
    "pool_suspended": "a pool of the table is suspended",
}
