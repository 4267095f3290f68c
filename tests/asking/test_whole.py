"""Odds of whole acts: fire during the approach, the fight after it, and the remaining units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import msgspec
import pytest

from caltrop.asking.whole import ANSWERED, QUIET, whole_act
from caltrop.chance import Distribution, Seeded
from caltrop.engine import Match, redacted, stored
from caltrop.engine.explore import Explored, Explorer
from caltrop.engine.flow import advance, answer
from caltrop.engine.forecast import Forecast, in_hundred
from caltrop.rules.blade_skirmish.charge import Charge as Strike
from caltrop.rules.blade_skirmish.combat import ChooseAttack, Combat
from caltrop.rules.blade_skirmish.fatality import SecondAttack
from caltrop.rules.blade_skirmish.movement import Move
from caltrop.rules.blade_skirmish.routes import Stay
from caltrop.rules.blade_skirmish.rulebook import ruleset as blades
from caltrop.rules.blade_skirmish.scene import put
from caltrop.rules.blade_skirmish.scene import scene as skirmish_scene
from caltrop.rules.blade_skirmish.through import GoOrStay
from caltrop.rules.blade_skirmish.turn import Sequence, Turn
from caltrop.rules.command_horizon.charge import Charge, ChargeReaction, JoinCharge, LetThemCome
from caltrop.rules.command_horizon.close_combat import CombatRound, NameEnemies, NameEnemy, combats
from caltrop.rules.command_horizon.combat import EndReactions
from caltrop.rules.command_horizon.combat import React as ReactTo
from caltrop.rules.command_horizon.contact import MakeContact
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.infantry import Detach
from caltrop.rules.command_horizon.movement import MovementStep
from caltrop.rules.command_horizon.overwatch import FireOrWait, HoldOverwatch
from caltrop.rules.command_horizon.preview import TELLING as HORIZON_TELLING
from caltrop.rules.command_horizon.preview import wounds_known
from caltrop.rules.command_horizon.rulebook import ruleset as horizon
from caltrop.rules.command_horizon.scene import put as put_unit
from caltrop.rules.command_horizon.scene import scene as horizon_scene
from caltrop.rules.command_horizon.shooting import attack_with
from caltrop.rules.command_horizon.volley import Shot, Volley
from caltrop.rules.duel.rulebook import ruleset as duel
from caltrop.rules.duel.strike import StrikeOrHold, Thrust
from caltrop.rules.hex_command.battling import Battles, ChooseBattle, Engage, TakeGroundOrNot
from caltrop.rules.hex_command.rulebook import ruleset as hexes
from caltrop.rules.squad_action.assault import Assault
from caltrop.rules.squad_action.consolidation import Consolidate
from caltrop.rules.squad_action.orders import Begin
from caltrop.rules.squad_action.overwatch import Interrupt, React, Spring
from caltrop.rules.squad_action.preview import whole
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset as squads
from caltrop.rules.squad_action.scene import machine, scene, squad
from caltrop.rules.squad_action.transport import Board
from caltrop.rules.squad_action.turn import Order
from tests.rules.hex_command.tables import battle, begin
from tests.rules.hex_command.tables import now as now_of
from tests.tiers import everything

GAMES = 400
VOLLEYS = 12 if everything() else 2
"""Number of combat steps that are compared with and without closed forms of volleys."""


def asked(t: Firefight) -> Firefight:
    """Return a firefight in which the moving side chooses an action of a unit."""
    start = t.clone()
    start.stack = [Order(side=0)]
    advance(start, Seeded(1))
    return start


def assault(t: Firefight) -> Begin:
    """Return the first assault that unit 0 may begin with."""
    options = t.asked[0].options(t)
    return next(one for one in options if isinstance(one, Begin) and one.unit == 0 and isinstance(one.act, Assault))


def chances(forecast: Forecast) -> dict[Any, Fraction]:
    """Return the chance of each outcome. Removal from play is outcome 0."""
    result: dict[Any, Fraction] = {}
    for one in forecast.outcomes:
        key = tuple(one.parts.values()) if one.parts["models"] else 0
        result[key] = result.get(key, Fraction(0)) + Fraction(one.probability)
    assert sum(result.values()) == 1
    return result


def by_unit(forecast: Forecast) -> dict[int | None, Forecast]:
    return {one.target: one for one in (forecast, *forecast.also)}


@pytest.mark.clause("SQ-CQB-11", "SQ-CQB-15")
def test_an_assault_that_nobody_watches_is_its_fight_to_the_end() -> None:
    t = asked(scene(squad(0, "regular", 10, 10, 4), squad(1, "regular", 10, 13, 3)))
    act = assault(t)
    (words,) = whole(t, 0, act)
    assert squads.forecasts is not None
    fight = squads.forecasts(t, 0, act)
    assert fight is not None
    assert words.exact
    assert not words.about
    assert chances(by_unit(words)[1]) == chances(fight)
    assert chances(by_unit(words)[0]) == chances(fight.also[0])
    assert "lost:" in words.headline


def watched(*tokens: str) -> Firefight:
    """Return a firefight in which four models assault three, in sight of five on overwatch beside the path."""
    return asked(
        scene(
            squad(0, "regular", 18, 20, 4),
            squad(1, "regular", 18, 24, 3),
            squad(1, "regular", 8, 22, 5),
            tokens={2: tokens},
        )
    )


@pytest.mark.clause("SQ-S31", "SQ-S33", "SQ-CQB-01")
def test_a_whole_assault_under_fire_is_what_comes_of_playing_it() -> None:
    t = watched("fire", "move")
    act = assault(t)
    quiet, answered = whole(redacted(t, 0), 0, act)
    assert (quiet.about, answered.about) == ("No enemy reacts", "Every enemy that can react does so")
    assert quiet.exact
    assert answered.exact
    assert chances(by_unit(quiet)[0]) != chances(by_unit(answered)[0])
    results: dict[Any, int] = {}
    for seed in range(GAMES):
        now, dice = t.clone(), Seeded(seed)
        answer(now, dice, 0, act)
        while now.asked and now.over is None:
            decision = now.asked[0]
            if isinstance(decision, Interrupt):
                options = decision.options(now)
                given = next(
                    (one for one in options if isinstance(one, Spring) and one.face == "fire"), options.first()
                )
            elif decision.settles or isinstance(decision, React | Consolidate):
                given = decision.options(now).first()
            else:
                break
            answer(now, dice, 0, given)
        u = now.units[0]
        key = (len(u.models), u.pinned) if u.in_play else 0
        results[key] = results.get(key, 0) + 1
    for key, chance in chances(by_unit(answered)[0]).items():
        p = float(chance)
        # Five standard deviations: the dice are the same in every run.
        assert abs(results.get(key, 0) - GAMES * p) <= 5 * (GAMES * p * (1 - p)) ** 0.5 + 1, key


@pytest.mark.clause("SQ-ACT-05", "SQ-S45", "SQ-S33")
def test_a_unit_that_boards_under_fire_is_aboard_and_not_lost() -> None:
    t = asked(
        scene(
            machine(0, "apc", 20, 20),
            squad(0, "regular", "21.5", 20, 2),
            squad(1, "regular", 24, 20, 4),
            tokens={2: ("fire", "move")},
        )
    )
    options = t.asked[0].options(t)
    act = next(one for one in options if isinstance(one, Begin) and one.unit == 1 and isinstance(one.act, Board))
    (answered,) = [one for one in whole(redacted(t, 0), 0, act) if one.about == ANSWERED]
    fates = {one.words: one.p for one in by_unit(answered)[1].outcomes}
    name = t.units[1].name
    assert fates["aboard a transport"] > 0
    assert f"{name} lost: {in_hundred(Fraction(fates['out of play']).limit_denominator(10**9))}" in answered.headline


@pytest.mark.clause("SQ-ORG-34")
def test_what_tokens_say_changes_nothing_that_is_told() -> None:
    t, other = watched("fire", "move"), watched("move", "move")
    act = assault(t)
    before = stored(t)
    assert whole(redacted(t, 0), 0, act) == whole(redacted(other, 0), 0, act)
    assert stored(t) == before


@pytest.mark.clause("DU-PARRY-01", "DU-WIND-01")
def test_a_thrust_is_told_bare_and_parried_with_the_second_wind() -> None:
    match = duel_at_a_thrust()
    tell: Any = duel.parts.whole_acts
    view: Any = match.view(match.waiting[0].side)
    assert tell is not None
    assert duel.forecasts is not None
    side = match.waiting[0].side
    quiet, parried = tell(view, side, Thrust())
    bare = duel.forecasts(view, side, Thrust())
    assert bare is not None
    hit = sum(one.p for one in quiet.outcomes if one.parts["wounds"] < view.duellists[1 - side].wounds)
    assert hit == pytest.approx(min(bare.outcomes, key=lambda one: str(one.parts["wounds"])).p)
    assert quiet.target == parried.target == 1 - side
    assert all(one.parts["breath"] < view.duellists[1 - side].breath + 1 for one in parried.outcomes)


def duel_at_a_thrust() -> Match:
    """Return a duel in which the side to move may strike, and the other may parry."""
    for seed in range(50):
        match, dice = Match(duel, duel.setup(duel.book(), "bridge"), Seeded(seed), record=False), Seeded(seed)
        while match.over is None:
            decision = match.waiting[0]
            state: Any = match.state
            if isinstance(decision, StrikeOrHold) and state.duellists[1 - decision.side].breath:
                return match
            match.play(decision.side, decision.options(match.view(decision.side)).sample(dice), decision)
    raise AssertionError("nobody may strike")


@pytest.mark.clause("HX-BAT-05", "HX-RET-01")
def test_a_battle_is_told_with_the_one_back_and_who_holds_the_hex() -> None:
    tell = hexes.parts.whole_acts
    assert tell is not None
    assert hexes.forecasts is not None
    for view, side, act in engagements():
        forecast = hexes.forecasts(view, side, act)
        if forecast is None or not forecast.answers:
            continue
        words = tell(view, side, act)[0]
        parts = [one.parts for one in by_unit(words)[act.target].outcomes]
        assert {one["strength"] for one in parts} >= {one.parts["strength"] for one in forecast.outcomes}
        assert len({one["hex"] for one in parts}) > 1, "some fall back, or leave the map"
        assert act.unit in by_unit(words), "it is battled back"
        return
    raise AssertionError("nobody battled at range 1")


@pytest.mark.clause("HX-S55", "HX-S57", "HX-Q32")
@pytest.mark.parametrize(
    ("units", "cards"),
    [
        (("V-M E5", "I-M F5, I-M H1"), ["ambush"]),
        (("G-M E5", "G-L F5"), ["ambush", "shield-surge"]),
        (("G-M E5", "G-L G5"), ["shield-surge"]),
    ],
)
def test_cards_that_may_be_in_a_hidden_hand_answer_a_battle(units: tuple[str, str], cards: list[str]) -> None:
    t = battle(*units, hands=((), [*cards, "probe-left", "scout-left"]))
    t.ordered.append(0)
    view = begin(t, at=Battles(side=0)).view(0)
    act = Engage(0, next(u.id for u in t.units if u.side))
    quiet, answered = hexes.parts.whole_acts(view, 0, act)  # type: ignore[misc]
    assert (quiet.about, answered.about) == (QUIET, ANSWERED)
    for forecast, plays in ((quiet, False), (answered, True)):
        assert forecast.exact
        results: Counter[str] = Counter()
        for seed in range(GAMES):
            now, dice = now_of(begin(t.clone(), at=Battles(side=0))).clone(), Seeded(seed)
            answer(now, dice, 0, act)
            while now.asked and now.over is None and not isinstance(now.asked[0], ChooseBattle | TakeGroundOrNot):
                options = list(now.asked[0].options(now))
                answer(now, dice, 0, options[0 if plays else -1] if now.asked[0].reaction else options[0])
            u = now.units[act.target]
            results[f"{u.strength} {u.hex}"] += 1
        for end in by_unit(forecast)[act.target].outcomes:
            p = float(Fraction(end.probability))
            count = results.pop(f"{end.parts['strength']} {end.parts['hex']}", 0)
            assert abs(count - GAMES * p) <= 5 * (GAMES * p * (1 - p)) ** 0.5 + 1, end.words
        assert not results


def test_no_card_answers_that_lies_face_up() -> None:
    t = battle("V-M E5", "I-M F5, I-M H1", hands=((), ("probe-left",)), discards=("ambush",))
    t.ordered.append(0)
    (only,) = hexes.parts.whole_acts(begin(t, at=Battles(side=0)).view(0), 0, Engage(0, 1))  # type: ignore[misc]
    assert only.about == ""


def engagements() -> Iterator[tuple[Any, int, Engage]]:
    """Battles that may be announced in games that are played at random."""
    for seed in range(40):
        match, dice = (
            Match(
                hexes, hexes.setup(hexes.book(None, {"battle_back": "on"}), "first-battle"), Seeded(seed), record=False
            ),
            Seeded(seed),
        )
        while match.over is None:
            decision = match.waiting[0]
            view = match.view(decision.side)
            if isinstance(decision, ChooseBattle):
                yield from ((view, decision.side, one) for one in decision.options(view) if isinstance(one, Engage))
            match.play(decision.side, decision.options(view).sample(dice), decision)


# --- charges ----------------------------------------------------------------------------------------------------------

Reply = Callable[[Any, Any], Any]
"""Returns the answer to a question; None if the act is over."""


def run_on(t: Any, dice: Seeded, reply: Reply) -> None:
    """Answer questions until the act is over."""
    while t.asked and t.over is None and (given := reply(t, t.asked[0])) is not None:
        answer(t, dice, 0, given)


def played(t: Any, act: Any, reply: Reply, fight: Callable[[Any], Any], seen: Callable[[Any], Any]) -> dict[Any, int]:
    """Play an act and its fight, and return how often each value of a state occurs."""
    counts: dict[Any, int] = {}
    for seed in range(GAMES):
        now, dice = t.clone(), Seeded(seed)
        answer(now, dice, 0, act)
        run_on(now, dice, reply)
        for procedure in fight(now):
            now.stack, now.asked, now.answers = [procedure], (), ()
            advance(now, dice)
            run_on(now, dice, reply)
        counts[seen(now)] = counts.get(seen(now), 0) + 1
    return counts


def assert_near(forecast: Forecast, part: str, counts: dict[Any, int]) -> None:
    """Fail if an outcome counts more or less often than its chance says, by more than five standard deviations."""
    chances_of: dict[Any, float] = {}
    for one in forecast.outcomes:
        chances_of[one.parts[part]] = chances_of.get(one.parts[part], 0.0) + one.p
    assert set(counts) <= set(chances_of)
    for key, p in chances_of.items():
        assert abs(counts.get(key, 0) - GAMES * p) <= 5 * (GAMES * p * (1 - p)) ** 0.5 + 1, key


def horizon_reply(t: Any, decision: Any) -> Any:
    """Answer so that every unit fires that may, with the usual casualties and paths."""
    options = decision.options(t)
    if isinstance(decision, ChargeReaction | FireOrWait):
        return next(one for one in options if not isinstance(one, LetThemCome | HoldOverwatch))
    usual = decision.settles or isinstance(decision, JoinCharge | MakeContact | NameEnemy)
    return options.first() if usual else None


def horizon_fight(t: Any) -> list[Any]:
    """Return the first round of the combat of unit 0."""
    combat = next((units for units in combats(t) if 0 in units), None)
    return [] if combat is None else [NameEnemies(side=0, units=combat), CombatRound(combat=combat), DamageBatch()]


@pytest.mark.clause("CH-CHARGE-07", "CH-CHARGE-10", "CH-CC-02", "CH-CC-03", "CH-OW-03")
@pytest.mark.parametrize("watched", [False, True])
def test_a_whole_charge_is_the_fire_at_it_and_its_fight(watched: bool) -> None:
    others = [put_unit(1, "infantry", (34, 20), models=2, overwatch=1)] if watched else []
    units = (put_unit(0, "infantry", (20, 20), models=4), put_unit(1, "infantry", (20, 30), models=3))
    t = horizon_scene(*units, *others, rules={"overwatch": "on"})
    t.stack = [MovementStep(side=0)]
    advance(t, Seeded(1))
    act = Charge(0, 1, 1500)
    assert t.asked[0].options(t).refusal(act) is None
    tell: Any = horizon.parts.whole_acts
    quiet, answered = tell(t, 0, act)
    assert (quiet.exact, answered.exact) == (True, True)
    assert "holds the place" in answered.headline or "hold the place" in answered.headline
    for unit in (0, 1):
        counts = played(t, act, horizon_reply, horizon_fight, partial(_models, unit))
        assert_near(by_unit(answered)[unit], "models", counts)
    assert by_unit(quiet)[0].outcomes != by_unit(answered)[0].outcomes


@pytest.mark.clause("CH-SQUAD-02", "CH-CHARGE-07")
def test_units_that_appear_during_an_act_have_their_names() -> None:
    platoon = put_unit(0, "infantry", (20, 20), squads=3)
    t = horizon_scene(platoon, put_unit(1, "infantry", (20, 30), models=3))
    t.stack = [MovementStep(side=0)]
    advance(t, Seeded(1))
    act = Detach(0, 1)
    assert t.asked[0].options(t).refusal(act) is None
    tell: Any = horizon.parts.whole_acts
    assert tell(t, 0, act) == ()


@pytest.mark.clause("CH-CC-02", "CH-RUSH-05")
@pytest.mark.parametrize("stuns", [0, 3])
@pytest.mark.parametrize("kinds", [("infantry", "infantry"), ("infantry", "light-tank")])
def test_the_fight_of_a_charge_is_known_as_its_volley_is(kinds: tuple[str, str], stuns: int) -> None:
    t = horizon_scene(put_unit(0, kinds[0], (20, 20), models=5), put_unit(1, kinds[1], (20, 30), models=3, stuns=stuns))
    shot = Shot(0, 1, attack_with(t, 0, 1, "charge", t.units[0].models))
    closed = wounds_known(t, shot)
    explored = Explorer(t).odds(Volley(shots=(shot,)), lambda after, _: tuple(after.wounds))
    written = closed.odds.map(lambda outcome: _written(t, closed, outcome))
    assert dict(written.items()) == dict(explored.items())


def _written(t: Any, closed: Any, outcome: Any) -> Any:
    after = t.clone()
    closed.write(after, outcome)
    return tuple(after.wounds)


def test_closed_forms_of_volleys_equal_volleys_that_are_rolled() -> None:
    rolled, compared = msgspec.structs.replace(HORIZON_TELLING, closed_forms={}), 0
    t, dice, choices = horizon.setup(horizon.book(), "first-battle"), Seeded("volleys"), Seeded("acts")
    advance(t, dice)
    while compared < VOLLEYS:
        place = t.answers.index(None)
        decision = t.asked[place]
        action = decision.options(t).sample(choices)
        view = redacted(t, decision.side)
        if isinstance(action, EndReactions | ReactTo) and len(view.asked) == 1:
            fast, slow = (whole_act(one, view, decision.side, action) for one in (HORIZON_TELLING, rolled))
            if fast and all(one.exact for one in slow):
                assert fast == slow
                compared += 1
        answer(t, dice, place, action)
        if t.over is not None:
            t = horizon.setup(horizon.book(), "first-battle")
            advance(t, dice)


@pytest.mark.clause("BS-CHG-03", "BS-CMB-01", "BS-CMB-03")
def test_a_whole_charge_of_a_fighter_ends_with_the_combat() -> None:
    t = skirmish_scene(
        put(0, 4, 12, 12), put(1, 3, 14, 12), put(1, 5, 12, 14), put(0, 3, 2, 2), field={"automated": ()}
    )
    t.stack = [Sequence(fighter=0)]
    advance(t, Seeded(1))
    run_on(t, Seeded(1), lambda now, decision: Stay() if isinstance(decision, Move) else None)
    act = Strike(1)
    assert t.asked[0].options(t).refusal(act) is None
    tell: Any = blades.parts.whole_acts
    (forecast,) = tell(t, 0, act)
    assert forecast.exact
    assert "holds the place" in forecast.headline

    def reply(now: Any, decision: Any) -> Any:
        fights = isinstance(decision, ChooseAttack | SecondAttack | GoOrStay)
        return decision.options(now).first() if fights else None

    for fighter in (0, 1):
        counts = played(t, act, reply, lambda now: [Combat(side=0)], partial(_word, fighter))
        assert_near(by_unit(forecast)[fighter], "state", counts)


def _models(unit: int, t: Any) -> int:
    return len(t.units[unit].models)


def _word(fighter: int, t: Any) -> str:
    f = t.fighters[fighter]
    if f.at is None:
        return str(f.fate)
    return " and ".join([word for word, holds in (("stunned", f.stunned), ("fleeing", f.fleeing)) if holds]) or "fit"


@pytest.mark.clause("BS-CMB-01")
def test_what_an_act_leads_to_ends_before_the_next_fighter_goes() -> None:
    t = skirmish_scene(put(0, 4, 12, 12), put(1, 3, 20, 20))
    t.stack = [Turn(sides=(0,))]
    advance(t, Seeded(1))
    tell: Any = blades.parts.whole_acts
    assert tell(t, 0, Stay()) == ()


def test_an_estimate_tells_how_far_it_may_be_off() -> None:
    assert Explored(Distribution.certain(0)).words == ""
    assert "300 times" in Explored(Distribution.certain(0), 300, "too many nodes").words
    assert "within 6 in 100" in Explored(Distribution.certain(0), 300, "too many nodes").words
