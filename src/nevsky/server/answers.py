"""Models of the HTTP API that the front end needs no types for."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nevsky.server.protocol import Model

__all__ = ["Health", "JoinRequest", "RuleBook", "RuleSection", "RuleText"]


class JoinRequest(Model):
    """POST /api/tables/ID/join; without a seat any free one."""

    seat: int | None = Field(default=None, ge=0, le=4)


class RuleText(Model):
    """One paragraph of the rules."""

    number: str | None
    """Such as 5.1; None for a paragraph without a number."""
    text: str
    """Markdown."""


class RuleSection(Model):
    """A part of the rules under one heading."""

    number: str | None
    title: str
    level: int
    """2 for sections, 3 for parts of them."""
    rules: list[RuleText]


class RuleBook(Model):
    """GET /api/rules: docs/rules.md, whole and in pieces."""

    title: str
    markdown: str
    sections: list[RuleSection]


class Health(Model):
    """How the server is."""

    status: Literal["ok", "not_ready"]
    version: str
