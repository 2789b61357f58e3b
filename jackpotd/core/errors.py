"""The core's one error family: what the rules refuse, in words that a person at the table can act on."""


class RuleError(Exception):
    """A round, a card, an amount or an act that the rules do not allow; the text says which and why."""
