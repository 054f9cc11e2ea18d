"""The deal of the day: one try that counts, the same game for whoever plays the same, and nobody learns it early."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from nevsky import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.server import storage
from nevsky.server.daily import calendar, dealing, masters, tries
from nevsky.server.daily.dealing import commitment, game_of, make_deal
from nevsky.server.schema import daily_tries, log
from nevsky.server.shared_bots import SharedBots
from tests.server.sharing import workers
from tests.server.support import Json, Server, Visitor, run, running

MORNING = datetime(2026, 11, 18, 9, tzinfo=UTC)
DAY, WEEK = "2026-11-18", "2026-W47"
SECRET = "a secret that nobody guesses"


class Time:
    """What time it is, for the deals and for what is written down of tables."""

    def __init__(self) -> None:
        self.now = MORNING

    def __call__(self, _: tzinfo) -> datetime:
        return self.now

    def written(self, second: int) -> str:
        """A second of the real clock as it stands in the database."""
        ago = datetime.now(UTC) - datetime.fromtimestamp(second, UTC)
        return (self.now - ago).isoformat(timespec="seconds")


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr(calendar, "_clock", clock)
    monkeypatch.setattr(storage, "_written", clock.written)
    return clock


@pytest.fixture
def little_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that search, but not for long."""
    monkeypatch.setattr(dealing, "_PLAYOUTS", {"hard": 12})
    monkeypatch.setattr(masters, "MASTER", 12)


async def begin(someone: Visitor, key: str = DAY, kind: str = "try") -> str:
    answer = await someone.http.post(f"/api/daily/{key}/{kind}")
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]
    return table


async def play(someone: Visitor, table: str, decisions: int = 10_000) -> bool:
    """Choose in the same way each time; whether the game is over."""
    seat = await someone.open(table)
    for number in range(decisions):
        state = await seat.my_turn()
        if state["status"] == "over":
            await seat.socket.close()
            return True
        choices = sorted(choice["action"] for choice in state["choices"])
        await seat.play(choices[number % 3 % len(choices)])
    await seat.socket.close()
    return False


async def played(server: Server, table: str) -> list[tuple[int, str | None]]:
    query = sa.select(log.c.seat, log.c.action).where(log.c.table_id == table).order_by(log.c.number)
    async with server.components.storage.reading() as connection:
        return [(row.seat, row.action) for row in await connection.execute(query)]


def test_equal_play_gives_equal_games_over_a_restart_and_with_a_worker(
    tmp_path: Path, time: Time, little_thought: None, redis: str
) -> None:
    games: list[list[tuple[int, str | None]]] = []

    async def scenario() -> None:
        async with running(tmp_path / "a.db", secret=SECRET) as server:
            anna = await server.visitor()
            table = await begin(anna)
            assert await play(anna, table)
            again = await begin(anna, kind="practice")
            assert not await play(anna, again, 9)
            cookies = anna.http.cookies
            games.append(await played(server, table))
        async with running(tmp_path / "a.db", secret=SECRET) as server:
            anna = await server.visitor()
            anna.http.cookies = cookies
            seat = await anna.open(again)
            number = 9
            while (state := await seat.my_turn())["status"] != "over":
                choices = sorted(choice["action"] for choice in state["choices"])
                await seat.play(choices[number % 3 % len(choices)])
                number += 1
            games.append(await played(server, again))
        with workers(redis):
            async with running(tmp_path / "b.db", secret=SECRET, redis=redis) as server:
                bots = server.components.bot_pool
                assert isinstance(bots, SharedBots)
                async with asyncio.timeout(30):
                    while not bots.has_workers:
                        await asyncio.sleep(0.02)
                boris = await server.visitor()
                table = await begin(boris)
                assert await play(boris, table)
                games.append(await played(server, table))

    run(scenario(), 180)
    assert games[0] == games[1] == games[2]
    assert len(games[0]) > 30


def test_a_deal_follows_from_secret_and_date_and_can_be_checked() -> None:
    deal = make_deal(SECRET, DAY)
    assert deal == make_deal(SECRET, DAY)
    others = [make_deal(SECRET, "2026-11-19"), make_deal("another one", DAY), make_deal(SECRET, WEEK)]
    assert len({deal.seed, *(other.seed for other in others)}) == 4
    assert game_of(deal).piles == Game(deal.ruleset, deal.seed).piles
    weekly = others[-1].ruleset
    assert weekly.market and len(weekly.modules) == 2
    kinds = {make_deal(SECRET, f"2026-W{week:02}").ruleset for week in range(1, 53)}
    assert len(kinds) > 15


@pytest.mark.usefixtures("quick_bots")
def test_a_guest_has_one_try_that_counts_and_then_practises(tmp_path: Path, time: Time) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "a.db") as server:
            anna = await server.visitor()
            early = await anna.http.post(f"/api/daily/{DAY}/practice")
            assert early.status_code == 422
            both = await asyncio.gather(*(anna.http.post(f"/api/daily/{DAY}/try") for _ in range(4)))
            made = {answer.json()["table"] for answer in both if answer.status_code == 201}
            # without a cookie each of them was somebody else; from now on Anna has one
            assert len(made) == 4
            table = await begin(anna)
            assert table == await begin(anna) and table in made
            seat = await anna.open(table)
            state = await seat.my_turn()
            assert state["daily"] == {"deal": DAY, "counts": True}
            for message in ({"type": "hint"}, {"type": "undo"}):
                await seat.send(**message, version=seat.state["version"])
                assert (await seat.error())["code"] == "not_allowed"
            await seat.send(type="away", away=True)
            assert (await seat.error())["code"] == "not_allowed"
            while (state := await seat.my_turn())["status"] != "over":
                assert not state["can_undo"]
                await seat.play(state["choices"][0]["action"])
            own = (await anna.http.get(f"/api/daily/{DAY}")).json()
            assert own["shown"] and own["rank"] == 1 and own["finished"] == 1 and own["deal"]["players"] == 4
            assert own["median"] == own["scores"][0]["score"] == state["final"][own["deal"]["seat"]]["total"]
            assert (await anna.http.get("/api/daily")).json()["streak"] == 1
            practice = await begin(anna, kind="practice")
            seat = await anna.open(practice)
            state = await seat.my_turn()
            assert state["daily"] == {"deal": DAY, "counts": False}
            await seat.send(type="hint", version=state["version"])
            while (await seat.receive())["type"] != "hint":
                pass
            assert (await anna.http.delete(f"/api/tables/{table}")).status_code == 204
            kept = (await anna.http.get(f"/api/daily/{DAY}")).json()
            assert kept["scores"] == own["scores"] and await begin(anna) == table, "no second try"

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_nobody_learns_the_deal_early(tmp_path: Path, time: Time) -> None:
    """An attacker asks for all there is: before the day, and for tries of others while it is played."""

    async def scenario() -> None:
        async with running(tmp_path / "a.db") as server:
            anna, eve = await server.visitor(), await server.visitor()
            await eve.http.get("/api/me")
            for key in ("2026-11-19", "2026-W48", "2027-01-01", "2026-11-17", "2026-W99", "x", "2026-13-01", "..%2f"):
                for answer in await _all_of(eve, key):
                    assert answer.status_code in (404, 422), (key, answer.text)
            table = await begin(anna)
            assert await play(anna, table)
            practice = await begin(anna, kind="practice")
            for each in (table, practice):
                for path in ("replay", "replay?step=3&seat=0", "record", "log", "race", "evaluation", "review?seat=0"):
                    answer = await eve.http.get(f"/api/tables/{each}/{path}")
                    assert answer.status_code in (403, 422), (path, answer.text)
                spectator = await eve.open(each)
                assert (await spectator.receive())["code"] == "not_allowed"
            assert (await anna.http.get(f"/api/tables/{table}/replay")).status_code == 200
            assert (await anna.http.get(f"/api/tables/{table}/record")).status_code == 403, "it holds the seed"
            deal = make_deal(server.components.settings.secret or _secret(tmp_path), DAY)
            for path in ("/api/daily", f"/api/daily/{DAY}", "/api/daily/archive", "/api/tables/finished"):
                for who in (anna, eve):
                    text = (await who.http.get(path)).text
                    assert deal.seed not in text
            seen = (await eve.http.get(f"/api/daily/{DAY}")).json()
            assert not seen["shown"] and seen["scores"] == [] and seen["median"] is None and seen["master"] is None
            time.now = MORNING + timedelta(hours=16)
            assert (await eve.http.post(f"/api/daily/{DAY}/try")).status_code == 422, "it is tomorrow"
            assert (await eve.http.post(f"/api/daily/{DAY}/practice")).status_code == 422, "somebody may still play"
            assert deal.seed not in (await eve.http.get(f"/api/daily/{DAY}")).text
            time.now = MORNING + timedelta(hours=17, minutes=1)
            published = (await eve.http.get(f"/api/daily/{DAY}")).json()
            assert published["deal"]["seed"] == deal.seed
            assert published["deal"]["commitment"] == commitment(deal.seed) == seen["deal"]["commitment"]
            assert published["shown"] and published["finished"] == 1
            assert (await eve.http.get(f"/api/tables/{table}/replay")).status_code == 200
            record = (await eve.http.get(f"/api/tables/{table}/record")).json()
            game = Game(Ruleset.from_dict(record["ruleset"]), published["deal"]["seed"])
            assert game.piles == record["piles"] and game.tokens == record["tokens"]
            archive = (await eve.http.get("/api/daily/archive")).json()
            assert [each["deal"] for each in archive["deals"]] == [DAY]
            await begin(eve, kind="practice")

    run(scenario())


def _secret(folder: Path) -> str:
    return (folder / "a.db.secret").read_text(encoding="ascii").strip()


async def _all_of(someone: Visitor, key: str) -> list[httpx.Response]:
    return [
        await someone.http.get(f"/api/daily/{key}"),
        await someone.http.post(f"/api/daily/{key}/try"),
        await someone.http.post(f"/api/daily/{key}/practice"),
    ]


@pytest.mark.usefixtures("quick_bots")
def test_a_try_counts_if_it_is_finished_in_time(tmp_path: Path, time: Time) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "a.db") as server:
            anna, boris = await server.visitor(), await server.visitor()
            slow, ended = await begin(anna), await begin(boris)
            seat = await boris.open(ended)
            await seat.my_turn()
            await seat.send(type="end_game", agree=True)
            async with asyncio.timeout(20):
                while (await _own(boris))["status"] != "gone":
                    await asyncio.sleep(0.02)
            assert not await play(anna, slow, 2)
            time.now = MORNING + timedelta(hours=17, minutes=1)
            assert (await _own(anna))["status"] == "late"
            assert await play(anna, slow)
            found = (await anna.http.get(f"/api/daily/{DAY}")).json()
            assert found["finished"] == 0 and found["scores"] == [] and found["deal"]["players"] == 2

    run(scenario())


async def _own(someone: Visitor) -> Json:
    found: Json = (await someone.http.get(f"/api/daily/{DAY}")).json()["deal"]["own"]
    return found


def test_master_plays_the_seat_once_and_it_is_kept(tmp_path: Path, time: Time, little_thought: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "a.db", secret=SECRET) as server:
            anna = await server.visitor()
            await begin(anna)
            deal = make_deal(SECRET, DAY)
            await server.components.masters.want(deal)
            storage = server.components.storage
            async with asyncio.timeout(60):
                while (found := await tries.master_of(storage, DAY)) is None:
                    await asyncio.sleep(0.05)
            assert found == await masters.play_as_master(server.components.own_bots, deal)
            assert len(found) == deal.ruleset.players
            await server.components.masters.want(deal)
            assert not server.components.masters._tasks, "it is known"

    run(scenario(), 120)


@pytest.mark.usefixtures("quick_bots")
def test_one_address_fills_no_table_of_the_day(tmp_path: Path, time: Time) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "a.db", daily_rate_per_address="3 per day") as server:
            codes = []
            for _ in range(8):
                someone = await server.visitor()
                await someone.http.get("/api/me")
                codes.append((await someone.http.post(f"/api/daily/{DAY}/try")).status_code)
            assert 3 <= codes.count(201) <= 6 and codes[-1] == 429
            query = sa.select(sa.func.count()).select_from(daily_tries)
            async with server.components.storage.reading() as connection:
                assert await connection.scalar(query) == codes.count(201)

    run(scenario())


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "a.db", daily=False) as server:
            anna = await server.visitor()
            assert (await anna.http.get("/api/daily")).json() == {"deals": [], "streak": 0}
            assert (await anna.http.get(f"/api/daily/{DAY}")).status_code == 404
            assert (await anna.http.post(f"/api/daily/{DAY}/try")).status_code == 404

    run(scenario())
