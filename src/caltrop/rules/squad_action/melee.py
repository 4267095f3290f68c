"""How close quarters of one unit with another may end, exactly: squads, vehicles and walkers.

Squads against squads are `close_quarters.fight_to_the_end`. Where a machine fights there is one round (SQ-Q61): its
blows are put together here as `Round` and `CloseQuarters` play them, from the same functions.
"""

from __future__ import annotations

from typing import NamedTuple

from caltrop.chance import Distribution
from caltrop.rules.squad_action.account import chance_of
from caltrop.rules.squad_action.casualties import morale_of, saves_of
from caltrop.rules.squad_action.catalogue import Cover
from caltrop.rules.squad_action.close_quarters import (
    After,
    Fighter,
    fight_to_the_end,
    fighter,
    lasts_from_turn_to_turn,
    must_hold,
    round_of,
    sums_of,
    to_hold,
    who_first,
)
from caltrop.rules.squad_action.damage import Condition, after_check, d3
from caltrop.rules.squad_action.fire import FACES, Volley, fallen, ignores_wounds_on
from caltrop.rules.squad_action.impact import State, as_it_is
from caltrop.rules.squad_action.initiative import rating_of
from caltrop.rules.squad_action.morale import chance_to_pass, last_model_leaves
from caltrop.rules.squad_action.odds import Left, after_morale
from caltrop.rules.squad_action.places import cover_of, officer_near
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.shots import squad_of
from caltrop.rules.squad_action.striking import (
    cover_by_hand,
    extra_attacks,
    no_cover,
    ones_are_thrown_again,
    to_hit_by_hand,
)
from caltrop.rules.squad_action.vehicle_assault import (
    after_blows_and_blast,
    anti_tank_of,
    attacks_of_machine,
    by_hand,
    prey,
    unarmed,
)

GONE = Left(0, False)


class Ends(NamedTuple):
    """How a fight ends for both units."""

    assaulters: State
    defenders: State


def is_gone(state: State) -> bool:
    """Whether nothing is left of a unit."""
    return state.destroyed if isinstance(state, Condition) else not state.models


def ends_of_fight(t: Firefight, a: int, d: int, cover: Cover) -> Distribution[Ends]:
    """How the fight ends to which an assault comes, exactly.

    Args:
        t: The firefight, the units as they come to blows.
        a: The assaulters.
        d: The assaulted.
        cover: The cover in which the assaulted were before they were assaulted.
    """
    u, e = t.units[a], t.units[d]
    if e.broken:
        return Distribution.certain(Ends(as_it_is(t, a), GONE))
    if u.machine or e.machine:
        return _with_machine(t, a, d, cover)
    lasts = lasts_from_turn_to_turn(t)
    mine, theirs = fighter(t, a), fighter(t, d)
    found = round_of(t, mine, theirs, cover) if lasts else fight_to_the_end(t, mine, theirs, cover)

    def ended(left: After) -> Ends:
        if left.assaulters and left.defenders and lasts:
            return Ends(Left(left.assaulters, u.pinned), Left(left.defenders, e.pinned))
        return Ends(_after(t, a, left.assaulters, True), _after(t, d, left.defenders, True))

    return found.map(ended)


def _after(t: Firefight, unit: int, left: int, pinned: bool) -> Left:
    """Soldiers when a fight is over: a last model leaves, and the others are Pinned, won or undecided."""
    u = t.units[unit]
    if not left or last_model_leaves(t, u.starting, left, u.traits):
        return GONE
    return Left(left, pinned or u.pinned)


def _with_machine(t: Firefight, a: int, d: int, cover: Cover) -> Distribution[Ends]:
    before = Ends(as_it_is(t, a), as_it_is(t, d))

    def first(ends: Ends) -> Distribution[Ends]:
        struck = _blows(t, a, ends.assaulters, d, ends.defenders, cover, True)
        return struck.then(lambda s: _blasted(t, a, d, ends.assaulters, s[1]).map(lambda mine: Ends(mine, s[0])))

    def second(ends: Ends) -> Distribution[Ends]:
        struck = _blows(t, d, ends.defenders, a, ends.assaulters, "none", False)
        return struck.then(lambda s: _blasted(t, d, a, ends.defenders, s[1]).map(lambda theirs: Ends(s[0], theirs)))

    def in_order(who: int) -> Distribution[Ends]:
        if who > 0:
            return first(before).then(second)
        if who < 0:
            return second(before).then(first)
        theirs = _blows(t, a, before.assaulters, d, before.defenders, cover, True)
        mine = _blows(t, d, before.defenders, a, before.assaulters, "none", False)
        return theirs.then(
            lambda x: mine.then(
                lambda y: _blasted(t, a, d, y[0], x[1]).then(
                    lambda us: _blasted(t, d, a, x[0], y[1]).map(lambda them: Ends(us, them))
                )
            )
        )

    ahead = Distribution.certain(1) if unarmed(t, d) else who_first(t, _rated(t, a), _rated(t, d), cover, 1)
    held = ahead.then(in_order).then(lambda ends: _mopped_up(t, a, d, before, ends))
    return held.map(lambda ends: _over(t, a, d, ends))


def _rated(t: Firefight, unit: int) -> Fighter:
    """What of a unit counts for the initiative."""
    u = t.units[unit]
    return Fighter(1, rating_of(t, unit), morale_of(t, unit), 7, u.traits, u.pinned, u.watching > 0)


def _blasted(t: Firefight, unit: int, machine: int, state: State, explodes: bool) -> Distribution[State]:
    """What is left of a unit when the machine beside it may have exploded, the checks that follow included."""
    u = t.units[unit]
    if not explodes or not isinstance(state, Left) or is_gone(state):
        return Distribution.certain(state)
    places = [at for m in t.units[machine].models if (at := t.models[m].at) is not None]
    met = tuple([s.needed for s in saves_of(t, unit, 0, cover_of(t, u.models, places), False)])
    ignore = ignores_wounds_on(t, u.traits)
    numbers = Distribution([(d3(face), 1) for face in FACES])
    came = numbers.then(lambda n: fallen((Volley(n, 0, 1, False, met, ignore),), state.models))
    squad = squad_of(t, unit)._replace(left=state.models)
    return after_morale(t, squad, state.pinned, came, False, False).map(lambda left: left)


def _blows(
    t: Firefight, by: int, state: State, at: int, there: State, cover: Cover, assaults: bool
) -> Distribution[tuple[State, bool]]:
    """What one unit leaves of another when it strikes, before any check, and whether a machine explodes."""
    u, e = t.units[by], t.units[at]
    if is_gone(state) or is_gone(there) or unarmed(t, by):
        return Distribution.certain((there, False))
    cover = cover_by_hand(t, 1, assaults, cover)
    models = state.models if isinstance(state, Left) else 1
    rating = rating_of(t, by)
    own = models if u.on_foot else attacks_of_machine(t, u.kind, rating)
    more = sums_of(extra_attacks(t, u.kind, models, True, assaults, u.traits))
    attacks, reroll = more.map(lambda n: own + n), ones_are_thrown_again(t, u.traits)
    if isinstance(there, Condition):
        carried = [by_hand(t, m) for m in anti_tank_of(t, by)[:models]]
        launchers = [t.weapon(w).anti_tank() for w in carried if w is not None]
        struck = after_blows_and_blast(t, attacks, launchers, prey(t, at, cover)._replace(was=there), reroll)
        return struck.map(lambda end: (end[0], end[1]))
    met = tuple([s.needed for s in saves_of(t, at, 0, cover, no_cover(cover), u.kind != "walker")])
    needed, *then = to_hit_by_hand(t, u.kind, rating)
    chance = chance_of(needed, reroll)
    for number in then:
        chance *= chance_of(number)
    one = Distribution.of([(1, chance), (0, 1 - chance)])

    def fall(count: int) -> Distribution[tuple[State, bool]]:
        scored = Distribution.certain(0)
        for _ in range(count):
            scored = scored.then(lambda so_far: one.map(lambda hit: so_far + hit))
        ignore = ignores_wounds_on(t, e.traits)
        return scored.then(
            lambda n: fallen((Volley(n, 0, 1, False, met, ignore),), there.models).map(
                lambda end: (there._replace(models=there.models - end.casualties), False)
            )
        )

    return attacks.then(fall)


def _states(found: Distribution[Condition]) -> Distribution[State]:
    return found.map(lambda end: end)


def _mopped_up(t: Firefight, a: int, d: int, before: Ends, ends: Ends) -> Distribution[Ends]:
    """The check of the soldiers who lost more, and then that of each machine."""
    if is_gone(ends.assaulters) or is_gone(ends.defenders):
        held = Distribution.certain(ends)
    else:
        lost = _lost(before.assaulters, ends.assaulters), _lost(before.defenders, ends.defenders)
        loser, own, theirs = (a, *lost) if lost[0] > lost[1] else (d, *lost[::-1])
        u, held = t.units[loser], Distribution.certain(ends)
        if u.on_foot and must_hold(t, own, theirs, u.traits):
            parts = to_hold(t, own - theirs, officer_near(t, loser))
            chance = chance_to_pass(t, morale_of(t, loser), parts)
            gone = ends._replace(assaulters=GONE) if loser == a else ends._replace(defenders=GONE)
            held = Distribution.of([(ends, chance), (gone, 1 - chance)])
    return held.then(
        lambda end: _checked(t, a, end.assaulters).then(
            lambda mine: _checked(t, d, end.defenders).map(lambda theirs: Ends(mine, theirs))
        )
    )


def _lost(before: State, after: State) -> int:
    if isinstance(after, Condition) or isinstance(before, Condition):
        return int(is_gone(after))
    return before.models - after.models


def _checked(t: Firefight, unit: int, state: State) -> Distribution[State]:
    if not isinstance(state, Condition):
        return Distribution.certain(state)
    return _states(after_check(t, morale_of(t, unit), state))


def _over(t: Firefight, a: int, d: int, ends: Ends) -> Ends:
    """Who has won is Pinned; where nobody has, a last model leaves all the same."""
    won = is_gone(ends.assaulters) or is_gone(ends.defenders)

    def left(unit: int, state: State) -> State:
        if isinstance(state, Left) and not state.broken:
            return _after(t, unit, state.models, won)
        return state

    return Ends(left(a, ends.assaulters), left(d, ends.defenders))
