"""A wheel as people get it: in an environment where nothing else is, first alone, then with its extras."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from pathlib import Path
from typing import Final, NoReturn

__all__ = ["check_game", "fail", "run", "since", "try_wheel"]

TOOLS: Final = Path(__file__).parent
EXTRAS: Final = "data,envs,openspiel,server"
GAMES: Final = 3
NO_MODULE: Final = (
    "import importlib.util as u; print([n for n in ('fastapi', 'sqlalchemy', 'numpy', 'torch') if u.find_spec(n)])"
)
_PLAY: Final = ("play", "--players", "2", "--seed", "1")
_ANSWERS: Final = ("1", "1", "quit", "y")
_ARENA: Final = "arena --bot greedy --bot random --players 2 --games 4 --out league"
_EXPORT: Final = f"export --games {GAMES} --bot greedy --jobs 1 --out games.parquet"


def fail(sentence: str) -> NoReturn:
    """End with a sentence."""
    sys.exit(f"release: {sentence}")


def run(*words: str | Path, given: str | None = None, **environment: str) -> str:
    """What a command prints that is given these lines; it has to end well."""
    done = subprocess.run(
        [str(word) for word in words],
        input=given,
        stdin=subprocess.DEVNULL if given is None else None,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    if done.returncode:
        fail(f"{' '.join(map(str, words))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def since(began: float) -> str:
    """The seconds from then on."""
    return f"{time.monotonic() - began:.0f} s"


def try_wheel(wheel: Path, python: str = sys.executable) -> None:
    """Install it, use every part of it, and say what was done."""
    began, here = time.monotonic(), Path.cwd()
    os.environ.pop("PYTHONPATH", None)  # another tree in it would be taken for the package
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if python == sys.executable:
            venv.create(home / "venv", with_pip=True)
        else:
            run(python, "-m", "venv", home / "venv")
        bin_ = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
        os.chdir(home)
        try:
            found = [*_alone(bin_, wheel), *_with_extras(bin_, wheel, home)]
        finally:
            os.chdir(here)
    print(f"{wheel.name}:", *found, sep="\n- ")
    print(f"it was installed in an empty environment, alone and with extras; every part of it works ({since(began)})")


def _alone(bin_: Path, wheel: Path) -> list[str]:
    run(bin_ / "python", "-m", "pip", "install", "-q", wheel)
    if (found := run(bin_ / "python", "-c", NO_MODULE)) != "[]":
        fail(f"the package alone brings {found}.")
    if "(rules compiled)" not in run(bin_ / "nevsky", "--version"):
        fail("the rules of the wheel are not compiled.")
    run(bin_ / "nevsky", "simulate", "--games", "50", "--players", "3")
    run(bin_ / "nevsky", *_ARENA.split())
    done = subprocess.run([bin_ / "nevsky", "serve"], capture_output=True, text=True, check=False)
    if done.returncode != 2 or "nevsky[server]" not in done.stderr:
        fail(f"without its extra 'nevsky serve' says: {done.stderr}")
    return [check_game(run(bin_ / "nevsky", *_PLAY, given="\n".join([*_ANSWERS, ""])))]


def check_game(shown: str) -> str:
    """Two moves were made in a terminal, and the second screen and the third show them."""
    moves = re.findall(r"^ +· (You buy an? .+ for \d+)\.$", shown, re.MULTILINE)
    if len(moves) != _ANSWERS.count("1"):
        fail(f"'nevsky play' was told to make two moves, and shows:\n{shown}")
    return f"two moves in a terminal: {'; '.join(moves)}"


def _with_extras(bin_: Path, wheel: Path, home: Path) -> list[str]:
    python = bin_ / "python"
    run(python, "-m", "pip", "install", "-q", f"{wheel}[{EXTRAS}]")
    found = [run(python, TOOLS / "try_package.py")]
    run(bin_ / "nevsky", *_EXPORT.split())
    found.append(run(python, TOOLS / "try_extras.py", home / "games.parquet"))
    return [*found, _serve(bin_, home)]


def _serve(bin_: Path, home: Path) -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [bin_ / "nevsky", "serve", "--port", str(port), "--database", home / "tables.db"], stderr=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        page = _first_page(address, server)
        scripts = re.findall(r'src="(/[^"]+\.js)"', page)
        if not scripts:
            fail("the page of the wheel has no script.")
        if "Nevsky" not in _get(f"{address}/docs/"):
            fail("the wheel has no documentation.")
        for script in scripts:
            _get(address + script)
        if not json.loads(_get(f"{address}/health")):
            fail("the server of the wheel is not healthy.")
        return run(bin_ / "python", TOOLS / "try_server.py", address)
    finally:
        server.terminate()
        server.wait(20)


def _get(address: str) -> str:
    answer: bytes = urllib.request.urlopen(address, timeout=5).read()
    return answer.decode()


def _first_page(address: str, server: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + 60
    while True:
        try:
            return _get(f"{address}/")
        except OSError:
            if time.monotonic() > deadline or server.poll() is not None:
                fail("the server of the wheel does not answer.")
            time.sleep(0.2)
