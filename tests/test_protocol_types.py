"""The browser's types are made from the server's models."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

TOOL = Path(__file__).parent.parent / "tools" / "protocol_types.py"


def test_the_types_of_the_browser_are_those_of_the_protocol() -> None:
    """Run tools/protocol_types.py when this fails."""
    subprocess.run([sys.executable, str(TOOL), "--check"], check=True)


class _Vague(BaseModel):
    anything: dict[str, Any]
    something: Any
    things: list[Any]


@pytest.mark.parametrize("field", ["anything", "something", "things"])
def test_nothing_on_the_wire_is_of_any_type(field: str) -> None:
    type_of = runpy.run_path(str(TOOL))["type_of"]
    with pytest.raises(TypeError, match="Everything on the wire has a type"):
        type_of(_Vague.model_json_schema()["properties"][field])
