"""Odds of whole acts by request, from a position and an act, in every game."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from caltrop import odds
from caltrop.cli import main
from caltrop.engine import ruleset, rulesets
from caltrop.errors import InputError
from caltrop.scenarios.whole import examples, odds_of

GAMES = [name for name in rulesets() if ruleset(name).parts.whole_acts is not None]


def duel(**changed: Any) -> dict[str, Any]:
    """Return the request for a thrust of a duellist."""
    ((_, request),) = examples("duel")
    return {**request, **changed}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_an_example_that_is_told_exactly(game: str) -> None:
    assert examples(game)
    for _, request in examples(game):
        answer = odds_of(request)
        assert answer["exact"]
        for act in answer["acts"]:
            assert act["units"], "somebody is changed"
            for unit in act["units"]:
                assert unit["unit"] in request["scene"]["units"]
                assert sum(Fraction(end["probability"]) for end in unit["outcomes"]) == 1


def test_an_act_is_told_as_on_the_table() -> None:
    rulings: Any = ruleset("duel").rulings
    tell: Any = ruleset("duel").parts.whole_acts
    request = duel()
    text = {**request, "id": "x", "title": "x", "question": "x", "clauses": [], "cases": [{"play": request["play"]}]}
    del text["play"]
    match, decision, action = rulings.act(rulings.read(json.dumps(text)))
    forecasts = tell(match.view(decision.side), decision.side, action)
    acts = odds_of(request)["acts"]
    assert [one.about for one in forecasts] == [act["about"] for act in acts]
    assert [end.probability for end in forecasts[0].outcomes] == [
        end["probability"] for end in acts[0]["units"][0]["outcomes"]
    ]


def test_the_command_line_and_programs_take_a_scene(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "act.json"
    file.write_text(json.dumps(duel()), "utf-8")
    assert main(["odds", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == odds(duel()) == odds_of(duel())


@pytest.mark.parametrize(
    ("request_", "field", "words"),
    [
        (duel(ruleset="dual"), "ruleset", "did you mean 'duel'"),
        (duel(play=[]), "play", "the last line is the act"),
        (duel(play=[{"start": "turn"}, {"do": "Stay"}, {"do": "Trust"}]), "play[2].do", "did you mean 'Thrust'"),
        (duel(play=[{"start": "turn"}, {"do": "Thrust"}]), "play[1]", ""),
        (duel(play=[{"start": "turn"}, {"do": "Stay", "unit": "cora"}]), "play[1].unit", ""),
        (duel(play=[{"start": "turn"}]), "play[0]", "it has the key `do`"),
        (duel(play=[{"start": "turn"}, {"do": "Stay"}]), "play[1]", "nothing in this act is left to chance"),
        (duel(scene={"units": {"anna": {"at": [5, 5]}}}), "scene.units", "a duel has 2 duellists"),
        (duel(rules={"no.such": "on"}), "rules", ""),
        (duel(edition="never"), "edition", "there is no edition"),
        (duel(dice=[1]), "dice", ""),
        (duel(play=[{"do": "Thrust"}]), "play[0]", "it is one of turn"),
        ({"ruleset": "duel", "play": [{"start": "turn"}]}, "scene", "this key is missing"),
        ({"ruleset": "duel", "scen": {}}, "scen", "did you mean 'scene'"),
        ({"ruleset": "duel", "sequenc": [{"target": {"wounds": 3}}]}, "sequenc", "did you mean 'sequence'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(request_: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(InputError) as fault:
        odds_of(request_)
    assert (fault.value.field or "").startswith(field)
    assert words in fault.value.message


def test_every_fault_of_an_act_has_its_place() -> None:
    for game in GAMES:
        for _, request in examples(game):
            first, second = list(request["scene"]["units"])[:2]
            for change in (
                {"do": "Fly"},
                {"unit": "nobody"},
                {"target": "nobody"},
                {"target": first},
                {"targt": second},
            ):
                wrong = {**request, "play": [*request["play"][:-1], {**request["play"][-1], **change}]}
                with pytest.raises(InputError) as fault:
                    odds_of(wrong)
                assert str(fault.value.field).startswith(f"play[{len(wrong['play']) - 1}]"), (game, change)
