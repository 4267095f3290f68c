"""Count obvious mistakes in games of Squad Action.

A `BlunderWatch` is shown every act with the state before and after it. The code defines the mistakes; in words:

- *fire on its own*: a fire mission is aimed so that, if it does not scatter, a unit of its own side lies under it;
- *launcher wasted*: a weapon that fires once a turn, of AT Med or better, is fired at soldiers although it could have
  harmed enemy armour;
- *hopeless assault*: an assault of one squad on another whose first round, by its exact odds, costs the assaulting
  squad more than twice the models that it takes;
- *idle unit*: a turn ends with a unit that was not activated although it could have fired at an enemy.
"""

from __future__ import annotations

from typing import Any

from caltrop.engine import Decision
from caltrop.geometry import Point
from caltrop.rules.squad_action.acts import Doings
from caltrop.rules.squad_action.assault import Assault
from caltrop.rules.squad_action.catalogue import step_of
from caltrop.rules.squad_action.melee import fighter, round_of
from caltrop.rules.squad_action.orders import Begin, EndTurn, to_act
from caltrop.rules.squad_action.places import bodies, cover_of
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shells import Mark, MarkTarget
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.shots import at_of, harms
from caltrop.rules.squad_action.template import radius_of, under_fire

KINDS = ("fire on its own", "launcher wasted", "hopeless assault", "idle unit")


class BlunderWatch:
    """Counts blunders of each side through one game."""

    def __init__(self) -> None:
        self.counts: tuple[dict[str, int], dict[str, int]] = (dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0))

    def see(self, decision: Decision, before: Firefight, action: Any, after: Firefight) -> None:
        counts, act = self.counts[decision.side], action.act if isinstance(action, Begin) else action
        if isinstance(act, CallFire):
            counts["fire on its own"] += act.aim is not None and falls_on_friends(before, decision.side, act.aim)
        elif isinstance(act, Mark) and isinstance(decision, MarkTarget):
            shells = decision.asset not in ("strafing", "anti-vehicle")
            counts["fire on its own"] += shells and falls_on_friends(before, decision.side, act.aim)
        elif isinstance(act, Shoot):
            counts["launcher wasted"] += wastes_a_launcher(before, act)
        elif isinstance(act, Assault):
            counts["hopeless assault"] += is_hopeless(before, act)
        elif isinstance(act, EndTurn):
            counts["idle unit"] += sum([could_fire(before, u.id) for u in to_act(before, decision.side)])


def falls_on_friends(t: Firefight, side: int, aim: Point) -> bool:
    """Return whether a fire mission that does not scatter would have a unit of the side under it."""
    return any(t.units[unit].side == side for unit in under_fire(t, aim, radius_of(t, "light"), side))


def wastes_a_launcher(t: Firefight, act: Shoot) -> bool:
    """Return whether a launcher is fired at soldiers although it could have harmed armour."""
    armour = [e.id for e in t.enemies(act.unit) if e.machine and e.in_play]
    return any(
        t.weapon(way).has("once-per-turn")
        and step_of(at_of(t, act.unit, way)) >= 3
        and t.units[target].on_foot
        and any(harms(t, act.unit, way, e) for e in armour)
        for way, target in act.fire
    )


def is_hopeless(t: Firefight, act: Assault) -> bool:
    """Return whether an assault of a squad on a squad costs far more than it gains."""
    target = t.units[act.targets[0]]
    if len(act.targets) > 1 or not (t.units[act.unit].on_foot and target.on_foot):
        return False
    a, d = fighter(t, act.unit), fighter(t, target.id)
    cover = cover_of(t, target.models, [b[:2] for b in bodies(t, act.unit)])
    ends = round_of(t, a, d, cover)
    lost = ends.expected(lambda end: a.models - end.assaulters)
    taken = ends.expected(lambda end: d.models - end.defenders)
    return lost > 2 * taken


def could_fire(t: Firefight, unit: int) -> bool:
    """Return whether an idle unit has a target from its place."""
    u = t.units[unit]
    return u.in_play and not u.pinned and Shoot.some(Doings(t, unit))
