"""Reading rulings strictly: every name in a case is checked before anything is played. A game adds its own checks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET

from caltrop.engine import ruleset, settle
from caltrop.errors import InputError
from caltrop.roster import nearest, read_yaml
from caltrop.scenarios.cases import CaseGiven, ExpectedGiven, FileGiven, fields_of, name_of
from caltrop.scenarios.playing import CasePlay
from caltrop.scenarios.rulings import Ruling


class Reader(ABC):
    """Reads the rulings of a game strictly: every name in them is checked before anything is played."""

    game: ClassVar[str]
    form: ClassVar[type[FileGiven[Any, Any]]]
    play: ClassVar[type[CasePlay]]
    kinds: ClassVar[tuple[str, ...]] = ("start", "do", "pass_", "dice", "ask", "expect")
    """Keys that set the kind of a line; a line has exactly one of them."""
    beside: ClassVar[tuple[str, ...]] = ("do", "side", "refused", "allowed")
    """Keys that a line with an action may have, besides the fields of the action."""
    extra: ClassVar[tuple[str, ...]] = ()
    """Keys that every line that changes something may have."""
    units: ClassVar[tuple[str, ...]]

    def read(self, file: Path | str) -> Ruling:
        """Read a ruling. Raises InputError for the first fault, with file, line and column."""
        parsed = read_yaml(file, self.form)
        head = parsed.value
        ruling = Ruling(Path() if isinstance(file, str) else file, parsed)
        if head.ruleset != self.game:
            raise ruling.wrong(f"this is a ruling of {head.ruleset}; this game is {self.game}", "ruleset")
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
                complaint = f"the ruling does not hold in {edition!r}; {nearest(edition, ruling.editions)}"
                raise ruling.wrong(complaint, "cases", i, "editions", j)
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
        names = self.scene(ruling, case, i, editions)
        for j, line in enumerate(case.play):
            self._line(ruling, line, names, editions, ("cases", i, "play", j))

    @abstractmethod
    def scene(self, ruling: Ruling, case: Any, i: int, editions: Sequence[str]) -> list[str]:
        """Check the scene of a case, and return the names of its units."""

    @abstractmethod
    def line(self, ruling: Ruling, line: Any, names: list[str], editions: Sequence[str], *path: str | int) -> None:
        """Check the names in the game's own keys of a line."""

    @staticmethod
    def scene_fault(ruling: Ruling, i: int, message: str, *path: str | int) -> InputError:
        """Return an error about a case's scene, or about the ruling's scene if the fault is not in the case."""
        own, whole = ("cases", i, "scene", *path), ("scene", *path)
        return ruling.wrong(message, *(whole if not ruling.says(*own) and ruling.says(*whole) else own))

    @staticmethod
    def known(ruling: Ruling, name: str, names: Sequence[str], *path: str | int) -> None:
        if name not in names:
            raise ruling.wrong(f"the scene has no unit {name!r}; {nearest(name, names)}", *path)

    def _line(
        self, ruling: Ruling, line: Any, names: list[str], editions: Sequence[str], path: tuple[str | int, ...]
    ) -> None:
        kinds = [w for w in self.kinds if getattr(line, w) is not UNSET]
        if len(kinds) != 1:
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
                raise ruling.wrong(f"{kinds[0].rstrip('_')} takes no such key here; {nearest(key, may)}", *path, key)
        for key in self.units:
            if key in keys:
                self.known(ruling, getattr(line, key), names, *path, key)
        if line.expect is not UNSET:
            self._expected(ruling, line.expect, names, *path, "expect")
        self.line(ruling, line, names, editions, *path)

    def _expected(self, ruling: Ruling, expected: ExpectedGiven, names: list[str], *path: str | int) -> None:
        words = self.play.vocabulary()
        for name in expected.units:
            self.known(ruling, name, names, *path)
        for word in (*(str(e.get("event")) for e in expected.events), *expected.untold):
            if word not in words.events:
                raise ruling.wrong(f"there is no event {word!r}; {nearest(word, words.events)}", *path)
        waits = expected.waiting
        if waits is not UNSET and waits not in ("nothing", *words.decisions):
            hint = nearest(waits, ("nothing", *words.decisions))
            raise ruling.wrong(f"there is no decision {waits!r}; {hint}", *path, "waiting")

    def keys_of(self, line: Any) -> list[str]:
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
