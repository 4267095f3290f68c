"""States as JSON, and the registry of rulesets."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.chance import Scripted, Seeded
from caltrop.engine import Match, Rolled, digest, restored, ruleset, rulesets, stored


def duel() -> Match:
    result = ruleset("duel")
    return Match(result, result.setup(result.book(), "bridge"), Scripted())


def test_a_field_at_its_default_is_not_stored_so_that_a_new_field_changes_no_digest() -> None:
    text = msgspec.json.decode(stored(duel().state))
    assert "queue" not in text
    assert "over" not in text
    assert "round" not in text
    assert text["stack"] == [{"type": "Duelling", "at": "open_the_stakes"}]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"colour": "red"}, "unknown field `colour`"),
        ({"width": "wide"}, r"Expected `int`, got `str` - at `\$.width`"),
        ({"stack": [{"type": "Nothing"}]}, r"Invalid value 'Nothing' - at `\$.stack\[0\].type`"),
        ({"stack": [{"type": "Turn"}]}, "missing required field `side`"),
        ({"duellists": None}, "Expected `array`, got `null`"),
    ],
)
def test_a_text_that_is_no_state_is_refused_with_the_place(change: dict[str, Any], words: str) -> None:
    match = duel()
    text = msgspec.json.encode({**msgspec.json.decode(stored(match.state)), **change})
    with pytest.raises(msgspec.ValidationError, match=words):
        restored(match.ruleset, match.state.book, text)


def test_what_is_not_stored_is_no_part_of_a_comparison() -> None:
    one, other = duel().state, duel().state
    assert one.book is not other.book
    assert one == other == one.clone()
    other.told = []
    assert one == other
    other.asks += 1
    assert one != other
    assert one != "a duel"


def test_a_salt_changes_the_digest() -> None:
    state = duel().state
    assert digest(state) == digest(state.clone())
    assert digest(state, b"secret") != digest(state)
    assert digest(state, b"secret") == digest(state, b"secret")


def test_a_game_of_another_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean duel"):
        ruleset("dule")
    with pytest.raises(ValueError, match=r"there are .*duel"):
        ruleset("zzz")


def test_the_folder_is_the_registry_and_the_template_comes_last() -> None:
    assert rulesets()[-1] == "duel"
    assert rulesets()[:2] == ("command-horizon", "hex-command")
    assert list(rulesets()[2:-1]) == sorted(rulesets()[2:-1])
    assert len(set(rulesets())) == len(rulesets())


def test_the_vocabulary_has_every_class_and_no_base() -> None:
    vocabulary = ruleset("duel").vocabulary()
    assert Rolled in vocabulary.events
    assert {kind.__name__ for kind in vocabulary.decisions} == {"Bid", "Move", "ParryOrNot", "StrikeOrHold"}
    assert not [kind for kind in vocabulary.events if kind.__name__.startswith("_")]
    assert vocabulary is ruleset("duel").vocabulary()


def test_an_edition_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="has no edition 'blunt'; its editions are current, sharp"):
        ruleset("duel").book("blunt")


def test_what_a_step_changes_is_not_seen_by_an_earlier_clone() -> None:
    match = duel()
    clones, choices = [], Seeded(1)
    match.dice = Seeded(1)
    while match.over is None:
        clones.append((match.state.clone(), stored(match.state)))
        decision = match.waiting[0]
        match.follow(decision, decision.options(match.view(decision.side)).sample(choices))
    assert all(stored(clone) == text for clone, text in clones)
