"""Bots that think in workers: real ones, which are killed and paused, and so is Redis. Every decision is made."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import pytest

from nevsky.bots import BOTS, LEVELS, Level
from nevsky.review import Sample, samples
from nevsky.server.bot_queue import PREFIX
from nevsky.server.errors import Refusal
from nevsky.server.evaluating import Measured, evaluate
from nevsky.server.judged.work import judge_part
from nevsky.server.match import deal_data
from nevsky.server.scheduler import Place
from nevsky.server.shared_bots import SharedBots
from tests.server import hanging, watchful
from tests.server.engines import Redis
from tests.server.gated import Gate, gate
from tests.server.sharing import GAME, GATED, HANGING, VIEW, WATCHFUL, Shared, all_legal, returned, shared, workers
from tests.server.support import play_randomly, run, running

__all__ = ["gate"]


def ask(bots: Shared, level: str, owner: str, number: int = 1) -> list[asyncio.Task[str]]:
    """Decisions that somebody waits for."""
    return [asyncio.create_task(bots.choose(bots.bot(level, owner, f"{owner} {table}"))) for table in range(number)]


async def until(gate: Gate, note: str, number: int = 1) -> None:
    async with asyncio.timeout(30):
        while gate.notes().count(note) < number:
            await asyncio.sleep(0.01)


async def worker_found(bots: SharedBots) -> None:
    async with asyncio.timeout(30):
        while not bots.has_workers:
            await asyncio.sleep(0.02)


def test_decisions_hints_and_reviews_are_made_by_a_worker(redis: str, redis_server: Redis) -> None:
    async def scenario() -> None:
        async with shared(redis) as bots:
            with workers(redis, processes=2) as (worker,):
                await bots.seen(2)
                bot = bots.bot()
                assert await bots.choose(bot) in VIEW.legal
                home = bot.home
                assert home
                await all_legal(ask(bots, "easy", "anna", 20))
                assert await bots.choose(bot) in VIEW.legal
                assert bot.home == home, "it goes home"
                advice = await bots.explain(VIEW, Place("anna", "guest"))
                assert advice[0].action in VIEW.legal and advice[0].why is not None
                kept: list[Measured] = []
                game = (GAME.ruleset.to_dict(), deal_data(GAME), list(GAME.legal_ids[:1]))
                while len(kept) < 2:
                    await bots.evaluate(Place("anna", "t"), game, len(kept), kept.extend)
                assert kept == evaluate(*game, 0, 60.0), "the same as here"
                judged: list[object] = []
                seat = GAME.to_move or 0
                await bots.judge(Place("anna", "t"), game, seat, 0, judged.extend)
                assert judged == judge_part(*game, seat, 0, 60.0), "the same as here"
                played: list[Sample] = []
                await bots.luck(Place("anna", "t"), game, seat, 0, played.extend)
                assert played == list(islice(samples(GAME, seat), len(played))), "the same as here"
                assert await bots.choose(bots.bot("no such level")) in VIEW.legal
                bots.release(bot)
                assert not bots.helped_itself
                worker.signal(signal.SIGTERM)
                assert worker.wait() == 0
                await bots.seen(0)
                assert await bots.choose(bots.bot()) in VIEW.legal
            assert bots.own.workers[0].pids, "the server helps itself"
            keys = set(await bots.link.run("KEYS", "*"))
            assert keys <= {f"{PREFIX}{name}".encode() for name in ("turns", "since", f"server:{bots._asking.server}")}
        assert redis_server.ask("KEYS *server*") == b"*0\r\n"

    run(scenario())


def test_a_worker_that_is_told_to_go_finishes_what_it_thinks_about(redis: str, gate: Gate) -> None:
    async def scenario() -> None:
        async with shared(redis, bot_milliseconds=2000) as bots:
            with workers(redis, prepare=GATED) as (worker,):
                await bots.seen(1)
                thinking, waiting = ask(bots, "slow", "anna", 2)
                await until(gate, "slow decide")
                worker.signal(signal.SIGTERM)
                await bots.seen(0)
                gate.open()
                await all_legal([thinking, waiting])
                assert await asyncio.to_thread(worker.wait) == 0
                assert gate.notes() == ["slow decide"] * 2, "one there, and the one that waited here"
                assert bots.own.workers[0].pids

    run(scenario())


def test_a_table_of_a_server_plays_with_workers(redis: str, redis_server: Redis, tmp_path: Path) -> None:
    """Decisions, a hint and the curves of a finished game, while Redis goes away and comes back."""

    async def scenario() -> None:
        with workers(redis):
            async with running(tmp_path / "n.db", redis=redis) as server:
                bots = server.components.bot_pool
                assert isinstance(bots, SharedBots)
                await worker_found(bots)
                anna = await server.visitor()
                made = await anna.create("me easy")
                table = await anna.open(made["table"])
                rng = random.Random(1)
                for _ in range(3):
                    await table.my_turn()
                    await table.play(rng.choice(table.state["choices"])["action"])
                await table.my_turn()
                await table.send(type="hint", version=table.state["version"])
                while (await table.receive())["type"] != "hint":
                    pass
                (bot,) = (await server.components.hub.get(made["table"])).bots._bots.values()
                assert bot.home, "it lives in the worker"
                redis_server.kill()
                for _ in range(3):
                    await table.my_turn()
                    await table.play(rng.choice(table.state["choices"])["action"])
                redis_server.start()
                await play_randomly(table, rng)
                await worker_found(bots)
                curves = (await anna.http.get(f"/api/tables/{made['table']}/evaluation")).json()
                assert curves["scores"]
                metrics = (await anna.http.get("/metrics")).text
                assert "nevsky_shared_workers 1.0" in metrics
                assert "nevsky_redis_up 1.0" in metrics

    run(scenario())


def test_whoever_floods_delays_others_by_one_job(redis: str, gate: Gate) -> None:
    async def scenario() -> None:
        async with shared(redis, bot_queue=1000, bot_milliseconds=2000) as bots:
            with workers(redis, prepare=GATED):
                await bots.seen(1)
                hints = [asyncio.create_task(bots.explain(VIEW, Place("greedy", f"guest {n}"))) for n in range(500)]
                await until(gate, "slow explain")
                while await bots.queue_length("hint") < 499:
                    await asyncio.sleep(0.01)
                games = ask(bots, "quick", "greedy", 100)
                while await bots.queue_length("live") < 100:
                    await asyncio.sleep(0.01)
                (honest,) = ask(bots, "quick", "honest")
                while await bots.queue_length("live") < 101:
                    await asyncio.sleep(0.01)
                for hint in hints[100:]:
                    hint.cancel()
                while await bots.queue_length("hint") > 99:
                    await asyncio.sleep(0.01)
                order: list[asyncio.Task[str]] = []
                for task in (*games, honest):
                    task.add_done_callback(order.append)
                gate.open()
                await all_legal([*games, honest])
                assert order.index(honest) <= 1, "it was the second at most that was begun"
                assert gate.notes()[1:103].count("quick decide") >= 100, "games come before advice"
                assert len(await asyncio.gather(*hints[:100])) == 100
                assert gate.notes().count("slow explain") == 100, "what nobody waits for is not thought out"
                assert not bots._hints._waiting

    run(scenario())


def test_too_many_hints_are_refused(redis: str, gate: Gate) -> None:
    async def scenario() -> None:
        async with shared(redis, bot_queue=3, bot_milliseconds=2000) as bots:
            with workers(redis, prepare=GATED):
                await bots.seen(1)
                hints = [asyncio.create_task(bots.explain(VIEW, Place("greedy", str(n)))) for n in range(6)]
                done, _ = await asyncio.wait(hints, timeout=30, return_when=asyncio.FIRST_EXCEPTION)
                while len(done) < 2:
                    more, _ = await asyncio.wait(set(hints) - done, timeout=30, return_when=asyncio.FIRST_COMPLETED)
                    done |= more
                for task in done:
                    error = task.exception()
                    assert isinstance(error, Refusal) and error.reason == "bots_busy"
                with pytest.raises(Refusal, match="still being worked out"):
                    await bots.explain(VIEW, Place("elsewhere", next(str(n) for n in range(6) if hints[n] not in done)))
                gate.open()
                assert len(await asyncio.gather(*(set(hints) - done))) == 4

    run(scenario())


def test_a_guest_waits_for_one_hint_at_a_time_whichever_server_they_ask(redis: str, gate: Gate) -> None:
    async def scenario() -> None:
        async with shared(redis, bot_milliseconds=2000) as one, shared(redis, bot_milliseconds=2000) as two:
            with workers(redis, prepare=GATED, processes=2):
                await one.seen(2)
                await two.seen(2)
                waiting = asyncio.create_task(one.explain(VIEW, Place("home", "anna")))
                await until(gate, "slow explain")
                with pytest.raises(Refusal, match="still being worked out"):
                    await two.explain(VIEW, Place("on the train", "anna"))
                others = asyncio.create_task(two.explain(VIEW, Place("abroad", "boris")))
                await until(gate, "slow explain", 2)
                gate.open()
                assert await waiting and await others
                assert await two.explain(VIEW, Place("on the train", "anna"))
            assert not await one.link.run("KEYS", f"{PREFIX}advised:*")

    run(scenario())


def test_a_worker_that_is_killed_is_replaced_by_another(redis: str, gate: Gate) -> None:
    async def scenario() -> None:
        async with shared(redis, bot_milliseconds=2000) as bots:
            with workers(redis, prepare=GATED) as (first,):
                await bots.seen(1)
                thinking = ask(bots, "slow", "anna", 1)
                await until(gate, "slow decide")
                with workers(redis, prepare=GATED):
                    await bots.seen(2)
                    first.kill()
                    start = time.monotonic()
                    await until(gate, "slow decide", 2)
                    assert time.monotonic() - start < 6
                    gate.open()
                    await all_legal(thinking)
                    assert thinking[0].result() == VIEW.legal[0], "the bot has chosen, and not chance"
                    assert not bots.helped_itself
                    assert gate.notes() == ["slow decide"] * 2

    run(scenario())


def test_the_last_worker_is_killed_and_the_server_helps_itself(redis: str, gate: Gate) -> None:
    async def scenario() -> None:
        async with shared(redis, bot_milliseconds=2000) as bots:
            with workers(redis, prepare=GATED) as (worker,):
                await bots.seen(1)
                thinking = ask(bots, "slow", "anna", 3)
                await until(gate, "slow decide")
                before = returned("nobody")
                worker.kill()
                gate.open()
                await all_legal(thinking)
                assert {task.result() for task in thinking} == {VIEW.legal[0]}
                assert returned("nobody") == before + 3
                assert bots.helped_itself

    run(scenario())


def test_a_worker_that_sleeps_too_long_does_not_answer_twice(redis: str, gate: Gate) -> None:
    async def scenario() -> None:
        async with shared(redis, bot_milliseconds=2000) as bots:
            with workers(redis, prepare=GATED) as (sleeper,):
                await bots.seen(1)
                thinking = ask(bots, "slow", "anna", 1)
                await until(gate, "slow decide")
                with workers(redis, prepare=GATED):
                    await bots.seen(2)
                    sleeper.signal(signal.SIGSTOP)
                    await until(gate, "slow decide", 2)
                    await bots.seen(1)
                    sleeper.signal(signal.SIGCONT)
                    await bots.seen(2)
                    gate.open()
                    await all_legal(thinking)
                    await all_legal(ask(bots, "quick", "boris", 50))
                    assert gate.notes().count("slow decide") == 2
                    assert gate.notes().count("quick decide") == 50
                    assert not bots.helped_itself
                    while await bots.link.run("ZCARD", f"{PREFIX}free") != 2:
                        await asyncio.sleep(0.05)

    run(scenario())


def test_redis_is_killed_and_comes_back(redis: str, redis_server: Redis, gate: Gate) -> None:
    async def scenario() -> None:
        async with shared(redis, bot_milliseconds=2000) as bots:
            with workers(redis, 2, prepare=GATED):
                await bots.seen(2)
                thinking = ask(bots, "slow", "anna", 4)
                await until(gate, "slow decide", 2)
                hint = asyncio.create_task(bots.explain(VIEW, Place("anna", "guest")))
                while not await bots.queue_length("hint"):
                    await asyncio.sleep(0.01)
                redis_server.kill()
                try:
                    gate.open()
                    await all_legal(thinking)
                    assert {task.result() for task in thinking} == {VIEW.legal[0]}
                    assert (await hint)[0].action in VIEW.legal
                    assert bots.helped_itself
                    await all_legal(ask(bots, "quick", "boris", 10))
                finally:
                    redis_server.start()
                start = time.monotonic()
                await bots.seen(2)
                assert time.monotonic() - start < 10
                bot = bots.bot("quick")
                assert await bots.choose(bot) in VIEW.legal
                assert bot.home, "workers think again"
                bots._used -= 100
                async with asyncio.timeout(10):
                    while bots.helped_itself:
                        await asyncio.sleep(0.05)

    run(scenario())


def test_redis_that_hangs_or_forgets_everything_stops_nobody(redis: str, redis_server: Redis, gate: Gate) -> None:
    async def scenario() -> None:
        async with shared(redis, bot_milliseconds=2000) as bots:
            with workers(redis, prepare=GATED):
                await bots.seen(1)
                gate.open()
                redis_server.signal(signal.SIGSTOP)
                try:
                    start = time.monotonic()
                    await all_legal(ask(bots, "quick", "anna", 5))
                    assert time.monotonic() - start < 10
                finally:
                    redis_server.signal(signal.SIGCONT)
                await bots.seen(1)
                (gate._folder / "open").unlink()
                thinking = ask(bots, "slow", "anna", 3)
                await until(gate, "slow decide", 1)
                redis_server.ask("FLUSHALL")
                gate.open()
                async with asyncio.timeout(15):
                    await all_legal(thinking)
                await bots.seen(1)
                await all_legal(ask(bots, "quick", "anna", 5))

    run(scenario())


def test_two_servers_share_two_workers_that_come_and_go(redis: str) -> None:
    """While workers are killed and started, and Redis loses its mind now and then, all get their decisions."""

    async def play(bots: Shared, name: str, over: asyncio.Event) -> int:
        made = 0
        while not over.is_set():
            await all_legal(ask(bots, "easy", f"{name} {made % 3}", 4))
            made += 4
        return made

    async def scenario() -> None:
        async with shared(redis) as one, shared(redis) as other:
            with ExitStack() as stack:
                running = list(stack.enter_context(workers(redis, 2)))
                for bots in (one, other):
                    await bots.seen(2)
                over = asyncio.Event()
                playing = [asyncio.create_task(play(bots, f"s{n}", over)) for n, bots in enumerate((one, other))]
                for number in range(3):
                    await asyncio.sleep(1)
                    running.pop(0).kill()
                    running += stack.enter_context(workers(redis, 1))
                    await asyncio.sleep(4)  # until the dead one is given up
                    await one.seen(2)
                    if number == 1:
                        await one.link.run("SCRIPT", "FLUSH")
                over.set()
                assert min(await asyncio.gather(*playing)) > 4
                for bots in (one, other):
                    assert not bots._asking._asked and not bots._asking._demand
            async with asyncio.timeout(10):
                while await one.link.run("DBSIZE") > 4:  # turns, since, and that both servers are there
                    await asyncio.sleep(0.1)

    run(scenario(), seconds=120)


def test_a_bot_that_hangs_costs_its_time_and_no_more(redis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, hanging.NAME, hanging.HangingBot)
    monkeypatch.setitem(LEVELS, hanging.NAME, Level(hanging.NAME, 50))

    async def scenario() -> None:
        async with shared(redis, bot_grace=0.5) as bots:
            with workers(redis, prepare=HANGING):
                await bots.seen(1)
                assert await bots.choose(bots.bot(hanging.NAME)) in VIEW.legal
                assert not bots.helped_itself, "it would hang here, too"
                bot = bots.bot()
                assert await bots.choose(bot) in VIEW.legal
                assert bot.home, "the worker has another process by now"

    run(scenario())


def test_a_bot_that_observes_is_shown_the_game_again_wherever_it_thinks(
    redis: str, redis_server: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it missed while it thought elsewhere it must not miss for ever."""
    monkeypatch.setenv(watchful.NOTES, str(tmp_path / "notes"))
    monkeypatch.setattr("nevsky.server.workers.prepare", watchful.prepare_watchful)
    monkeypatch.setitem(BOTS, watchful.NAME, watchful.WatchfulBot)
    monkeypatch.setitem(LEVELS, watchful.NAME, Level(watchful.NAME, 50))
    game = GAME.copy()
    seat = game.to_move
    seen = [game.view(seat)]

    def shown() -> list[int]:
        return [int(line.split()[4]) for line in (tmp_path / "notes").read_text().splitlines()]

    async def scenario() -> None:
        async with shared(redis) as bots:
            bot = bots.bot(watchful.NAME)

            async def decide() -> None:
                assert await bots.decide(bot, game.view(seat, memory=True), lambda: seen) in VIEW.legal

            async def another_move() -> None:
                view = game.view(seat)._replace(round=len(seen) + 1)
                seen.append(view)
                bot.news.append(view)

            with workers(redis, prepare=WATCHFUL):
                await bots.seen(1)
                await decide()
                assert bot.observes and shown() == [1]
                await another_move()
                await decide()
                assert shown() == [1, 2], "it remembers"
                redis_server.kill()
                await another_move()
                await decide()
                assert bots.helped_itself and shown() == [1, 2, 3], "here it saw everything"
                redis_server.start()
                await bots.seen(1)
                await another_move()
                await decide()
                assert shown() == [1, 2, 3, 4], "the one that had stayed there had missed something"

    run(scenario())
