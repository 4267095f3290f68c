"""Translations: the catalogs of each language, and the translator that reads them.

A catalog is a JSON file whose keys are English sentences by source file. Here are the sentences that all games share, a
file for each language. Those of a game are in the folder `languages` of its rules, those of the terminal in its own.
`caltrop.lab.sentences` collects the keys from the sources.
"""

from __future__ import annotations

import json
from pathlib import Path

__all__ = ["catalog_file", "catalog_in", "everything", "languages"]

ROOT = Path(__file__).parents[1]
"""Folder of the package."""


def languages() -> list[str]:
    """Return the languages that have catalogs, such as `de`."""
    return sorted(file.stem for file in (ROOT / "languages").glob("*.json"))


def catalog_file(language: str, scope: str) -> Path:
    """Return the file of a catalog.

    Args:
        scope: `shared`, `terminal`, or the name of a ruleset.
    """
    if scope == "shared":
        return ROOT / "languages" / f"{language}.json"
    folder = "terminal" if scope == "terminal" else f"rules/{scope.replace('-', '_')}"
    return ROOT / folder / "languages" / f"{language}.json"


def catalog_in(file: Path) -> dict[str, str]:
    """Return the translations in a file, by sentence; empty ones are still to be made. Return no translations if the
    file is missing.

    A catalog has a section for each source file.
    """
    if not file.exists():
        return {}
    sections: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return {key: text for section in sections.values() for key, text in section.items()}


def everything(language: str, game: str = "") -> dict[str, str]:
    """Return the translations that a player of a game reads: its own, those of all games and those of the terminal. By
    default, those of every game are included.

    A word may mean something else in another game. If a sentence has several translations, one of what the games share
    is used.
    """
    own = [catalog_file(language, game)] if game else sorted((ROOT / "rules").glob(f"*/languages/{language}.json"))
    files = [*own, catalog_file(language, "terminal"), catalog_file(language, "shared")]
    return {key: text for file in files for key, text in catalog_in(file).items() if text}
