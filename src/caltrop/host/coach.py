"""A lesson in progress: the completed steps and the next text."""

from __future__ import annotations

from collections.abc import Sequence

from caltrop.engine import Event, Played, name_of
from caltrop.scenarios.lessons import Lesson, lesson, lessons, steps_done
from caltrop.wire import LessonView


class Coach:
    """The words of a lesson for its player."""

    def __init__(self, ruleset: str, id: str) -> None:
        self.ruleset = ruleset
        self.lesson: Lesson = lesson(ruleset, id)
        self.deeds: list[tuple[str, ...]] = []
        """For each act in force, the names of the answer and of its events."""

    def watch(self, act: int, played: Played, events: Sequence[Event]) -> None:
        names = (name_of(played.action),) if played.side == self.lesson.side else ()
        self.deeds[act - 1 :] = [(*names, *(name_of(event) for event in events))]

    def says(self, acts: int) -> LessonView:
        steps, every = self.lesson.steps, [one.id for one in lessons(self.ruleset)]
        done = min(steps_done(steps, self.deeds[:acts]), len(steps) - 1)
        at = every.index(self.lesson.id)
        return LessonView(
            id=self.lesson.id,
            title=self.lesson.title,
            number=at + 1,
            of=len(every),
            say=steps[done].say,
            step=done + 1,
            steps=len(steps),
            done=not steps[done].until,
            next=every[at + 1] if at + 1 < len(every) else None,
        )
