"""A real Mosquitto for tests.

Laws
1. Each broker has its own free loopback port and folder, and is ended by its process id.
2. `start` returns when the broker accepts connections; `stop` when the process is gone. `start` after `stop` uses the
   same port, so that a client can be seen to come back.
"""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

# Generous: a loaded two-core machine; only a broker that never comes waits this long.
START_LIMIT_S = 20.0
STOP_LIMIT_S = 10.0
# A port found free can be taken by somebody else before the broker binds it.
START_TRIES = 5
# Debian installs the broker outside the PATH of ordinary users.
_PATH = os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/sbin"


class BrokerError(Exception):
    """The broker did not start; the text is what it said."""


def free_port() -> int:
    """A loopback TCP port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def program(name: str) -> str:
    """The path of a program that scripts/debian-packages.sh installs."""
    found = shutil.which(name, path=_PATH)
    if found is None:
        raise BrokerError(f"{name} is not installed; run scripts/debian-packages.sh")
    return found


class Mosquitto:
    """One broker. `users` (name -> password) forbids anonymous clients; `tls` is (CA, certificate, key).

    `configuration` makes the whole configuration of a port, in place of one made from the other options.
    """

    def __init__(
        self,
        folder: Path,
        *,
        users: Mapping[str, str] | None = None,
        acl: Path | None = None,
        tls: tuple[Path, Path, Path] | None = None,
        extra: str = "",
        configuration: Callable[[int], str] | None = None,
    ) -> None:
        self.folder = folder
        self.host = "127.0.0.1"
        self.port = 0
        self.log = folder / "mosquitto.log"
        self._users = users
        self._acl = acl
        self._tls = tls
        self._extra = extra
        self._configuration = configuration or self._usual
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address as a jackpotd configuration has it."""
        return f"{'mqtts' if self._tls else 'mqtt'}://{self.host}:{self.port}"

    def start(self) -> None:
        """Run the broker; returns when it accepts connections. The first start chooses the port."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._users is not None and not (self.folder / "passwords").exists():
            self._write_passwords(self._users)
        for last in (False,) * (START_TRIES - 1) + (True,):
            moving = self.port == 0
            if moving:
                self.port = free_port()
            if self._launch():
                return
            if last or not moving:
                break
            self.port = 0
        raise BrokerError(self.log.read_text(encoding="utf-8", errors="replace"))

    def stop(self) -> None:
        """End the broker as an administrator would; clients see a closed connection."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End the broker as a power cut would."""
        self._end(signal.SIGKILL)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Inside, the broker keeps its connections but answers nothing."""
        if self._process is None:
            raise BrokerError("the broker is not running")
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def _launch(self) -> bool:
        configuration = self.folder / "mosquitto.conf"
        configuration.write_text(self._configuration(self.port), encoding="utf-8")
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [program("mosquitto"), "-c", str(configuration)], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        deadline_s = time.monotonic() + START_LIMIT_S
        while self._process.poll() is None:
            if self._accepts():
                return self._process.poll() is None
            if time.monotonic() > deadline_s:
                self._end(signal.SIGKILL)
                return False
            time.sleep(0.02)
        self._process = None
        return False

    def _accepts(self) -> bool:
        try:
            socket.create_connection((self.host, self.port), timeout=1.0).close()
        except OSError:
            return False
        return True

    def _usual(self, port: int) -> str:
        lines = [
            f"user {getpass.getuser()}",  # started by root, it would become a user who may not read tmp_path
            "per_listener_settings false",
            "persistence false",
            f"listener {port} {self.host}",
            f"allow_anonymous {'false' if self._users is not None else 'true'}",
            "log_type all",
        ]
        if self._users is not None:
            lines.append(f"password_file {self.folder / 'passwords'}")
        if self._acl is not None:
            # Copied, since the broker warns about access lists that somebody else can read.
            own = self.folder / "acl"
            own.write_bytes(self._acl.read_bytes())
            own.chmod(0o600)
            lines.append(f"acl_file {own}")
        if self._tls is not None:
            ca, certificate, key = self._tls
            lines += [f"cafile {ca}", f"certfile {certificate}", f"keyfile {key}"]
        return "\n".join([*lines, self._extra, ""])

    def _write_passwords(self, users: Mapping[str, str]) -> None:
        passwords = self.folder / "passwords"
        passwords.write_text("".join(f"{name}:{password}\n" for name, password in users.items()), encoding="utf-8")
        passwords.chmod(0o600)
        subprocess.run([program("mosquitto_passwd"), "-U", str(passwords)], check=True, capture_output=True)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
