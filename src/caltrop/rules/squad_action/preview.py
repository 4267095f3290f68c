"""Forecasts of acts: dice as sums, exact chances, and the interruptions to expect.

The page, the terminal and the computer players use them. Nothing is played for a forecast, and every number comes from
the rules. An interruption is shown as a shot at the first moment of sight; the faces of tokens stay secret.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking.in_order import Attacking
from caltrop.asking.whole import Telling, left_alone, whole_act
from caltrop.chance import Distribution
from caltrop.engine import Decision, FaceDown, Procedure, Refusal, Term, decimal, does
from caltrop.engine.explore import CannotExplore, Explored, Stops, estimate, explore
from caltrop.engine.forecast import Forecast, foreseen, in_hundred, many_dice
from caltrop.engine.form import DiceSum
from caltrop.geometry import INCH, near_to, path_length
from caltrop.rules.squad_action.account import checks_thrown, saves_thrown, shots_thrown
from caltrop.rules.squad_action.activation import NextAct, has_prelude, open_activation, opened, why_not_in_order
from caltrop.rules.squad_action.acts import Doings, Paths
from caltrop.rules.squad_action.assault import Assault, MoveIn, NextIn
from caltrop.rules.squad_action.broken import FallBack
from caltrop.rules.squad_action.calls import TIMES, foreseen_mission, marked, run_over
from caltrop.rules.squad_action.casualties import morale_of, saves_of
from caltrop.rules.squad_action.catalogue import Cover, supplied
from caltrop.rules.squad_action.close_quarters import lasts_from_turn_to_turn
from caltrop.rules.squad_action.consolidation import Consolidate, alive
from caltrop.rules.squad_action.damage import BLAST, damage_parts, power
from caltrop.rules.squad_action.fire import ignores_wounds_on
from caltrop.rules.squad_action.impact import FireMission, left_of
from caltrop.rules.squad_action.initiative import Contender, initiative, rating_of, strikes_second
from caltrop.rules.squad_action.line import LayLine
from caltrop.rules.squad_action.melee import ends_of_fight, is_gone
from caltrop.rules.squad_action.morale import breaking_removes, chance_to_pass, dice_of_a_check, must_roll, officer_adds
from caltrop.rules.squad_action.movement import Move, UnderWay
from caltrop.rules.squad_action.odds import attack_asked
from caltrop.rules.squad_action.orders import Begin, Orders, to_act
from caltrop.rules.squad_action.outcomes import (
    condition_in_words,
    headline_of_machine,
    headline_of_soldiers,
    left_in_words,
    parts_of,
    parts_of_state,
    state_in_words,
)
from caltrop.rules.squad_action.overwatch import Forgo, Interrupt, LetPass, React, Spring, at_moment
from caltrop.rules.squad_action.places import bodies, cover_of
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.reach import gone
from caltrop.rules.squad_action.recon import Scout
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.rules.squad_action.remains import LeftUnit
from caltrop.rules.squad_action.requests import ShooterGiven, TargetGiven, request_of
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shells import MarkTarget
from caltrop.rules.squad_action.shooting import Shoot, attack_of
from caltrop.rules.squad_action.shots import (
    Attack,
    Band,
    arms,
    count_of,
    ends_of_machine,
    ends_of_soldiers,
    fire_of,
    nearest_seen,
    squad_of,
    volley_of,
)
from caltrop.rules.squad_action.striking import extra_attacks
from caltrop.rules.squad_action.under_fire import AimTokens
from caltrop.rules.squad_action.vehicle_assault import attacks_of_machine, unarmed
from caltrop.rules.squad_action.volley import AttackSoldiers
from caltrop.rules.squad_action.watched import watched
from caltrop.rules.squad_action.watching import fires_at


def why_no_attack(t: Firefight, unit: int, target: int) -> Refusal | None:
    """Return why a unit cannot shoot at an enemy with any weapon from where they stand, or None if it can."""
    if not 0 <= unit < len(t.units):
        return None
    u = t.units[unit]
    if u.side == t.active and u.in_play:
        t = opened(t, unit)
    o = Doings(t, unit, u.acted > 0)
    one_by_one = [o.refusal(Shoot(unit, ((way, target),))) for way in arms(t, unit)]
    if not one_by_one:
        return o.refusal(Shoot(unit, ()))
    return None if None in one_by_one else one_by_one[0]


# --- shots ------------------------------------------------------------------------------------------------------------


def forecast(t: Firefight, act: Shoot, token: bool = False) -> Forecast | None:
    """Return the forecast of a Shoot, with one part for each target; None if nobody can fire.

    Args:
        t: The firefight, as the shooting side may see it.
    """
    attacks = attack_of(t, act, token)
    machines = [body for attack in attacks if t.units[attack.target].machine for body in bodies(t, attack.target)]
    every = []
    for attack in attacks:
        near = any(near_to(a, b, BLAST) for a in machines for b in bodies(t, attack.target))
        blasted = near and not t.units[attack.target].machine
        every.append(of_attack(t, attack, act.procedure(t, token=token) if blasted else None))
    return replace(every[0], also=tuple(every[1:])) if every else None


def of_attack(t: Firefight, attack: Attack, shooting: Procedure | None = None) -> Forecast:
    """Return the forecast of an attack.

    Args:
        shooting: All attacks of the act, if the target is near a machine that may explode; None if only this attack
            matters.
    """
    u = t.units[attack.target]
    thrown = tuple([_shots(t, attack.unit, band) for band in attack.bands])
    if u.machine:
        ends = ends_of_machine(t, attack)
        return Forecast(
            about=f"At {u.name}",
            by=attack.unit,
            target=attack.target,
            thrown=(*thrown, *_damage(t, attack)),
            outcomes=foreseen(ends, lambda c: condition_in_words(u, c), lambda c: c._asdict()),
            headline=headline_of_machine(t, u.id, ends),
        )
    explored = left_by(t, attack, shooting)
    left = explored.odds
    return Forecast(
        about=f"At {u.name}",
        by=attack.unit,
        target=attack.target,
        thrown=(*thrown, *_met(t, attack)),
        outcomes=foreseen(left, lambda e: left_in_words(t, e), lambda e: parts_of(t, e), explored.times),
        note=explored.words,
        exact=explored.exact,
        headline=headline_of_soldiers(t, u.id, left),
        expected={"models": float(left.expected(lambda e: e.models))},
        request=_request(t, attack) if shooting is None else None,
    )


def left_by(t: Firefight, attack: Attack, shooting: Procedure | None = None) -> Explored:
    """Return the odds of a unit of soldiers after an attack.

    A closed form is used if the choice of casualties does not matter: each model is seen by all shooters or none, and
    there is no Officer. If the choice of casualties matters, the attack is explored, up to the point where a Broken
    unit falls back.
    """
    u = t.units[attack.target]
    alike = all(band.at_risk == attack.seen for band in attack.bands)
    if alike and shooting is None and not any(t.models[m].officer for m in u.models):
        return Explored(ends_of_soldiers(t, attack))
    procedure = AttackSoldiers(attack=attack) if shooting is None else shooting

    def left(after: Firefight, _: object) -> Any:
        return left_of(after, u.id)

    stops: Stops = {} if breaking_removes(t) else {(FallBack, "run"): lambda frame, after: None}
    try:
        explored = explore(t, procedure, left, _nobody_breaks_in, stops=stops, times=TIMES)
    except CannotExplore as reason:
        return estimate(t, procedure, left, _nobody_breaks_in, times=TIMES, reason=str(reason))
    return replace(explored, odds=explored.odds.sorted())


def _nobody_breaks_in(t: Firefight, decision: Decision) -> Any:
    options = list(decision.options(t))
    return next((one for one in options if isinstance(one, LetPass | Forgo)), options[0])


def _shots(t: Firefight, unit: int, band: Band) -> DiceSum:
    what = count_of(t, band.way, len(band.models))
    return shots_thrown(what, len(band.models), band.shots, band.needed, fire_of(t, unit), band.parts, band.reroll)


def _met(t: Firefight, attack: Attack) -> tuple[DiceSum, ...]:
    u = t.units[attack.target]
    kinds = dict.fromkeys([(band.ap, band.cover, band.flame) for band in attack.bands])
    every = [save for kind in kinds for save in saves_of(t, u.id, *kind)]
    most = min(len(attack.seen), sum([len(b.models) * (b.shots or 6) for b in attack.bands]))
    return (
        *saves_thrown(list(dict.fromkeys(every)), ignores_wounds_on(t, u.traits)),
        *checks_thrown(t, squad_of(t, u.id), most, False, attack.flame, attack.flyer),
    )


def _damage(t: Firefight, attack: Attack) -> tuple[DiceSum, ...]:
    u, row = t.units[attack.target], t.vehicle(attack.target)
    flies = u.kind == "flyer"
    kinds = dict.fromkeys([(power(t, band.at_class, flies), face) for band in attack.bands for face in band.faces])
    sums = []
    for at, face in kinds:
        words = f"Damage on the {face}, a die for each hit: 4 shakes, 5 damages, 6 destroys"
        sums.append(DiceSum(words=words, parts=damage_parts(t, at, row.face(face))))
    if not u.pinned:
        morale = Term(morale_of(t, u.id), "SQ-ORG-30", "Morale")
        sums.append(DiceSum(words=f"Check of its crew: {many_dice(dice_of_a_check(t))}", parts=(morale,)))
    return tuple(sums)


def _request(t: Firefight, attack: Attack) -> dict[str, Any] | None:
    """Return the attack as a request; None if it cannot be expressed, for example because of smoke."""
    u, e = t.units[attack.unit], t.units[attack.target]
    if len(attack.bands) != 1 or not u.on_foot or len(attack.seen) < len(e.models):
        return None
    (band,) = attack.bands
    lists = supplied(t)
    rows = (lists.profiles.get(u.row), lists.profiles.get(e.row), lists.weapons.get(band.way))
    sighted = nearest_seen(t, band.models[0], e.id)
    if rows != (t.profile(u.id), t.profile(e.id), t.weapon(band.way)) or sighted is None:
        return None
    shooter = ShooterGiven(profile=u.row, weapon=band.way, models=len(band.models), pinned=u.pinned, traits=_own(t, u))
    target = TargetGiven(
        profile=e.row,
        models=len(e.models),
        starting=e.starting,
        pinned=e.pinned,
        cover=band.cover,
        traits=_own(t, e),
    )
    asked = request_of(t.book, shooter, target, sighted.distance)
    squad = squad_of(t, e.id)
    if asked is None or officer_adds(t, squad.officer):
        return None
    request, request_ = asked
    there, same_attack = attack_asked(request_)
    (asked_band,) = same_attack.attack.bands
    same = volley_of(there, same_attack.attack, asked_band) == volley_of(t, attack, band)
    same = same and request_.squad == squad._replace(officer=False)
    return request if same and request_.to_hit == band.parts else None


def _own(t: Firefight, u: Unit) -> tuple[str, ...]:
    return tuple([trait for trait in u.traits if trait not in t.profile(u.id).traits])


# --- shots of enemies on overwatch ------------------------------------------------------------------------------------


def broken_into(
    t: Firefight, unit: int, paths: Paths = (), place: Callable[[Firefight, int], None] | None = None
) -> tuple[Forecast, ...]:
    """Return the shots of enemies on overwatch that may interrupt an act, each at its first moment of sight.

    Args:
        place: Puts the unit where it is at a moment of its Move; None for a unit that stays where it is.
    """
    forecasts: dict[int, Forecast] = {}
    for watcher, moment, _ in watched(t, unit, paths):
        if watcher in forecasts:
            continue
        there = t.clone()
        if place is not None:
            place(there, moment)
        shot = shot_at(there, watcher, unit)
        shot_forecast = forecast(there, shot, True) if shot is not None else None
        if shot_forecast is not None:
            when = f"after {quantity(decimal(moment, INCH), 'inch')}" if moment else "at once"
            forecasts[watcher] = replace(shot_forecast, about=f"{t.units[watcher].name} may fire {when}", also=())
    return tuple(forecasts.values())


def _broken_into_on_its_way(t: Firefight, act: Move) -> tuple[Forecast, ...]:
    there = t.clone()
    there.told = None
    way = act.procedure(there).set_out(there).procedure
    assert isinstance(way, UnderWay)
    return broken_into(there, act.unit, act.paths, way.place)


def shot_at(t: Firefight, unit: int, target: int) -> Shoot | None:
    return next((act for act in Shoot.every(Doings(t, unit, True)) if fires_at(act, target)), None)


def _move(t: Firefight, act: Move, asked: Decision) -> Forecast | None:
    if isinstance(asked, Consolidate | Scout):
        return None
    every = _broken_into_on_its_way(t, act)
    return replace(every[0], also=every[1:]) if every else None


def _spring(t: Firefight, asked: Interrupt, act: Spring) -> Forecast | None:
    if act.face != "fire":
        return None
    there = at_moment(t, asked, act.moment)
    shot = shot_at(there, act.watcher, asked.actor)
    return None if shot is None else forecast(there, shot, True)


# --- close quarters ---------------------------------------------------------------------------------------------------


def _assault(t: Firefight, act: Assault, asked: Decision) -> Forecast | None:
    if len(act.targets) != 1 or act.partners:
        return None
    (target,) = act.targets
    cover = cover_of(t, t.units[target].models, [b[:2] for b in bodies(t, act.unit)])
    forecast = of_fight(come_in(t, act), act.unit, target, cover)
    return replace(forecast, answers=_broken_into_on_its_way(t, Move(act.unit, act.paths, jump=act.jump)))


def come_in(t: Firefight, act: Assault | MoveIn) -> Firefight:
    there = t.clone()
    there.put({m: path[-1] for m, path in act.paths})
    u = t.units[act.unit]
    if u.machine:
        far = max([path_length(path) for _, path in act.paths], default=0)
        there.change(u.id, moved=True, travelled=gone(t, u.id) + far)
    return there


def of_fight(t: Firefight, unit: int, target: int, cover: Cover) -> Forecast:
    """Return the forecast of close quarters: the remains of the assaulted unit and of the assaulters."""
    explored = ends_of_fight(t, unit, target, cover)
    ends = explored.odds
    wins = ends.chance(lambda e: is_gone(e.defenders) and not is_gone(e.assaulters))
    falls = ends.chance(lambda e: is_gone(e.assaulters))
    mine = ends.map(lambda e: e.assaulters).sorted(key=tuple)
    theirs = ends.map(lambda e: e.defenders).sorted(key=tuple)
    machine = t.units[unit].machine or t.units[target].machine
    note = "One round is fought now." if lasts_from_turn_to_turn(t) and not machine else ""
    return Forecast(
        about=f"At {t.units[target].name}",
        by=unit,
        target=target,
        thrown=_by_hand(t, unit, target, cover),
        outcomes=foreseen(
            theirs, lambda s: state_in_words(t, target, s), lambda s: parts_of_state(t, s), explored.times
        ),
        exact=explored.exact,
        headline=f"Wins: {in_hundred(wins)}, is lost: {in_hundred(falls)}",
        also=(
            Forecast(
                about=f"The rest of {t.units[unit].name}",
                by=target,
                target=unit,
                outcomes=foreseen(
                    mine, lambda s: state_in_words(t, unit, s), lambda s: parts_of_state(t, s), explored.times
                ),
                exact=explored.exact,
            ),
        ),
        note=" ".join([part for part in (note, explored.words) if part]),
    )


def _by_hand(t: Firefight, unit: int, target: int, cover: Cover) -> tuple[DiceSum, ...]:
    u, e = t.units[unit], t.units[target]
    sums = []
    late = strikes_second(t, True, cover != "none", e.pinned)
    for one, other, mine in ((u, e, True), (e, u, False)):
        if unarmed(t, one.id):
            continue
        rating, against = rating_of(t, one.id), rating_of(t, other.id)
        if not late and not unarmed(t, e.id):
            who = Contender(True, mine, rating, against, one.watching > 0 and not mine, False, one.traits)
            sums.append(DiceSum(words=f"Initiative of {one.name}: 1 die", parts=initiative(t, who)))
        elif not mine:
            why = Term(0, late, "Pinned" if late == "SQ-CQB-05" else "In the open")
            sums.append(DiceSum(words=f"{does(one.name, 'strikes')} second", parts=(why,)))
        own = len(one.models) if one.on_foot else attacks_of_machine(t, one.kind, rating)
        extra = extra_attacks(t, one.kind, len(one.models), True, mine, one.traits)
        more = f" and {extra.dice}{'D3' if extra.halved else 'D6'} more" if extra.dice else ""
        part = Term(own, "SQ-CQB-07", "Models" if one.on_foot else "Attacks")
        sums.append(DiceSum(words=f"{one.name}: {many_dice(own, 'attack')}{more}", parts=(part,)))
    return tuple(sums)


# --- fire missions and airstrikes -------------------------------------------------------------------------------------


def _mission(t: Firefight, act: CallFire, asked: Decision) -> Forecast:
    return replace(foreseen_mission(t, act, FireMission(t, act)), answers=broken_into(t, act.unit))


# --- rallying ---------------------------------------------------------------------------------------------------------


def _rally(t: Firefight, act: Rally, asked: Decision) -> Forecast | None:
    who = act.unit if act.friend is None else act.friend
    if not must_roll(t, who):
        return None
    morale = morale_of(t, who)
    chance = chance_to_pass(t, morale, ())
    ends = Distribution.of([(True, chance), (False, 1 - chance)])
    words = f"{many_dice(dice_of_a_check(t))} against its Morale"
    return Forecast(
        by=act.unit,
        target=who,
        thrown=(DiceSum(words=words, parts=(Term(morale, "SQ-ORG-25", "Morale"),)),),
        outcomes=foreseen(ends, lambda e: "rallies" if e else "stays Pinned", lambda e: {"rallies": e}),
        headline=f"Rallies: {in_hundred(chance)}",
        answers=_seen(t, act.unit),
    )


# --- whole acts -------------------------------------------------------------------------------------------------------


def _fire_tokens(view: Firefight) -> Firefight:
    if not any(None in laid.faces for laid in view.tokens.values()):
        return view
    t = view.clone()
    for unit, laid in view.tokens.items():
        t.tokens[unit] = FaceDown(laid.side, tuple([face or "fire" for face in laid.faces]))
    return t


def _holder(view: Firefight, t: Firefight, action: Any) -> int | None:
    """Return the unit that holds the place after an assault. Without a winner it is the assaulted unit."""
    act = action.act if isinstance(action, Begin) else action
    if not isinstance(act, Assault) or len(act.targets) != 1:
        return None
    unit, target = act.unit, act.targets[0]
    if t.units[unit].in_play and t.units[target].in_play:
        return None if lasts_from_turn_to_turn(t) else target
    return left_alone(lambda one: t.units[one].in_play, unit, target)


ELSEWHERE = {"aboard": "aboard a transport", "away": "leaves the table", "reserve": "in reserve"}
"""Words for the whereabouts of a unit that is off the table."""


def _state(t: Firefight, unit: int) -> Any:
    """Return the state of a unit; for a unit of soldiers off the table, its whereabouts."""
    u = t.units[unit]
    return u.where if u.on_foot and u.where in ELSEWHERE else left_of(t, unit)


TELLING = Telling(
    units=lambda t: range(len(t.units)),
    state=_state,
    words=lambda t, unit, state: ELSEWHERE[state] if state in ELSEWHERE else state_in_words(t, unit, state),
    parts=lambda t, state: {"place": state} if state in ELSEWHERE else parts_of_state(t, state),
    is_gone=lambda state: state not in ELSEWHERE and is_gone(state),
    name=lambda t, unit: t.units[unit].name,
    breaks_in=(Interrupt, React, AimTokens),
    lets_pass=(LetPass, Forgo),
    passes=(Consolidate,),
    suppose=_fire_tokens,
    holder=_holder,
)


def whole(t: Firefight, side: int, action: Any) -> tuple[Forecast, ...]:
    """Return the forecast of a whole act for all units, including overwatch and the fight to its end."""
    return whole_act(TELLING, t, side, action)


# --- several attackers ------------------------------------------------------------------------------------------------


def _attackers(t: Firefight, side: int, target: int) -> list[tuple[int, Begin]]:
    if not any(isinstance(asked, Orders | NextAct) for asked in t.asked):
        return []
    attackers = []
    for u in to_act(t, side):
        if u.where == "table" and not has_prelude(t, u.id) and why_not_in_order(t, u.id, ("shoot",)) is None:
            shot = _shot(opened(t, u.id), u.id, target)
            if shot is not None:
                attackers.append((u.id, Begin(u.id, shot)))
    return attackers


def _shot(t: Firefight, unit: int, target: int) -> Shoot | None:
    doings = Doings(t, unit)
    doings.at = target
    return next((act for act in Shoot.every(doings) if fires_at(act, target)), None)


def _attacker(t: Firefight, action: Any) -> int | None:
    act = action.act if isinstance(action, Begin) else action
    return act.unit if isinstance(act, Shoot) else None


def _attack(t: Firefight, side: int, action: Any) -> Procedure | None:
    """Return the procedure of a Shoot in a state. Weapons that can no longer fire at its target are left out."""
    act: Any = action.act if isinstance(action, Begin) else action
    if isinstance(action, Begin) and t.units[act.unit].in_play:
        open_activation(t, act.unit)
    target = act.fire[0][1]
    shot = act if act.why(Doings(t, act.unit)) is None else _shot(t, act.unit, target)
    return None if shot is None else shot.procedure(t)


def _worth(state: Any) -> tuple[int, ...]:
    if is_gone(state):
        return (0, 0)
    if isinstance(state, LeftUnit):
        return state.models, -state.pinned
    return 1, -sum(state)


ATTACKING = Attacking(telling=TELLING, attackers=_attackers, attacker=_attacker, attack=_attack, worth=_worth)

# --- decisions --------------------------------------------------------------------------------------------------------


def preview(t: Firefight, side: int, action: Any, decision: Decision | None = None) -> Forecast | None:
    """Return the forecast of an action; None if it has no random result or is illegal.

    Args:
        action: The action. If the action begins an activation, its first act counts.
        decision: The decision to answer; by default the side's open decision.
    """
    asked = decision or next((d for d in t.asked if d.side == side), None)
    if asked is None or asked.options(t).refusal(action) is not None:
        return None
    if isinstance(asked, Interrupt):
        return _spring(t, asked, action) if isinstance(action, Spring) else None
    if isinstance(asked, MarkTarget):
        return marked(t, asked, action)
    if isinstance(asked, LayLine):
        return run_over(t, asked, action)
    if isinstance(asked, NextIn):
        return _moves_in(t, asked, action) if isinstance(action, MoveIn) else None
    act = action.act if isinstance(action, Begin) else action
    if isinstance(action, Begin):
        t = opened(t, action.unit)
    foreseen_by = FORESEEN.get(type(act))
    return None if foreseen_by is None else foreseen_by(t, act, asked)


def _seen(t: Firefight, unit: int) -> tuple[Forecast, ...]:
    """Return the shots of enemies on overwatch that see a stationary unit; empty for a unit off the table."""
    return broken_into(t, unit) if t.units[unit].in_play else ()


def _shoot(t: Firefight, act: Shoot, asked: Decision) -> Forecast | None:
    shot_forecast = forecast(t, act, isinstance(asked, React))
    return None if shot_forecast is None else replace(shot_forecast, answers=_seen(t, act.unit))


def _moves_in(t: Firefight, asked: NextIn, act: MoveIn) -> Forecast | None:
    targets = alive(t, asked.targets)
    if len(targets) != 1:
        return None
    cover = cover_of(t, t.units[targets[0]].models, [b[:2] for b in bodies(t, act.unit)])
    forecast = of_fight(come_in(t, act), act.unit, targets[0], cover)
    return replace(
        forecast,
        note="Forecast for this unit alone.",
        answers=_broken_into_on_its_way(t, Move(act.unit, act.paths, jump=act.jump)),
    )


FORESEEN: dict[type[Any], Callable[[Firefight, Any, Decision], Forecast | None]] = {
    Shoot: _shoot,
    Move: _move,
    Assault: _assault,
    CallFire: _mission,
    Rally: _rally,
}
"""Functions that forecast each act, given the decision to answer."""
