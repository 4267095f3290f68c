"""Odds are computed by the procedures: in every ruleset, a changed step changes the odds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from caltrop.engine import Go, rulesets
from caltrop.engine.explore import Explorer
from caltrop.rules.blade_skirmish.injury import Attack as SkirmishAttack
from caltrop.rules.blade_skirmish.injury import InjuryRoll
from caltrop.rules.blade_skirmish.odds import hurt
from caltrop.rules.blade_skirmish.scene import put as fighter
from caltrop.rules.blade_skirmish.scene import scene as skirmish
from caltrop.rules.command_horizon.attack import Target
from caltrop.rules.command_horizon.volley import Shot, Volley
from caltrop.rules.duel.odds import answer as strike_answer
from caltrop.rules.duel.strike import Strike
from caltrop.rules.hex_command.attack import Attack as HexAttack
from caltrop.rules.hex_command.attack import Hits
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.casualties import TakeHits
from caltrop.rules.squad_action.close_quarters import CloseQuarters, Round
from caltrop.rules.squad_action.melee import ends_of_fight
from caltrop.rules.squad_action.odds import answer as volley_answer
from caltrop.rules.squad_action.scene import scene, squad
from caltrop.rules.squad_action.striking import StrikeByHand
from tests.odds.test_command_horizon_explored import table
from tests.odds.test_command_horizon_odds import attack, book
from tests.rules.hex_command.tables import battle


def a_volley() -> Any:
    """Return the odds of 8 rifles at 8 soldiers of Squad Action, as `caltrop odds` prints them."""
    shooter = {"profile": "regular", "weapon": "rifle", "models": 8}
    target = {"profile": "regular", "models": 8, "traits": ["gene-enhanced"]}
    return volley_answer(
        {"ruleset": "squad-action", "mode": "shoot", "shooter": shooter, "target": target, "distance": 10}
    )


def a_fight() -> Any:
    """Return the odds of a fight of 3 against 3 of Squad Action."""
    t = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 10, 10.6, 3))
    return dict(ends_of_fight(t, 0, 1, "hard").odds.items())


def a_strike() -> Any:
    """Return the odds of a strike of the duel, as `caltrop odds` prints them."""
    return strike_answer({"ruleset": "duel", "target": {"wounds": 3}})


def a_challenge() -> Any:
    """Return the odds of an attack of Blade Skirmish."""
    _, odds = hurt(skirmish(fighter(0, 4, 12, 12), fighter(1, 3, 13, 12)), 0, 1)
    return dict(odds.items())


def a_battle() -> Any:
    """Return the explored odds of a close assault of Hex Command, which its closed formula has to equal."""
    odds = Explorer(battle("I-M E8", "V-M E9", size=(13, 17))).odds(
        HexAttack(attacker=0, target=1), lambda t, _: (t.units[1].hex, t.units[1].strength)
    )
    return dict(odds.items())


def an_attack() -> Any:
    """Return the explored odds of an attack of Command Horizon, which its closed formula has to equal."""
    shot = Shot(shooter=0, target=1, attack=attack("alliance", "light-tank", 2, Target("asori", "light-tank", 3)))
    odds = Explorer(table(book())).odds(Volley(shots=(shot,)), lambda t, _: tuple(t.wounds))
    return dict(odds.items())


before = cache(lambda odds: odds())
"""The odds by the unchanged rules."""


Made = Callable[[Callable[..., Any]], Callable[..., Any]]
Odds = Callable[[], Any]


def one_hit_fewer(real: Any) -> Any:
    def count(self: Any, t: Any) -> Any:
        done = real(self, t)
        self.left -= self.left > 1
        return done

    return count


def without_cover(real: Any) -> Any:
    def save(self: Any, t: Any) -> Any:
        self.covers = ("none",) * len(self.covers)
        return real(self, t)

    return save


def without_retreats(real: Any) -> Any:
    def offer(self: Any, t: Any) -> Any:
        self.retreats = 0
        return Go("fall_back")

    return offer


def no_hits(real: Any) -> Any:
    def count(self: Any, t: Any, roll: Any) -> Any:
        done = real(self, t, roll)
        self.hits = Hits()
        return done

    return count


CHANGES: dict[str, tuple[type, str, Made, tuple[Odds, ...], tuple[Odds, ...]]] = {
    "squad-action: one hit fewer counts": (TakeHits, "count", one_hit_fewer, (a_volley, a_fight), ()),
    "squad-action: wounds are never ignored": (
        TakeHits,
        "ignore",
        lambda real: lambda self, t: Go("fall") if self.left else real(self, t),
        (a_volley,),
        (a_fight,),
    ),
    "squad-action: nobody is tested for breaking": (
        AfterAttack,
        "break_test",
        lambda real: lambda self, t: Go("pinning"),
        (a_volley,),
        (a_fight,),
    ),
    "squad-action: all strike together": (
        Round,
        "line_up",
        lambda real: lambda self, t, order: setattr(self, "order", (tuple([u for group in order for u in group]),)),
        (a_fight,),
        (a_volley,),
    ),
    "squad-action: nobody has to hold": (
        CloseQuarters,
        "count",
        lambda real: lambda self, t, lost: setattr(self, "ahead", ()),
        (a_fight,),
        (a_volley,),
    ),
    "squad-action: cover does not help by hand": (StrikeByHand, "save", without_cover, (a_fight,), (a_volley,)),
    "duel: a 1 hits too": (
        Strike,
        "read_the_die",
        lambda real: lambda self, t, roll: real(self, t, (6,) if roll == (1,) else roll),
        (a_strike,),
        (),
    ),
    "blade-skirmish: the defender throws no die": (
        SkirmishAttack,
        "compare",
        lambda real: lambda self, t, roll: real(self, t, (1,)),
        (a_challenge,),
        (),
    ),
    "blade-skirmish: nobody dies": (
        InjuryRoll,
        "read_the_injury",
        lambda real: lambda self, t, roll: real(self, t, (min(roll[0], 5),)),
        (a_challenge,),
        (),
    ),
    "hex-command: nothing hits": (HexAttack, "count_hits", no_hits, (a_battle,), ()),
    "hex-command: nobody falls back": (
        HexAttack,
        "offer_to_ignore",
        without_retreats,
        (a_battle,),
        (),
    ),
    "command-horizon: nobody defends": (
        Volley,
        "take_defence_dice",
        lambda real: lambda self, t, roll: real(self, t, ()),
        (an_attack,),
        (),
    ),
    "command-horizon: every die is a 6": (
        Volley,
        "take_attack_dice",
        lambda real: lambda self, t, roll: real(self, t, tuple([6 for _ in roll])),
        (an_attack,),
        (),
    ),
}


@pytest.mark.clause("SQ-SHO-05", "SQ-TRT-06", "SQ-ORG-27", "SQ-CQB-07", "SQ-CQB-11", "SQ-CQB-10")
@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_step_moves_the_odds(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, step, make, moved, still = CHANGES[change]
    for odds in (*moved, *still):
        before(odds)
    step_of = kind.plan[step]  # type: ignore[attr-defined]
    monkeypatch.setattr(step_of, "do", make(step_of.do))
    assert all(odds() != before(odds) for odds in moved)
    assert all(odds() == before(odds) for odds in still)


def test_steps_of_every_ruleset_are_changed() -> None:
    assert {change.partition(":")[0] for change in CHANGES} == set(rulesets())
