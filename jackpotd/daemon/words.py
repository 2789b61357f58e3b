"""From the wire's reports to the core's words: places become bets, numbers become names (devices.md section 3).

Law: what does not fit the table (a seat it has not, a place it has not) becomes UnknownSaid and holds; never a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardware import reports as r
from jackpotd.core import facts as f
from jackpotd.core.parameters import TableParams

_MAIN_PLACES = {"stud": {1: "ante", 2: "raise"}, "baccarat": {1: "player", 2: "banker", 3: "tie"}}
_PROGRESSIVE_PLACES = (0, 8, 9)


class Words:
    """The words of one table's devices."""

    def __init__(self, params: TableParams) -> None:
        self._seats = params.seats
        self._bets = dict(_MAIN_PLACES[params.game])
        for place, pool in zip(_PROGRESSIVE_PLACES, params.pools, strict=False):
            self._bets[place] = f"progressive:{pool}"
        self._moves: dict[tuple[int, int, bool], f.BetMoved] = {
            (seat, place, on): f.BetMoved(seat, bet, on)
            for seat in range(1, params.seats + 1)
            for place, bet in self._bets.items()
            for on in (True, False)
        }

    def word(self, report: r.Report) -> f.TableWord:
        """The core's word for a report."""
        if type(report) is r.BetMoved:
            moved = self._moves.get((report.seat, report.place, report.on))
            return moved or f.UnknownSaid(0x10, f"{report.seat:02x}{report.place:02x}", "no such seat or place here")
        return _WORDS[type(report)](self, report)

    def _seat(self, seat: int, code: int, make: Callable[[], f.TableWord], *, lowest: int = 1) -> f.TableWord:
        if lowest <= seat <= self._seats:
            return make()
        return f.UnknownSaid(code, f"{seat:02x}", "no such seat here")

    def _places(self, report: r.Places) -> f.TableWord:
        bets = tuple(
            self._bets.get(place, f"unknown:{place}")
            for place in range(report.mask.bit_length())
            if report.mask >> place & 1
        )
        return self._seat(report.seat, 0x12, lambda: f.PlacesSaid(report.seat, bets))

    def _exposed(self, report: r.CardExposed) -> f.TableWord:
        return self._seat(report.position, 0x23, lambda: f.CardExposed(report.position), lowest=0)

    def _folded(self, report: r.Folded) -> f.TableWord:
        return self._seat(report.seat, 0x24, lambda: f.Folded(report.seat))

    def _claimed(self, report: r.Claimed) -> f.TableWord:
        return self._seat(report.seat, 0x25, lambda: f.Claimed(report.seat, report.tier, report.pool))


def _card(_: Words, report: r.CardOut) -> f.TableWord:
    return f.CardRead(report.card, report.target.value if report.target else None, report.index, report.again)


# A report's own class is the key, so each function gets just the reports it names.
_WORDS: dict[type, Callable[[Words, Any], f.TableWord]] = {
    r.CardOut: _card,
    r.CardUnreadable: lambda _, __: f.CardUnread(),
    r.ShoeResult: lambda _, x: f.ResultSaid(x.outcome, x.player_pair, x.banker_pair),
    r.ShoeFault: lambda _, x: f.DeviceFault(x.code, x.text, x.raised),
    r.ShoeNotice: lambda _, x: f.DeviceNotice(x.code, x.text),
    r.ShoeStarted: lambda _, __: f.DeviceStarted(0),
    r.SequenceGap: lambda _, x: f.SequenceGap(x.expected, x.got),
    r.DeviceStarted: lambda _, x: f.DeviceStarted(x.boot),
    r.Places: Words._places,  # noqa: SLF001  # its own table of methods
    r.BetsLocked: lambda _, __: f.BetsLocked(),
    r.RoundEnded: lambda _, __: f.RoundEnded(),
    r.VoidPressed: lambda _, x: f.VoidPressed(x.reason),
    r.CardExposed: Words._exposed,  # noqa: SLF001
    r.Folded: Words._folded,  # noqa: SLF001
    r.Claimed: Words._claimed,  # noqa: SLF001
    r.KeyTurned: lambda _, x: f.KeyTurned(x.key),
    r.ShufflerFault: lambda _, x: f.ShufflerFault(x.code),
    r.ShufflerReady: lambda _, __: f.ShufflerReady(),
    r.PacketOut: lambda _, x: f.PacketOut(x.count),
    r.UnknownEvent: lambda _, x: f.UnknownSaid(x.code, x.data, x.why),
}
