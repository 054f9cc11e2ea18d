"""What is told about an evaluation: figures that can be repeated, and nothing that cannot be compared."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nevsky import NevskyError
from nevsky.arena import Entrant, enter
from nevsky.arena.intervals import Estimate
from nevsky.benchmark.agents import choose_agent
from nevsky.benchmark.pages import leaderboard, read_all, result_page
from nevsky.benchmark.protocol import NEVSKY_1, Protocol
from nevsky.benchmark.rating import Won, calibrate, expected, overall, rate
from nevsky.benchmark.results import Result, read_result, result_of
from nevsky.benchmark.run import check_repeats, evaluate

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks" / "nevsky-1"
OWN = sorted(FOLDER.glob("*.json"))


def tiny() -> Protocol:
    """The duel alone, against those who answer at once."""
    rivals = NEVSKY_1.rivals[:2]
    deals = {rival.name: 2 for rival in rivals}
    return NEVSKY_1._replace(name="tiny", rivals=rivals, tracks=(NEVSKY_1.tracks[0]._replace(deals=deals),))


def evaluated(agent: Entrant, keep: Path | None = None) -> Result:
    return result_of(tiny(), agent, evaluate(tiny(), agent, keep=keep, jobs=1))


def without_time(result: Result) -> Result:
    return {key: value for key, value in result.items() if key != "time"}


def test_the_same_agent_gives_the_same_result(tmp_path: Path) -> None:
    agent = choose_agent(["greedy"], None)
    one = evaluated(agent, tmp_path)
    assert without_time(evaluated(agent)) == without_time(one)
    assert without_time(evaluated(agent, tmp_path)) == without_time(one)  # all of its games were kept
    assert one["cells"]["duel-random"]["games"] == 4 and one["time"]["duel"]["processor_ms"] > 0
    assert one["cells"]["duel-random"]["wins"]["value"] == 1.0
    assert one["rating"]["low"] < one["rating"]["value"] < one["rating"]["high"]
    assert not one["comparable"]  # it is not the whole protocol


def test_wins_and_points_are_counted_by_seat() -> None:
    found = evaluated(choose_agent(["random"], None))["cells"]["duel-novice"]
    assert len(found["wins_by_seat"]) == 2
    assert sum(found["wins_by_seat"]) / 2 == pytest.approx(found["wins"]["value"])
    assert 0 <= found["score_share"]["value"] < 0.5


def test_an_agent_that_does_not_repeat_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "moody.py").write_text(
        "import itertools\nfrom nevsky.bots.random import RandomBot\nnumbers = itertools.count()\n"
        "class Moody(RandomBot):\n    name = 'moody'\n"
        "    def __init__(self, seed):\n        super().__init__(next(numbers))\n"
    )
    agent = choose_agent([f"{tmp_path}/moody.py:Moody"], None)
    with pytest.raises(NevskyError, match="played the same game in two ways"):
        check_repeats(tiny(), agent)
    check_repeats(tiny(), choose_agent(["random"], None))


def test_ratings_follow_from_what_was_won() -> None:
    even = Won(1000, 2, 100, Estimate(0.5, 0.4, 0.6))
    assert rate([even], 400).value == 1000
    better = rate([even._replace(share=Estimate(0.75, 0.66, 0.83))], 400)
    assert 1180 < better.value < 1195 and better.low > 1100
    assert rate([Won(1000, 4, 100, Estimate(0.25, 0.18, 0.34))], 400).value == 1000
    everything = rate([even._replace(share=Estimate(1.0, 0.96, 1.0))], 400)
    assert 1800 < everything.value < 2000  # finite, though nobody knows how much better
    narrow = rate([even._replace(games=400, share=Estimate(0.5, 0.45, 0.55))], 400)
    assert narrow.high - narrow.low < rate([even], 400).high - rate([even], 400).low
    both = overall([better, rate([even], 400)])
    assert both.low < 1090 < both.high and both.high - both.low < better.high - better.low + 80


def test_anchors_are_found_from_games_against_each_other() -> None:
    chances = {(a, b): (10_000, expected(x, y, 3, 400)) for a, x in TRUE.items() for b, y in TRUE.items()}
    found = calibrate(chances, 3, 400)
    assert all(abs(found[name] - TRUE[name]) <= 3 for name in TRUE)


TRUE = {"random": 300, "greedy": 1000, "master-25": 1250}


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_our_results_can_be_compared(path: Path) -> None:
    assert read_result(path)["agent"]["name"] == path.stem
    assert path.stem in result_page(read_result(path))


def test_what_is_published_was_made_by_a_version_that_can_be_had() -> None:
    known = re.findall(r"^## (\d+\.\d+\.\d+) ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    made = {path.stem: read_result(path)["version"] for path in OWN}
    card = re.search(r"of Nevsky ([\d.]+), \d+ playouts", (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8"))
    assert card is not None
    made["the data set"] = card[1]
    assert {what: version for what, version in made.items() if version not in known} == {}


def test_the_leaderboard_is_up_to_date() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == leaderboard(read_all(FOLDER))


def test_the_anchors_follow_from_the_games_of_opponents() -> None:
    results = {result["agent"]["name"]: result for result in read_all(FOLDER)}
    for track in NEVSKY_1.tracks:
        met = {}
        for one in ("novice", "greedy", "master-25"):
            for other in (rival.name for rival in NEVSKY_1.rivals):
                cell = results[one]["cells"][f"{track.name}-{other}"]
                met[one, other] = cell["games"], cell["wins"]["value"]
        assert calibrate(met, track.ruleset.players, NEVSKY_1.spread) == NEVSKY_1.anchors[track.name]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda r: r.update(protocol="nevsky-1-quick"), "made by the protocol 'nevsky-1-quick'"),
        (lambda r: r.update(digest="0"), "made by the protocol"),
        (lambda r: r.update(rules="1.0"), "by the rules '1.0'"),
        (lambda r: r.update(comparable=False), "came too late"),
        (lambda r: r["cells"]["box-greedy"].update(games=400), r"another one \(box-greedy\)"),
        (lambda r: r["rating"].update(value=3000.0), "does not follow from its games"),
        (lambda r: r["cells"]["box-greedy"]["wins"].update(value=1.0), "does not follow from its games"),
        (lambda r: r["cells"].pop("box-greedy"), "no result"),
        (lambda r: r.update(agent="x"), "no result"),
        (lambda r: r.clear(), "no result"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], sentence: str
) -> None:
    result = copy.deepcopy(json.loads(OWN[0].read_text()))
    change(result)
    (tmp_path / "other.json").write_text(json.dumps(result))
    with pytest.raises(NevskyError, match=sentence):
        read_all(tmp_path)


def test_names_of_strangers_do_nothing_on_the_page() -> None:
    result = json.loads(OWN[0].read_text())
    result["agent"]["name"] = "<b>|[x](y)"
    assert "<b>" not in leaderboard([result]).replace("\\<b\\>", "")
    assert enter(["random"])[0].playouts is None
