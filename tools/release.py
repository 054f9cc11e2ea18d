"""Build sdist and wheel with everything in them, and try the wheel as people get it: in an empty environment.

python -m tools.release            # dist/, checked; what `make dist` does
python -m tools.release --tag      # the same for a version that the changelog knows, and its tag; `make release`
python -m tools.release --wheel FILE ...                     # only whether these wheels are complete
python -m tools.release --wheel FILE --python python3.13     # and whether they work where that Python has nothing else
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import venv
import zipfile
from datetime import date
from pathlib import Path
from typing import Final

from nevsky._version import __version__
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
NO_MODULE: Final = (
    "import importlib.util as u; print([n for n in ('fastapi', 'sqlalchemy', 'numpy', 'torch') if u.find_spec(n)])"
)


def fail(sentence: str) -> None:
    """End with a sentence."""
    sys.exit(f"release: {sentence}")


def run(*words: str | Path, **environment: str) -> str:
    """What a command prints; it has to end well."""
    done = subprocess.run(
        [str(word) for word in words], check=False, capture_output=True, text=True, env={**os.environ, **environment}
    )
    if done.returncode:
        fail(f"{' '.join(map(str, words))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def check_words() -> str:
    """The date of this version: changelog and citation must agree on it."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if UNRELEASED.search(changelog):
        fail("what stands under Unreleased in CHANGELOG.md belongs to no version.")
    found = ENTRY.search(changelog)
    if found is None or found["version"] != __version__:
        fail(f"the newest entry of CHANGELOG.md must be '## {__version__} ({date.today().isoformat()})'.")
    assert found is not None
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
    names = run("git", "-C", ROOT, "ls-files", "-z").split("\0")
    return [name for name in names if name and not name.startswith((".ci/", ".gitignore"))]


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


def try_wheel(wheel: Path, python: str = sys.executable) -> None:
    """Install it where nothing else is, first alone, then with the extras, and use it."""
    began = time.monotonic()
    os.environ.pop("PYTHONPATH", None)  # another tree in it would be taken for the package
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if python == sys.executable:
            venv.create(home / "venv", with_pip=True)
        else:
            run(python, "-m", "venv", home / "venv")
        bin_ = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
        os.chdir(home)
        run(bin_ / "python", "-m", "pip", "install", "-q", wheel)
        if (found := run(bin_ / "python", "-c", NO_MODULE)) != "[]":
            fail(f"the package alone brings {found}.")
        if "(rules compiled)" not in run(bin_ / "nevsky", "--version"):
            fail("the rules of the wheel are not compiled.")
        run(bin_ / "nevsky", "simulate", "--games", "50", "--players", "3")
        run(
            bin_ / "nevsky",
            "arena",
            "--bot",
            "greedy",
            "--bot",
            "random",
            "--players",
            "2",
            "--games",
            "4",
            "--out",
            "league",
        )
        done = subprocess.run([bin_ / "nevsky", "serve"], capture_output=True, text=True, check=False)
        if done.returncode != 2 or "nevsky[server]" not in done.stderr:
            fail(f"without its extra 'nevsky serve' says: {done.stderr}")
        played = subprocess.run(
            [bin_ / "nevsky", "play", "--players", "2", "--seed", "1"],
            input="quit\n",
            capture_output=True,
            text=True,
            check=False,
        )
        if "Traceback" in played.stderr or not played.stdout:
            fail(f"'nevsky play' says: {played.stdout}{played.stderr}")
        run(bin_ / "python", "-m", "pip", "install", "-q", f"{wheel}[server,envs]")
        played_on = run(bin_ / "python", ROOT / "tools" / "try_package.py")
        _serve(bin_ / "nevsky", home)
        os.chdir(ROOT)
    print(f"{wheel.name}: {played_on}")
    print(f"it was installed in an empty environment, alone and with extras; every part of it works ({_since(began)})")


def _since(began: float) -> str:
    return f"{time.monotonic() - began:.0f} s"


def _serve(command: Path, home: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [command, "serve", "--port", str(port), "--database", home / "tables.db"], stderr=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while True:
            try:
                page = urllib.request.urlopen(f"{address}/", timeout=5).read().decode()
                break
            except OSError:
                if time.monotonic() > deadline or server.poll() is not None:
                    fail("the server of the wheel does not answer.")
                time.sleep(0.2)
        scripts = re.findall(r'src="(/[^"]+\.js)"', page)
        if not scripts:
            fail("the page of the wheel has no script.")
        if "Nevsky" not in urllib.request.urlopen(f"{address}/docs/", timeout=5).read().decode():
            fail("the wheel has no documentation.")
        for script in scripts:
            urllib.request.urlopen(address + script, timeout=5).read()
        health = json.loads(urllib.request.urlopen(f"{address}/health", timeout=5).read())
        if not health:
            fail("the server of the wheel is not healthy.")
    finally:
        server.terminate()
        server.wait(20)


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
    print(f"{archive.name} ({_size(archive)}) and {wheel.name} ({_size(wheel)}) were built in {_since(began)}")
    check_archive(archive)
    check_wheel(wheel)
    try_wheel(wheel)
    if given.tag:
        run("git", "-C", ROOT, "tag", "-a", f"v{__version__}", "-m", f"Nevsky {__version__} ({day})")
        print(f"tagged v{__version__}; git push --tags starts what builds and publishes it")


if __name__ == "__main__":
    main()
