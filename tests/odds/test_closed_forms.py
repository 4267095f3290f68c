"""Closed formulas of computer players equal the explored odds on random samples."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from caltrop.chance import Distribution, Seeded
from caltrop.engine.explore import Explorer
from caltrop.engine.known import forget
from caltrop.rules.blade_skirmish.challenge import endings
from caltrop.rules.blade_skirmish.odds import hurt
from caltrop.rules.blade_skirmish.scene import put
from caltrop.rules.blade_skirmish.scene import scene as skirmish
from caltrop.rules.hex_command.attack import Attack, battle_dice
from caltrop.rules.hex_command.odds import chances
from caltrop.rules.hex_command.preview import between
from caltrop.rules.squad_action.close_quarters import CloseQuarters
from caltrop.rules.squad_action.damage import WRECK, condition
from caltrop.rules.squad_action.impact import left_of
from caltrop.rules.squad_action.melee import STOPS, After, Ends, ends_of_fight, fighter, round_of
from caltrop.rules.squad_action.preview import left_by
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.remains import LeftUnit
from caltrop.rules.squad_action.scene import machine, scene, squad
from caltrop.rules.squad_action.shooting import Shoot, attack_of
from caltrop.rules.squad_action.shots import arms, ends_of_machine
from caltrop.rules.squad_action.volley import AttackMachine, AttackSoldiers
from tests.rules.hex_command.tables import battle
from tests.tiers import everything

DRAWN = 120 if everything() else 24
"""Number of samples of each kind."""

WEAPONS = (
    "flamethrower",
    "light-machine-gun",
    "sniper-rifle",
    "submachine-gun",
    "anti-tank-launcher",
    "rocket-launcher",
)
TRAITS = ((), (), ("gene-enhanced",), ("fearless",), ("improved-targeting",), ("resolute",))
RULES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"double_saves": "on"},
    {"leadership_die": "2d6_under"},
    {"break_result": "fall_back"},
    {"impossible_shots": "on"},
    {"morale_natural_six": "on"},
)


class Drawn:
    """A source of random values that are the same in every run."""

    def __init__(self, seed: str) -> None:
        self.dice = Seeded(seed)

    def one(self, *values: Any) -> Any:
        return values[self.dice.below(len(values))]

    def yes(self, in_ten: int) -> bool:
        return self.dice.below(10) < in_ten


def left(t: Firefight) -> LeftUnit:
    """Return the remaining state of the second unit."""
    u = t.units[1]
    return LeftUnit(len(u.models), u.pinned, u.broken) if u.in_play else LeftUnit(0, False)


def test_volleys_of_soldiers() -> None:
    forget()
    drawn, compared = Drawn("volleys"), 0
    while compared < DRAWN:
        models = drawn.one(2, 3, 5, 8, 10)
        t = scene(
            squad(
                0,
                drawn.one("regular", "elite", "conscript"),
                10,
                20,
                drawn.one(1, 2, 4, 7),
                weapons=(drawn.one(*WEAPONS),),
                traits=drawn.one(*TRAITS),
            ),
            squad(
                1,
                drawn.one("regular", "veteran", "powered"),
                10,
                drawn.one(23, 26, 31),
                models,
                starting=models + drawn.one(0, 0, 2, 6),
                pinned=drawn.yes(3),
                traits=drawn.one(*TRAITS),
                officer=drawn.yes(2),
            ),
            rules=drawn.one(*RULES),
        )
        fire = tuple([(way, 1) for way in arms(t, 0)])
        attacks = attack_of(t, Shoot(0, fire)) if fire else ()
        if not attacks:
            continue
        words = left_by(t, attacks[0])
        explored = Explorer(t, nodes=10**6).odds(AttackSoldiers(attack=attacks[0]), lambda after, _: left(after))
        assert words.exact
        assert dict(words.odds.items()) == dict(explored.items()), (t.units, fire, t.book.rules)
        compared += 1


def test_shots_at_machines() -> None:
    forget()
    drawn, compared = Drawn("machines"), 0
    while compared < DRAWN:
        t = scene(
            squad(0, "regular", 10, 20, 3, weapons=("anti-tank-launcher", drawn.one("rocket-launcher", "fusion-gun"))),
            machine(1, drawn.one("apc", "walker", "truck", "battle-tank"), 10, 26, pinned=drawn.yes(3)),
            rules=drawn.one({}, {}, {"leadership_die": "2d6_under"}),
        )
        t.change(1, immobile=drawn.yes(2), disarmed=drawn.yes(2))
        fire = tuple([(way, 1) for way in arms(t, 0)])
        attacks = attack_of(t, Shoot(0, fire))
        if not attacks:
            continue

        def came(after: Firefight, _: object) -> Any:
            return condition(after, 1) if after.units[1].in_play else WRECK

        explored = Explorer(t, nodes=10**6).odds(AttackMachine(attack=attacks[0]), came)
        assert dict(ends_of_machine(t, attacks[0]).items()) == dict(explored.items()), (t.units, fire)
        compared += 1


def fighting(drawn: Drawn) -> tuple[Firefight, CloseQuarters]:
    """Return two random squads in close quarters."""
    sizes = drawn.one(2, 3, 4), drawn.one(2, 3, 4)
    t = scene(
        squad(0, drawn.one("regular", "assault"), 20, 20, sizes[0], starting=sizes[0], traits=drawn.one(*TRAITS)),
        squad(1, drawn.one("regular", "elite"), 20, 20.6, sizes[1], traits=drawn.one(*TRAITS), pinned=drawn.yes(3)),
        *[squad(side, "veteran", 20, 16 + 9 * side, 1, officer=True) for side in (0, 1) if drawn.yes(2)],
        rules=drawn.one({}, {}, {"initiative_tie": "reroll"}, {"leadership_die": "2d6_under"}),
    )
    cover = drawn.one("none", "soft", "hard")
    return t, CloseQuarters(assaulters=(0,), defenders=(1,), covers=(cover,))


def alive(after: Firefight, _: object) -> After:
    """Return the remaining models of both squads."""
    return After(*[len(u.models) if u.in_play else 0 for u in after.units[:2]])


def test_rounds_of_fights_of_squads_hang_on_what_players_name() -> None:
    forget()
    for n in range(DRAWN):
        t, fight = fighting(Drawn(f"round {n}"))
        watching = (1,) if n % 3 == 0 else ()
        explored = Explorer(t, stops=STOPS, nodes=10**6).odds(replace(fight, watching=watching), alive)
        defender = fighter(t, 1)._replace(watching=bool(watching))
        asked = round_of(t, fighter(t, 0), defender, fight.covers[0])
        assert dict(asked.items()) == dict(explored.items()), (t.units, fight)


def test_shortcuts_through_fights_of_squads_change_nothing() -> None:
    for n in range(DRAWN // 4):
        t, fight = fighting(Drawn(f"fight {n}"))
        whole = Explorer(t, nodes=10**6).odds(fight, lambda after, _: Ends(left_of(after, 0), left_of(after, 1)))
        assert ends_of_fight(t, 0, 1, fight.covers[0]).odds == whole, (t.units, fight)


CODES = ("I-L", "I-M", "V-L", "V-M", "V-H", "G-L")


def test_battles_on_hexes() -> None:
    forget()
    drawn, compared = Drawn("hexes"), 0
    for who, at, place in product(CODES, CODES, ("E9", "E10")):
        if drawn.yes(5) and not everything():
            continue
        led = f", L-L {place}" if drawn.yes(3) else ""
        ground = drawn.one("", f"woods {place}", f"hill {place}")
        t = battle(f"{who} E8", f"{at} {place}{led}", ground=ground, size=(13, 17))
        p = between(t, t.units[0], t.units[1])
        if sum([term.value for term in battle_dice(t, p)]) < 1:
            continue
        explored = Explorer(t, nodes=10**6).odds(Attack(attacker=0, target=1), partial(came_of_battle, t))
        closed: Distribution[Any] = chances(t.book, p).map(lambda e: (e.strength, e.leader_lost, e.retreat))
        assert dict(closed.items()) == dict(explored.items()), (who, at, ground, led)
        compared += 1
    assert compared > 10


def came_of_battle(t: Any, after: Any, _: object) -> tuple[int, bool, int]:
    """Return the remaining strength, whether the leader is lost, and the hexes of the retreat on open ground."""
    u, leader = after.units[1], after.units[2] if len(after.units) > 2 else None
    fell = leader is not None and leader.hex is None
    return (0, fell, 0) if u.hex is None else (u.strength, fell, t.map.distance(t.units[1].hex, u.hex))


@pytest.mark.parametrize("tie", ["hold", "reroll", "clash"])
def test_challenges_of_fighters(tie: str) -> None:
    for mine, theirs, flanking in product((1, 3, 6), (1, 2, 5), (False, True)):
        beside = (put(0, mine, 14, 12),) if flanking else ()
        t = skirmish(put(0, mine, 12, 12), put(1, theirs, 13, 12), *beside, rules={"challenge_tie": tie})
        _, explored = hurt(t, 0, 1)
        won = endings(t, mine, theirs, flanking)
        assert explored.chance(lambda e: e[0] is not None) == won["attacker"] + (won[None] if tie == "clash" else 0)
        assert explored.chance(lambda e: e[1] is not None) == (won[None] if tie == "clash" else 0)
