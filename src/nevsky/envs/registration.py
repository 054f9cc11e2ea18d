"""The environments by their ids, so that ``gymnasium.make`` finds them."""

from __future__ import annotations

from typing import Final

__all__ = ["GYMNASIUM_ID", "register_envs"]

GYMNASIUM_ID: Final = "nevsky/SaintPetersburg-v0"


def register_envs() -> None:
    """Tell Gymnasium, if it is installed, what ``nevsky/SaintPetersburg-v0`` is. A second time changes nothing."""
    try:
        import gymnasium
    except ImportError:
        return
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="nevsky.envs.gymnasium:SaintPetersburgEnv",
            vector_entry_point="nevsky.envs.vector:VectorSaintPetersburg",
        )
