"""jackpotd: the controller of linked progressive jackpots at table games."""

__version__ = "0.1.0"
