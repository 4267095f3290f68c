"""Play rulings: scenes become battles, lines become actions, and the results are compared with the ruling.

A game defines its scenes, the procedures that can be started, the numbers that can be asked, and the checks in a
subclass of `CasePlay`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.chance import Scripted, ScriptError, Seeded
from caltrop.engine import (
    Action,
    Book,
    Decision,
    Event,
    HouseValue,
    Match,
    Procedure,
    Refusal,
    Refused,
    State,
    ruleset,
)
from caltrop.engine import name_of as kind_of
from caltrop.errors import InputError
from caltrop.roster import nearest
from caltrop.scenarios.cases import (
    NOT_ASKED,
    CaseGiven,
    ExpectedGiven,
    FileGiven,
    PositionGiven,
    fields_of,
    keys_said,
    merged,
    name_of,
)
from caltrop.scenarios.notation import Fact, Lengths, Notation, UnitFacts, as_lists
from caltrop.scenarios.rulings import Ruling, RulingDifference

Position = TypeVar("Position", bound=PositionGiven)


class GameWords(msgspec.Struct, frozen=True):
    actions: dict[str, type[Action]]
    decisions: dict[str, type[Decision]]
    events: dict[str, type[Event]]


@lru_cache(maxsize=8)
def vocabulary(name: str) -> GameWords:
    vocabulary = ruleset(name).vocabulary()
    return GameWords(
        {kind_of(c): c for c in vocabulary.actions},
        {kind_of(c): c for c in vocabulary.decisions},
        {kind_of(c): c for c in vocabulary.events},
    )


Starts = Mapping[str, tuple[Callable[[Any, Any, int], Procedure | tuple[Procedure, ...]], tuple[str, ...]]]
"""Procedures that can be started, by name, with their keys; of several procedures each is run by the one before it."""
Questions = Mapping[str, tuple[Callable[[Any, Any], Any], tuple[str, ...]]]
"""Numbers that can be looked up, by name, with their keys."""


class Stop(Exception):
    """A case cannot continue; its fault has been recorded."""


def first_start(case: CaseGiven[Any, Any]) -> int | None:
    """Return the index of the first line that starts something, or None."""
    return next((i for i, line in enumerate(case.play) if line.start is not UNSET), None)


class CasePlay(ABC):
    """One case that is played in one edition.

    Args:
        index: Index of the case, from 0.
    """

    game: ClassVar[str]
    sides: ClassVar[Mapping[str, int]]
    """Numbers of the sides by their names in rulings."""
    starts: ClassVar[Starts]
    questions: ClassVar[Questions]
    spelled: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Keys for fields of actions that rulings write under another name."""
    rolled: ClassVar[tuple[str, ...]] = ("dice",)
    """Keys of lines with random results for the line above them."""
    shelf: ClassVar[str] = "units"
    """The shelf of the state that holds the units."""
    lengths: ClassVar[Lengths] = Lengths(int, int)
    reads: ClassVar[Notation] = {}
    """Values of an action's fields for what a line says, by the field or by the key of the line."""
    writes: ClassVar[Notation] = {}
    """Values in the notation of rulings for the fields of events."""
    facts: ClassVar[Mapping[str, Fact]] = {}
    """Facts about the position that a line can expect, by their keys."""
    unit_facts: ClassVar[UnitFacts] = {}
    """Facts about a unit that a line can expect, if they are not a field of the unit."""

    def __init__(self, ruling: Ruling, case: Any, index: int, edition: str) -> None:
        self.ruling, self.case, self.index, self.edition = ruling, case, index, edition
        assert isinstance(ruling.head, FileGiven)
        self.head: Any = ruling.head
        self.rules: dict[str, HouseValue] = {**ruling.head.rules, **case.rules}
        self.differences: list[RulingDifference] = []
        self.ids: dict[str, int] = {}
        self.match: Match | None = None
        self.told: tuple[Event, ...] = ()
        self.path: tuple[str | int, ...] = ()
        self._before: Any = None

    @classmethod
    def vocabulary(cls) -> GameWords:
        return vocabulary(cls.game)

    # --- what a game says ---------------------------------------------------------------------------------------------

    @abstractmethod
    def scene(self) -> Any:
        """Return the state of the scene, and put the names of its units into `ids`."""

    @abstractmethod
    def before_dice(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the facts of an attack before its dice are rolled. Raises InputError if the attack is refused."""

    def value(self, line: Any, field: str, options: Any) -> Any:
        """Return the value that a line gives for a field of an action; None for nothing."""
        key = self.spelled.get(field, (field,))[0]
        given = getattr(line, key, UNSET)
        if given is UNSET:
            return None
        read = self.reads.get(field) or self.reads.get(key)
        return given if read is None else read(self, given)

    def script(self, rolls: Sequence[Any]) -> Scripted:
        return Scripted(*[line.dice for line in rolls])

    def acted(self, line: Any, before: Any) -> None:  # noqa: B027  most games have nothing to examine
        """Examine the result of a line, given the state before it. By default nothing happens."""

    def left_out(self, line: Any, kind: type[Action], field: str, values: Mapping[str, Any], options: Any) -> Any:
        """Return the intended action if a line leaves out a required field.

        Raises InputError if the action is ambiguous.
        """
        raise InputError(f"{line.do} needs {' or '.join(self.spelled.get(field, (field,)))}")

    def scene_given(self, form: type[Position]) -> Position:
        """Return the scene of the ruling with the changes of the case, and put the names of its units into `ids`."""
        given: Position = merged(self.head.scene, self.case.scene, form)
        self.ids = {name: i for i, name in enumerate(given.units or {})}
        return given

    @property
    def book(self) -> Book:
        """Return the rulebook of the case, with its edition and house rules."""
        return ruleset(self.game).book(self.edition, self.rules)

    def resolve(self, attack: dict[str, Any]) -> dict[str, Any]:
        """Return the referee's answer to an attack; without `dice`, the facts before they are rolled.

        Raises InputError if the attack is refused.
        """
        game = ruleset(self.game)
        edition = {"edition": self.edition} if len(game.editions) > 1 else {}
        request = {"ruleset": self.game, **edition, "rules": dict(self.rules), **attack}
        if "dice" not in attack:
            return self.before_dice(request)
        assert game.referee is not None
        return game.referee.resolve(request)

    # --- the state ----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        if self.match is not None:
            return self.match.state
        if self._before is None:
            self._before = self.scene()
        return self._before

    def unit(self, name: str | UnsetType) -> int:
        self.state  # noqa: B018  makes the ids
        if name is UNSET or name not in self.ids:
            raise InputError(f"there is no unit {name!r} now")
        return self.ids[name]

    def called(self, unit: int) -> str:
        return next((name for name, id in self.ids.items() if id == unit), f"unit {unit}")

    def names(self, units: Any) -> Any:
        """Return the name of a unit, or the names of several; other values stay as they are."""
        if isinstance(units, list):
            return [self.names(unit) for unit in units]
        return self.called(units) if isinstance(units, int) else units

    def side_called(self, side: int | None) -> str | None:
        return next((name for name, number in self.sides.items() if number == side), None)

    def side_names(self, sides: Any) -> Any:
        """Return the name of a side, or the names of several; other values stay as they are."""
        if isinstance(sides, list):
            return [self.side_names(side) for side in sides]
        return self.side_called(sides) if isinstance(sides, int) else sides

    def winner_now(self, expected: Any = None) -> str | None:
        """Return the winner, or `nobody` for a draw; None while the game goes on."""
        over = self.state.over
        return None if over is None else self.side_called(over.winner) or "nobody"

    def places_of(self, unit: int) -> Mapping[int, tuple[int, int] | None]:
        """Return the places of a unit's models, in order; None off the table."""
        raise NotImplementedError

    def paths(self, line: Any) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...] | None:
        """Return the models that move, with their paths: the legs in `by`, or in `paths` those of single models."""
        if line.by is UNSET and line.paths is UNSET:
            return None
        paths = []
        for n, (model, at) in enumerate(self.places_of(self.unit(line.unit)).items(), 1):
            way = [] if at is None else [at]
            if line.paths is not UNSET and n in line.paths:
                way += [self.lengths.place(place) for place in line.paths[n]]
            elif line.by is not UNSET and at is not None:
                for leg in line.by:
                    dx, dy = self.lengths.place(leg)
                    way.append((way[-1][0] + dx, way[-1][1] + dy))
            if len(way) > 1:
                paths.append((model, tuple(way)))
        return tuple(paths)

    # --- what is different --------------------------------------------------------------------------------------------

    def differs(self, path: tuple[str | int, ...], what: str, expected: Any = None, got: Any = None) -> None:
        """Record a difference at a place in the file."""
        line, column = self.ruling.text.place("cases", self.index, *path)
        self.differences.append(
            RulingDifference(
                ruling=self.ruling.id,
                case=name_of(self.case, self.index),
                edition=self.edition,
                file=str(self.ruling.file),
                line=line,
                column=column,
                what=what,
                expected=expected,
                got=got,
            )
        )

    def compare(self, path: tuple[str | int, ...], what: str, expected: Any, got: Any) -> None:
        """Record a difference if there is one; objects are compared only by the expected keys."""
        if isinstance(expected, Mapping) and isinstance(got, Mapping):
            for key, value in expected.items():
                self.compare((*path, key), f"{what}.{key}".lstrip("."), value, got.get(key))
        elif expected != got:
            self.differs(path, what, expected, got)

    # --- an attack ----------------------------------------------------------------------------------------------------

    def referee(self) -> None:
        attack = dict(self.head.attack)
        for key, value in (self.case.attack or {}).items():
            own = attack.get(key)
            attack[key] = {**own, **value} if isinstance(own, dict) and isinstance(value, dict) else value
        refused = self.case.refused
        try:
            got = self.resolve(attack)
        except InputError as error:
            if refused is UNSET:
                self.differs(("attack",), f"the attack is refused: {error}")
            elif refused not in str(error):
                self.differs(("refused",), "refused by another clause", refused, str(error))
            return
        if refused is not UNSET:
            self.differs(("refused",), "the attack is not refused", refused, got)
            return
        answer = dict(self.case.answer or {})
        because = answer.pop("because", ())
        self.compare(("answer",), "", answer, got)
        given = [term["clause"] for term in got.get("because", ())]
        for clause in because:
            if clause not in given:
                self.differs(("answer", "because"), "a reason is missing", clause, given)

    # --- acting -------------------------------------------------------------------------------------------------------

    def start(self, line: Any, rolls: Sequence[Any]) -> None:
        before = self.state
        if before.stack and before.over is None:
            self.differs(self.path, "something is still going on", "nothing", self.waiting())
            raise Stop
        t = before.clone()
        if line.side is not UNSET:
            t.active = self.sides[line.side]
        started = self.starts[line.start][0](self, line, t.active)
        t.stack = [started] if isinstance(started, Procedure) else list(started)
        self.match = Match(ruleset(self.game), t, self.script(rolls))
        self.told = self.match.opening
        self.acted(line, t)

    def waiting(self) -> str:
        waits = self.match.waiting if self.match is not None else ()
        return ", ".join(f"{kind_of(d)} of {self.side_called(d.side)}" for d in waits) or "nothing"

    def decision(self, line: Any) -> Decision | None:
        waits = self.match.waiting if self.match is not None else ()
        side = self.sides[line.side] if line.side is not UNSET else None
        return next((d for d in waits if side is None or d.side == side), None)

    def do(self, line: Any, rolls: Sequence[Any]) -> None:
        """Carry out the action of a line, or check whether it is allowed."""
        decision = self.decision(line)
        if line.refused == NOT_ASKED:
            if decision is not None:
                self.differs((*self.path, "refused"), f"{line.do}", NOT_ASKED, self.waiting())
            return
        if decision is None or self.match is None:
            self.differs((*self.path, "do"), f"nobody is asked for {line.do}", line.do, self.waiting())
            raise Stop
        options = decision.options(self.match.view(decision.side))
        action = options.first() if line.do == "first" else self.action(line, options)
        if line.refused is not UNSET or line.allowed is not UNSET:
            self._judged(line, options.refusal(action))
            return
        before: State = self.match.state
        self.match.dice = self.script(rolls)
        try:
            self.told = self.match.play(decision.side, action, decision)
        except Refused as error:
            self.differs((*self.path, "do"), f"{line.do} is refused: {error}")
            raise Stop from None
        self.acted(line, before)

    def _judged(self, line: Any, refusal: Refusal | None) -> None:
        if line.refused is not UNSET:
            if refusal is None:
                self.differs((*self.path, "refused"), f"{line.do} is not refused", line.refused, "allowed")
            elif refusal.clause != line.refused:
                got = f"{refusal.clause} ({refusal.message})"
                self.differs((*self.path, "refused"), f"{line.do} is refused by another clause", line.refused, got)
        elif line.allowed != (refusal is None):
            got = "allowed" if refusal is None else f"{refusal.clause} ({refusal.message})"
            self.differs((*self.path, "allowed"), f"{line.do}", "allowed" if line.allowed else "refused", got)

    def let_pass(self, line: Any, rolls: Sequence[Any]) -> None:
        waits = self.match.waiting if self.match is not None else ()
        if self.match is None or not waits or kind_of(waits[0]) != line.pass_:
            self.differs((*self.path, "pass"), "another decision waits", line.pass_, self.waiting())
            raise Stop
        self.match.dice = self.script(rolls)
        before: State = self.match.state
        events: list[Event] = []
        while waits and kind_of(waits[0]) == line.pass_:
            options = waits[0].options(self.match.view(waits[0].side))
            events.extend(self.match.follow(waits[0], options.first()))
            waits = self.match.waiting
        self.told = tuple(events)
        self.acted(line, before)

    def action(self, line: Any, options: Any) -> Any:
        kind = self.vocabulary().actions[line.do]
        values: dict[str, Any] = {}
        for f in fields_of(kind):
            value = self.value(line, f.name, options)
            if value is not None:
                values[f.name] = value
            elif f.required:
                return self.left_out(line, kind, f.name, values, options)
        return kind(**values)

    # --- what must hold -----------------------------------------------------------------------------------------------

    def expect(self, expected: Any, path: tuple[str | int, ...]) -> None:
        """Compare the position with the expected facts."""
        for name, unit in expected.units.items():
            id = self.unit(name)
            record = getattr(self.state, self.shelf)[id]
            for key, value in keys_said(unit).items():
                now = self.unit_facts.get(key)
                got = getattr(record, key) if now is None else now(self, id, value)
                self.compare((*path, "units", name, key), f"{name}.{key}", as_lists(value), as_lists(got))
        for key, fact in self.facts.items():
            value = getattr(expected, key)
            if isinstance(value, Mapping):
                for name, each in value.items():
                    got = as_lists(fact.now(self, name))
                    self.compare((*path, key, name), fact.words.format(name), as_lists(each), got)
            elif value is not UNSET:
                self.compare((*path, key), fact.words, as_lists(value), as_lists(fact.now(self, value)))
        self.asked_now(expected, path)
        self.events(expected, path)

    def asked_now(self, expected: ExpectedGiven, path: tuple[str | int, ...]) -> None:
        waits = self.match.waiting if self.match is not None else ()
        if expected.waiting is not UNSET:
            asked = kind_of(waits[0]) if waits else "nothing"
            self.compare((*path, "waiting"), "what is asked", expected.waiting, asked)
        if expected.asked is not UNSET:
            side = self.side_called(waits[0].side) if waits else None
            self.compare((*path, "asked"), "who is asked", expected.asked, side)

    def events(self, expected: ExpectedGiven, path: tuple[str | int, ...]) -> None:
        named = {*(event["event"] for event in expected.events), *expected.untold}
        plain = [self.plain(event) for event in self.told if kind_of(event) in named]
        for i, event in enumerate(expected.events):
            alike = [p for p in plain if p["event"] == event["event"]]
            if not any(all(p.get(key) == value for key, value in event.items()) for p in alike):
                got = [{key: p.get(key) for key in event} for p in alike] or "no such event"
                self.differs((*path, "told", i), "what happened", event, got)
        for i, name in enumerate(expected.untold):
            if any(p["event"] == name for p in plain):
                self.differs((*path, "untold", i), f"{name} happened")

    def plain(self, event: Event) -> dict[str, Any]:
        """Return an event in the notation of rulings."""
        out: dict[str, Any] = {"event": kind_of(event)}
        for f in fields_of(type(event)):
            value = msgspec.json.decode(msgspec.json.encode(getattr(event, f.name)))
            write = self.writes.get(f.name)
            out[f.name] = value if write is None or value is None else write(self, value)
        return out

    # --- the lines ----------------------------------------------------------------------------------------------------

    def rolls_after(self, at: int) -> Iterator[Any]:
        for line in self.case.play[at + 1 :]:
            if line.start is not UNSET or line.do is not UNSET or line.pass_ is not UNSET:
                return
            if any(getattr(line, key) is not UNSET for key in self.rolled):
                yield line

    def lines(self, first: int = 0, end: int | None = None) -> None:
        """Play the case line by line. Rolls belong to the line above them, and exactly these must be used.

        Args:
            first: Index of the first line to play, if those before it have been played.
            end: Index of the first line that is not played; by default all are played.
        """
        for j, line in enumerate(self.case.play[first:end], first):
            self.path = ("play", j)
            acts = line.start is not UNSET or line.do is not UNSET or line.pass_ is not UNSET
            rolls = list(self.rolls_after(j)) if acts else []
            try:
                if line.start is not UNSET:
                    self.start(line, rolls)
                elif line.do is not UNSET:
                    self.do(line, rolls)
                elif line.pass_ is not UNSET:
                    self.let_pass(line, rolls)
                elif line.ask is not UNSET:
                    got = self.questions[line.ask][0](self, line)
                    self.compare((*self.path, "is"), line.ask, line.is_, got)
                elif line.expect is not UNSET:
                    self.expect(line.expect, (*self.path, "expect"))
                judged = line.refused is not UNSET or line.allowed is not UNSET
                if acts and judged and rolls:
                    raise ScriptError("an order that is not given rolls no dice")
                if acts and not judged and self.match is not None and isinstance(self.match.dice, Scripted):
                    self.match.dice.finish()
            except (ScriptError, InputError) as error:
                self.differs(self.path, str(error))
                return
            except Stop:
                return


def check(play: type[CasePlay], ruling: Ruling, edition: str | None = None) -> list[RulingDifference]:
    """Play every case of a ruling in every edition in which it holds, and return the differences."""
    head: Any = ruling.head
    differences: list[RulingDifference] = []
    for i, case in enumerate(head.cases):
        for each in case.editions or ruling.editions:
            if edition in (None, each):
                one = play(ruling, case, i, each)
                if case.play:
                    one.lines()
                else:
                    one.referee()
                differences.extend(one.differences)
    return differences


def position(play: type[CasePlay], ruling: Ruling, case: str | None = None, edition: str | None = None) -> Match:
    """Return the match at the beginning of a case: its scene with the first step started, and random dice from then on.

    Raises InputError if there is no such case, or it has no scene.
    """
    head: Any = ruling.head
    names = [name_of(c, i) for i, c in enumerate(head.cases)]
    open_ = [n for n, c in zip(names, head.cases, strict=True) if first_start(c) is not None]
    if case is not None and case not in names:
        raise InputError(f"{head.id} has no case {case!r}; {nearest(case, names)}")
    if not open_ or (case is not None and case not in open_):
        raise InputError(f"this case of {head.id} is not a position on a table; {nearest(case or '', open_)}")
    number = names.index(case or open_[0])
    chosen = head.cases[number]
    editions = chosen.editions or ruling.editions
    if edition is not None and edition not in editions:
        raise InputError(f"{head.id} does not hold in the edition {edition!r}; {nearest(edition, editions)}")
    played = play(ruling, chosen, number, edition or editions[0])
    at = first_start(chosen)
    assert at is not None
    played.start(chosen.play[at], list(played.rolls_after(at)))
    assert played.match is not None
    played.match.dice = Seeded(f"{head.id} {case}")
    return played.match


def act(play: type[CasePlay], ruling: Ruling) -> tuple[Match, Decision, Any]:
    """Return the match before the last line of a ruling's first case, the open decision, and the act of that line.

    Raises InputError if an earlier line fails, or the act is not allowed.
    """
    head: Any = ruling.head
    case = head.cases[0]
    played = play(ruling, case, 0, ruling.editions[0])
    last = len(case.play) - 1
    played.lines(end=last)
    for difference in played.differences[:1]:
        raise InputError(f"{difference.what}: {difference.got}", field=f"play[{played.path[1]}]")
    line, where = case.play[last], f"play[{last}]"
    if line.do is UNSET:
        raise InputError("the last line is the act: it has the key `do`", field=where)
    match, decision = played.match, played.decision(line)
    if match is None:
        raise InputError(f"the first line has the key `start`; it is one of {', '.join(play.starts)}", field="play[0]")
    if decision is None:
        raise InputError(f"nobody is asked for {line.do} now: {played.waiting()}", field=where)
    options = decision.options(match.view(decision.side))
    try:
        action = options.first() if line.do == "first" else played.action(line, options)
    except InputError as error:
        raise InputError(error.message, field=error.field or where) from None
    refusal = options.refusal(action)
    if refusal is not None:
        raise InputError(refusal.with_clause, field=where)
    return match, decision, action
