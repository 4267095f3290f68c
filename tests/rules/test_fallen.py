"""A fallen model lies in its place, looking as it did: the event alone tells it when the model is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from caltrop.engine import Event
from caltrop.engine import ruleset as rulebook
from caltrop.picture import Group, Picture, Piece
from caltrop.rules.blade_skirmish.conditions import remove
from caltrop.rules.command_horizon.damage import lose_model
from caltrop.rules.squad_action.casualties import destroy, lose
from caltrop.scenarios.lessons import begun, lessons


def table(name: str) -> tuple[Any, Picture]:
    """Return the state and the picture of the first lesson of a game in which both sides stand on the table."""
    for one in lessons(name):
        t = begun(name, one.id).state.clone()
        picture = rulebook(name).depict(t, None)
        if len({group.side for group in picture.groups if group.pieces}) == 2:
            return t, picture
    raise AssertionError(name)


def first(picture: Picture, like: Callable[[Group], bool] = lambda group: True) -> tuple[Group, Piece]:
    """Return the first unit of some sort that stands on the table, and its first model."""
    group = next(group for group in picture.groups if group.pieces and like(group))
    return group, group.pieces[0]


def told(name: str, t: Any, events: list[Event], group: Group, piece: Piece) -> None:
    """Complain unless the events tell that this model lies where it stood, as it looked, and stands there no more."""
    fell = [one for event in events if (motion := event.motion(t)) is not None for one in motion.fell]
    assert [one.piece for one in fell] == [piece]
    (one,) = fell
    expected = (group.side, group.name, group.silhouette, group.look, group.paint)
    assert (one.side, one.name, one.silhouette, one.look, one.paint) == expected
    after = rulebook(name).depict(t, None)
    assert piece.id not in [left.id for unit in after.groups if unit.id == group.id for left in unit.pieces]


def test_a_model_of_command_horizon_lies_where_it_stood() -> None:
    t, picture = table("command-horizon")
    group, piece = first(picture)
    t.told = []
    lose_model(t, piece.id)
    told("command-horizon", t, t.told, group, piece)


def test_a_fighter_of_blade_skirmish_lies_where_she_stood_and_not_where_she_has_left() -> None:
    t, picture = table("blade-skirmish")
    group, piece = first(picture, lambda one: one.side == 1)
    t.told = []
    remove(t, group.id, "wounded")
    told("blade-skirmish", t, t.told, group, piece)
    other, _ = first(picture, lambda one: one.id != group.id)
    t.told = []
    remove(t, other.id, "away")
    motions = [motion for event in t.told if (motion := event.motion(t)) is not None]
    assert motions
    assert not any(motion.fell for motion in motions)


@pytest.mark.parametrize("machine", [False, True])
def test_soldiers_and_machines_of_squad_action_lie_where_they_stood(machine: bool) -> None:
    name = "squad-action"
    states = [begun(name, one.id).state.clone() for one in lessons(name)]
    tables: list[tuple[Any, Picture]] = [(t, rulebook(name).depict(t, None)) for t in states]
    t, picture = next((t, p) for t, p in tables if any(t.units[g.id].machine is machine for g in p.groups if g.pieces))
    group, piece = first(picture, lambda one: t.units[one.id].machine is machine)
    t.told = []
    if machine:
        destroy(t, group.id, "burns")
    else:
        lose(t, group.id, (piece.id,))
    told(name, t, t.told, group, piece)


def test_soldiers_who_give_up_leave_nothing_behind() -> None:
    t, picture = table("squad-action")
    group, _ = first(picture, lambda one: not t.units[one.id].machine)
    t.told = []
    destroy(t, group.id, "gives up")
    motions = [motion for event in t.told if (motion := event.motion(t)) is not None]
    assert motions
    assert not any(motion.fell for motion in motions)
