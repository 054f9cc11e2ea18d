"""nevsky bench: how fast the rules, the server and the environments are here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from nevsky.cli.command import with_ruleset
from nevsky.cli.options import Json
from nevsky.rules.ruleset import Ruleset


@with_ruleset("edition", "players", "market", "modules", players=5)
def bench(
    what: Annotated[
        Literal["rules", "server", "soak", "abuse", "envs", "bots"], typer.Argument(help="what to measure")
    ] = "rules",
    seconds: Annotated[
        float | None,
        typer.Option(help="time for each figure, or of play at the server", show_default="1, server: 20, abuse: 8"),
    ] = None,
    tables: Annotated[
        int | None,
        typer.Option(help="server, soak: how many tables play at once", show_default="server: 250, soak: 100"),
    ] = None,
    seats: Annotated[int, typer.Option(help="server: people at each table, from 2 to 5")] = 4,
    pause: Annotated[
        float,
        typer.Option(help="server, soak: seconds that people think about a move on average, 0 to find its limit"),
    ] = 2.0,
    processes: Annotated[int, typer.Option(help="server: how many servers work together")] = 1,
    database: Annotated[
        Literal["sqlite", "postgresql"],
        typer.Option(help="server: what they keep everything in; a PostgreSQL is started for it"),
    ] = "sqlite",
    redis: Annotated[bool, typer.Option("--redis", help="server: with a Redis, which is started for it")] = False,
    by_table: Annotated[
        bool,
        typer.Option("--by-table", help="server: whoever wants to a table goes to the same server, else to any"),
    ] = False,
    minutes: Annotated[float, typer.Option(help="soak: how long")] = 60.0,
    attack: Annotated[list[str] | None, typer.Option(help="abuse: only this one; may be given again")] = None,
    python: Annotated[
        str, typer.Option(help="abuse: the interpreter of another version of the server to measure", show_default="")
    ] = "",
    kernel: Annotated[Path, typer.Option(help="the C kernel to compare with")] = Path("bench/kernel/kernel.c"),
    processor: Annotated[
        bool, typer.Option("--processor", help="rules: count processor time, for a machine that is busy")
    ] = False,
    as_json: Json = False,
    *,
    ruleset: Ruleset | None,
) -> None:
    """Measure random play, playouts, copies, legal actions and views, compiled and uncompiled.

    Beside the base game one more is measured: the one that the options ask for, else the whole box with five players.
    With `server`: a server of its own on this machine, whose tables all play at random; or several, on a PostgreSQL and
    perhaps a Redis of their own. With `soak`: the same for an
    hour while people come and go, with a line every minute, to see whether it needs ever more. With `abuse`: attacks
    from one address on a server with the usual limits, and what honest people elsewhere feel of them. With `envs`:
    decisions a second of the environments in the game that the options ask for, else the base game with four players,
    and of other games in PettingZoo and OpenSpiel. With `bots`: what a decision costs in a process of the server, and
    in a worker behind Redis.
    """
    if what == "server":
        from nevsky.server import loadtest

        figures = loadtest.run(
            250 if tables is None else tables,
            seats,
            20.0 if seconds is None else seconds,
            pause=pause,
            setup=loadtest.Setup(processes, database, redis, by_table),
        )
        if as_json:
            print(json.dumps(figures))
        else:
            _print_load(figures)
        return
    if what == "soak":
        _soak(100 if tables is None else tables, minutes, pause, as_json)
        return
    if what == "abuse":
        _abuse(attack or [], 8.0 if seconds is None else seconds, python, as_json)
        return
    if what == "bots":
        _bots(5.0 if seconds is None else seconds, as_json)
        return
    if what == "envs":
        from nevsky.envs import speed

        chosen = ruleset or Ruleset()
        figures = speed.run(1.0 if seconds is None else seconds, chosen)
        if as_json:
            print(json.dumps(figures))
        else:
            _print_envs(figures)
        return
    from nevsky.bench import WHOLE_BOX, run

    chosen = ruleset or WHOLE_BOX
    found = run(1.0 if seconds is None else seconds, kernel, chosen, processor=processor)
    if as_json:
        print(json.dumps(found))
    else:
        _print(found)


def _print(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    columns = [name for name in ("compiled", "uncompiled") if name in found]
    table = Table(title=f"nevsky {found['version']}", title_justify="left")
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right")

    def row(label: str, *path: str, form: str = ",.0f") -> None:
        cells = []
        for name in columns:
            value = found[name]
            for key in path:
                value = value[key]
            cells.append(format(value, form))
        table.add_row(label, *cells)

    for players in (2, 4):
        row(f"games/s, {players} players", f"random_play_{players}", "games_per_second")
        row(f"actions/s, {players} players", f"random_play_{players}", "actions_per_second")
    chosen = found["chosen"]
    row(f"games/s, {chosen}", "random_play_full", "games_per_second")
    row(f"actions/s, {chosen}", "random_play_full", "actions_per_second")
    row("the same to the base game of 4, actions/s", "full_ratio", form=".2f")
    for players in (2, 4):
        row(f"playouts/s, {players} players", f"playouts_{players}")
        row(f"playouts/s of master, {players} players", f"master_playouts_{players}")
    row(f"playouts/s, {chosen}", "playouts_full")
    row("clone, µs", "clone_us", form=".2f")
    row("copy of a whole game, µs", "game_copy_us", form=".2f")
    row("legal actions, µs", "legal_us", form=".2f")
    row("view, µs", "view_us", form=".1f")
    row("calibration loop, 1000 steps/s", "calibration")
    console = Console()
    for line in _ratios(found):
        console.print(line, highlight=False)
    console.print(table)
    console.print(f"import: {found['import_ms']:.0f} ms")
    kernel = found["kernel"]
    if kernel is None:
        console.print("No C kernel to compare with (give --kernel, and have a C compiler).")
        return
    for players in (2, 4):
        listing, counting = kernel[f"listing_{players}"], kernel[f"counting_{players}"]
        console.print(
            f"C kernel, {players} players: {listing:,.0f} games/s listing all actions, {counting:,.0f} counting them"
        )


def _ratios(found: dict[str, Any]) -> list[str]:
    """What can be compared between machines, before what cannot."""
    lines = [f"Ratios ({'processor time' if found['clock'] == 'processor' else 'time on the clock'}):"]
    best = found.get("compiled", found["uncompiled"])
    kernel = found["kernel"]
    for players in (2, 4):
        ours = best[f"random_play_{players}"]["games_per_second"]
        words = [f"{1000 * ours / best['calibration']:,.0f} games to a million steps of the calibration loop"]
        if "compiled" in found:
            slow = found["uncompiled"][f"random_play_{players}"]["games_per_second"]
            words.append(f"{ours / slow:,.0f} times uncompiled")
            if kernel is not None:
                listing, counting = kernel[f"listing_{players}"], kernel[f"counting_{players}"]
                words.append(
                    f"{ours / listing:.2f} of the C kernel that lists, {ours / counting:.2f} of one that counts"
                )
        lines.append(f"  {players} players: {', '.join(words)}")
    lines.append(f"  {found['chosen']}: {best['full_ratio']:.2f} of the actions/s of the base game of 4")
    return lines


def _print_load(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"nevsky {found['version']}, server", title_justify="left", show_header=False)
    table.add_column("")
    table.add_column("", justify="right")
    engines = [{"sqlite": "SQLite", "postgresql": "PostgreSQL"}[found["database"]], *(["Redis"] * found["redis"])]
    table.add_row("servers, on", f"{found['processes']}, {' and '.join(engines)}")
    table.add_row("tables, seats", f"{found['tables']:,}, {found['seats']}")
    table.add_row("connections", f"{found['connections']:,}")
    table.add_row("seconds to think, on average", f"{found['pause']:.1f}")
    table.add_row("seconds", f"{found['seconds']:.1f}")
    table.add_row("moves", f"{found['moves']:,}")
    table.add_row("games finished", f"{found['games']:,}")
    table.add_row("moves/s", f"{found['moves_per_second']:,.0f}")
    for name, value in found["answer_ms"].items():
        table.add_row(f"answer {name}, ms", f"{value:,.1f}")
    table.add_row("server memory, MB", f"{found['server_memory_kb'] / 1024:,.0f}")
    table.add_row("memory per idle table, KB", f"{found['kb_per_idle_table']:,.0f}")
    table.add_row("memory per playing table, KB", f"{found['kb_per_playing_table']:,.0f}")
    table.add_row("bytes per move and viewer", f"{found['bytes_per_move_and_viewer']:,}")
    table.add_row("processor of the server per move, ms", f"{found['server_cpu_ms_per_move']:,.2f}")
    for name, value in found["engine_cpu_ms_per_move"].items():
        table.add_row(f"processor of {name} per move, ms", f"{value:,.2f}")
    if found["processes"] > 1:
        table.add_row("connections and requests forwarded", f"{found['forwarded']:,}")
    table.add_row("processor, server and client, %", f"{found['server_cpu_percent']}, {found['client_cpu_percent']}")
    reconnect, restart = found["reconnect"], found["restart"]
    table.add_row("processor of the server per reconnect, ms", f"{reconnect['server_cpu_ms']:,.2f}")
    if restart is not None:
        table.add_row("restart: until it answers, s", f"{restart['start_seconds']:,.1f}")
        table.add_row("restart: until everybody is back, s", f"{restart['back_seconds']:,.1f}")
        table.add_row("restart: processor of the server, s", f"{restart['back_cpu_seconds']:,.1f}")
    table.add_row("errors", f"{found['errors']:,}")
    console = Console()
    console.print(table)
    for code, number in found["errors_by_code"].items():
        console.print(f"{code}: {number:,}")


def _soak(tables: int, minutes: float, pause: float, as_json: bool) -> None:
    import sys

    from nevsky.server import soak

    found = soak.run(tables, minutes, pause=pause, say=lambda line: print(line, file=sys.stderr, flush=True))
    if as_json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        if name not in ("samples", "second_half"):
            print(f"{name}: {value}")
    print("in the second half:")
    for name, value in found["second_half"].items():
        print(f"  {name}: {value:,}")


def _abuse(attacks: list[str], seconds: float, python: str, as_json: bool) -> None:
    import sys

    from nevsky.server import abuse

    said = sys.stderr if as_json else sys.stdout
    found = abuse.run(attacks, seconds, python=python, say=lambda line: print(line, file=said, flush=True))
    if as_json:
        print(json.dumps(found))
        return
    print("How the attacker was answered:")
    for name, each in found["attacks"].items():
        answers = ", ".join(f"{code} {number:,}" for code, number in each["attacker"].items())
        print(f"  {name}: {answers or 'not at all'}; log lines {each['log_lines']}, tracebacks {each['tracebacks']}")


def _bots(seconds: float, as_json: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    from nevsky.server import bot_bench

    found = bot_bench.run(seconds)
    if as_json:
        print(json.dumps(found))
        return
    own, shared = found["own"], found["shared"]
    title = f"nevsky {found['version']}, a decision of {found['level']}, {found['bytes']:,} bytes"
    table = Table(title=title, title_justify="left")
    for name in ("", "own process", "worker"):
        table.add_column(name, justify="right" if name else "left")
    table.add_row("median, ms", f"{own['median_ms']:.2f}", f"{shared['median_ms']:.2f}")
    table.add_row("19 of 20, ms", f"{own['slow_ms']:.2f}", f"{shared['slow_ms']:.2f}")
    rates = [f"{each['decisions_per_second']:,.0f}" for each in (own, shared)]
    table.add_row(f"decisions/s, {own['at_once']} at once", *rates)
    for key, words in (("processor_us", "one at a time"), ("processor_us_at_once", f"{own['at_once']} at once")):
        for name in shared[key]:
            cells = [f"{each[key][name]:,.0f}" if name in each[key] else "" for each in (own, shared)]
            table.add_row(f"processor of the {name}, µs, {words}", *cells)
    Console().print(table)


def _print_envs(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    speed = "compiled" if found["compiled"] else "uncompiled"
    table = Table(title=f"nevsky {found['version']}, environments, rules {speed}", title_justify="left")
    table.add_column("")
    table.add_column("decisions/s", justify="right")
    for name, value in found["decisions_per_second"].items():
        table.add_row(name, f"{value:,.0f}")
    table.add_row("calibration loop, 1000 steps/s", f"{found['calibration']:,.0f}")
    console = Console()
    console.print(table)
    for games, ratio in found.get("ratio", {}).items():
        console.print(f"A batch of {int(games):,} makes {ratio:.1f} times the decisions of the PettingZoo environment.")
    shared = found["threads"]
    for games, ratio in shared["ratio"].items():
        console.print(
            f"{shared['threads']} threads make {ratio:.2f} times the decisions of one with {int(games):,} games."
        )
    for name, why in found["missing"].items():
        console.print(f"{name} was left out: {why}")
