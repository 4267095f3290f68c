"""The closed formula for Command Horizon's attacks equals the explored volley, at sizes that brute force cannot
reach.
"""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Book, ruleset
from caltrop.engine.explore import Best, Explorer, first_option
from caltrop.errors import InputError
from caltrop.rules.command_horizon.attack import Attack, Target, attack_dice
from caltrop.rules.command_horizon.attack.damage import ending
from caltrop.rules.command_horizon.catalogue import kinds
from caltrop.rules.command_horizon.odds import distribution
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.requests import asked
from caltrop.rules.command_horizon.scene import put, scene
from caltrop.rules.command_horizon.volley import Combine, CombinePairs, Shot, Volley
from tests.odds.test_command_horizon_odds import CASES, attack, book
from tests.tiers import everything

LARGE: list[tuple[str, Book, Attack]] = [
    ("three heavy tanks", book(), attack("asori", "heavy-tank", 3, Target("alliance", "heavy-tank", 3))),
    ("five at light tanks", book(), attack("alliance", "light-tank", 5, Target("asori", "light-tank", 5, 2))),
    ("in v1.5", book("v1.5"), attack("alliance", "medium-tank", 3, Target("asori", "medium-tank", 4, 1))),
    ("infantry", book(), attack("alliance", "infantry", 6, Target("asori", "infantry", 6, 2))),
]


def table(b: Book) -> Battle:
    """Return two units on a table with these rules. The attack defines everything else."""
    t = scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 18)), step=6)
    t.book = b
    return t


def declare(pairs: int) -> Any:
    """Return a policy that combines this number of pairs, or all pairs if there are fewer."""

    def policy(t: Any, decision: Any) -> Any:
        if isinstance(decision, CombinePairs):
            return Combine(min(pairs, decision.possible))
        return first_option(t, decision)

    return policy


@pytest.mark.clause(
    "Q-SEQ-1", "Q-DEF-4", "Q-OK-1", "Q-OK-4", "Q-DRONE-3", "Q-DRONE-9", "Q-DRONE-10", "Q-ART-5", "CH-SLUG-02"
)
@pytest.mark.clause("CH-DEF-12", "CH-TURN-11", "CH-DMG-01")
@pytest.mark.parametrize("overkills", ["best", 1])
@pytest.mark.parametrize(("b", "a"), [(b, a) for _, b, a in CASES + LARGE], ids=[name for name, _, _ in CASES + LARGE])
def test_the_fold_equals_the_volley(b: Book, a: Attack, overkills: Any) -> None:
    held_equal(b, a, overkills)


def held_equal(b: Book, a: Attack, overkills: Any, nodes: int = 10**6) -> None:
    """Assert that the closed formula equals the explored volley."""

    def came(t: Any, resolved: Any) -> Any:
        return ending(b, a.target, resolved[0].dealt)

    def worth(t: Any, resolved: Any) -> tuple[int, int]:
        end = came(t, resolved)
        return -end.models, end.stuns

    policy: Any = declare(overkills)
    if overkills == "best":
        # Against a Shield Drone of the current edition, the closed formula combines every pair.
        every = a.target.drone == "active" and b.edition == "current"
        policy = declare(99) if every else Best(CombinePairs, worth)
    explorer = Explorer(table(b), policy, nodes=nodes)
    odds = explorer.odds(Volley(shots=(Shot(shooter=0, target=1, attack=a),)), came)
    assert dict(odds.items()) == dict(distribution(b, a, overkills).items())


DRAWN = 120 if everything() else 15
"""Number of random attacks to compare."""
MOST_DICE = 9 if everything() else 7
"""Largest number of Attack Dice in a random attack. A volley with more dice takes seconds to explore."""
MODES = ("fire", "reaction-fire", "close-combat", "charge", "artillery")
RULES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {},
    {"overkill.mode": "automatic"},
    {"stun.infantryDice": "no"},
)


def drawn(choices: Seeded, mode: str) -> dict[str, Any]:
    """Return a random request, which may be illegal."""

    def one(*values: Any) -> Any:
        return values[choices.below(len(values))]

    edition = one("current", "current", "v1.5")
    races = ("alliance", "asori") if edition == "v1.5" else ("alliance", "asori", "putredine")
    own, other = one(*races), one(*races)
    book = ruleset("command-horizon").book(edition)
    own_kinds, other_kinds = list(kinds(book, own)), list(kinds(book, other))
    target = {"army": other, "kind": one(*other_kinds), "models": 1 + choices.below(4), "stuns": one(0, 0, 1, 2)}
    return {
        "ruleset": "command-horizon",
        "edition": edition,
        "rules": one(*RULES),
        "mode": mode,
        "attacker": {"army": own, "kind": one(*own_kinds), "models": 1 + choices.below(4), "stuns": one(0, 0, 0, 1)},
        "target": {**target, "cover": one(False, False, True)},
        "boost": one(False, False, True),
        "slugger": edition == "current" and one(False, False, True),
    }


def test_the_fold_equals_the_volley_on_a_drawn_grid() -> None:
    choices, compared = Seeded("attacks"), 0
    while compared < DRAWN:
        request = drawn(choices, MODES[compared % len(MODES)])
        try:
            read = asked(request)
        except InputError:
            continue
        b, a = read.book, read.attack
        if attack_dice(b, a).total > MOST_DICE:
            continue
        automatic = b.rules["overkill.mode"] == "automatic"
        held_equal(b, a, "best" if automatic or compared % 3 else 1)
        compared += 1
