"""Where the game is written on: a rich console in the colours of the cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Final

from rich.console import Console, RenderableType
from rich.status import Status
from rich.text import Text
from rich.theme import Theme

from nevsky.terminal.layout import marked

__all__ = ["Paper", "make_console"]

_THEME: Final = Theme(
    {
        "green": "green",
        "yellow": "yellow",
        "orange": "dark_orange",
        "purple": "magenta",
        "blue": "bright_blue",
        "red": "red",
        "name.green": "bold green",
        "name.yellow": "bold yellow",
        "name.orange": "bold dark_orange",
        "name.purple": "bold magenta",
        "name.blue": "bold bright_blue",
        "name.red": "bold red",
        "chip.green": "black on green",
        "chip.yellow": "black on yellow",
        "chip.orange": "black on dark_orange",
        "chip.purple": "bright_white on magenta",
        "chip.blue": "bright_white on blue",
        "chip.red": "bright_white on red",
        "box.price": "bold default",
        "box.quiet": "dim default",
        "head": "bold",
        "player": "bold yellow",
        "quiet": "dim",
        "price": "bold",
        "number": "bold cyan",
        "banner": "bold bright_white on red",
        "note": "bold yellow",
    }
)
_WIDEST: Final = 132
_ASCII: Final = str.maketrans("→×·…–“”„«»─│┌┐└┘═║╔╗╚╝⇄", '>x-.-"""""-|++++=|++++*')


def make_console(file: IO[str] | None = None, *, size: tuple[int, int] | None = None, record: bool = False) -> Console:
    """A console for the game; colours only where the terminal has them and nobody minds (NO_COLOR)."""
    width, height = size or (None, None)
    return Console(
        file=file,
        width=width,
        height=height,
        record=record,
        theme=_THEME,
        highlight=False,
        emoji=False,
        force_terminal=True if record else None,
        color_system="truecolor" if record else "auto",
        no_color=False if record else None,
    )


class Paper:
    """A console that takes marked-up lines and does without special characters where there are none."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._status: Status | None = None

    @property
    def width(self) -> int:
        """Columns to write on."""
        return min(self.console.width, _WIDEST)

    @property
    def height(self) -> int | None:
        """Lines on the screen, None where everything scrolls."""
        return self.console.height if self.console.is_terminal else None

    @property
    def coloured(self) -> bool:
        """Whether a background colour can be seen."""
        return self.console.color_system is not None and not self.console.no_color

    def say(self, line: str | Text = "") -> None:
        """Write one line."""
        text = marked(line) if isinstance(line, str) else line
        if self.console.options.ascii_only:
            text = text.copy()
            text.plain = text.plain.translate(_ASCII)
        self.console.print(text, width=self.width)

    def lines(self, lines: Iterable[str | Text]) -> None:
        """Write several lines."""
        self.say(Text("\n").join(marked(line) if isinstance(line, str) else line for line in lines))

    def show(self, renderable: RenderableType) -> None:
        """Write something that rich lays out by itself."""
        self.console.print(renderable, width=self.width)

    def wait(self, words: str) -> None:
        """Say what is being waited for, on a line that vanishes; nothing ends the waiting."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        if words and self.console.is_terminal:
            self._status = self.console.status(marked(words))
            self._status.start()

    def clear(self) -> None:
        """Begin a new screen."""
        if self.console.is_terminal:
            self.console.clear()
        else:
            self.console.print()
