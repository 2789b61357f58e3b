"""What a sign may show, by what it heard and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpotd.messages.mqtt import Hit, Meter, Status
from jackpotd.sign.model import HIT_GRACE_MS, SignModel
from jackpotd.sign.statuses import MAX_NODES
from jackpotd.sign.views import PoolView
from tests.support.controller_voice import EPOCH, POOL, hit, meter, status
from tests.support.sign_ear import Sign, to_model
from tests.support.sources import ROOT

TTL_MS = 15_000


def test_a_live_meter_of_an_online_controller_is_shown() -> None:
    sign = Sign()
    assert sign.pool == PoolView(POOL, "neutral")
    sign.meter(12_345)
    assert sign.minor() == 12_345
    assert (sign.pool.state, sign.pool.epoch, sign.pool.seq) == ("live", EPOCH, 1)


def test_a_remembered_meter_is_not_shown_until_a_live_one_comes() -> None:
    sign = Sign()
    sign.meter(100, retained=True)
    assert sign.minor() is None
    sign.meter(100, beat=2)
    assert sign.minor() == 100


def test_a_meter_is_shown_until_its_age_passes_its_time_to_live() -> None:
    sign = Sign()
    sign.meter(100, ttl_ms=TTL_MS)
    sign.now_ms += TTL_MS
    assert sign.minor() == 100
    sign.now_ms += 1
    assert sign.minor() is None
    sign.meter(100, beat=2)
    assert sign.minor() == 100


def test_a_repeat_does_not_make_an_old_amount_young() -> None:
    sign = Sign()
    sign.meter(100)
    sign.now_ms += TTL_MS
    assert not sign.meter(100)
    sign.now_ms += 1
    assert sign.minor() is None


@pytest.mark.parametrize(("seq", "beat", "epoch"), [(5, 5, EPOCH), (5, 4, EPOCH), (4, 9, EPOCH), (9, 9, EPOCH - 1)])
def test_a_meter_that_is_not_newer_is_dropped(seq: int, beat: int, epoch: int) -> None:
    sign = Sign()
    sign.meter(100, 5, 5)
    assert not sign.meter(200, seq, beat, epoch=epoch)
    assert sign.minor() == 100


@pytest.mark.parametrize(("seq", "beat", "epoch"), [(5, 6, EPOCH), (6, 1, EPOCH), (1, 1, EPOCH + 1)])
def test_a_newer_meter_is_taken(seq: int, beat: int, epoch: int) -> None:
    sign = Sign()
    sign.meter(100, 5, 5)
    assert sign.meter(200, seq, beat, epoch=epoch)
    assert sign.minor() == 200


def test_a_lost_broker_leaves_nothing_live_and_its_memory_brings_nothing_back() -> None:
    sign = Sign()
    sign.meter(100, 5, 5)
    sign.model.disconnected()
    assert sign.minor() is None
    sign.model.connected()
    sign.meter(100, 5, 5, retained=True)
    assert sign.minor() is None
    sign.meter(100, 5, 6)
    assert sign.minor() == 100


def test_without_a_controller_online_nothing_is_shown() -> None:
    model = SignModel([POOL])
    model.connected()
    model.heard_meter(POOL, to_model(Meter, meter(100)), 0, retained=False)
    assert model.view(0).pools == (PoolView(POOL, "neutral"),)
    model.heard_status("main", to_model(Status, status("standby")))
    assert model.view(0).pools == (PoolView(POOL, "neutral"),)


def test_the_will_counts_although_it_was_written_before_the_last_beat() -> None:
    sign = Sign()
    sign.meter(100)
    sign.status(beat=70)
    assert sign.status("offline", beat=1)
    assert sign.minor() is None


def test_a_hit_of_a_pool_with_prizes_of_its_own_names_is_shown_by_them() -> None:
    sign = Sign()
    sign.meter(100)
    sign.hit("h1", prize="grand")
    sign.hit("h2")
    shown = {hit.hit: hit.tier for hit in sign.model.view(sign.now_ms).hits}
    assert shown == {"h1": "grand", "h2": "royal_flush"}


def test_an_offline_of_an_earlier_life_does_not_count() -> None:
    sign = Sign()
    sign.meter(100)
    assert not sign.status("offline", epoch=EPOCH - 1, beat=99)
    assert sign.minor() == 100


def test_only_a_newer_online_ends_an_offline() -> None:
    sign = Sign()
    sign.meter(100)
    sign.status(beat=70)
    sign.status("offline", beat=1)
    assert not sign.status(beat=70)
    assert not sign.status(beat=69)
    assert sign.minor() is None
    sign.status(beat=71)
    assert sign.minor() == 100


def test_a_leader_that_is_gone_is_not_covered_by_another_that_says_it_is_online() -> None:
    sign = Sign()
    sign.status(node="second", epoch=EPOCH + 60)
    sign.meter(100, epoch=EPOCH + 60)
    assert sign.minor() == 100
    sign.status("offline", node="second", epoch=EPOCH + 60)
    assert sign.minor() is None


def test_the_pools_of_two_controllers_are_each_shown_while_their_own_is_there() -> None:
    sign = Sign((POOL, "bac-b"))
    sign.status(node="second", epoch=EPOCH + 60)
    sign.meter(100)
    sign.meter(200, pool="bac-b", epoch=EPOCH + 60)
    sign.status("offline")
    assert [pool.state for pool in sign.model.view(sign.now_ms).pools] == ["neutral", "live"]


def test_nodes_are_bounded() -> None:
    sign = Sign()
    for number in range(MAX_NODES - 1):
        assert sign.status(node=f"n{number}")
    assert not sign.status(node="one-too-many")


def test_a_meter_of_another_pool_is_not_taken() -> None:
    sign = Sign()
    assert not sign.model.heard_meter("bac-b", to_model(Meter, meter(1, pool="bac-b")), 0, retained=False)
    assert not sign.model.heard_meter(POOL, to_model(Meter, meter(1, pool="bac-b")), 0, retained=False)
    assert not sign.model.heard_hit("bac-b", to_model(Hit, hit(pool="bac-b")), 0, retained=False)
    assert sign.minor() is None


def test_neither_the_player_nor_its_page_reads_a_date() -> None:
    sources = [*(ROOT / "jackpotd" / "sign").rglob("*.py"), *(ROOT / "jackpotd" / "sign").rglob("*.js")]
    assert sources
    for path in sources:
        for clock in ("Date", "datetime", "time.time", "utcnow", "localtime", "strftime"):
            assert clock not in path.read_text(encoding="utf-8"), (path.name, clock)


# ---- falls


def test_a_fall_without_a_hit_is_shown_and_counted_once() -> None:
    sign = Sign()
    sign.meter(100, 1)
    sign.meter(60, 2)
    assert sign.minor() == 60
    assert sign.falls == 0, "the hit may still come"
    sign.now_ms += HIT_GRACE_MS + 1
    assert sign.falls == 1
    sign.now_ms += HIT_GRACE_MS + 1
    assert sign.falls == 1


def test_two_falls_in_a_row_are_two() -> None:
    sign = Sign()
    for seq, minor in enumerate((100, 60, 50), start=1):
        sign.meter(minor, seq)
    sign.now_ms += HIT_GRACE_MS + 1
    assert sign.falls == 2


@pytest.mark.parametrize("hit_first", [True, False])
def test_a_fall_with_a_hit_is_not_counted(hit_first: bool) -> None:
    sign = Sign()
    sign.meter(100, 1)
    if hit_first:
        sign.hit(seq=2)
    sign.meter(60, 2)
    sign.now_ms += HIT_GRACE_MS
    if not hit_first:
        sign.hit(seq=2)
    sign.now_ms += HIT_GRACE_MS
    assert sign.falls == 0


def test_a_hit_explains_one_fall() -> None:
    sign = Sign()
    sign.meter(100, 1)
    sign.hit(seq=2)
    sign.meter(60, 2)
    sign.meter(50, 3)
    sign.now_ms += HIT_GRACE_MS + 1
    assert sign.falls == 1


def test_a_hit_of_long_ago_explains_nothing() -> None:
    sign = Sign()
    sign.meter(100, 1)
    sign.hit(seq=1)
    sign.meter(120, 2)
    sign.meter(60, 3)
    sign.now_ms += HIT_GRACE_MS + 1
    assert sign.falls == 1


def test_a_fall_with_a_new_epoch_is_not_counted() -> None:
    sign = Sign()
    sign.meter(100, 9)
    sign.meter(60, 1, epoch=EPOCH + 1)
    sign.now_ms += HIT_GRACE_MS + 1
    assert sign.falls == 0


# ---- whatever comes

_orders = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))


@given(st.lists(st.tuples(_orders, st.integers(0, 10**14), st.booleans()), max_size=30))
def test_the_amount_shown_is_always_that_of_the_newest_meter_heard(
    said: list[tuple[tuple[int, int, int], int, bool]],
) -> None:
    sign = Sign()
    newest: tuple[tuple[int, int, int], int, bool] | None = None
    for (epoch, seq, beat), minor, retained in said:
        sign.meter(minor, seq, beat, epoch=EPOCH + epoch, retained=retained)
        order = (epoch, seq, beat)
        if newest is None or order > newest[0]:
            newest = (order, minor, retained)
        assert sign.minor() == (None if newest[2] else newest[1])


@given(st.permutations(range(6)))
def test_reordered_meters_end_at_the_newest(order: list[int]) -> None:
    sign = Sign()
    for number in order:
        sign.meter(1_000 + number, 1, number)
    assert sign.minor() == 1_005


_states = st.sampled_from(["online", "standby", "offline"])


@given(st.lists(st.tuples(_states, st.integers(0, 2), st.integers(0, 4)), max_size=20))
def test_nothing_but_a_newer_online_brings_a_controller_back(said: list[tuple[str, int, int]]) -> None:
    sign = Sign()
    sign.meter(100)
    high = (EPOCH, 1)
    for state, life, beat in said:
        before = sign.minor()
        sign.status(state, epoch=EPOCH + life, beat=beat)
        if before is None and sign.minor() is not None:
            assert state == "online"
            assert (EPOCH + life, beat) > high
        high = max(high, (EPOCH + life, beat)) if state != "offline" or life + EPOCH >= high[0] else high
