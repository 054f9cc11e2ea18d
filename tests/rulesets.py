"""The configurations that golden playthroughs, node counts and the harness go through."""

from __future__ import annotations

from nevsky import Ruleset

BASE = {f"{edition}-{players}": Ruleset(edition, players) for edition in ("first", "second") for players in (2, 3, 4)}
CONFIGURATIONS: dict[str, Ruleset] = dict(BASE)
