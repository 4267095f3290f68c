"""Small positions for tests and rulings: `scene` builds a battle in the middle of a turn, `run` plays one procedure in it.

Places are written in centimetres, as the rules are: whole, as decimals, or as text (`"15.1"`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from caltrop.chance import Scripted
from caltrop.engine import HouseValue, Match, Procedure, Switch
from caltrop.geometry import CM
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.records import Army, Disc, DroneState, Model, Objective, Point, Unit
from caltrop.table.terrain import KINDS, Table, Terrain

SWITCHES = tuple(
    Switch(name=line.split()[0], values=tuple(int(v) if v.isdigit() else v for v in line.split()[1:]))
    for line in """artillery.overkill no yes
asori.infantryVsTanks heavy standard
boost.closeCombat no yes
boost.round up down
boost.stack no yes
cc.everyTurn yes no
cc.stuns none table
charge.asoriLong yes no
charge.rfRange no yes
combat.simultaneity step attack
concentrate.countSelf edition yes no
cover.stack no yes
cp.openingReserve none full
cp.savedForDisengage yes no
defence.assign auto manual
disengage.count bases figures
disengage.distance maximum free
drone.doubleSix overkill any
drone.perAttack no yes
drone.price 2 1
fttd.when first-turn any-turn
game.rounds 6 none
glands.lostWithModel yes no
heavyWeapons.boost edition yes no
jammer.blocksConcentrate no yes
light.fireNeeds fire-or-move any
los.obstruction models area
move.cap 30 none
move.freeFirst waive shift
objective.contest none first
objective.resecure yes no
overkill.mode optional automatic
overwatch off on
pod.needsSight yes no
range.by unit model
rf.limit per-attack once
rf.who target any
rush.rfBoost yes no
setup.method turn secret
spawn.moveAtOnce no yes
splitFire.pays leavers all
stun.infantryDice yes no
target.redirect no yes
terrain.charge turn piece
v15.artilleryCp 1 0
v15.heavyCommandTanks 1 2
v15.lightFreeFire yes no
v15.stunMove basic none
vp.spawned yes no
worm.removal cp sacrifice both""".splitlines()
)

Length = int | float | str
"""A length in centimetres."""

NAMES = {
    "light-tank": "Light Tanks",
    "medium-tank": "Medium Tanks",
    "heavy-tank": "Heavy Tanks",
    "artillery": "Mobile Artillery",
    "command": "Command",
    "infantry": "Infantry",
    "heavy-weapons": "Heavy Weapons",
    "slugger": "Sluggers",
    "carrier": "Carriers",
}

RADII = {"infantry": 100, "heavy-weapons": 100, "command": 200}
"""Radius of a kind's bases where it is not that of a tank (Q-SETUP-7)."""

FULL = {
    ("alliance", "light-tank"): 5,
    ("alliance", "medium-tank"): 4,
    ("alliance", "heavy-tank"): 3,
    ("alliance", "artillery"): 3,
    ("alliance", "command"): 3,
    ("alliance", "infantry"): 2,
    ("alliance", "heavy-weapons"): 3,
    ("asori", "light-tank"): 4,
    ("asori", "medium-tank"): 4,
    ("asori", "heavy-tank"): 4,
    ("asori", "command"): 1,
    ("asori", "infantry"): 2,
    ("putredine", "light-tank"): 3,
    ("putredine", "medium-tank"): 3,
    ("putredine", "heavy-tank"): 3,
    ("putredine", "artillery"): 3,
    ("putredine", "slugger"): 2,
    ("putredine", "carrier"): 3,
    ("putredine", "infantry"): 6,
}
"""Models of a unit, or bases of a Squad."""


def cm(length: Length) -> int:
    """A length in centimetres as whole tenths of a millimetre.

    >>> cm(15), cm("15.1"), cm(2.54)
    (1500, 1510, 254)
    """
    return int(Decimal(str(length)) * CM)


class Put(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a scene; made by `put`."""

    side: int
    kind: str
    places: tuple[tuple[Length, Length], ...]
    models: int | None
    along: str
    gap: Length
    squads: int
    teams: int
    worms: tuple[int, ...]
    glands: tuple[int, ...]
    locked: tuple[int, ...]
    deployed: bool
    fields: Mapping[str, Any]


def put(
    side: int,
    kind: str,
    *places: tuple[Length, Length],
    models: int | None = None,
    along: str = "x",
    gap: Length = "0.5",
    squads: int = 1,
    teams: int = 0,
    worms: Sequence[int] = (),
    glands: Sequence[int] = (),
    locked: Sequence[int] = (),
    deployed: bool = True,
    **fields: Any,
) -> Put:
    """A unit of a scene.

    Args:
        side: Its side.
        kind: Key of the catalogue, as in `medium-tank`.
        places: Where its models stand, in centimetres; the last one begins a row of those that are left.
        models: How many; full strength by default. The last Squads are the first to lack bases.
        along: The row's direction: `x`, `-x`, `y` or `-y`.
        gap: Space between the bases of the row.
        squads: Squads of infantry; more than one make a Platoon.
        teams: Heavy Weapon teams attached, one to each of the first Squads; they come after their Squad's own bases.
        worms: Worm Tokens on each model, in order.
        glands: Command points of the Node Gland on each model, in order.
        locked: Ids of the enemy units that it is locked with; the lock is set on both.
        deployed: Whether it is on the table.
        fields: Further fields of the unit, as `stuns=2`, `drone="disabled"`, `name="The Second"`.
    """
    return Put(
        side=side,
        kind=kind,
        places=places,
        models=models,
        along=along,
        gap=gap,
        squads=squads,
        teams=teams,
        worms=tuple(worms),
        glands=tuple(glands),
        locked=tuple(locked),
        deployed=deployed,
        fields=fields,
    )


def square(id: str, kind: str, x0: Length, y0: Length, x1: Length, y1: Length) -> Terrain:
    """A piece of terrain between two corners, in centimetres."""
    a, b, c, d = cm(x0), cm(y0), cm(x1), cm(y1)
    return Terrain(id, KINDS[kind], ((a, b), (c, b), (c, d), (a, d)))


def scene(
    *units: Put,
    edition: str = "current",
    rules: Mapping[str, HouseValue] | None = None,
    army: tuple[str, str] = ("alliance", "asori"),
    cp: tuple[int, int] = (10, 10),
    active: int = 0,
    step: int = 4,
    round: int = 1,
    terrain: Sequence[Terrain] = (),
    table: Point = (12_000, 12_000),
    objectives: Sequence[Objective] = (),
    **fields: Any,
) -> Battle:
    """A battle in the middle of side *active*'s turn, with an empty stack.

    Args:
        units: The units; their ids are their places in the list.
        edition: Edition in play.
        rules: House rules that are not at their default.
        army: The race of each side.
        cp: Command points at hand.
        active: Whose turn it is.
        step: Number of the step under way.
        round: The round under way.
        terrain: Pieces of terrain.
        table: Width and height in tenths of a millimetre.
        objectives: Objectives.
        fields: Further fields of the battle, as `keeps_vp=False`.
    """
    from caltrop.rules.command_horizon.rulebook import ruleset

    t = Battle(
        book=ruleset.book(edition, rules),
        table=Table(*table, tuple(terrain)),
        armies=[
            Army(name=f"{race.capitalize()} {'AB'[side]}", army=race, edge=side, cp=cp[side], turns=round)
            for side, race in enumerate(army)
        ],
        units=[],
        models=[],
        objectives=list(objectives),
        active=active,
        round=round,
        step=step,
        **fields,
    )
    for one in units:
        _add(t, one, army[one.side])
    for id, one in enumerate(units):
        for enemy in one.locked:
            for a, b in ((id, enemy), (enemy, id)):
                if b not in t.units[a].locked:
                    t.change(a, locked=(*t.units[a].locked, b))
    return t


def _add(t: Battle, one: Put, race: str) -> None:
    id = len(t.units)
    per_squad = FULL.get((race, one.kind), 1)
    squads_of: list[int] = []
    kinds: list[str] = []
    for squad in range(one.squads):
        bases = [one.kind] * per_squad + ["heavy-weapons"] * (squad < one.teams)
        kinds += bases
        squads_of += [squad] * len(bases)
    full = len(kinds)
    count = max(full, len(one.places)) if one.models is None else one.models
    while len(kinds) < count:
        kinds.append(one.kind)
        squads_of.append(squads_of[-1])
    radii = [RADII.get(kind, 150) for kind in kinds]
    if race != "alliance" and one.kind == "command" and t.book.edition == "v1.5":
        count = count if one.models is not None or one.places[1:] else int(t.book.rules["v15.heavyCommandTanks"])
    places = [(cm(x), cm(y)) for x, y in one.places] or [(1000, 1000 + 1000 * id)]
    dx, dy = {"x": (1, 0), "-x": (-1, 0), "y": (0, 1), "-y": (0, -1)}[one.along]
    while len(places) < count:
        go = radii[len(places) - 1] + radii[len(places)] + cm(one.gap)
        x, y = places[-1]
        places.append((x + dx * go, y + dy * go))
    ids = []
    for i in range(count):
        x, y = places[i]
        ids.append(
            t.add_model(
                Model(
                    unit=id,
                    kind=kinds[i],
                    x=x,
                    y=y,
                    r=radii[i],
                    squad=squads_of[i],
                    worms=one.worms[i] if i < len(one.worms) else 0,
                    glands=one.glands[i] if i < len(one.glands) else 0,
                )
            )
        )
    same = sum(1 for u in t.units if u.side == one.side and u.kind == one.kind) + 1
    drone: DroneState | None = "active" if (race, one.kind) == ("asori", "command") else None
    fields = {
        "name": NAMES[one.kind] + (f" {same}" if same > 1 else ""),
        "starting": max(full, count),
        "squads": one.squads,
        "platoon": id if one.squads > 1 else -1,
        "drone": drone,
        **one.fields,
    }
    t.add_unit(Unit(side=one.side, kind=one.kind, models=tuple(ids), deployed=one.deployed, **fields))


def disc(t: Battle, unit: int, model: int = 0) -> Disc:
    """Where the unit's *model*-th base stands."""
    return t.models[t.units[unit].models[model]].disc


def run(t: Battle, procedure: Procedure, *dice: Sequence[int], choices: Sequence[int] = ()) -> Match:
    """Start one procedure in a scene, up to its first decision or its end.

    Args:
        t: The scene; it stays as it is.
        procedure: What is played.
        dice: The rolls, in the order in which they will be asked for. Ask `done` at the end whether any is left over.
        choices: Choices by chance that are no dice of the game.
    """
    from caltrop.rules.command_horizon.rulebook import ruleset

    start = t.clone()
    start.stack = [procedure]
    return Match(ruleset, start, Scripted(*dice, choices=choices))


def done(match: Match) -> Battle:
    """The battle after a procedure that has run to its end, with every scripted die thrown.

    Raises:
        AssertionError: when a decision waits.
        ScriptError: when dice are left over.
    """
    if match.waiting:
        raise AssertionError(f"the match waits for {match.waiting}")
    dice = match.dice
    if isinstance(dice, Scripted):
        dice.finish()
    t: Battle = match.state
    return t
