"""Printed numbers of units, weapons and the like, typed a second time: `printed/GAME.yaml`.

A table of such a file names the rows of the data that it is about (`read`) and the values that every row prints
(`columns`). `works_out` has those that a function of the rules works out. `otherwise` has defaults for rows, and
`besides` the fields that are not printed numbers. A row has the printed values (`is`, `more`), the clauses that they
stand in, and the edition where several differ. If the page of clauses prints the row too, `page` is its line: `{field}`
stands for a value, `{field:/}` for several with a stroke between them, `*` for anything.
"""

from __future__ import annotations

import fnmatch
import importlib
from functools import cache, reduce
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from caltrop.clauses.inventory import folder
from caltrop.engine import ruleset, rulesets
from caltrop.roster import read_yaml

FOLDER = Path(__file__).parent / "printed"


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Printed numbers of one thing."""

    id: str
    is_: tuple[Any, ...] = msgspec.field(name="is")
    more: dict[str, Any] = {}
    edition: str = ""
    clauses: str = ""
    page: str = ""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Printed numbers of all things of a kind."""

    read: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    works_out: dict[str, str] = {}
    otherwise: dict[str, Any] = {}
    besides: tuple[str, ...] = ()
    clauses: str = ""
    page: str = ""


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file."""

    tables: dict[str, Table]


GAMES = [game for game in rulesets() if (FOLDER / f"{game}.yaml").exists()]
EVERY = [
    (game, name, table)
    for game in GAMES
    for name, table in read_yaml(FOLDER / f"{game}.yaml", Printed).value.tables.items()
]
TABLES = [pytest.param(game, table, id=f"{game}-{name}") for game, name, table in EVERY]
ON_PAGES = [pytest.param(game, table, id=f"{game}-{name}") for game, name, table in EVERY if table.page]
ROWS = [
    pytest.param(
        *(game, table, row, edition),
        marks=pytest.mark.clause(*table.clauses.split(), *row.clauses.split()),
        id=f"{game}-{name}-{row.id}-{edition}",
    )
    for game, name, table in EVERY
    for row in table.rows
    for edition in ([row.edition] if row.edition else ruleset(game).editions)
]


def named(path: str) -> Any:
    """Return the object of this name, as in `caltrop.module:NAME.attribute`."""
    module, _, name = path.partition(":")
    return reduce(getattr, name.split("."), importlib.import_module(module))


def rows(table: Table, edition: str) -> dict[str, Any]:
    """Return the rows of the data that a table is about, by id."""
    result = named(table.read)
    result = result() if callable(result) else result
    return {"/".join(key) if isinstance(key, tuple) else key: row for key, row in result.get(edition, result).items()}


def said(table: Table, row: Row) -> dict[str, Any]:
    """Return every printed value of a row."""
    return {**table.otherwise, **dict(zip(table.columns, row.is_, strict=True)), **row.more}


def plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


class Cell(NamedTuple):
    """A value as a page prints it: `{armour: / }` says what stands between several."""

    value: Any

    def __format__(self, between: str) -> str:
        several = self.value if isinstance(self.value, list) else [self.value]
        # A page writes words apart that an id joins.
        words = [one.replace("-", "?") if isinstance(one, str) else str(one) for one in several if one is not None]
        return between.join(words) or "-"


@cache
def lines(game: str) -> list[str]:
    """Return the lines of the page of clauses, in small letters."""
    return (folder() / f"{game}.md").read_text(encoding="utf-8").lower().splitlines()


def test_games_have_tables() -> None:
    assert {"command-horizon", "hex-command", "blade-skirmish", "squad-action"} <= set(GAMES)


@pytest.mark.parametrize(("game", "table", "row", "edition"), ROWS)
def test_the_data_says_what_is_printed(game: str, table: Table, row: Row, edition: str) -> None:
    result, book = rows(table, edition)[row.id], ruleset(game).book(edition)
    says = said(table, row)
    # A function of the rules is asked with the book, if it may differ from one to the other.
    made = {field: named(path) for field, path in table.works_out.items()}
    asked = {
        field: (book, result) if len(signature(make).parameters) > 1 else (result,) for field, make in made.items()
    }
    values = {field: made[field](*asked[field]) if field in made else getattr(result, field) for field in says}
    assert {field: plain(value) for field, value in values.items()} == says
    # Every field of the row is in the table as a printed value, or is known to be none.
    assert {*says, *table.besides} - set(made) == set(result.__struct_fields__)


@pytest.mark.parametrize(("game", "table"), TABLES)
def test_no_row_is_left_out(game: str, table: Table) -> None:
    for edition in ruleset(game).editions:
        listed = [row.id for row in table.rows if row.edition in ("", edition)]
        data = set(rows(table, edition))
        place = f"rows of `{table.read}` in tests/rules/printed/{game}.yaml"
        columns = ", ".join(table.columns)
        assert sorted(data - set(listed)) == [], f"{place}: type `- {{id: …, is: [{columns}]}}`, as the page prints it"
        assert sorted(set(listed) - data) == [], f"{place}: the data has none of these; take them away"


@pytest.mark.parametrize(("game", "table"), ON_PAGES)
def test_the_page_of_clauses_prints_the_same(game: str, table: Table) -> None:
    for row in table.rows:
        values = {**said(table, row), "id": row.id, "clauses": row.clauses}
        line = (row.page or table.page).format_map({key: Cell(value) for key, value in values.items()})
        count = len(fnmatch.filter(lines(game), line.lower()))
        assert count == 1, f"docs/rules/{game}.md has {count} lines like this one; it should have 1:\n{line}"
