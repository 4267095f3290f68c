"""Damage in play: at the end of a step, recorded wounds become markers and lost models.

`allocate` in the package `attack` computes the result of a batch of kills and stuns. This module applies recorded
damage: it places markers, asks owners which models to remove, checks for too many markers, and ends the locks of
removed units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import msgspec

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered, Usual
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Ask,
    Event,
    Go,
    Options,
    Procedure,
    Refusal,
    agreeing,
    ask,
    decimal,
    guard,
    not_an_option,
    step,
)
from caltrop.geometry import CM, gap_up
from caltrop.kit.words import listed
from caltrop.picture import Motion
from caltrop.rules.command_horizon.aim import models_in_range
from caltrop.rules.command_horizon.attack import Damage, Strength, allocate, worse_fate
from caltrop.rules.command_horizon.figures import fallen
from caltrop.rules.command_horizon.places import is_putredine_infantry
from caltrop.rules.command_horizon.records import Battle, DroneState, Wound
from caltrop.rules.command_horizon.victory import unit_destroyed
from caltrop.table.measured import coherent

NOT_OF_THE_UNIT = guard("CH-DMG-05", "not-of-the-unit", "Only models of the damaged unit can be removed")
NAMED = guard("CH-DMG-05", "named", "That model is named already: name another")
NOT_EXPOSED = guard(
    ("CH-LOS-03", "Q-LOS-5"), "not-exposed", "The attacker aimed at exposed models only, and this one is not exposed"
)


class DamageBatch(Procedure):
    """All recorded damage is applied as one batch, and the records are cleared.

    The batches are: reaction fire against a charge, the artillery step, the combat step, and each second round
    (Q-SEQ-3).
    """

    also: tuple[int, ...] = ()
    """Units that lost models to Worm Tokens: markers are compared with their remaining models (Q-STUN-8)."""
    losses: tuple[Losses, ...] = ()
    picked: tuple[tuple[int, ...], ...] = ()
    now: int = 0

    @step("Q-SEQ-2", "Q-SEQ-3", "CH-STUN-11", "Q-STUN-6", "Q-STUN-8")
    def add_up(self, t: Battle) -> None:
        by_unit: dict[int, list[Wound]] = {u: [] for u in self.also if t.units[u].models}
        for w in t.wounds:
            if t.units[w.unit].models:
                by_unit.setdefault(w.unit, []).append(w)
        t.wounds.clear()
        order = sorted(by_unit, key=lambda u: (t.units[u].side != t.active, u))
        for unit in order:
            fate: DroneState | None = None
            for w in by_unit[unit]:
                fate = worse_fate(fate, w.drone)
            if fate is not None:
                settle_drone(t, unit, fate)
        self.losses = tuple([losses_of(t, unit, by_unit[unit]) for unit in order])
        self.picked = ((),) * len(self.losses)

    @step("CH-DMG-05", "Q-SEQ-4")
    def choose_casualties(self, t: Battle) -> Ask | Go:
        """Owners choose the models to remove, if there is a choice."""
        while self.now < len(self.losses):
            losses, picked = self.losses[self.now], self.picked[self.now]
            if len(picked) == losses.count:
                self.now += 1
                continue
            open_ = may_be_lost(t, losses, picked)
            if len(open_) > losses.count - len(picked):
                return ask(Casualty(side=t.units[losses.unit].side, losses=losses, picked=picked))
            self._pick((*picked, open_[0]))
        return Go("place_and_remove")

    @step("CH-DMG-05")
    def pick(self, t: Battle, choice: Lose) -> Go:
        self._pick((*self.picked[self.now], choice.model))
        return Go("choose_casualties")

    def _pick(self, picked: tuple[int, ...]) -> None:
        self.picked = (*self.picked[: self.now], picked, *self.picked[self.now + 1 :])

    @step(
        "CH-DMG-04",
        "CH-STUN-01",
        "CH-STUN-07",
        "CH-STUN-09",
        "CH-STUN-10",
        "CH-TURN-13",
        "Q-INF-1",
        "Q-STUN-5",
        "Q-STUN-7",
    )
    def place_and_remove(self, t: Battle) -> None:
        for losses in self.losses:
            u = t.units[losses.unit]
            if losses.kills or losses.stuns or losses.count:
                stunned = losses.stuns > 0 and is_putredine_infantry(t, losses.unit)
                t.change(losses.unit, stuns=losses.markers, newly_stunned=u.newly_stunned or stunned)
                if t.told is not None:
                    t.tell(
                        Damaged(
                            unit=losses.unit,
                            kills=losses.kills,
                            stuns=losses.stuns,
                            models=len(u.models),
                            markers=u.stuns,
                            models_left=len(u.models) - losses.count,
                            markers_left=losses.markers,
                            doubled=losses.doubled,
                        )
                    )
        for picked in self.picked:
            for model in picked:
                lose_model(t, model)


# --- losing models ---------------------------------------------------------------------------------------------------


def unlock(t: Battle, unit: int) -> None:
    for other in t.units[unit].locked:
        o = t.units[other]
        t.change(
            other,
            locked=tuple([u for u in o.locked if u != unit]),
            charged=tuple([u for u in o.charged if u != unit]),
        )
    if t.units[unit].locked:
        t.change(unit, locked=(), charged=())


def lose_model(t: Battle, model: int, *, by_enemy: bool = True) -> None:
    """Remove a model and its Worm Tokens from the game (Q-WORM-6). A unit without models is destroyed.

    Args:
        by_enemy: True if the enemy destroyed it. A model that its owner gives up earns no victory points (Q-VP-3).
    """
    m = t.models[model]
    unit = m.unit
    left = tuple([i for i in t.units[unit].models if i != model])
    t.change_model(model, alive=False, worms=0)
    t.change(unit, models=left)
    if not left:
        unlock(t, unit)
        # The drone is removed with the last tank (Q-DRONE-6).
        t.change(unit, stuns=0, drone=None if t.units[unit].drone is None else "destroyed", overwatch=0)
    t.tell(ModelDestroyed(unit=unit, model=model, x=m.x, y=m.y, by_enemy=by_enemy, left=len(left)))
    if not left:
        t.tell(UnitDestroyed(unit=unit))
        if by_enemy:
            unit_destroyed(t, unit)


def record(t: Battle, wound: Wound) -> None:
    """Record damage, which is applied at the end of its step (Q-SEQ-2)."""
    if wound.kills or wound.stuns or wound.drone:
        t.wounds.append(wound)


# --- losses ----------------------------------------------------------------------------------------------------------


class Losses(msgspec.Struct, frozen=True):
    """The losses of one unit in a batch."""

    unit: int
    kills: int
    stuns: int
    groups: tuple[tuple[int, tuple[int, ...]], ...]
    """Numbers of kills, each with the models that they can remove; () means any model."""
    count: int
    """Number of models that the unit loses in total."""
    free: int
    """Number of models that the unit loses because it has too many markers; any of its models may be lost."""
    markers: int
    doubled: bool


def covered(groups: Sequence[tuple[int, tuple[int, ...]]], models: Sequence[int]) -> int:
    """Return the number of *models* that kills can remove. Each kill removes one model of its group.

    >>> covered([(1, (1, 2)), (1, (2,))], [1, 2, 3]), covered([(3, (1,))], [1, 2])
    (2, 1)
    """
    kills: list[tuple[int, ...]] = [only for count, only in groups for _ in range(count)]
    taken: dict[int, int] = {}

    def seat(kill: int, seen: list[int]) -> bool:
        for m in models:
            if m not in seen and (not kills[kill] or m in kills[kill]):
                seen.append(m)
                if m not in taken or seat(taken[m], seen):
                    taken[m] = kill
                    return True
        return False

    return sum([seat(kill, []) for kill in range(len(kills))])


def losses_of(t: Battle, unit: int, wounds: Sequence[Wound]) -> Losses:
    """Return the losses from all damage recorded against a unit in one batch (CH-STUN-11)."""
    u = t.units[unit]
    groups: dict[tuple[int, ...], int] = {}
    stuns = 0
    for w in wounds:
        stuns += w.stuns
        if w.kills:
            groups[w.only] = groups.get(w.only, 0) + w.kills
    limited = tuple([(n, only) for only, n in groups.items()])
    kills = sum([n for n, _ in limited])
    if any(only for _, only in limited):
        removed = covered(limited, u.models)
    else:
        removed = min(kills, len(u.models))
    after = allocate(t, Strength(len(u.models), u.stuns), Damage(removed, stuns))
    lost = len(u.models) - after.models
    return Losses(
        unit=unit,
        kills=kills,
        stuns=stuns,
        groups=limited,
        count=lost,
        free=lost - removed,
        markers=after.stuns,
        doubled=lost > removed,
    )


def may_be_lost(t: Battle, losses: Losses, picked: tuple[int, ...]) -> list[int]:
    """Return the models that may be chosen next, besides models already picked (CH-DMG-05, CH-LOS-03)."""
    models = t.units[losses.unit].models
    open_ = [m for m in models if m not in picked]
    if not any(only for _, only in losses.groups):
        return open_
    # The choices must leave a model for every kill that can remove one, and for the loss by too many markers.
    groups = (*losses.groups, (losses.free, ())) if losses.free else losses.groups
    losable = []
    for m in open_:
        named = (*picked, m)
        if covered(groups, named) == len(named) and _can_complete(groups, models, named, losses.count):
            losable.append(m)
    return losable


def _can_complete(
    groups: Sequence[tuple[int, tuple[int, ...]]], models: Sequence[int], named: tuple[int, ...], count: int
) -> bool:
    """Return whether the kills can remove *count* models, including the named ones.

    Sets of models that the kills can remove together form a matroid, so every such set can grow to the largest size.
    """
    return covered(groups, models) >= count >= len(named)


def settle_drone(t: Battle, unit: int, fate: DroneState) -> None:
    if t.units[unit].drone != fate:
        t.change(unit, drone=fate)
        t.tell(DroneChanged(unit=unit, drone=fate))


# --- decisions -------------------------------------------------------------------------------------------------------


class Lose(Action, frozen=True):
    model: int


class _Losable(Options):
    """The models that the owner may remove next."""

    __slots__ = ("losses", "models", "picked", "t")

    def __init__(self, t: Battle, losses: Losses, picked: tuple[int, ...]) -> None:
        self.t, self.losses, self.picked = t, losses, picked
        self.models = may_be_lost(t, losses, picked)

    def refusal(self, action: Any) -> Refusal | None:
        first = Lose(self.models[0])
        if not isinstance(action, Lose):
            return not_an_option("CH-DMG-05", "Name the model to remove", first, code="name-a-model")
        if action.model in self.models:
            return None
        refusal = (
            NOT_OF_THE_UNIT.refuses(action.model not in self.t.units[self.losses.unit].models)
            or NAMED.refuses(action.model in self.picked)
            or NOT_EXPOSED.refuses(True)
        )
        return refusal.towards(first) if refusal else None

    def __iter__(self) -> Iterator[Lose]:
        return iter([Lose(m) for m in self.models])

    def sample(self, dice: Dice) -> Lose:
        return Lose(self.models[dice.below(len(self.models))])


class Casualty(Offered, frozen=True, kw_only=True):
    """The owner chooses which model is removed."""

    losses: Losses
    picked: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("CH-DMG-05",)
    settles: ClassVar[bool] = True
    hint: ClassVar[str] = (
        "You choose which of your models are lost. Think of coherency, reach, and what each model carries: Worm Tokens "
        "and Node Glands go with their model."
    )

    def options(self, t: Battle) -> _Losable:
        """Return the models of the unit that may be removed; only exposed models if the attacker aimed at these."""
        return _Losable(t, self.losses, self.picked)

    def touches(self, action: Lose) -> tuple[int, ...]:
        return (self.losses.unit,)

    def prompt(self, t: Battle) -> str:
        left = self.losses.count - len(self.picked)
        return f"{t.does(self.losses.unit, 'loses')} {quantity(left, 'model')}: which {agreeing(left, 'is')} removed?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        every = t.units[self.losses.unit].models
        return tuple(
            Offer(
                action=Lose(m),
                words=f"Remove model {every.index(m) + 1}{_marks_of(t, m)}{_front_of(t, m)}{self._after(t, m)}",
                unit=self.losses.unit,
                spot=(t.models[m].x, t.models[m].y),
            )
            for m in _Losable(t, self.losses, self.picked).models
        )

    def _after(self, t: Battle, model: int) -> str:
        """Describe how the loss of a model affects its unit's coherency and range; empty if it does not."""
        unit = self.losses.unit
        left = [m for m in t.units[unit].models if m not in self.picked]
        rest = [m for m in left if m != model]
        torn = coherent([t.models[m].disc for m in left]) and not coherent([t.models[m].disc for m in rest])
        words = "; the others would be more than 1 inch apart" if torn else ""
        out = [
            t.called(enemy)
            for enemy in t.in_play(1 - t.units[unit].side)
            if rest and models_in_range(t, left, enemy) and not models_in_range(t, rest, enemy)
        ]
        return f"{words}; {listed(out)} would be out of range" if out else words

    def usual(self, t: Battle, unit: int | None = None) -> Usual | None:
        """Return the next model in the order of the rules, with a list of all that are still to be removed."""
        u = self.losses.unit
        if unit not in (None, u):
            return None
        picked = self.picked
        while len(picked) < self.losses.count:
            picked = (*picked, may_be_lost(t, self.losses, picked)[0])
        named = [str(t.units[u].models.index(m) + 1) for m in picked[len(self.picked) :]]
        words = f"Remove {'model' if len(named) == 1 else 'models'} {listed(named)}"
        return Usual(action=Lose(picked[len(self.picked)]), words=words, unit=u, ready=True)


def _front_of(t: Battle, model: int) -> str:
    m = t.models[model]
    enemy = 1 - t.units[m.unit].side
    gaps = [(max(gap_up(m.disc, disc), 0), t.called(i)) for i in t.in_play(enemy) for disc in t.discs(i)]
    return f", {decimal(min(gaps)[0], CM)} cm from {min(gaps)[1]}" if gaps else ""


def _marks_of(t: Battle, model: int) -> str:
    m = t.models[model]
    marks = []
    if m.kind != t.units[m.unit].kind:
        marks.append(m.kind.replace("-", " "))
    if t.units[m.unit].squads > 1:
        marks.append(f"Squad {m.squad + 1}")
    if m.worms:
        marks.append(quantity(m.worms, "Worm Token"))
    if m.glands:
        marks.append("Large Node Gland" if m.glands > 1 else "Small Node Gland")
    return f" ({', '.join(marks)})" if marks else ""


# --- events ----------------------------------------------------------------------------------------------------------


class ModelDestroyed(Event, frozen=True):
    """A model was destroyed."""

    unit: int
    model: int
    x: int
    y: int
    by_enemy: bool
    left: int = 0
    """Number of models left in the unit."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-DMG-04",)
    template = "{unit:loses} a model: {left} left"

    def motion(self, t: Battle) -> Motion:
        at = (self.x, self.y)
        fell = (fallen(t, self.model, at),)
        return Motion(sort="loss", unit=self.unit, pieces=(self.model,), fell=fell, count=1, at=at)


class UnitDestroyed(Event, frozen=True):
    """The last model of a unit was destroyed."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DMG-04",)
    template = "{unit:is} destroyed"


class DroneChanged(Event, frozen=True):
    """A Shield Drone was disabled, destroyed or reactivated."""

    unit: int
    drone: DroneState
    clauses: ClassVar[tuple[str, ...]] = ("CH-DRONE-03", "CH-DRONE-04", "CH-DRONE-06")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("wounds", "unit", "unit"),)
    template = "The Shield Drone of {unit} is {drone}"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="mark", unit=self.unit, tag=f"drone {self.drone}")


def _of(n: int, word: str) -> str:
    return quantity(n, word)


class Damaged(Event, frozen=True):
    """The recorded damage of a batch was added up for a unit."""

    unit: int
    kills: int
    """Number of recorded kills. Kills beyond the number of models have no effect."""
    stuns: int
    """Number of recorded Stun markers."""
    models: int
    """Number of models before the damage."""
    markers: int
    """Number of markers before the damage."""
    models_left: int
    markers_left: int
    doubled: bool
    """True if one more model was lost because there were twice as many markers as models."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-DMG-04", "CH-STUN-01", "CH-STUN-09", "CH-STUN-10", "CH-STUN-11")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("wounds", "unit", "unit"),)

    def sentence(self, t: Battle) -> str:
        """Return a sentence with the unit's losses, its new Stun markers and their present number."""
        name = t.called(self.unit)
        parts = []
        if lost := self.models - self.models_left:
            parts.append(f"{agreeing(name, 'loses')} {lost} of {_of(self.models, 'model')}")
        if self.stuns and self.models_left:
            now = f" ({self.markers_left} now)" if self.markers and not self.doubled else ""
            parts.append(f"{agreeing(name, 'gains')} {_of(self.stuns, 'Stun marker')}{now}")
        text = f"{name} {' and '.join(parts) or agreeing(name, 'loses') + ' nothing'}"
        if self.doubled:
            left = f"{_of(self.markers_left, 'marker')} left"
            text += f"; its markers reach twice its models, which costs one more: {left}"
        return text

    def motion(self, t: Battle) -> Motion:
        more = self.markers_left - self.markers
        tag = f"+{_of(more, 'stun')}" if more > 0 and self.models_left else ""
        return Motion(sort="loss", unit=self.unit, count=self.models - self.models_left, tag=tag)
