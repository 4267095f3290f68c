"""The cases of a ruling: what every game's may say, and how they are read.

A case is an attack that is refereed, or a scene that is played line by line. A game adds its own keys to these records,
and its own checks to `Reader`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import FieldInfo, fields

from caltrop import InputError
from caltrop.engine import HouseValue, ruleset, settle
from caltrop.roster import nearest, read_yaml
from caltrop.scenarios.rulings import Head, Ruling

if TYPE_CHECKING:
    from caltrop.scenarios.playing import Play

R = TypeVar("R", bound=msgspec.Struct)
S = TypeVar("S", bound="PositionGiven")
L = TypeVar("L", bound="LineGiven")
C = TypeVar("C", bound="CaseGiven[Any, Any]")

NOT_ASKED = "not asked"
"""Instead of a clause: the side has nothing to decide now."""


class LineGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play. It has exactly one of the keys that say what it is."""

    start: str | UnsetType = UNSET
    """A step of the turn, or another procedure, that begins now."""
    do: str | UnsetType = UNSET
    """An action, by its name; `first` takes the first option."""
    pass_: str | UnsetType = msgspec.field(default=UNSET, name="pass")
    """A decision that does not matter here: it is answered by its first option, as often as it is asked."""
    dice: Any = UNSET
    """A roll that the line before it makes."""
    ask: str | UnsetType = UNSET
    """A number to look up."""
    expect: Any = UNSET
    """What must hold now."""

    side: str | UnsetType = UNSET
    """The side that acts; the one that is asked, where it is left out."""
    refused: str | UnsetType = UNSET
    """The action may not be taken, by this clause; or `not asked`, where the side has nothing to decide now."""
    allowed: bool | UnsetType = UNSET
    """The action may be taken (or not), and is not."""
    is_: Any = msgspec.field(default=UNSET, name="is")
    """The answer to what is asked."""


class ExpectedGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must hold now."""

    units: Any = msgspec.field(default_factory=dict)
    """Units by their names."""
    waiting: str | UnsetType = UNSET
    """The decision that is asked now, or `nothing`."""
    asked: str | UnsetType = UNSET
    """The side that it is put to."""
    told: tuple[dict[str, Any], ...] = ()
    """Events since the last order or start, each with some of its values."""
    untold: tuple[str, ...] = ()
    """Events that must not have happened since then."""


class PositionGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. A case's says only what differs from the ruling's own."""

    units: Any = UNSET
    """Units by their names."""


class CaseGiven(msgspec.Struct, Generic[S, L], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling: an attack, or a scene that is played.

    A game names its scenes and lines: `class Case(CaseGiven[SceneGiven, Line], …)`.
    """

    case: str = ""
    """Its name, as `a`; its number where it is left out."""
    words: str = ""
    """What it is about."""
    editions: tuple[str, ...] = ()
    """The editions in which it holds, where these are fewer than the ruling's."""
    rules: dict[str, HouseValue] = {}
    """House rules, besides the ruling's own."""
    attack: dict[str, Any] | UnsetType = UNSET
    """An attack request; ruleset, edition and house rules are the ruling's."""
    answer: dict[str, Any] | UnsetType = UNSET
    """What the referee must answer, or some of it; `because` lists clauses that must be among the reasons."""
    refused: str | UnsetType = UNSET
    """The clause by which the attack is refused."""
    scene: S | UnsetType = UNSET
    play: tuple[L, ...] = ()


class FileGiven(Head, Generic[S, C], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling with its cases: `class RulingFile(FileGiven[SceneGiven, Case], …)`."""

    scene: S | UnsetType = UNSET
    """The position that the cases begin with, each with its changes."""
    attack: dict[str, Any] = msgspec.field(default_factory=dict)
    """The attack that the cases are about, each with its changes."""
    cases: tuple[C, ...]


def name_of(case: CaseGiven[Any, Any], index: int) -> str:
    """What a case is called."""
    return case.case or str(index + 1)


@cache
def fields_of(form: type[msgspec.Struct]) -> tuple[FieldInfo, ...]:
    """The fields of a type of record; each line of a ruling asks for those of its own, and the types are few."""
    return fields(form)


def over(own: R, change: R) -> R:
    """A record with whatever another one of its type says in its place."""
    said = {f.name: getattr(change, f.name) for f in fields_of(type(change)) if getattr(change, f.name) is not UNSET}
    return msgspec.structs.replace(own, **said)


def merged(own: S | UnsetType, change: S | UnsetType, form: type[S]) -> S:
    """A ruling's scene with the changes of one of its cases; units are changed value by value.

    Args:
        own: The ruling's scene, which may be unset.
        change: The case's, which may be.
        form: What the scenes of the game are.
    """
    if own is UNSET or change is UNSET:
        return change or own or form()
    units = dict(own.units or {})
    for name, unit in (change.units or {}).items():
        units[name] = over(units[name], unit) if name in units else unit
    return msgspec.structs.replace(over(own, change), units=units)


class Reader(ABC):
    """Reads the rulings of a game strictly: every name in them is checked before anything is played."""

    game: ClassVar[str]
    form: ClassVar[type[FileGiven[Any, Any]]]
    play: ClassVar[type[Play]]
    kinds: ClassVar[tuple[str, ...]] = ("start", "do", "pass_", "dice", "ask", "expect")
    """Keys of which a line has exactly one."""
    beside: ClassVar[tuple[str, ...]] = ("do", "side", "refused", "allowed")
    """Keys that a line with an action may have, besides the fields of the action."""
    extra: ClassVar[tuple[str, ...]] = ()
    """Keys that every line that does something may have."""
    units: ClassVar[tuple[str, ...]]
    """Keys that name a unit."""

    def read(self, file: Path) -> Ruling:
        """Read a ruling.

        Raises:
            InputError: for the first thing that is wrong, with file, line and column.
        """
        found = read_yaml(file, self.form)
        head = found.value
        ruling = Ruling(file, found)
        if head.ruleset != self.game:
            raise ruling.wrong(f"this is a ruling of {head.ruleset}, and not of {self.game}", "ruleset")
        if not head.cases:
            raise ruling.wrong("a ruling has a case or more", "cases")
        editions = ruleset(self.game).editions
        for i, edition in enumerate(head.editions):
            if edition not in editions:
                raise ruling.wrong(f"there is no edition {edition!r}; {nearest(edition, editions)}", "editions", i)
        names: list[str] = []
        for i, case in enumerate(head.cases):
            if name_of(case, i) in names:
                raise ruling.wrong(f"two cases are called {name_of(case, i)!r}", "cases", i, "case")
            names.append(name_of(case, i))
            self._case(ruling, head, case, i)
        return ruling

    def _case(self, ruling: Ruling, head: FileGiven[Any, Any], case: CaseGiven[Any, Any], i: int) -> None:
        for j, edition in enumerate(case.editions):
            if edition not in ruling.editions:
                said = f"the ruling does not hold in {edition!r}; {nearest(edition, ruling.editions)}"
                raise ruling.wrong(said, "cases", i, "editions", j)
        try:
            settle(ruleset(self.game).switches, {**head.rules, **case.rules})
        except ValueError as error:
            raise ruling.wrong(str(error), "cases", i, "rules") from None
        refereed = case.answer is not UNSET or case.refused is not UNSET
        if refereed == bool(case.play):
            raise ruling.wrong(
                "a case has an answer (or a refusal) to an attack, or else something to play", "cases", i
            )
        if refereed:
            if not (head.attack or case.attack is not UNSET):
                raise ruling.wrong("there is no attack to referee", "cases", i)
            if case.answer is not UNSET and case.refused is not UNSET:
                raise ruling.wrong("an attack is answered or refused, and not both", "cases", i)
            return
        editions = case.editions or ruling.editions
        known = self.scene(ruling, case, i, editions)
        for j, line in enumerate(case.play):
            self._line(ruling, line, known, editions, ("cases", i, "play", j))

    @abstractmethod
    def scene(self, ruling: Ruling, case: Any, i: int, editions: Sequence[str]) -> list[str]:
        """Check the scene of a case, and tell the names of its units."""

    @abstractmethod
    def line(self, ruling: Ruling, line: Any, known: list[str], editions: Sequence[str], *path: str | int) -> None:
        """Check what a line says besides: names in keys that are the game's own."""

    @staticmethod
    def scene_fault(ruling: Ruling, i: int, message: str, *path: str | int) -> InputError:
        """An error about what a case says of its scene, or the ruling's own scene where the case does not say it."""
        own, whole = ("cases", i, "scene", *path), ("scene", *path)
        return ruling.wrong(message, *(whole if not ruling.says(*own) and ruling.says(*whole) else own))

    @staticmethod
    def known(ruling: Ruling, name: str, known: Sequence[str], *path: str | int) -> None:
        """Complain of a unit that the scene does not have."""
        if name not in known:
            raise ruling.wrong(f"the scene has no unit {name!r}; {nearest(name, known)}", *path)

    def _line(
        self, ruling: Ruling, line: Any, known: list[str], editions: Sequence[str], path: tuple[str | int, ...]
    ) -> None:
        said = [w for w in self.kinds if getattr(line, w) is not UNSET]
        if len(said) != 1:
            every = ", ".join(w.rstrip("_") for w in self.kinds)
            raise ruling.wrong(f"a line of play has exactly one of {every}", *path)
        form: type[msgspec.Struct] = type(line)
        keys = {f.encode_name: f.name for f in fields_of(form) if getattr(line, f.name) not in (UNSET, ())}
        words = self.play.vocabulary()
        choices: Mapping[str, Sequence[str]] = {
            "start": tuple(self.play.starts),
            "do": ("first", *words.actions),
            "pass": tuple(words.decisions),
            "of": tuple(words.decisions),
            "ask": tuple(self.play.questions),
        }
        for key, allowed in choices.items():
            word = getattr(line, keys[key]) if key in keys else UNSET
            if word is not UNSET and word not in allowed:
                raise ruling.wrong(f"there is no {key} {word!r}; {nearest(word, allowed)}", *path, key)
        may = self.keys_of(line)
        for key in keys:
            if key not in may:
                raise ruling.wrong(f"{said[0].rstrip('_')} takes no such key here; {nearest(key, may)}", *path, key)
        for key in self.units:
            if key in keys:
                self.known(ruling, getattr(line, key), known, *path, key)
        if line.expect is not UNSET:
            self._expected(ruling, line.expect, known, *path, "expect")
        self.line(ruling, line, known, editions, *path)

    def _expected(self, ruling: Ruling, wanted: ExpectedGiven, known: list[str], *path: str | int) -> None:
        words = self.play.vocabulary()
        for name in wanted.units:
            self.known(ruling, name, known, *path)
        for word in (*(str(e.get("event")) for e in wanted.told), *wanted.untold):
            if word not in words.events:
                raise ruling.wrong(f"there is no event {word!r}; {nearest(word, words.events)}", *path)
        waits = wanted.waiting
        if waits is not UNSET and waits not in ("nothing", *words.decisions):
            hint = nearest(waits, ("nothing", *words.decisions))
            raise ruling.wrong(f"there is no decision {waits!r}; {hint}", *path, "waiting")

    def keys_of(self, line: Any) -> list[str]:
        """The keys that a line may have."""
        if line.start is not UNSET:
            return ["start", "side", *self.extra, *self.play.starts[line.start][1]]
        if line.ask is not UNSET:
            return ["ask", "is", *self.play.questions[line.ask][1]]
        if line.do is not UNSET:
            own = [*self.beside, *self.extra]
            for f in fields_of(self.play.vocabulary().actions[line.do]) if line.do != "first" else ():
                own.extend(self.play.spelled.get(f.encode_name, (f.encode_name,)))
            return own
        if line.pass_ is not UNSET:
            return ["pass", *self.extra]
        return [w for w in self.kinds if getattr(line, w) is not UNSET]
