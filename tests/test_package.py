"""What the package page and a citation say is true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from tools.package_page import page, urls
from tools.release import ENTRY
from tools.try_package import compiled_modules

import nevsky
from nevsky.rules.ruleset import RULES_VERSION
from nevsky.texts import LANGUAGES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
NAMES = {"en": "English", "de": "German", "fr": "French", "it": "Italian"}


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def classified(start: str) -> set[str]:
    found = project()["project"]["classifiers"]
    return {words.removeprefix(start) for words in found if words.startswith(start)}


def test_classifiers_name_the_languages_and_the_pythons() -> None:
    assert classified("Natural Language :: ") == {NAMES[language] for language in LANGUAGES}
    pythons = classified("Programming Language :: Python :: 3.")
    built = set(re.findall(r"cp3(\d+)-", project()["tool"]["cibuildwheel"]["build"]))
    assert pythons == built
    oldest = min(pythons, key=int)
    assert project()["project"]["requires-python"] == f">=3.{oldest}"
    tested = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert {f"3.{number}" for number in pythons} <= set(re.findall(r'"(3\.\d+)"', tested))


def jobs(workflow: str) -> dict[str, Any]:
    text = (ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)["jobs"]
    return found


def made_by(job: dict[str, Any]) -> list[str]:
    """The targets of the Makefile that a job asks for."""
    return re.findall(r"\bmake ([\w-]+)", "\n".join(step.get("run", "") for step in job.get("steps", ())))


def test_the_package_is_tried_before_a_tag_and_nothing_is_published_without_the_tests() -> None:
    assert made_by(jobs("test")["dist"]) == ["dist"]
    assert jobs("release")["tests"]["uses"] == "./.github/workflows/test.yml"
    assert {"tests", "sdist", "wheels"} <= set(jobs("release")["publish"]["needs"])


def test_whatever_a_workflow_makes_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    asked = {target for workflow in ("test", "release") for job in jobs(workflow).values() for target in made_by(job)}
    assert {"test", "test-py", "test-lowest", "dist"} <= asked <= targets


def test_the_citation_and_the_changelog_agree() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE))
    assert citation["version"] == nevsky.__version__
    entry = ENTRY.search(changelog)
    assert entry is not None
    assert (entry["version"], entry["date"]) == (citation["version"], citation["date-released"])
    assert f"version {nevsky.__version__}, rules {RULES_VERSION}." in changelog
    assert f" Version {nevsky.__version__}, {entry['date'][:4]}." in (ROOT / "docs" / "envs.md").read_text(
        encoding="utf-8"
    )


def test_pictures_of_the_readme_are_there() -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)


def test_a_package_page_leads_to_the_version_it_describes() -> None:
    shown = page(README, "https://example.org/nevsky", "1.2.3")
    assert "![A table in the browser](https://example.org/nevsky/raw/v1.2.3/docs/screenshots/" in shown
    assert "[CHANGELOG.md](https://example.org/nevsky/blob/v1.2.3/CHANGELOG.md)" in shown
    assert all(target.startswith("https://") for target in re.findall(r"\]\(([^)]+)\)", shown))
    assert urls("https://example.org/nevsky", "1.2.3")["Source"] == "https://example.org/nevsky"


def test_a_package_page_without_an_address_has_no_broken_pictures_and_links() -> None:
    shown = page(README, "", "1.2.3")
    assert "](" not in shown
    assert "docs/playing.md: how to play here" in shown
    assert urls("", "1.2.3") == {}


def test_code_on_a_package_page_stays_what_it_is() -> None:
    code = "```python\n>>> table[0](x)\n```"
    assert page(f"[a](b.md)\n\n{code}\n", "", "1") == f"a\n\n{code}\n"


def test_nothing_compiled_stands_in_the_way_of_a_source() -> None:
    """Python takes it first. What is no longer compiled is removed by the next ``make build``."""
    package = ROOT / "src" / "nevsky"
    found = [path.relative_to(package) for path in [*package.rglob("*.so"), *package.rglob("*.pyd")]]
    modules = {".".join([*path.parts[:-1], path.name.partition(".")[0]]) for path in found}
    assert modules <= set(compiled_modules())


def test_every_licence_has_its_text() -> None:
    """MIT is our own, in LICENSE; that of ISC is short enough to stand in NOTICE."""
    stated = project()["project"]["license"].split(" AND ")
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    texts = {path.stem for path in (ROOT / "LICENSES").iterdir()}
    assert set(stated) == texts | {"MIT", "ISC"}
    assert all(f"see LICENSES/{name}.txt" in notice for name in texts)
    assert "under the ISC licence: Permission to use" in notice
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["license"]
    assert cited == "MIT", "a list would mean that one may choose"
