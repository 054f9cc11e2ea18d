"""What a golden playthrough holds: states, all views and legal actions of one seeded game, and node counts."""

from __future__ import annotations

import hashlib
import json

from nevsky import Game, Ruleset
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.snapshot import restore

STOPS = 5
"""So many decisions of a playthrough are written out in full; of the others only a digest of all views."""


def playthrough(ruleset: Ruleset, name: str) -> str:
    seed = f"golden-{name}"
    game = Game(ruleset, seed)
    rng = Rng.of(seed, "play")
    lines = [f"ruleset {json.dumps(ruleset.to_dict(), sort_keys=True)}", f"piles {json.dumps(game.piles)}"]
    lines.append(f"tokens {json.dumps(game.tokens)}")
    number = 0
    while not game.over:
        views = [game.view(seat).to_bytes() for seat in (None, *range(ruleset.players))]
        lines.append("")
        lines.append(f"# {number} round {game.round} {game.phase} {game.due} seat {game.to_move}")
        if number % 45 == 0 and number // 45 < STOPS:
            lines.append(f"state {json.dumps(game.state(), sort_keys=True)}")
            lines.extend(f"view {view.decode()}" for view in views)
        else:
            lines.append(f"views {hashlib.sha256(b''.join(views)).hexdigest()[:16]}")
        legal = game.legal_actions
        lines.append(f"legal {'; '.join(action.text for action in legal)}")
        action = legal[rng.below(len(legal))]
        lines.append(f"> {action.text}")
        game.push(action)
        number += 1
    lines.append("")
    lines.append(f"state {json.dumps(game.state(), sort_keys=True)}")
    assert game.result is not None
    lines.extend(f"final {json.dumps(final._asdict())}" for final in game.result.final)
    lines.append(f"winners {list(game.result.winners)}")
    return "\n".join(lines) + "\n"


def count_nodes(position: Position, depth: int) -> int:
    """How many positions lie so many decisions ahead."""
    legal = position.legal()
    if depth == 1:
        return len(legal)
    nodes = 0
    for number in legal:
        following = position.copy()
        following.play(number)
        nodes += count_nodes(following, depth - 1)
    return nodes


def node_counts(ruleset: Ruleset) -> dict[str, list[int]]:
    """Node counts at depths 1 to 3 from arranged positions: a seeded random game, then everybody is made rich."""
    counts = {}
    for start in (0, 25, 60, 100, 140):
        game = Game(ruleset, "nodes")
        rng = Rng.of("nodes", "play")
        for _ in range(start):
            if not game.over:
                game.push(game.legal_ids[rng.below(len(game.legal_ids))])
        if not game.over:
            rich = restore(ruleset, {**game.state(), "rubles": [40] * ruleset.players})
            counts[str(start)] = [count_nodes(rich, depth) for depth in (1, 2, 3)]
    return counts
