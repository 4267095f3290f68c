"""Laws of readings: every throw of several dice declares how it is read, and rolls with equal readings lead to equal
results.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections import Counter
from typing import Any

import pytest

from caltrop.chance import Pool, Roll, RollReading, Seeded
from caltrop.engine import Procedure, State, ruleset, stored
from caltrop.engine.flow import advance, answer
from caltrop.engine.procedure import Throw
from tests.laws.games import NAMES
from tests.laws.test_moments import module as positions_of
from tests.tiers import everything, rotating

FEW, MANY = 80, 2000
"""Number of throws of a ruleset that are repeated with other dice, in the quick tier and in the full one."""
OF_A_STEP = 20 if everything() else 4
"""Largest number of repeated throws of the same step, so that rare steps are included."""
DECISIONS = 40
"""Number of answers after which a throw is given up if its procedure has not ended."""
TRIES = 240 if everything() else 24
"""Largest number of games and drawn positions, in turn, that are played to find the throws of one ruleset."""
SHARE = 10
"""The quick tier plays one of this number of series."""
MET = 0.6
"""Smallest share of the steps that throw several dice whose throws are repeated in the full tier."""
ANSWERS = 4000
"""Largest number of answers of a game."""
IN_A_POSITION = 60
"""Largest number of answers of a position."""

Site = tuple[str, str]
"""A procedure and its step."""


class Fallen:
    """Dice with given faces, then seeded ones, which record how they are read."""

    def __init__(self, t: State, written: list[Roll], seed: str) -> None:
        self.t, self.written, self.rest = t, list(written), Seeded(seed)
        self.rolls: list[tuple[Roll, RollReading | None, int, int, Site]] = []
        """Each roll with its reading, the number of sides, the depth of its procedure in the stack, and its step."""
        self._now: tuple[Roll, int] = ((), 0)
        self._site: Site = ("", "")

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        if self.written and len(self.written[0]) != pool.count:
            raise AssertionError(f"{self.written[0]} were to fall, and {pool.count} dice are thrown")
        faces = self.written.pop(0) if self.written else self.rest.roll(pool, why)
        self._now = faces, pool.sides
        return faces

    def below(self, n: int) -> int:
        return self.rest.below(n)

    def threw(self, effect: Throw, /) -> None:
        faces, sides = self._now
        self.rolls.append((faces, effect.reads, sides, len(self.t.stack), self._site))

    def enter(self, t: State, frame: Any, step: Any, /) -> None:
        self._site = type(frame).__name__, step.name

    def ran(self) -> None: ...

    def ended(self) -> None: ...

    def passed(self) -> None: ...

    def triggered(self, *_: object) -> None: ...


def another(roll: Roll, reads: RollReading, sides: int, choices: Seeded) -> Roll:
    """Return another roll with the same reading: dice change places and faces as long as the reading stays the same."""
    read, faces = reads.read(roll, sides), list(roll)
    for place in range(len(faces)):
        for change in range(2):
            changed = list(faces)
            if change:
                changed[place] = 1 + choices.below(sides)
            else:
                other = choices.below(len(faces))
                changed[place], changed[other] = changed[other], changed[place]
            if reads.read(tuple(changed), sides) == read:
                faces = changed
    return tuple(faces)


def carried_on(t: State, index: int, action: Any, dice: Fallen, depth: int) -> bytes | None:
    """Answer, and continue with first options until the procedure at a depth of the stack has ended."""
    answer(t, dice, index, action, watcher=dice)
    for _ in range(DECISIONS):
        if t.over is not None or len(t.stack) < depth:
            return stored(t)
        n = t.answers.index(None)
        answer(t, dice, n, t.asked[n].options(t).first(), watcher=dice)
    return None


def begun(name: str, number: int) -> tuple[State, int]:
    """Return the beginning of a game or of a position, and the number of answers to check."""
    rules, drawn = ruleset(name), positions_of(name)
    if number % 2 and drawn is not None:
        t: State = drawn.drawn(Seeded(f"position {number}"))
        return t, IN_A_POSITION
    cards = rules.scenarios()
    return rules.setup(rules.book(), cards[number // 2 % len(cards)].id), ANSWERS


def thrown_otherwise(name: str, number: int, expected: int, met: Counter[Site]) -> int:
    """Play a game at random, repeat its throws with other dice, and return the number of repetitions.

    Args:
        met: Number of throws of each step that were thrown again.
    """
    choices = Seeded(f"choices {number}")
    t, most = begun(name, number)
    dice = Fallen(t, [], f"dice {number}")
    answered = compared = 0
    if not t.asked:
        advance(t, dice, watcher=dice)
    while t.over is None and t.asked and compared < expected and answered < most:
        index = t.answers.index(None)
        before, asked = t.clone(), t.asked[index]
        action = asked.options(t).sample(choices)
        dice.rolls.clear()
        answer(t, dice, index, action, watcher=dice)
        answered += 1
        fell = list(dice.rolls)
        for k, (roll, reads, sides, depth, site) in enumerate(fell):
            if reads is None or compared >= expected or met[site] >= OF_A_STEP:
                continue
            other = another(roll, reads, sides, choices)
            if other == roll:
                continue
            ends = []
            for faces in (roll, other):
                twin = before.clone()
                written = [*[r for r, *_ in fell[:k]], faces]
                ends.append(carried_on(twin, index, action, Fallen(twin, written, f"{number} {answered} {k}"), depth))
            assert ends[0] == ends[1], (
                f"{name}, {site}, game {number}: {roll} and {other} read alike by {reads}, and end otherwise"
            )
            compared += ends[0] is not None
            met[site] += ends[0] is not None
    return compared


@pytest.mark.parametrize("name", NAMES)
def test_rolls_that_read_alike_end_alike(name: str) -> None:
    left, met = MANY if everything() else FEW, Counter[Site]()
    numbers, sites = range(TRIES if everything() else TRIES * SHARE), sites_of(name)
    own = list(rotating(numbers, SHARE))
    for count, number in enumerate([*own, *(number for number in numbers if number not in own)]):
        # If a ruleset has few such throws, the other shares are searched for one.
        if left <= 0 or (count >= len(own) and (met or not sites)):
            break
        left -= thrown_otherwise(name, number, left, met)
    assert met or not sites, "no pool was thrown again"
    if everything():
        missed = sorted(sites - set(met))
        assert len(missed) <= (1 - MET) * len(sites), f"steps whose throws were not thrown again: {missed}"


def procedures(kind: type[Procedure] = Procedure) -> list[type[Procedure]]:
    """Yield every procedure of the rulesets."""
    result = []
    for one in kind.__subclasses__():
        result += [one, *procedures(one)]
    return [one for one in result if one.__module__.startswith("caltrop.rules.")]


def throws_of(kind: type[Procedure]) -> list[tuple[str, bool]]:
    """Return the rolls of a procedure's steps that may have several dice, and whether each declares a reading."""
    result = []
    for s in kind.plan.values():
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(s.do)))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Throw":
                pool = node.args[0]
                assert isinstance(pool, ast.Call), f"{kind.__name__}.{s.name} throws no pool"
                one = isinstance(pool.args[0], ast.Constant) and pool.args[0].value == 1
                if not one:
                    result.append((s.name, any(k.arg == "reads" for k in node.keywords)))
    return result


def sites_of(name: str) -> set[Site]:
    """Return the steps of a ruleset that throw several dice together."""
    package = ruleset(name).__class__.__module__.split(".")[2]
    own = [one for one in procedures() if one.__module__.split(".")[2] == package]
    return {(one.__name__, at) for one in own for at, _ in throws_of(one)}


def test_every_pool_declares_what_is_read_of_it() -> None:
    every = [(kind, at, reads) for kind in procedures() for at, reads in throws_of(kind)]
    assert len(every) > 20
    assert not [f"{kind.__module__}.{kind.__name__}.{at}" for kind, at, reads in every if not reads]
