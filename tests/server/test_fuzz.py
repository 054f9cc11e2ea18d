"""The HTTP API against requests made up from its own description."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.result import Err

from tests.server.support import running


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of its own."""
    found: list[str] = []
    started, done = threading.Event(), threading.Event()

    async def serve(database: Path) -> None:
        async with running(database) as server:
            found.append(f"http://127.0.0.1:{server.port}")
            started.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve(tmp_path_factory.mktemp("fuzz") / "n.db")))
    thread.start()
    assert started.wait(20)
    yield found[0]
    done.set()
    thread.join(20)


def test_no_request_breaks_the_server(address: str) -> None:
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    quick = settings(
        max_examples=8,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    tried = 0
    for result in schema.get_all_operations():
        assert not isinstance(result, Err)
        operation = result.ok()

        @quick
        @given(case=operation.as_strategy())
        def check(case: schemathesis.Case[Any]) -> None:
            nonlocal tried
            tried += 1
            response = case.call(base_url=address)
            assert response.status_code < 500 or response.json()["code"] == "shutting_down", case.as_curl_command()
            if response.status_code >= 400:
                assert set(response.json()) == {"code", "message"}

        check()
    assert tried > 50
    assert httpx.get(f"{address}/ready").status_code == 200
