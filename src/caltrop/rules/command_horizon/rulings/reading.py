"""Rulings are read strictly: every name in them is checked before anything is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import UNSET
from msgspec.structs import fields

from caltrop import InputError
from caltrop.engine import Book, settle
from caltrop.roster import nearest, read_yaml
from caltrop.rules.command_horizon.catalogue import EDITIONS, armies, kinds, switches
from caltrop.rules.command_horizon.rulings.form import (
    ARMIES_OF_A_SCENE,
    SIDES,
    Case,
    Line,
    RulingFile,
    SceneGiven,
    merged,
    name_of,
)
from caltrop.rules.command_horizon.rulings.play import QUESTIONS, RULESET, SPELLED, STARTS, Words, vocabulary
from caltrop.scenarios.rulings import Ruling

LINES = ("start", "do", "pass_", "dice", "ask", "expect")


def read(file: Path) -> Ruling:
    """Read a ruling, and check every name in it.

    Raises:
        InputError: for the first thing that is wrong, with file, line and column.
    """
    found = read_yaml(file, RulingFile)
    head = found.value
    ruling = Ruling(file, head, found.places)
    if head.ruleset != RULESET:
        raise ruling.wrong(f"this is a ruling of {head.ruleset}, and not of {RULESET}", "ruleset")
    if not head.cases:
        raise ruling.wrong("a ruling has a case or more", "cases")
    for i, edition in enumerate(head.editions):
        if edition not in EDITIONS:
            raise ruling.wrong(f"there is no edition {edition!r}; {nearest(edition, EDITIONS)}", "editions", i)
    names: list[str] = []
    for i, case in enumerate(head.cases):
        if name_of(case, i) in names:
            raise ruling.wrong(f"two cases are called {name_of(case, i)!r}", "cases", i, "case")
        names.append(name_of(case, i))
        _check_case(ruling, head, case, i)
    return ruling


def _check_case(ruling: Ruling, head: RulingFile, case: Case, i: int) -> None:
    for j, edition in enumerate(case.editions):
        if edition not in ruling.editions:
            said = f"the ruling does not hold in {edition!r}; {nearest(edition, ruling.editions)}"
            raise ruling.wrong(said, "cases", i, "editions", j)
    try:
        settle(switches(), {**head.rules, **case.rules})
    except ValueError as error:
        raise ruling.wrong(str(error), "cases", i, "rules") from None
    refereed = case.answer is not UNSET or case.refused is not UNSET
    if refereed == bool(case.play):
        raise ruling.wrong("a case has an answer (or a refusal) to an attack, or else something to play", "cases", i)
    if refereed:
        if not (head.attack or case.attack is not UNSET):
            raise ruling.wrong("there is no attack to referee", "cases", i)
        if case.answer is not UNSET and case.refused is not UNSET:
            raise ruling.wrong("an attack is answered or refused, and not both", "cases", i)
        return
    given = merged(head.scene, case.scene)
    known = _check_scene(ruling, given, i, case.editions or ruling.editions)
    for j, line in enumerate(case.play):
        _check_line(ruling, line, known, case.editions or ruling.editions, ("cases", i, "play", j))


def _check_scene(ruling: Ruling, given: SceneGiven, i: int, editions: Sequence[str]) -> list[str]:
    """The names of the units of a scene, which is checked."""

    def wrong(message: str, *path: str | int) -> InputError:
        """An error about what the case says, or the ruling's own scene where the case does not say it."""
        own, whole = ("cases", i, "scene", *path), ("scene", *path)
        return ruling.wrong(message, *(whole if own not in ruling.places and whole in ruling.places else own))

    races = given.armies or ARMIES_OF_A_SCENE
    for race in races:
        for book in [Book(RULESET, edition) for edition in editions]:
            if race not in armies(book):
                hint = nearest(race, armies(book))
                raise wrong(f"there is no army {race!r} in the edition {book.edition}; {hint}", "armies")
    units = given.units or {}
    for name, unit in units.items():
        if unit.side is UNSET or unit.kind is UNSET:
            raise wrong(f"the unit {name!r} needs a side and a kind", "units", name)
        race = races[SIDES[unit.side]]
        for book in [Book(RULESET, edition) for edition in editions]:
            if unit.kind not in kinds(book, race):
                hint = nearest(unit.kind, kinds(book, race))
                message = f"there is no {race} unit {unit.kind!r} in the edition {book.edition}; {hint}"
                raise wrong(message, "units", name, "kind")
        for key in ("locked", "marking", "platoon"):
            said = getattr(unit, key) or ()
            for other in (said,) if isinstance(said, str) else said:
                if other not in units:
                    raise wrong(f"the scene has no unit {other!r}; {nearest(other, units)}", "units", name, key)
    for wound in given.wounds or ():
        if wound.unit not in units:
            raise wrong(f"the scene has no unit {wound.unit!r}; {nearest(wound.unit, units)}", "wounds")
    return list(units)


def _known(ruling: Ruling, name: str, known: Sequence[str], *path: str | int) -> None:
    if name not in known:
        raise ruling.wrong(f"the scene has no unit {name!r}; {nearest(name, known)}", *path)


def _check_line(
    ruling: Ruling, line: Line, known: list[str], editions: Sequence[str], path: tuple[str | int, ...]
) -> None:
    said = [w for w in LINES if getattr(line, w) is not UNSET]
    if len(said) != 1:
        raise ruling.wrong(f"a line of play has exactly one of {', '.join(w.rstrip('_') for w in LINES)}", *path)
    keys = {f.encode_name: f.name for f in fields(Line) if getattr(line, f.name) not in (UNSET, ())}
    words = vocabulary()
    choices: Mapping[str, Sequence[str]] = {
        "start": tuple(STARTS),
        "do": ("first", *words.actions),
        "pass": tuple(words.decisions),
        "of": tuple(words.decisions),
        "ask": tuple(QUESTIONS),
    }
    for key, allowed in choices.items():
        word = getattr(line, keys.get(key, "start"), UNSET) if key in keys else UNSET
        if word is not UNSET and word not in allowed:
            raise ruling.wrong(f"there is no {key} {word!r}; {nearest(word, allowed)}", *path, key)
    if line.ask == "values of":
        race = line.army or ""
        for book in [Book(RULESET, edition) for edition in editions]:
            if line.kind not in kinds(book, race):
                hint = nearest(line.kind, kinds(book, race))
                raise ruling.wrong(
                    f"there is no {race} unit {line.kind!r} in the edition {book.edition}; {hint}", *path
                )
    may = _keys_of(line, words)
    for key in keys:
        if key not in may:
            raise ruling.wrong(f"{said[0].rstrip('_')} takes no such key here; {nearest(key, may)}", *path, key)
    for key in ("unit", "target", "enemy", "charger", "vehicle", "into", "sighter", "answers"):
        if key in keys:
            _known(ruling, getattr(line, key), known, *path, key)
    for key in ("model", "base"):
        if key in keys:
            name, _, number = getattr(line, key).partition(".")
            _known(ruling, name, known, *path, key)
            if not number.isdigit():
                raise ruling.wrong("a model is named as in `target.2`", *path, key)
    for part in line.parts or ():
        _known(ruling, part.target, known, *path, "parts")
    if line.expect is not UNSET:
        for name in (*line.expect.units, *line.expect.marks):
            _known(ruling, name, known, *path, "expect")
        told = (*(str(e.get("event")) for e in line.expect.told), *line.expect.untold)
        for word in told:
            if word not in words.events:
                raise ruling.wrong(f"there is no event {word!r}; {nearest(word, words.events)}", *path, "expect")
        waits = line.expect.waiting
        if waits is not UNSET and waits not in ("nothing", *words.decisions):
            hint = nearest(waits, ("nothing", *words.decisions))
            raise ruling.wrong(f"there is no decision {waits!r}; {hint}", *path, "expect", "waiting")
    known.extend(line.made)


def _keys_of(line: Line, words: Words) -> list[str]:
    """The keys that a line may have."""
    if line.start is not UNSET:
        return ["start", "side", "made", *STARTS[line.start][1]]
    if line.ask is not UNSET:
        return ["ask", "is", *QUESTIONS[line.ask][1]]
    if line.do is not UNSET:
        own = ["do", "side", "refused", "allowed", "of", "made"]
        for f in fields(words.actions[line.do]) if line.do != "first" else ():
            own.extend(SPELLED.get(f.encode_name, (f.encode_name,)))
        return [*own, "unit"] if line.of is not UNSET else own
    if line.pass_ is not UNSET:
        return ["pass", "made"]
    return ["dice"] if line.dice is not UNSET else ["expect"]
