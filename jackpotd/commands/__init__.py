"""The commands of `jackpotd`, one module each, imported only when called. Only they and the demo print."""
