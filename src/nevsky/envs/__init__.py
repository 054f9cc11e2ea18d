"""The game as an environment for learning programs; needs the extra ``envs``."""

from nevsky.envs.registration import register_envs

register_envs()
