"""What an evaluation plays: which games, against whom, how often, and the scale of its ratings. Frozen as data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from nevsky.arena.entrants import Entrant, enter
from nevsky.arena.setup import Setup, make_setup
from nevsky.errors import NevskyError
from nevsky.rules.ruleset import RULES_VERSION, Ruleset

__all__ = ["NEVSKY_1", "Cell", "Protocol", "Rival", "Track", "check_rules"]


class Rival(NamedTuple):
    """Somebody to play against, always with the same budget."""

    name: str
    bot: str
    playouts: int | None

    def entrant(self) -> Entrant:
        """As the arena knows them."""
        return enter([self.bot])[0]._replace(label=self.name, playouts=self.playouts)


class Track(NamedTuple):
    """One kind of game."""

    name: str
    title: str
    ruleset: Ruleset
    seed: str
    deals: Mapping[str, int]
    """How many, by rival; each is played once from every seat."""


class Cell(NamedTuple):
    """One track against one rival."""

    track: Track
    rival: Rival

    @property
    def name(self) -> str:
        """As files and figures call it."""
        return f"{self.track.name}-{self.rival.name}"

    @property
    def games(self) -> int:
        """How many are played: every deal from every seat."""
        return self.track.deals[self.rival.name] * self.track.ruleset.players


class Protocol(NamedTuple):
    """A whole evaluation."""

    name: str
    title: str
    rules: str
    """The version of the rules that it is about."""
    milliseconds: int
    """What bots are told that count nothing; no clock is looked at."""
    patience: float
    """Seconds after which an answer is forfeited."""
    rivals: tuple[Rival, ...]
    tracks: tuple[Track, ...]
    spread: float
    """So many points of rating are odds of ten to one."""
    anchors: Mapping[str, Mapping[str, int]]
    """The ratings of the rivals, by track."""
    digest: str
    """Of everything above, and of what the file says besides."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All that is played, in order."""
        return tuple(Cell(track, rival) for track in self.tracks for rival in self.rivals)

    def setup(self, cell: Cell, agent: Entrant) -> Setup:
        """The arena of a cell: the agent alone against the rival on all other seats, from every seat in turn."""
        rival = cell.rival.entrant()
        if rival.label == agent.label:
            rival = rival._replace(label=f"{rival.label} (rival)")
        return make_setup(
            (agent, rival),
            cell.track.ruleset,
            cell.games,
            seed=cell.track.seed,
            playouts=1,  # for nobody: whoever counts has a number of their own; but no clock is looked at
            patience=self.patience,
            form="one-vs-rest",
            both_ways=False,
        )._replace(milliseconds=self.milliseconds)

    def quick(self) -> Protocol:
        """One deal against each rival: to see whether an agent plays at all. Its figures compare with nothing."""
        tracks = tuple(track._replace(deals=dict.fromkeys(track.deals, 1)) for track in self.tracks)
        return self._replace(name=f"{self.name}-quick", title=f"{self.title}, quick", tracks=tracks)


def _read(path: Path) -> Protocol:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return Protocol(
        name=data["protocol"],
        title=data["title"],
        rules=data["rules"],
        milliseconds=data["milliseconds"],
        patience=data["patience"],
        rivals=tuple(Rival(**rival) for rival in data["rivals"]),
        tracks=tuple(Track(**{**track, "ruleset": Ruleset(**track["ruleset"])}) for track in data["tracks"]),
        spread=data["scale"]["spread"],
        anchors=data["scale"]["anchors"],
        digest=hashlib.sha256(canonical.encode()).hexdigest(),
    )


NEVSKY_1: Final = _read(Path(__file__).with_name("nevsky-1.json"))
"""The first protocol. It never changes; another one would have another name."""


def check_rules(protocol: Protocol) -> None:
    """Refuse to play by other rules than the protocol is about."""
    if protocol.rules != RULES_VERSION:
        raise NevskyError("evaluate.rules", protocol=protocol.title, wanted=protocol.rules, found=RULES_VERSION)
