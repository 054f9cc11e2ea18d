"""The same random games move by move in a C program that was written from the rules alone."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from nevsky import Game, Ruleset
from nevsky.rules.rng import Rng

KERNEL = Path(__file__).parent.parent / "bench" / "kernel" / "kernel.c"
GAMES = 150
PHASES = ("worker", "building", "noble", "exchange")


def kernel_line(game: Game, rng: Rng) -> str:
    ruleset = game.ruleset
    head = [1 if ruleset.edition == "first" else 2, ruleset.players]
    head += [game.tokens[phase] for phase in PHASES]
    head += list(rng.words())
    return " | ".join([" ".join(map(str, head)), *(" ".join(game.piles[phase]) for phase in PHASES)])


def play(game: Game, rng: Rng) -> str:
    while not game.over:
        legal = game.legal_ids
        game.push(legal[rng.below(len(legal)) if len(legal) > 1 else 0])
    assert game.result is not None
    finals = [
        f"{f.track}:{f.nobles}:{f.rubles}:{f.hand}:{f.total}:{f.rubles_left}:{f.place}" for f in game.result.final
    ]
    return "; ".join(action.text for action, _ in game.moves) + " | " + " ".join(finals)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("flags", [[], ["-DLIST"]], ids=["counting", "listing"])
def test_an_independent_program_plays_the_same_games(tmp_path: Path, flags: list[str]) -> None:
    program = tmp_path / "kernel"
    subprocess.run(["cc", "-std=c11", "-O2", *flags, str(KERNEL), "-o", str(program)], check=True)
    lines, ours = [], []
    for edition in ("first", "second"):
        for players in (2, 3, 4):
            for number in range(GAMES):
                game = Game(Ruleset(edition, players), f"kernel-{number}")
                rng = Rng.of("kernel", edition, players, number)
                lines.append(kernel_line(game, rng))
                ours.append(play(game, rng))
    out = subprocess.run(
        [str(program), "play"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    theirs = out.stdout.splitlines()
    assert len(theirs) == len(ours)
    for mine, other in zip(ours, theirs, strict=True):
        assert mine == other
