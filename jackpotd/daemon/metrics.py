"""What is counted for /metrics. The counters live here; money is read from the board when the page is asked for."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

# From a tenth of a millisecond, the fastest disks, to seconds, when tables are closed already.
_SECONDS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_NS_PER_S = 1_000_000_000


class Metrics:
    """Counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        add = self.registry
        self._good = Counter("jackpotd_frames_good", "Frames or tokens understood", ["device"], registry=add)
        self._bad = Counter("jackpotd_frames_bad", "What counted for nothing", ["device", "reason"], registry=add)
        self._links = Gauge("jackpotd_link_up", "Whether a device's link is open", ["device"], registry=add)
        self._commit = Histogram("jackpotd_commit_seconds", "One ledger transaction", buckets=_SECONDS, registry=add)
        self._rows = Counter("jackpotd_rows_committed", "Facts committed", registry=add)
        self._publish = Histogram(
            "jackpotd_byte_to_publish_seconds",
            "From a byte read to its amount accepted by the broker",
            buckets=_SECONDS,
            registry=add,
        )

    def frames_good(self, device: str, count: int) -> None:
        """Frames understood."""
        self._good.labels(device).inc(count)

    def frames_bad(self, device: str, reason: str, count: int) -> None:
        """Noise, by reason."""
        self._bad.labels(device, reason).inc(count)

    def link(self, device: str, *, up: bool) -> None:
        """A link opened or closed."""
        self._links.labels(device).set(int(up))

    def committed(self, facts: int, took_ns: int) -> None:
        """One transaction."""
        self._rows.inc(facts)
        self._commit.observe(took_ns / _NS_PER_S)

    def published(self, took_ns: int) -> None:
        """An amount reached the broker."""
        self._publish.observe(took_ns / _NS_PER_S)
