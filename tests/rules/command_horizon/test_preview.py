"""Forecasts of attacks before their declaration equal the results of dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from caltrop.engine import total
from caltrop.engine.explore import Chain
from caltrop.engine.forecast import Forecast
from caltrop.rules.command_horizon.attack import Ending
from caltrop.rules.command_horizon.charge import Charge
from caltrop.rules.command_horizon.close_combat import Name, NameEnemies, NameEnemy
from caltrop.rules.command_horizon.combat import CombatStep, DamageAllocation, EndReactions, React
from caltrop.rules.command_horizon.movement import MovementStep
from caltrop.rules.command_horizon.preview import _words, endings, preview, whole
from caltrop.rules.command_horizon.records import Battle, Order, Wound
from caltrop.rules.command_horizon.rulebook import ruleset
from caltrop.rules.command_horizon.scene import put, run, scene, square
from caltrop.rules.command_horizon.shooting import attack_of, settled
from caltrop.rules.command_horizon.targets import EndMarks, Fire, FireAtSpot, Part, SplitFire, TargetAllocation
from caltrop.rules.command_horizon.volley import Combine, CombinePairs, Shot


def of(t: Battle, action: Any, decision: Any = None) -> Forecast:
    """Return the preview of an action that is an attack."""
    result = preview(t, 0, action, decision)
    assert result is not None
    return result


def reply(t: Any, decision: Any) -> Any:
    """Answer without reaction fire, and otherwise with the first option."""
    options = decision.options(t)
    return EndReactions() if EndReactions() in options else options.first()


def played(t: Battle, target: int) -> dict[Ending, Fraction]:
    """Return every result of the combat step after the given orders, with its chance, by exploring the step."""
    parts = (CombatStep(side=0), DamageAllocation(side=0))
    chain = Chain(t, lambda after, number: parts[number], reply)

    def end(after: Any) -> Ending:
        u = after.units[target]
        return Ending(len(u.models), u.stuns, u.drone)

    return dict(chain.odds((0, 1), end).items())


def told(p: Forecast) -> dict[tuple[Any, Any], Fraction]:
    """Return the outcomes of a preview."""
    return {(o.parts["models"], o.parts["stuns"]): Fraction(o.probability) for o in p.outcomes}


def dice(p: Forecast) -> int:
    """Return the number of Attack Dice of a forecast."""
    return total(p.thrown[0].parts)


@pytest.mark.clause("CH-FIRE-13", "CH-DEF-02", "CH-STUN-11")
@pytest.mark.parametrize(("stuns", "recorded"), [(0, None), (3, None), (1, Wound(unit=1, kills=1, stuns=1))])
def test_the_odds_of_an_order_are_those_of_the_step(stuns: int, recorded: Wound | None) -> None:
    t = scene(put(0, "infantry", (20, 10), models=2), put(1, "light-tank", (20, 18), models=3, stuns=stuns), step=6)
    if recorded:
        t.wounds.append(recorded)
    result = of(t, Fire(0, 1))
    t.orders.append(settled(t, Order(unit=0, target=1)))
    assert told(result) == {(e.models, e.stuns): chance for e, chance in played(t, 1).items()}


@pytest.mark.clause("Q-LOS-5", "CH-LOS-03")
def test_the_odds_of_aiming_at_exposed_models() -> None:
    wood = square("the wood", "woods", 18, 16, 23, 20)
    t = scene(put(0, "infantry", (26, 10), models=2), put(1, "light-tank", (20, 18), models=2, gap=1),
              terrain=(wood,), step=6)  # fmt: skip
    result = of(t, Fire(0, 1, exposed=True))
    assert result.exact
    t.orders.append(settled(t, Order(unit=0, target=1, exposed=True)))
    assert t.orders[0].only == (3,)
    assert told(result) == {(e.models, e.stuns): chance for e, chance in played(t, 1).items()}
    assert result.headline.startswith("Takes at least one model: ")
    assert "destroys" not in result.headline


@pytest.mark.clause("CH-RF-02", "CH-COST-16", "CH-DEF-03")
def test_a_preview_has_dice_defence_price_and_the_answer() -> None:
    t = scene(put(0, "medium-tank", (20, 10)), put(1, "medium-tank", (20, 30)))
    result = of(t, Fire(0, 1, boost=1))
    assert dice(result) == 12
    assert [(p.value, p.clause) for p in result.thrown[1].parts] == [(1, "CH-DEF-03")]
    assert total(result.price) == 2
    assert [(a.by, a.target, a.about) for a in result.answers] == [(1, 0, "It may answer with 4 dice")]
    assert sum(Fraction(o.probability) for o in result.outcomes) == 1


@pytest.mark.clause("CH-SQUAD-08")
def test_split_fire_is_previewed_group_by_group() -> None:
    t = scene(put(0, "infantry", (20, 10), squads=3), put(1, "light-tank", (20, 18)), put(1, "light-tank", (28, 18)))
    result = of(t, SplitFire(0, (Part(1, (0, 1)), Part(2, (2,)))))
    assert (dice(result), dice(result.also[0]), total(result.price)) == (4, 2, 1)


@pytest.mark.clause("CH-PART-04", "CH-PART-05", "CH-POD-03")
def test_living_ammunition_is_counted_in_bases() -> None:
    t = scene(put(0, "artillery", (20, 10)), put(1, "medium-tank", (20, 43)), army=("putredine", "alliance"))
    shot = of(t, Fire(0, 1))
    assert (shot.expected["bases"], shot.expected["worms"]) == (2.0, 1.0)
    assert of(t, FireAtSpot(0, (2000, 3000))).expected["bases"] == 4.0
    plain = of(scene(put(0, "medium-tank", (20, 10)), put(1, "medium-tank", (20, 20))), Fire(0, 1))
    assert (sorted(plain.expected), plain.about) == (["models", "stuns"], ""), "nothing else comes of other attacks"


@pytest.mark.clause("CH-CHARGE-11", "CH-CHARGE-05")
def test_a_charge_is_previewed_with_the_fire_and_the_blows_that_meet_it() -> None:
    t = scene(put(0, "infantry", (20, 10)), put(1, "infantry", (20, 22)))
    result = of(t, Charge(0, 1, 1500))
    assert dice(result) == 3
    assert [dice(a) for a in result.answers] == [2, 4]
    assert total(result.price) == 0


@pytest.mark.clause("CH-SLUG-02", "CH-SLUG-03", "Q-SLUG-2")
@pytest.mark.parametrize(("y", "rerolled"), [(36, True), (60, False)])
def test_a_charge_is_previewed_where_it_ends(y: int, rerolled: bool) -> None:
    """A Slugger that is far from the charger, but near the place of the fight, makes it reroll its successes."""
    t = scene(
        put(0, "infantry", (10, 10)),
        put(1, "infantry", (10, 23), models=2),
        put(1, "slugger", (10, y), models=1),
        army=("alliance", "putredine"),
    )
    act = Charge(0, 1, 1500)
    foreseen = {one.words: one.probability for one in of(t, act).outcomes}
    match = run(t, MovementStep(side=0))
    (fight, *_) = whole(match.view(0), 0, act)
    (enemy,) = [one for one in (fight, *fight.also) if one.target == 1]
    fought = {one.words: one.probability for one in enemy.outcomes}
    assert foreseen["destroyed"] == fought["destroyed"]
    assert (Fraction(foreseen["destroyed"]) < Fraction(1, 10)) is rerolled


@pytest.mark.clause("CH-CC-04")
def test_blows_and_reactions_are_previewed() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(1, "infantry", (20, 22), locked=(0,)))
    result = of(t, Name(1), NameEnemy(side=0, unit=0))
    assert (dice(result), dice(result.answers[0])) == (2, 4)
    t = scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 20)), active=1)
    t.orders.append(settled(t, Order(unit=1, target=0)))
    assert dice(of(t, React(0, 0))) == 3
    assert preview(t, 0, EndMarks()) is None


def test_what_is_lost_already_is_certain() -> None:
    t = scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 20), models=2))
    t.wounds.append(Wound(unit=1, kills=2))
    result = endings(t, 1, attack_of(t, Order(unit=0, target=1)))
    assert result[Ending(0, 0, None)] == 1


def test_the_ruleset_previews_what_is_asked_and_legal() -> None:
    t = scene(put(0, "medium-tank", (20, 10)), put(1, "medium-tank", (20, 30)), put(1, "light-tank", (90, 90)))
    match = run(t, TargetAllocation(side=0))
    foresee = ruleset.forecasts
    assert foresee is not None
    result = foresee(match.view(0), 0, Fire(0, 1), match.waiting[0])
    assert result is not None
    words = msgspec.json.decode(msgspec.json.encode(result))
    assert words["thrown"][0]["words"] == "8 attack dice"
    assert {"models", "stuns"} == set(words["outcomes"][0]["parts"])
    assert foresee(match.view(0), 0, Fire(0, 2), match.waiting[0]) is None
    assert foresee(match.view(0), 0, Fire(77, 2), match.waiting[0]) is None


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (Ending(2, 0, None), "2 models"),
        (Ending(1, 1, "active"), "1 model, 1 stun, drone active"),
        (Ending(3, 2, None), "3 models, 2 stuns"),
        (Ending(0, 2, None), "destroyed"),
    ],
)
def test_a_unit_after_an_attack_in_words(ending: Ending, words: str) -> None:
    assert _words(ending) == words


@pytest.mark.clause("CH-OVERKILL-01", "CH-OVERKILL-02")
def test_what_overkills_come_to_is_told_before_they_are_chosen() -> None:
    t = scene(put(0, "light-tank", (20, 10)), put(1, "medium-tank", (20, 25)))
    attack = attack_of(t, settled(t, Order(unit=0, target=1)))
    asked = CombinePairs(side=0, shot=Shot(shooter=0, target=1, attack=attack), roll=((6, 6, 1, 1),), possible=1)
    t.asked = (asked,)
    apart, together = of(t, Combine(0), asked), of(t, Combine(1), asked)
    assert (apart.target, together.target) == (1, 1)
    assert told(apart) != told(together)
    assert sum(told(together).values()) == sum(told(apart).values()) == 1
    # The stun of an Overkill cannot be negated, so a target that loses no model has a marker.
    assert all(stuns for models, stuns in told(together) if models == len(t.units[1].models))
    assert preview(t, 0, Combine(2), asked) is None


@pytest.mark.clause("CH-CC-04", "Q-CC-4")
@pytest.mark.parametrize(("enemy", "strikes"), [(0, False), (1, True)])
def test_an_enemy_that_has_named_another_unit_does_not_strike_back(enemy: int, strikes: bool) -> None:
    """The active player's second unit is locked with a single enemy, and attacks it; the first has named another."""
    t = scene(
        put(0, "infantry", (40, 40), models=2, locked=(2, 3)),
        put(0, "infantry", (60, 60), models=2, locked=(2,)),
        put(1, "infantry", (40, 42), models=2),
        put(1, "infantry", (40, 38), models=2),
    )
    match = run(t, NameEnemies(side=0))
    match.play(0, Name(3))
    assert isinstance(match.waiting[0], NameEnemy)
    forecast = preview(match.view(1), 1, Name(enemy))
    assert forecast is not None
    assert bool(forecast.answers) is strikes


@pytest.mark.clause("Q-DICE-5", "CH-CC-04")
@pytest.mark.house("boost.closeCombat", "yes")
def test_an_enemy_strikes_back_with_the_boost_that_it_has_bought() -> None:
    t = scene(
        put(0, "infantry", (40, 40), models=2),
        put(1, "infantry", (40, 42), models=2, locked=(0,)),
        put(0, "infantry", (60, 60), models=2, locked=(1,)),
        rules={"boost.closeCombat": "yes"},
    )
    match = run(t, NameEnemies(side=0))
    match.play(0, Name(1, 1))
    match.play(0, Name(1))
    forecast = preview(match.view(1), 1, Name(0))
    assert forecast is not None
    assert forecast.answers[0].about == "It strikes back with 3 dice"


@pytest.mark.clause("CH-RUSH-06", "Q-RUSH-3", "Q-CHARGE-6")
@pytest.mark.parametrize("reached", [False, True])
def test_a_rush_at_tanks_that_another_has_reached_meets_no_fire(reached: bool) -> None:
    rush: dict[str, Any] = {"charging": 2, "rushing": True, "arrived": True, "move_over": True} if reached else {}
    t = scene(
        put(0, "infantry", (48, 50), models=1, **rush),
        put(0, "infantry", (40, 60), models=2),
        put(1, "light-tank", (50, 50), models=3, along="y"),
        army=("asori", "alliance"),
    )
    assert bool(of(t, Charge(1, 2, 1500)).answers) is not reached
