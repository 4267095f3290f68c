"""The odds of close quarters between two units, by exploring the fight.

Computer players need the first round of squad against squad for many decisions, so its odds are cached (`round_of`).
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from caltrop.chance import Distribution
from caltrop.engine import Procedure
from caltrop.engine.explore import (
    GO_ON,
    LEFT_OUT,
    CannotExplore,
    Chain,
    Explored,
    Explorer,
    Stops,
    View,
    estimate,
)
from caltrop.engine.known import known_odds
from caltrop.engine.rule import HasBook
from caltrop.rules.squad_action.casualties import TakeHits
from caltrop.rules.squad_action.catalogue import NO_SAVE, Cover, Lists, Profile
from caltrop.rules.squad_action.close_quarters import ROUNDS, CloseQuarters, MopUp, lasts_from_turn_to_turn
from caltrop.rules.squad_action.consolidation import Consolidation
from caltrop.rules.squad_action.damage import Condition
from caltrop.rules.squad_action.impact import State, left_of
from caltrop.rules.squad_action.initiative import Initiative
from caltrop.rules.squad_action.places import officer_near
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scene import scene, squad
from caltrop.rules.squad_action.striking import StrikeByHand


class Ends(NamedTuple):
    """States of both units at the end of a fight."""

    assaulters: State
    defenders: State


def is_gone(state: State) -> bool:
    return state.destroyed if isinstance(state, Condition) else not state.models


VIEWS: dict[type[Procedure], View] = {
    TakeHits: lambda p, t: id(t.units[p.unit]),
    StrikeByHand: lambda p, t: (tuple([id(t.units[u]) for u in p.targets]), t.units[p.by.unit].where),
    Initiative: lambda p, t: tuple([(t.units[u].pinned, t.units[u].where) for u in (*p.assaulters, *p.defenders)]),
    MopUp: lambda p, t: id(t.units[p.unit]),
}
"""The parts of the state that matter to a fight between two squads."""
STOPS: Stops = {
    (CloseQuarters, "next_round"): lambda fight, t: None if fight.rounds in (1, 3) else GO_ON,
    (CloseQuarters, "part"): lambda fight, t: LEFT_OUT,
    (Consolidation, "offer"): lambda winner, t: LEFT_OUT,
}
"""Points that end an exploration: after each round, since later rounds are alike and places do not matter."""
NODES = 100_000
"""Largest number of nodes; a fight of ten models against ten needs half of it."""
TIMES = 300
"""Number of playouts of a fight that is too large to explore."""


def ends_of_fight(t: Firefight, a: int, d: int, cover: Cover) -> Explored:
    """Return the odds of the `Ends` of a fight after an assault.

    Args:
        cover: The cover of the assaulted unit before the assault.
    """
    watching = (d,) if t.units[d].watching else ()
    fight = CloseQuarters(assaulters=(a,), defenders=(d,), covers=(cover,), watching=watching)
    squads = t.units[a].on_foot and t.units[d].on_foot

    def round_(after: Firefight, number: int) -> CloseQuarters | None:
        if not number:
            return fight
        alive = after.units[a].in_play and after.units[d].in_play
        if number > ROUNDS or not (squads and alive) or lasts_from_turn_to_turn(t):
            return None
        return replace(fight, at="next_round" if number < ROUNDS else "part", rounds=2)

    def end(after: Firefight, _: object = None) -> Ends:
        return Ends(left_of(after, a), left_of(after, d))

    try:
        explorer = Explorer(t, views=VIEWS if squads else {}, stops=STOPS, nodes=NODES)
        return Explored(Chain(t, round_, explorer=explorer).odds(None, end))
    except CannotExplore as reason:
        return estimate(t, fight, end, times=TIMES, reason=str(reason))


# --- for computer players --------------------------------------------------------------------------------------------

ROWS = ("assaulters", "defenders")
"""Names of the two rows of squads in an explored round."""


class Fighter(NamedTuple):
    """The values of a squad that matter in close quarters."""

    models: int
    cqb: int
    morale: int
    armour: int
    traits: tuple[str, ...] = ()
    pinned: bool = False
    watching: bool = False
    officer: bool = False
    """True if an unpinned Officer of the unit's side is nearby."""


class After(NamedTuple):
    """The end of a round: the models left on each side, 0 for a squad that was removed."""

    assaulters: int
    defenders: int


def round_of(b: HasBook, a: Fighter, d: Fighter, cover: Cover = "none") -> Distribution[After]:
    """Return the exact odds of the first round between two squads: initiative, attacks and mop-up.

    The result is cached, in memory and on disk.

    Args:
        cover: The cover of the assaulted squad before the assault.
    """
    odds = known_odds("round of close quarters", b.book, After, __package__)
    key = (a, d, cover)
    round_ = odds.get(key)
    if round_ is None:
        round_ = explored_round(b, a, d, cover)
        odds.keep(key, round_)
    return round_


def explored_round(b: HasBook, a: Fighter, d: Fighter, cover: Cover) -> Distribution[After]:
    """Return the odds of a round by exploring it on a table with two squads and their Officers."""
    sides = tuple(enumerate((a, d)))
    rows = {
        ROWS[side]: Profile(title="", plural="", fire=NO_SAVE, cqb=f.cqb, morale=f.morale, armour=f.armour, points=0)
        for side, f in sides
    }
    squads = [
        squad(side, ROWS[side], 20, 20 + 0.6 * side, f.models, traits=f.traits, pinned=f.pinned) for side, f in sides
    ]
    officers = [squad(side, ROWS[side], 20, 16 + 9 * side, 1, officer=True) for side, f in sides if f.officer]
    t = scene(*squads, *officers, rules=b.book.rules, field={"lists": Lists(profiles=rows)})
    fight = CloseQuarters(assaulters=(0,), defenders=(1,), covers=(cover,), watching=(1,) if d.watching else ())

    def left(after: Firefight, _: object) -> After:
        return After(*[len(u.models) if u.in_play else 0 for u in after.units[:2]])

    return Explorer(t, views=VIEWS, stops=STOPS, nodes=NODES).odds(fight, left)


def fighter(t: Firefight, unit: int) -> Fighter:
    """Return the values of a squad that matter in close quarters."""
    u, row = t.units[unit], t.profile(unit)
    return Fighter(
        models=len(u.models),
        cqb=row.number("cqb"),
        morale=row.number("morale"),
        armour=row.number("armour"),
        traits=u.traits,
        pinned=u.pinned,
        watching=u.watching > 0,
        officer=officer_near(t, unit),
    )
