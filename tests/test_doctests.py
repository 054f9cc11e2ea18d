"""The examples in the docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import nevsky

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(nevsky.__path__, "nevsky.") if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    found = doctest.testmod(
        importlib.import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE
    )
    assert found.failed == 0


def test_the_public_api_has_examples() -> None:
    finder = doctest.DocTestFinder()
    with_examples = {
        name for name in nevsky.__all__ if any(test.examples for test in finder.find(getattr(nevsky, name), name))
    }
    assert {"Action", "Game", "Ruleset", "parse_action", "redeal"} <= with_examples
