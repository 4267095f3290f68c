"""The exact results of shells and of runs from the air: the places of the fall, and the fate of each unit there.

Every number is asked of `shelling`, `airstrike`, `fire`, `damage` and `morale`; nothing here is a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from caltrop.chance import Distribution
from caltrop.engine.explore import Explored, explore
from caltrop.geometry import INCH, Point, covers
from caltrop.rules.squad_action.airstrike import AirRun, anti_vehicle_needs, may_be_shot, strafe_needs, strafing_shots
from caltrop.rules.squad_action.casualties import morale_of, saves_of
from caltrop.rules.squad_action.catalogue import Class, Cover, Face
from caltrop.rules.squad_action.damage import Blow, Condition, after_blow, after_check, condition, could_penetrate, d3
from caltrop.rules.squad_action.fire import FACES, Fallen, Volley, fallen, hits, ignores_wounds_on
from caltrop.rules.squad_action.places import bodies, cover_of
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.remains import Left, after_morale
from caltrop.rules.squad_action.shelling import CallFire, asset_of, available_on
from caltrop.rules.squad_action.shells import going_on
from caltrop.rules.squad_action.shots import squad_of
from caltrop.rules.squad_action.template import (
    Asset,
    effect_of,
    hits_in,
    radius_of,
    scatter_dice,
    scatters,
    shell_at_machine,
    under_fire,
)
from caltrop.table.measured import scattered

State = Left | Condition
"""State after an attack: of soldiers, or of a machine."""

ALWAYS = 1
"""Number that every die reaches."""


def as_it_is(t: Firefight, unit: int) -> State:
    """Return a unit that nothing happens to."""
    u = t.units[unit]
    return condition(t, unit) if u.machine else Left(len(u.models), u.pinned, u.broken)


# --- soldiers and machines --------------------------------------------------------------------------------------------


def soldiers_hit(
    t: Firefight, unit: int, volley: Volley | None, tested: bool, cover: Cover, ap: int = 0
) -> Distribution[Left]:
    """Return what shots leave of soldiers, with the checks that follow.

    Args:
        t: The firefight.
        unit: The soldiers.
        volley: The shots; None if there are none. Its saves are worked out here.
        tested: True if they are checked though nothing hits.
        cover: The cover that they are in.
        ap: Addition of the weapon to armour saves.
    """
    u = t.units[unit]
    fallen_: Distribution[Fallen] = Distribution.certain(Fallen(0, 0))
    if volley is not None:
        met = tuple([save.needed for save in saves_of(t, unit, ap, cover, False)])
        shots = volley._replace(saves=met, ignore=ignores_wounds_on(t, u.traits))
        fallen_ = fallen((shots,), len(u.models))
    if tested:
        fallen_ = fallen_.map(lambda end: Fallen(max(end.hits, 1), end.casualties))
    return after_morale(t, squad_of(t, unit), u.pinned, fallen_, False, False)


def machine_hit(
    t: Firefight, unit: int, count: Distribution[int], at: Class, face: Face, cover: Cover, barred: bool = False
) -> Distribution[Condition]:
    """Return what some hits leave of a machine, with the check that follows those that could penetrate."""
    u, armour = t.units[unit], t.vehicle(unit).face(face)
    ends = [Distribution.certain(condition(t, unit))]
    for _ in range(max(count)):
        blow = Blow(at, armour, cover, False, barred)
        ends.append(ends[-1].then(lambda was, blow=blow: after_blow(t, u.kind, was, blow)))  # type: ignore[misc]
    if not could_penetrate(t, at, armour):
        return ends[0]
    morale = morale_of(t, unit)
    checked = [ends[0], *[end.then(lambda was: after_check(t, morale, was)) for end in ends[1:]]]
    return count.then(lambda n: checked[n])


def _shots(count: int) -> Volley:
    """Return a volley of a number of hits."""
    return Volley(shots=count, dice=0, needed=ALWAYS, reroll=False, saves=(), ignore=7)


# --- shells -----------------------------------------------------------------------------------------------------------


def markers(t: Firefight, aim: Point, rounds: int) -> Distribution[Point | None]:
    """Return where the marker comes to lie, exactly; None for off the table."""
    dice, less = scatter_dice(t, rounds)
    x0, y0, x1, y1 = t.ground.box
    one = Distribution([(face, 1) for face in FACES])
    far = Distribution.certain(0)
    for n in range(dice + less):
        sign = 1 if n < dice else -1
        far = far.then(lambda so_far, sign=sign: one.map(lambda face: so_far + sign * face))  # type: ignore[misc]

    def lies(place: Point) -> Point | None:
        return place if x0 <= place[0] <= x1 and y0 <= place[1] <= y1 else None

    def falls(by: int) -> Distribution[Point | None]:
        if by <= 0:
            return Distribution.certain(lies(aim))
        return Distribution([(lies(scattered(aim, hour, by * INCH)), 1) for hour in range(1, 13)])

    if dice == 0:
        return Distribution.certain(lies(aim))
    return one.then(lambda face: far.then(falls) if scatters(t, face) else falls(0))


def _struck(t: Firefight, asset: Asset, unit: int, cover: Cover, direct: bool) -> Distribution[State]:
    """Return what a shell leaves of a unit within its template."""
    machine = t.units[unit].machine

    def by_face(face: int) -> Distribution[Any]:
        effect = effect_of(t, asset, face)
        if machine:
            if effect.at is None:
                return Distribution.certain(as_it_is(t, unit))
            at, where = shell_at_machine(t, effect.at, direct)
            return machine_hit(t, unit, Distribution.certain(1), at, where, cover, direct)
        if not effect.hits:
            return soldiers_hit(t, unit, None, effect.pins, cover)
        numbers = Distribution([(hits_in(effect.hits, die), 1) for die in FACES])
        return numbers.then(lambda n: soldiers_hit(t, unit, _shots(n), True, cover))

    return Distribution([(face, 1) for face in FACES]).then(by_face)


class Called(NamedTuple):
    """The result of a call for fire, for one unit."""

    came: str
    """`nothing` where no asset is available, `airstrike` where one comes, `shells` where they fall."""
    state: State


class Mission:
    """The possible effects of a fire mission, unit by unit.

    Args:
        t: The firefight, the models as they stand.
        act: The call; without a place nothing is said of units.
        asset: What fires, if that is known already.
    """

    def __init__(self, t: Firefight, act: CallFire, asset: str = "") -> None:
        self.t, self.act, self.side = t, act, t.units[act.unit].side
        going = going_on(t, act.unit, act.aim, act.target, act.mortar)
        rounds = 1 if going is None else going.rounds + 1
        self.assets: Distribution[str]
        """Answers to the call: a weight of shells, an airstrike, or `nothing`."""
        if asset:
            self.assets = Distribution.certain(asset)
        elif act.mortar is not None or going is not None:
            self.assets = Distribution.certain("light" if going is None else going.asset)
        else:
            needed = available_on(t, act.unit)
            one = Distribution([(face, 1) for face in FACES])
            assets: Distribution[str] = one.map(lambda face: str(asset_of(t, face)))
            self.assets = one.then(lambda face: assets if face >= needed else Distribution.certain("nothing"))
        self.markers = Distribution.certain(None) if act.aim is None else markers(t, act.aim, rounds)
        self._under: dict[tuple[Point, int], tuple[int, ...]] = {}
        self._ends: dict[Any, Distribution[State]] = {}

    def under(self, marker: Point | None, asset: Asset) -> tuple[int, ...]:
        """Return the units within the template."""
        if marker is None:
            return ()
        key = marker, radius_of(self.t, asset)
        if key not in self._under:
            self._under[key] = under_fire(self.t, *key, self.side)
        return self._under[key]

    @property
    def units(self) -> tuple[int, ...]:
        """The units that shells may fall on."""
        shells: Any = [asset for asset in self.assets if asset not in ("nothing", "airstrike")]
        return tuple(
            sorted({unit for asset in shells for marker in self.markers for unit in self.under(marker, asset)})
        )

    def ends(self, unit: int) -> Distribution[Called]:
        """Return what becomes of a unit."""
        stays = as_it_is(self.t, unit)

        def shelled(asset: Any) -> Distribution[Called]:
            if asset in ("nothing", "airstrike"):
                return Distribution.certain(Called(asset, stays))
            return self.markers.then(lambda m: self._shelled(asset, unit, m)).map(lambda end: Called("shells", end))

        return self.assets.then(shelled)

    def _shelled(self, asset: Asset, unit: int, marker: Point | None) -> Distribution[State]:
        if marker is None or unit not in self.under(marker, asset):
            return Distribution.certain(as_it_is(self.t, unit))
        u = self.t.units[unit]
        cover = cover_of(self.t, u.models, [marker])
        direct = u.machine and any(covers(b, marker) for b in bodies(self.t, unit))
        key = asset, unit, cover, direct
        if key not in self._ends:
            self._ends[key] = _struck(self.t, asset, unit, cover, direct)
        return self._ends[key]


# --- runs from the air ------------------------------------------------------------------------------------------------


def after_run(t: Firefight, unit: int, kind: str, side: int) -> Distribution[State]:
    """Return what a run of an airstrike leaves of a unit under its line, all its hits or shots falling to it.

    Args:
        t: The firefight.
        unit: The unit.
        kind: `strafing` or `anti-vehicle`.
        side: Side of the airstrike.
    """
    u = t.units[unit]
    cover = cover_of(t, u.models, [place for m in u.models if (place := t.models[m].at) is not None])
    aimed_at = u.side != side and may_be_shot(t, unit, kind)
    if kind != "strafing":
        if not aimed_at:
            return Distribution.certain(as_it_is(t, unit))
        needed = anti_vehicle_needs(t)
        numbers = Distribution([(d3(face), 1) for face in FACES])
        count = numbers.then(lambda n: hits(Volley(n, 0, needed, False, (), 7)))
        return _whole(machine_hit(t, unit, count, "Med", "side", cover))
    at, ap = strafing_shots(t)
    volley = Volley(0, 3, strafe_needs(t), False, (), 7)
    if u.on_foot:
        return _whole(soldiers_hit(t, unit, volley if aimed_at else None, True, cover, ap))
    if not aimed_at:
        return Distribution.certain(as_it_is(t, unit))
    return _whole(machine_hit(t, unit, hits(volley), at, "side", cover))


def _whole(distribution: Distribution[Any]) -> Distribution[State]:
    return distribution


def those_shot_at(t: Firefight, units: Sequence[int], kind: str, side: int) -> tuple[int, ...]:
    """Return the units under a line that are shot at: enemies that the run is for."""
    return tuple([u for u in units if t.units[u].side != side and may_be_shot(t, u, kind)])


class Losses(NamedTuple):
    """The total losses of the enemies under the line of a run."""

    models: int
    """Models that fall, or leave with a unit that breaks; a machine is one model."""
    destroyed: int
    """Units that are destroyed, or out of play."""
    pinned: int
    """Units that are Pinned by it."""


def losses_of_run(
    t: Firefight, units: Sequence[int], kind: str, side: int, middle: Point, direction: Point, times: int
) -> Explored:
    """Return the odds of what a run costs several units together, hits or shots being shared out evenly: `Losses`.

    Args:
        t: The firefight.
        units: The enemies under the line.
        kind: `strafing` or `anti-vehicle`.
        side: Side of the airstrike.
        middle: The middle of its line.
        direction: The direction of the line.
        times: Number of times that the run is played where it is too large to be explored.
    """

    def lost(after: Firefight, _: object) -> Losses:
        gone = [unit for unit in units if not after.units[unit].in_play]
        stay = [unit for unit in units if after.units[unit].in_play]
        fallen = sum([len(t.units[u].models) for u in gone])
        fallen += sum([len(t.units[u].models) - len(after.units[u].models) for u in stay])
        return Losses(fallen, len(gone), sum([after.units[u].pinned and not t.units[u].pinned for u in stay]))

    run = AirRun(at="fly", side=side, unit=units[0], aim=middle, kind=kind, direction=direction)
    explored = explore(t, run, lost, times=times)
    return replace(explored, odds=explored.odds.sorted(key=tuple))
