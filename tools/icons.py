"""The app's icons and the picture of link previews, drawn in Chromium from the SVGs of the front end: `make icons`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.serving import launched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WEB = Path(__file__).resolve().parent.parent / "web"
PUBLIC = WEB / "public"
ICON = PUBLIC / "favicon.svg"
SKYLINE = WEB / "src" / "components" / "Skyline.svelte"
PREVIEW = (1200, 630)


def icon() -> str:
    """With round corners and nothing behind them."""
    return ICON.read_text(encoding="utf-8").replace("<svg ", '<svg width="100%" height="100%" ', 1)


def maskable() -> str:
    """To the edges, with the drawing in the middle: phones cut their own shape out of it."""
    plain = re.sub(r'<rect [^>]*rx="14"[^>]*/>', "", icon(), count=1)
    assert plain != icon()
    return f'<div style="display: grid; padding: 14%; background: #0e4a4f">{plain}</div>'


def preview() -> str:
    """The city in the evening. Without words: each messenger writes the title beside it."""
    source = SKYLINE.read_text(encoding="utf-8")
    drawing, style = re.search(r"<svg .*?</svg>", source, re.S), re.search(r"<style>(.*?)</style>", source, re.S)
    assert drawing and style
    return f"""<style>{style.group(1)}
        .sky {{ position: relative; width: 100%; height: 100%; overflow: hidden; background:
            radial-gradient(circle at 74% 34%, #f0cf8a 0, #d99f5f 12%, transparent 44%),
            linear-gradient(#0c454b 0%, #1b7379 46%, #c98f57 86%); }}
        .city {{ position: absolute; inset: auto 0 0; height: 430px; }}</style>
        <div class="sky"><div class="city">{drawing.group(0)}</div></div>"""


def draw(browser: Browser, content: str, name: str, width: int, height: int) -> None:
    """One picture of exactly this size."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_content(
        f"<style>html, body, body > div {{ margin: 0; height: 100%; box-sizing: border-box }}</style>{content}"
    )
    page.screenshot(path=PUBLIC / name, omit_background=True)
    page.close()


def main() -> None:
    with launched() as browser:
        for size in (192, 512):
            draw(browser, icon(), f"icon-{size}.png", size, size)
        draw(browser, maskable(), "icon-maskable-512.png", 512, 512)
        draw(browser, maskable(), "apple-touch-icon.png", 180, 180)
        draw(browser, preview(), "preview.png", *PREVIEW)
    print(f"5 pictures written to {PUBLIC.relative_to(WEB.parent)}")


if __name__ == "__main__":
    main()
