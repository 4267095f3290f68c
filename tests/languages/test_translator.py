"""The translator of the terminal translates as the page does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from caltrop.errors import InputError
from caltrop.languages import everything, languages
from caltrop.languages.translator import Translator
from caltrop.scenarios.whole import odds_of

EXAMPLES = json.loads(
    (Path(__file__).parents[2] / "src/caltrop/web/src/languages/examples.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("text", "translation"), [*EXAMPLES["translated"].items()])
def test_the_examples_of_the_page_are_translated_alike(text: str, translation: str) -> None:
    assert Translator(EXAMPLES["catalog"], "de")(text) == translation


def test_lines_columns_and_clauses_are_texts_of_their_own() -> None:
    german = Translator(EXAMPLES["catalog"], "de")
    assert german.lines("Pinned   1 unit\n  destroyed [X-Y-01]") == "Niedergehalten   1 Einheit\n  vernichtet [X-Y-01]"


def test_french_counts_nothing_as_one() -> None:
    french = Translator({"{unit|units}": "unité|unités"}, "fr")
    assert [french(text) for text in ("0 units", "1 unit", "2 units")] == ["0 unité", "1 unité", "2 unités"]
    assert french("1st unit") == "1er unité"


def test_french_keeps_the_blank_before_a_sign() -> None:
    french = Translator({"{name}: where to{more}?": "{name} : vers où{more} ?"}, "fr")
    assert french("Brigand: where to?") == "Brigand : vers où ?"


def test_a_name_stays_as_it_is() -> None:
    german = Translator(everything("de"), "de")
    assert german("Briar") == "Briar"
    assert german("There is no such game here") == "Es gibt hier kein solches Spiel"


REQUESTS: list[dict[str, Any]] = [
    {
        "ruleset": "command-horizon",
        "mode": "fire",
        "attacker": {"army": "alliance", "kind": "medium-tank", "models": 4},
        "target": {"army": "asori", "kind": "heavy-tank", "models": 4},
    },
    {"ruleset": "hex-command", "attacker": {"class": "armor", "type": "light"}, "target": {}, "range": 2},
    {"ruleset": "blade-skirmish", "attacker": {"quality": 4}, "defender": {"quality": 3}},
    {"ruleset": "squad-action", "mode": "volley", "shooter": {"profile": "regular"}, "target": {}, "distance": 12},
    {"ruleset": "duel", "parried": True, "attacker": {"breath": 1}, "target": {"wounds": 3}, "dice": {"attack": 3}},
]


def refusals(request: dict[str, Any]) -> Iterator[InputError]:
    """Yield the refusals of a request in which a key is misspelt or missing, or has a wrong value."""
    for path in [(key,) for key in request] + [(k, i) for k, v in request.items() if isinstance(v, dict) for i in v]:
        for change in ("misspelt", "missing", "wrong"):
            copy = deepcopy(request)
            place = copy[path[0]] if len(path) == 2 else copy
            value = place.pop(path[-1])
            if change != "missing":
                place["zzz" if change == "misspelt" else path[-1]] = value if change == "misspelt" else [9999]
            try:
                odds_of(copy)
            except InputError as error:
                yield error


@pytest.mark.parametrize("request_of", REQUESTS, ids=lambda request: request["ruleset"])
@pytest.mark.parametrize("language", languages())
def test_a_refusal_names_its_field_and_the_right_keys_in_every_language(
    language: str, request_of: dict[str, Any]
) -> None:
    translate = Translator(everything(language), language)
    errors = list(refusals(request_of))
    assert len(errors) > 5
    for error in errors:
        translation = translate(str(error))
        assert error.field is None or translation.startswith(f"{error.field}: "), translation
        keys = re.search(r"it is one of (.*)$", error.message)
        assert keys is None or keys[1] in translation, translation
        assert "  " not in translation
