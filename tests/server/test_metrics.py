"""What /metrics tells, what the documentation says about it, and what the dashboard asks for."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from nevsky.server.errors import STATUS
from nevsky.server.metrics import REGISTRY
from nevsky.texts import read_texts
from tests.server.support import Json, Server, Visitor, run, running

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "server.md"
DASHBOARD: Json = json.loads((ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8"))
RESERVED = {"le"}
_Listed = dict[str, set[str]]


async def _metrics(visitor: Visitor) -> dict[str, Metric]:
    text = (await visitor.http.get("/metrics")).text
    return {family.name: family for family in text_string_to_metric_families(text)}


def _value(families: dict[str, Metric], sample: str, **labels: str) -> float:
    return sum(
        each.value
        for family in families.values()
        for each in family.samples
        if each.name == sample and labels.items() <= each.labels.items()
    )


async def _some_games(server: Server) -> Visitor:
    """A little of everything: games, requests of every kind, refusals of strangers and of players."""
    anna = await server.visitor()
    created = await anna.create("me easy easy")
    table = await anna.open(created["table"])
    await table.my_turn()
    await table.play(table.state["choices"][0]["action"])
    await table.my_turn()
    await table.act("buy the moon")
    await table.error()
    await table.send(type="nonsense")
    await table.error()
    for method in ("PROPFIND", "PURGE", "DELETE", "GET"):
        await anna.http.request(method, "/api/nowhere/\u1234")
    await anna.http.post("/api/tables", json={"seats": "many"})
    return anna


def _documented() -> _Listed:
    """The names of the table in the documentation, with their labels."""
    section = DOCS.read_text(encoding="utf-8").split("## Metrics")[1].split("\n## ")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    return {
        name: {label for label in cells[2].strip().split(", ") if label}
        for cells in rows
        for name in re.findall(r"`(\w+)`", cells[1])
    }


def _given(families: dict[str, Metric]) -> set[str]:
    """Names as people write them: counters and the info with their endings, histograms without."""
    endings = {"counter": "_total", "info": "_info"}
    return {name + endings.get(family.type, "") for name, family in families.items() if name.startswith("nevsky")}


@pytest.mark.usefixtures("quick_bots")
def test_the_documentation_lists_what_there_is(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            families = await _metrics(await _some_games(server))
            documented = _documented()
            assert set(documented) == _given(families)
            for family in families.values():
                for each in family.samples:
                    listed = documented.get(family.name, documented.get(each.name, set()))
                    if family.name.startswith("nevsky"):
                        assert set(each.labels) - RESERVED <= listed, each

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_what_happened_is_counted(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            visitor = await server.visitor()
            before = await _metrics(visitor)
            await _some_games(server)
            after = await _metrics(visitor)

            def grown(sample: str, **labels: str) -> float:
                return _value(after, sample, **labels) - _value(before, sample, **labels)

            assert grown("nevsky_moves_total", by="player") == 1
            assert grown("nevsky_moves_total", by="bot") >= 2
            assert grown("nevsky_refusals_total", code="illegal") == 1
            assert grown("nevsky_refusals_total", code="bad_message", reason="message") == 1
            assert grown("nevsky_requests_total", method="other") == 2
            assert grown("nevsky_message_seconds_count") == 3
            assert grown("nevsky_broadcast_seconds_count") >= 4
            assert grown("nevsky_database_seconds_count", kind="moves") >= 3
            assert grown("nevsky_database_seconds_count", kind="write") >= 2
            assert grown("nevsky_database_seconds_count", kind="read") >= 1
            assert grown("nevsky_sent_bytes_total", kind="websocket") > 2000
            assert grown("nevsky_sent_bytes_total", kind="http") > 1000
            assert _value(after, "nevsky_viewers") == 1
            assert _value(after, "process_resident_memory_bytes") > 2**20

    run(scenario())


def test_bytes_are_counted_and_not_characters(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            await anna.http.put("/api/me", json={"name": "Ελένη"})
            created = await anna.create("me open")
            before = _value(await _metrics(anna), "nevsky_sent_bytes_total", kind="websocket")
            table = await anna.open(created["table"])
            text = await table.socket.recv()
            assert isinstance(text, str)
            sent = _value(await _metrics(anna), "nevsky_sent_bytes_total", kind="websocket") - before
            assert sent == len(text.encode()) > len(text)

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_no_label_holds_what_a_visitor_chose(tmp_path: Path) -> None:
    """However strangely somebody behaves, the number of lines stays within what is known beforehand."""
    known: dict[str, set[str]] = {
        "code": {*STATUS, "http_408", "http_431", "http_503"},
        "reason": {
            *(key.removeprefix("no.") for key in read_texts("en", "server")),
            *read_texts("en", "errors"),
            *("gone", "replaced", "truncated", "damaged", "full", "locked", "readonly", "io_error"),
            *("unreachable", "connection"),
            *("frames", "pipelined", "connection_made_room", "socket_made_room"),
            *("away", "died", "down", "late", "lost", "nobody"),
        },
        "method": {"GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "other"},
        "by": {"player", "bot", "time", "auto", "undo"},
        "result": {"sent", "needless", "failed", "dropped", "gone"},
        "kind": {"websocket", "http", "moves", "write", "read", "live", "hint", "review"},
        "status": {str(status) for status in range(100, 600)},
        "sockets": {"1", "4", "16", "64", "256", "+Inf"},
    }

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            families = await _metrics(await _some_games(server))
            for family in families.values():
                for each in family.samples:
                    for label, value in each.labels.items():
                        assert label in {"le", "version"} or value in known[label], each

    run(scenario())


def _queries() -> list[str]:
    return [target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", [])]


def test_the_dashboard_file_is_current() -> None:
    """Run tools/dashboard.py when this fails."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "dashboard.py"), "--check"], check=True)


def test_the_dashboard_asks_only_for_what_there_is_and_for_all_of_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            families = await _metrics(await _some_games(server))
            documented = _documented()
            asked = {name for query in _queries() for name in re.findall(r"\b(?:nevsky|process)_\w+", query)}
            samples = {each.name for family in families.values() for each in family.samples} | set(documented)
            assert asked <= samples
            bases = {re.sub(r"_(bucket|count|sum)$", "", name) for name in asked}
            assert set(documented) <= bases

    run(scenario())


def test_the_dashboard_groups_by_labels_that_exist() -> None:
    documented = _documented()
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            _check_labels(target, documented)


def _check_labels(target: Json, documented: _Listed) -> None:
    query: str = target["expr"]
    found = re.search(r"(nevsky|process)_\w+", query)
    assert found
    labels = documented.get(re.sub(r"_(bucket|count|sum)$", "", found[0]), set())
    grouped = re.search(r"by \(([^)]*)\)", query)
    if grouped:
        assert set(grouped[1].split(", ")) - RESERVED <= labels, query
    named = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
    assert named - {"instance"} <= labels, query  # Prometheus says itself which server it has asked
    assert ("_bucket" in query) == ("histogram_quantile" in query) == ("le" in (grouped[1] if grouped else "")), query


def test_places_on_the_dashboard_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])}  # fmt: skip
        assert not cells & taken
        assert place["x"] + place["w"] <= 24
        taken |= cells


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool of Prometheus is not installed")
def test_prometheus_understands_every_query(tmp_path: Path) -> None:
    rules = [
        f"  - record: q{index}\n    expr: '{query.replace('$__rate_interval', '5m')}'\n"
        for index, query in enumerate(_queries())
    ]
    path = tmp_path / "rules.yml"
    path.write_text("groups:\n- name: dashboard\n  rules:\n" + "".join(rules), encoding="utf-8")
    done = subprocess.run(["promtool", "check", "rules", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_two_servers_of_one_process_do_not_leave_their_collectors_behind(tmp_path: Path) -> None:
    async def scenario() -> None:
        for number in range(2):
            async with running(tmp_path / f"{number}.db"):
                pass
        assert "nevsky_connections" not in {family.name for family in REGISTRY.collect()}

    run(scenario())
