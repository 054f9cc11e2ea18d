"""What tries the server of a wheel plays at one that works."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools import try_server

from nevsky import parse_action
from tests.server.support import run, running


@pytest.mark.usefixtures("quick_bots")
def test_two_people_and_a_bot_sit_down_and_one_of_them_moves(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            parse_action(await try_server.play(f"http://127.0.0.1:{server.port}"))

    run(scenario())
