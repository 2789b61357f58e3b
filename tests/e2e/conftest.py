"""The floor that every end-to-end test plays on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import StartBroker
from tests.support.floor import Floor


@pytest.fixture
def floor(tmp_path: Path, mosquitto: StartBroker) -> Iterator[Floor]:
    """An empty floor with a broker of its own."""
    with Floor(tmp_path, mosquitto()) as empty:
        yield empty
