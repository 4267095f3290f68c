"""Acts that do not count among those that a unit has done: stopped before they began, or paid for by a token."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Match
from caltrop.rules.squad_action.assault import GetReady
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.overwatch import Spring, TokenUsed
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scene import at, scene, squad
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.turn import Activation
from tests.rules.squad_action.played import KindOf, now, play

SHOOT = Shoot(0, (("rifle", 1),))


def north(t: Firefight, unit: int, far: int) -> Move:
    """Return a Move of a whole unit to the north, over a number of inches."""
    ways = []
    for m in t.units[unit].models:
        x, y = t.models[m].at or (0, 0)
        ways.append((m, ((x, y), (x, y + inches(far)))))
    return Move(unit, tuple(ways))


def shot_at_first(first: Any, moment: int, **rules: Any) -> Match:
    """Return a squad with an Officer that was Pinned in its first action, and has rallied with its next."""
    t = scene(
        squad(0, "regular", 20, 20, 4, officer=True),
        squad(1, "regular", 20, 32, 4),
        tokens={1: ("fire",)},
        rules={"announce_both": "off", **rules},
    )
    act = first if first is not None else north(t, 0, 3)
    answers = [Spring(1, "fire", inches(moment)), Shoot(1, (("rifle", 0),))]
    # One of four shots hits, armour saves it, the check fails; the rally passes.
    match = play(t, Activation(unit=0, first=act, told=True), (6, 1, 1, 1), 6, 1, 6, answers=answers)
    assert now(match).units[0].pinned
    if now(match).units[0].acted < 2 and match.waiting:
        match.play(0, Rally(0))
    return match


def refused(match: Match, act: Any) -> str | None:
    """Return the code with which an act is refused as the next, or None."""
    (decision,) = match.waiting
    refusal = decision.options(now(match)).refusal(act)
    return None if refusal is None else refusal.code


@pytest.mark.clause("SQ-S33", "SQ-ORG-07", "SQ-Q03")
def test_a_volley_that_never_began_is_not_repeated() -> None:
    match = shot_at_first(SHOOT, 0, repeat_shoot="off")
    assert refused(match, SHOOT) is None
    # The rally has been done.
    assert now(match).units[0].acted == 1


@pytest.mark.clause("SQ-S33", "SQ-FMI-04", "SQ-Q60")
def test_who_was_stopped_before_a_call_or_a_move_has_neither_called_nor_moved() -> None:
    called = shot_at_first(CallFire(0), 0)
    assert refused(called, north(now(called), 0, 3)) is None
    assert refused(shot_at_first(None, 0), CallFire(0)) is None


@pytest.mark.clause("SQ-FMI-04", "SQ-Q03", "SQ-Q60")
def test_who_was_stopped_on_its_way_has_moved() -> None:
    match = shot_at_first(None, 1, actions_per_activation=3)
    assert refused(match, CallFire(0)) == "stays-put"


@pytest.mark.clause("SQ-Q03", "SQ-Q25")
@pytest.mark.parametrize(("repeat", "code"), [("off", "not-twice"), ("on", None)])
def test_a_partner_repeats_only_what_a_unit_alone_may_repeat(repeat: str, code: str | None) -> None:
    t = scene(
        squad(0, "regular", 20, 20, 4, activated=True, acted=1),
        squad(0, "regular", 24, 18, 4),
        squad(1, "regular", 22, 24, 6),
        rules={"actions_per_activation": 3, "repeat_shoot": repeat},
    )
    volley = Shoot(1, (("rifle", 2),))
    match = play(t, GetReady(unit=1), (1, 1, 1, 1), answers=[volley])
    assert refused(match, volley) == code
    assert refused(match, north(now(match), 1, 1)) is None


@pytest.mark.clause("SQ-Q84", "SQ-Q62", "SQ-Q01")
@pytest.mark.parametrize(("token", "code"), [(True, None), (False, "mortar-busy")])
def test_a_mortar_is_busy_by_what_its_unit_fired_in_its_own_turn(token: bool, code: str | None) -> None:
    t = scene(
        squad(0, "militia", 10, 10, 3, weapons=["light-mortar"], activated=True, acted=1),
        squad(0, "regular", 14, 10, 3, officer=True),
        squad(1, "regular", 12, 24, 3),
        tokens={0: ("fire",)} if token else {},
        rules={"activation": "alternate"},
        round=2,
    )
    volley = Shoot(0, (("rifle", 2),))
    if token:
        match = play(t, TokenUsed(watcher=0, face="fire", actor=2), (1, 1), answers=[volley])
    else:
        match = play(t, volley.procedure(t), (1, 1))
    refusal = KindOf("mission").refusal(now(match), CallFire(1, at(12, 24), mortar=0), False)
    assert (refusal and refusal.code) == code
