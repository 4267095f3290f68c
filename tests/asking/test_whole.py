"""Whole acts: the fire on the way in, the fight after it, and what is left of everybody."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, redacted, stored
from caltrop.engine.flow import advance, answer
from caltrop.engine.forecast import Forecast
from caltrop.rules.duel.rulebook import ruleset as duel
from caltrop.rules.duel.strike import StrikeOrHold, Thrust
from caltrop.rules.hex_command.battling import ChooseBattle, Engage
from caltrop.rules.hex_command.rulebook import ruleset as hexes
from caltrop.rules.squad_action.assault import Assault
from caltrop.rules.squad_action.consolidation import Consolidate
from caltrop.rules.squad_action.orders import Begin
from caltrop.rules.squad_action.overwatch import Interrupt, React, Spring
from caltrop.rules.squad_action.preview import whole
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset as squads
from caltrop.rules.squad_action.scene import scene, squad
from caltrop.rules.squad_action.turn import Order

GAMES = 400


def asked(t: Firefight) -> Firefight:
    """The firefight in which the side to move is asked which unit does what."""
    start = t.clone()
    start.stack = [Order(side=0)]
    advance(start, Seeded(1))
    return start


def assault(t: Firefight) -> Begin:
    """The first assault that unit 0 may begin with."""
    options = t.asked[0].options(t)
    return next(one for one in options if isinstance(one, Begin) and one.unit == 0 and isinstance(one.act, Assault))


def chances(told: Forecast) -> dict[Any, Fraction]:
    """The chance of each outcome; one that is out of play is 0."""
    found: dict[Any, Fraction] = {}
    for one in told.outcomes:
        key = tuple(one.parts.values()) if one.parts["models"] else 0
        found[key] = found.get(key, Fraction(0)) + Fraction(one.probability)
    assert sum(found.values()) == 1
    return found


def by_unit(told: Forecast) -> dict[int | None, Forecast]:
    return {one.target: one for one in (told, *told.also)}


@pytest.mark.clause("SQ-CQB-11", "SQ-CQB-15")
def test_an_assault_that_nobody_watches_is_its_fight_to_the_end() -> None:
    t = asked(scene(squad(0, "regular", 10, 10, 4), squad(1, "regular", 10, 13, 3)))
    act = assault(t)
    (told,) = whole(t, 0, act)
    assert squads.forecasts is not None
    fight = squads.forecasts(t, 0, act)
    assert fight is not None
    assert told.exact
    assert not told.about
    assert chances(by_unit(told)[1]) == chances(fight)
    assert chances(by_unit(told)[0]) == chances(fight.also[0])
    assert "lost:" in told.headline


def watched(*tokens: str) -> Firefight:
    """Four who assault three, in sight of five on overwatch beside the way."""
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
    assert (quiet.about, answered.about) == ("Nobody breaks in", "All who may break in do so")
    assert quiet.exact
    assert answered.exact
    assert chances(by_unit(quiet)[0]) != chances(by_unit(answered)[0])
    came: dict[Any, int] = {}
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
        came[key] = came.get(key, 0) + 1
    for key, chance in chances(by_unit(answered)[0]).items():
        p = float(chance)
        # Five standard deviations: dice fall alike in every run.
        assert abs(came.get(key, 0) - GAMES * p) <= 5 * (GAMES * p * (1 - p)) ** 0.5 + 1, key


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
    """A duel in which the side to move may strike, and the other may parry."""
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
        told = tell(view, side, act)[0]
        parts = [one.parts for one in by_unit(told)[act.target].outcomes]
        assert {one["strength"] for one in parts} >= {one.parts["strength"] for one in forecast.outcomes}
        assert len({one["hex"] for one in parts}) > 1, "some fall back, or leave the map"
        assert act.unit in by_unit(told), "it is battled back"
        return
    raise AssertionError("nobody battled at range 1")


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
