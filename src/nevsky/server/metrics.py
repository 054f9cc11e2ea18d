"""What the server counts, for Prometheus."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

__all__ = ["BROADCASTS", "MOVES", "REFUSALS", "REGISTRY", "REQUESTS", "SECONDS", "TABLES", "VIEWERS"]

REGISTRY: Final = CollectorRegistry()
MOVES: Final = Counter("nevsky_moves_total", "Entries written to the logs of tables", ["by"], registry=REGISTRY)
BROADCASTS: Final = Counter("nevsky_states_total", "States built for viewers", registry=REGISTRY)
REFUSALS: Final = Counter("nevsky_refusals_total", "Requests and messages refused", ["code"], registry=REGISTRY)
REQUESTS: Final = Counter("nevsky_requests_total", "HTTP requests answered", ["method", "status"], registry=REGISTRY)
SECONDS: Final = Histogram("nevsky_request_seconds", "Time to answer an HTTP request", registry=REGISTRY)
TABLES: Final = Gauge("nevsky_tables_in_memory", "Tables in memory", registry=REGISTRY)
VIEWERS: Final = Gauge("nevsky_viewers", "Open WebSockets", registry=REGISTRY)
