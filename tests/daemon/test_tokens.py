"""Tokens are good for five minutes in one pair of hands; guessing earns a wait."""

from __future__ import annotations

from jackpotd.daemon.tokens import MAX_COUNTED, MAX_TOKENS, MAX_WRONG, TOKEN_MS, WAIT_MS, Tokens, Tries


class Hands:
    """A monotonic clock that is moved by hand."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000

    def __call__(self) -> int:
        return self.now_ms


def test_a_token_ends_after_five_minutes() -> None:
    clock = Hands()
    tokens = Tokens(clock)
    token = tokens.issue("ana", 1000)
    clock.now_ms += TOKEN_MS - 1
    assert tokens.name_of(token, 1000) == "ana"
    clock.now_ms += 1
    assert TOKEN_MS == 5 * 60 * 1000
    assert tokens.name_of(token, 1000) is None


def test_a_token_is_nobodys_in_another_users_hands() -> None:
    tokens = Tokens(Hands())
    token = tokens.issue("ana", 1000)
    assert tokens.name_of(token, 1001) is None
    assert tokens.name_of(token + "x", 1000) is None


def test_tokens_of_two_operators_are_two_persons() -> None:
    tokens = Tokens(Hands())
    first, second = tokens.issue("ana", 1000), tokens.issue("rui", 1000)
    assert (tokens.name_of(first, 1000), tokens.name_of(second, 1000)) == ("ana", "rui")


def test_revoking_ends_every_token_of_one_operator_and_no_others() -> None:
    tokens = Tokens(Hands())
    old = [tokens.issue("ana", 1000) for _ in range(3)]
    other = tokens.issue("rui", 1000)
    tokens.revoke("ana")
    assert [tokens.name_of(token, 1000) for token in old] == [None] * 3
    assert tokens.name_of(other, 1000) == "rui"


def test_tokens_are_bounded_and_the_oldest_ends_first() -> None:
    tokens = Tokens(Hands())
    issued = [tokens.issue("ana", 1000) for _ in range(MAX_TOKENS + 1)]
    assert tokens.name_of(issued[0], 1000) is None
    assert tokens.name_of(issued[1], 1000) == "ana"


def test_after_five_wrong_passwords_one_user_waits_for_one_name() -> None:
    clock = Hands()
    tries = Tries(clock)
    for _ in range(MAX_WRONG):
        assert tries.wait_ms(1000, "ana") == 0
        tries.begun(1000, "ana")
    assert tries.wait_ms(1000, "ana") == WAIT_MS
    assert tries.wait_ms(1001, "ana") == 0
    assert tries.wait_ms(1000, "rui") == 0
    clock.now_ms += WAIT_MS
    assert tries.wait_ms(1000, "ana") == 0


def test_a_right_password_forgets_the_wrong_ones() -> None:
    tries = Tries(Hands())
    for _ in range(MAX_WRONG):
        tries.begun(1000, "ana")
    tries.right(1000, "ana")
    assert tries.wait_ms(1000, "ana") == 0


def test_what_is_counted_is_bounded() -> None:
    tries = Tries(Hands())
    for number in range(3 * MAX_COUNTED):
        tries.begun(number, "ana")
    assert len(tries._counts) == MAX_COUNTED
