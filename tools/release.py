"""Build sdist and wheel with everything in them, and try the wheel as people get it: in an empty environment.

python -m tools.release            # dist/, checked; what `make dist` does
python -m tools.release --tag      # the same for a version that the changelog knows, and its tag; `make release`
python -m tools.release --wheel FILE ...                     # only whether these wheels are complete
python -m tools.release --wheel FILE --python python3.13     # and whether they work where that Python has nothing else
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tarfile
import time
import zipfile
from datetime import date
from pathlib import Path
from typing import Final

from nevsky._version import __version__
from tools.tree import files
from tools.trial import fail, run, since, try_wheel
from tools.try_package import compiled_modules

ROOT: Final = Path(__file__).parent.parent
DIST: Final = ROOT / "dist"
PAGE: Final = "nevsky/server/static/index.html"
DOCUMENTATION: Final = "nevsky/server/documentation/site/index.html"
PUZZLES: Final = "nevsky/puzzles/data/puzzles.jsonl"
IN_SDIST: Final = (
    *("CHANGELOG.md", "CITATION.cff", "LICENSE", "Makefile", "NOTICE", "docs/index.md", "requirements/dev.txt"),
    *("bench/kernel/kernel.c", "tests/test_golden.py", "tools/golden.py", "src/nevsky/rules/fields.pyx"),
    *("web/package-lock.json", "web/.npmrc", "web/src/App.svelte", f"src/{PAGE}", f"src/{DOCUMENTATION}"),
)
UNRELEASED: Final = re.compile(r"^## Unreleased\n\s*(?!## |\s)", re.MULTILINE)
"""The heading with anything below it."""
ENTRY: Final = re.compile(r"^## (?P<version>\S+) \((?P<date>\d{4}-\d\d-\d\d)\)$", re.MULTILINE)
NOTICES: Final = ("LICENSE", "NOTICE", *sorted(f"LICENSES/{path.name}" for path in (ROOT / "LICENSES").iterdir()))


def check_words() -> str:
    """The date of this version: changelog and citation must agree on it."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if UNRELEASED.search(changelog):
        fail("what stands under Unreleased in CHANGELOG.md belongs to no version.")
    found = ENTRY.search(changelog)
    if found is None or found["version"] != __version__:
        fail(f"the newest entry of CHANGELOG.md must be '## {__version__} ({date.today().isoformat()})'.")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in (f"version: {__version__}", f"date-released: {found['date']}"):
        if line not in citation.splitlines():
            fail(f"CITATION.cff lacks the line '{line}'.")
    if run("git", "-C", ROOT, "status", "--porcelain"):
        fail("there are changes that are not committed.")
    if run("git", "-C", ROOT, "tag", "--list", f"v{__version__}"):
        fail(f"v{__version__} is tagged already; a release is never made twice.")
    return found["date"]


def build() -> tuple[Path, Path]:
    """A source archive, and a wheel that is made of it alone."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", DIST, ROOT)
    (archive,), (wheel,) = DIST.glob("*.tar.gz"), DIST.glob("*.whl")
    return archive, wheel


def tracked() -> list[str]:
    """What the repository has, but for what only serves the repository itself."""
    return [name for name in files(ROOT) if not name.startswith((".ci/", ".gitignore"))]


def check_archive(archive: Path) -> None:
    """It builds, tests and documents the project."""
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    missing = [name for name in (*IN_SDIST, *tracked()) if name not in names]
    if missing:
        fail(f"{archive.name} lacks {', '.join(missing)}.")
    odd = [name for name in names if "node_modules" in name or name.endswith((".so", ".pyc"))]
    if odd:
        fail(f"{archive.name} has what is built elsewhere: {', '.join(sorted(odd)[:5])}.")


def check_wheel(wheel: Path) -> None:
    """The web app, the documentation, the puzzles, every compiled module and the notices are in it."""
    names = zipfile.ZipFile(wheel).namelist()
    missing = [name for name in (PAGE, DOCUMENTATION, PUZZLES) if name not in names]
    for module in compiled_modules():
        stem = f"nevsky/{module.replace('.', '/')}."
        if not any(name.startswith(stem) and name.endswith((".so", ".pyd")) for name in names):
            missing.append(f"{stem}so")
    missing += [notice for notice in NOTICES if not any(name.endswith(f"licenses/{notice}") for name in names)]
    if missing:
        fail(f"{wheel.name} lacks {', '.join(missing)}.")


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


def check_wheels(wheels: list[Path], python: str | None) -> None:
    """Those that were built elsewhere: complete, and of this version."""
    for wheel in wheels:
        if not wheel.name.startswith(f"nevsky-{__version__}-"):
            fail(f"{wheel.name} is no wheel of version {__version__}.")
        check_wheel(wheel)
        print(f"{wheel.name} ({_size(wheel)}) is complete")
        if python:
            try_wheel(wheel, python)


def main() -> None:
    """Build, check, try and, if wanted, tag."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tag", action="store_true", help="only for a version that the changelog knows; tags it at the end"
    )
    parser.add_argument("--wheel", nargs="+", type=Path, help="wheels that were built elsewhere, instead of building")
    parser.add_argument("--python", help="the Python that tries these wheels; without one they are only looked at")
    given = parser.parse_args()
    if given.wheel:
        if given.tag:
            parser.error("a tag is only for what is built here")
        check_wheels([path.absolute() for path in given.wheel], given.python)
        return
    if given.python:
        parser.error("--python is only for --wheel: what is built here is for the Python that builds it")
    day = check_words() if given.tag else ""
    began = time.monotonic()
    archive, wheel = build()
    print(f"{archive.name} ({_size(archive)}) and {wheel.name} ({_size(wheel)}) were built in {since(began)}")
    check_archive(archive)
    check_wheel(wheel)
    try_wheel(wheel)
    if given.tag:
        run("git", "-C", ROOT, "tag", "-a", f"v{__version__}", "-m", f"Nevsky {__version__} ({day})")
        print(f"tagged v{__version__}; git push --tags starts what builds and publishes it")


if __name__ == "__main__":
    main()
