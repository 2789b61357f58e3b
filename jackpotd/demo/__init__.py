"""`jackpotd demo`: the whole product in one process, played by simulated tables over real pseudo-terminals."""
