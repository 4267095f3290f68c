"""Lessons: positions with step-by-step instructions.

A game offers lessons by a file `data/lessons/lessons.yaml` in its package. Each begins with the position of a ruling
file beside it, whose lines of play are the solution, so the lesson is tested like any ruling. A game without the file
has no lessons.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from caltrop.chance import Dice, Pool, Roll
from caltrop.engine import Match, ruleset
from caltrop.errors import InputError
from caltrop.roster import nearest, read_yaml
from caltrop.scenarios.rulings import Ruling, position, read_ruling


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One instruction of a lesson, and the act or event that completes it."""

    say: str
    until: str = ""
    """Name of the answer or event that completes the step; empty for the last step."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A lesson."""

    id: str
    """Id of the lesson, which is also the name of the file with its position."""
    title: str
    words: str
    side: int = 0
    """The learner's side."""
    dice: tuple[Roll, ...] = ()
    """Faces of the first rolls, used while the numbers of dice fit."""
    steps: tuple[LessonStep, ...]


class LessonDice:
    """The dice of a lesson: the written rolls while they fit, then rolls from another source.

    Args:
        rolls: The dice as written.
        otherwise: Source of the other dice.
    """

    def __init__(self, rolls: Sequence[Roll], otherwise: Dice) -> None:
        self.rolls, self.otherwise = list(rolls), otherwise

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        """Return the next roll."""
        if self.rolls and len(self.rolls[0]) == pool.count:
            return self.rolls.pop(0)
        self.rolls.clear()
        return self.otherwise.roll(pool, why)

    def below(self, n: int) -> int:
        """Return a uniform whole number from 0 to n - 1."""
        return self.otherwise.below(n)


def folder(name: str) -> Path:
    """Return the folder of a game's lessons."""
    return ruleset(name).data / "lessons"


@lru_cache(maxsize=16)
def lessons(name: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game in order; empty if it has none.

    Raises InputError when the file is wrong.
    """
    file = folder(name) / "lessons.yaml"
    return read_yaml(file, tuple[Lesson, ...]).value if file.is_file() else ()


def lesson(name: str, id: str) -> Lesson:
    """Return the lesson of a game called *id*. Raises InputError when there is none; the message names the nearest."""
    lesson = next((one for one in lessons(name) if one.id == id), None)
    if lesson is None:
        raise InputError(f"{name} has no lesson {id[:60]!r}; {nearest(id[:60], [one.id for one in lessons(name)])}")
    return lesson


def way_through(name: str, id: str) -> Ruling:
    return read_ruling(folder(name) / f"{id}.yaml", name)


def begun(name: str, id: str) -> Match:
    """Return the match at the beginning of a lesson."""
    return position(way_through(name, id))


def steps_done(steps: Sequence[LessonStep], happened: Sequence[Sequence[str]]) -> int:
    """Return the number of completed steps, from the answers and events of each act.

    >>> steps_done([LessonStep(say="Fire", until="Fire"), LessonStep(say="Well done")], [["Fire"]])
    1
    """
    done = 0
    for names in happened:
        for name in names:
            if done < len(steps) and steps[done].until == name:
                done += 1
                break
    return done
