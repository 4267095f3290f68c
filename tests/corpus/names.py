"""The names by which games are stored: `python -m tests.corpus.names` writes the lists.

`listed/` has a list for every ruleset: acts, decisions, events, procedures with their steps, the state, and every
record in them, each with its fields and the words that a field may hold. One more list has the names that all share:
recorded games and the rows of a server's database. A name that has been stored stays: `test_names.py` fails if one
vanishes.

`classes.txt` lists the classes whose names and fields stay: those that are stored in games and campaigns or sent to
pages, and those that authors of rulesets and players import. `tests.plain` reads it.
"""

from __future__ import annotations

import inspect as python
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Union

from msgspec import inspect

from caltrop.engine import Entry, name_of, ruleset, rulesets
from caltrop.engine.store import stored_type
from caltrop.host import events
from caltrop.host.campaigns import Begun
from caltrop.host.together import clubs, notices, openings, passkeys, persons, ratings
from caltrop.host.together.sheets import StoredSheet
from caltrop.journal import Record
from caltrop.server import shapes

FOLDER = Path(__file__).parent / "listed"
CLASSES = Path(__file__).with_name("classes.txt")
PUBLIC = ("asking", "chance", "clauses", "engine", "geometry", "journal", "picture", "players", "roster")
PARTS = ("asking.whole", "engine.parts")
SHEETS = (clubs, notices, openings, passkeys, persons, ratings)


def _inner(kind: Any) -> Iterator[Any]:
    """Return the types that a type is made of."""
    for part in ("types", "item_types"):
        yield from getattr(kind, part, ())
    for part in ("type", "item_type", "key_type", "value_type"):
        inner = getattr(kind, part, None)
        if isinstance(inner, inspect.Type):
            yield inner


def _words(kind: Any) -> Iterator[Any]:
    """Yield the words that a value of a type may be, if they are listed."""
    if isinstance(kind, inspect.LiteralType):
        yield from kind.values
    elif not isinstance(kind, inspect.StructType):
        for inner in _inner(kind):
            yield from _words(inner)


def _walk(kind: Any, found: set[str], what: dict[type, str], seen: set[type]) -> None:
    """Record the names of every record that a type is made of."""
    if isinstance(kind, inspect.StructType):
        if kind.cls in seen:
            return
        seen.add(kind.cls)
        tag = kind.tag if isinstance(kind.tag, str) else kind.cls.__name__
        name = what.get(kind.cls, "record")
        name = name if name == "state" else f"{name} {tag}"
        found.add(name)
        for field in kind.fields:
            found.add(f"{name}.{field.encode_name}")
            found.update(f"{name}.{field.encode_name} = {word}" for word in _words(field.type))
            _walk(field.type, found, what, seen)
        return
    for inner in _inner(kind):
        _walk(inner, found, what, seen)


def names_of(name: str) -> set[str]:
    """Return the stored names of a ruleset."""
    rules = ruleset(name)
    vocabulary = rules.vocabulary()
    what: dict[type, str] = {}
    found: set[str] = set()
    seen: set[type] = set()
    for part in ("procedures", "decisions", "actions", "events"):
        what.update(dict.fromkeys(getattr(vocabulary, part), part[:-1]))
    state = stored_type(rules)
    what[state] = "state"
    for procedure in vocabulary.procedures:
        found.update(f"step {name_of(procedure)}.{step}" for step in procedure.plan)  # type: ignore[attr-defined]
    kinds: list[Any] = [state]
    for part in ("procedures", "decisions", "actions", "events"):
        kinds += getattr(vocabulary, part)
    for kind in kinds:
        _walk(inspect.type_info(kind), found, what, seen)
    return found


def names_of_all() -> set[str]:
    """Return the stored names that all rulesets share."""
    found: set[str] = set()
    found.update(f"row {kind}" for kind in ("created", *events.BODIES))
    kinds: list[Any] = [Record, Union[Entry], events.Created, *events.BODIES.values()]  # noqa: UP007  made at run time
    for kind in kinds:
        _walk(inspect.type_info(kind), found, {}, set())
    return found


def sheets() -> list[type[StoredSheet]]:
    """Return the records that a server stores beside games."""
    kinds = [kind for module in SHEETS for kind in vars(module).values() if isinstance(kind, type)]
    return [kind for kind in kinds if issubclass(kind, StoredSheet) and kind is not StoredSheet]


def fixed_classes() -> list[str]:
    """Return the full names of the classes whose names and fields may not change."""
    seen: set[type] = set()
    kinds: list[Any] = [Record, Union[Entry], events.Created, *events.BODIES.values(), Begun, *sheets()]  # noqa: UP007
    kinds += [*shapes.SENT, *shapes.SAID]
    for name in rulesets():
        rules = ruleset(name)
        vocabulary = rules.vocabulary()
        seen.add(rules.state)
        kinds.append(stored_type(rules))
        for part in ("procedures", "decisions", "actions", "events"):
            kinds += getattr(vocabulary, part)
        if rules.campaigns is not None:
            kinds.append(rules.campaigns.CampaignFile)
    for kind in kinds:
        _walk(inspect.type_info(kind), set(), {}, seen)
    for package in PUBLIC:
        module = import_module(f"caltrop.{package}")
        public = [getattr(module, name) for name in module.__all__]
        seen |= {part for part in public if python.isclass(part)}
    for name in PARTS:
        module = import_module(f"caltrop.{name}")
        seen |= {part for part in vars(module).values() if python.isclass(part) and part.__module__ == module.__name__}
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in seen}
    return sorted(name for name in names if name.startswith("caltrop."))


def every() -> dict[str, set[str]]:
    """Return all lists by the names of their files."""
    return {"caltrop": names_of_all(), **{name: names_of(name) for name in rulesets()}}


def main() -> int:
    """Write all lists. Names that no longer exist are reported and stay in their lists."""
    FOLDER.mkdir(exist_ok=True)
    gone = 0
    for name, found in every().items():
        file = FOLDER / f"{name}.txt"
        before = set(file.read_text(encoding="utf-8").splitlines()) if file.exists() else set[str]()
        for lost in sorted(before - found):
            print(f"{name}: {lost} has vanished; keep it by a tag or by msgspec.field(name=…)", file=sys.stderr)
            gone += 1
        file.write_text("".join(f"{line}\n" for line in sorted(before | found)), encoding="utf-8")
    CLASSES.write_text("".join(f"{line}\n" for line in fixed_classes()), encoding="utf-8")
    return 1 if gone else 0


if __name__ == "__main__":
    raise SystemExit(main())
