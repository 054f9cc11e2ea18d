"""Write deploy/grafana.json, the dashboard of the server's metrics: `python tools/dashboard.py [--check]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))  # for when it is run as a file
from tools.generated import ROOT, write_or_check

TARGET: Final = ROOT / "deploy" / "grafana.json"
_HERE: Final = '{job="$job"}'
_WIDTH: Final = 8
_HEIGHT: Final = 7


class Line(NamedTuple):
    """One query of a panel and what its lines are called."""

    query: str
    name: str = ""


class Panel(NamedTuple):
    """A picture of some metrics over time."""

    title: str
    unit: str
    lines: list[Line]
    stacked: bool = False


def per_second(metric: str, by: str = "") -> str:
    """How fast a counter grows."""
    return f"sum{f' by ({by})' if by else ''} (rate({metric}{_HERE}[$__rate_interval]))"


def at_most(metric: str, share: float, by: str = "") -> str:
    """What this share of all took at most."""
    return f"histogram_quantile({share}, {per_second(f'{metric}_bucket', f'le, {by}' if by else 'le')})"


def times(metric: str) -> list[Line]:
    """A histogram as its median and its slow end."""
    return [Line(at_most(metric, share), name) for share, name in ((0.5, "half"), (0.99, "99 of 100"))]


ROWS: Final[dict[str, list[Panel]]] = {
    "People and games": [
        Panel("Tables and people", "short", [
            Line(f"nevsky_tables_in_memory{_HERE}", "tables in memory"),
            Line(f"nevsky_viewers{_HERE}", "people at tables"),
            Line(f"nevsky_lobby_visitors{_HERE}", "people in the lobby"),
            Line(f"nevsky_online{_HERE}", "guests online"),
        ]),
        Panel("Moves", "ops", [Line(per_second("nevsky_moves_total", "by"), "{{by}}")], stacked=True),
        Panel("People who find each other", "ops", [
            Line(per_second("nevsky_matched_total"), "matched"),
            Line(per_second("nevsky_invitations_total"), "invitations"),
        ]),
        Panel("Refused", "ops", [Line(per_second("nevsky_refusals_total", "code, reason"), "{{code}}: {{reason}}")]),
    ],
    "Speed": [
        Panel("A message of a WebSocket", "s", times("nevsky_message_seconds")),
        Panel("Showing a table to its viewers", "s", times("nevsky_broadcast_seconds")),
        Panel("Looking through the whole memory", "s", times("nevsky_collection_seconds")),
        Panel("An HTTP request", "s", times("nevsky_request_seconds")),
        Panel("States built", "ops", [Line(per_second("nevsky_states_total"), "states")]),
        Panel("Sent", "Bps", [Line(per_second("nevsky_sent_bytes_total", "kind"), "{{kind}}")], stacked=True),
        Panel("HTTP requests", "ops", [
            Line(per_second("nevsky_requests_total", "method, status"), "{{method}} {{status}}"),
        ]),
    ],
    "Database": [
        Panel("Transactions, 99 of 100", "s", [Line(at_most("nevsky_database_seconds", 0.99, "kind"), "{{kind}}")]),
        Panel("Transactions", "ops", [Line(per_second("nevsky_database_seconds_count", "kind"), "{{kind}}")]),
        Panel("Mails", "ops", [Line(per_second("nevsky_mails_total", "result"), "{{result}}")]),
        Panel(
            "Messages",
            "ops",
            [
                Line(per_second("nevsky_notices_total", "result"), "to tell, {{result}}"),
                Line(per_second("nevsky_pushes_total", "result"), "to browsers, {{result}}"),
            ],
        ),
        Panel("Failures", "ops", [Line(per_second("nevsky_storage_failures_total", "reason"), "{{reason}}")]),
    ],
    "Bots": [
        Panel("Waiting for a worker", "short", [Line(f"nevsky_bot_queue{_HERE}", "{{kind}}")], stacked=True),
        Panel("How long, 95 of 100", "s", [Line(at_most("nevsky_bot_wait_seconds", 0.95, "kind"), "{{kind}}")]),
        Panel("Workers", "short", [
            Line(f"nevsky_bot_workers{_HERE}", "running"),
            Line(f"increase(nevsky_bot_timeouts_total{_HERE}[$__rate_interval])", "out of time"),
            Line(f"increase(nevsky_bot_workers_replaced_total{_HERE}[$__rate_interval])", "replaced"),
        ]),
    ],
    "Several servers": [
        Panel("Tables of each", "short", [Line(f"nevsky_tables_in_memory{_HERE}", "{{instance}}")], stacked=True),
        Panel("Processor of each", "percentunit", [
            Line(f"rate(process_cpu_seconds_total{_HERE}[$__rate_interval])", "{{instance}}"),
        ]),
        Panel("Passed on to the owner of a table", "ops", [
            Line(f"rate(nevsky_forwarded_total{_HERE}[$__rate_interval])", "{{kind}}"),
        ]),
    ],
    "Redis": [
        Panel("Redis", "short", [
            Line(f"nevsky_redis_up{_HERE}", "there"),
            Line(f"increase(nevsky_redis_lost_total{_HERE}[$__rate_interval])", "lost"),
        ]),
        Panel("A batch of commands", "s", times("nevsky_redis_seconds")),
        Panel("Workers for all servers", "short", [
            Line(f"max(nevsky_shared_workers{_HERE})", "workers"),
            Line(f"max(nevsky_shared_worker_processes{_HERE})", "processes"),
        ]),
        Panel("Waiting for them", "short", [
            Line(f"max by (kind) (nevsky_shared_bot_queue{_HERE})", "{{kind}}"),
        ], stacked=True),
        Panel("How long none was begun", "s", [
            Line(f"max by (kind) (nevsky_shared_bot_wait_seconds{_HERE})", "{{kind}}"),
        ]),
        Panel("Not done by them", "ops", [Line(per_second("nevsky_bot_returned_total", "reason"), "{{reason}}")]),
    ],
    "Machine": [
        Panel("Connections", "short", [
            Line(f"nevsky_connections{_HERE}", "connections"),
            Line(f"nevsky_sockets_limit{_HERE}", "most WebSockets"),
            Line(f"nevsky_sockets_of_busiest_address{_HERE}", "WebSockets of the busiest address"),
        ]),
        Panel("Addresses by their WebSockets", "short", [Line(f"nevsky_addresses{_HERE}", "at most {{sockets}}")]),
        Panel("Open files", "short", [
            Line(f"nevsky_open_files{_HERE}", "open"),
            Line(f"nevsky_file_limit{_HERE}", "most"),
        ]),
        Panel("Memory", "bytes", [
            Line(f"process_resident_memory_bytes{_HERE}", "server"),
            Line(f"nevsky_bot_memory_bytes{_HERE}", "bots"),
        ], stacked=True),
        Panel("Processor", "percentunit", [Line(per_second("process_cpu_seconds_total"), "server")]),
        Panel("Version", "short", [Line(f"nevsky_info{_HERE}", "{{version}}")]),
    ],
}  # fmt: skip


def _panel(panel: Panel, number: int, x: int, y: int) -> dict[str, Any]:
    source = {"type": "prometheus", "uid": "$source"}
    stacking = {"mode": "normal" if panel.stacked else "none"}
    return {
        "id": number,
        "type": "timeseries",
        "title": panel.title,
        "datasource": source,
        "gridPos": {"x": x, "y": y, "w": _WIDTH, "h": _HEIGHT},
        "fieldConfig": {
            "defaults": {
                "unit": panel.unit,
                "min": 0,
                "custom": {"fillOpacity": 30 if panel.stacked else 5, "stacking": stacking},
            },
            "overrides": [],
        },
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {"refId": chr(ord("A") + index), "expr": line.query, "legendFormat": line.name, "datasource": source}
            for index, line in enumerate(panel.lines)
        ],
    }


def _variables() -> list[dict[str, Any]]:
    source = {"type": "prometheus", "uid": "$source"}
    return [
        {"name": "source", "label": "Source", "type": "datasource", "query": "prometheus"},
        {
            "name": "job",
            "label": "Job",
            "type": "query",
            "datasource": source,
            "query": "label_values(nevsky_info, job)",
            "refresh": 1,
        },
    ]


def dashboard() -> dict[str, Any]:
    """The whole dashboard."""
    panels: list[dict[str, Any]] = []
    y = 0
    for title, row in ROWS.items():
        place = {"x": 0, "y": y, "w": 3 * _WIDTH, "h": 1}
        panels.append({"id": len(panels) + 1, "type": "row", "title": title, "gridPos": place, "panels": []})
        y += 1
        for index, panel in enumerate(row):
            at = y + index // 3 * _HEIGHT
            panels.append(_panel(panel, len(panels) + 1, index % 3 * _WIDTH, at))
        y += -(-len(row) // 3) * _HEIGHT
    return {
        "uid": "nevsky",
        "title": "Nevsky",
        "tags": ["nevsky"],
        "schemaVersion": 39,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": _variables()},
        "panels": panels,
    }


def generate() -> str:
    """The whole file."""
    return json.dumps(dashboard(), indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(write_or_check(TARGET, generate(), __file__))
