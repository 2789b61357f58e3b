"""SIGHUP, by habit or by a terminal that closes: the configuration is read anew, and no table notices."""

from __future__ import annotations

import os
import signal

from tests.support.floor import Floor
from tests.support.until import until


def test_a_hangup_has_the_configuration_read_anew_and_one_with_faults_changes_nothing(floor: Floor) -> None:
    floor.pool("stud-main")
    first = floor.stud()
    floor.start()
    floor.bet(first, 1)
    assert floor.daemon is not None
    text = floor.write_config().read_text(encoding="utf-8")
    floor.config.write_text(text.replace("seats = 7", "seats = 0"), encoding="utf-8")
    os.kill(floor.daemon.pid, signal.SIGHUP)
    until(lambda: "SIGHUP: the configuration is not taken" in floor.said(), "a line in the log", floor.said)
    floor.claims()
    floor.write_config()
    os.kill(floor.daemon.pid, signal.SIGHUP)
    floor.seen.table("T03", phase="open")
    floor.seen.table("T01", seats=lambda seats: "1" in str(seats))
    floor.stop()
