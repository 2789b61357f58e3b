"""What the simulation holds the program to: each check's name, and the promise that it looks at."""

from __future__ import annotations

PROMISES = {
    "acknowledged": "what a device was acknowledged is in the ledger",
    "once": "nothing that was said is in the ledger twice",
    "kept": "what was not acknowledged is kept by the device",
    "facts": "the ledger has the bytes that the device noted",
    "chain": "rows follow each other without a gap",
    "durable": "committed rows outlive kills and power cuts",
    "fold": "the state is the fold of the ledger",
    "money": "postings balance and no account falls below zero",
    "pool": "pool and reserve are what the felt makes, to the atom",
    "falls": "a meter falls only by a prize, a restart or a rejection",
    "bets": "who takes part is who had bet at the lock, or the round is held",
    "carried": "bets of a void round are carried, and each once",
    "voids": "a round is void only when the felt or a supervisor says so",
    "held": "no held round is settled or paid",
    "lost": "no round is settled, unseen by a supervisor, of which a device lost events",
    "cards": "a settled round has the cards that were dealt",
    "prizes": "prizes are what rules and felt make, to the atom",
    "persons": "hits are approved by as many and such persons as the amount asks for, and paid once",
    "rejections": "a rejection gives back what was taken",
    "clock": "a wall clock that was set makes the gaming day provisional, and none that was not",
    "sign": "a sign shows a committed meter, never an earlier one than before",
    "fresh": "with all well for 5 s the sign is right",
    "neutral": "a sign that cannot know shows nothing",
    "rest": "once all is mended everything is heard, decided and paid, and play goes on",
}
