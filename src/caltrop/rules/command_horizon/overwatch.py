"""Overwatch, a house rule: units save their fire until an enemy moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Act, Guards, NoMore, OneOf, Pick, carried_out
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    MotionOf,
    Procedure,
    Run,
    Sum,
    Term,
    ask,
    guard,
    rule,
    step,
)
from caltrop.geometry import gap_within
from caltrop.rules.command_horizon.aim import is_artillery, model_kind, shooters, with_dice
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.reach import called
from caltrop.rules.command_horizon.reaction import ReactionShot, has_dice, reaction_of
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.shooting import why_no_target, why_no_weapons
from caltrop.table.measured import SharedWay, first_moment, hidden

NOT_YOURS = guard("CH-OW-01", "not-yours", "Only units of yours that are in play go on overwatch")
ALREADY = guard("CH-OW-01", "already", "{name:is} on overwatch")
NO_ARTILLERY = guard("CH-OW-01", "no-artillery", "Artillery does not go on overwatch")
LOCKED = guard("CH-OW-01", "locked", "{name:is} in close combat")
CONCENTRATED = guard(("CH-OW-01", "CH-CONC-04"), "concentrated", "{name} concentrated command this turn")
LEFT_COMBAT = guard(("CH-DISENGAGE-08", "CH-OW-01"), "left-combat", "{name:has} left close combat this turn")
DISABLED = guard("CH-OW-01", "disabled", "No model of {name} can fire")
NO_CP = guard("CH-OW-01", "no-cp", "Overwatch costs 1 CP from those not yet spent, and you have {cp}")


class GoOnOverwatch(Procedure):
    """Units may go on overwatch at the end of their side's turn (house rule)."""

    side: int

    @step("CH-OW-01")
    def offer(self, t: Battle) -> Ask | End:
        """Units that can fire may go on overwatch, for 1 CP each of the remaining points."""
        choose = ChooseWatchers(side=self.side)
        return ask(choose) if is_played(t) and choose.options(t).left() else End()

    @step("CH-OW-01", "CH-OW-02", "CH-OW-06")
    def watch(self, t: Battle, choice: Act) -> Run | Go | End:
        return carried_out(choice, t, self.side) or Go("offer")


class OverwatchFire(Procedure):
    """A unit on overwatch may fire at a moving unit, from the first point on the path where it can."""

    watcher: int
    target: int

    @step("CH-OW-03")
    def offer_to_fire(self, t: Battle) -> Ask:
        side = t.units[self.watcher].side
        return ask(FireOrWait(side=side, watcher=self.watcher, target=self.target))

    @step("CH-OW-03", "CH-OW-04", "CH-OW-05")
    def fire(self, t: Battle, choice: Act) -> Run | Go | End | None:
        """The unit fires half its dice, rounded up, without a boost. No reaction fire answers fire from overwatch."""
        return carried_out(choice, t, self)

    @step("CH-OW-04")
    def apply(self, t: Battle) -> Run:
        return Run(DamageBatch())


@rule("CH-OW-01")
def is_played(t: Battle) -> bool:
    return False


@is_played.amended_by("CH-OW-01", house={"overwatch": "on"})
def overwatch_is_on(played: bool, t: Battle) -> bool:
    """House rule: units may go on overwatch."""
    return True


# --- firing ----------------------------------------------------------------------------------------------------------


def first_trigger(t: Battle, unit: int, way: SharedWay, models: Sequence[int]) -> tuple[int, int] | None:
    """Return the first unit on overwatch that may fire at a moving unit, with the distance moved until then (CH-OW-03).

    The models move at the same time, each to the end of its own path. A unit may fire from the first tenth of a
    millimetre on, including the start, at which it has the moving unit in range and in sight.

    Args:
        t: The battle, with the unit at the start of its paths.
        unit: The moving unit.
        way: The rest of the paths of the moving models.
        models: The models of these paths, in order; other models stay where they are.

    Returns:
        The unit's id and the distance, in tenths of a millimetre; None if no unit may fire.
    """
    if not is_played(t):
        return None
    mover = t.units[unit]
    watchers = [w for w in t.enemies(mover.side) if t.units[w].overwatch == 1 and w not in mover.let_pass]
    arms = {w: [(t.models[m].disc, model_kind(t, m).range) for m in shooters(t, w)] for w in watchers}
    if not any(arms.values()):
        return None
    radii = [t.models[m].r for m in models]
    still = [t.models[m].disc for m in mover.models if m not in models]
    twin = t.clone()

    def watcher_at(moment: int) -> int | None:
        for m, (x, y) in zip(models, way.at(moment), strict=True):
            twin.change_model(m, x=x, y=y)
        return next((w for w in watchers if may_shoot_now(twin, w, unit)), None)

    def may_hold(first: int, last: int) -> bool:
        for base in (*way.swept(first, last, radii), *still):
            for own in arms.values():
                for disc, reach in own:
                    if gap_within(base, disc, reach) and not hidden(t.ground, disc, base):
                        return True
        return False

    after = first_moment(way, lambda moment: watcher_at(moment) is not None, may_hold)
    watcher = None if after is None else watcher_at(after)
    return None if after is None or watcher is None else (watcher, after)


def may_shoot_now(t: Battle, watcher: int, target: int) -> bool:
    """Return whether a unit on overwatch has dice to roll, and a moving unit in range and in sight."""
    if t.units[watcher].locked or why_no_target(t, watcher, target, said_aloud=False) is not None:
        return False
    return has_dice(t, reaction_of(t, watcher, target))


# --- decisions -------------------------------------------------------------------------------------------------------


class Watch(Act, frozen=True):
    """Put a unit on overwatch."""

    unit: Annotated[int, Pick(lambda t, side: t.in_play(side), NOT_YOURS, shown=called)]

    words = "{unit:goes} on overwatch"
    guards = Guards(
        (ALREADY, lambda t, unit: t.units[unit].overwatch > 0),
        (NO_ARTILLERY, lambda t, unit: is_artillery(t, unit)),
        why_no_weapons,
        (LOCKED, lambda t, unit: t.units[unit].locked),
        (CONCENTRATED, lambda t, unit: t.units[unit].concentrating),
        (LEFT_COMBAT, lambda t, unit: t.units[unit].disengaged),
        (DISABLED, lambda t, unit: not with_dice(t, unit)),
        (NO_CP, lambda t, side: t.armies[side].cp < 1),
        name="unit",
        cp=lambda t, side: t.armies[side].cp,
    )

    @staticmethod
    def price() -> Sum:
        return (Term(1, "CH-OW-01", "overwatch"),)

    def perform(self, t: Battle, side: int) -> None:
        t.pay(side, self.price(), self.unit)
        t.change(self.unit, overwatch=1)
        t.tell(OnOverwatch(self.unit))


class WatchNoMore(NoMore, frozen=True):
    """Put no more units on overwatch."""

    words = "Put no more units on overwatch"


class ChooseWatchers(OneOf, frozen=True, kw_only=True):
    """A side chooses which units go on overwatch."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-OW-01", "CH-OW-02", "CH-OW-06")
    hint: ClassVar[str] = (
        "A unit on overwatch may fire with half its dice at an enemy that moves in its range next turn. It cannot use "
        "reaction fire until your turn, whether it fires or not."
    )
    acts = (Watch, WatchNoMore)

    def prompt(self, t: Battle) -> str:
        return "Put a unit on overwatch?"


class FireFromOverwatch(Act, frozen=True):
    words = "Fire at {target}"
    context = ("watcher", "target")
    actor = "watcher"
    aim = "target"
    says: ClassVar[Mapping[str, Any]] = {"target": lambda t, target: t.called(target)}

    def perform(self, t: Battle, by: OverwatchFire) -> ReactionShot:
        t.change(by.watcher, overwatch=2)
        t.tell(OverwatchFired(by.watcher, by.target))
        return ReactionShot(shooter=by.watcher, target=by.target)


class HoldOverwatch(Act, frozen=True):
    """Do not fire at this unit."""

    words = "Let {target} pass"
    context = ("watcher", "target")
    actor = "watcher"
    says = FireFromOverwatch.says

    def perform(self, t: Battle, by: OverwatchFire) -> End:
        t.change(by.target, let_pass=(*t.units[by.target].let_pass, by.watcher))
        return End()


class FireOrWait(OneOf, frozen=True, kw_only=True):
    """The owner chooses whether a unit on overwatch fires at this unit, or waits for another."""

    watcher: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-OW-03", "CH-OW-04", "CH-OW-05")
    hint: ClassVar[str] = "The unit fires once with half its dice. Wait, and it may fire at another unit that moves."

    acts = (FireFromOverwatch, HoldOverwatch)

    def prompt(self, t: Battle) -> str:
        return f"{t.does(self.target, 'comes')} into view of {t.called(self.watcher)}: fire?"


# --- events ----------------------------------------------------------------------------------------------------------


class OnOverwatch(Event, frozen=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-OW-01", "CH-OW-02")
    shown = MotionOf("mark", "overwatch")

    def sentence(self, t: Battle) -> str:
        side = t.units[self.unit].side
        every = sum(1 for u in t.in_play(side) if t.units[u].overwatch)
        return f"{t.does(self.unit, 'goes')} on overwatch: {quantity(every, 'unit')} in all"


class OverwatchFired(Event, frozen=True):
    watcher: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-OW-03", "CH-OW-04")
    template = "{watcher:fires} from overwatch at {target}"
    about = ("watcher", "target")
    shown = MotionOf("reaction", unit="watcher", target="target")
