"""Rulings of Command Horizon: questions about the rules as files that are played out.

A case is either an attack request with its dice, or a scene that is played: steps are started, orders given, dice fall
as written, and what must hold is compared. Lengths are written in centimetres, sides are A and B, units go by the
names that the scene gives them, their models by number, as in `guards.1`. `form` is what a file may say, `reading` how
it is read, `play` how it is played.
"""

from __future__ import annotations

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.engine import Match
from caltrop.roster import nearest
from caltrop.rules.command_horizon.rulings.form import RulingFile, name_of
from caltrop.rules.command_horizon.rulings.play import Play, dice_after, first_start
from caltrop.rules.command_horizon.rulings.reading import read
from caltrop.scenarios.rulings import Difference, Ruling

__all__ = ["RulingFile", "check", "position", "read"]


def position(ruling: Ruling, case: str | None = None, edition: str | None = None) -> Match:
    """The table as a case finds it: its scene, and its first step started, with dice of its own from then on.

    Raises:
        InputError: when there is no such case, or it has no scene.
    """
    head = ruling.head
    assert isinstance(head, RulingFile)
    names = [name_of(c, i) for i, c in enumerate(head.cases)]
    open_ = [n for n, c in zip(names, head.cases, strict=True) if first_start(c) is not None]
    if case is not None and case not in names:
        raise InputError(f"{head.id} has no case {case!r}; {nearest(case, names)}")
    if not open_ or (case is not None and case not in open_):
        raise InputError(f"this case of {head.id} is no position on a table; {nearest(case or '', open_)}")
    chosen = head.cases[names.index(case or open_[0])]
    editions = chosen.editions or ruling.editions
    if edition is not None and edition not in editions:
        raise InputError(f"{head.id} does not hold in the edition {edition!r}; {nearest(edition, editions)}")
    played = Play(ruling, chosen, names.index(case or open_[0]), edition or editions[0])
    at = first_start(chosen)
    assert at is not None
    rolls = [line.dice for line in dice_after(chosen.play, at)]
    played.start(chosen.play[at], rolls)
    assert played.match is not None
    played.match.dice = Seeded(f"{head.id} {case}")
    return played.match


def check(ruling: Ruling, edition: str | None = None) -> list[Difference]:
    """Play every case of a ruling out, in every edition in which it holds, and tell what came out otherwise."""
    head = ruling.head
    assert isinstance(head, RulingFile)
    found: list[Difference] = []
    for i, case in enumerate(head.cases):
        for each in case.editions or ruling.editions:
            if edition in (None, each):
                play = Play(ruling, case, i, each)
                if case.play:
                    play.lines()
                else:
                    play.referee()
                found.extend(play.differences)
    return found
