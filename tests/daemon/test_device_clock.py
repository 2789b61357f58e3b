"""When a device's event was said: its own milliseconds since boot against the controller's, by the freshest events."""

from __future__ import annotations

from jackpotd.daemon.clock import DeviceClock

WRAP_MS = 1 << 32
BOOT_MS = 5_000_000  # the controller's clock when the device booted
WINDOW_MS = DeviceClock.WINDOW_MS


def age(clock: DeviceClock, said_ms: int, late_ms: int) -> int:
    """Of an event that the device said `said_ms` after its boot and that was heard `late_ms` after that."""
    known = clock.age_ms(said_ms % WRAP_MS, BOOT_MS + said_ms + late_ms, prompt=True)
    assert known is not None
    return known


def test_an_event_that_came_late_is_as_old_as_its_delay_is_longer_than_the_shortest() -> None:
    clock = DeviceClock()
    assert age(clock, 1_000, late_ms=3) == 0
    assert age(clock, 2_000, late_ms=83) == 80
    assert age(clock, 3_000, late_ms=503) == 500


def test_a_fresher_event_corrects_what_was_known_and_never_says_that_it_was_heard_before_it_was_said() -> None:
    clock = DeviceClock()
    assert age(clock, 1_000, late_ms=90) == 0
    assert age(clock, 2_000, late_ms=5) == 0
    assert age(clock, 3_000, late_ms=90) == 85


def test_a_devices_clock_that_runs_over_changes_nothing() -> None:
    clock = DeviceClock()
    assert age(clock, WRAP_MS - 10, late_ms=4) == 0
    assert age(clock, WRAP_MS + 10, late_ms=64) == 60


def test_a_new_window_still_knows_the_shortest_delay_of_the_one_before() -> None:
    clock = DeviceClock()
    age(clock, 0, late_ms=3)
    assert age(clock, WINDOW_MS + 1, late_ms=83) == 80
    assert age(clock, WINDOW_MS + 500, late_ms=43) == 40
    assert age(clock, 2 * WINDOW_MS + 200, late_ms=43) == 0  # the first window is forgotten: crystals drift apart


def test_a_device_that_was_silent_for_long_is_known_anew() -> None:
    clock = DeviceClock()
    age(clock, 0, late_ms=3)
    assert age(clock, 2 * WINDOW_MS + 1, late_ms=83) == 0


def test_a_boot_forgets_what_was_known() -> None:
    clock = DeviceClock()
    age(clock, 1_000, late_ms=3)
    age(clock, WINDOW_MS + 2_000, late_ms=3)
    clock.restart()
    assert clock.age_ms(10, BOOT_MS + 999_000, prompt=True) == 0
    assert clock.age_ms(20, BOOT_MS + 999_070, prompt=True) == 60


def test_until_one_was_heard_promptly_nobody_knows_how_late_any_is() -> None:
    clock = DeviceClock()
    assert clock.age_ms(1_000, BOOT_MS + 1_400, prompt=False) is None
    assert age(clock, 2_000, late_ms=20) == 0
    assert clock.age_ms(3_000, BOOT_MS + 3_520, prompt=False) == 500
    assert clock.age_ms(4_000, BOOT_MS + 4_005, prompt=False) == 0
    assert clock.age_ms(5_000, BOOT_MS + 5_105, prompt=False) == 100


def test_a_window_is_not_begun_by_one_that_was_kept_up() -> None:
    clock = DeviceClock()
    age(clock, 0, late_ms=3)
    assert clock.age_ms(WINDOW_MS + 1, BOOT_MS + WINDOW_MS + 84, prompt=False) == 80
    assert age(clock, WINDOW_MS + 2, late_ms=43) == 40
    assert age(clock, WINDOW_MS + 500, late_ms=83) == 80, "the window before counts still"
    late = 4 * WINDOW_MS
    assert clock.age_ms(late, BOOT_MS + late + 700, prompt=False) is None
