"""Rulebooks as numbered clauses: the inventories in `docs/rules`, read as data.

An inventory is a page with tables. A row `| DU-MOVE-04 | both | … | … |` is a clause, and so is `| DU-S5A | … |` of
content that a rulebook lacks and Caltrop supplies. A row `| Q-MOVE-9 | … |` or `| DU-Q07 | … |` is an open question
with its ruling, a row `| W09 | … |` or `| DU-W09 | … |` a worked example, a row `| D-07 | … |` a difference between
editions.
The page is the source: nothing here repeats what it says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_ROW = re.compile(
    r"^\|\s*((?:[A-Z]{2,4}-)?[A-Z0-9]+(?:-[A-Z0-9]+)*-\d+[a-z]?|[A-Z]{2,4}-[QS]\d[0-9A-Z]+)\s*\|(.*)\|\s*$"
)
_QUESTION = re.compile(r"(?:Q-|[A-Z]{2,4}-Q\d)")
_LABEL = re.compile(r"^\|\s*((?:[A-Z]{2,4}-)?W\d+[a-z]?|D-\d+)\s*\|")
_SWITCH = re.compile(r"`([^`]+)`")


class Clause(NamedTuple):
    """One numbered clause of a rulebook."""

    id: str
    edition: str
    """The edition of the clause, or `both`."""
    text: str
    note: str
    """Ruling, cross-reference or remark; empty if there is none."""
    chapter: str
    """Heading under which it stands."""
    binds: bool
    """False for printed advice, which is not a rule."""
    optional: bool
    """True for what only a house rule switches on."""


class OpenQuestion(NamedTuple):
    """A question that a rulebook leaves open, and the ruling on it."""

    id: str
    question: str
    readings: str
    ruling: str
    switch: str
    """Name of the house rule for the other ruling; empty if there is none."""


class Inventory(NamedTuple):
    """A rulebook as clauses and rulings, in the order of the page."""

    ruleset: str
    path: Path
    clauses: dict[str, Clause]
    questions: dict[str, OpenQuestion]
    labels: tuple[str, ...] = ()
    """Ids of the worked examples and of the differences between editions, which a test may be evidence for too."""


def folder() -> Path:
    """Return the folder of the inventories: inside the installed package, or in the checkout's docs.

    Raises FileNotFoundError when there are none: the installation is incomplete.
    """
    package = Path(__file__).resolve().parents[1]
    for candidate in (package / "docs" / "rules", package.parents[1] / "docs" / "rules"):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError("the pages of docs/rules are missing from this installation")


@lru_cache(maxsize=16)
def inventory(ruleset: str, prefix: str, page: Path | None = None) -> Inventory:
    """Read the inventory of a ruleset. Raises ValueError if an id is on the page twice.

    Args:
        ruleset: Name, as in `duel`.
        prefix: Prefix of its clause ids, as in `CH-`.
        page: The page; that of its name among the docs by default. Without a page, it is empty.
    """
    path = page or folder() / f"{ruleset}.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    clauses: dict[str, Clause] = {}
    questions: dict[str, OpenQuestion] = {}
    labels: list[str] = []
    chapter = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            chapter = re.sub(r"^#+\s*[\d.]*\s*", "", line)
            continue
        label = _LABEL.match(line)
        if label:
            labels.append(label[1])
            continue
        match = _ROW.match(line)
        if not match:
            continue
        id, cells = match[1], [c.strip() for c in re.split(r"(?<!\\)\|", match[2])]
        question = _QUESTION.match(id)
        if id.startswith(prefix) and not question and len(cells) >= 2:
            if id in clauses:
                raise ValueError(f"{path.name}:{number}: {id} stands there twice")
            clauses[id] = Clause(
                id=id,
                edition=cells[0],
                text=cells[1],
                note=" ".join(cells[2:]).strip(),
                chapter=chapter,
                binds="advice" not in chapter.lower(),
                optional="optional rule" in chapter.lower(),
            )
        elif question and len(cells) >= 4 and id not in questions:
            switch = _SWITCH.search(cells[3])
            questions[id] = OpenQuestion(id, cells[0], cells[1], cells[2], switch[1] if switch else "")
    return Inventory(ruleset, path, clauses, questions, tuple(dict.fromkeys(labels)))
