"""The odds of close quarters between two units, by exploring the fight.

Computer players need one round of squad against squad in every decision, so that has a closed form, `round_of`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from caltrop.chance import Distribution
from caltrop.engine import Procedure, total
from caltrop.engine.explore import (
    GO_ON,
    LEFT_OUT,
    CannotExplore,
    Explored,
    Explorer,
    Stops,
    View,
    estimate,
)
from caltrop.engine.known import known_odds
from caltrop.engine.rule import HasBook
from caltrop.rules.squad_action.casualties import TakeHits
from caltrop.rules.squad_action.catalogue import Cover
from caltrop.rules.squad_action.close_quarters import (
    FACES,
    ROUNDS,
    CloseQuarters,
    MopUp,
    lasts_from_turn_to_turn,
    must_hold,
    to_hold,
)
from caltrop.rules.squad_action.consolidation import Consolidation
from caltrop.rules.squad_action.damage import Condition
from caltrop.rules.squad_action.fire import Volley, armour_save, cover_save, fallen, ignores_wounds_on, saves
from caltrop.rules.squad_action.impact import State, left_of
from caltrop.rules.squad_action.initiative import Contender, Initiative, initiative, on_a_tie, strikes_second
from caltrop.rules.squad_action.morale import chance_to_pass
from caltrop.rules.squad_action.places import officer_near
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.striking import (
    Extra,
    StrikeByHand,
    count_extra,
    cover_by_hand,
    extra_attacks,
    no_cover,
    ones_are_thrown_again,
    to_hit_by_hand,
)


class Ends(NamedTuple):
    """The end of a fight for both units."""

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
"""The parts of the state on which a fight of two squads depends."""
STOPS: Stops = {
    (CloseQuarters, "next_round"): lambda fight, t: None if fight.rounds in (1, 3) else GO_ON,
    (CloseQuarters, "part"): lambda fight, t: LEFT_OUT,
    (Consolidation, "offer"): lambda winner, t: LEFT_OUT,
}
"""Each round ends the exploration, because all rounds after the first are alike, and later places do not matter."""
NODES = 100_000
"""Largest number of nodes; a fight of ten against ten needs half of them."""
TIMES = 300
"""Number of playouts of a fight that is too large to explore."""


def ends_of_fight(t: Firefight, a: int, d: int, cover: Cover) -> Explored:
    """Return the odds of the `Ends` of an assault's fight.

    Args:
        cover: The cover of the assaulted before the assault.
    """
    watching = (d,) if t.units[d].watching else ()
    fight = CloseQuarters(assaulters=(a,), defenders=(d,), covers=(cover,), watching=watching)
    squads = t.units[a].on_foot and t.units[d].on_foot

    def next_round(after: Firefight, number: int) -> CloseQuarters | None:
        alive = after.units[a].in_play and after.units[d].in_play
        if number == ROUNDS or not (squads and alive) or lasts_from_turn_to_turn(t):
            return None
        return replace(fight, at="next_round" if number < ROUNDS - 1 else "part", rounds=2)

    def end(after: Firefight, _: object) -> Ends:
        return Ends(left_of(after, a), left_of(after, d))

    try:
        explorer = Explorer(t, views=VIEWS if squads else {}, stops=STOPS, nodes=NODES)
        return Explored(explorer.odds(fight, end, next_round))
    except CannotExplore as reason:
        return estimate(t, fight, end, times=TIMES, reason=str(reason))


# --- for computer players --------------------------------------------------------------------------------------------


class Fighter(NamedTuple):
    """The values of soldiers that matter in close quarters."""

    models: int
    cqb: int
    morale: int
    armour: int
    traits: tuple[str, ...] = ()
    pinned: bool = False
    watching: bool = False
    officer: bool = False
    """True if an unpinned Officer of its side is near."""


class After(NamedTuple):
    """The end of a round: the models left on each side, 0 if it is out of play."""

    assaulters: int
    defenders: int


def who_first(b: HasBook, a: Fighter, d: Fighter, cover: Cover, number: int) -> Distribution[int]:
    """Return the chances that one side strikes first, the other does, or both strike together."""
    if strikes_second(b, number == 1, cover != "none", d.pinned):
        return Distribution.certain(1)
    mine = total(initiative(b, Contender(number == 1, True, a.cqb, d.cqb, False, False, a.traits)))
    theirs = total(initiative(b, Contender(number == 1, False, d.cqb, a.cqb, d.watching, False, d.traits)))
    tie, chances = on_a_tie(b), {1: 0, 0: 0, -1: 0}
    for x in FACES:
        for y in FACES:
            ahead = x + mine - y - theirs
            if ahead == 0 and tie == "again":
                continue
            chances[(ahead > 0) - (ahead < 0) if ahead or tie == "together" else -1] += 1
    return Distribution(chances)


def felled(
    b: HasBook, striker: Fighter, target: Fighter, cover: Cover, number: int, assaults: bool
) -> Distribution[int]:
    """Return the exact odds of the casualties that one striker causes in a round.

    Args:
        number: Number of the round, from 1.
    """
    if not striker.models or not target.models:
        return Distribution.certain(0)
    extra = extra_attacks(b, "infantry", striker.models, number == 1, assaults, striker.traits)
    cover = cover_by_hand(b, number, assaults, cover)
    by_cover = cover_save(b, cover, target.pinned, no_cover(cover))
    met = tuple([s.needed for s in saves(b, armour_save(b, target.armour, 0), by_cover)])
    (needed,) = to_hit_by_hand(b, "infantry", striker.cqb)

    def with_more(more: int) -> Distribution[int]:
        volley = Volley(
            shots=striker.models + more,
            dice=0,
            needed=needed,
            reroll=ones_are_thrown_again(b, striker.traits),
            saves=met,
            ignore=ignores_wounds_on(b, target.traits),
        )
        return fallen((volley,), target.models).map(lambda end: end.casualties)

    return sums_of(extra).then(with_more)


@lru_cache(maxsize=64)
def sums_of(extra: Extra) -> Distribution[int]:
    sums = Distribution.certain(0)
    one = Distribution([(count_extra(extra, (face,)), 1) for face in FACES])
    for _ in range(extra.dice):
        sums = sums.then(lambda so_far: one.map(lambda more: so_far + more))
    return sums


def round_of(b: HasBook, a: Fighter, d: Fighter, cover: Cover = "none", number: int = 1) -> Distribution[After]:
    """Return the exact odds of one round between two squads: initiative, attacks, and the mop-up.

    Args:
        cover: The cover of the assaulted before the assault.
        number: Number of the round, from 1.
    """
    odds = known_odds("round of close quarters", b.book, After, __package__)
    key = (a, d, cover, number)
    round_ = odds.get(key)
    if round_ is None:
        round_ = _round_of(b, a, d, cover, number)
        odds.keep(key, round_)
    return round_


def _round_of(b: HasBook, a: Fighter, d: Fighter, cover: Cover, number: int) -> Distribution[After]:
    def blows(first: int) -> Distribution[tuple[int, int]]:
        if first == 0:
            mine, theirs = felled(b, a, d, cover, number, True), felled(b, d, a, cover, number, False)
            return mine.then(lambda x: theirs.map(lambda y: (a.models - y, d.models - x)))
        if first > 0:
            return felled(b, a, d, cover, number, True).then(
                lambda x: felled(b, d._replace(models=d.models - x), a, cover, number, False).map(
                    lambda y: (a.models - y, d.models - x)
                )
            )
        return felled(b, d, a, cover, number, False).then(
            lambda y: felled(b, a._replace(models=a.models - y), d, cover, number, True).map(
                lambda x: (a.models - y, d.models - x)
            )
        )

    def mop_up(left: tuple[int, int]) -> Distribution[After]:
        mine, theirs = left
        if not mine or not theirs:
            return Distribution.certain(After(mine, theirs))
        own, their_own = a.models - mine, d.models - theirs
        behind = abs(own - their_own)
        for who, lost, other, end in (
            (a, own, their_own, After(0, theirs)),
            (d, their_own, own, After(mine, 0)),
        ):
            if must_hold(b, lost, other, who.traits):
                held = chance_to_pass(b, who.morale, to_hold(b, behind, who.officer))
                return Distribution.of(((After(mine, theirs), held), (end, 1 - held)))
        return Distribution.certain(After(mine, theirs))

    return who_first(b, a, d, cover, number).then(blows).then(mop_up)


def fighter(t: Firefight, unit: int) -> Fighter:
    """Return the values of a unit on foot that matter in close quarters."""
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
