"""What the release tool lets through, and what it refuses, with archives and wheels made up for it."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from tools import release
from tools.release import DOCUMENTATION, NOTICES, PAGE, PUZZLES, check_archive, check_wheel, check_wheels, check_words
from tools.try_package import compiled_modules, uncompiled

import nevsky
from nevsky import __version__

ROOT = Path(__file__).parent.parent
WHEEL = f"nevsky-{__version__}-cp311-cp311-manylinux_2_28_x86_64.whl"
INFO = f"nevsky-{__version__}.dist-info/licenses"


def whole_wheel(ending: str = "cpython-311-x86_64-linux-gnu.so") -> list[str]:
    """The names in a wheel that has everything."""
    modules = [f"nevsky/{name.replace('.', '/')}.{ending}" for name in compiled_modules()]
    return [PAGE, DOCUMENTATION, PUZZLES, *modules, *(f"{INFO}/{name}" for name in NOTICES)]


def wheel_of(names: Iterable[str], folder: Path, name: str = WHEEL) -> Path:
    with zipfile.ZipFile(folder / name, "w") as packed:
        for each in names:
            packed.writestr(each, "")
    return folder / name


def archive_of(names: Iterable[str], folder: Path) -> Path:
    path = folder / f"nevsky-{__version__}.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        for name in names:
            packed.addfile(tarfile.TarInfo(f"nevsky-{__version__}/{name}"), io.BytesIO())
    return path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A repository of two files, and what its archive has."""
    monkeypatch.setattr(release, "tracked", lambda: ["README.md", "src/nevsky/__init__.py"])
    return [*release.IN_SDIST, "README.md", "src/nevsky/__init__.py"]


@pytest.mark.parametrize("ending", ["cpython-313-darwin.so", "cp312-win_amd64.pyd"])
def test_a_whole_wheel_of_any_system_passes(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = wheel_of(whole_wheel(ending), tmp_path)
    check_wheels([wheel], None)
    assert f"{wheel.name} (0.0 MB) is complete" in capsys.readouterr().out


@pytest.mark.parametrize(
    "missing",
    [
        PAGE,
        DOCUMENTATION,
        PUZZLES,
        "nevsky/rules/position.so",
        "nevsky/envs/croupier.so",
        "nevsky/rules/modules/events/rules.so",
        "licenses/NOTICE",
        "licenses/LICENSES/CC-BY-3.0.txt",
    ],
)
def test_a_wheel_that_lacks_something_is_refused(missing: str, tmp_path: Path) -> None:
    """A module that does not compile is left out of a wheel without a word; it must not get further than here."""
    names = [name for name in whole_wheel("so") if not name.endswith(missing)]
    assert len(names) == len(whole_wheel()) - 1
    with pytest.raises(SystemExit) as refused:
        check_wheel(wheel_of(names, tmp_path))
    assert str(refused.value) == f"release: {WHEEL} lacks {missing.removeprefix('licenses/')}."


def test_a_source_in_the_place_of_a_compiled_module_is_none(tmp_path: Path) -> None:
    names = [name.replace("bots/core/tree.so", "bots/core/tree.py") for name in whole_wheel("so")]
    with pytest.raises(SystemExit, match=r"lacks nevsky/bots/core/tree\.so"):
        check_wheel(wheel_of(names, tmp_path))


def test_a_wheel_of_another_version_is_refused(tmp_path: Path) -> None:
    wheel = wheel_of(whole_wheel(), tmp_path, "nevsky-0.0.1-cp311-cp311-linux_x86_64.whl")
    with pytest.raises(SystemExit, match=f"is no wheel of version {__version__}"):
        check_wheels([wheel], None)


def test_an_archive_has_what_the_repository_has(small: list[str], tmp_path: Path) -> None:
    check_archive(archive_of(small, tmp_path))
    for missing in ("README.md", f"src/{DOCUMENTATION}", "web/package-lock.json"):
        with pytest.raises(SystemExit, match=f"lacks {missing}"):
            check_archive(archive_of([name for name in small if name != missing], tmp_path))


@pytest.mark.parametrize("odd", ["src/nevsky/rules/position.so", "web/node_modules/vite/index.js", "tools/release.pyc"])
def test_an_archive_has_nothing_that_was_built_here(odd: str, small: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=f"has what is built elsewhere: {odd}"):
        check_archive(archive_of([*small, odd], tmp_path))


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a changelog and a citation that agree, and nothing that is not committed."""
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "run", lambda *_: "")
    (tmp_path / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## Unreleased\n\n## {__version__} (2026-12-01)\n\n- New.\n\n## 0.0.1 (2025-01-01)\n\n- Old.\n"
    )
    (tmp_path / "CITATION.cff").write_text(f"version: {__version__}\ndate-released: 2026-12-01\n")
    return tmp_path


def test_changelog_and_citation_that_agree_have_a_date(words: Path) -> None:
    assert check_words() == "2026-12-01"


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("CHANGELOG.md", f"## {__version__} (", "## 0.0.2 (", f"must be '## {__version__} ("),
        ("CHANGELOG.md", "(2026-12-01)", "soon", f"must be '## {__version__} ("),
        ("CHANGELOG.md", "Unreleased\n", "Unreleased\n\n- Not yet.\n", "belongs to no version"),
        ("CHANGELOG.md", "Unreleased\n", "Unreleased\n\n### Added\n", "belongs to no version"),
        ("CITATION.cff", f"version: {__version__}", "version: 0.0.1", f"lacks the line 'version: {__version__}'"),
        ("CITATION.cff", "2026-12-01", "2026-12-02", "lacks the line 'date-released: 2026-12-01'"),
    ],
)
def test_a_version_without_its_words_is_refused(file: str, old: str, new: str, sentence: str, words: Path) -> None:
    path = words / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(SystemExit) as refused:
        check_words()
    assert sentence in str(refused.value)


def test_a_tree_with_changes_is_not_released(words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "run", lambda *_: " M README.md")
    with pytest.raises(SystemExit, match="there are changes that are not committed"):
        check_words()


def test_a_version_is_released_once(words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "run", lambda *asked: f"v{__version__}" if "tag" in asked else "")
    with pytest.raises(SystemExit, match=f"v{__version__} is tagged already"):
        check_words()


@pytest.mark.parametrize(
    ("words_given", "sentence"),
    [
        (["--python", "python3"], "--python is only for --wheel"),
        (["--tag", "--wheel", WHEEL], "a tag is only for what is built here"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    words_given: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["release", *words_given])
    monkeypatch.setattr(release, "build", lambda: pytest.fail("nothing is to be built"))
    with pytest.raises(SystemExit):
        release.main()
    assert sentence in capsys.readouterr().err


def test_a_wheel_without_the_built_page_is_not_made(tmp_path: Path) -> None:
    """Not even begun: the sentence comes before anything is compiled."""
    for name in ("setup.py", "README.md", "src/nevsky/_version.py", "tools/__init__.py", "tools/package_page.py"):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "bdist_wheel"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NEVSKY_PURE": "1", "NEVSKY_NO_WEB": ""},
    )
    assert done.returncode == 1
    assert done.stderr.startswith(
        "The web app is not built, so the wheel would be a server without pages. Run make web"
    )
    assert not list(tmp_path.rglob("*.whl"))


@pytest.mark.skipif(not nevsky.COMPILED, reason="nothing is compiled here")
def test_every_module_that_should_be_compiled_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert uncompiled() == []
    monkeypatch.setattr("tools.try_package.compiled_modules", lambda: ["rules.position", "telling", "rules.nowhere"])
    assert uncompiled() == ["telling", "rules.nowhere"]
