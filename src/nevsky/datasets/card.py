"""A data card: what is in a set of games, how it was made, and what it is not good for."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

from nevsky._version import __version__
from nevsky.datasets.making import Recipe
from nevsky.datasets.writing import Exported, decisions_path
from nevsky.rules.ruleset import RULES_VERSION

__all__ = ["card_path", "fingerprint", "write_card"]

_CARD: Final = """# {name}: games of Saint Petersburg

| | |
|---|---|
| What | {games:,} whole games of the bot `{bot}` against itself with {decisions:,} decisions |
| Game | {game} |
| Bot | `{bot}` of Nevsky {version}, {playouts:,} playouts for each decision, no clock |
| Deals | seed `{seed}`: game *n* is dealt from `{seed}-n` |
| Rules | version {rules} |
| Files | `{file}` (a row for each game), `{decisions_file}` (a row for each decision{observations}) |
| Fingerprint | `{fingerprint}` |
| Licence | MIT, as Nevsky |

## Made by

    {command}

The same command with the same version makes the same games on every machine, whatever the number of processes. The
fingerprint is the SHA-256 of the column `id` of all games, which is the hash of each record. Every record was replayed
before it was written. The columns are explained in the documentation under *Data sets*.

## What is in it

| | |
|---|---:|
| rounds per game | {rounds:.2f} |
| decisions per game | {per_game:.1f} |
| of these with no choice | {forced:.1%} |
| legal actions where there was a choice | {choices:.1f} |
| final score | {score:.1f} ± {deviation:.1f} |
| score of winners | {winning:.1f} |
| shared victories | {shared:.2%} |
| won by seat | {seats} |

## What it is good for, and what it is not

- Learning to imitate, evaluating positions, openings, statistics of cards: all under strong play, but that of one bot.
  It says nothing about how people play, and a position that this bot never reaches is not in it.
- Decisions of one game depend on each other. Split into training and test by `game`, never by decision.
- A bot of so few playouts makes mistakes. What it did is not what was best; `nevsky review` says what was.
- Nobody's data: no person took part.
"""


def card_path(out: Path) -> Path:
    """Where the card of a table of games goes."""
    return out.with_suffix(".md")


def fingerprint(ids: list[str]) -> str:
    """Of the hashes of all records, in their order."""
    return hashlib.sha256("\n".join(ids).encode()).hexdigest()


def write_card(recipe: Recipe, game: str, out: Path, exported: Exported, *, observations: bool, command: str) -> Path:
    """Write the card of a set that was made and exported; the figures are read from its tables."""
    import polars as pl

    games = pl.read_parquet(out, columns=["id", "rounds", "scores", "shares"])
    decisions: dict[str, Any] = (
        pl.scan_parquet(decisions_path(out))
        .select(
            forced=pl.col("forced").mean(),
            choices=pl.col("choices").filter(~pl.col("forced")).mean(),
        )
        .collect()
        .row(0, named=True)
    )
    overall: dict[str, Any] = games.select(
        rounds=pl.col("rounds").mean(),
        score=pl.col("scores").explode().mean(),
        deviation=pl.col("scores").explode().std(),
        winning=pl.col("scores").list.max().mean(),
        shared=(pl.col("shares").list.max() < 1).mean(),
    ).row(0, named=True)
    shares = pl.DataFrame(
        games["shares"].to_list(), orient="row", schema=[f"{n}" for n in range(recipe.ruleset.players)]
    )
    text = _CARD.format(
        name=out.stem,
        games=exported.games,
        decisions=exported.decisions,
        bot=recipe.bot,
        game=game,
        version=__version__,
        playouts=recipe.playouts,
        seed=recipe.seed,
        rules=RULES_VERSION,
        file=out.name,
        decisions_file=decisions_path(out).name,
        observations=", with what the seat saw" if observations else "",
        fingerprint=fingerprint(games["id"].to_list()),
        command=command,
        **overall,
        per_game=exported.decisions / exported.games,
        **decisions,
        seats=", ".join(f"{mean:.1%}" for mean in shares.mean().row(0)),
    )
    card_path(out).write_text(text, encoding="utf-8")
    return card_path(out)
