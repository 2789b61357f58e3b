"""Debian's Chromium, driven by playwright, and what a sign's page says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.broker import program

# No sandbox: the tests may run as root. The rest keeps it from talking to anybody but the player.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
)
# Generous: only a failing test waits this long.
LIMIT_MS = 30_000

expect.set_options(timeout=LIMIT_MS)

# Keeps, for every animation frame, what the pool's element says.
_RECORD = """() => {
  const frames = window.frames = [];
  window.recording = true;
  const watch = () => {
    const pool = document.querySelector("[data-pool]");
    const box = pool.dataset;
    frames.push([box.state, box.amountMinor ?? null, box.targetMinor ?? null, window.readDigits(pool)]);
    if (window.recording) requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}"""
# Where the columns stand, in faces. A style's text has six digits, so that 2 is read back as 1.99998.
_READ_DIGITS = """() => {
  window.readDigits = (pool) => [...pool.querySelectorAll(".column")].map((column) => {
    const part = -parseFloat(column.firstChild.style.transform.slice("translateY(".length)) * 11 / 100;
    return part + 1e-4;
  });
}"""

# Waits for the first frame above an amount; the page's policy forbids what `wait_for_function` does.
_PASS = """(minor) => new Promise((done) => {
  const watch = () => {
    const box = document.querySelector("[data-pool]").dataset;
    if (BigInt(box.amountMinor ?? "0") > BigInt(minor)) done(); else requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
})"""


@dataclass(frozen=True, slots=True)
class Frame:
    """One animation frame. `turned`: where each column stands, the first digit first."""

    state: str
    minor: int | None
    target: int | None
    turned: tuple[float, ...]

    @property
    def digits(self) -> int:
        """The whole number that has come into view; a row without columns counts as 0."""
        return int("".join(str(int(at) % 10) for at in self.turned) or "0")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program("chromium"), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def open_sign(browser: Browser, url: str, *, width: int = 1280, height: int = 720, **options: Any) -> Page:
    """A page that shows the sign at `url`; a fault in its scripts fails whoever looks at `page_faults`."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(LIMIT_MS)
    page = context.new_page()
    page.goto(url)
    expect(page.locator("[data-pool]").first).to_be_attached()
    page.evaluate(_READ_DIGITS)
    return page


def record(page: Page) -> None:
    """Keep every frame from now on."""
    page.evaluate(_RECORD)


def recorded(page: Page) -> list[Frame]:
    """The frames since `record`, which ends."""
    frames = page.evaluate("() => { window.recording = false; return window.frames; }")
    return [
        Frame(state, None if minor is None else int(minor), None if target is None else int(target), tuple(turned))
        for state, minor, target, turned in frames
    ]


def roll_past(page: Page, minor: int) -> None:
    """Wait for the first frame above this amount."""
    page.evaluate(_PASS, str(minor))


def expect_amount(page: Page, minor: int, *, pool: str = "stud-main") -> None:
    """Wait until the page's frame has this amount."""
    expect(page.locator(f'[data-pool="{pool}"]')).to_have_attribute("data-amount-minor", str(minor))


def expect_state(page: Page, state: str, *, pool: str = "stud-main") -> None:
    """Wait until the page shows the pool in this state."""
    expect(page.locator(f'[data-pool="{pool}"]')).to_have_attribute("data-state", state)
