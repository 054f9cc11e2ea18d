"""Draw docs/terminal.svg: a game in the terminal, as the README shows it."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.text import Text

from nevsky.rules.ruleset import Ruleset
from nevsky.terminal import Paper, Session, make_console, new_game, texts
from nevsky.terminal.table import draw

TARGET = Path(__file__).parent.parent / "docs" / "terminal.svg"
SIZE = (104, 60)


def play_until(seed: str, round_: int, phase: str) -> Session:
    """A game in which the person likes to buy, up to the first decision of a phase."""
    game = new_game(Ruleset("second", 3), seed, "You")

    def read(_: str) -> str:
        if game.round > round_ or (game.round, game.phase) == (round_, phase):
            raise EOFError
        choices = session.decision().choices
        wanted = next((choice for choice in choices if choice.action.verb in ("buy", "play")), choices[-1])
        return str(wanted.number)

    session = Session(game, Paper(make_console(io.StringIO())), read)
    session.run()
    return session


def picture(session: Session) -> str:
    """The screen as an SVG that loads nothing from elsewhere."""
    console = make_console(io.StringIO(), size=SIZE, record=True)
    paper = Paper(console)
    draw(session.decision(), paper)
    paper.say(Text(texts.PROMPT))
    form = re.sub(r"@font-face\s*{{.*?}}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    form = re.sub(r"<!--.*?-->", "", form).replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")
    svg = console.export_svg(title="nevsky play", code_format=form, unique_id="nevsky")
    return re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE).strip() + "\n"


if __name__ == "__main__":
    TARGET.write_text(picture(play_until("neva41", 4, "exchange")), encoding="utf-8")
