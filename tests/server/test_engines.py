"""The engines that other tests rely on come back as they should."""

from __future__ import annotations

from tests.server.engines import Postgres, Redis


def test_what_was_committed_is_there_after_postgresql_was_killed(postgres: Postgres) -> None:
    name = postgres.new_database()
    postgres.sql("CREATE TABLE t (n INT); INSERT INTO t VALUES (7)", name)
    port = postgres.port
    postgres.kill()
    postgres.start()
    assert postgres.port == port
    assert postgres.sql("SELECT n FROM t", name) == "7\n"


def test_every_test_has_a_database_of_its_own(postgres: Postgres, database: str) -> None:
    assert database.startswith("postgresql://nevsky:")
    name = database.rpartition("/")[2]
    assert postgres.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", name) == "0\n"


def test_redis_comes_back_empty(redis_server: Redis, redis: str) -> None:
    assert redis_server.ask("SET", "a", "b") == b"+OK\r\n"
    redis_server.kill()
    redis_server.start()
    assert redis_server.ask("GET", "a") == b"$-1\r\n"
    assert str(redis_server.port) in redis
