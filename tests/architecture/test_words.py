"""Words that the glossary avoids occur nowhere else: in names, docstrings, messages, pages or tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = "docs/glossary.md"
WRITTEN = (".py", ".md", ".ts", ".svelte", ".css", ".yaml", ".toml", "Makefile")
FOLDERS = [
    ROOT / name
    for name in ("src", "tests", "docs", "benchmarks", "examples", "README.md", "CONTRIBUTING.md", "Makefile")
]
NOT_OURS = ("node_modules", "static", "site", "dist", "__pycache__")
HERE = {GLOSSARY, Path(__file__).relative_to(ROOT).as_posix()}


def written() -> Iterator[tuple[str, str]]:
    """Yield every text of ours, by its path."""
    for folder in FOLDERS:
        for path in sorted([*folder.rglob("*")] if folder.is_dir() else [folder]):
            place = path.relative_to(ROOT)
            ours = path.name.endswith(WRITTEN) and not {*NOT_OURS} & {*place.parts}
            if ours and path.is_file() and place.as_posix() not in HERE:
                yield place.as_posix(), path.read_text(encoding="utf-8")


def avoided() -> list[str]:
    """Return the words of the glossary's last chapter that a noun and a short sentence replace."""
    chapter = (ROOT / GLOSSARY).read_text(encoding="utf-8").partition("## Words to avoid")[2]
    words = re.search(r"\*(.+?)\*", chapter)
    assert words is not None
    return words[1].split(", ")


def test_words_we_do_without_are_not_there() -> None:
    words = avoided()
    assert {"whoever", "whom", "wherefrom", "thereby"} <= set(words)
    # Search within names too, as in `what_for_whom`. A stored name stays, as the tag of its class.
    word = re.compile(rf"(?<![a-z])(?:{'|'.join(words)})(?![a-z])", re.IGNORECASE)
    tag = re.compile(r'tag="\w+"')
    result = []
    for place, text in written():
        small = text.lower()
        if any(one in small for one in words):
            result += [
                f"{place}:{n}: {line.strip()}"
                for n, line in enumerate(text.splitlines(), 1)
                if word.search(tag.sub("", line))
            ]
    assert result == [], f"use a noun and a short sentence: the last chapter of {GLOSSARY} shows how"
