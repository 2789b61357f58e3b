"""What logins leave behind in the daemon's memory, under the environment that its unit gives it."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.support.sources import ROOT

HASH_KIB = 19 * 1024
LOGINS = """
import pathlib, re
from jackpotd.daemon.passwords import hashed, verify

def resident_kib():
    return int(re.search(r"VmRSS:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])

secret, before = hashed("a password"), resident_kib()
assert all(verify(secret, "a password") for _ in range(3))
print(resident_kib() - before)
"""


def test_the_memory_of_a_login_goes_back_after_it() -> None:
    unit = (ROOT / "systemd" / "jackpotd.service").read_text(encoding="utf-8")
    environment = dict(re.findall(r"^Environment=(\w+)=(\S+)$", unit, re.MULTILINE))
    done = subprocess.run(
        [sys.executable, "-c", LOGINS], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < HASH_KIB / 2
