"""Passwords, tokens and keys of a whole run with people, seals and a capture: nowhere but where they were given.

Law of these tests: each secret is looked for as text, as raw bytes, in hex with and without blanks, and in base 64.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.floor import Floor
from tests.support.floor_config import Block
from tests.support.mqtt_client import MqttClient
from tests.support.people import ask
from tests.support.plays import SequencedPlay
from tests.support.terminal import Terminal
from tests.support.until import until

MQTT_PASSWORD, ANA, BENTO = "pw-of-the-broker-7Yk2", "pw-of-ana-9QxT", "pw-of-bento-3LmZ"
WRONG = "pw-that-is-wrong-5Hn"
SEAL_SEED = hashlib.sha256(b"the secret key of the seals").digest()
BUS_KEY = hashlib.sha256(b"the key of table B01").digest()[:16]


def guises(secret: bytes) -> Iterator[bytes]:
    """All that a secret may look like."""
    text = secret.hex()
    yield from (secret, b64encode(secret).rstrip(b"="), secret.hex(" ").encode(), text.encode(), text.upper().encode())


def found(secrets: dict[str, bytes], places: dict[str, bytes]) -> list[str]:
    """Which secret lies where."""
    return [
        f"{name} in {place}"
        for name, secret in secrets.items()
        for place, content in places.items()
        if any(guise in content for guise in guises(secret))
    ]


def processes() -> bytes:
    """What `ps eww` shows of every process: its words and its environment."""
    seen = []
    for folder in Path("/proc").glob("[0-9]*"):
        for part in ("cmdline", "environ"):
            try:
                seen.append((folder / part).read_bytes())
            except OSError:
                continue  # it has ended, or is another user's
    return b"\n".join(seen)


@pytest.fixture
def safe(tmp_path: Path) -> Path:
    """Where the secrets of the service lie, as systemd would hand them over."""
    folder = tmp_path / "safe"
    folder.mkdir(mode=0o700)
    (folder / "mqtt-password").write_text(f"{MQTT_PASSWORD}\n")
    (folder / "seal-key").write_text(f"{SEAL_SEED.hex()}\n")
    (folder / "bus-key").write_text(f"{BUS_KEY.hex()}\n")
    return folder


@dataclass(slots=True)
class Run:
    """A run of the house: its secrets, and all that it said to anybody."""

    floor: Floor
    play: SequencedPlay
    blocks: dict[str, Block]
    secrets: dict[str, bytes]
    answers: list[str] = field(default_factory=list)
    topics: list[bytes] = field(default_factory=list)
    processes: list[bytes] = field(default_factory=list)

    def people(self) -> None:
        """Two operators are made."""
        terminal = Terminal(self.floor.config)
        for name, role, password in (("ana", "supervisor", ANA), ("bento", "accounting", BENTO)):
            words = ("operator", "add", name, "--role", role, "--password")
            self.answers.append(repr(terminal.done(*words, typed=f"{password}\n")))

    def round(self) -> None:
        """A round with a hit."""
        play, seen = self.play, self.floor.seen
        play.bets()
        play.lock()
        seen.meter(play.pool, play.pencil.bets(2))
        play.deal_some()
        play.deal_rest()
        play.finish()
        play.prizes()
        seen.hit(play.pool, play.hit, "pending")

    def acts(self) -> None:
        """They log in, mistype, approve the hit, close and seal the day."""
        floor, terminal = self.floor, Terminal(self.floor.config)
        for name, password in (("ana", ANA), ("bento", BENTO)):
            token = ask(floor.control, "login", name=name, password=password)["token"]
            self.secrets[f"{name}'s token"] = token.encode()
        self.answers.append(terminal.no("day", "close", "--as", "bento", typed=f"{WRONG}\n"))
        approving, closing = ("hit", "approve", self.play.hit, "--as", "ana"), ("day", "close", "--as", "bento")
        for words, password in ((approving, ANA), (closing, BENTO)):
            self.answers.append(repr(terminal.done(*words, typed=f"{password}\n")))
        until(floor.ledger.with_name("ledger.db.seals").exists, "the seal of the day")

    def look(self) -> None:
        """What anybody on the machine may see now."""
        terminal = Terminal(self.floor.config)
        self.answers += [terminal.run("status", "--json").stdout, terminal.run("operator", "list", "--json").stdout]
        self.answers.append(repr(self.floor.metrics()))
        self.processes.append(processes())

    def places(self, safe: Path) -> dict[str, bytes]:
        """Everywhere a secret might lie: every file but those of the safe, and what was said."""
        folder = self.floor.folder
        files = [path for path in folder.rglob("*") if path.is_file() and safe not in path.parents]
        said = {
            "a topic": b"\n".join(self.topics),
            "an answer": "\n".join(self.answers).encode(),
            "ps": b"\n".join(self.processes),
        }
        return said | {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture
def run(floor: Floor, safe: Path) -> Run:
    """A house that has not begun to play."""
    play = SequencedPlay(floor, key=BUS_KEY)
    play.table.key_file = safe / "bus-key"
    (floor.folder / "captures").mkdir()
    url, minimum = f"sqlite:///{floor.ledger}", floor.min_free
    blocks: dict[str, Block] = {
        "mqtt": {"url": floor.broker.url, "username": "jackpotd", "password_file": str(safe / "mqtt-password")},
        "ledger": {"url": url, "min_free": minimum, "seal_key_file": str(safe / "seal-key")},
        "capture": {"dir": str(floor.folder / "captures")},
    }
    words = {"the broker's": MQTT_PASSWORD, "a wrong one": WRONG, "ana's": ANA, "bento's": BENTO}
    secrets = {name: word.encode() for name, word in words.items()}
    return Run(floor, play, blocks, secrets | {"the key of the seals": SEAL_SEED, "the key of the bus": BUS_KEY})


def test_no_secret_of_a_whole_run_is_in_ledger_log_capture_process_list_topic_answer_or_metric(
    run: Run, safe: Path
) -> None:
    floor = run.floor
    with MqttClient(floor.broker.host, floor.broker.port) as listener:
        listener.subscribe("#")
        floor.start(**run.blocks)
        run.people()
        run.round()
        run.acts()
        run.look()
        floor.kill()
        floor.start(**run.blocks)
        run.look()
        floor.stop()
        while not listener.messages.empty():
            message = listener.messages.get()
            run.topics.append(message.topic.encode() + b" " + message.payload)
    places = run.places(safe)
    assert all(places[name] for name in ("ledger.db", "operators.db", "daemon.log", "a topic", "an answer", "ps"))
    assert any(name.startswith("captures/") for name in places)
    assert found(run.secrets, places) == []
    # The search itself finds what is there.
    kept = {path.name: path.read_bytes() for path in safe.iterdir()}
    assert len(found(run.secrets, kept)) == len(kept)
