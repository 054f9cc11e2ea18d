"""Build the documentation as a site for the server: no network, no script inside a page, no link that is broken.

python -m tools.documentation       # what `make docs` does

Pages are written to be read where they lie, in the repository. Here they are copied together, their links are
led to where the copies are, zensical makes HTML of them, and everything in it is looked at once more.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath, relpath
from typing import Final
from urllib.parse import unquote, urlsplit

from nevsky.texts import LANGUAGES

__all__ = ["faults", "main", "rewritten", "without_inline_scripts"]

ROOT: Final = Path(__file__).parent.parent
WORK: Final = ROOT / "build" / "documentation"
SITE: Final = ROOT / "src" / "nevsky" / "server" / "documentation" / "site"
_ELSEWHERE: Final = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "bench/RESULTS.md": "speed.md",
    "benchmarks/nevsky-1/README.md": "leaderboard.md",
    **{f"src/nevsky/texts/{language}/rules.md": f"rules/{language}.md" for language in LANGUAGES},
}
"""Pages outside of docs, and where they are put."""
_FILES: Final = "files"
"""Where files of the repository go that pages link to, such as examples of configuration."""
_UNUSED: Final = (
    "404.html",
    "sitemap.xml",
    "sitemap.xml.gz",
    "assets/stylesheets/classic",
    "assets/images/favicon.png",
)
_LINK: Final = re.compile(r"(?P<before>\]\()(?P<path>[^)\s#:]+)(?P<anchor>#[^)\s]*)?(?=\))")
_SESSION: Final = re.compile(r"^```python\n(?=>>>)", re.MULTILINE)
_RULE: Final = re.compile(r"^(?=\*\*(?P<number>[D\d][\d.]*)\*\*\s)", re.MULTILINE)
_INLINE: Final = re.compile(r"<script>(?P<code>.*?)</script>", re.DOTALL)


def page_at(source: str) -> str | None:
    """Where the page goes that stands at a path of the repository; None if that is no page."""
    if source in _ELSEWHERE:
        return _ELSEWHERE[source]
    return source.removeprefix("docs/") if source.startswith("docs/") and source.endswith(".md") else None


def rewritten(text: str, source: str, files: set[str]) -> str:
    """A page with its links led to the copies; files that it needs are added to the set."""

    def led(found: re.Match[str]) -> str:
        target = normpath(f"{Path(source).parent.as_posix()}/{found['path']}")
        place = page_at(target)
        if place is None:
            place = target.removeprefix("docs/") if target.startswith("docs/") else f"{_FILES}/{target}"
            files.add(target)
        here = page_at(source)
        assert here is not None
        return f"{found['before']}{relpath(place, Path(here).parent.as_posix())}{found['anchor'] or ''}"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _LINK.sub(led, part) for part in parts)


def _rules(text: str, language: str) -> str:
    """A rulebook that says its language, with an anchor for each number."""
    numbered = _RULE.sub(lambda rule: f'<span id="{rule["number"]}"></span>', text)
    return f'<div lang="{language}" markdown="1">\n\n{numbered}\n\n</div>\n'


def gather(pages: Path) -> None:
    """Copy all pages, and the files they link to, to one place."""
    files: set[str] = set()
    sources = [*_ELSEWHERE, *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md")))]
    for source in sources:
        text = rewritten((ROOT / source).read_text(encoding="utf-8"), source, files)
        if source.endswith("/rules.md"):
            text = _rules(text, Path(source).parent.name)
        place = page_at(source)
        assert place is not None
        _write(pages / place, _SESSION.sub("```pycon\n", text))
    for file in sorted(files):
        if not (ROOT / file).is_file():
            sys.exit(f"documentation: a page links to {file}, which does not exist.")
        place = file.removeprefix("docs/") if file.startswith("docs/") else f"{_FILES}/{file}"
        (pages / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, pages / place)
    shutil.copyfile(ROOT / "web" / "public" / "favicon.svg", pages / "favicon.svg")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def without_inline_scripts(site: Path) -> None:
    """Move every script inside a page to a file of its own: the pages must do with the policy of the whole server."""
    for page in sorted(site.rglob("*.html")):
        base = relpath(site.as_posix(), page.parent.as_posix())

        def moved(found: re.Match[str], base: str = base) -> str:
            code = found["code"]
            name = f"assets/javascripts/page.{hashlib.sha256(code.encode()).hexdigest()[:8]}.js"
            _write(site / name, code)
            return f'<script src="{base}/{name}"></script>'

        page.write_text(_INLINE.sub(moved, page.read_text(encoding="utf-8")), encoding="utf-8")


class _Page(HTMLParser):
    """What a page links to, what it can be linked by, and what it must not have."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.parts: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One element."""
        given = {name: value or "" for name, value in attrs}
        self.ids.update(given[name] for name in ("id", "name") if given.get(name))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and "href" in given and given.get("rel") not in ("next", "prev", "canonical"):
            self.parts.append(given["href"])
        elif given.get("src"):
            self.parts.append(given["src"])
        elif tag == "script" and given.get("type") != "application/json":
            self.inline.append("a script inside the page")
        self.inline += [f"the handler {name}" for name in given if name.startswith("on")]


def faults(site: Path) -> list[str]:
    """What is wrong with a built site, in sentences: broken links, parts from elsewhere, scripts inside of pages."""
    pages = {
        path.relative_to(site).as_posix(): _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")
    }
    found: list[str] = []
    for name, page in sorted(pages.items()):
        found += [f"{name}: has {what}." for what in page.inline]
        found += [f"{name}: loads {part} from elsewhere." for part in page.parts if urlsplit(part).netloc]
        for link in (*page.links, *page.parts):
            split = urlsplit(link)
            if split.scheme or split.netloc:
                continue
            target = normpath(f"{Path(name).parent.as_posix()}/{unquote(split.path)}") if split.path else name
            if (site / target).is_dir():
                target = normpath(f"{target}/index.html")
            if target.startswith("..") or not (site / target).is_file():
                found.append(f"{name}: {link} leads nowhere.")
            elif split.fragment and target in pages and unquote(split.fragment) not in pages[target].ids:
                found.append(f"{name}: {link} leads to no place of that page.")
    return found


def public_names(text: str) -> list[str]:
    """All of ``__all__`` of the packages and modules that pages with these directives describe."""
    given = set(re.findall(r"^::: ([\w.]+)$", text, re.MULTILINE))
    packages = {name.rpartition(".")[0] for name in given}
    names: list[str] = []
    for path in sorted((ROOT / "src" / "nevsky").rglob("*.py")):
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        package = parts[-1] == "__init__"
        module = ".".join(parts[:-1] if package else parts)
        if module in given or (package and module in packages):
            names += [f"{module}.{name}" for name in _offered(path)]
    return names


def _offered(path: Path) -> list[str]:
    for part in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(part.value)
            return names
    return []


def undescribed(site: Path) -> list[str]:
    """The public names that a built site does not have."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "api").glob("*.md")))
    ids: set[str] = set()
    for path in (site / "api").rglob("*.html"):
        ids |= _Page(path.read_text(encoding="utf-8")).ids
    return [f"api: {name} is missing." for name in public_names(text) if name not in ids]


def main() -> None:
    """Gather, build, check, and put the site where the server looks for it."""
    shutil.rmtree(WORK, ignore_errors=True)
    gather(WORK / "pages")
    shutil.copyfile(ROOT / "docs" / "zensical.toml", WORK / "zensical.toml")
    program = str(Path(sys.executable).with_name("zensical"))
    command = [program, "build", "--clean", "--strict", "-f", str(WORK / "zensical.toml")]
    done = subprocess.run(command, check=False, env={**os.environ, "NO_COLOR": "1"})
    if done.returncode:
        sys.exit("documentation: the pages could not be built; see above.")
    site = WORK / "site"
    for name in _UNUSED:
        path = site / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    without_inline_scripts(site)
    if found := faults(site) + undescribed(site):
        sys.exit("documentation: " + "\n".join(found))
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(site, SITE)
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    pages = len(list(SITE.rglob("*.html")))
    print(f"{pages} pages, {size / 1e6:.1f} MB, in {SITE.relative_to(ROOT)}; nevsky serve has them at /docs/")


if __name__ == "__main__":
    main()
