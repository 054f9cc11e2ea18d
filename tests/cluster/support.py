"""What the tests here share."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

__all__ = ["run"]


def run(scenario: Coroutine[Any, Any, None], seconds: float = 60) -> None:
    """Run an asynchronous test."""

    async def limited() -> None:
        await asyncio.wait_for(scenario, seconds)

    asyncio.run(limited())
