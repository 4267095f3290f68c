"""Causes: answers, rolls, results, triggers, sealed answers, and records that wait on a shelf."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar

import msgspec
import pytest

from caltrop.chance import Pool, Roll, Scripted
from caltrop.engine import (
    Action,
    Ask,
    Book,
    Decision,
    End,
    Event,
    Go,
    Listed,
    Match,
    Procedure,
    Run,
    State,
    Throw,
    ask,
    step,
    trigger,
)
from caltrop.engine.cause import Answered, Causes, GameStart, HiddenDraw, Link, inside, looks_alike


class Blow(msgspec.Struct, frozen=True):
    unit: int


class Field(State, kw_only=True):
    blows: list[Blow]
    units: list[int]


class Pick(Action, frozen=True):
    unit: int


class Stop(Action, frozen=True):
    pass


class Who(Decision, frozen=True, kw_only=True):
    clauses: ClassVar[tuple[str, ...]] = ("K-0",)

    def options(self, t: Field) -> Listed:
        return Listed([Pick(0), Pick(1), Stop()])


class Each(Who, frozen=True, kw_only=True):
    def touches(self, action: Any) -> tuple[int, ...]:
        return (action.unit,) if isinstance(action, Pick) else ()


class Told(Event, frozen=True):
    unit: int

    def touches(self) -> tuple[int, ...]:
        return (self.unit,)


class Done(Event, frozen=True):
    """An event that concerns no unit."""


class Struck(Told, frozen=True):
    pass


class Hurt(Told, frozen=True):
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("blows", "unit", "unit"),)


class Fallen(Told, frozen=True):
    pass


class Echo(Told, frozen=True):
    pass


class Rules:
    """The parts of a ruleset that a match needs in this test."""

    def vocabulary(self) -> Any:
        return msgspec.defstruct("V", [("events", Any)])((Struck, Hurt, Fallen, Done, Told, Echo))

    def automated(self, t: Any) -> tuple[int, ...]:
        return ()


def begun(procedure: Procedure, *rolls: tuple[int, ...]) -> Match:
    rules: Any = Rules()
    return Match(rules, Field(book=Book("t", "current"), stack=[procedure], blows=[], units=[3, 3]), Scripted(*rolls))


def links(match: Match) -> list[Link]:
    causes = Causes(match)
    assert causes.go_on(match.history)
    return causes.links


def one(links: list[Link], event: Event) -> Link:
    return next(link for link in links if link.what == event)


def led(links: list[Link], event: Event) -> list[Any]:
    """Return the direct causes of an event."""
    return [links[number].what for number in one(links, event).because]


def said(link: Any) -> Any:
    return link.action if isinstance(link, Answered) else link


class Shot(Procedure):
    unit: int

    @step("K-1")
    def throw(self, t: Field) -> Throw:
        return Throw(Pool(1), side=0)

    @step("K-2")
    def read(self, t: Field, roll: Roll) -> None:
        t.blows.append(Blow(1 - self.unit))
        t.tell(Struck(self.unit))


class Shots(Procedure):
    """Shots are announced one after another, and cause their damage together at the end."""

    @step("K-3")
    def call(self, t: Field) -> Ask:
        return ask(Who(side=0))

    @step("K-4")
    def shoot(self, t: Field, choice: Pick | Stop) -> Run | Go:
        return Run(Shot(unit=choice.unit)) if isinstance(choice, Pick) else Go("hurt")

    @step("K-5")
    def again(self, t: Field) -> Go:
        return Go("call")

    @step("K-6")
    def hurt(self, t: Field) -> None:
        gone = [blow.unit for blow in t.blows]
        t.blows.clear()
        for unit in gone:
            t.units[unit] -= 1
            t.tell(Hurt(unit))

    @step("K-7")
    def fall(self, t: Field) -> None:
        t.tell(Fallen(1))
        t.tell(Done())


@pytest.fixture
def shots() -> list[Link]:
    match = begun(Shots(), (4,), (6,))
    for action in (Pick(0), Pick(1), Stop()):
        match.play(0, action)
    return links(match)


def test_an_event_follows_from_the_answer_and_the_roll_of_its_own_round_of_a_loop(shots: list[Link]) -> None:
    first, second = one(shots, Struck(0)), one(shots, Struck(1))
    assert (first.clauses, first.act) == (("K-2",), 1)
    for link, unit, face in ((first, 0, 4), (second, 1, 6)):
        answer, roll = [shots[number] for number in link.because]
        assert said(answer.what) == Pick(unit)
        assert answer.clauses == ("K-0",)
        assert getattr(roll.what, "faces", None) == (face,)
        assert said(shots[roll.because[0]].what) == Pick(unit)


def test_what_waited_on_a_shelf_follows_from_what_put_it_there(shots: list[Link]) -> None:
    for unit in (0, 1):
        assert Struck(1 - unit) in led(shots, Hurt(unit))
        assert Struck(unit) not in led(shots, Hurt(unit))


def test_a_frame_knows_what_it_told_before_of_the_same_unit(shots: list[Link]) -> None:
    assert Hurt(1) in led(shots, Fallen(1))
    assert Hurt(0) not in led(shots, Fallen(1))
    assert Fallen(1) in led(shots, Done())


class Gather(Procedure):
    """Units are named one after another, and reported together."""

    named: tuple[int, ...] = ()

    @step("K-8")
    def name(self, t: Field) -> Ask:
        return ask(Each(side=0))

    @step("K-8")
    def note(self, t: Field, choice: Pick | Stop) -> Go | None:
        if isinstance(choice, Stop):
            return None
        self.named = (*self.named, choice.unit)
        return Go("name")

    @step("K-9")
    def tell(self, t: Field) -> None:
        for unit in self.named:
            t.tell(Told(unit))
        t.tell(Done())


def test_what_a_loop_gathers_is_remembered_and_each_answer_counts_for_its_own_unit() -> None:
    match = begun(Gather())
    for action in (Pick(0), Pick(1), Stop()):
        match.play(0, action)
    result = links(match)
    for unit in (0, 1):
        assert [said(what) for what in led(result, Told(unit))] == [Pick(unit), Stop()]
    assert [said(what) for what in led(result, Done())] == [Stop(), Told(0), Told(1)]


class Inner(Procedure):
    @step("K-10")
    def inquire(self, t: Field) -> Ask:
        return ask(Who(side=1))

    @step("K-10")
    def hear(self, t: Field, choice: Pick | Stop) -> End:
        return End(choice)


class Outer(Procedure):
    @step("K-11")
    def run(self, t: Field) -> Run:
        return Run(Inner())

    @step("K-11")
    def take(self, t: Field, choice: Pick | Stop) -> Throw:
        return Throw(Pool(1, 4), side=1, draw=True)

    @step("K-12")
    def draw(self, t: Field, roll: Roll) -> None:
        t.tell(Struck(0))


def test_the_step_that_takes_a_result_knows_what_led_to_it_and_a_draw_is_a_link_that_shows_nothing() -> None:
    match = begun(Outer(), (3,))
    match.play(1, Pick(1))
    result = links(match)
    assert [said(what) for what in led(result, Struck(0))] == [Pick(1), HiddenDraw(1)]


class Seal(Procedure):
    @step("K-13")
    def inquire(self, t: Field) -> Ask:
        return ask(Who(side=0), Who(side=1))

    @step("K-13")
    def open(self, t: Field, choices: tuple[Any, ...]) -> None:
        t.tell(Struck(1))


def test_sealed_answers_lead_together_to_what_comes_when_they_are_opened() -> None:
    match = begun(Seal())
    match.play(1, Pick(0))
    match.play(0, Stop())
    assert [said(what) for what in led(links(match), Struck(1))] == [Pick(0), Stop()]


class Resound(Procedure):
    unit: int

    @step("K-14")
    def tell(self, t: Field) -> None:
        t.tell(Echo(self.unit))


@trigger(Fallen, "K-14")
def an_echo(t: State, event: Fallen) -> Resound | None:
    return Resound(unit=event.unit) if isinstance(t, Field) else None


def test_what_a_trigger_queued_follows_from_the_event_that_triggered_it(shots: list[Link]) -> None:
    assert Fallen(1) in led(shots, Echo(1))


def test_acts_taken_back_are_noticed_and_later_acts_are_added() -> None:
    match = begun(Gather())
    match.play(0, Pick(0))
    causes = Causes(match)
    assert causes.go_on(match.history)
    match.play(0, Pick(1))
    assert causes.go_on(match.history)
    assert causes.acts == 2
    match.undo(0)
    assert not causes.go_on(match.history)
    match.play(0, Stop())
    assert not causes.go_on(match.history)


def test_the_beginning_causes_only_what_nobody_decided() -> None:
    class Opens(Procedure):
        @step("K-15")
        def tell(self, t: Field) -> None:
            t.tell(Struck(0))

        @step("K-15")
        def inquire(self, t: Field) -> Ask:
            return ask(Who(side=0))

        @step("K-15")
        def hear(self, t: Field, choice: Any) -> None:
            return None

        @step("K-15")
        def tell_again(self, t: Field) -> None:
            t.tell(Struck(1))

    match = begun(Opens())
    match.play(0, Pick(1))
    result = links(match)
    assert led(result, Struck(0)) == [GameStart()]
    assert [said(what) for what in led(result, Struck(1))] == [Pick(1)]


def test_the_moments_inside_an_act_show_what_had_changed_when_an_event_was_told() -> None:
    match = begun(Shots(), (4,))
    match.play(0, Pick(0))
    match.play(0, Stop())
    marks = inside(match.history[-1])
    words = [mark for mark in marks if mark.event is not None]
    assert [mark.event for mark in words] == [0, 1, 2, 3]
    first = marks.index(words[0])
    assert [mark.state.units for mark in marks[first - 1 : first + 1]] == [[3, 3], [3, 2]]  # type: ignore[attr-defined]
    assert match.history[-1].state.units == [3, 3]  # type: ignore[attr-defined]


def test_a_match_that_keeps_nothing_has_no_causes() -> None:
    rules: Any = Rules()
    t = Field(book=Book("t", "current"), stack=[Gather()], blows=[], units=[])
    with pytest.raises(ValueError, match="keeps nothing"):
        Causes(Match(rules, t, Scripted(), keep=False))


def test_moments_look_alike_that_differ_in_the_step_alone() -> None:
    match = begun(Shots(), (4,))
    match.play(0, Pick(0))
    match.play(0, Stop())
    t = match.history[-1].state
    same, other_frame, fewer_frames, other_shelf = (t.clone() for _ in range(4))
    same.stack[-1].at = "elsewhere"
    assert looks_alike(t, same)
    other_frame.stack[-1] = (
        Shots(at=t.stack[-1].at) if not isinstance(t.stack[-1], Shots) else Gather(at=t.stack[-1].at)
    )
    fewer_frames.stack.pop()
    other_shelf.units[0] -= 1  # type: ignore[attr-defined]
    assert not any(looks_alike(t, other) for other in (other_frame, fewer_frames, other_shelf))
    marks = [mark.state for mark in inside(match.history[-1])]
    alike = [looks_alike(a, b) for a, b in pairwise(marks)]
    assert True in alike
    changed = [a.units != b.units for a, b in pairwise(marks)]  # type: ignore[attr-defined]
    assert not any(one and other for one, other in zip(alike, changed, strict=True))
