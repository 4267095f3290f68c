"""Twenty-four positions of Command Horizon, each with acts that a person would call silly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from caltrop.engine import Procedure
from caltrop.geometry import CM, CONTACT, disc_inside, gap_within, touching
from caltrop.rules.command_horizon.charge import Charge
from caltrop.rules.command_horizon.combat import CombatStep, EndReactions, React
from caltrop.rules.command_horizon.command import ActivateJammer, CommandStep, Concentrate
from caltrop.rules.command_horizon.damage import DamageBatch, Lose
from caltrop.rules.command_horizon.disengage import DisengageStep, Stake
from caltrop.rules.command_horizon.movement import Move, MovementStep
from caltrop.rules.command_horizon.places import gap
from caltrop.rules.command_horizon.placing import zone_of
from caltrop.rules.command_horizon.records import Battle, Objective, Order, Wound
from caltrop.rules.command_horizon.scene import put, scene, square
from caltrop.rules.command_horizon.spawn import Spawn
from caltrop.rules.command_horizon.stuns import BuyOffStun, StunRemoval
from caltrop.rules.command_horizon.targets import EndAllocation, Fire, MarkTarget, TargetAllocation
from caltrop.rules.command_horizon.worms import AttachWorms, PutToken


class Game(NamedTuple):
    """The game played from a position."""

    before: Battle
    after: Battle
    acts: tuple[Any, ...]
    """The acts of the observed side."""

    def did(self, kind: type) -> list[Any]:
        """Return the acts of a kind."""
        return [a for a in self.acts if isinstance(a, kind)]


class Position(NamedTuple):
    """A position, and the silly acts in it."""

    name: str
    """Description of the silly act."""
    battle: Callable[[], Battle]
    procedure: Procedure
    silly: Callable[[Game], bool]
    side: int = 0


def touches(t: Battle, unit: int, number: int = 0) -> bool:
    o = t.objectives[number]
    return any(gap_within(d, (o.x, o.y, o.r), CONTACT) for d in t.discs(unit))


def hill(x: int, y: int, **fields: Any) -> Objective:
    return Objective(name="The hill", x=x * CM, y=y * CM, r=200, worth=3, **fields)


def ordered(t: Battle, *orders: Order) -> Battle:
    t.orders.extend(orders)
    return t


def wounded(t: Battle, *wounds: Wound) -> Battle:
    t.wounds.extend(wounds)
    return t


POSITIONS: tuple[Position, ...] = (
    Position(
        "a long gun does not fire at what cannot answer",
        lambda: scene(put(0, "heavy-tank", (50, 20)), put(1, "light-tank", (50, 55))),
        TargetAllocation(side=0),
        lambda g: not g.did(Fire),
    ),
    Position(
        "a gun with points to spare fires without a boost",
        lambda: scene(put(0, "heavy-tank", (50, 20)), put(1, "medium-tank", (50, 55))),
        TargetAllocation(side=0),
        lambda g: any(not a.boost for a in g.did(Fire)),
    ),
    Position(
        "the whole unit is shot at beside one that a shot would destroy",
        lambda: scene(
            put(0, "heavy-tank", (50, 20)),
            put(1, "medium-tank", (30, 55)),
            put(1, "medium-tank", (66, 55), models=1),
        ),
        TargetAllocation(side=0),
        lambda g: any(a.target == 1 for a in g.did(Fire)),
    ),
    Position(
        "one light tank picks a quarrel with three heavy ones",
        lambda: scene(put(0, "light-tank", (50, 20), models=1), put(1, "heavy-tank", (50, 38))),
        TargetAllocation(side=0),
        lambda g: bool(g.did(Fire)),
    ),
    Position(
        "all guns fire at a single base",
        lambda: scene(
            *[put(0, "heavy-tank", (20 + 22 * i, 20)) for i in range(4)],
            put(1, "infantry", (50, 50), models=1, starting=1),
            put(1, "medium-tank", (60, 54)),
            army=("alliance", "putredine"),
        ),
        TargetAllocation(side=0),
        lambda g: sum(1 for a in g.did(Fire) if a.target == 4) > 2,
    ),
    Position(
        "nobody marks vehicles for the artillery, which cannot kill them otherwise",
        lambda: scene(
            put(0, "artillery", (50, 10)),
            put(0, "light-tank", (20, 30)),
            put(0, "light-tank", (70, 30)),
            put(1, "heavy-tank", (46, 50)),
            cp=(8, 0),
        ),
        TargetAllocation(side=0),
        lambda g: not g.did(MarkTarget),
    ),
    Position(
        "two targets are marked for one gun",
        lambda: scene(
            put(0, "artillery", (50, 10)),
            put(0, "light-tank", (20, 30)),
            put(0, "light-tank", (70, 30)),
            put(1, "heavy-tank", (46, 50)),
            put(1, "medium-tank", (20, 50)),
            cp=(8, 0),
        ),
        TargetAllocation(side=0),
        lambda g: len({a.target for a in g.did(MarkTarget)}) > 1,
    ),
    Position(
        "the targets are named, and a gun in range of two enemies has none",
        lambda: scene(
            put(0, "medium-tank", (50, 20)),
            put(0, "artillery", (80, 10)),
            put(1, "light-tank", (50, 46)),
            put(1, "light-tank", (76, 46)),
            cp=(2, 0),
        ),
        TargetAllocation(side=0),
        lambda g: len(g.did(Fire)) < 2 and bool(g.did(EndAllocation)),
    ),
    Position(
        "two bases charge eight",
        lambda: scene(put(0, "infantry", (50, 20)), put(1, "infantry", (50, 32), squads=4), army=("alliance", "asori")),
        MovementStep(side=0),
        lambda g: bool(g.did(Charge)),
    ),
    Position(
        "medium tanks run unsupported into three heavy units",
        lambda: scene(
            put(0, "medium-tank", (50, 30)),
            put(0, "heavy-tank", (50, 8)),
            put(0, "infantry", (30, 8), squads=3),
            *[put(1, "heavy-tank", (30 + 22 * i, 84)) for i in range(3)],
            round=2,
        ),
        MovementStep(side=0),
        lambda g: any(gap(g.after, 0, e) < 40 * CM for e in (3, 4, 5)),
    ),
    Position(
        "artillery drives up to the enemy's tanks",
        lambda: scene(
            put(0, "artillery", (50, 20)),
            put(0, "medium-tank", (30, 24)),
            put(1, "medium-tank", (50, 66)),
            put(1, "heavy-tank", (70, 70)),
        ),
        MovementStep(side=0),
        lambda g: min(gap(g.after, 0, e) for e in (2, 3)) < 25 * CM,
    ),
    Position(
        "infantry leaves a wood under fire, and for nothing",
        lambda: scene(
            put(0, "infantry", (50, 50), squads=3, gap="0.2"),
            put(1, "heavy-tank", (50, 85)),
            put(1, "heavy-tank", (70, 85)),
            terrain=[square("wood", "woods", 45, 42, 72, 58)],
            objectives=[hill(58, 50)],
            round=4,
        ),
        MovementStep(side=0),
        lambda g: sum(g.after.ground.in_cover(d[:2]) for d in g.after.discs(0)) < 3,
    ),
    Position(
        "an objective within reach is left alone",
        lambda: scene(
            put(0, "light-tank", (40, 40)),
            put(0, "medium-tank", (40, 25)),
            put(1, "medium-tank", (60, 110)),
            objectives=[hill(47, 49)],
            round=2,
        ),
        MovementStep(side=0),
        lambda g: not touches(g.after, 0),
    ),
    Position(
        "an objective is given up the turn before it would be secured",
        lambda: scene(
            put(0, "light-tank", (40, 50)),
            put(1, "medium-tank", (60, 112)),
            objectives=[hill(42, 50, holder=0)],
            round=3,
        ),
        MovementStep(side=0),
        lambda g: not touches(g.after, 0),
    ),
    Position(
        "a unit that could leave over the enemy's edge does not",
        lambda: scene(put(0, "light-tank", (40, 104)), put(1, "infantry", (90, 20), squads=3), breakthrough=2, round=5),
        MovementStep(side=0),
        lambda g: not all(disc_inside(d, zone_of(g.after, 1)) for d in g.after.discs(0)),
    ),
    Position(
        "Carriers stand still and spawn nothing",
        lambda: scene(
            put(0, "carrier", (50, 30)), put(1, "medium-tank", (50, 100)), army=("putredine", "alliance"), round=2
        ),
        MovementStep(side=0),
        lambda g: not g.did(Spawn),
    ),
    Position(
        "Putredine infantry stays away from tanks that it could attach to",
        lambda: scene(
            put(0, "infantry", (50, 40), gap="0.2"), put(1, "heavy-tank", (50, 50)), army=("putredine", "alliance")
        ),
        MovementStep(side=0),
        lambda g: (
            not any(
                any(touching((*path[-1], g.before.models[m].r), e) for e in g.before.discs(1))
                for a in g.did(Move)
                for m, path in a.paths
            )
        ),
    ),
    Position(
        "command is not concentrated although the Command unit has nothing to shoot at",
        lambda: scene(
            put(0, "command", (50, 10)),
            *[put(0, "medium-tank", (10 + 22 * i, 20)) for i in range(4)],
            put(1, "heavy-tank", (50, 60)),
            cp=(0, 0),
            step=1,
        ),
        CommandStep(side=0),
        lambda g: not g.did(Concentrate),
    ),
    Position(
        "the Radar Jammer is spared with three enemy units beside it",
        lambda: scene(
            put(0, "command", (50, 50)),
            *[put(1, "medium-tank", (25 + 22 * i, 60)) for i in range(3)],
            active=1,
            step=1,
            round=2,
        ),
        CommandStep(side=1),
        lambda g: not g.did(ActivateJammer),
    ),
    Position(
        "a unit that is fired at does not answer, or saves points that are lost",
        lambda: ordered(
            scene(put(0, "medium-tank", (50, 20)), put(1, "medium-tank", (50, 45)), active=1, step=6, cp=(2, 0)),
            Order(unit=1, target=0, models=(4, 5, 6, 7)),
        ),
        CombatStep(side=1),
        lambda g: not any(a.boost for a in g.did(React)) or g.acts[:1] == (EndReactions(),),
    ),
    Position(
        "a unit on the brink of losing a model to its markers keeps them",
        lambda: scene(put(0, "heavy-tank", (50, 20), stuns=5), put(1, "heavy-tank", (50, 50)), cp=(8, 0), step=2),
        StunRemoval(side=0),
        lambda g: len(g.did(BuyOffStun)) < 3,
    ),
    Position(
        "the model with the Node Gland is removed, or a Disabled one kept",
        lambda: wounded(
            scene(
                put(0, "medium-tank", (50, 20), glands=(1,), worms=(0, 2)),
                put(1, "heavy-tank", (50, 50)),
                army=("putredine", "putredine"),
            ),
            Wound(unit=0, kills=1),
        ),
        DamageBatch(),
        lambda g: g.did(Lose)[0].model != 1,
    ),
    Position(
        "a Worm Token goes elsewhere although it would destroy a model",
        lambda: scene(
            put(0, "infantry", (50, 20)),
            put(1, "light-tank", (50, 50), worms=(0, 0, 1)),
            army=("putredine", "alliance"),
        ),
        AttachWorms(side=0, unit=1, count=1),
        lambda g: g.did(PutToken)[0].model != 8,
    ),
    Position(
        "all points are staked against an enemy who has none",
        lambda: scene(
            put(0, "infantry", (50, 50), models=2, locked=(1,)),
            put(1, "infantry", (50, 52), squads=4),
            army=("alliance", "asori"),
            cp=(6, 0),
            step=3,
        ),
        DisengageStep(side=0),
        lambda g: any(a.points > 3 for a in g.did(Stake)),
    ),
)
