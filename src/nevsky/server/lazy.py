"""Attributes that are made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["Lazy"]

_Made = TypeVar("_Made")


class Lazy(Generic[_Made]):
    """Like `functools.cached_property`, which takes a lock each time up to Python 3.11: that costs more than most of
    what is made.
    """

    def __init__(self, make: Callable[[Any], _Made]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> _Made:
        made = instance.__dict__[self._name] = self._make(instance)
        return made
