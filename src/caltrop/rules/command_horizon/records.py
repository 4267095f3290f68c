"""The records that a battle of Command Horizon is made of: units, armies, objectives, what is declared, and the state.

Every record is frozen: `Battle.change` puts a changed copy on its shelf. Places and lengths are whole tenths of a
millimetre. Ids are indices into the battle's shelves and are never used again; what is destroyed stays on its shelf.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.engine import Event, State, Term, does
from caltrop.kit.words import free_name, names_told_apart
from caltrop.picture import Look, Paint
from caltrop.table.measured.terrain import Table, TableGround, ground_of

Point = tuple[int, int]
Disc = tuple[int, int, int]
"""A base as (x, y, radius)."""

DroneState = Literal["active", "disabled", "destroyed"]


class Model(msgspec.Struct, frozen=True):
    """One vehicle, or one infantry base (Q-INF-1)."""

    unit: int
    kind: str
    """The catalogue's kind of this base: it differs from the unit's where Heavy Weapon teams are attached."""
    x: int
    y: int
    r: int
    squad: int = 0
    """Number of its Squad in the Platoon, from 0."""
    worms: int = 0
    glands: int = 0
    """Command points that its Node Gland generates: 0, 1 (Small) or 2 (Large)."""
    alive: bool = True

    @property
    def disc(self) -> Disc:
        return (self.x, self.y, self.r)


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit: models that act together. A destroyed unit has no models left."""

    side: int
    kind: str
    """Key of the catalogue, as in `medium-tank`; a Squad of infantry with attached teams is `infantry`."""
    look: Look | UnsetType = UNSET
    """Its drawing, if its list names one."""
    name: str
    models: tuple[int, ...]
    """Ids of its models in play; empty once destroyed."""
    deployed: bool = False
    stuns: int = 0
    starting: int = 0
    """Original bases of its Platoon (for vehicles: of the unit): the Platoon bonus ends at half of them."""
    squads: int = 1
    """Squads of its Platoon at full strength; 1 without a Platoon."""
    platoon: int = -1
    """The unit that its Squads were detached from or belong to: Squads of one Platoon may form up again. -1: none."""
    spawned: bool = False
    """Appeared during the game."""
    locked: tuple[int, ...] = ()
    """Enemy units that it is locked in close combat with, in the order of contact (Q-CC-8)."""
    drone: DroneState | None = None
    """The Shield Drone's state, for an Asori command unit."""
    concentrating: bool = False
    """Gave up movement, attacks and reaction fire until its owner's next turn."""

    # Its acts since its owner's turn began; `fresh_turn` resets them.
    moved: int = 0
    """Length of its longest path this turn; 0 while it stands still."""
    move_over: bool = False
    """True if no base of it may move again this turn."""
    no_free_move: bool = False
    """Bases joined it this turn: only the bought 5 cm is left (CH-PUTINF-10)."""
    joined_from: int = 0
    """Length already moved by bases that joined."""
    paid: int = 0
    """Command points spent this turn on its movement and fire."""
    spent: int = 0
    """Command points spent on it this turn for anything."""
    may_fire: bool = True
    """False once its move of this turn forbids firing."""
    price_shot: int = 0
    """Further cost of its shot if it fires this turn after its move."""
    charged: tuple[int, ...] = ()
    """The locked units that it has charged itself (kept over turns)."""
    charging: int = -1
    """The unit that it charged, or rushed, this turn; -1 for none."""
    rushing: bool = False
    """Its charge was an Asori Rush at Light class vehicles: attack in the combat step, no lock."""
    arrived: bool = False
    """Its charge made contact."""
    charge_fire: bool = False
    """It used reaction fire against a charge in this turn."""
    disengaged: bool = False
    """Left close combat this turn: it can do nothing else until the turn ends."""
    tried_to_leave: bool = False
    marking: int = -1
    """The enemy unit that it marked this turn; -1 for none."""
    appeared: bool = False
    """Spawned since its owner's turn began: it may not move yet (Q-SPAWN-2)."""
    spawned_this_turn: bool = False
    """A Carrier unit that has rolled for spawning this turn."""
    spawn_spots: tuple[Point, ...] = ()
    """Places of its Carriers when they last spawned (kept over turns)."""
    frozen: bool = False
    """Putredine infantry that may not move this turn (CH-PUTSTUN-01)."""
    newly_stunned: bool = False
    """Putredine infantry that got a marker since its owner's last step 2."""
    left: bool = False
    """Left the table over the enemy's edge, in scenarios that say so."""
    reacted: int = 0
    """Number of times that it used reaction fire in the enemy turn under way (for `rf.limit`)."""
    overwatch: int = 0
    """0 not on overwatch, 1 waiting, 2 has fired: no reaction fire either way (house rule)."""
    let_pass: tuple[int, ...] = ()
    """Enemy units on overwatch that have held their fire against its move of this turn."""


class Army(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    army: str
    """The race: `alliance`, `asori` or `putredine`."""
    edge: int = 0
    """Table edge that it deploys on: 0 south (y = 0), 1 north."""
    cp: int = 0
    """Command points at hand: the pool in its own turn, the saved rest in the other's."""
    vp: int = 0
    """Victory points from destroyed units."""
    turns: int = 0
    jammed_on: int = -2
    """The enemy's turn number in which its Radar Jammer was last used."""
    generated: int = 0
    """Command points generated at the start of its latest turn."""
    paint: Paint | UnsetType = UNSET
    """Its colours, if its list names them."""


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of securing an objective (Q-OBJ-4)."""

    what: Literal["supplies", "points", "interference", "shock"]
    """`supplies`: CP more in every own step 1 while it is secured. `points`: VP at once, every time it is secured.
    `interference`: the enemy generates fewer CP in its step 1 while it is secured. `shock`: Stun markers at once for
    every enemy vehicle unit."""
    amount: Annotated[int, msgspec.Meta(ge=0, le=100)] = 1


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A place to capture and secure; it blocks nothing (Q-OBJ-6)."""

    name: str
    x: int
    y: int
    r: int
    owner: int | None = None
    """The side whose own it is: for the other side, securing it has the sabotage effect; None for no side's."""
    benefit: Effect | None = None
    """Gain from securing it, if it is neutral or one's own."""
    sabotage: Effect | None = None
    """Effect of securing it if it belongs to the enemy."""
    worth: int = 0
    """Victory points for the side that has it secured at the end."""
    holder: int | None = None
    """The side that has captured it now."""
    holding: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """For each side the units that may secure it and have touched it since the end of their own last turn."""
    secured: int | None = None
    first: int | None = None
    """Of the sides that touch it now, the one that touched it first; None if neither does."""


class MarkOn(msgspec.Struct, frozen=True):
    """A target marked for the artillery, until the end of the turn."""

    by: int
    target: int


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """An attack declared in step 4, paid for, and carried out later in the turn."""

    unit: int
    target: int = -1
    """The enemy unit; -1 for a spot on the ground."""
    squads: tuple[int, ...] = ()
    """The Squads that fire, in split fire; empty for the whole unit."""
    share: int = 0
    """Stun markers of the unit that fall on this group, in split fire."""
    marking_die: bool = True
    """True if this group loses the die for marking, because the unit has marked."""
    boost: int = 0
    """Number of boosts that were bought for it."""
    exposed: bool = False
    """Aims at exposed models only (CH-LOS-03)."""
    artillery: bool = False
    ranged_in: bool = False
    sighter: int = -1
    """The friendly unit from which the artillery's target is seen."""
    spot: Point | None = None
    """Aim of a Pod launcher."""
    rush: bool = False
    models: tuple[int, ...] = ()
    """The models that fire: range and sight were checked when the target was named (Q-TARGET-1)."""
    cover: int = 0
    """Cover bonuses that the target had then."""
    obstructed: int = 0
    """Those of them that give infantry a die only (Q-LOS-9)."""
    only: tuple[int, ...] = ()
    """The target's models that were exposed then, if the attack aims at these; empty for any."""
    paid: int = 0
    """Command points that it cost: given back if it is taken back before the block is finished."""
    done: bool = False


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Reaction fire declared at the start of the combat step."""

    unit: int
    order: int
    """Index of the order that it answers."""
    boost: int = 0
    models: tuple[int, ...] = ()
    cover: int = 0
    """Cover bonuses of the attacker."""
    obstructed: int = 0
    """Those of them that give infantry a die only (Q-LOS-9)."""


class Naming(msgspec.Struct, frozen=True):
    """The enemy a locked unit attacks in close combat."""

    unit: int
    enemy: int
    boost: int = 0


class Wound(msgspec.Struct, frozen=True, kw_only=True):
    """Recorded damage that waits for the end of its step (Q-SEQ-3).

    Without kills and markers it says that the unit has lost models to Worm Tokens. Its markers are compared with the
    models that are left when the damage of the step is applied (Q-WORM-8).
    """

    unit: int
    kills: int = 0
    stuns: int = 0
    only: tuple[int, ...] = ()
    """The only models that can be lost, because the attacker aimed at exposed models; empty for any."""
    drone: DroneState | None = None
    """Effect of an Overkill pair on the Shield Drone; None for nothing."""


def of_dice(count: int) -> str:
    """Return a number of dice in words.

    >>> of_dice(1), of_dice(4)
    ('1 die', '4 dice')
    """
    return quantity(count, "die")


_STAMPS = count(1)


class Paid(Event, frozen=True):
    """Command points were spent."""

    side: int
    amount: int
    clause: str
    words: str
    unit: int | None = None

    def sentence(self, t: Any) -> str:
        return f"{t.armies[self.side].name} spends {self.amount} CP: {self.words}"


class Battle(State, kw_only=True):
    """Everything that the rules of Command Horizon can see."""

    unstored: ClassVar[tuple[str, ...]] = ("book", "told", "stamp", "names")

    scenario: str = ""
    table: Table
    armies: list[Army]
    units: list[Unit]
    models: list[Model]
    objectives: list[Objective] = msgspec.field(default_factory=list)
    zone: int = 1000
    """Depth of the deployment zones."""
    rounds: int | None = 6
    keeps_vp: bool = True
    """True if the scenario counts victory points."""
    placed: bool = False
    """True if the scenario places both armies itself."""
    breakthrough: int = 0
    """Victory points for every unit that leaves over the enemy's edge, in scenarios that say so."""
    first: int = 0
    """The side that has the first turn."""
    round: int = 0
    step: int = 0
    """Number of the step of the turn under way, as the edition counts them; 0 outside a turn."""
    marks: list[MarkOn] = msgspec.field(default_factory=list)
    orders: list[Order] = msgspec.field(default_factory=list)
    answers_declared: list[Answer] = msgspec.field(default_factory=list)
    namings: list[Naming] = msgspec.field(default_factory=list)
    wounds: list[Wound] = msgspec.field(default_factory=list)
    stamp: int = 0
    """Changes with every change of a model or a lock: while it is the same, answers about places can be kept."""
    names: tuple[str, ...] = ()
    """Names of its units in sentences; worked out again when a unit has come."""

    def __post_init__(self) -> None:
        """Give a state from a set-up or a file a unique stamp."""
        if not self.stamp:
            self.stamp = next(_STAMPS)

    def awaken(self) -> None:
        self.stamp = next(_STAMPS)

    # --- reading ------------------------------------------------------------------------------------------------

    @property
    def ground(self) -> TableGround:
        ground: TableGround | None = self.book.scratch.get("ground")
        if ground is None:
            ground = self.book.scratch["ground"] = ground_of(self.table)
        return ground

    def discs(self, unit: int) -> list[Disc]:
        models = self.models
        return [models[m].disc for m in self.units[unit].models]

    def called(self, unit: int) -> str:
        """Return the name of a unit in a sentence, with its side if the other army has a unit of that name."""
        if len(self.names) != len(self.units):
            self.names = names_told_apart([(u.side, u.name) for u in self.units], [a.name for a in self.armies])
        return self.names[unit]

    def unit_in_words(self, unit: int) -> str:
        return self.called(unit)

    def does(self, unit: int, verb: str) -> str:
        """Return a unit as `called` with a verb in the third person, which agrees with the name."""
        return does(self.called(unit), verb)

    def in_play(self, side: int | None = None) -> Iterator[int]:
        for i, u in enumerate(self.units):
            if u.models and u.deployed and (side is None or u.side == side):
                yield i

    def enemies(self, side: int) -> Iterator[int]:
        return self.in_play(1 - side)

    # --- writing: the only ways to change a record ---------------------------------------------------------------

    def change(self, unit: int, **fields: Any) -> None:
        self.units[unit] = replace(self.units[unit], **fields)
        if "locked" in fields or "models" in fields or "deployed" in fields:
            # Locked Putredine infantry is in the way of fire, as it is not otherwise (Q-LOS-6).
            self.stamp = next(_STAMPS)

    def change_model(self, model: int, **fields: Any) -> None:
        self.models[model] = replace(self.models[model], **fields)
        self.stamp = next(_STAMPS)

    def change_army(self, side: int, **fields: Any) -> None:
        self.armies[side] = replace(self.armies[side], **fields)

    def add_unit(self, unit: Unit) -> int:
        """Put a new unit on the shelf, under a name that is unique on its side in play. Return its id."""
        name = free_name(unit.name, [u.name for u in self.units if u.side == unit.side and u.models])
        self.units.append(unit if name == unit.name else replace(unit, name=name))
        return len(self.units) - 1

    def add_model(self, model: Model) -> int:
        """Put a new model on the shelf without adding it to its unit's list. Return its id."""
        self.models.append(model)
        self.stamp = next(_STAMPS)
        return len(self.models) - 1

    def pay(
        self, side: int, price: tuple[Term, ...], unit: int | None = None, *, shooting_or_moving: bool = False
    ) -> None:
        """Take command points from the side's pool; the caller has checked that they are there.

        Args:
            price: The price, with the clauses.
            unit: The unit that they are spent on.
            shooting_or_moving: True if they buy the unit's movement or fire (Q-MOVE-5).
        """
        amount = sum([p.value for p in price])
        if amount == 0:
            return
        self.change_army(side, cp=self.armies[side].cp - amount)
        if unit is not None:
            u = self.units[unit]
            self.change(unit, spent=u.spent + amount, paid=u.paid + (amount if shooting_or_moving else 0))
        self.tell(
            Paid(
                side=side,
                amount=amount,
                clause=price[0].clause,
                words="; ".join(p.words for p in price if p.value),
                unit=unit,
            )
        )


def fresh_turn(u: Unit) -> Unit:
    """Return the unit as its owner's new turn finds it: without the deeds of the last one.

    `concentrating`, `frozen` and `newly_stunned` have their own moments, and `reacted` and `charge_fire` belong to the
    turn of the enemy.
    """
    return msgspec.structs.replace(
        u,
        moved=0,
        move_over=False,
        no_free_move=False,
        joined_from=0,
        paid=0,
        spent=0,
        may_fire=True,
        price_shot=0,
        charging=-1,
        rushing=False,
        arrived=False,
        disengaged=False,
        tried_to_leave=False,
        marking=-1,
        appeared=False,
        spawned_this_turn=False,
        overwatch=0,
        let_pass=(),
    )
