"""Screenshots compared in a tolerant way: what a reader would call the same picture, on any machine's fonts.

Laws
1. A picture is kept small: every letter is a few pixels, so that another face of the same size looks alike.
2. Pictures of a sign that has changed on purpose are written anew with JACKPOTD_NEW_PICTURES=1.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

STORED = Path(__file__).resolve().parents[1] / "sign" / "pictures"
VARIABLE = "JACKPOTD_NEW_PICTURES"
# Of the longer side, in pixels.
SMALL = 96
# Of 255. Another font moves edges by a pixel; a missing line, digit or colour is above both.
MOST_MEAN = 5.0
MOST_BLOCK = 40.0
_BLOCK = 8


def assert_looks_like(screenshot: bytes, name: str) -> None:
    """Compare a screenshot with the stored picture of this name; AssertionError tells by how much it differs."""
    seen = _small(screenshot)
    path = STORED / f"{name}.png"
    if os.environ.get(VARIABLE):
        path.parent.mkdir(exist_ok=True)
        seen.save(path, optimize=True)
    assert path.exists(), f"{path.name} is not stored; see {VARIABLE}"
    stored = Image.open(path).convert("RGB")
    assert seen.size == stored.size
    mean, block = difference(seen, stored)
    assert mean <= MOST_MEAN, f"{name}: {mean:.1f} of 255 on average"
    assert block <= MOST_BLOCK, f"{name}: {block:.1f} of 255 in one place"


def difference(one: Image.Image, other: Image.Image) -> tuple[float, float]:
    """How far two pictures differ, on average and in the worst block of pixels."""
    apart = ImageChops.difference(one, other).convert("L")
    blocks = apart.resize((-(-apart.width // _BLOCK), -(-apart.height // _BLOCK)), Image.Resampling.BOX)
    extreme = blocks.getextrema()[1]
    assert isinstance(extreme, int | float)
    return ImageStat.Stat(apart).mean[0], extreme


def _small(screenshot: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    picture.thumbnail((SMALL, SMALL), Image.Resampling.BOX)
    return picture
