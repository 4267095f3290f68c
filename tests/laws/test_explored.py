"""A law of every ruleset: exploring a procedure gives the same results as playing every fall of its dice.

Procedures are taken from random games just before a throw. Each is explored to its end, and played over every fall of
the dice. Both must give the same ends with the same chances.
"""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Distribution, Seeded
from caltrop.clauses import counting
from caltrop.engine import Procedure, State, redacted, ruleset, stored
from caltrop.engine.explore import STOP, CannotExplore, Chain, Explorer, live_fields
from caltrop.engine.explore.answer import put_under_way
from caltrop.engine.flow import advance, answer
from caltrop.engine.state import copied
from tests.falls import TooMany, Written, every_fall
from tests.laws.games import NAMES
from tests.tiers import everything

FEW, MANY = 12, 120
"""Number of procedures of a ruleset to check, in the quick tier and in the full one."""
OF_A_STEP = 3
"""Largest number of explorations of the same step."""
OF_AN_ANSWER = 300
"""Largest number of explorations of answers, which take longer to play."""
TRIED = 12
"""Largest number of tried answers of a scenario."""
NODES = 4000
ANSWERS = 3000
"""Largest number of tried answers in a game."""


def answer_first(t: State, dice: Any) -> None:
    """Answer the next question by its first option."""
    n = t.answers.index(None)
    answer(t, dice, n, t.asked[n].options(t).first())


def ended(t: State, result: Any) -> bytes:
    """Return a state without its stack, and a result, as bytes."""
    twin = t.clone()
    twin.stack, twin.queue, twin.asked, twin.answers, twin.asks = [], [], (), (), 0
    return stored(twin) + repr(None if t.over is not None else result).encode()


def played(root: State, frame: Procedure) -> Distribution[Any]:
    """Return the exact results of a procedure over every fall of its dice, with the first option answered."""

    def walk(dice: Written) -> bytes:
        t = root.clone()
        bottom = put_under_way(t, [copied(frame)])
        advance(t, dice)
        while t.asked:
            answer_first(t, dice)
        return ended(t, bottom.result)

    return every_fall(walk)


class Meeting:
    """Watches a game, and records the procedures that are about to throw."""

    def __init__(self) -> None:
        self.met: dict[tuple[str, str], int] = {}
        self.kept: list[tuple[State, Procedure]] = []

    def enter(self, t: State, frame: Any, step: Any, /) -> None:
        gives = str(step.do.__annotations__.get("return", ""))
        key = type(frame).__name__, step.name
        if "Throw" in gives and not step.replied and self.met.get(key, 0) < OF_A_STEP and not t.queue:
            self.met[key] = self.met.get(key, 0) + 1
            twin = copied(frame)
            twin.at = step.name
            self.kept.append((t.clone(), twin))

    def ran(self) -> None: ...

    def ended(self) -> None: ...

    def passed(self) -> None: ...

    def threw(self, effect: Any, /) -> None: ...

    def triggered(self, *_: Any) -> None: ...


def procedures_met(name: str, expected: int) -> list[tuple[State, Procedure]]:
    """Return procedures of a ruleset that are about to throw, from random games."""
    rules, meeting = ruleset(name), Meeting()
    for number, card in enumerate(rules.scenarios()):
        t, dice = rules.setup(rules.book(), card.id), Seeded(f"{name} {number}")
        advance(t, dice, watcher=meeting) if not t.asked else None
        for _ in range(ANSWERS):
            if t.over is not None or len(meeting.kept) >= expected * (number + 1) // 2 + 2:
                break
            n = t.answers.index(None)
            answer(t, dice, n, t.asked[n].options(t).sample(dice), watcher=meeting)
    return meeting.kept


@pytest.mark.parametrize("name", NAMES)
def test_what_is_explored_is_what_comes_of_every_fall(name: str) -> None:
    enough, compared = (MANY if everything() else FEW), 0
    for root, frame in procedures_met(name, enough):
        where = f"{type(frame).__name__}.{frame.at}"
        before = stored(root)
        try:
            expected = played(root, frame)
            odds = Explorer(root, nodes=NODES).odds(copied(frame), ended)
        except (CannotExplore, TooMany):
            continue
        assert stored(root) == before, where
        assert dict(odds.items()) == dict(expected.items()), where
        compared += 1
        if compared == enough:
            break
    assert compared >= 3, f"{compared} procedures of {name} were compared"


def settled(t: State, decision: Any) -> Any:
    """Answer choices that settle dice by their first option, and stop at any other."""
    return decision.options(t).first() if decision.settles else STOP


@pytest.mark.parametrize("name", NAMES)
def test_what_is_explored_of_an_answer_is_what_comes_of_every_fall(name: str) -> None:
    rules, dice = ruleset(name), Seeded(f"answers {name}")
    expected, compared = (MANY if everything() else FEW // 2), 0
    for card in rules.scenarios():
        t = rules.setup(rules.book(), card.id)
        advance(t, dice) if not t.asked else None
        tried = 0
        for _ in range(400):
            if t.over is not None or compared == expected or tried == TRIED:
                break
            place, before, threw = t.answers.index(None), t.clone(), Thrown()
            action = t.asked[place].options(t).sample(dice)
            answer(t, dice, place, action, watcher=threw)
            if threw.count and len(before.asked) == 1:
                tried += 1
                compared += compare(redacted(before, before.asked[0].side), action)
    assert compared, "every answer that throws dice has too many falls of them"


class Thrown(Meeting):
    """Counts throws."""

    count = 0

    def enter(self, t: State, frame: Any, step: Any, /) -> None: ...

    def threw(self, effect: Any, /) -> None:
        self.count += 1


def compare(view: State, action: Any) -> bool:
    """Compare the exploration of an answer with every fall of its dice.

    Return whether there were dice, and few enough.
    """

    def walk(dice: Written) -> bytes:
        t = view.clone()
        answer(t, dice, 0, action)
        while t.asked and t.over is None and (given := settled(t, t.asked[0])) is not STOP:
            answer(t, dice, 0, given)
        return ended(t, None)

    try:
        expected = every_fall(walk, OF_AN_ANSWER)
        if len(expected) == 1:
            return False
        chain = Chain(view, lambda t, number: None, settled, nodes=NODES, first=(view.stack, action))
        odds = chain.odds(None, lambda t: ended(t, None))
    except (CannotExplore, TooMany):
        return False
    assert dict(odds.items()) == dict(expected.items()), action
    return True


class Dead:
    """A value for fields that must not be read."""

    def _read(self, *_: Any) -> Any:
        raise AssertionError("a field was read that counts as dead")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __iter__ = __len__ = _read
    __bool__ = __getitem__ = __contains__ = __hash__ = __int__ = __index__ = __getattr__ = _read


@pytest.mark.parametrize("name", NAMES)
def test_dead_fields_change_nothing(name: str) -> None:
    filled = 0
    for root, frame in procedures_met(name, MANY if everything() else FEW):
        kind = type(frame)
        dead = [f for f in kind.__struct_fields__ if f != "at" and f not in live_fields(kind)[frame.at]]
        twin = copied(frame)
        for field in dead:
            setattr(twin, field, Dead())
        filled += len(dead)
        ends = []
        for one in (frame, twin):
            t, dice = root.clone(), Seeded("dice")
            bottom = put_under_way(t, [copied(one)])
            advance(t, dice)
            while t.asked:
                answer_first(t, dice)
            ends.append(ended(t, bottom.result))
        assert ends[0] == ends[1], f"{kind.__name__}.{frame.at}: {dead}"
    assert filled or name in ("duel", "blade-skirmish"), "no field was dead"


def test_exploring_counts_no_clause() -> None:
    root, frame = procedures_met("duel", 1)[0]
    with counting() as counts:
        Explorer(root).odds(copied(frame), ended)
    assert not counts
