"""The first visitor waits no longer than the others: everything is built before anybody can come."""

from __future__ import annotations

import ast
import asyncio
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.routing import Mount, Route, WebSocketRoute

from nevsky.server import app as app_module
from nevsky.server import protocol, websocket
from nevsky.server.app import create_app
from nevsky.server.settings import Settings
from tests.server.support import run, running


def _models(kind: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in kind.__subclasses__():
        yield each
        yield from _models(each)


def test_no_model_of_the_protocol_waits_for_its_first_use() -> None:
    found = [model for model in _models(protocol.Model) if model.__module__.startswith("nevsky.")]
    assert {protocol.NewTable, protocol.ErrorReply, protocol.ReplayStep} <= set(found)
    assert [model.__name__ for model in found if not model.__pydantic_complete__] == []
    assert websocket._AtTable.kind.pydantic_complete


def test_no_route_waits_for_its_first_request() -> None:
    """An included router would build all its routes once more when the first request comes."""
    ready = {APIRoute, WebSocketRoute, Route, Mount}  # the last two have the documentation, as files
    assert {type(route) for route in create_app(Settings()).routes} == ready


@pytest.mark.usefixtures("quick_bots")
def test_nothing_is_built_for_the_first_visitor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models are built from their source: that takes long, and in early Pythons 3.11 two at once break each other."""
    read: list[str] = []
    parse = ast.parse

    def recorded(source: Any, *arguments: Any, **options: Any) -> Any:
        read.append(str(source)[:60])
        return parse(source, *arguments, **options)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            monkeypatch.setattr(ast, "parse", recorded)
            modules = set(sys.modules)
            anna = await server.visitor()
            made = await anna.create("me easy")
            for path in ("me", "meta", "rules", "guide", "cards", "tables", f"tables/{made['table']}"):
                assert (await anna.http.get(f"/api/{path}")).status_code == 200
            assert (await anna.http.post("/api/tables", json={"ruleset": 5})).status_code == 400
            table = await anna.open(made["table"])
            await table.my_turn()
            await table.play(table.state["choices"][0]["action"])
            await table.send(type="nonsense")
            await table.error()
            assert read == []
            assert not {name for name in set(sys.modules) - modules if name.startswith(("fastapi", "pydantic"))}

    run(scenario())


def test_the_description_of_the_api_delays_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answered, made = threading.Event(), threading.Event(), []

    def slow(app: FastAPI) -> dict[str, Any]:
        made.append(app)
        asked.set()
        assert answered.wait(20)
        return {"openapi": "3.1.0"}

    monkeypatch.setattr(FastAPI, "openapi", slow)
    monkeypatch.setattr(app_module, "_description", app_module._Description())

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris = await server.visitor(), await server.visitor()
            waiting = [asyncio.create_task(each.http.get("/api/openapi.json")) for each in (anna, boris)]
            await asyncio.to_thread(asked.wait, 20)
            assert (await (await server.visitor()).http.get("/api/me")).status_code == 200
            answered.set()
            assert [(await each).json() for each in waiting] == [{"openapi": "3.1.0"}] * 2
            assert len(made) == 1

    run(scenario())
