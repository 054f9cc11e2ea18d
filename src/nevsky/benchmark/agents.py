"""Who is evaluated. What no number of games could make comparable is refused before the first one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nevsky.arena.budgets import check_budget
from nevsky.arena.entrants import Entrant, enter
from nevsky.bots.loading import bot_path, check_name
from nevsky.bots.programs import split_command
from nevsky.errors import NevskyError

__all__ = ["agent_dict", "choose_agent"]


def choose_agent(specs: list[str], playouts: int | None, name: str | None = None) -> Entrant:
    """The one agent that is named, with its budget; one that would think by the clock is refused."""
    if len(specs) != 1:
        raise NevskyError("evaluate.one_agent", given=len(specs))
    check_budget(None, playouts, None)
    agent = enter(specs)[0]
    counts = agent.kind == "program" or hasattr(agent.maker(1.0)("playouts"), "playouts")
    if counts and playouts is None:
        raise NevskyError("evaluate.clock", agent=agent.label)
    if not counts and playouts is not None:
        raise NevskyError("evaluate.no_playouts", agent=agent.label)
    label = f"{agent.label}-{playouts}" if counts and agent.kind != "program" else agent.label
    return agent._replace(label=check_name(label if name is None else name), playouts=playouts)


def agent_dict(agent: Entrant) -> dict[str, Any]:
    """An agent as a result tells of it: no folder of anybody's machine is in it."""
    return {
        "name": agent.label,
        "kind": agent.kind,
        "what": _told(agent),
        "digest": agent.digest,
        "playouts": agent.playouts,
    }


def _told(agent: Entrant) -> str:
    if agent.kind == "program":
        return Path(split_command(agent.spec)[0]).name
    if agent.kind == "bot":
        return agent.spec
    path = bot_path(agent.spec)
    return agent.spec.replace(str(path), path.name)
