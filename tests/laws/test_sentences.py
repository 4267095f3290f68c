"""Every sentence of every game: numbers agree with nouns and verbs, dice name their purpose, words are spelled out.

The test reads all texts of random games that a person may see: the log with its dice, prompts, offers, pictures,
forecasts and refusals.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

import caltrop
from caltrop.agreeing import quantity
from caltrop.asking import Wish, offered
from caltrop.chance import Seeded
from caltrop.engine import Match, Outcome, Rolled, guard, ruleset, rulesets
from caltrop.journal import Setting
from caltrop.picture import Reading
from tests.laws.games import SHARE
from tests.tiers import rotating

NAMES = tuple(name for name in rulesets() if os.environ.get("LAWS", name) == name)
SETTINGS = [
    Setting(ruleset=name, edition=edition, scenario=card.id)
    for name in NAMES
    for edition in ruleset(name).editions
    for card in (ruleset(name).scenarios()[0], *rotating(ruleset(name).scenarios()[1:], SHARE))
]
"""The first scenario of each edition, and others. The quick tier has a third of the others."""
ACTS = 160
"""Number of acts of a game whose texts are read."""
EVERY = 9
"""Number of acts from one reading of all offers to the next; in between only the log is read."""
FIRST = 24
"""Number of offers of a decision that are read."""

NOUNS = [
    "base",
    "battle",
    "block",
    "card",
    "casualty",
    "centimetre",
    "column",
    "corner",
    "die",
    "enemy",
    "fighter",
    "friend",
    "gap",
    "hex",
    "hit",
    "hour",
    "inch",
    "kill",
    "leader",
    "marker",
    "model",
    "objective",
    "order",
    "pair",
    "place",
    "point",
    "row",
    "side",
    "soldier",
    "step",
    "stun",
    "symbol",
    "tank",
    "token",
    "turn",
    "unit",
    "vehicle",
    "weapon",
    "wound",
]
"""Nouns that games count."""
ONE = "|".join(NOUNS)
MORE = "|".join(quantity(2, noun).partition(" ")[2] for noun in NOUNS)
KIND = r"(?:(?:attack|battle|defence|enemy|first|free|friendly|last|Overkill|Retreat|shield|Stun|victory|Worm) )?"
ALONE = r"(?<![\w.,/#:-])(?<!and )"
"""Words after which a number is not a count: `Brigand 1`, `2.1`, `1, 2 and 1`."""
FAULTS = (
    re.compile(rf"{ALONE}1 {KIND}(?:{MORE})\b"),
    re.compile(rf"{ALONE}(?:0|[2-9]|\d\d+|\d+\.\d+) {KIND}(?:{ONE})\b(?!['-]| (?:{MORE})\b)"),
    re.compile(rf"{ALONE}1 {KIND}(?:{ONE}) (?:are|were|have|do|land|attach|appear|strike)\b"),
    re.compile(rf"{ALONE}(?:0|[2-9]|\d\d+) {KIND}(?:{MORE}) (?:is|was|has|does|lands|attaches|appears|strikes)\b"),
    re.compile(r"\b1 left over are\b|: 1 are left|\b(?:[2-9]|\d\d+) left over is\b"),
)


def faults(sentence: str) -> list[str]:
    """Return the places in a sentence where a number does not agree with its noun or verb."""
    result = (pattern.search(sentence) for pattern in FAULTS)
    return [match.group() for match in result if match is not None and not _is_a_name(sentence, match)]


SHORT = re.compile(r"(?<![\w-])(?:[A-Z]{2,}[a-z]*|[B-DF-HJ-NP-TV-Z][b-df-hj-np-tv-xz]{1,3})(?![\w-])")
"""A word in capitals, or one without a vowel: `CQB`, `VLt`."""
SPELLED_ELSEWHERE = {
    "CP": "command points, drawn as tokens and named beside them",
    "VP": "victory points, named beside their number",
    "APC": "the name of a machine",
    "IFV": "the name of a machine",
    "RPG": "the name of a weapon",
    "CQB": "part of the name of a trait",
}
"""Short words that stand in sentences, and what a player knows them by."""


def abbreviations(sentence: str) -> set[str]:
    """Return the words of a sentence that are neither spelled out nor listed."""
    return {word for word in SHORT.findall(sentence) if word not in SPELLED_ELSEWHERE}


def _is_a_name(sentence: str, match: re.Match[str]) -> bool:
    """Return whether the number belongs to a name: `Warden 1 strikes`, `Squad 1 turns`."""
    before = sentence[: match.start()].rstrip()
    return bool(re.search(r"(?:[A-Z][\w'-]*|model|base|number)$", before)) and before != ""


@pytest.mark.parametrize(
    "sentence",
    [
        "2 bases land, 1 bases attach",
        "1 models of 3",
        "the 1 left over are lost",
        "Asori wins by 1 points to 0",
        "2 battle die",
        "1 dice strike the Scouts",
        "8 inch at most",
        "at most 2.5 inch",
        "Place a fighter: 1 are left",
        "1 base land",
        "3 bases lands",
    ],
)
def test_what_does_not_agree_is_found(sentence: str) -> None:
    assert faults(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "2 bases land, 1 base attaches",
        "Warden 1 strikes at Maren",
        "Brigand 1 units",
        "1 model of 3",
        "a 24-inch table",
        "no hits",
        "2.1 inches",
        "1 inch",
        "Roll-off: Alliance 1, Asori 2",
    ],
)
def test_what_agrees_is_no_fault(sentence: str) -> None:
    assert not faults(sentence)


def strings(thing: Any) -> Iterator[str]:
    """Yield every text in a record."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, msgspec.Struct):
        for field in thing.__struct_fields__:
            yield from strings(getattr(thing, field))
    elif isinstance(thing, dict):
        yield from strings(list(thing.values()))
    elif isinstance(thing, list | tuple):
        for one in thing:
            yield from strings(one)


def told(match: Match, dice: Seeded) -> Iterator[str]:
    """Yield all texts at a decision of a match, and the texts about an answer to it."""
    asked, rules = match.waiting[0], match.ruleset
    view = match.view(asked.side)
    yield asked.prompt(view)
    if len(match.history) % EVERY == 1:
        question = offered(asked)
        for offer in islice(question.offers(view), FIRST):
            yield from (offer.words, offer.group, offer.idle)
            yield from strings(offer.price)
            if rules.forecasts is not None:
                yield from strings(rules.forecasts(view, asked.side, offer.action, asked))
        yield from strings(rules.depict(view, asked.side))
        groups = rules.depict(view, asked.side).groups
        for group in islice((group for group in groups if group.pieces), 6):
            x, y = group.pieces[0].at
            wish = Wish(unit=group.id, to=(x + 900, y + 900))
            yield from strings(question.propose(view, wish))
    for event in match.follow(asked, asked.options(view).sample(dice)):
        yield event.sentence(match.state)
        reading = event.reading(match.state)
        yield from strings(reading)
        assert reading is None or explains(reading), reading
    if isinstance(match.over, Outcome):
        yield match.over.reason


def explains(reading: Reading) -> bool:
    """Return True if the terms make up a number of the roll: its dice, the face that each needs, or a modifier."""
    if not reading.terms or reading.added or reading.modifies is True:
        return True
    number = sum(term.value for term in reading.terms)
    if isinstance(reading.needed, int):
        return reading.needed == max(2, min(number, reading.sides))
    return number == len(reading.dice)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: f"{s.ruleset}-{s.edition}-{s.scenario}")
def test_numbers_agree_with_what_they_count_and_words_are_spelled_out(setting: Setting) -> None:
    match, dice = setting.begin(Seeded(f"sentences {setting.scenario}")), Seeded("choices")
    wrong: dict[str, list[str]] = {}
    for _ in range(ACTS):
        if match.over is not None:
            break
        for text in told(match, dice):
            if places := [*faults(text), *abbreviations(text)]:
                wrong[text] = places
    assert not wrong


@pytest.mark.parametrize("text", ["rear VLt", "AT 2", "A hit of class VHvy"])
def test_a_short_word_is_found(text: str) -> None:
    assert abbreviations(text)


@pytest.mark.parametrize("text", ["The RPG costs 2 CP", "My unit is at D4", "Wren shoots"])
def test_a_name_is_no_short_word(text: str) -> None:
    assert not abbreviations(text)


SOURCES = Path(caltrop.__file__).parent
VERBS = ("order", "place", "step", "turn")
"""Nouns that games count, and that are also verbs after a name."""
COUNTED = "|".join(
    quantity(2, noun).partition(" ")[2]
    for noun in (*[n for n in NOUNS if n not in VERBS], "game", "player", "seat", "second", "seed", "byte")
)
KINDS = r"(?:(?:enemy|Fire|free|infantry|more|Retreat|Stun|unseen|Worm) )?"
AFTER = re.compile(rf" {KINDS}(?:{COUNTED})\b")
WITHIN = re.compile(rf"\{{\w+\}} {KINDS}(?:{COUNTED})\b")
MANY = {
    "asking/seeking.py": "more than one, or said otherwise",
    "chance/reading.py": "for programmers: a reading of more outcomes than can be listed",
    "engine/procedure.py": "for programmers: several dice without `reads`",
    "engine/quiet.py": "one die is said otherwise",
    "lab/chances.py": "a seed, and no sentence",
    "lab/conformance.py": "pages about thousands of games",
    "lab/seeker.py": "a seed, and no sentence",
    "players/proof.py": "hundreds of games",
    "players/search.py": "a seed, and no sentence",
    "players/thinking.py": "a seed, and no sentence",
    "rules/blade_skirmish/flight.py": "eight, or a die",
    "rules/command_horizon/sight.py": "more than one",
    "rules/command_horizon/stuns.py": "one is said otherwise",
    "rules/hex_command/scenarios.py": "a title, and units",
    "rules/squad_action/covers.py": "a constant",
    "rules/squad_action/sight.py": "more than one",
    "rules/squad_action/watched.py": "more than one",
}
"""Files with a plural noun after a number that is never 1, and the reason."""


def in_the_plural(path: Path) -> list[str]:
    """Return the places where any number is followed by a plural noun: `f"{count} models"`."""
    result = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            for number, words in pairwise(node.values):
                if not isinstance(number, ast.FormattedValue) or not isinstance(words, ast.Constant):
                    continue
                name = ast.unparse(number.value).rpartition(".")[2]
                # A constant has a fixed value, a share has no singular, and a die has more than one side.
                if name.isupper() or number.format_spec is not None or name == "sides":
                    continue
                if AFTER.match(str(words.value)):
                    result.append(f"{path.name}:{number.lineno}: {ast.unparse(number)}{words.value!s}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and WITHIN.search(node.value):
            result.append(f"{path.name}:{node.lineno}: {node.value}")
    return result


def test_no_sentence_takes_a_number_for_several() -> None:
    """Random games contain few refusals, so their sentences are read in the source."""
    wrong = {
        file: places
        for path in sorted(SOURCES.rglob("*.py"))
        if (file := path.relative_to(SOURCES).as_posix()) not in MANY
        if (places := in_the_plural(path))
    }
    assert not wrong, "write {count:model} in a guard, and quantity(count, 'model') elsewhere"
    assert [file for file in MANY if not in_the_plural(SOURCES / file)] == []


def test_the_numbers_of_a_guard_agree() -> None:
    few = guard("DU-MOVE-01", "few", "{models:model} {models::is} left, and {gap:inch} to go")
    one, two = few.refuses(True, models=1, gap=254), few.refuses(True, models=2, gap=2032)
    assert one is not None
    assert one.message == "1 model is left, and 1 inch to go"
    assert two is not None
    assert two.message == "2 models are left, and 8 inches to go"


def test_dice_say_what_each_of_them_and_what_each_face_is_for() -> None:
    roll = Rolled(faces=(1, 2), sides=6, why=(), words="Roll-off", each=("Alliance", "Asori"))
    assert roll.sentence(None) == "Roll-off: Alliance 1, Asori 2"
    symbols = ("Infantry", "Vehicle", "God Machine", "Leader", "Target", "Retreat")
    shields = Rolled(faces=(6, 4), sides=6, why=(), words="At the 1st Buggies", symbols=symbols)
    assert shields.sentence(None) == "At the 1st Buggies: Retreat, Leader"
    assert Rolled(faces=(3, 3), sides=6, why=(), words="Fire").sentence(None) == "Fire: 3 3"
