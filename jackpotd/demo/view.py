"""The live terminal view: what is committed, as the board has it; only meters are in motion on their way to it.

Laws
1. The view reads the board and changes nothing.
2. A slow terminal never holds up the tables: pictures are made in the event loop and drawn by a thread of their own.
3. A meter rolls up to the committed amount, never above it, and falls at once.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Final

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from jackpotd.daemon.app import Daemon
from jackpotd.daemon.board import HitView, MeterView, TableView
from jackpotd.daemon.outputs import WINNER
from jackpotd.demo.digits import big
from jackpotd.demo.words import STACKED, card_text, grouped, plain

FRAMES_A_SECOND: Final = 10
_ROLL_FRAMES: Final = 8  # a meter reaches a new amount within a second
_HITS_SHOWN: Final = 6
_ALARMS_SHOWN: Final = 3
_ROWS: Final = 8  # seven seats and the dealer
_SEATS_A_ROW: Final = 3
_DEALER: Final = "0"

_FONT_ADDRESS: Final = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_STATE_STYLES: Final = {
    "live": "bold green",
    "pending": "bold yellow",
    "suspended": "bold red",
    "approved": "cyan",
    "paid": "green",
    "rejected": "red",
}
_PHASE_STYLES: Final = {"open": "green", "held": "bold red", "closed": "red"}


class View:
    """Makes pictures of a running demo."""

    def __init__(self, daemon: Daemon, titles: dict[str, str], facts: Sequence[str]) -> None:
        self._daemon = daemon
        self._titles = titles
        self._facts = facts
        self._shown: dict[str, int] = {}

    def picture(self) -> RenderableType:
        """The view as it is now."""
        board = self._daemon.board
        meters = [self._meter(meter) for meter in board.meters.values()]
        tables = [self._table(board.tables[table]) for table in self._titles]
        parts: list[RenderableType] = [
            Text.assemble(("jackpotd demo, Ctrl-C ends. ", "bold"), (STACKED, "yellow")),
            Text(self._facts[0], "bold"),  # on top: a small terminal shows no more than the beginning
            _in_row(meters),
            _in_row(tables),
            self._hits(list(board.hits.values())),
        ]
        alarms = list(board.alarms.values()) + list(self._daemon.alarms.active.values())
        parts += [Text(f"ALARM {alarm.text}", "bold red") for alarm in alarms[-_ALARMS_SHOWN:]]
        parts.append(Text(f"ledger row {board.seq:,}   {self._facts[1]}", "dim"))
        parts += [Text(fact, "dim") for fact in self._facts[2:]]
        return Group(*parts)

    def _meter(self, meter: MeterView) -> Panel:
        before = self._shown.get(meter.pool, meter.amount_minor)
        now = rolled(before, meter.amount_minor)
        self._shown[meter.pool] = now
        digits = Text(big(grouped(now, meter.exponent)), _STATE_STYLES[meter.state], no_wrap=True)
        tables = [table for table in self._titles if meter.pool in self._daemon.engine.state.tables[table].params.pools]
        title = f"{meter.pool}  {meter.currency}  " + " + ".join(tables)
        return Panel(Align.center(digits), title=title, subtitle=meter.state, border_style=_STATE_STYLES[meter.state])

    def _table(self, view: TableView) -> Panel:
        body = _stud(view) if view.game == "stud" else _baccarat(view)
        rows = Text("\n").join(body + [Text("")] * (_ROWS - len(body)))
        rows.no_wrap = True
        rows.overflow = "ellipsis"
        title = f"{view.table}  {self._titles[view.table]}  round {view.round.rpartition('-')[2]}"
        return Panel(rows, title=title, subtitle=_state(view), border_style=_PHASE_STYLES.get(view.phase, "cyan"))

    def _hits(self, hits: Sequence[HitView]) -> Panel:
        rows = Table.grid(padding=(0, 2), expand=True)
        for hit in sorted(hits, key=lambda hit: hit.at_ms)[: -_HITS_SHOWN - 1 : -1]:
            winners = "seat " + ", ".join(str(winner.seat) for winner in hit.winners)
            how = (hit.slip and f"slip {hit.slip}") or ", ".join(hit.approvals)
            rows.add_row(
                Text(f"{hit.table} {plain(hit.tier)}", "bold"),
                Text(grouped(hit.amount_minor, hit.exponent), justify="right"),
                Text(winners),
                Text(hit.status, _STATE_STYLES[hit.status]),
                Text(how, "dim"),
            )
        for _ in range(_HITS_SHOWN - len(rows.rows)):
            rows.add_row("")
        return Panel(rows, title="last hits")


def rolled(shown: int, committed: int) -> int:
    """The next amount on the way up to the committed one; at once when that is lower."""
    if shown >= committed:
        return committed
    return shown + max(1, (committed - shown) // _ROLL_FRAMES)


def export(view: View, columns: int) -> str:
    """The view as an SVG image that fetches nothing from anywhere."""
    console = Console(record=True, width=columns, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(view.picture())
    return _FONT_ADDRESS.sub("", console.export_svg(title="jackpotd demo"))


def _in_row(panels: Sequence[Panel]) -> Table:
    row = Table.grid(expand=True)
    for _ in panels:
        row.add_column(ratio=1)
    row.add_row(*panels)
    return row


def _state(view: TableView) -> str:
    if view.why.startswith("hit "):
        return "hit pending, progressive closed"
    return view.why if view.why and view.phase == "open" else view.phase


def _cards(cards: Sequence[str]) -> Text:
    text = Text()
    for card in cards:
        text.append(f"{card_text(card)} ", "red" if card[1] in "HD" else "")
    return text


def _seats(view: TableView) -> list[int]:
    return sorted({*view.seats, *view.carried})


def _seat_marks(view: TableView, seat: int) -> Text:
    """The seat, its main bet by its letter, and a star for the progressive."""
    bets = view.seats.get(seat, ())
    progressive = seat in view.carried or any(bet.startswith("progressive") for bet in bets)
    main = "".join(bet[0].upper() for bet in bets if not bet.startswith("progressive"))
    return Text.assemble(f"{seat} {main:<2}", ("★ " if progressive else "  ", "yellow"))


def _stud(view: TableView) -> list[Text]:
    """Seats in play; between rounds the hands of the last one, with the lamps of its winners."""
    if not view.seats and not view.hands:
        hands = sorted(view.last_hands.items(), key=lambda hand: (hand[0] == _DEALER, hand[0]))
        return [_last_hand(view, hand, cards) for hand, cards in hands]
    rows = [Text.assemble(_seat_marks(view, seat), _cards(view.hands.get(str(seat), ()))) for seat in _seats(view)]
    if _DEALER in view.hands:
        rows.append(Text.assemble("D     ", _cards(view.hands[_DEALER])))
    return rows


def _last_hand(view: TableView, hand: str, cards: Sequence[str]) -> Text:
    won = hand != _DEALER and view.outputs.lamps[int(hand) - 1] == WINNER
    lamp = ("◉ ", "bold yellow") if won else "  "
    text = Text.assemble(f"{'D' if hand == _DEALER else hand}   ", lamp, _cards(cards))
    text.stylize("bold" if won else "dim")
    return text


def _baccarat(view: TableView) -> list[Text]:
    hands = view.hands or view.last_hands
    rows = [Text.assemble(f"{side:<8}", _cards(hands.get(side, ()))) for side in ("player", "banker")]
    rows.append(Text("" if view.hands else view.last_outcome, "dim"))
    marks = [_seat_marks(view, seat) for seat in _seats(view)]
    rows += [Text("   ").join(marks[at : at + _SEATS_A_ROW]) for at in range(0, len(marks), _SEATS_A_ROW)]
    return rows
