"""Nothing that a player reads in a battle stays English: texts of games that are played by chance, in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import msgspec
import pytest

from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.engine import Match, Outcome, ruleset, rulesets
from caltrop.journal import Setting
from caltrop.languages import everything, languages
from caltrop.languages.translator import Translator

FIELDS = "about detail expected gist goal group headline hint idle label name note now plate says sentence tag text"
WORDS = frozenset([*FIELDS.split(), "title", "value", "words"])
"""Fields of pictures, offers and forecasts that a player reads."""
WORD = re.compile(r"(?<![\w'’-])[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ'’-]*")
ACTS = 60
EVERY = 7
"""Number of acts from one reading of picture and offers to the next."""


def texts_of(thing: Any) -> Iterator[str]:
    """Yield the texts in a record that a player reads."""
    if isinstance(thing, msgspec.Struct):
        for field in thing.__struct_fields__:
            part = getattr(thing, field)
            if not isinstance(part, str):
                yield from texts_of(part)
            elif field in WORDS:
                yield part
    elif isinstance(thing, dict):
        yield from texts_of(list(thing.values()))
    elif isinstance(thing, list | tuple):
        for one in thing:
            yield from texts_of(one)


def read(match: Match, dice: Seeded) -> Iterator[str]:
    """Play one act by chance, and yield the texts that players read before and after it."""
    asked, rules = match.waiting[0], match.ruleset
    view = match.view(asked.side)
    yield asked.prompt(view)
    yield getattr(asked, "hint", "")
    if len(match.history) % EVERY == 1:
        yield from texts_of(rules.depict(view, asked.side))
        for offer in islice(offered(asked).offers(view), 12):
            yield from (offer.words, offer.group, offer.idle)
            if rules.forecasts is not None:
                yield from texts_of(rules.forecasts(view, asked.side, offer.action, asked))
    for event in match.follow(asked, asked.options(view).sample(dice)):
        yield event.sentence(match.state)
        yield from texts_of(event.reading(match.state))
    if isinstance(match.over, Outcome):
        yield match.over.reason


@cache
def texts(name: str) -> frozenset[str]:
    """Return the texts of a game's first scenarios, played by chance."""
    result: set[str] = set()
    for card in ruleset(name).scenarios()[:2]:
        setting = Setting(ruleset=name, edition=ruleset(name).editions[0], scenario=card.id)
        match, dice = setting.begin(Seeded(f"languages {card.id}")), Seeded("choices")
        while match.over is None and len(match.history) < ACTS:
            result.update(read(match, dice))
    return frozenset(result - {""})


@cache
def vocabulary(language: str) -> frozenset[str]:
    """Return the words of a language's translations, in small letters."""
    return frozenset(word.lower() for text in everything(language).values() for word in WORD.findall(text))


@pytest.mark.parametrize("name", list(rulesets()))
@pytest.mark.parametrize("language", languages())
def test_no_text_of_a_battle_stays_english(language: str, name: str) -> None:
    translate, spoken = Translator(everything(language, name), language).lines, vocabulary(language)
    rests = {
        text: rest
        for text in sorted(texts(name))
        if (rest := [word for word in WORD.findall(translate(text)) if word.lower() not in spoken and len(word) > 1])
    }
    # Words that a sentence takes from another are rarely out of reach of its key.
    assert len(rests) <= len(texts(name)) // 20, rests
