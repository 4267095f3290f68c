"""The translator of the terminal translates as the page does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from caltrop.languages import everything
from caltrop.languages.translator import Translator

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
    assert french("1st unit") == "1er unit"


def test_a_name_stays_as_it_is() -> None:
    german = Translator(everything("de"), "de")
    assert german("Briar") == "Briar"
    assert german("There is no such game here") == "Es gibt hier kein solches Spiel"
