"""The terminal face: a large amount for each pool, drawn with rich.

Law: it draws what the model says and rolls nothing; a terminal's frames are no odometer.
"""

from __future__ import annotations

import asyncio

from rich.align import Align
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from jackpotd.sign.clock import wait
from jackpotd.sign.face import Shown
from jackpotd.sign.settings import Settings
from jackpotd.sign.views import HitView, PoolView, SignView, neutral_view
from jackpotd.sign.wording import WORDS, grouped, money, places, symbol, whole_units

# Redrawn at once after a change, and as often as this for a terminal that was resized.
AGAIN_S = 1.0

# Five rows of three cells for each sign of an amount; # is a filled cell.
_GLYPHS = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    ",": (" ", " ", " ", "#", "#"),
    "\u00a0": (" ", " ", " ", " ", " "),
}
_ROWS = 5
_PANEL_CELLS = 4  # a border and a blank either side


class TerminalFace:
    """A terminal."""

    def __init__(self, settings: Settings, console: Console | None = None) -> None:
        self._settings = settings
        self._console = console or Console()
        self._view = neutral_view(settings.pools)
        self._drawn = self._view
        self._news = asyncio.Event()

    def show(self, view: SignView) -> None:
        """Show this from now on."""
        if view != self._view:
            self._view = view
            self._news.set()

    def shown(self) -> Shown:
        """What was last drawn."""
        return Shown(self._drawn.pools)

    async def run(self, stop: asyncio.Event) -> None:
        """Draw, until the sign stops."""
        with Live(console=self._console, screen=self._console.is_terminal, auto_refresh=False) as live:
            while not stop.is_set():
                self._news.clear()
                view = self._view
                live.update(self.picture(view), refresh=True)
                self._drawn = view
                await wait(self._news, AGAIN_S)

    def picture(self, view: SignView) -> RenderableType:
        """The whole face."""
        pools = [self._pool(at, pool) for at, pool in enumerate(view.pools)]
        return Group(*pools, *(self._hit(hit) for hit in view.hits))

    def _pool(self, at: int, view: PoolView) -> RenderableType:
        language = self._settings.language
        words = WORDS[language]
        title = self._settings.pool[at].title(language)
        if view.amount is None:
            return Panel(Align.center(Text(words.jackpot, style="bold")), title=title)
        number = self._fitting(grouped(whole_units(view.amount), language))
        style = "dim" if view.state == "suspended" else "bold yellow"
        note = words.suspended if view.state == "suspended" else symbol(view.amount.currency)
        return Panel(Align.center(Text(number, style=style)), title=title, subtitle=note)

    def _fitting(self, number: str) -> str:
        """The number in blocks, or plain where they do not fit: half a number is a wrong one."""
        blocks = large(number)
        return blocks if cell_len(blocks.partition("\n")[0]) <= self._console.width - _PANEL_CELLS else number

    def _hit(self, view: HitView) -> RenderableType:
        language = self._settings.language
        words = WORDS[language]
        told = (words.tier(view.tier), money(view.amount, language), places(view, language), words.of_state(view.state))
        text = "  ".join(told)
        return Align.center(Text(text, style="bold reverse" if view.on_stage else "bold"))


def large(number: str) -> str:
    """Grouped digits as five lines of blocks."""
    rows = [" ".join(_GLYPHS[char][row] for char in number) for row in range(_ROWS)]
    return "\n".join(row.replace("#", "█") for row in rows)
