"""Who acts: the peer of the control socket, or the operator whose token he shows (design 4).

Laws
1. The kernel says which Unix user calls; a token says which operator. A token that is no good is never passed over.
2. An operator is who the operators' file and the ledger both know, with the same role, not disabled.
3. Root and the service's own user administer operators; that alone lets them decide nothing about money.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from jackpotd.core.facts import By
from jackpotd.core.roles import ADMIN
from jackpotd.core.state import Operator
from jackpotd.daemon.operators import Operators
from jackpotd.daemon.tokens import TOKEN_MS, Tokens, Tries
from jackpotd.messages.control import Code

ROOT_UID = 0
_MS_PER_S = 1_000


class RefusedError(Exception):
    """A request that is answered with no; the text is for a person, the code for a program."""

    def __init__(self, code: Code, text: str, result: dict[str, Any] | None = None) -> None:
        """`code` as the messages name it; `result` where there is more to say than a sentence."""
        super().__init__(text)
        self.code: Code = code
        self.result = result


@dataclass(frozen=True, slots=True)
class Peer:
    """Who is at the other end of the socket."""

    uid: int
    unix_user: str

    @property
    def administers(self) -> bool:
        """Root, or the user that the service runs as."""
        return self.uid in (ROOT_UID, os.geteuid())


@dataclass(frozen=True, slots=True)
class Caller:
    """The peer of a request with the token that came with it."""

    peer: Peer
    token: str | None


class Identity:
    """Tells who a caller is. `known` gives the ledger's operators."""

    def __init__(
        self, operators: Operators, known: Callable[[], Mapping[str, Operator]], now_ms: Callable[[], int]
    ) -> None:
        self._operators = operators
        self._known = known
        self._tokens = Tokens(now_ms)
        self._tries = Tries(now_ms)

    def may_act(self, name: str) -> bool:
        """Whether an operator of this name may act (law 2)."""
        record, known = self._operators.records.get(name), self._known().get(name)
        if record is None or known is None or record.disabled or known.disabled:
            return False
        return (record.role, record.unix_user) == (known.role, known.unix_user)

    def operator(self, caller: Caller) -> By:
        """The operator who calls. RefusedError when nobody that we know does."""
        name = self._by_token(caller) if caller.token is not None else self._by_user(caller.peer.unix_user)
        return By(name, self._known()[name].role)

    def administrator(self, caller: Caller) -> By:
        """The Unix user who calls, as administrator. RefusedError when he is not one."""
        if not caller.peer.administers:
            raise RefusedError("not_allowed", f"{caller.peer.unix_user} is neither root nor the service's own user")
        return By(caller.peer.unix_user, ADMIN)

    def _by_token(self, caller: Caller) -> str:
        name = self._tokens.name_of(caller.token or "", caller.peer.uid)
        if name is None or not self.may_act(name):
            raise RefusedError("login", "the token is not valid, or its five minutes are over: log in again")
        return name

    def _by_user(self, user: str) -> str:
        for record in self._operators.records.values():
            if record.unix_user == user and self.may_act(record.name):
                return record.name
        raise RefusedError(
            "not_allowed",
            f"the Unix user {user} is no operator: act with --as NAME, or be added with --unix-user {user}",
        )

    async def log_in(self, peer: Peer, name: str, password: str) -> tuple[str, int]:
        """A token and how many seconds it is good for. RefusedError: wrong, or too many tries."""
        counted = name if name in self._operators.records else ""
        wait_ms = self._tries.wait_ms(peer.uid, counted)
        if wait_ms:
            raise RefusedError("login", f"too many wrong passwords: try again in {-(-wait_ms // _MS_PER_S)} s")
        self._tries.begun(peer.uid, counted)
        record = self._operators.records.get(name)
        right = await self._operators.matches(name, password)
        # The password may have become another one, or the operator nobody, while this one was looked at.
        if not right or self._operators.records.get(name) is not record or not self.may_act(name):
            raise RefusedError("login", "name or password is wrong, or the operator has no password")
        self._tries.right(peer.uid, counted)
        return self._tokens.issue(name, peer.uid), TOKEN_MS // _MS_PER_S

    def forget(self, name: str) -> None:
        """End every login of an operator: he is disabled, or his password is another one."""
        self._tokens.revoke(name)
