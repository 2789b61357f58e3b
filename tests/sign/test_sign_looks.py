"""How the sign looks: every theme, language and size, in real Chromium; nothing is cut off anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, get_args

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from jackpotd.sign.browser import themes
from jackpotd.sign.wording import Language
from tests.support.broker import Mosquitto
from tests.support.chromium import chromium, expect_amount, expect_state, open_sign
from tests.support.controller_voice import EPOCH, POOL, ControllerVoice
from tests.support.mqtt_client import MqttClient
from tests.support.pictures import MOST_BLOCK, MOST_MEAN, STORED, assert_looks_like, difference
from tests.support.sign_process import SignProcess
from tests.support.sources import ROOT

LANGUAGES: tuple[Language, ...] = get_args(Language)
SIZES = {"1080p": (1920, 1080), "4k": (3840, 2160), "portrait": (1080, 1920), "32-9": (3840, 1080)}
epochs = count(EPOCH)
names = (f"tv-{number}" for number in count(1))
MOST_MINOR = 99_999_999_999_999  # 999,999,999,999 whole units

_CUT_OFF = """() => {
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const meet = (one, other) => one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
    && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  const cut = [];
  for (const box of document.querySelectorAll("p, h1, li, .odometer, .digits, .symbol")) {
    const style = getComputedStyle(box);
    if (style.display === "none" || style.opacity === "0" || !box.textContent) continue;
    const pool = box.closest(".pool");
    const outer = pool ? pool.getBoundingClientRect() : screen;
    if (!within(box.getBoundingClientRect(), outer)) cut.push(`${box.className} leaves its pool`);
    if (box.scrollWidth > box.clientWidth + 1 && style.overflow !== "visible") cut.push(`${box.className} is cut off`);
  }
  for (const hit of document.querySelectorAll(".hit[data-stage='off']")) {
    for (const pool of document.querySelectorAll(".pool")) {
      if (meet(hit.getBoundingClientRect(), pool.getBoundingClientRect())) cut.push("the ribbon hides a pool");
    }
    if (!within(hit.getBoundingClientRect(), screen)) cut.push("the ribbon leaves the screen");
  }
  for (const column of document.querySelectorAll(".column")) {
    for (const digit of column.querySelectorAll(".digit")) {
      const range = document.createRange();
      range.selectNodeContents(digit);
      if (range.getBoundingClientRect().width > column.getBoundingClientRect().width + 0.5) {
        cut.push(`digit ${digit.textContent} is wider than its column`);
      }
    }
  }
  return [...new Set(cut)];
}"""

# Which pools are on in a frame, until they have changed twice.
_TURNS = """() => new Promise((done) => {
  const seen = [];
  const watch = () => {
    const on = [...document.querySelectorAll("[data-turn='on']")].map((box) => box.dataset.pool).join();
    if (seen.at(-1) !== on) seen.push(on);
    if (seen.length === 3) done(seen); else requestAnimationFrame(watch);
  };
  watch();
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path_factory.mktemp("broker"))
    broker.start()
    yield broker
    broker.kill()


def settings(broker: Mosquitto, folder: Path, name: str, *, pools: int = 1) -> Path:
    """The example that ships, on this broker."""
    text = (ROOT / "systemd" / "jackpotd-sign.toml").read_text(encoding="utf-8")
    kept = [
        line for line in text.splitlines() if not line.startswith(("broker", "ca_file", "user", "password", "list"))
    ]
    more = [f'[[pool]]\nid = "p{number}"\nname = "Dragon {number}"' for number in range(1, pools)]
    file = folder / "sign.toml"
    file.write_text("\n".join([f'broker = "{broker.url}"\nid = "{name}"', *kept, *more]), encoding="utf-8")
    return file


@contextmanager
def player(
    broker: Mosquitto, folder: Path, language: str, *, pools: int = 1, more: tuple[str, ...] = ()
) -> Iterator[Any]:
    """A player's address and its controller's voice."""
    name = next(names)  # a sign of an earlier test is no sign of this one
    options = ("--config", str(settings(broker, folder, name, pools=pools)), "--language", language)
    with (
        SignProcess(folder, *options, "--listen", "127.0.0.1:0", *more) as sign,
        MqttClient(broker.host, broker.port) as client,
    ):
        voice = ControllerVoice(client, epoch=next(epochs))
        voice.wait_for_sign(name)
        voice.status()
        yield sign.where, voice


@contextmanager
def themed(browser: Browser, where: str, theme: str) -> Iterator[Page]:
    """The page in another theme than the player's; as still as a picture."""
    width, height = SIZES["1080p"]
    page = open_sign(browser, where, width=width, height=height, reduced_motion="reduce")
    css = (ROOT / "jackpotd" / "sign" / "page" / f"theme-{theme}.css").read_text(encoding="utf-8")
    page.route("**/theme.css", lambda route: route.fulfill(body=css, content_type="text/css"))
    page.reload()
    expect(page.locator("[data-pool]").first).to_be_attached()
    yield page
    page.context.close()


def resize(page: Page, size: str) -> None:
    """Give the page another screen, and take away what it has wandered on the old one."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("document.getElementById('sign').style.transform = 'none'")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_theme_and_size_has_room_for_the_largest_amount(
    broker: Mosquitto, browser: Browser, tmp_path: Path, language: Language
) -> None:
    with player(broker, tmp_path, language) as (where, voice):
        voice.meter(MOST_MINOR)
        for theme in themes():
            with themed(browser, where, theme) as page:
                expect_amount(page, MOST_MINOR)
                for size in SIZES:
                    resize(page, size)
                    assert page.evaluate(_CUT_OFF) == []
                    assert_looks_like(page.screenshot(type="jpeg", quality=90), f"{theme}-{language}-{size}")


def test_a_hit_a_ribbon_and_a_neutral_face_in_every_theme(broker: Mosquitto, browser: Browser, tmp_path: Path) -> None:
    with player(broker, tmp_path, "en") as (where, voice):
        voice.meter(MOST_MINOR)
        voice.hit("h1", "paid", tier="six_of_a_kind_one_colour", amount="999999999999.99")
        voice.hit("h2", winners=[{"table": "B01", "seat": seat, "amount": "1.00"} for seat in (1, 4, 7)])
        for theme in themes():
            with themed(browser, where, theme) as page:
                hold(page, "h1")
                for size in ("1080p", "portrait"):
                    resize(page, size)
                    assert page.evaluate(_CUT_OFF) == []
                    assert_looks_like(page.screenshot(type="jpeg", quality=90), f"{theme}-hit-{size}")
        voice.status("offline")
        for theme in themes():
            with themed(browser, where, theme) as page:
                expect_state(page, "neutral")
                assert page.evaluate(_CUT_OFF) == []
                assert_looks_like(page.screenshot(type="jpeg", quality=90), f"{theme}-neutral-1080p")


def hold(page: Page, hit: str) -> None:
    """Keep one hit on the stage and the others in the ribbon, however long the pictures take."""
    expect(page.locator(f'[data-hit="{hit}"]')).to_be_attached()
    page.evaluate(
        """(hit) => {
          const set = () => document.querySelectorAll("[data-hit]").forEach((box) => {
            const stage = box.dataset.hit === hit ? "on" : "off";
            if (box.dataset.stage !== stage) box.dataset.stage = stage;
          });
          set();
          new MutationObserver(set).observe(document.getElementById("hits"), { subtree: true, attributes: true });
        }""",
        hit,
    )


@pytest.mark.parametrize("size", SIZES)
def test_the_ribbon_hides_neither_an_amount_nor_a_fixed_prize(
    broker: Mosquitto, browser: Browser, tmp_path: Path, size: str
) -> None:
    with player(broker, tmp_path, "en", pools=2) as (where, voice):
        for pool in (POOL, "p1"):
            voice.meter(MOST_MINOR, pool=pool)
        for number in range(4):
            seats = [{"table": "B01", "seat": seat, "amount": "1.00"} for seat in range(1, 10)]
            voice.hit(f"h{number}", "approved", tier="six_of_a_kind_one_colour", winners=seats)
        for theme in themes():
            with themed(browser, where, theme) as page:
                hold(page, "h0")
                resize(page, size)
                assert page.locator('[data-stage="off"]').count() == 3
                assert page.evaluate(_CUT_OFF) == []


@pytest.mark.parametrize("size", SIZES)
def test_several_pools_stand_side_by_side_and_none_is_cut_off(
    broker: Mosquitto, browser: Browser, tmp_path: Path, size: str
) -> None:
    with player(broker, tmp_path, "pt", pools=3) as (where, voice):
        for pool in (POOL, "p1", "p2"):
            voice.meter(MOST_MINOR, pool=pool)
        with themed(browser, where, "classic") as page:
            resize(page, size)
            for pool in (POOL, "p1", "p2"):
                expect_amount(page, MOST_MINOR, pool=pool)
            assert page.evaluate(_CUT_OFF) == []
            boxes = [page.locator(f'[data-pool="{pool}"]').bounding_box() for pool in (POOL, "p1", "p2")]
            assert len({(box["x"], box["y"]) for box in boxes if box is not None}) == 3


def test_several_pools_take_turns(broker: Mosquitto, browser: Browser, tmp_path: Path) -> None:
    with player(broker, tmp_path, "en", pools=2, more=("--rotate", "1")) as (where, voice):
        for pool in (POOL, "p1"):
            voice.meter(MOST_MINOR, pool=pool)
        with themed(browser, where, "classic") as page:
            assert set(page.evaluate(_TURNS)) == {POOL, "p1"}


def test_a_house_may_have_a_theme_of_its_own(broker: Mosquitto, browser: Browser, tmp_path: Path) -> None:
    house = tmp_path / "house.css"
    house.write_text("body { background: rgb(1, 2, 3); }", encoding="utf-8")
    with player(broker, tmp_path, "en", more=("--theme", str(house))) as (where, _):
        page = open_sign(browser, where)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(1, 2, 3)"
        page.context.close()


def test_the_picture_wanders_against_burn_in_and_stays_on_the_screen(
    broker: Mosquitto, browser: Browser, tmp_path: Path
) -> None:
    with player(broker, tmp_path, "en") as (where, voice):
        voice.meter(MOST_MINOR)
        page = open_sign(browser, where)
        page.clock.install()
        page.reload()
        seen = set()
        for _ in range(6):
            page.clock.run_for(10_000)
            seen.add(page.evaluate("document.getElementById('sign').style.transform"))
            box = page.locator("#pools").bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["y"] >= 0
            assert box["x"] + box["width"] <= 1280
            assert box["y"] + box["height"] <= 720
        assert len(seen) >= 5
        page.context.close()


def test_only_transform_and_opacity_are_animated() -> None:
    for path in (ROOT / "jackpotd" / "sign" / "page").glob("*.css"):
        text = path.read_text(encoding="utf-8")
        for line in text.splitlines():
            if "transition:" in line and "none" not in line:
                assert line.partition("transition:")[2].split()[0] == "opacity", line
        for block in text.split("@keyframes")[1:]:
            frames = block.partition("\n")[0]
            for declaration in frames.replace("{", ";").replace("}", ";").split(";"):
                name, colon, _ = declaration.strip().partition(":")
                assert not colon or name in {"opacity", "transform"}, declaration


def test_another_picture_would_be_told_from_the_stored_one() -> None:
    stored = {path.stem: Image.open(path).convert("RGB") for path in STORED.glob("*-1080p.png")}
    for name, other in (("classic-en-1080p", "lantern-en-1080p"), ("classic-en-1080p", "classic-neutral-1080p")):
        mean, block = difference(stored[name], stored[other])
        assert mean > MOST_MEAN
        assert block > MOST_BLOCK
