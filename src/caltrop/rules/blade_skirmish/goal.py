"""The ways to win a skirmish, in words, and the side that would win if it ended now."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import agreeing, does
from caltrop.kit.goals import ended_now, score_words
from caltrop.picture import Prize, Victory
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.victory import (
    holds_the_stones,
    home_of,
    must_leave,
    outcome_if_over,
    to_come,
    trove,
)


def goal_of(t: Skirmish) -> Victory | UnsetType:
    """Return the victory conditions of a skirmish; unset if its scenario has no goal."""
    words = tuple(_words(t))
    if not words:
        return UNSET
    outcome = outcome_if_over(t) if t.round and t.over is None else None
    because = ""
    if outcome is not None and outcome.points:
        because = score_words(outcome.points, "victory point")
    return Victory(
        words=words,
        prizes=tuple(_prizes(t)),
        now=ended_now(t.field.names, outcome.winner, because) if outcome is not None else "",
        leader=outcome.winner if outcome is not None else None,
    )


def _words(t: Skirmish) -> Iterator[str]:
    field = t.field
    us, them = field.names[0], field.names[1]
    within = "" if field.limit is None else f" within {quantity(field.limit, 'turn')}"
    by_points = f"More points after {quantity(field.limit or 0, 'turn')} of each side win."
    match field.goal:
        case "clear":
            more = ", and none is still to come" if any(to_come(t, side) for side in range(1, field.sides)) else ""
            yield f"{does(us, 'wins')} when no enemy is left on the table{more}{within and f', {within.strip()}'}."
        case "hold":
            yield f"{does(us, 'wins')} with a fit fighter within 3 inches of the middle at the end."
            yield f"It ends after {quantity(field.limit or 0, 'turn')} of the enemy."
        case "leave":
            needed = f"{must_leave(t)} of its fighters" if t.round else "half of its fighters, rounded up,"
            yield f"{does(us, 'wins')} when {needed} {agreeing(needed, 'has')} left by the {field.exit} edge{within}."
        case "relic":
            yield f"{does(us, 'wins')} when a fighter carries the relic to the {field.home} edge{within}."
        case "slay":
            yield f"{does(us, 'wins')} when the captain of {them} is down{within}."
        case "standard":
            yield f"The side whose fighter carries the standard to its own edge wins: {_edges(t)}."
            yield f"After {quantity(field.limit or 0, 'turn')} of each side the carrier's side wins."
        case "blood" | "stones":
            yield by_points
            yield "It ends sooner if a side has nobody left on the table."
    if field.goal in ("clear", "hold", "leave", "relic", "slay"):
        yield f"{does(us, 'loses')} with nobody left on the table{', or when time is up' if field.limit else ''}."


def _edges(t: Skirmish) -> str:
    return ", ".join(f"{t.field.names[side]} the {home_of(t, side)} edge" for side in range(t.field.sides))


def _prizes(t: Skirmish) -> Iterator[Prize]:
    goal = t.field.goal
    if goal == "blood":
        for name, points in (("An enemy wounded", 1), ("An enemy killed", 2), ("A trophy", 1)):
            yield Prize(name=name, worth=quantity(points, "victory point"))
    if goal == "stones":
        worth = "1 victory point after each turn, for more fighters within 3 inches than the enemy"
        yield Prize(name="The stones in the middle", worth=worth, side=holds_the_stones(t))
    if goal in ("blood", "stones"):
        yield Prize(name="The last side on the table", worth="3 victory points")
    if goal in ("relic", "standard") and t.relic is not None:
        carrier = None if t.relic.carrier is None else t.fighters[t.relic.carrier]
        where = "lies on the table" if carrier is None else f"carried by {carrier.name}"
        yield Prize(name=f"The {trove(t)}", worth=where, side=None if carrier is None else carrier.side)
    for f in t.fighters:
        if goal == "slay" and f.side and f.at is not None and "captain" in t.habits(f.id):
            yield Prize(name=f.name, worth="the captain", side=f.side)
