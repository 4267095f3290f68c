"""Laws of readings: every throw of several dice declares what is read of it, and rolls that read alike end alike."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

import pytest

from caltrop.chance import Pool, Roll, RollReading, Seeded
from caltrop.engine import Procedure, State, ruleset, stored
from caltrop.engine.flow import advance, answer
from caltrop.engine.procedure import Throw
from tests.laws.games import NAMES
from tests.tiers import everything

FEW, MANY = 40, 600
"""Throws of a ruleset that are thrown again otherwise, in the quick tier and in the other."""
DECISIONS = 40
"""Answers after which a throw is left alone whose procedure has not ended."""
TRIES = 12
"""Games that are played at most to find the throws of one ruleset."""


class Fallen:
    """Dice that fall as written and then by a seed, and that note what is read of them."""

    def __init__(self, t: State, written: list[Roll], seed: str) -> None:
        self.t, self.written, self.rest = t, list(written), Seeded(seed)
        self.rolls: list[tuple[Roll, RollReading | None, int, int]] = []
        """Each roll with its reading, the number of sides and how deep in the stack its procedure was."""
        self._now: tuple[Roll, int] = ((), 0)

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
        self.rolls.append((faces, effect.reads, sides, len(self.t.stack)))

    def enter(self, *_: object) -> None: ...

    def ran(self) -> None: ...

    def ended(self) -> None: ...

    def passed(self) -> None: ...

    def triggered(self, *_: object) -> None: ...


def another(roll: Roll, reads: RollReading, sides: int, choices: Seeded) -> Roll:
    """A roll that reads alike: dice change places and faces as long as the reading stays the same."""
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
    """Answer, and go on with the first options until the procedure at a depth of the stack has ended."""
    answer(t, dice, index, action, watcher=dice)
    for _ in range(DECISIONS):
        if t.over is not None or len(t.stack) < depth:
            return stored(t)
        n = t.answers.index(None)
        answer(t, dice, n, t.asked[n].options(t).first(), watcher=dice)
    return None


def thrown_otherwise(name: str, number: int, expected: int) -> int:
    """Play a game at random, throw its pools again otherwise, and return how many were."""
    rules, choices = ruleset(name), Seeded(f"choices {number}")
    cards = rules.scenarios()
    t = rules.setup(rules.book(), cards[number % len(cards)].id)
    dice = Fallen(t, [], f"dice {number}")
    answered = compared = 0
    if not t.asked:
        advance(t, dice, watcher=dice)
    while t.over is None and compared < expected and answered < 4000:
        index = t.answers.index(None)
        before, asked = t.clone(), t.asked[index]
        action = asked.options(t).sample(choices)
        dice.rolls.clear()
        answer(t, dice, index, action, watcher=dice)
        answered += 1
        fell = list(dice.rolls)
        for k, (roll, reads, sides, depth) in enumerate(fell):
            if reads is None or compared >= expected:
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
                f"{name}, game {number}: {roll} and {other} read alike by {reads}, and end otherwise"
            )
            compared += ends[0] is not None
    return compared


@pytest.mark.parametrize("name", NAMES)
def test_rolls_that_read_alike_end_alike(name: str) -> None:
    left = MANY if everything() else FEW
    for number in range(TRIES):
        left -= thrown_otherwise(name, number, left)
        if left <= 0:
            break
    assert left < (MANY if everything() else FEW) or not throws_pools(name), "no pool was thrown again"


def procedures(kind: type[Procedure] = Procedure) -> list[type[Procedure]]:
    """Every procedure of the rulesets."""
    result = []
    for one in kind.__subclasses__():
        result += [one, *procedures(one)]
    return [one for one in result if one.__module__.startswith("caltrop.rules.")]


def throws_of(kind: type[Procedure]) -> list[tuple[str, bool]]:
    """The throws in the steps of a procedure that may be of several dice, and whether each has a reading."""
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


def throws_pools(name: str) -> bool:
    """Return whether a ruleset throws several dice together."""
    package = ruleset(name).__class__.__module__.split(".")[2]
    return any(throws_of(one) for one in procedures() if one.__module__.split(".")[2] == package)


def test_every_pool_declares_what_is_read_of_it() -> None:
    every = [(kind, at, reads) for kind in procedures() for at, reads in throws_of(kind)]
    assert len(every) > 20
    assert not [f"{kind.__module__}.{kind.__name__}.{at}" for kind, at, reads in every if not reads]
