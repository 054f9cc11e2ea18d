"""The command, as the other tests of it call it."""

from tests.cli.conftest import run

__all__ = ["run"]
