"""The referee of a request agrees with the procedure: the same dice give the same result."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Pool, Roll, Seeded
from caltrop.engine import Match, Procedure, ruleset
from caltrop.rules.blade_skirmish.injury import Attack
from caltrop.rules.blade_skirmish.resolve import answer as answered
from caltrop.rules.blade_skirmish.scene import put, scene
from caltrop.rules.duel.requests import asked as strike_asked
from caltrop.rules.duel.resolve import answer as strike_answered
from caltrop.rules.duel.strike import Strike
from caltrop.rules.squad_action.odds import attack_asked
from caltrop.rules.squad_action.requests import asked
from caltrop.rules.squad_action.resolve import resolve

DRAWN = 80
"""Number of random requests for each game."""


class Noted(Seeded):
    """Dice that record the clauses of each throw."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.thrown: list[tuple[str, Roll]] = []

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        roll = super().roll(pool, why)
        self.thrown.append((why[0], roll))
        return roll


def run(t: Any, procedure: Procedure, dice: Noted) -> Any:
    """Play a procedure with the first answer to every decision; return the final state."""
    start = t.clone()
    start.stack = [procedure]
    match = Match(ruleset(t.book.ruleset), start, dice)
    while match.waiting:
        decision = match.waiting[0]
        match.play(decision.side, decision.options(match.view(decision.side)).first(), decision)
    return match.state


KINDS = {
    "SQ-S13": "shots",
    "SQ-SHO-04": "attack",
    "SQ-TRT-08": "reroll",
    "SQ-SHO-05": "saves",
    "SQ-TRT-06": "ignore",
    "SQ-SHO-06": "morale",
    "SQ-ORG-27": "break",
}
"""The key of a request for typed dice, by the first clause for which they are thrown."""


def volley(draw: Seeded) -> dict[str, Any]:
    """Return a random volley."""

    def one(*choices: Any) -> Any:
        return choices[draw.below(len(choices))]

    models = 2 + draw.below(9)
    target = {
        "profile": one("conscript", "regular", "veteran", "elite"),
        "models": models,
        "starting": models + draw.below(4),
        "pinned": bool(draw.below(2)),
        "cover": one("none", "soft", "hard"),
        "traits": one([], ["gene-enhanced"]),
    }
    shooter = {
        "profile": one("militia", "regular"),
        "weapon": one("rifle", "submachine-gun", "light-machine-gun", "flamethrower", "heavy-machine-gun"),
        "models": 1 + draw.below(8),
        "traits": one([], ["improved-targeting"]),
    }
    return {
        "ruleset": "squad-action",
        "mode": "shoot",
        "rules": {"pinned_may_shoot": "on"},
        "shooter": shooter,
        "target": target,
        "distance": 1 + draw.below(6),
    }


@pytest.mark.clause("SQ-SHO-04", "SQ-SHO-05", "SQ-SHO-06", "SQ-ORG-27", "SQ-TRT-06", "SQ-TRT-08", "SQ-Q53")
def test_a_volley_is_refereed_as_it_is_played() -> None:
    ends, draw = set(), Seeded("volleys")
    for number in range(DRAWN):
        request = volley(draw)
        t, attack = attack_asked(asked(request))
        dice = Noted(number)
        u = run(t, attack, dice).units[1]
        given: dict[str, Any] = {"attack": []}
        for clause, roll in dice.thrown:
            kind = KINDS[clause]
            given[kind] = roll[0] if kind in ("morale", "break") else list(roll)
        answer = resolve({**request, "dice": given})
        left = {"models": len(u.models), "pinned": u.pinned} if u.in_play else {"models": 0, "pinned": False}
        assert answer["target"] == left, (request, given)
        ends |= set(given)
    assert ends == set(KINDS.values()), "every kind of dice has been thrown"


@pytest.mark.clause("DU-STRIKE-02", "DU-PARRY-02")
def test_a_strike_is_refereed_as_it_is_played() -> None:
    for number in range(DRAWN):
        request = {
            "ruleset": "duel",
            "attacker": {"breath": number % 3, "trait": ("none", "steady-handed")[number % 2]},
            "target": {"wounds": 2 + number % 4},
            "parried": number % 5 == 0,
        }
        dice = Noted(number)
        strike = Strike(at="throw_the_die", side=0, parried=bool(request["parried"]))
        after = run(strike_asked(request).t, strike, dice)
        answer = strike_answered({**request, "dice": {"attack": dice.thrown[0][1][0]}})
        assert answer.target.wounds == after.duellists[1].wounds


@pytest.mark.clause("BS-CMB-04", "BS-CMB-06", "BS-CMB-07", "BS-Q23")
def test_an_attack_of_a_fighter_is_refereed_as_it_is_played() -> None:
    injuries = set()
    for number in range(DRAWN):
        mine, hers, flanking = 3 + number % 4, 3 + number % 3, number % 2 == 0
        beside = (put(0, mine, 14, 12),) if flanking else ()
        t = scene(put(0, mine, 12, 12), put(1, hers, 13, 12), *beside, field={"automated": ()})
        dice = Noted(number)
        after = run(t, Attack(attacker=0, target=1), dice)
        rolls = [roll[0] for _, roll in dice.thrown]
        given = dict(zip(("attacker", "defender", "injury", "fatality"), rolls, strict=False))
        qualities = {"attacker": {"quality": mine}, "defender": {"quality": hers}}
        answer = answered({"ruleset": "blade-skirmish", **qualities, "flanking": flanking, "dice": given})
        injury = next((blow.injury for blow in after.blows if blow.victim == 1), None)
        assert answer.injury == injury, (number, given)
        injuries.add(injury)
    assert len(injuries) == 5, "everything has come up"
