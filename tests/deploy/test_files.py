"""The files for those who run a server are those that the documentation shows, and systemd knows what they say."""

from __future__ import annotations

import asyncio
import configparser
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from tools import documentation

from nevsky.server.connections import _MOST_FILES
from nevsky.server.settings import USUAL, Settings, unknown
from tests.server.support import run, running

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PAGES = "\n".join(
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("proxy.md", "server.md", "scaling.md")
)
UNITS = sorted(DEPLOY.glob("*.service")) + sorted(DEPLOY.glob("*.timer"))


def _unit(name: str) -> configparser.ConfigParser:
    unit = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / name)
    return unit


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("nginx", ["nginx.conf", "nginx-several.conf"]),
        ("caddy", ["Caddyfile", "Caddyfile-several"]),
        ("ini", ["nevsky.service"]),
    ],
)
def test_the_documentation_shows_the_files(language: str, names: list[str]) -> None:
    shown = re.findall(rf"```{language}\n(.*?)```\n", PAGES, re.DOTALL)
    assert shown == [(DEPLOY / name).read_text(encoding="utf-8") for name in names]


def test_every_proxy_tells_browsers_to_stay_with_https() -> None:
    for name in ("Caddyfile", "Caddyfile-several"):
        [site] = re.findall(r"^play\.example \{\n(.*?)^\}", (DEPLOY / name).read_text(encoding="utf-8"), re.S | re.M)
        assert '\theader Strict-Transport-Security "max-age=31536000"' in site.splitlines(), name
    for name in ("nginx.conf", "nginx-several.conf"):
        *_, site = (DEPLOY / name).read_text(encoding="utf-8").split("\nserver {\n")
        assert '    add_header Strict-Transport-Security "max-age=31536000" always;' in site.splitlines(), name


def test_every_file_is_mentioned() -> None:
    for path in DEPLOY.rglob("*"):
        assert path.is_dir() or f"`deploy/{path.relative_to(DEPLOY)}`" in PAGES, path


def test_the_server_runs_within_bounds() -> None:
    service = _unit("nevsky.service")["Service"]
    assert int(service["LimitNOFILE"]) == _MOST_FILES
    for name in ("MemoryMax", "MemoryHigh", "TasksMax"):
        assert service[name]
    for name in ("NoNewPrivileges", "DynamicUser", "PrivateTmp", "PrivateDevices", "RestrictNamespaces"):
        assert service[name] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""


def test_the_backup_is_of_the_database_of_the_server_and_made_by_its_user() -> None:
    server, backup = _unit("nevsky.service")["Service"], _unit("nevsky-backup.service")["Service"]
    text = (DEPLOY / "nevsky.service").read_text(encoding="utf-8")
    assert backup["User"] == server["User"]
    assert f"Environment={backup['Environment']}\n" in text
    target = re.search(r"admin backup (\S+) --keep \d+$", backup["ExecStart"])
    assert target
    assert Path(target[1]).name in backup["StateDirectory"].split()
    assert (DEPLOY / "nevsky-backup.timer").exists()


def test_the_files_set_only_what_there_is() -> None:
    for path in (*UNITS, ROOT / "compose.yaml", DEPLOY / "cluster" / "compose.yaml", ROOT / "Containerfile"):
        named = re.findall(r"\b(NEVSKY_[A-Z_]+)[=:]\s*\"?([^\s\"]+)", path.read_text(encoding="utf-8"))
        assert not unknown({name: value for name, value in named if name != "NEVSKY_NO_WEB"}), path
        Settings.read(dict(named))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="the tools of systemd are not installed")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for path in UNITS:
        text = path.read_text(encoding="utf-8").replace("/opt/nevsky/.venv/bin/nevsky", "/bin/true")
        (tmp_path / path.name).write_text(text)
    files = [str(tmp_path / path.name) for path in UNITS]
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, check=False)
    assert "nevsky" not in done.stderr, done.stderr
    for path in DEPLOY.glob("*.service"):
        words = ["systemd-analyze", "security", "--offline=true", "--threshold=30", str(tmp_path / path.name)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def _steps() -> list[list[str]]:
    """The instructions of the Containerfile, stage by stage."""
    stages: list[list[str]] = []
    for line in (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("FROM "):
            stages.append([])
        if line and not line.startswith("#"):
            stages[-1].append(line)
    return stages


def test_the_container_copies_only_what_is_there_and_not_left_out() -> None:
    ignored = (ROOT / ".containerignore").read_text(encoding="utf-8").splitlines()
    let_in = [line[1:] for line in ignored if line.startswith("!")]
    assert ignored[0] == "**"
    for stage in _steps():
        for line in stage:
            words = line.split()
            if words[0] == "COPY" and not words[1].startswith("--from"):
                for source in words[1:-1]:
                    assert (ROOT / source).exists(), source
                    assert any(source == each or source.startswith(f"{each}/") for each in let_in), source


def test_the_image_is_slim_and_nobody_is_root_in_it() -> None:
    *_, last = _steps()
    assert not [line for line in last if "apt-get" in line or "gcc" in line]
    users = [line.split()[1] for line in last if line.startswith("USER ")]
    assert users == ["10001:10001"]
    assert "VOLUME /data" in last
    (check,) = [line for line in last if line.startswith("HEALTHCHECK ")]
    words = json.loads(check.partition(" CMD ")[2])
    assert "/ready" in words[-1]
    assert f"'{USUAL.port}'" in words[-1], "where the server listens unless told otherwise"
    compile(words[-1], "health check", "exec")


def test_the_health_check_tells_a_server_from_none(tmp_path: Path) -> None:
    (check,) = [line for line in _steps()[-1] if line.startswith("HEALTHCHECK ")]
    _, option, program = json.loads(check.partition(" CMD ")[2])

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            for port, fine in ((server.port, True), (1, False)):
                environment = {**os.environ, "NEVSKY_PORT": str(port)}
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, option, program), stderr=asyncio.subprocess.DEVNULL, env=environment
                )
                assert (await process.wait() == 0) == fine

    run(scenario())


def _copied(name: str = "wheel") -> list[str]:
    """What a stage of the Containerfile gets from the repository, but for the package itself."""
    (stage,) = [steps for steps in _steps() if steps[0].endswith(f" AS {name}")]
    lines = [line.split() for line in stage if line.startswith("COPY ") and "--from" not in line]
    return [source for words in lines for source in words[1:-1] if source != "src"]


def test_a_wheel_without_the_web_app_is_not_built(tmp_path: Path) -> None:
    for name in _copied():
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, target)
    package = tmp_path / "src" / "nevsky"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "src" / "nevsky" / "_version.py", package)
    (package / "__init__.py").touch()

    def build() -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", "dist", "."]
        environment = {**os.environ, "NEVSKY_PURE": "1"}
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)

    done = build()
    assert done.returncode != 0
    assert "The web app is not built" in done.stdout + done.stderr
    assets = package / "server" / "static" / "assets"
    assets.mkdir(parents=True)
    (package / "server" / "__init__.py").touch()
    (assets.parent / "index.html").write_text("<title>Nevsky</title>")
    (assets / "a.js").write_text("1")
    done = build()
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    names = ZipFile(wheel).namelist()
    assert {"nevsky/server/static/index.html", "nevsky/server/static/assets/a.js"} <= set(names)
    notices = {name.partition("/licenses/")[2] for name in names if "/licenses/" in name}
    texts = {f"LICENSES/{path.name}" for path in (ROOT / "LICENSES").iterdir()}
    assert notices == {"LICENSE", "NOTICE", *texts}


def test_the_image_has_what_the_documentation_is_made_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages link to files; one that is not copied would end the build of the image."""
    for name in _copied("docs"):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, target)
    shutil.copytree(ROOT / "src" / "nevsky" / "texts", tmp_path / "src" / "nevsky" / "texts")
    monkeypatch.setattr(documentation, "ROOT", tmp_path)
    documentation.gather(tmp_path / "pages")
    assert (tmp_path / "pages" / "files" / "compose.yaml").is_file()
    assert (tmp_path / "pages" / "speed.md").is_file()
