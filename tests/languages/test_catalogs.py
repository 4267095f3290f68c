"""Catalogs of translations fit the sentences of the sources."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from caltrop.lab.sentences import ROOMS, ROOT, trimmed
from caltrop.languages import languages
from tests.languages.catalogs import SCOPES, WEB, catalog, keys, listed_by_page, place, sections

VALUE = re.compile(r"\{([^{}:|!]+)(?:!|:[^{}]*)?\}")
IDENTIFIER = re.compile(r"`[^`]+`|'[a-z][\w-]*'|(?<![\w{])[a-z]+(?:_[a-z]+)+(?![\w}])|--[a-z][a-z-]+")
"""Pattern for keys of requests, file names and options of commands."""
NEAREST = re.compile(r"(?:one of|belongs to|did you mean|there are|There are) .*\{(join|near|by_lower)\}")
NOUN = re.compile(r"\{[^{}|]+\|[^{}|]+\}")
ALTERNATIVES = re.compile(r"\{[^{}:]*\|[^{}]*\}")
VALUES = re.compile(r"\{[^{}]*\}(?: ?\{[^{}]*\})*")
"""Values and their verbs, which guards and keys write differently."""
UPDATE = (
    "`python -m tests.languages.catalogs` (a part of `make generated`) writes it anew; "
    "where only the English was reworded, move the old translation to the new key"
)


@pytest.mark.parametrize(("language", "scope"), [*product(languages(), SCOPES)])
def test_every_sentence_is_a_key_and_every_key_a_sentence(language: str, scope: str) -> None:
    stored = json.loads(place(language, scope).read_text(encoding="utf-8"))
    assert [(file, *section) for file, section in stored.items()] == [
        (file, *section) for file, section in sections(scope).items()
    ], UPDATE


def reasons_in(file: Path) -> Iterator[str]:
    """Yield the reasons of the guards of a module; a constant of the module may hold the words."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    texts = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "guard" and len(node.args) > 2:
            words = node.args[2]
            yield ast.literal_eval(texts[words.id] if isinstance(words, ast.Name) else words)


@pytest.mark.parametrize("room", ROOMS)
def test_every_reason_of_a_refusal_is_a_key(room: str) -> None:
    reasons = {words for file in (ROOT / "rules" / room).rglob("*.py") for words in reasons_in(file)}
    shapes = {VALUES.sub("{}", key) for scope in ("shared", room.replace("_", "-")) for key in keys(scope)}
    assert reasons
    missing = [words for words in sorted(reasons) if trimmed(VALUES.sub("{}", words)) not in shapes]
    assert not missing, missing


def test_every_guard_stands_with_a_game() -> None:
    """Guards elsewhere would need a test of their keys."""
    elsewhere = [file for file in ROOT.rglob("*.py") if "rules" not in file.relative_to(ROOT).parts[:1]]
    assert not [(file, words) for file in elsewhere for words in reasons_in(file)]


@pytest.mark.parametrize(("language", "scope"), [*product(languages(), SCOPES)])
def test_a_translation_uses_every_value_and_no_other(language: str, scope: str) -> None:
    for key, translation in catalog(language, scope).items():
        if NOUN.fullmatch(key):
            assert translation == "" or translation.count("|") == 1, f"{key}: a form for one and one for several"
        elif translation:
            assert set(VALUE.findall(translation)) == set(VALUE.findall(key)), f"{key}: {translation}"
            assert not ALTERNATIVES.search(translation), f"{key}: {translation}: the value that chooses is missing"
            for forms in re.findall(r"\{[^{}:]+:([^{}]*)\}", translation):
                assert forms.count("|") == 1, f"{key}: {translation}"


@pytest.mark.parametrize(("language", "scope"), [*product(languages(), SCOPES)])
def test_a_translation_leaves_keys_and_options_as_they_are(language: str, scope: str) -> None:
    for key, translation in catalog(language, scope).items():
        for identifier in IDENTIFIER.findall(key) if translation else ():
            assert identifier in translation, f"{key}: {translation}"
        if translation and (value := NEAREST.search(key)):
            assert f"{{{value[1]}!}}" in translation, f"{key}: {translation}: mark the value, which is of keys, with !"


@pytest.mark.parametrize(("language", "scope"), [*product(languages(), SCOPES)])
def test_nearly_all_sentences_are_translated(language: str, scope: str) -> None:
    """A new sentence may wait for its translation, but such sentences must not pile up."""
    waiting = [key for key, translation in catalog(language, scope).items() if not translation]
    assert len(waiting) <= max(5, len(keys(scope)) // 100), f"to be translated into {language}: {waiting}"


@pytest.mark.parametrize("language", languages())
def test_the_page_loads_a_catalog_with_each_of_its_sentences(language: str) -> None:
    loads = (WEB / "src" / "languages" / language / "index.ts").read_text(encoding="utf-8")
    assert "terminal" not in loads
    loaded = {key for scope in ("shared", "page") for key in keys(scope)}
    listed = {text for file, text in listed_by_page()}
    assert listed <= loaded, sorted(listed - loaded)[:20]


@pytest.mark.parametrize("scope", SCOPES)
def test_no_key_is_a_path_or_the_name_of_a_class(scope: str) -> None:
    paths = [key for key in keys(scope) if " " not in VALUE.sub("x", key) and re.search(r"[\w}]\.[\w{]|\}[A-Z]", key)]
    assert not paths, "these are for programs: `is_for_players` (`isForPeople` of the page) passes over them"
