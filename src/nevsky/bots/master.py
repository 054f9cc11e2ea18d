"""The strongest bot: a search that asks a network, learned from games against itself, how positions will end."""

from __future__ import annotations

from nevsky.bots.core.net import Net
from nevsky.bots.search import SearchBot
from nevsky.bots.weights import load

__all__ = ["MasterBot"]


class MasterBot(SearchBot):
    """Searches like `SearchBot`, with the network in place of playouts."""

    name = "master"

    def _net(self) -> Net | None:
        return Net(load())
