"""A child process that never comes to its end, in place of the one that verifies: its first argument is a file."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    Path(sys.argv[1]).write_text(str(os.getpid()), encoding="utf-8")
    while True:
        time.sleep(60)
