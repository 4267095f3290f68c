"""The rulings of every game: each holds, could fail, and stands on what its rules page says."""

from __future__ import annotations

import json
import re
from functools import cache

import jsonschema
import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.clauses.inventory import folder as pages
from caltrop.clauses.inventory import inventory
from caltrop.engine import ruleset, rulesets
from caltrop.scenarios.cases import FileGiven
from caltrop.scenarios.rulings import Ruling, check, position, rulings
from caltrop.wire.schemas import schema
from tests.rules.falsified import idle, read, words_by_key


def has_rulings(game: str) -> bool:
    try:
        return bool(rulings(game))
    except InputError:
        return False


GAMES = tuple(game for game in rulesets() if has_rulings(game))
EVERY = [pytest.param(game, ruling, id=f"{game}-{ruling.id}") for game in GAMES for ruling in rulings(game)]
HELD = [
    pytest.param(ruling, edition, marks=pytest.mark.clause(*ruling.head.clauses), id=f"{game}-{ruling.id}-{edition}")
    for game in GAMES
    for ruling in rulings(game)
    for edition in ruling.editions
]


@cache
def rows(game: str) -> dict[str, str]:
    """Return the worked examples of a rules page with ids of the game's prefix, and the clauses that each names."""
    text = (pages() / f"{game}.md").read_text(encoding="utf-8")
    pattern = rf"^\| ({ruleset(game).prefix}W\d+) \|.*\| ([^|]*) \|$"
    return {result[1]: result[2] for result in re.finditer(pattern, text, re.M)}


EXAMPLES = [pytest.param(game, id, id=id) for game in GAMES for id in sorted(rows(game))]
words = cache(lambda game: words_by_key(rulings(game)))


def test_games_have_rulings() -> None:
    assert {"command-horizon", "hex-command", "blade-skirmish", "squad-action"} <= set(GAMES)


@pytest.mark.parametrize(("ruling", "edition"), HELD)
def test_the_ruling_holds(ruling: Ruling, edition: str) -> None:
    assert not "\n".join(str(difference) for difference in check(ruling, edition))


@pytest.mark.parametrize(("game", "ruling"), EVERY)
def test_a_ruling_fails_when_anything_in_it_is_changed(game: str, ruling: Ruling) -> None:
    assert idle(ruling, words(game)) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_ruling_is_called_as_its_file_is_and_stands_on_clauses_that_there_are(game: str) -> None:
    names = inventory(game, ruleset(game).prefix)
    for ruling in rulings(game):
        assert ruling.file.stem == ruling.id
        assert [c for c in ruling.head.clauses if c not in names.clauses and c not in names.questions] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_allows_every_ruling_and_no_other_keys(game: str) -> None:
    draft202012_validator = jsonschema.Draft202012Validator(schema("ruling", game))
    for ruling in rulings(game):
        as_json = json.loads(json.dumps(read(ruling)))
        draft202012_validator.validate(as_json)
        with pytest.raises(jsonschema.ValidationError):
            draft202012_validator.validate({**as_json, "titel": as_json["title"]})


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


# --- the worked examples of the pages ---------------------------------------------------------------------------------


def spelled_out(game: str, text: str) -> set[str]:
    """Return the clauses of a row, written shortly: `VOI-01 to 03`, `ORG-15, 16`, `Q10`, `RET` for all of a chapter."""
    names, prefix = ruleset(game).inventory(), ruleset(game).prefix
    every = [*names.clauses, *names.questions]
    result: set[str] = set()
    before = ""
    for part in text.split(","):
        first, _, last = part.strip().partition(" to ")
        if re.fullmatch(r"[A-Z]{3}", first):
            result |= {id for id in every if id.startswith(f"{prefix}{first}-")}
            continue
        chapter, dash, number = first.rpartition("-")
        before = f"{chapter}-" if dash else "" if first[0] in "SQ" else before
        start = f"{prefix}{before}{number}"
        end = f"{prefix}{last if last[0] in 'SQ' else before + last}" if last else start
        result |= set(every[every.index(start) : every.index(end) + 1])
    return result


@pytest.mark.parametrize("game", [game for game in GAMES if rows(game)])
def test_every_worked_example_is_a_ruling(game: str) -> None:
    every = [f"{ruleset(game).prefix}W{number:02}" for number in range(1, len(rows(game)) + 1)]
    assert sorted(rows(game)) == every
    assert [r.id for r in rulings(game) if r.id in every or re.search(r"W\d+$", r.id)] == every


@pytest.mark.parametrize(("game", "id"), EXAMPLES)
def test_a_ruling_names_the_clauses_of_its_row(game: str, id: str) -> None:
    (ruling,) = [one for one in rulings(game) if one.id == id]
    assert set(ruling.head.clauses) == spelled_out(game, rows(game)[id])
