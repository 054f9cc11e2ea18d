"""nevsky train: what the master bot knows, from games against itself."""

from __future__ import annotations

from typing import Any

import typer

from nevsky.cli.command import Command, Group
from nevsky.cli.train_policy import train_policy
from nevsky.cli.train_value import train_value
from nevsky.errors import NevskyError

__all__ = ["app"]


class _Group(Group):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Options without a word before them would be told to be unknown, which they are not."""
        if args and args[0].startswith("-") and args[0] != "--help":
            raise NevskyError("training.which")
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_Group, no_args_is_help=True, help="Teach the master bot: a policy, and what positions are worth."
)
app.command("value", cls=Command)(train_value)
app.command("policy", cls=Command)(train_policy)
