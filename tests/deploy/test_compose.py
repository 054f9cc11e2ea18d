"""What starts several servers in containers fits together, and with the configuration of nginx."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[2]
CLUSTER = ROOT / "deploy" / "cluster" / "compose.yaml"


def _services(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))["services"]
    return found


def test_two_of_each_and_what_they_stand_on() -> None:
    assert set(_services(CLUSTER)) == {"server1", "server2", "worker1", "worker2", "postgres", "redis", "nginx"}


def test_nginx_finds_the_servers_where_they_are() -> None:
    services = _services(CLUSTER)
    site = (ROOT / "deploy" / "nginx-several.conf").read_text(encoding="utf-8")
    known = re.findall(r"^    server (\S+):8000 ", site, re.MULTILINE)
    servers = [services[name] for name in ("server1", "server2")]
    assert [each["networks"]["nevsky"]["ipv4_address"] for each in servers] == known
    assert [each["environment"]["NEVSKY_ADVERTISE"] for each in servers] == [f"http://{each}:8000" for each in known]
    mounted = {each.split(":")[1]: each.split(":")[0] for each in services["nginx"]["volumes"]}
    assert (CLUSTER.parent / mounted["/etc/nginx/conf.d/default.conf"]).resolve() == ROOT / "deploy/nginx-several.conf"
    assert (CLUSTER.parent / mounted["/etc/nginx/nginx.conf"]).resolve() == ROOT / "deploy/cluster/nginx.conf"
    main = (ROOT / "deploy" / "cluster" / "nginx.conf").read_text(encoding="utf-8")
    assert f"worker_rlimit_nofile {services['nginx']['ulimits']['nofile']};" in main
    assert "include /etc/nginx/conf.d/*.conf;" in main
    certificates = [path for path in mounted if path.startswith("/etc/letsencrypt")]
    assert all(f"{certificates[0]}/{name}.pem" in site for name in ("fullchain", "privkey"))


def test_everybody_talks_to_the_same_engines_in_the_same_network() -> None:
    services = _services(CLUSTER)
    assert all("nevsky" in each["networks"] for each in services.values())
    first, second = (dict(services[name]["environment"]) for name in ("server1", "server2"))
    assert first.pop("NEVSKY_ADVERTISE") != second.pop("NEVSKY_ADVERTISE")
    assert first == second
    assert {"NEVSKY_DATABASE", "NEVSKY_REDIS", "NEVSKY_SECRET"} <= set(first)
    for name in ("worker1", "worker2"):
        assert services[name]["environment"]["NEVSKY_REDIS"] == first["NEVSKY_REDIS"]
        assert services[name]["command"][0] == "worker"


def test_nothing_runs_with_more_rights_than_alone() -> None:
    alone = _services(ROOT / "compose.yaml")["nevsky"]
    services = _services(CLUSTER)
    for name in ("server1", "server2", "worker1", "worker2"):
        for field in ("read_only", "cap_drop", "security_opt", "pids_limit", "mem_limit", "tmpfs", "init"):
            assert services[name][field] == alone[field], (name, field)


def test_whether_a_server_is_healthy_is_asked_as_in_the_image() -> None:
    """An image that podman builds for compose has no check of its own."""
    image = (ROOT / "Containerfile").read_text(encoding="utf-8")
    [(options, words)] = re.findall(r"^HEALTHCHECK (.*) CMD (\[.*\])$", image, re.MULTILINE)
    given = dict(option.removeprefix("--").split("=") for option in options.split())
    expected = {"test": ["CMD", *json.loads(words)], **{name.replace("-", "_"): each for name, each in given.items()}}
    alone, cluster = _services(ROOT / "compose.yaml"), _services(CLUSTER)
    for service in (alone["nevsky"], cluster["server1"], cluster["server2"]):
        assert service["healthcheck"] == expected
    for name in ("worker1", "worker2"):
        assert cluster[name]["healthcheck"] == {"disable": True}, "workers listen nowhere"


def test_no_secret_stands_in_the_file() -> None:
    text = CLUSTER.read_text(encoding="utf-8")
    for name in ("NEVSKY_SECRET", "POSTGRES_PASSWORD"):
        values = re.findall(rf"{name}: \"(.*)\"", text)
        assert values == ["${" + name + "}"]
