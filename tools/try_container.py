"""Build the Containerfile and try the image where no registry and no engine can be reached: as root, with buildah and
debootstrap from the distribution.

The base images are stood in for by a minimal Debian of the same release, under the same names, so every step of the
Containerfile itself is carried out by buildah. Then the image is mounted read-only, its command is started in it as
its user with its environment, its health check is run, and a move is made through a WebSocket.

    python tools/try_container.py /var/tmp/nevsky-container [--volume HOST:CONTAINER]... [--env NAME=VALUE]...
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import connect

ROOT: Final = Path(__file__).parent.parent
RELEASE: Final = "bookworm"
PACKAGES: Final = "ca-certificates,python3,python3-venv,python3-dev"
IMAGE: Final = "nevsky-tried"
ENGINE: Final = {"STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}
"""Works without namespaces and overlays, as inside another container."""


def run(*words: str | Path) -> str:
    """What a command prints; it has to end well."""
    given = [str(word) for word in words]
    print("+", *given, flush=True)
    done = subprocess.run(given, check=True, env={**os.environ, **ENGINE}, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def bases() -> list[str]:
    """The images that the Containerfile starts from."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)))


def make_bases(folder: Path, mirror: str, environment: Sequence[str]) -> None:
    """A minimal Debian under the name of each base image; Node.js is that of this machine."""
    system = folder / "debian"
    if not system.exists():
        run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", RELEASE, system, mirror)
    for name in bases():
        assert RELEASE in name, f"{name} is not made of {RELEASE}"
        container = run("buildah", "from", "scratch")
        place = Path(run("buildah", "mount", container))
        run("cp", "-a", f"{system}/.", place)
        if "/node:" in name:
            node, npm = shutil.which("node"), shutil.which("npm")
            assert node and npm, "this machine has no Node.js to lend"
            shutil.copy2(node, place / "usr/bin/node")
            shutil.copytree(Path(npm).resolve().parents[1], place / "usr/lib/node_modules/npm", symlinks=True)
            (place / "usr/bin/npm").symlink_to("../lib/node_modules/npm/bin/npm-cli.js")
        for each in environment:
            run("buildah", "config", "--env", each, container)
        run("buildah", "umount", container)
        run("buildah", "commit", "--rm", container, name)


@contextmanager
def mounted(folder: Path) -> Iterator[Path]:
    """The root of the image, read-only, with a place for data and an empty /tmp."""
    container = run("buildah", "from", "--pull-never", IMAGE)
    root = folder / "root"
    data = folder / "data"
    root.mkdir(exist_ok=True)
    data.mkdir(mode=0o700)
    os.chown(data, *_user(_config()))
    run("mount", "--bind", run("buildah", "mount", container), root)
    run("mount", "-o", "remount,bind,ro", root)
    try:
        run("mount", "--bind", data, root / "data")
        run("mount", "-t", "tmpfs", "tmpfs", root / "tmp")
        for name in ("dev", "proc"):
            run("mount", "--rbind", f"/{name}", root / name)
            run("mount", "--make-rslave", root / name)
        yield root
    finally:
        run("umount", "-R", "-l", root)
        run("buildah", "umount", container)
        run("buildah", "rm", container)


def _config() -> dict[str, Any]:
    config: dict[str, Any] = json.loads(run("buildah", "inspect", "--type", "image", IMAGE))["Docker"]["config"]
    return config


def _user(config: dict[str, Any]) -> tuple[int, int]:
    user, group = map(int, config["User"].split(":"))
    assert user > 0 and group > 0, "the server would run as root"
    return user, group


def health_check() -> list[str]:
    """The command of the Containerfile."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    found = re.search(r"^HEALTHCHECK .*?CMD (\[.*\])$", text, re.MULTILINE)
    assert found
    words: list[str] = json.loads(found[1])
    return words


def inside(root: Path, config: dict[str, Any], words: Sequence[str]) -> list[str]:
    """A command in the image, as its user, with its environment and nothing of ours."""
    user, group = _user(config)
    return [
        *("chroot", str(root), "setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups"),
        *("--no-new-privs", "--bounding-set=-all", "env", "-i", "-C", config["WorkingDir"], *config["Env"]),
        *words,
    ]


def healthy(root: Path, config: dict[str, Any]) -> bool:
    """What the health check of the image says."""
    done = subprocess.run(inside(root, config, health_check()), capture_output=True, check=False)
    return done.returncode == 0


async def play(address: str) -> None:
    """A table with a bot, and a move at it."""
    body = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "bot", "level": "easy"}]}
    asking = urllib.request.Request(
        f"http://{address}/api/tables", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    created = json.load(urllib.request.urlopen(asking))
    where = f"ws://{address}/api/tables/{created['table']}/ws?states=full&seat={created['seat_token']}"
    async with asyncio.timeout(60), connect(where) as socket:
        moved = None
        while True:
            state = json.loads(await socket.recv())
            if moved is not None and state["version"] > moved:
                return
            if moved is None and state["to_move"] == state["you"]:
                moved = state["version"]
                action = state["choices"][0]["action"]
                await socket.send(json.dumps({"type": "act", "version": moved, "action": action}))


def try_image(folder: Path) -> None:
    """Start the server of the image, ask how it is, play, and stop it."""
    config = _config()
    with mounted(folder) as root:
        assert not os.access(root / "opt/nevsky", os.W_OK), "the root can be written"
        page = run("sh", "-c", f"cat {root}/opt/nevsky/lib/python3*/site-packages/nevsky/server/static/index.html")
        assert "<title>" in page, "the wheel has no web app"
        site = root.glob("opt/nevsky/lib/python3*/site-packages/nevsky/server/documentation/site/index.html")
        assert any(site), "the wheel has no documentation"
        print("+ starts", *config["Entrypoint"], *config["Cmd"], "as", config["User"], flush=True)
        server = subprocess.Popen(inside(root, config, [*config["Entrypoint"], *config["Cmd"]]))
        try:
            for _ in range(60):
                time.sleep(1)
                if not subprocess.run(
                    inside(root, config, health_check()), capture_output=True, check=False
                ).returncode:
                    break
                assert server.poll() is None, "the server has ended"
            else:
                raise AssertionError("the server is not healthy")
            print("+ is healthy")
            with urllib.request.urlopen("http://127.0.0.1:8000/health") as answer:
                print("+ says", answer.read().decode())
            asyncio.run(play("127.0.0.1:8000"))
            print("+ takes a move through a WebSocket")
        finally:
            server.terminate()
            print("+ ends with", server.wait(30))
        assert (folder / "data" / "nevsky.db").stat().st_uid == _user(config)[0]


def main() -> int:
    """Build and try."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="for what is made on the way; the minimal Debian in it is used again")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--volume", action="append", default=[], help="as of buildah build, say for package indexes")
    parser.add_argument("--env", action="append", default=[], help="set in the base images, say PIP_INDEX_URL=...")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if (given.folder / "data").exists():
        shutil.rmtree(given.folder / "data")
    make_bases(given.folder, given.mirror, given.env)
    volumes = [word for each in given.volume for word in ("--volume", each)]
    run("buildah", "build", "--format", "docker", "--pull-never", "--network", "host", *volumes, "-t", IMAGE, ROOT)
    try_image(given.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
