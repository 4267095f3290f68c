"""What holds for the rulings of every game that has some; what each of them says is in its game's own tests."""

from __future__ import annotations

import json

import jsonschema
import pytest
import yaml

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.clauses.inventory import inventory
from caltrop.engine import ruleset, rulesets
from caltrop.scenarios.cases import FileGiven
from caltrop.scenarios.rulings import Ruling, position, rulings
from caltrop.wire.schemas import schema


def has_rulings(game: str) -> bool:
    try:
        return bool(rulings(game))
    except InputError:
        return False


GAMES = tuple(game for game in rulesets() if has_rulings(game))
EVERY = [pytest.param(game, ruling, id=f"{game}-{ruling.id}") for game in GAMES for ruling in rulings(game)]


def test_games_have_rulings() -> None:
    assert {"command-horizon", "hex-command", "blade-skirmish", "squad-action"} <= set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_ruling_is_called_as_its_file_is_and_stands_on_clauses_that_there_are(game: str) -> None:
    known = inventory(game, ruleset(game).prefix)
    for ruling in rulings(game):
        assert ruling.file.stem == ruling.id
        assert [c for c in ruling.head.clauses if c not in known.clauses and c not in known.questions] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_allows_every_ruling_and_no_other_keys(game: str) -> None:
    found = jsonschema.Draft202012Validator(schema("ruling", game))
    for ruling in rulings(game):
        as_json = json.loads(json.dumps(yaml.safe_load(ruling.file.read_text(encoding="utf-8"))))
        found.validate(as_json)
        with pytest.raises(jsonschema.ValidationError):
            found.validate({**as_json, "titel": as_json["title"]})


@pytest.mark.parametrize(("game", "ruling"), EVERY)
def test_every_scene_can_be_opened_and_drawn(game: str, ruling: Ruling) -> None:
    head = ruling.head
    assert isinstance(head, FileGiven)
    for i, case in enumerate(head.cases):
        if not any(isinstance(line.start, str) for line in case.play):
            continue
        match = position(ruling, case.case or str(i + 1))
        assert isinstance(match.dice, Seeded)
        ruleset(game).depict(match.view(0), 0)
        for decision in match.waiting:
            assert decision.options(match.view(decision.side)).first() is not None
