"""Procedures written as numbered steps, and the effects that a step may return.

A step never calls a player, a die or a screen. A step returns `Ask`, `Throw`, `Run`, `Go` or `End`, or None to continue
with the next step. The module `flow` runs procedures.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec

from caltrop.chance import Pool, RollReading
from caltrop.clauses import Mark, mark, place_of
from caltrop.engine.decision import Decision

F = TypeVar("F", bound=Callable[..., Any])


class Ask(msgspec.Struct, frozen=True):
    """Wait until every decision is answered. If several decisions are asked, each answer stays hidden until the last is
    given.

    The next step receives the answer, or a tuple of answers if there are several decisions.
    """

    decisions: tuple[Decision, ...]


class Throw(msgspec.Struct, frozen=True):
    """Throw dice. The next step receives the roll. Raises TypeError for several dice without `reads`."""

    pool: Pool
    side: int | None = None
    """Side that throws the dice, for the luck panel and for real dice."""
    words: str = ""
    """Purpose of the dice."""
    each: tuple[str, ...] = ()
    """Purpose of each die, if they differ, such as the sides of a roll-off."""
    symbols: tuple[str, ...] = ()
    """Meaning of each face, from 1 up, if a face shows a symbol."""
    secret: bool = False
    """True if only *side* may see the faces."""
    reads: RollReading | None = None
    """Reading of the dice by the next step. A single die needs no reading."""
    draw: bool = False
    """True for a hidden draw of cards: no dice are thrown, and no faces are shown or typed in."""

    def __post_init__(self) -> None:
        if self.reads is None and self.pool.count > 1:
            raise TypeError(f"a throw of {self.pool.count} dice ({self.words!r}) needs reads=, what is asked of them")

    @property
    def wanted(self) -> str:
        """Return the purpose of the dice, with the meaning of each die and face, for a person who throws real dice.

        >>> Throw(Pool(1, 2), words="Her target", symbols=("Ash", "Birch")).wanted
        'Her target: 1 Ash, 2 Birch'
        """
        faces = ", ".join([f"{face} {symbol}" for face, symbol in enumerate(self.symbols, 1)])
        return ": ".join([part for part in (self.words, ", then ".join(self.each), faces) if part])


class Run(msgspec.Struct, frozen=True):
    """Run another procedure first; the next step receives its result."""

    procedure: Procedure


class Go(msgspec.Struct, frozen=True):
    """Continue at the named step: back to the start of a loop, or forward past an optional part."""

    to: str


class End(msgspec.Struct, frozen=True):
    """End the running procedure; the procedure that ran it receives *result*."""

    result: Any = None


def ask(*decisions: Decision) -> Ask:
    """Ask one decision, or several whose answers stay hidden until the last is given.

    Raises ValueError if nothing is asked.
    """
    if not decisions:
        raise ValueError("a step that asks needs a decision to ask")
    return Ask(decisions)


class PlannedStep:
    """A step of a procedure, as the loop in `flow` uses it."""

    __slots__ = ("do", "gives", "mark", "method", "name", "next", "replied")

    def __init__(self, name: str, method: str, do: Callable[..., Any], replied: bool, m: Mark, gives: str) -> None:
        self.name, self.method, self.do, self.replied, self.mark, self.gives = name, method, do, replied, m, gives
        self.next = ""


def step(*clauses: str, tag: str = "") -> Callable[[F], F]:
    """Mark a method as the next step of its procedure; the step implements *clauses*.

    Args:
        tag: The name of the step in stored games; by default the method's name. A renamed method keeps its old name as
            the tag, so that stored games stay readable.
    """

    def make(function: F) -> F:
        id, path, line = place_of(function)
        function.mark = mark(id, "step", clauses, path, line)  # type: ignore[attr-defined]
        function.tag = tag  # type: ignore[attr-defined]
        return function

    return make


class Back:
    """A step made by `back`, before its procedure is known."""

    def __init__(self, to: str, clauses: tuple[str, ...], file: str, line: int) -> None:
        self.to, self.clauses, self.file, self.line = to, clauses, file, line

    def step_of(self, procedure: type, name: str) -> Callable[..., Any]:
        to = self.to

        def goes_back(self: Procedure, t: Any) -> Go:
            return Go(to)

        goes_back.__module__, goes_back.__qualname__ = procedure.__module__, f"{procedure.__qualname__}.{name}"
        made: Any = goes_back
        made.mark = mark(f"{made.__module__}:{made.__qualname__}", "step", self.clauses, self.file, self.line)
        made.tag, made.to = "", to
        return goes_back


def back(to: str, *clauses: str) -> Any:
    """Make a step that ends a loop by returning to the step *to*."""
    frame = sys._getframe(1)
    return Back(to, clauses, frame.f_code.co_filename, frame.f_lineno)


class Procedure(msgspec.Struct, tag=True, kw_only=True, omit_defaults=True):
    """A part of the rules, with steps that run in the order of the source.

    Fields of a procedure hold immutable values, because a state and its clone share them.
    """

    at: str = ""
    """The step to run next; empty before the first step, `-` after the last."""

    plan: ClassVar[dict[str, PlannedStep]] = {}
    start: ClassVar[str] = "-"
    steps: ClassVar[dict[str, str]] = {}
    """Stored names of the steps, by the names of their methods."""
    secret: ClassVar[tuple[str, ...]] = ()
    """Hidden fields. A hidden field has a tuple with one entry for each side, which sees only its own, or holds
    `Veiled` records.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, annotation in vars(cls).get("__annotations__", {}).items():
            text = str(annotation)
            if "ClassVar" not in text and any(f"{kind}[" in text or text == kind for kind in ("list", "dict", "set")):
                raise TypeError(f"{cls.__name__}.{name}: frames hold immutable values, and {text} is none")
        own: list[Written] = []
        for name, f in list(vars(cls).items()):
            if isinstance(f, Back):
                f = f.step_of(cls, name)
                setattr(cls, name, f)
            if hasattr(f, "mark") and callable(f):
                replied = f.__code__.co_argcount == 3
                gives = str(f.__annotations__.get("return", ""))
                own.append(Written(name, getattr(f, "tag", ""), f, replied, f.mark, gives))
            elif name in cls.steps:
                raise TypeError(f"{cls.__name__}.{name} replaces a step and is not marked as one")
        planned(cls, own)


class Written(NamedTuple):
    """A step as declared in its class.

    Attributes:
        method: Name of the step's method.
        tag: Stored name of the step, if it differs from the name of the method.
        do: The method.
        replied: True if the step takes a reply.
        mark: Mark of the step, with its clauses.
        gives: Return type of the step's method, as text.
    """

    method: str
    tag: str
    do: Callable[..., Any]
    replied: bool
    mark: Mark
    gives: str


def planned(cls: type[Procedure], own: Iterable[Written]) -> None:
    """Set the plan of a procedure: the inherited steps and its own.

    Raises TypeError if a step asks or throws and the next takes no reply, or if a step takes a reply that none gives.
    """
    plan = {name: PlannedStep(name, s.method, s.do, s.replied, s.mark, s.gives) for name, s in cls.plan.items()}
    tags = dict(cls.steps)
    for method, tag, do, replied, its_mark, gives in own:
        tags[method] = tag or tags.get(method, method)
        plan[tags[method]] = PlannedStep(tags[method], method, do, replied, its_mark, gives)
    every = list(plan.values())
    for before, after in pairwise(every):
        before.next = after.name
        if after.replied and not any(word in before.gives for word in ("Ask", "Throw", "Run")):
            raise TypeError(f"{cls.__name__}.{after.name} takes a reply, and {before.name} asks for none")
        if not after.replied and ("Ask" in before.gives or "Throw" in before.gives):
            raise TypeError(f"{cls.__name__}.{before.name} asks, and {after.name} takes no reply")
    if every:
        every[-1].next = "-"
        if "Ask" in every[-1].gives or "Throw" in every[-1].gives:
            raise TypeError(f"{cls.__name__}.{every[-1].name} asks, and no step takes the reply")
    cls.plan, cls.steps = plan, {s.method: s.name for s in every}
    cls.start = every[0].name if every else "-"
