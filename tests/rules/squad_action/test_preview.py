"""Forecasts before an act equal the results of dice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from msgspec import UNSET

from caltrop import odds
from caltrop.asking import Wish
from caltrop.chance import Distribution, Seeded
from caltrop.engine import Match, Procedure, total
from caltrop.engine.forecast import Forecast, in_hundred
from caltrop.rules.squad_action.activation import NextAct
from caltrop.rules.squad_action.acts import ACTS
from caltrop.rules.squad_action.airstrike import AirRun
from caltrop.rules.squad_action.assault import Assault, MoveIn, NextIn, Storm
from caltrop.rules.squad_action.damage import Condition, condition
from caltrop.rules.squad_action.impact import FireMission, State, after_run, markers
from caltrop.rules.squad_action.line import LayLine, Line
from caltrop.rules.squad_action.melee import ends_of_fight
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.orders import Announce, Begin, Orders
from caltrop.rules.squad_action.overwatch import Interrupt, LetPass, React, Spring
from caltrop.rules.squad_action.preview import come_in, preview
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.records import Barrage, Firefight
from caltrop.rules.squad_action.remains import LeftUnit
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scene import Put, at, block, machine, scene, squad
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shells import Shells
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.watched import watched
from tests.rules.squad_action.played import KindOf, ends


def of(t: Firefight, act: Any, decision: Any = None) -> Forecast:
    """Return the forecast of an announced act."""
    asked = decision or NextAct(side=0, unit=act.unit, kinds=tuple(ACTS))
    result = preview(t, 0, act, asked)
    assert result is not None
    for one in (result, *result.answers, *result.also):
        assert not one.outcomes or sum([Fraction(o.probability) for o in one.outcomes]) == 1
    return result


def told(p: Forecast, *keys: str) -> dict[Any, Fraction]:
    """Return the outcomes of a forecast by some of their parts."""
    result: dict[Any, Fraction] = {}
    for o in p.outcomes:
        key = tuple([o.parts[k] for k in keys])
        result[key] = result.get(key, Fraction(0)) + Fraction(o.probability)
    return result


def state(t: Firefight, unit: int) -> State:
    """Return the state of a unit."""
    u = t.units[unit]
    if u.machine:
        return condition(t, unit) if u.in_play else Condition(destroyed=True)
    return LeftUnit(len(u.models), u.pinned)


def east(unit: int, models: tuple[int, ...], start: tuple[float, float], far: float) -> Move:
    """Return a Move to the east for models an inch apart."""
    x, y = start
    return Move(unit, tuple([(m, (at(x + n, y), at(x + n + far, y))) for n, m in enumerate(models)]))


# --- shots ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-SHO-04", "SQ-SHO-05", "SQ-SHO-07", "SQ-ORG-27")
def test_a_shot_is_told_with_all_its_dice_and_equals_the_odds_of_its_request() -> None:
    t = scene(
        squad(0, "regular", 10, 10), squad(1, "militia", 10, 20), terrain=[block("copse", "woods", 5, 19, 25, 25)]
    )
    result = of(t, Shoot(0, (("rifle", 1),)))
    assert result.headline.startswith("Takes at least one model: ")
    assert "; Pinned: " in result.headline
    assert [one.words for one in result.thrown] == [
        "8 rifles: 8 dice, each needs 4+",
        "Cover save: 5+, a die for each hit",
        "Break test if 5 or more fall: 1 die",
        "Pinning check if anything hits: 1 die, 1 more is needed for each casualty",
    ]
    assert result.request is not None
    assert (result.request["distance"], result.request["target"]["cover"]) == (9, "soft")
    answer = odds(result.request)
    assert [o["probability"] for o in answer["outcomes"]] == [o.probability for o in result.outcomes]
    assert preview(t, 0, Shoot(0, (("pistol", 1),)), NextAct(side=0, unit=0, kinds=("shoot",))) is None


@pytest.mark.clause("SQ-SHO-08")
def test_a_request_is_in_whole_inches_where_that_comes_to_the_same() -> None:
    for y, far in ((20, 9), (18.7, 8.102), (18.5, 8)):
        t = scene(squad(0, "regular", 10, 10, models=1), squad(1, "regular", 10, y, models=2))
        request = of(t, Shoot(0, (("rifle", 1),))).request
        assert request is not None
        assert request["distance"] == far


@pytest.mark.clause("SQ-S21", "SQ-ORG-49", "SQ-Q44")
@pytest.mark.parametrize(
    ("mine", "theirs", "more"),
    [
        ({}, {"officer": True}, {}),
        ({"weapons": ("light-machine-gun",)}, {}, {}),
        ({}, {}, {"terrain": [block("mill", "building", 12, 14, 30, 18)]}),
    ],
    ids=["an Officer", "two weapons", "some are hidden"],
)
def test_what_no_request_holds_has_none(mine: dict[str, Any], theirs: dict[str, Any], more: dict[str, Any]) -> None:
    t = scene(squad(0, "regular", 10, 10, models=4, **mine), squad(1, "regular", 10, 20, **theirs), **more)
    ways = [(way, 1) for way in dict.fromkeys((*mine.get("weapons", ()), "rifle"))]
    assert of(t, Shoot(0, tuple(ways))).request is None
    plain = scene(squad(0, "regular", 10, 10, models=4), squad(1, "regular", 10, 20))
    assert of(plain, Shoot(0, (("rifle", 1),))).request is not None


@pytest.mark.clause("SQ-S51", "SQ-ORG-30")
def test_a_machine_is_told_with_its_damage_roll() -> None:
    t = scene(squad(0, "regular", 10, 10, models=1, weapons=("rpg",)), machine(1, "apc", 10, 20, heading=(0, -1)))
    result = of(t, Shoot(0, (("rpg", 1),)))
    assert result.thrown[1].words.startswith("Damage on the front")
    assert [p.clause for p in result.thrown[1].parts] == ["SQ-S50", "SQ-S50"]
    assert result.thrown[2].words == "Check of its crew: 1 die"
    assert {o.parts["destroyed"] for o in result.outcomes} == {True, False}
    assert result.request is None


@pytest.mark.clause("SQ-S23", "SQ-SHO-06")
@pytest.mark.parametrize("broken", [False, True])
def test_nobody_is_told_that_the_broken_may_be_pinned(broken: bool) -> None:
    """Broken units take no pinning check, and fall back."""
    t = scene(squad(0, "regular", 10, 10, models=2), squad(1, "regular", 10, 20, models=4, broken=broken))
    act = Shoot(0, (("rifle", 1),))
    result = of(t, act)
    assert any(o.parts["pinned"] for o in result.outcomes) is not broken
    assert any("Pinning check" in thrown.words for thrown in result.thrown) is not broken
    played = ends(t, lambda: act.procedure(t), lambda after: (len(after.units[1].models), after.units[1].pinned))
    assert told(result, "models", "pinned") == dict(played.items())


@pytest.mark.clause("SQ-ORG-61", "SQ-S51")
@pytest.mark.parametrize(
    ("kind", "raised"), [("gunship", ("Anti-tank power very light", 1)), ("walker", ("Anti-tank power none", 0))]
)
def test_a_hit_on_a_flyer_is_told_one_class_higher(kind: str, raised: tuple[str, int]) -> None:
    """The damage roll uses the same class when it is thrown."""
    t = scene(squad(0, "regular", 10, 10, models=1), machine(1, kind, 10, 20, heading=(0, -1)))
    part = of(t, Shoot(0, (("rifle", 1),))).thrown[1].parts[0]
    assert (part.words, part.value) == raised


# --- overwatch --------------------------------------------------------------------------------------------------------


def guarded(*tokens: str) -> Firefight:
    """Return a unit that walks to the east behind a building, past an enemy that watches, and one that does not."""
    return scene(
        squad(0, "regular", 10, 10, models=2),
        squad(1, "regular", 20, 20, models=4),
        squad(1, "regular", 30, 20, models=4),
        terrain=[block("mill", "building", 5, 12, 14, 17)],
        tokens={1: tokens} if tokens else {},
    )


@pytest.mark.clause("SQ-S31", "SQ-Q59", "SQ-ORG-36")
def test_a_move_tells_who_may_fire_from_where_on_and_with_what_effect() -> None:
    act = east(0, (0, 1), (10, 10), 6)
    t = guarded("fire", "move")
    result = of(t, act)
    (stretch,) = watched(t, 0, act.paths)
    assert result.by == 1
    assert result.target == 0
    assert 0 < stretch.first < stretch.last == 6 * 254
    assert result.about == f"North 1 may fire after {stretch.first / 254:g} inches"
    # The first moment by the rules is at most half an inch earlier.
    match = Match(ruleset, scene_with(t, act.procedure(t)), Seeded(1))
    (asked,) = match.waiting
    assert isinstance(asked, Interrupt)
    assert stretch.first - 127 < asked.chances[0][1] <= stretch.first
    # The enemy gets the same forecast when it reacts at that moment.
    sprung = preview(match.view(1), 1, Spring(1, "fire", stretch.first), asked)
    assert sprung is not None
    assert sprung.outcomes == result.outcomes
    assert preview(match.view(1), 1, Spring(1, "move", stretch.first), asked) is None
    assert preview(match.view(1), 1, LetPass(), asked) is None
    # The faces of tokens are secret, and the forecast does not reveal them.
    assert of(guarded("move", "move"), act) == result
    assert preview(guarded(), 0, act, NextAct(side=0, unit=0, kinds=("move",))) is None


def late_shot(moment: int, *path: tuple[int, int], **fields: Any) -> tuple[Forecast, Forecast, Firefight, Move]:
    """Return the forecasts of a shot at a tank on its way: before its token is turned over, and after."""
    t = scene(
        machine(0, "light-tank", 10, 20, (0, 1), activated=True, acted=2, **fields),
        squad(1, "regular", 14, 40, 1, weapons=("rpg",)),
        tokens={1: ["fire"]},
    )
    act = Move(0, ((0, (at(10, 20), *[at(*place) for place in path])),))
    match = Match(ruleset, scene_with(t, act.procedure(t)), Seeded(1))
    spring = Spring(1, "fire", moment)
    before = preview(match.view(1), 1, spring)
    match.play(1, spring)
    (asked,) = match.waiting
    after = preview(match.view(1), 1, next(a for a in asked.options(match.state) if isinstance(a, Shoot)))
    assert before is not None
    assert after is not None
    return before, after, t, act


@pytest.mark.clause("SQ-S31", "SQ-SHO-12", "SQ-Q60")
@pytest.mark.parametrize(("moment", "fast"), [(0, False), (4 * 254, True)])
def test_a_shot_is_foretold_with_the_distance_gone_so_far(moment: int, fast: bool) -> None:
    before, after, _, _ = late_shot(moment, (10, 28), travelled=10 * 254, moved=True, moves=1)
    assert before.thrown == after.thrown
    assert before.outcomes == after.outcomes
    assert ("SQ-SHO-12" in [part.clause for part in after.thrown[0].parts]) is fast


@pytest.mark.clause("SQ-S31", "SQ-S52", "SQ-Q60")
@pytest.mark.parametrize(("moment", "face"), [(2 * 254, "front"), (8 * 254, "side")])
def test_a_shot_is_foretold_with_the_face_that_is_turned_then(moment: int, face: str) -> None:
    before, after, _, _ = late_shot(moment, (10, 24), (5, 24))
    assert before.thrown == after.thrown
    assert [face in one.words for one in after.thrown if "Damage" in one.words] == [True]


@pytest.mark.clause("SQ-S31", "SQ-SHO-12", "SQ-Q60")
@pytest.mark.parametrize(("travelled", "fast"), [(10, True), (2, False)])
def test_a_move_foretells_shots_with_the_distance_gone_by_then(travelled: int, fast: bool) -> None:
    gone: dict[str, Any] = {"acted": 2, "moves": 1, "moved": True, "travelled": travelled * 254}
    t = scene(
        machine(0, "light-tank", 10, 20, (0, 1), activated=True, **gone),
        squad(1, "regular", 10, 40, 1, weapons=("rpg",)),
        tokens={1: ["fire"]},
        terrain=[block("mill", "building", 4, 26, 12, 27)],
    )
    result = of(t, Move(0, ((0, (at(10, 20), at(18, 20))),)))
    assert "may fire after" in result.about
    assert ("SQ-SHO-12" in [part.clause for part in result.thrown[0].parts]) is fast


def scene_with(t: Firefight, procedure: Procedure) -> Firefight:
    start = t.clone()
    start.stack = [procedure]
    return start


@pytest.mark.clause("SQ-S31", "SQ-ORG-40")
def test_a_shot_is_told_with_what_watchers_may_do_first() -> None:
    t = scene(
        squad(0, "regular", 10, 10), squad(1, "regular", 10, 20), squad(1, "regular", 30, 10), tokens={2: ["fire"]}
    )
    result = of(t, Shoot(0, (("rifle", 1),)))
    assert [(a.by, a.target, a.about) for a in result.answers] == [(2, 0, "North 2 may fire at once")]
    # The use of a token is a separate act, which others may interrupt.
    shot = preview(t, 0, Shoot(0, (("rifle", 1),)), React(side=0, watcher=0, face="fire"))
    assert shot is not None
    assert shot.outcomes == result.outcomes


@pytest.mark.clause("SQ-Q17")
@pytest.mark.house("overwatch_penalty", -1)
def test_fire_by_a_token_is_told_as_hasty() -> None:
    t = scene(squad(0, "regular", 10, 10), squad(1, "regular", 10, 20), rules={"overwatch_penalty": -1})
    result = preview(t, 0, Shoot(0, (("rifle", 1),)), React(side=0, watcher=0, face="fire"))
    assert result is not None
    assert "SQ-Q17" in [p.clause for p in result.thrown[0].parts]
    assert result.request is None


@pytest.mark.clause("SQ-ORG-03")
def test_of_an_activation_its_first_act_is_told() -> None:
    t = scene(squad(0, "regular", 10, 10), squad(1, "regular", 10, 20))
    shot = Shoot(0, (("rifle", 1),))
    for decision in (Orders(side=0), Announce(side=0, unit=0)):
        result = preview(t, 0, Begin(0, shot, ("move",)), decision)
        assert result == of(t, shot)


# --- close quarters ---------------------------------------------------------------------------------------------------


def sampled(
    t: Firefight, make: Callable[[], Procedure], end: Callable[[Firefight], Any], games: int
) -> dict[Any, float]:
    """Return the frequencies of a procedure's results by seeded dice, with the first option answered to every
    question.
    """
    result: dict[Any, float] = {}
    for seed in range(games):
        match = Match(ruleset, scene_with(t, make()), Seeded(seed), keep=False)
        while match.waiting:
            (decision,) = match.waiting
            match.play(decision.side, decision.options(match.state).first())
        assert isinstance(match.state, Firefight)
        key = end(match.state)
        result[key] = result.get(key, 0) + 1 / games
    return result


CASES: dict[str, tuple[Put, Put, dict[str, Any]]] = {
    "squads": (squad(0, "regular", 10, 10, 4), squad(1, "regular", 10, 13, 4), {}),
    "squads in turn": (squad(0, "elite", 10, 10, 5), squad(1, "regular", 10, 13, 4), {"cqb_rounds": "one_per_turn"}),
    "on a vehicle": (squad(0, "regular", 10, 10, 4, weapons=("fusion-gun",)), machine(1, "apc", 11, 14, moved=True),
                     {}),
    "on a truck": (squad(0, "regular", 10, 10, 4, weapons=("fusion-gun",)), machine(1, "truck", 11, 14), {}),
    "on a walker": (squad(0, "assault", 10, 10, 5, weapons=("fusion-gun",)), machine(1, "walker", 11, 14), {}),
    "a walker": (machine(0, "walker", 11, 10), squad(1, "regular", 10, 14, 4), {}),
    "a walker that hits first": (machine(0, "walker", 11, 10), squad(1, "regular", 10, 14, 3, pinned=True),
                                 {"walker_attack": "cqb_then_2"}),
}  # fmt: skip


@pytest.mark.clause("SQ-CQB-02", "SQ-CQB-11", "SQ-VEH-07", "SQ-VEH-09", "SQ-ORG-55", "SQ-ORG-56", "SQ-Q54", "SQ-Q61")
@pytest.mark.parametrize("case", CASES)
def test_close_quarters_are_told_as_they_are_fought(case: str) -> None:
    mine, theirs, rules = CASES[case]
    t = scene(mine, theirs, rules=rules)
    act = next(iter(KindOf("assault").acts(t, 0, True)))
    exact: Distribution[Any] = ends_of_fight(come_in(t, act), 0, 1, "none").odds

    def told_apart(s: Firefight) -> Any:
        return state(s, 0), state(s, 1)

    assert ends(t, lambda: Storm(act=act), told_apart) == exact
    theirs_alone = exact.map(lambda e: e.defenders)
    result = of(t, act)
    assert told(result, *result.outcomes[0].parts) == told_of(theirs_alone)
    assert (result.also[0].target, result.also[0].exact) == (0, True)
    assert result.headline.startswith("Wins: ")
    assert all(p.clause for one in result.thrown for p in one.parts)


@pytest.mark.clause("SQ-ORG-55", "SQ-VEH-07", "SQ-Q54")
def test_a_truck_that_explodes_takes_some_of_those_who_assault_it() -> None:
    t = scene(squad(0, "regular", 10, 10, 4, weapons=("fusion-gun",)), machine(1, "truck", 11, 14))
    result = of(t, next(iter(KindOf("assault").acts(t, 0, True))))
    (mine,) = result.also
    chances = told(mine, "models", "pinned")
    destroyed = told(result, "destroyed")[True,]
    # A unit that has won a fight is Pinned. The truck is wrecked in 87.6 %, and in 45.6 % all four models are left.
    assert round(float(destroyed), 3) == 0.876
    assert round(float(chances[4, True]), 3) == 0.456
    assert chances[4, False] == 1 - destroyed, "nothing blows up where it is not destroyed"
    assert sum([chance for (models, _), chance in chances.items() if models < 4]) == destroyed - chances[4, True]


@pytest.mark.clause("SQ-S51", "SQ-Q04")
@pytest.mark.parametrize("fire", [(("fusion-gun", 1), ("rifle", 2)), (("rifle", 2), ("fusion-gun", 1))])
def test_shots_at_a_truck_and_at_soldiers_beside_it_are_told_with_the_explosion(
    fire: tuple[tuple[str, int], ...],
) -> None:
    enemies = (machine(1, "truck", 11, 14), squad(1, "regular", 13, 14, 3))
    t = scene(squad(0, "regular", 10, 10, 4, weapons=("fusion-gun",)), *enemies)
    result = of(t, Shoot(0, fire))
    (beside,) = [one for one in (result, *result.also) if one.target == 2]
    assert beside.exact
    chances = told(beside, "models", "pinned")
    played: dict[Any, int] = {}
    for seed in range(800):
        match = Match(ruleset, started(t, Shoot(0, fire).procedure(t)), Seeded(f"blast {seed}"))
        while match.waiting:
            match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
        after = match.state
        assert isinstance(after, Firefight)
        u = after.units[2]
        key = (len(u.models), u.pinned and bool(u.models))
        played[key] = played.get(key, 0) + 1
    assert played.keys() <= chances.keys()
    for key, chance in chances.items():
        p = float(chance)
        assert abs(played.get(key, 0) - 800 * p) <= 5 * (800 * p * (1 - p)) ** 0.5 + 1, key
    far = scene(squad(0, "regular", 10, 10, 4, weapons=("fusion-gun",)), enemies[0], squad(1, "regular", 17, 14, 3))
    (apart,) = [one for one in (of(far, Shoot(0, fire)), *of(far, Shoot(0, fire)).also) if one.target == 2]
    assert told(apart, "models")[3,] > told(beside, "models")[3,]


def started(t: Firefight, procedure: Procedure) -> Firefight:
    """Return the firefight in which a procedure begins."""
    start = t.clone()
    start.stack, start.asked, start.answers = [procedure], (), ()
    return start


def told_of(distribution: Distribution[State]) -> dict[Any, Fraction]:
    """Return a distribution of states as parts of outcomes."""
    stored: dict[Any, Fraction] = {}
    for end, chance in distribution.items():
        key = (end.models, end.pinned) if isinstance(end, LeftUnit) else tuple(end)
        stored[key] = stored.get(key, Fraction(0)) + chance
    return stored


@pytest.mark.clause("SQ-CQB-03", "SQ-CQS-04", "SQ-CQS-06", "SQ-CQS-01")
def test_an_assault_is_told_with_initiative_attacks_and_the_fire_that_meets_it() -> None:
    copse = block("copse", "woods", 5, 15, 25, 25)
    t = scene(squad(0, "regular", 10, 10, 4), squad(1, "regular", 10, 15.5, 4), terrain=[copse], tokens={1: ["fire"]})
    act = next(iter(KindOf("assault").acts(t, 0, True)))
    result = of(t, act)
    assert [(one.words, total(one.parts)) for one in result.thrown] == [
        ("Initiative of South 0: 1 die", 1),
        ("South 0: 4 attack dice and 1D3 more", 4),
        ("Initiative of North 1: 1 die", 1),
        ("North 1: 4 attack dice", 4),
    ]
    assert [(a.by, a.target) for a in result.answers] == [(1, 0)]
    bare = scene(squad(0, "regular", 10, 10, 4), squad(1, "regular", 10, 15.5, 4))
    assert "North 1 strikes second" in [one.words for one in of(bare, act).thrown]
    # A broken enemy is cut down. No other result is possible.
    broken = of(scene(squad(0, "regular", 10, 10, 4), squad(1, "regular", 10, 15.5, 4, broken=True)), act)
    assert [(o.words, o.p) for o in broken.outcomes] == [("out of play", 1.0)]


@pytest.mark.clause("SQ-CQS-07", "SQ-Q25")
def test_of_several_units_that_assault_each_is_told_alone() -> None:
    t = scene(squad(0, "regular", 10, 10, 4), squad(0, "regular", 20, 10, 4), squad(1, "regular", 14, 13, 4))
    first = next(iter(KindOf("assault").acts(t, 0, True)))
    both = Assault(0, first.targets, first.paths, False, (1,))
    assert preview(t, 0, both, NextAct(side=0, unit=0, kinds=("assault",))) is None
    asked = NextIn(side=0, coming=(0, 1), targets=(2,), first=both)
    result = of(t, MoveIn(0, first.paths), asked)
    assert result.note == "Forecast for this unit alone."
    assert result.outcomes == of(t, first).outcomes


# --- shells and runs from the air -------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-FMI-08", "SQ-FMI-09", "SQ-Q29", "SQ-Q30")
def test_the_marker_scatters_as_the_dice_say() -> None:
    t = scene(squad(0, "regular", 10, 10))
    once, twice, thrice = (markers(t, 0, at(24, 24), rounds) for rounds in (1, 2, 3))
    assert once[at(24, 24)] == Fraction(1, 3)
    assert once[at(24, 26)] == Fraction(2, 3) * Fraction(1, 36) / 12
    assert twice[at(24, 25)] == Fraction(2, 3) / 72
    assert len(twice) == 1 + 6 * 12
    assert thrice == Distribution.certain(at(24, 24))
    for corner in (t.ground.box[:2], t.ground.box[2:]):
        assert markers(t, 0, corner, 1)[corner] == Fraction(1, 3), "who stands on the edge is on the table"
    edge = markers(t, 0, at(24, 0), 2)
    assert edge[None] == Fraction(2, 3) * Fraction(5, 12)
    less = scene(squad(0, "regular", 10, 10), rules={"sustained": "subtract"})
    assert markers(less, 0, at(24, 24), 2)[at(24, 24)] > once[at(24, 24)]


@pytest.mark.clause("SQ-FMI-14", "SQ-FMI-17", "SQ-FMI-20", "SQ-FMI-21", "SQ-Q33", "SQ-Q53")
@pytest.mark.parametrize("target", [squad(1, "regular", 20, 20, 3), machine(1, "apc", 20, 20, pinned=True)])
def test_what_a_shell_does_is_what_every_fall_of_its_dice_does(target: Put) -> None:
    t = scene(squad(0, "regular", 10, 10, officer=True), target, terrain=[block("copse", "woods", 15, 19, 30, 25)])
    mission = FireMission(t, CallFire(0, at(20, 20), 1))
    for marker in (at(20, 20), at(23, 20)):
        exact = mission._shelled("light", 1, marker)
        assert exact == ends(t, partial(shells_at, marker), lambda s: state(s, 1))


def shells_at(marker: tuple[int, int]) -> Shells:
    """Return a position with light shells whose marker has been placed."""
    return Shells(at="find_units", side=0, caller=0, asset="light", aim=marker, marker=marker)


@pytest.mark.clause("SQ-FMI-01", "SQ-FMI-02", "SQ-FMI-06", "SQ-Q32", "SQ-Q62")
def test_a_call_for_fire_tells_whether_anything_answers_and_on_which_units_it_may_fall() -> None:
    t = scene(squad(0, "regular", 10, 10, officer=True), squad(1, "regular", 20, 20), squad(0, "regular", 20, 16, 4))
    result = of(t, CallFire(0, at(22, 20), 1))
    assert told(result, "came")[("nothing",)] == Fraction(5, 6)
    assert told(result, "came")[("airstrike",)] == Fraction(1, 36)
    assert result.target == 1
    assert [one.about for one in result.also] == ["On a friend: South 0", "On a friend: South 2"]
    assert [one.words for one in result.thrown] == [
        "Is an asset available: 1 die, 6+",
        "Scatter die, 1 and 2 on target; else 2 dice of scatter",
    ]
    # Sustained fire needs neither roll, and scatters less.
    t.barrages.append(Barrage(caller=0, asset="heavy", aim=at(22, 20), target=1, turn=0, target_at=places(t, 1)))
    again = of(t, CallFire(0, at(22, 20), 1))
    assert told(again, "came") == {("shells",): Fraction(1)}
    assert [one.words for one in again.thrown] == ["Scatter die, 1 and 2 on target; else 1 die of scatter"]
    # If no unit is there, the answer lists the guns that may answer the call.
    empty = of(t, CallFire(0, at(2, 40)))
    assert {o.words for o in empty.outcomes} >= {"nothing is available", "an airstrike comes", "heavy shells fall"}
    assert empty.target is None
    delayed = scene(squad(0, "regular", 10, 10, officer=True), squad(1, "regular", 20, 20), rules={"mission_delay": 1})
    assert of(delayed, CallFire(0, at(22, 20), 1)).note


def places(t: Firefight, unit: int) -> tuple[Any, ...]:
    return tuple([t.models[m].at for m in t.units[unit].models])


@pytest.mark.clause("SQ-AIR-02", "SQ-AIR-03", "SQ-AIR-05", "SQ-AIR-08", "SQ-AIR-10", "SQ-Q39", "SQ-Q47")
def test_a_run_from_the_air_is_told_along_its_line() -> None:
    hero = squad(1, "conscript", 20, 20, 1)
    t = scene(squad(0, "regular", 10, 10), hero, machine(1, "apc", 20, 26), squad(0, "regular", 20, 14, 3))
    asked = LayLine(side=0, aim=at(20, 20), run="strafing")
    result = of(t, Line((0, 1)), asked)
    sums = {n: Fraction(0) for n in range(3, 19)}
    for a in range(1, 7):
        for b in range(1, 7):
            for c in range(1, 7):
                sums[a + b + c] += Fraction(1, 216)
    missed = sum([chance * Fraction(2, 3) ** n for n, chance in sums.items()])
    assert told(result, "models")[(1,)] == missed
    # A friend under the line only takes a check.
    assert {o.words for o in result.also[0].outcomes} == {"3 left", "3 left, Pinned"}
    assert result.exact
    several = of(scene(squad(0, "regular", 10, 10), hero, squad(1, "regular", 20, 24, 3)), Line((0, 1)), asked)
    assert several.about == "Altogether"
    assert [one.exact for one in several.also] == [False, False]
    assert "their owner divides the hits" in several.also[0].note
    nobody = preview(t, 0, Line((1, 0)), LayLine(side=0, aim=at(2, 40), run="strafing"))
    assert nobody is None
    machines = of(t, Line((0, 1)), LayLine(side=0, aim=at(20, 20), run="anti-vehicle"))
    assert (machines.target, machines.thrown[0].words) == (2, "D3 shots, each needs 5+")
    assert machines.also == ()
    # The first offered line crosses both units.
    run = partial(AirRun, side=0, unit=0, aim=at(20, 26), kind="anti-vehicle")
    made = sampled(t, run, lambda s: state(s, 2), 300)
    exact = after_run(t, 2, AirRun(at="fly", side=0, unit=0, aim=at(20, 20), kind="anti-vehicle"))
    for end, often in made.items():
        chance = float(exact[end])
        assert abs(often - chance) < 4.5 * (chance * (1 - chance) / 300) ** 0.5


@pytest.mark.clause("SQ-AIR-08", "SQ-ORG-55")
def test_a_run_at_a_truck_is_told_for_the_soldiers_beside_it() -> None:
    t = scene(squad(0, "regular", 5, 5), machine(1, "truck", 20, 20), squad(1, "regular", 22, 20, 3))
    result = of(t, Line((1, 0)), LayLine(side=0, aim=at(20, 20), run="anti-vehicle"))
    assert (result.target, [one.target for one in result.also]) == (1, [2])
    destroyed = told(result, "destroyed")[True,]
    # The machine explodes with some of the chance to be destroyed, and takes soldiers then.
    assert 0 < 1 - told(result.also[0], "models")[3,] < destroyed


RUNS: dict[str, tuple[str, tuple[Put, ...], dict[str, Any]]] = {
    "two squads": ("strafing", (squad(1, "regular", 15, 20, 4), squad(1, "militia", 22, 20, 3, pinned=True)), {}),
    "they run": ("strafing", (squad(1, "conscript", 15, 20, 4), squad(1, "militia", 22, 20, 3)),
                 {"break_result": "fall_back"}),
    "an Officer and a truck": ("strafing", (squad(1, "regular", 13, 20, 3, officer=True), machine(1, "truck", 24, 20)),
                               {"strafe_to_hit": 4}),
    "two machines": ("anti-vehicle", (machine(1, "truck", 17, 20), machine(1, "apc", 24, 20)), {}),
}  # fmt: skip


@pytest.mark.clause("SQ-AIR-02", "SQ-AIR-06", "SQ-AIR-08", "SQ-Q39", "SQ-Q47")
@pytest.mark.parametrize("which", RUNS)
def test_a_run_over_several_units_is_told_for_all_together(which: str) -> None:
    kind, enemies, rules = RUNS[which]
    t = scene(squad(0, "regular", 5, 5), *enemies, rules=rules)
    before = [len(u.models) for u in t.units]
    result = of(t, Line((1, 0)), LayLine(side=0, aim=at(20, 20), run=kind))
    assert (result.about, result.exact, len(result.also)) == ("Altogether", True, 2)

    def lost(after: Firefight) -> tuple[int, int, int]:
        fallen = [before[u.id] - len(u.models) if u.in_play else before[u.id] for u in after.units]
        pinned = [u for u in after.units if u.in_play and u.pinned and not t.units[u.id].pinned]
        return sum(fallen), sum(not u.in_play for u in after.units), len(pinned)

    # In any other question hits are shared out evenly, and the first way to lose models is taken.
    run = partial(AirRun, at="fly", side=0, unit=0, aim=at(20, 20), kind=kind, direction=(1, 0))
    games = 400
    made = sampled(t, run, lost, games)
    exact = told(result, "models", "destroyed", "pinned")
    assert set(made) <= set(exact)
    for end, chance in exact.items():
        p = float(chance)
        assert abs(made.get(end, 0) - p) <= 4.5 * (p * (1 - p) / games) ** 0.5 + 1 / games
    assert result.expected["models"] == pytest.approx(sum(float(p) * models for (models, _, _), p in exact.items()))
    whole = sum((chance for (_, gone, _), chance in exact.items() if gone), Fraction(0))
    assert f"unit destroyed: {in_hundred(whole)}" in result.headline
    assert ("At least one casualty" in result.headline) is (kind == "strafing")


# --- rallying ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-25", "SQ-S22", "SQ-TRT-15", "SQ-Q57")
def test_a_try_to_rally_is_told() -> None:
    t = scene(squad(0, "regular", 10, 10, pinned=True), squad(1, "regular", 10, 20), tokens={1: ["fire"]})
    result = of(t, Rally(0))
    assert result.headline == "Rallies: 67 %"
    assert [a.by for a in result.answers] == [1]
    sure = scene(squad(0, "regular", 10, 10, pinned=True, traits=["resolute"]))
    assert preview(sure, 0, Rally(0), NextAct(side=0, unit=0, kinds=("rally",))) is None


# --- a drag -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S31", "SQ-Q59", "SQ-S16", "SQ-S19")
def test_a_drag_tells_who_watches_which_part_of_the_way_and_who_sees_its_end() -> None:
    t = guarded("fire")
    proposal = Orders(side=0).propose(t, Wish(unit=0, to=at(16, 10)))
    assert isinstance(proposal.action, Begin)
    assert isinstance(proposal.action.act, Move)
    (stretch,) = watched(t, 0, proposal.action.act.paths)
    first = stretch.first / 254
    assert proposal.notes == (
        f"North 1 is on overwatch, and sees it after {first:g} inches of the way",
        "Seen at its end by 2 enemy units, the nearest North 1: in the open",
    )
    assert proposal.watched is not UNSET
    ((start, end),) = proposal.watched
    assert (start[0] - at(10, 10)[0], end) in ((stretch.first, at(16, 10)), (stretch.first + 254, at(17, 10)))
    mill = block("mill", "building", 5, 12, 25, 17)
    t = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 12, 20, 4), terrain=[mill], tokens={1: ["fire"]})
    hidden = Orders(side=0).propose(t, Wish(unit=0, to=at(11, 10)))
    assert hidden.watched is UNSET
    assert hidden.notes == ("Out of sight of every enemy at its end",)
    copse = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 14, 20, 4), tokens={1: ["fire"]},
                  terrain=[block("copse", "woods", 12, 8, 20, 12)])  # fmt: skip
    cover = Orders(side=0).propose(copse, Wish(unit=0, to=at(14, 10)))
    assert cover.notes == (
        "North 1 is on overwatch, and sees it all the way",
        "Seen at its end by North 1: soft cover",
    )


def test_what_is_refused_tells_nothing_of_watchers() -> None:
    proposal = Orders(side=0).propose(guarded("fire"), Wish(unit=0, to=at(40, 40), models={0: (at(40, 40),)}))
    assert proposal.refusal is not None
    assert proposal.notes is UNSET
