"""Forecasts of fire missions and airstrikes: the places that are hit, and the losses of each unit."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.chance import Distribution
from caltrop.engine import Term
from caltrop.engine.explore import Explored
from caltrop.engine.forecast import Forecast, foreseen, in_hundred, many_dice
from caltrop.engine.form import DiceSum
from caltrop.rules.squad_action.airstrike import AirRun, anti_vehicle_needs, strafe_needs
from caltrop.rules.squad_action.impact import (
    CalledFire,
    FireMission,
    Losses,
    State,
    after_run,
    as_it_is,
    losses_of_run,
    those_shot_at,
)
from caltrop.rules.squad_action.line import LayLine, Line, middle_of_line, under_line
from caltrop.rules.squad_action.melee import is_gone
from caltrop.rules.squad_action.outcomes import parts_of_state, state_in_words
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.shelling import CallFire, available_on
from caltrop.rules.squad_action.shells import Mark, MarkTarget, going_on, is_delayed
from caltrop.rules.squad_action.template import scatter_dice

TIMES = 300
"""Number of playouts of an attack that is too large to explore."""


def marked(t: Firefight, asked: MarkTarget, act: Mark) -> Forecast | None:
    """Return the forecast of fire at a marked place, by unit; None for an air run whose line is not chosen yet."""
    if asked.asset in ("strafing", "anti-vehicle"):
        return None
    call = CallFire(asked.unit, act.aim, act.target)
    return foreseen_mission(t, call, FireMission(t, call, asked.asset), called=True)


def foreseen_mission(t: Firefight, act: CallFire, mission: FireMission, called: bool = False) -> Forecast:
    units = [u for u in mission.units if u != act.target]
    first = [act.target] if act.target is not None else units[:1]
    every = [_called(t, act, mission, unit) for unit in (*first, *[u for u in units if u not in first])]
    delayed = (
        "It takes effect at the start of your next turn; worked out for the present positions." if is_delayed(t) else ""
    )
    thrown = _calling(t, act, called)
    if not every:
        ends = mission.assets.sorted()
        words = {"nothing": "nothing is available", "airstrike": "an airstrike comes"}
        forecast = foreseen(ends, lambda a: words.get(a, f"{a} shells fall"), lambda a: {"asset": a})
        return Forecast(by=act.unit, thrown=thrown, outcomes=forecast, note=delayed)
    return replace(every[0], thrown=thrown, also=tuple(every[1:]), note=delayed)


def _called(t: Firefight, act: CallFire, mission: FireMission, unit: int) -> Forecast:
    u, stays = t.units[unit], as_it_is(t, unit)
    ends = mission.ends(unit).sorted(key=lambda c: (c.asset, tuple(c.state)))
    names = {"nothing": "nothing is available", "airstrike": "an airstrike comes"}

    def words(asset: CalledFire) -> str:
        return names.get(asset.asset) or (
            "the shells do nothing to it" if asset.state == stays else state_in_words(t, unit, asset.state)
        )

    friend = "a friend: " if u.side == t.units[act.unit].side else ""
    return Forecast(
        about=f"On {friend}{u.name}",
        by=act.unit,
        target=unit,
        outcomes=foreseen(ends, words, lambda c: {"came": c.asset, **parts_of_state(t, c.state)}),
        headline=headline_of(t, unit, ends.map(lambda c: c.state)),
    )


def _calling(t: Firefight, act: CallFire, called: bool = False) -> tuple[DiceSum, ...]:
    sums = []
    going = going_on(t, act.unit, act.aim, act.target, act.mortar)
    if act.mortar is None and going is None and not called:
        needed = available_on(t, act.unit)
        clause, who = ("SQ-FMI-01", "A spotter") if needed == 5 else ("SQ-FMI-02", "An Officer")
        sums.append(DiceSum(words=f"Is an asset available: 1 die, {needed}+", parts=(Term(needed, clause, who),)))
    if act.aim is None:
        return tuple(sums)
    dice, less = scatter_dice(t, 1 if going is None else going.rounds + 1)
    parts = [Term(dice, "SQ-FMI-08", "Scatter dice")] + [Term(-less, "SQ-Q30", "Dice taken off")] * bool(less)
    sums.append(DiceSum(words=f"Scatter die, 1 and 2 on target; else {many_dice(dice)} of scatter", parts=tuple(parts)))
    return tuple(sums)


def run_over(t: Firefight, asked: LayLine, act: Line) -> Forecast | None:
    middle = middle_of_line(asked.aim, act)
    units = under_line(t, middle, act.direction)
    shot = those_shot_at(t, units, asked.run, asked.side)
    run = AirRun(at="fly", side=asked.side, unit=-1, aim=middle, kind=asked.run, direction=act.direction)
    every = [_under(t, run, unit, shot) for unit in sorted(units, key=lambda u: (u not in shot, u))]
    options = [one for one in every if one is not None]
    if not options:
        return None
    needed = strafe_needs(t) if asked.run == "strafing" else anti_vehicle_needs(t)
    words = f"{'3D6' if asked.run == 'strafing' else 'D3'} shots, each needs {needed}+"
    clause = "SQ-Q39" if asked.run == "strafing" else "SQ-AIR-10"
    thrown = (DiceSum(words=words, parts=(Term(needed, clause, "Needed to hit"),)),)
    if len(shot) > 1:
        explored = losses_of_run(t, shot, run, TIMES)
        options = [_altogether(asked, explored, any(t.units[unit].on_foot for unit in shot)), *options]
    return replace(options[0], thrown=thrown if shot else (), also=tuple(options[1:]))


def _altogether(asked: LayLine, explored: Explored, soldiers: bool) -> Forecast:
    odds, what = explored.odds, "hits" if asked.run == "strafing" else "shots"
    chances = [
        ("at least one casualty", odds.chance(lambda lost: soldiers and lost.models > 0)),
        ("a unit destroyed", odds.chance(lambda lost: lost.destroyed > 0)),
        ("several units destroyed", odds.chance(lambda lost: lost.destroyed > 1)),
        ("a unit Pinned", odds.chance(lambda lost: lost.pinned > 0)),
    ]
    gist = ", ".join([f"{words}: {in_hundred(chance)}" for words, chance in chances if chance])
    return Forecast(
        about="Altogether",
        outcomes=foreseen(odds, losses_in_words, lambda lost: dict(lost._asdict()), explored.times),
        exact=explored.exact,
        headline=gist[:1].upper() + gist[1:],
        expected={"models": float(odds.expected(lambda lost: lost.models))},
        note=f"Worked out as if the {what} were shared evenly. {explored.words}".rstrip(),
    )


def losses_in_words(lost: Losses) -> str:
    """Return the losses of several units in words."""
    destroyed = f", {quantity(lost.destroyed, 'unit')} destroyed" * bool(lost.destroyed)
    pinned = f", {quantity(lost.pinned, 'unit')} Pinned" * bool(lost.pinned)
    return f"{quantity(lost.models, 'model')} lost{destroyed}{pinned}"


def _under(t: Firefight, run: AirRun, unit: int, shot: Sequence[int]) -> Forecast | None:
    ends, stays = after_run(t, unit, run).sorted(key=tuple), as_it_is(t, unit)
    if set(ends) == {stays}:
        return None
    by = "their owner divides the hits" if run.kind == "strafing" else "you divide the shots"
    several = unit in shot and len(shot) > 1
    return Forecast(
        about=f"On {t.units[unit].name}",
        target=unit,
        outcomes=foreseen(ends, lambda s: state_in_words(t, unit, s), lambda s: parts_of_state(t, s)),
        exact=not several,
        headline=headline_of(t, unit, ends),
        note=f"Worked out as if all of them went to this unit: {by}." if several else "",
    )


def headline_of(t: Firefight, unit: int, ends: Distribution[State]) -> str:
    """Return a headline with the chance of any effect on a unit, and the chance that it is destroyed."""
    stays = as_it_is(t, unit)
    some, whole = ends.chance(lambda state: state != stays), ends.chance(is_gone)
    return f"Any effect: {in_hundred(some)}" + f", destroys it: {in_hundred(whole)}" * bool(whole)
