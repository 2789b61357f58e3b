"""Two persons: two different operators of two roles (design 7)."""

from __future__ import annotations

from collections.abc import Sequence

from jackpotd.core.acts import By
from jackpotd.core.errors import RuleError


def with_voter(voters: Sequence[By], by: By) -> tuple[By, ...]:
    """The voters with one more, who must be another operator of another role."""
    for voter in voters:
        if voter.name == by.name:
            raise RuleError(f"{by.name} has spoken already: the second person must be another")
        if voter.role == by.role:
            raise RuleError(f"{voter.name} is {voter.role} too: the second person must have another role")
    return (*voters, by)
