"""Bots in processes of their own."""

from __future__ import annotations

import os
import signal

from nevsky import Game, Ruleset
from nevsky.server.settings import Settings
from nevsky.server.thinking import Thinker, levels
from tests.server.support import run


def test_a_process_that_dies_is_replaced() -> None:
    async def scenario() -> None:
        thinker = Thinker(Settings(bot_workers=1, bot_milliseconds=5))
        game = Game(Ruleset("second", 2), 1)
        view = game.view(game.to_move)
        assert thinker.away_level in levels()
        try:
            assert await thinker.decide(levels()[0], view) in view.legal
            assert thinker._pool is not None
            for number in thinker._pool._processes:
                os.kill(number, signal.SIGKILL)
            assert await thinker.decide(levels()[0], view) in view.legal
            assert (await thinker.explain(view))[0].action in view.legal
            assert await thinker.decide("no such level", view) in view.legal
        finally:
            thinker.close()

    run(scenario())
