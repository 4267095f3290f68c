"""The contents of `import caltrop`: it loads fast, fetches parts when they are used, and gives the same results as the
commands.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import caltrop
from caltrop.chance import Dice
from caltrop.cli import main
from caltrop.engine import Decision, Match, digest
from caltrop.players import UNBOUNDED, Budget

REQUEST: dict[str, Any] = {
    "ruleset": "hex-command",
    "attacker": {"class": "vehicle", "type": "medium"},
    "target": {"class": "infantry", "type": "medium", "strength": 4},
    "range": 1,
}


class First:
    """A player that takes the first option."""

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        return decision.options(view).first()


def test_the_import_loads_no_room_and_fetches_what_is_asked_for() -> None:
    words = """
import json, sys
before = set(sys.modules)
import caltrop
loaded = sorted(set(sys.modules) - before)
named = set(caltrop.__all__) <= set(dir(caltrop))
print(json.dumps([loaded, named, caltrop.games(), "caltrop.rules.duel" in sys.modules]))
"""
    done = subprocess.run([sys.executable, "-c", words], check=True, capture_output=True, text=True)
    loaded, named, games, duel = json.loads(done.stdout)
    assert loaded == ["caltrop", "caltrop.errors"]
    assert named
    assert "duel" in games
    assert not duel


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'gmaes'"):
        caltrop.gmaes  # noqa: B018  the look-up is the test


def played(match: Match) -> Match:
    dice = caltrop.Seeded(1)
    while match.over is None:
        decision = match.waiting[0]
        match.play(decision.side, decision.options(match.view(decision.side)).sample(dice))
    return match


def test_a_game_is_played_and_its_seed_repeats_it() -> None:
    first = played(caltrop.new("duel", scenario="bridge", edition="sharp", rules={"parry.price": 2}))
    again = caltrop.new("duel", scenario="bridge", edition="sharp", rules={"parry.price": 2}, seed=first.seed)
    assert isinstance(first.seed, int)
    assert digest(played(again).state) == digest(first.state)
    assert caltrop.new("duel").seed != caltrop.new("duel").seed


def test_options_can_be_asked_and_drawn_from_and_read() -> None:
    match = caltrop.new("duel", seed=7)
    decision = match.decision(1)
    assert decision is not None
    options = decision.options(match.view(1))
    assert options.sample(caltrop.Seeded(1)) in options
    assert [options.refusal(action) for action in options] == [None] * len(list(options))
    assert repr(options) == "<Listed: Stake(points=0), Stake(points=1), Stake(points=2), …>"
    assert repr(match) == "<Match of duel: round 0, waiting for Bid of side 0, Bid of side 1>"
    assert repr(played(match)) == f"<Match of duel: {match.over.reason}>"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ruleset": "dule"}, "did you mean duel"),
        ({"ruleset": "duel", "scenario": "brigde"}, "did you mean 'bridge'"),
        ({"ruleset": "duel", "edition": "blunt"}, "current, sharp"),
        ({"ruleset": "duel", "rules": {"parry.price": 9}}, "parry.price"),
    ],
)
def test_what_does_not_exist_is_an_input_error(given: dict[str, Any], words: str) -> None:
    with pytest.raises(caltrop.InputError, match=words):
        caltrop.new(**given)


@pytest.mark.parametrize("what", ["odds", "resolve"])
def test_a_request_is_answered_as_by_the_command(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    request = {**REQUEST, "dice": {"battle": ["V", "T", "G"]}} if what == "resolve" else REQUEST
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request), encoding="utf-8")
    assert main([what, str(file)]) == 0
    assert getattr(caltrop, what)(request) == json.loads(capsys.readouterr().out)
    with pytest.raises(caltrop.InputError):
        getattr(caltrop, what)({**request, "range": 99})
    with pytest.raises(caltrop.InputError, match="JSON object"):
        getattr(caltrop, what)([])


def test_a_series_is_the_one_of_the_command_with_any_sort_of_player(capsys: pytest.CaptureFixture[str]) -> None:
    report = caltrop.simulate("duel", ("random", "random"), num=4, seed=3, swap=True)
    assert (
        main(["simulate", "duel", "--players", "random,random", "--num", "4", "--seed", "3", "--swap", "--json"]) == 0
    )
    words = json.loads(capsys.readouterr().out)
    assert report.keys() == words.keys()
    assert report["digest"] == words["digest"]
    own = caltrop.simulate("duel", ("random", First), num=4, seed=3)
    assert own["players"] == ["random", f"{First.__module__}:First"]
    named = caltrop.simulate("duel", ("random", lambda: First()), num=4, seed=3)
    assert named["digest"] == own["digest"] != report["digest"]
    with pytest.raises(caltrop.InputError, match="another process cannot make this player"):
        caltrop.simulate("duel", (lambda: First(), "random"), num=4, seed=3, jobs=2)
    with pytest.raises(caltrop.InputError, match="two players"):
        caltrop.simulate("duel", "random", num=4, seed=3)


BOT = """
class Bold:
    def decide(self, decision, view, dice, budget=None):
        return decision.options(view).first()
"""


def test_module_and_name_are_a_player_on_the_command_line_in_any_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bold_bots.py").write_text(BOT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    steps = []
    for jobs in ("1", "2"):
        given = ["duel", "--players", "bold_bots:Bold,random", "--num", "4", "--seed", "3", "--jobs", jobs, "--json"]
        assert main(["simulate", *given]) == 0
        steps.append(json.loads(capsys.readouterr().out))
    assert steps[0]["digest"] == steps[1]["digest"]
    assert steps[0]["players"] == ["bold_bots:Bold", "random"]
    for wrong, words in (("no_bots:Bold", "no module 'no_bots'"), ("bold_bots:Shy", "no 'Shy' that makes a player")):
        assert main(["simulate", "duel", "--players", f"{wrong},random", "--num", "1", "--seed", "1"]) == 1
        assert words in capsys.readouterr().err
