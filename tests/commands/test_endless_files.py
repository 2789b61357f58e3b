"""Files without an end where the commands read a small one: told, and not read until the memory is full."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackpotd.commands.asking import read_secret
from jackpotd.commands.client import UsageError, socket_of
from jackpotd.sign.settings import SignError, read_settings

ENDLESS = Path("/dev/zero")


def test_a_configuration_without_an_end() -> None:
    with pytest.raises(UsageError, match="larger than any configuration"):
        socket_of(ENDLESS)


def test_the_settings_of_a_sign_without_an_end() -> None:
    with pytest.raises(SignError, match="larger than any settings"):
        read_settings(ENDLESS, {})


def test_a_password_without_an_end_is_cut() -> None:
    assert len(read_secret(ENDLESS, "")) <= 4_096
