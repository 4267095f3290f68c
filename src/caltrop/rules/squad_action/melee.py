"""How close quarters of one unit with another may end, exactly: squads, vehicles and walkers.

Squads against squads are `close_quarters.fight_to_the_end`, which computer players ask often. Where a machine fights
the fight itself is explored.
"""

from __future__ import annotations

from typing import NamedTuple

from caltrop.engine.explore import Explored, explore
from caltrop.rules.squad_action.catalogue import Cover
from caltrop.rules.squad_action.close_quarters import (
    After,
    CloseQuarters,
    fight_to_the_end,
    fighter,
    lasts_from_turn_to_turn,
    round_of,
)
from caltrop.rules.squad_action.damage import WRECK, Condition
from caltrop.rules.squad_action.impact import State, as_it_is
from caltrop.rules.squad_action.morale import last_model_leaves
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.remains import Left

GONE = Left(0, False)


class Ends(NamedTuple):
    """How a fight ends for both units."""

    assaulters: State
    defenders: State


def is_gone(state: State) -> bool:
    """Whether nothing is left of a unit."""
    return state.destroyed if isinstance(state, Condition) else not state.models


def left_of(t: Firefight, unit: int) -> State:
    """What is left of a unit as it stands, or once it is out of play."""
    u = t.units[unit]
    if u.in_play:
        return as_it_is(t, unit)
    return WRECK if u.machine else GONE


def ends_of_fight(t: Firefight, a: int, d: int, cover: Cover) -> Explored:
    """Return the odds of how the fight ends to which an assault comes: `Ends`.

    Args:
        t: The firefight, the units as they come to blows.
        a: The assaulters.
        d: The assaulted.
        cover: The cover in which the assaulted were before they were assaulted.
    """
    u, e = t.units[a], t.units[d]
    if u.machine or e.machine or e.broken:
        watching = (d,) if e.watching else ()
        fight = CloseQuarters(assaulters=(a,), defenders=(d,), covers=(cover,), watching=watching)
        return explore(t, fight, lambda after, _: Ends(left_of(after, a), left_of(after, d)))
    lasts = lasts_from_turn_to_turn(t)
    mine, theirs = fighter(t, a), fighter(t, d)
    found = round_of(t, mine, theirs, cover) if lasts else fight_to_the_end(t, mine, theirs, cover)

    def ended(left: After) -> Ends:
        if left.assaulters and left.defenders and lasts:
            return Ends(Left(left.assaulters, u.pinned), Left(left.defenders, e.pinned))
        return Ends(_after(t, a, left.assaulters), _after(t, d, left.defenders))

    return Explored(found.map(ended))


def _after(t: Firefight, unit: int, left: int) -> Left:
    """Soldiers when a fight is over: a last model leaves, and the others are Pinned, won or undecided."""
    u = t.units[unit]
    if not left or last_model_leaves(t, u.starting, left, u.traits):
        return GONE
    return Left(left, True)
