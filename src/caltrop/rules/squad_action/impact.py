"""Forecasts of shells and air runs: the places they hit, and the effect on each unit.

The procedures of call, scatter and effect are explored, for each unit separately.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from caltrop.chance import Distribution
from caltrop.engine import Decision
from caltrop.engine.explore import GO_ON, Explored, Explorer, Stops, explore, first_option
from caltrop.geometry import Point, covers
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.airstrike import AirRun, Share, ShareOut, may_be_shot
from caltrop.rules.squad_action.broken import FallBack
from caltrop.rules.squad_action.damage import WRECK, CheckMachine, Condition, condition
from caltrop.rules.squad_action.places import bodies, cover_of
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.remains import LeftUnit
from caltrop.rules.squad_action.shelling import CallFire, CallForFire
from caltrop.rules.squad_action.shells import Shells, going_on
from caltrop.rules.squad_action.template import Asset, radius_of, under_fire

State = LeftUnit | Condition
"""State of a unit after an attack: of soldiers, or of a machine."""
GONE = LeftUnit(0, False)
UP_TO_FLIGHT: Stops = {(FallBack, "run"): lambda frame, t: None}
"""Stops that end an exploration before Broken units fall back."""


def as_it_is(t: Firefight, unit: int) -> State:
    u = t.units[unit]
    return condition(t, unit) if u.machine else LeftUnit(len(u.models), u.pinned, u.broken)


def left_of(t: Firefight, unit: int) -> State:
    """Return the state of a unit after an attack. A Pinned flyer has left the table, but is not lost."""
    u = t.units[unit]
    if u.in_play:
        return as_it_is(t, unit)
    if u.where == "away" and u.machine:
        return condition(t, unit)._replace(pinned=True)
    return WRECK if u.machine else GONE


# --- shells -----------------------------------------------------------------------------------------------------------


def markers(t: Firefight, caller: int, aim: Point, rounds: int) -> Distribution[Point | None]:
    x0, y0, x1, y1 = t.ground.box
    shells = Shells(side=t.units[caller].side, caller=caller, asset="light", aim=aim, rounds=rounds)
    falls = explore(t, shells, lambda _, place: place, stops={(Shells, "land"): lambda fall, t: fall.marker}).odds
    return falls.map(lambda place: place if x0 <= place[0] <= x1 and y0 <= place[1] <= y1 else None)


class CalledFire(NamedTuple):
    asset: str
    """`airstrike` or `shells` if the call for fire brings one, otherwise `nothing`."""
    state: State


class FireMission:
    """The possible effects of a fire mission on each unit.

    Args:
        act: The call. If the request names no place, no units are included.
    """

    def __init__(self, t: Firefight, act: CallFire, asset: str = "") -> None:
        self.t, self.act, self.side = t, act, t.units[act.unit].side
        self.explorer = Explorer(t, stops={**UP_TO_FLIGHT, (CallForFire, "mark"): lambda call, t: call.asset})
        going = going_on(t, act.unit, act.aim, act.target, act.mortar)
        self.assets: Distribution[Any]
        """Odds of the result of the call: a weight of shells, an airstrike, or `nothing`."""
        if asset or act.mortar is not None or going is not None:
            self.assets = Distribution.certain(asset or ("light" if going is None else going.asset))
        else:
            call = CallForFire(at="availability", unit=act.unit)
            self.assets = self.explorer.odds(call, lambda t, asset: asset or "nothing")
        rounds = 1 if going is None else going.rounds + 1
        self.markers = Distribution.certain(None) if act.aim is None else markers(t, act.unit, act.aim, rounds)
        self._under: dict[tuple[Point, int], tuple[int, ...]] = {}
        self._ends: dict[Any, Distribution[State]] = {}

    def under(self, marker: Point | None, asset: Asset) -> tuple[int, ...]:
        if marker is None:
            return ()
        key = marker, radius_of(self.t, asset)
        if key not in self._under:
            self._under[key] = under_fire(self.t, *key, self.side)
        return self._under[key]

    @property
    def units(self) -> tuple[int, ...]:
        shells: Any = [asset for asset in self.assets if asset not in ("nothing", "airstrike")]
        return tuple(
            sorted({unit for asset in shells for marker in self.markers for unit in self.under(marker, asset)})
        )

    def ends(self, unit: int) -> Distribution[CalledFire]:
        stays = as_it_is(self.t, unit)

        def shelled(asset: Any) -> Distribution[CalledFire]:
            if asset in ("nothing", "airstrike"):
                return Distribution.certain(CalledFire(asset, stays))
            return self.markers.then(lambda m: self._shelled(asset, unit, m)).map(lambda end: CalledFire("shells", end))

        return self.assets.then(shelled)

    def _shelled(self, asset: Asset, unit: int, marker: Point | None) -> Distribution[State]:
        if marker is None or unit not in self.under(marker, asset):
            return Distribution.certain(as_it_is(self.t, unit))
        u = self.t.units[unit]
        cover = cover_of(self.t, u.models, [marker])
        direct = u.machine and any(covers(b, marker) for b in bodies(self.t, unit))
        key = asset, unit, cover, direct
        if key not in self._ends:
            hit = (unit,) if direct else ()
            shells = Shells(
                at="effect",
                side=self.side,
                caller=self.act.unit,
                asset=asset,
                aim=marker,
                marker=marker,
                units=(unit,),
                direct=hit,
            )
            self._ends[key] = self.explorer.odds(shells, lambda t, _: left_of(t, unit))
        return self._ends[key]


# --- runs from the air ------------------------------------------------------------------------------------------------


def after_run(t: Firefight, unit: int, run: AirRun) -> Distribution[State]:
    """Return the odds for a unit under the line of an airstrike, if it takes all hits or shots."""

    def of_another(check: AfterAttack | CheckMachine, t: Firefight) -> object:
        return GO_ON if check.unit == unit else None

    def all_to_it(t: Firefight, decision: Decision) -> Any:
        if isinstance(decision, ShareOut):
            return Share(tuple([decision.count * (one == unit) for one in decision.units]))
        return first_option(t, decision)

    stops: Stops = {**UP_TO_FLIGHT, **{(kind, kind.start): of_another for kind in (AfterAttack, CheckMachine)}}
    return Explorer(t, all_to_it, stops=stops).odds(run, lambda after, _: left_of(after, unit))


def those_shot_at(t: Firefight, units: Sequence[int], kind: str, side: int) -> tuple[int, ...]:
    """Return the units under a line that an air run may hit."""
    return tuple([u for u in units if t.units[u].side != side and may_be_shot(t, u, kind)])


class Losses(NamedTuple):
    """The losses of all enemies under the line of an air run."""

    models: int
    """Number of models that fall, or leave with a broken unit. Number of models lost; a machine counts as one model."""
    destroyed: int
    """Number of units that are destroyed or removed."""
    pinned: int
    """Number of units that become Pinned."""


def losses_of_run(t: Firefight, units: Sequence[int], run: AirRun, times: int) -> Explored:
    """Return the odds of an air run's `Losses`, with hits or shots shared evenly.

    Args:
        units: Enemy units under the line.
        times: Number of playouts if the run is too large to be explored.
    """

    def lost(after: Firefight, _: object) -> Losses:
        gone = [unit for unit in units if not after.units[unit].in_play]
        stay = [unit for unit in units if after.units[unit].in_play]
        fallen = sum([len(t.units[u].models) for u in gone])
        fallen += sum([len(t.units[u].models) - len(after.units[u].models) for u in stay])
        return Losses(fallen, len(gone), sum([after.units[u].pinned and not t.units[u].pinned for u in stay]))

    explored = explore(t, run, lost, times=times)
    return replace(explored, odds=explored.odds.sorted(key=tuple))
