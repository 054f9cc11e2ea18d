"""What people see who are refused before the front end can say so: a page, not a message for programs."""

from __future__ import annotations

from html import escape
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from nevsky.server.languages import language_of
from nevsky.texts import read_texts, text

__all__ = ["error_page", "wants_page"]

_PAGE: Final = """<!doctype html>
<html lang="{language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <title>{title} – Nevsky</title>
    <style>
      body {{ display: grid; align-content: center; justify-items: center; min-height: 100vh; margin: 0; padding: 1rem;
        box-sizing: border-box; text-align: center; color: #fff8e6; font: 1.1rem/1.5 system-ui, sans-serif;
        background: linear-gradient(#0c454b, #1b7379 60%, #a87345); }}
      h1 {{ margin: 0 0 0.4em; font: 600 clamp(1.6rem, 5vw, 2.4rem)/1.2 Georgia, serif; }}
      p {{ max-width: 34rem; margin: 0 0 1.2em; }}
      a {{ padding: 0.6em 1.2em; border: 1px solid #a67a20; border-radius: 8px; font-weight: 600; text-decoration: none;
        color: #33240a; background: linear-gradient(#edcb7c, #d8ab4c); }}
      @media (prefers-color-scheme: dark) {{ body {{ background: linear-gradient(#04181d, #0b3a43 60%, #20605f); }} }}
    </style>
  </head>
  <body>
    <h1>{title}</h1>
    <p>{sentence}</p>
    <a href="/">{home}</a>
  </body>
</html>
"""


def wants_page(connection: HTTPConnection) -> bool:
    """Whether a person waits for the answer, and not a program."""
    accepted = connection.headers.get("accept", "")
    return "text/html" in accepted and not connection.url.path.startswith("/api/")


def error_page(sentence: str, status: int, connection: HTTPConnection) -> HTMLResponse:
    """A page that says why, in the language of the request, and leads home."""
    language = language_of(connection)
    title, home = text("page.error", language), read_texts(language, "web")["home"]
    content = _PAGE.format(language=language, title=escape(title), sentence=escape(sentence), home=escape(home))
    return HTMLResponse(content, status, headers={"Cache-Control": "no-store"})
