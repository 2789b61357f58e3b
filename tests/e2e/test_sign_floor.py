"""From a card leaving the shuffler to the frame on the screen, with the real daemon, broker, player and browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from jackpotd.messages.base import to_json
from jackpotd.messages.mqtt import SignState
from tests.support.chromium import chromium, expect_amount, expect_state, open_sign
from tests.support.floor import SITE, Floor
from tests.support.mqtt_client import MqttClient
from tests.support.sign_process import SignProcess

POOL = "stud-main"


def minor(amount: str) -> int:
    return int(amount.replace(".", ""))


def player(floor: Floor, name: str = "tv-1") -> SignProcess:
    options = ("--broker", floor.broker.url, "--site", SITE, "--pool", POOL, "--id", name, "--language", "en")
    return SignProcess(floor.folder, *options, "--listen", "127.0.0.1:0")


def expect_celebrated(page: Page, state: str) -> None:
    celebration = page.locator(f'[data-hit="T02.1.{POOL}.royal_flush"]')
    expect(celebration).to_have_attribute("data-hit-state", state)
    expect(celebration.get_by_text("Royal flush")).to_be_visible()
    expect(celebration.get_by_text("Table T02 · Seat 6")).to_be_visible()


def test_a_round_is_on_the_screen_from_its_bets_to_its_hit_and_through_a_power_cut(floor: Floor) -> None:
    pencil = floor.pool(POOL)
    table = floor.shuffled()
    floor.start()
    with player(floor) as sign, chromium() as browser:
        page = open_sign(browser, sign.where)
        expect_amount(page, minor(pencil.meter))
        floor.bet(table, 1, 6)
        table.lock()
        expect_amount(page, minor(pencil.bets(2)))
        table.deal_hands({1: "2S 4S 6S 8S 3C", 6: "TC JC QC KC AC", 0: "2D 3D 4D 5S 7S"})
        floor.seen.table("T02", phase="dealt")
        table.end_round()
        pencil.stud({6: "royal_flush"})
        expect_amount(page, minor(pencil.meter))
        expect_state(page, "pending")
        expect_celebrated(page, "pending")
        floor.kill()
        expect_state(page, "neutral")
        assert page.locator("[data-hit]").count() == 0
        floor.start()
        expect_amount(page, minor(pencil.meter))
        expect_celebrated(page, "pending")


def test_a_sign_that_differs_is_an_alarm_until_it_is_right_or_taken_away(floor: Floor) -> None:
    floor.pool(POOL)
    floor.shuffled()
    floor.start()
    wrong = SignState(state="live", pool=POOL, epoch=floor.seen.epoch, seq=1, amount="999999.00")
    with MqttClient(floor.broker.host, floor.broker.port) as client:
        client.publish(f"jackpotd/{SITE}/sign/led-9/state", to_json(wrong), retain=True)
        assert "shows 999999.00" in floor.seen.alarm("sign-led-9")["text"]
        client.publish(f"jackpotd/{SITE}/sign/led-9/state", b"", retain=True)
        floor.seen.no_alarm("sign-led-9")
