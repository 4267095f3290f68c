"""The ways to win a mission, in words, and the side that would win if the game ended now."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.kit.goals import ended_now, score_words, units_worth
from caltrop.picture import Prize, Victory
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.victory import has_pilot, holder, needed_to_leave, outcome_if_over, points_lost, totals


def goal_of(t: Firefight) -> Victory | UnsetType:
    """Return the victory conditions of the mission; UNSET if it has none."""
    words = tuple(_words(t))
    if not words:
        return UNSET
    goes_on = t.round > 0 and t.over is None
    winner = outcome_if_over(t)[0] if goes_on else None
    return Victory(
        words=words,
        prizes=tuple(_prizes(t)),
        now=ended_now(t.field.names, winner, _because(t)) if goes_on else "",
        leader=winner,
    )


def _because(t: Firefight) -> str:
    scores = {"meeting": totals(t), "pilot": (points_lost(t, 1), points_lost(t, 0))}.get(t.field.goal)
    if scores is None:
        return ""
    if t.field.goal == "meeting":
        return score_words(scores, "victory point")
    return f"units worth {score_words(scores, 'point')} destroyed"


def _words(t: Firefight) -> Iterator[str]:
    field, names = t.field, t.field.names
    turns = quantity(field.turns, "turn")
    defender = field.defender
    match field.goal:
        case "meeting":
            yield f"The side with more victory points after {turns} wins."
            yield "From the 2nd turn on each objective scores at the end of the turn for a side that alone is near it."
        case "crossroads" if defender is not None:
            place = field.objectives[0].name.lower()
            yield f"{names[defender]} wins with an unbroken unit within 6 inches of the {place} after {turns}."
            yield f"{names[1 - defender]} wins if there is none."
        case "breakthrough" if defender is not None:
            needed = needed_to_leave(t, 1 - defender)
            units = quantity(needed, "unit")
            attacker, defenders = names[1 - defender], names[defender]
            yield f"{attacker} wins at once when {units} of it have left by the edge of {defenders}, within {turns}."
            yield f"Otherwise {names[defender]} wins."
        case "pilot":
            yield f"The side that carries the pilot over its own edge wins at once, within {turns}."
            yield "If neither does, the side wins that has destroyed units worth more points."
    if field.morale is not None and field.goal != "none":
        yield f"{names[field.morale]} loses when more than half of its units are destroyed or broken at a turn's end."


def _prizes(t: Firefight) -> Iterator[Prize]:
    goal, names = t.field.goal, t.field.names
    standing = [u for u in t.units if u.where != "gone"]
    if goal == "meeting":
        for n, o in enumerate(t.field.objectives):
            worth = "1 victory point a turn for the side that alone has a unit within 3 inches"
            yield Prize(name=o.name, worth=worth, side=holder(t, n))
        units = [(u.side, u.name, 1) for u in standing]
        yield from units_worth(units, names, lambda count: quantity(count, "victory point"))
    if goal == "pilot":
        sides = [side for side in (0, 1) if has_pilot(t, side) is not None]
        where = "with a unit" if sides else "lies on the table"
        yield Prize(name="The pilot", worth=where, side=sides[0] if sides else None)
        yield from units_worth([(u.side, u.name, u.points) for u in standing], names, lambda n: quantity(n, "point"))
