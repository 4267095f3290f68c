"""The effect of hits on soldiers: saves, casualties, and markers (SQ-SHO-05 to 07, SQ-Q44, SQ-Q53).

Every attack on soldiers uses this module: fire, shells, strafing and explosions. Close quarters use only the saves and
the choice of casualties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import msgspec

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered, Usual
from caltrop.chance import Dice, Pool, Roll, at_least
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    MotionOf,
    Options,
    Procedure,
    Refusal,
    Sum,
    Throw,
    agreeing,
    ask,
    does,
    guard,
    not_an_option,
    rule,
    step,
    total,
)
from caltrop.kit.numbers import binomial, reasons, tally
from caltrop.kit.words import listed, ordinal, with_article
from caltrop.picture import DieRead, Fallen, Motion, Point, Reading
from caltrop.rules.squad_action.account import chance_of, dice_read
from caltrop.rules.squad_action.acts import MOST_WAYS
from caltrop.rules.squad_action.catalogue import NO_SAVE, Cover, supplied
from caltrop.rules.squad_action.figures import fallen
from caltrop.rules.squad_action.fire import Save, armour_save, cover_save, hits_of, ignores_wounds_on, saves
from caltrop.rules.squad_action.morale import (
    added_to_dice,
    against,
    chance_to_pass,
)
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.watching import lose_overwatch

NOT_SEEN = guard(("SQ-ORG-17", "SQ-Q44"), "not-seen", "{model} is not among those who can be hit")
OTHER_NUMBER = guard("SQ-SHO-05", "other-number", "Casualties to choose: {lost}; you chose {given}")
LAST_MODEL = "has one model left"
"""Reason for the removal of a single last model (SQ-ORG-29)."""
TWICE = guard("SQ-SHO-05", "twice", "Each model can be a casualty only once")

# --- saves and losses -------------------------------------------------------------------------------------------------


class TakeHits(Procedure):
    """Hits on soldiers: saves, and the owner's choice of casualties. The result is the number of casualties."""

    unit: int
    hits: int
    """Number of hits, at most the number of models that can be hit. Hits beyond it do not count (SQ-Q44)."""
    may_be_hit: tuple[int, ...]
    """Models of the unit that can be hit."""
    ap: int = 0
    cover: Cover = "none"
    flame: bool = False
    """True if neither cover nor being Pinned helps: against a flamethrower, or a hit that is not from a shot."""
    chooser: int = -1
    """The side that chooses the casualties; -1 for the unit's own."""
    armour: bool = True
    """True if armour saves are allowed."""
    left: int = 0
    """Number of hits that are still unsaved."""
    stage: int = 0
    """Index of the save to be rolled next."""

    @step("SQ-SHO-05", "SQ-Q44", "SQ-Q70")
    def count(self, t: Firefight) -> End | None:
        self.may_be_hit = tuple([m for m in self.may_be_hit if m in t.units[self.unit].models])
        self.left = min(self.hits, len(self.may_be_hit))
        return End(0) if not self.left else None

    @step("SQ-SHO-05", "SQ-Q14", "SQ-COV-01", "SQ-WPN-03")
    def save(self, t: Firefight) -> Throw | Go:
        """One save for each hit: armour or cover, whichever is better."""
        every = self._saves(t)
        if not self.left or self.stage >= len(every):
            return Go("ignore")
        u, needed = t.units[self.unit], every[self.stage].needed
        return Throw(Pool(self.left), reads=at_least(needed), side=u.side, words=f"Saves of {u.name}: {needed}+")

    @step("SQ-SHO-05")
    def count_saved(self, t: Firefight, roll: Roll) -> Go:
        needed = self._saves(t)[self.stage].needed
        saved = hits_of(roll, needed)
        t.tell(Saved(self.unit, roll, needed, saved, self._saves(t)[self.stage].words, "SQ-SHO-05"))
        self.left, self.stage = self.left - saved, self.stage + 1
        return Go("save")

    @step("SQ-TRT-06")
    def ignore(self, t: Firefight) -> Throw | Go:
        u, needed = t.units[self.unit], ignores_wounds_on(t, t.units[self.unit].traits)
        if not self.left or needed >= NO_SAVE:
            return Go("fall")
        words = f"Wounds that {does(u.name, 'ignores')}: {needed}+"
        return Throw(Pool(self.left), reads=at_least(needed), side=u.side, words=words)

    @step("SQ-TRT-06")
    def count_ignored(self, t: Firefight, roll: Roll) -> None:
        needed = ignores_wounds_on(t, t.units[self.unit].traits)
        ignored = hits_of(roll, needed)
        t.tell(Saved(self.unit, roll, needed, ignored, "Gene Enhanced", "SQ-TRT-06"))
        self.left -= ignored

    @step("SQ-SHO-05", "SQ-Q44", "SQ-ORG-17", "SQ-Q42")
    def fall(self, t: Firefight) -> Ask | Go | End:
        if not self.left:
            return End(0)
        if self.left >= len(self.may_be_hit):
            lose(t, self.unit, self.may_be_hit)
            return End(self.left)
        side = t.units[self.unit].side if self.chooser < 0 else self.chooser
        return ask(WhoFalls(side=side, unit=self.unit, among=self.may_be_hit, lost=self.left))

    @step("SQ-SHO-05", "SQ-Q44")
    def take_away(self, t: Firefight, choice: Fall) -> End:
        lose(t, self.unit, choice.models)
        return End(len(choice.models))

    def _saves(self, t: Firefight) -> tuple[Save, ...]:
        return saves_of(t, self.unit, self.ap, self.cover, self.flame, self.armour)


def saves_of(t: Firefight, unit: int, ap: int, cover: Cover, flame: bool, armour: bool = True) -> tuple[Save, ...]:
    """Return the saves of soldiers against a hit, in the order in which they are rolled.

    Args:
        flame: True if neither cover nor being Pinned helps, as against a flamethrower.
    """
    by_armour = armour_save(t, t.profile(unit).number("armour"), ap) if armour else NO_SAVE
    return saves(t, by_armour, cover_save(t, cover, t.units[unit].pinned, flame))


@rule("SQ-ORG-22", "SQ-Q06")
def morale_of(t: Firefight, unit: int) -> int:
    return (t.profile(unit) if t.units[unit].on_foot else t.vehicle(unit)).number("morale")


# --- markers and losses -----------------------------------------------------------------------------------------------


def pin(t: Firefight, unit: int) -> None:
    u = t.units[unit]
    if u.pinned or u.broken or u.where == "gone":
        return
    lose_overwatch(t, unit)
    t.tell(Pinned(unit))
    if u.kind == "flyer" and u.in_play:
        flies_off(t, unit)
    else:
        t.change(unit, pinned=True)


@rule("SQ-S56")
def flies_off(t: Firefight, unit: int) -> None:
    """A Pinned flyer leaves the table at once with its passengers. A flyer that returns is no longer Pinned."""
    for m in t.units[unit].models:
        t.change_model(m, at=None)
    t.change(unit, where="away", pinned=False, hovering=False)
    t.tell(FlewOff(unit))


def lose(t: Firefight, unit: int, models: Sequence[int]) -> None:
    if not models:
        return
    if t.pilot is not None and t.pilot.unit == unit:
        # If nobody is left to carry the pilot, the pilot stays where the last model stood.
        t.pilot = msgspec.structs.replace(t.pilot, at=t.models[models[0]].at or t.pilot.at)
    places = tuple([t.models[m].at for m in models])
    for m in models:
        t.change_model(m, at=None)
    t.change(unit, models=tuple([m for m in t.units[unit].models if m not in models]))
    t.tell(Lost(unit, tuple(models), len(t.units[unit].models), places))


def destroy(t: Firefight, unit: int, how: str) -> None:
    """Remove a unit for the rest of the game. *how* is the reason for the log."""
    u = t.units[unit]
    if u.where == "gone":
        return
    lose_overwatch(t, unit)
    drop_pilot(t, unit)
    places = tuple([(m, t.models[m].at) for m in u.models if u.machine])
    for m in u.models:
        t.change_model(m, at=None)
    t.change(unit, models=(), where="gone", pinned=False, broken=False, carrier=None, locked=())
    for v in t.units:
        if unit in v.locked:
            t.change(v.id, locked=tuple([x for x in v.locked if x != unit]))
    t.tell(Gone(unit, how, places))


def drop_pilot(t: Firefight, unit: int) -> None:
    """Leave the downed pilot of a unit at its place (SQ-S72)."""
    if t.pilot is not None and t.pilot.unit == unit:
        places = [place for place in (t.models[m].at for m in t.units[unit].models) if place is not None]
        t.pilot = msgspec.structs.replace(t.pilot, at=places[0] if places else t.pilot.at, unit=None)


# --- the choice of casualties -----------------------------------------------------------------------------------------


class Fall(Action, frozen=True):
    """Remove models as casualties."""

    models: tuple[int, ...]


class FallOptions(Options):
    """The possible casualties: any number of the models that can be hit."""

    __slots__ = ("decision", "t")

    def __init__(self, t: Firefight, decision: WhoFalls) -> None:
        self.t, self.decision = t, decision

    def refusal(self, action: Any) -> Refusal | None:
        d = self.decision
        if not isinstance(action, Fall):
            refused = not_an_option("SQ-SHO-05", "Choose the casualties")
            return refused.towards(self.first())
        stranger = next((m for m in action.models if m not in d.among), None)
        refusal = (
            NOT_SEEN.refuses(stranger is not None, model=self._name(stranger))
            or TWICE.refuses(len(set(action.models)) < len(action.models))
            or OTHER_NUMBER.refuses(len(action.models) != d.lost, lost=d.lost, given=len(action.models))
        )
        return None if refusal is None else refusal.towards(self._nearest(action))

    def _name(self, model: int | None) -> str:
        standing = model is not None and model in self.t.units[self.decision.unit].models
        return (
            f"{in_words(self.t, (model,))}, {in_the_row(self.t, model)}," if standing and model is not None else "This"
        )

    def _nearest(self, action: Fall) -> Fall:
        d = self.decision
        fallen = [m for m in dict.fromkeys(action.models) if m in d.among][: d.lost]
        fallen += [m for m in self._order() if m not in fallen][: d.lost - len(fallen)]
        return Fall(tuple(sorted(fallen)))

    def _order(self) -> list[int]:
        """Return the models in the default order of casualties: the cheapest first, or for a sniper the dearest."""
        order = usual_order(self.t, self.decision.among)
        mine = self.t.units[self.decision.unit].side == self.decision.side
        return order[::-1] if mine else order

    def __iter__(self) -> Iterator[Any]:
        """Yield the default casualties first. After these, yield the default casualties with their last model replaced
        by each other model.
        """
        d = self.decision
        order = self._order()
        usual = order[: d.lost]
        yield Fall(tuple(sorted(usual)))
        for other in order[d.lost :]:
            yield Fall(tuple(sorted((*usual[:-1], other))))

    def sample(self, dice: Dice) -> Any:
        left = list(self.decision.among)
        taken = [left.pop(dice.below(len(left))) for _ in range(self.decision.lost)]
        return Fall(tuple(sorted(taken)))

    def several(self) -> bool:
        return len(self.decision.among) > self.decision.lost


def usual_order(t: Firefight, models: Sequence[int]) -> list[int]:
    """Return models from the most valuable to the least: Officers, special weapons, then all others."""

    def worth(m: int) -> tuple[bool, bool, int]:
        model = t.models[m]
        points = sum([t.weapon(w).points for w in model.weapons])
        return (not model.officer, not model.spotter, -points)

    return sorted(models, key=lambda m: (worth(m), m))


def in_words(t: Firefight, models: Sequence[int]) -> str:
    """Describe some models, as in `The Officer with a pistol, 2 with a rifle`."""
    counts: dict[str, int] = {}
    for m in models:
        model = t.models[m]
        what = " and ".join(with_article(title_of(t, w)) for w in model.weapons) or "nothing"
        who = "the Officer with " if model.officer else "the spotter with " if model.spotter else "with "
        counts[who + what] = counts.get(who + what, 0) + 1
    parts = [what if what.startswith("the ") else f"{n} {what}" for what, n in counts.items()]
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]


def in_the_row(t: Firefight, *models: int) -> str:
    """Describe the places of some models of a unit, as in `1st and 3rd from the west`."""
    row = sorted(t.units[t.models[models[0]].unit].models, key=lambda m: t.models[m].at or (0, 0))
    ordinals = listed([ordinal(row.index(m) + 1) for m in sorted(models, key=row.index)])
    return f"{ordinals} from the west"


def title_of(t: Firefight, weapon: str) -> str:
    """Return the name of a weapon. If the weapon is one firing mode of a gun, the title is the name of the gun."""
    row = t.field.lists.weapons.get(weapon) or supplied(t).weapons.get(weapon)
    return row.title if row else weapon.replace("-", " ")


class WhoFalls(Offered, frozen=True, kw_only=True):
    unit: int
    among: tuple[int, ...]
    lost: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-SHO-05", "SQ-Q44", "SQ-ORG-17")
    settles: ClassVar[bool] = True
    picks: ClassVar[str] = "models"
    hint: ClassVar[str] = (
        "The owner chooses among those that one of the firers can see; a sniper chooses his victims himself."
    )

    def options(self, t: Firefight) -> FallOptions:
        return FallOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        return f"{does(t.units[self.unit].name, 'loses')} {quantity(self.lost, 'model')}: which?"

    def offers(self, t: Firefight) -> list[Offer]:
        """Return the default casualties and alternatives. Models with equal equipment differ by their places.

        If there are few ways to choose several models, all of them are offered.
        """
        offers = [self._offer(t, act) for act in self.options(t)]
        if comb(len(self.among), self.lost) <= MOST_WAYS:
            simple = [offer.action for offer in offers]
            every = map(Fall, combinations(sorted(self.among), self.lost))
            offers += [msgspec.structs.replace(self._offer(t, a), spot=None) for a in every if a not in simple]
        alike = Counter([offer.words for offer in offers])
        return [
            msgspec.structs.replace(offer, words=f"{offer.words}, {in_the_row(t, *offer.action.models)}")
            if alike[offer.words] > 1
            else offer
            for offer in offers
        ]

    def usual(self, t: Firefight, unit: int | None = None) -> Usual | None:
        if unit not in (None, self.unit):
            return None
        models = self._usual(t)
        words = in_words(t, models)
        return Usual(action=Fall(models), words=f"Remove {words[:1].lower()}{words[1:]}", unit=self.unit, ready=True)

    def told(self, t: Firefight, action: Any) -> Offer:
        return self._offer(t, action) if isinstance(action, Fall) else super().told(t, action)

    def _offer(self, t: Firefight, action: Fall) -> Offer:
        spot = t.models[self._other(t, action)].at
        return Offer(action=action, words=in_words(t, action.models), unit=self.unit, spot=spot)

    def _other(self, t: Firefight, action: Fall) -> int:
        usual = self._usual(t)
        return next((m for m in action.models if m not in usual), action.models[-1])

    def _usual(self, t: Firefight) -> tuple[int, ...]:
        """Return the default casualties."""
        usual: Fall = next(iter(self.options(t)))
        return usual.models


# --- events -----------------------------------------------------------------------------------------------------------


class Saved(Event, frozen=True):
    unit: int
    faces: tuple[int, ...]
    needed: int
    saved: int
    words: str
    """The kind of save, such as `Cover save: 4+`."""
    clause: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-SHO-05", "SQ-Q14")
    shown = MotionOf("dice")

    def sentence(self, t: Firefight) -> str:
        rolled = " ".join(map(str, self.faces))
        return f"{t.units[self.unit].name}, {self.words}: {rolled}: {self.saved} of {len(self.faces)} saved"

    def reading(self, t: Firefight) -> Reading:
        u = t.units[self.unit]
        return Reading(
            words=f"{u.name}: {self.words}",
            side=u.side,
            unit=self.unit,
            dice=dice_read(self.faces, self.needed, "saved"),
            came=f"{self.saved} of {len(self.faces)} saved",
            tallies=(tally(u.side, "saves", self.saved, binomial(len(self.faces), chance_of(self.needed))),),
        )


def _lying(t: Firefight, models: Sequence[int], places: Sequence[Point | None]) -> tuple[Fallen, ...]:
    return tuple([fallen(t, m, at) for m, at in zip(models, places, strict=False) if at is not None])


class Lost(Event, frozen=True):
    unit: int
    models: tuple[int, ...]
    left: int
    """Number of models that the unit has left."""
    places: tuple[Point | None, ...] = ()
    """Places where the casualties stood."""
    clauses: ClassVar[tuple[str, ...]] = ("SQ-SHO-05",)

    def sentence(self, t: Firefight) -> str:
        left = f"{self.left or 'nobody'} {agreeing(self.left or 1, 'is')} left"
        return f"{does(t.units[self.unit].name, 'loses')} {len(self.models)}: {left}"

    def motion(self, t: Firefight) -> Motion:
        fell = _lying(t, self.models, self.places)
        return Motion(sort="loss", unit=self.unit, pieces=self.models, fell=fell, count=len(self.models))


class Pinned(Event, frozen=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-SHO-06", "SQ-ORG-23")
    template = "{unit:is} Pinned"
    shown = MotionOf("mark", "Pinned")


class FlewOff(Event, frozen=True):
    """A flyer left the table because it was Pinned."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S56",)
    template = "{unit:turns} away and {unit::leaves} the table"
    shown = MotionOf("mark", "turns away")


class MoraleChecked(Event, frozen=True):
    """A unit took a morale check."""

    unit: int
    faces: tuple[int, ...]
    parts: Sum
    morale: int
    passed: bool
    what: str
    clause: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-22",)

    def sentence(self, t: Firefight) -> str:
        rolled, more = " ".join(map(str, self.faces)), total(self.parts)
        added = added_to_dice(t, more)
        name, dice = t.units[self.unit].name, f"{rolled}{added}, {against(t, self.morale, more)}"
        if self.passed:
            return f"{does(name, 'passes')} the {self.what}: {dice}"
        return f"{does(name, 'fails')} the {self.what}: {dice}"

    def reading(self, t: Firefight) -> Reading:
        """Return the die with its modifiers, and the chance of passing the check."""
        u = t.units[self.unit]
        return Reading(
            words=f"{u.name}: {self.what}",
            side=u.side,
            unit=self.unit,
            terms=reasons(self.parts),
            modifies=True,
            dice=tuple([DieRead(face=face, result="passed" if self.passed else "") for face in self.faces]),
            came="passed" if self.passed else "failed",
            tallies=(tally(u.side, "checks passed", int(self.passed), chance_to_pass(t, self.morale, self.parts)),),
        )

    def motion(self, t: Firefight) -> Motion:
        return Motion(sort="dice", unit=self.unit, tag="holds" if self.passed else "")


class Gone(Event, frozen=True):
    """A unit was removed for the rest of the game."""

    unit: int
    how: str
    places: tuple[tuple[int, Point | None], ...] = ()
    """Models of a destroyed machine with their places; empty for soldiers."""
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-27",)

    def sentence(self, t: Firefight) -> str:
        name = t.units[self.unit].name
        return f"Only one of {name} is left: the unit is removed" if self.how == LAST_MODEL else does(name, self.how)

    def motion(self, t: Firefight) -> Motion:
        models, places = [m for m, _ in self.places], [at for _, at in self.places]
        return Motion(sort="loss", unit=self.unit, fell=_lying(t, models, places))
