"""What the shell counts for /metrics. Money is not counted here: `metrics_page` reads it from what is committed."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Enum, Gauge, Histogram, disable_created_metrics

# From a tenth of a millisecond, the fastest disks, to seconds, when tables are closed already.
_SECONDS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_NS_PER_S = 1_000_000_000
# Whether the rows that a start took from a snapshot are verified; "unknown": the check did not come to its end.
_CHAIN = ("checking", "verified", "broken", "unknown")


class Metrics:
    """Counters of one process."""

    def __init__(self) -> None:
        # They would be a second series beside each counter, saying only when this process began.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        add = self.registry
        self._good = Counter("jackpotd_frames_good", "Frames or tokens understood", ["device"], registry=add)
        self._bad = Counter("jackpotd_frames_bad", "What counted for nothing", ["device", "reason"], registry=add)
        self._links = Gauge("jackpotd_link_up", "Whether a device's link is open", ["device"], registry=add)
        self._commit = Histogram("jackpotd_commit_seconds", "One ledger transaction", buckets=_SECONDS, registry=add)
        self._facts = Counter("jackpotd_facts_committed", "Facts committed by this process", registry=add)
        self._publish = Histogram(
            "jackpotd_byte_to_publish_seconds",
            "From a byte read to its amount accepted by the broker",
            buckets=_SECONDS,
            registry=add,
        )
        self._chain = Enum("jackpotd_ledger_chain", "The chain before the last snapshot", states=_CHAIN, registry=add)

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
        self._facts.inc(facts)
        self._commit.observe(took_ns / _NS_PER_S)

    def published(self, took_ns: int) -> None:
        """An amount reached the broker."""
        self._publish.observe(took_ns / _NS_PER_S)

    def chain(self, state: str) -> None:
        """Where the verification of the older rows stands."""
        self._chain.state(state)
