"""Rallying: a Pinned unit tries to recover, alone or with the help of an Officer (SQ-S22)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from caltrop.asking import Guards, Pick
from caltrop.chance import Pool, Roll
from caltrop.engine import (
    End,
    Event,
    Go,
    Procedure,
    Run,
    Throw,
    does,
    guard,
    step,
)
from caltrop.geometry import near_to
from caltrop.picture import Motion, Reading
from caltrop.rules.squad_action.acts import UNDONE, Doings, UnitAct, name_of
from caltrop.rules.squad_action.broken import check_read, on_dice
from caltrop.rules.squad_action.casualties import morale_of
from caltrop.rules.squad_action.morale import (
    dice_of_a_check,
    must_roll,
    needs,
    passes,
    reading_of_a_check,
)
from caltrop.rules.squad_action.overwatch import Interruptions
from caltrop.rules.squad_action.places import OFFICER_REACH, bodies, body
from caltrop.rules.squad_action.records import Firefight

NOT_IN_PLAY = guard("SQ-S22", "not-in-play", "{name:is} not in play")
NOT_PINNED = guard("SQ-ORG-25", "not-pinned", "{name:is} not Pinned")
BROKEN = guard("SQ-S23", "broken", "{name:is} Broken, and may do nothing but regroup")
NO_OFFICER = guard("SQ-S22", "no-officer", "{name:has} no Officer who could rally others")
HE_IS_PINNED = guard("SQ-S22", "he-is-pinned", "{name:is} Pinned, and cannot rally others first")
NO_FRIEND = guard("SQ-S22", "no-friend", "This is not a friend on the table")
TOO_FAR = guard("SQ-S22", "too-far", "{friend:is} farther than 6 inches from the Officer of {name}")


# --- un-pinning -------------------------------------------------------------------------------------------------------


class Rallying(Procedure):
    """A Pinned unit tries to rally, by its own action or that of a nearby unit with an Officer (SQ-ORG-25, SQ-S22)."""

    unit: int
    friend: int | None = None
    """The Pinned friend that is rallied; None if the unit rallies itself."""
    before: int = 0

    @step("SQ-S31")
    def let_watchers_break_in(self, t: Firefight) -> Run | Go:
        if t.units[self.unit].where != "table":
            return Go("roll")
        return Run(Interruptions(actor=self.unit, before=self.before))

    @step("SQ-S33", "SQ-ORG-06")
    def stand(self, t: Firefight, result: tuple[int, bool]) -> End | None:
        """A unit that was stopped rallies nobody, nor does a unit whose Officer has fallen.

        If the friend is gone, the unit with the Officer chooses another act.
        """
        if result[1]:
            return End()
        if Rally(self.unit, self.friend).why(Doings(t, self.unit)) is None:
            return None
        return End(False if officers(t, self.unit) else UNDONE)

    @step("SQ-ACT-08", "SQ-ORG-25", "SQ-ORG-26", "SQ-S22", "SQ-TRT-15", "SQ-ORG-32")
    def roll(self, t: Firefight) -> Throw | End:
        """The check has no modifiers, not even for an Officer."""
        who = self._who
        if not must_roll(t, who):
            unpin(t, who, ())
            return End()
        return Throw(
            Pool(dice_of_a_check(t)),
            reads=reading_of_a_check(t, morale_of(t, who), ()),
            side=t.units[who].side,
            words=f"{does(t.units[who].name, 'rallies')}: {needs(t, morale_of(t, who))}",
        )

    @step("SQ-ORG-25", "SQ-ORG-26", "SQ-S22")
    def rally_or_not(self, t: Firefight, roll: Roll) -> None:
        who = self._who
        if passes(t, roll, morale_of(t, who), ()):
            unpin(t, who, roll)
        else:
            t.tell(Rallied(who, roll, morale_of(t, who), False))

    @property
    def _who(self) -> int:
        return self.unit if self.friend is None else self.friend


def unpin(t: Firefight, unit: int, faces: Roll) -> None:
    t.change(unit, pinned=False)
    t.tell(Rallied(unit, faces, morale_of(t, unit), True))


# --- decisions -------------------------------------------------------------------------------------------------------


def officers(t: Firefight, unit: int) -> list[int]:
    return [m for m in t.units[unit].models if t.models[m].officer]


def is_in_reach(t: Firefight, unit: int, friend: int) -> bool:
    return any(near_to(body(t, m), b, OFFICER_REACH) for m in officers(t, unit) for b in bodies(t, friend))


TRIES = Guards(
    (BROKEN, lambda t, unit: t.units[unit].broken),
    (NOT_PINNED, lambda t, unit: not t.units[unit].pinned),
    name=name_of,
)
"""Reasons why a unit cannot try to rally: it is broken, or it is not Pinned."""
HELPED = Guards(
    (NO_FRIEND, lambda t, unit, friend: friend == unit or not 0 <= friend < len(t.units)),
    (HE_IS_PINNED, lambda t, unit: t.units[unit].pinned),
    (NO_OFFICER, lambda t, unit: not officers(t, unit) or not t.units[unit].in_play),
    (NO_FRIEND, lambda t, unit, friend: t.units[friend].side != t.units[unit].side or not t.units[friend].in_play),
    TRIES.of(unit="friend"),
    (TOO_FAR, lambda t, unit, friend: not is_in_reach(t, unit, friend)),
    name=name_of,
    friend=lambda t, friend: name_of(t, friend),
)
"""Reasons why a unit cannot rally a friend."""


class Rally(UnitAct, frozen=True):
    """Try to rally: the unit itself, or a friend near the unit's Officer."""

    friend: Annotated[int | None, Pick(lambda t, unit: [None, *[v.id for v in t.friends(unit) if v.pinned]])] = None

    kind = "rally"
    words = "{who}{needs}"
    says: ClassVar = {
        "who": lambda t, friend: "Rally" if friend is None else f"The Officer rallies {name_of(t, friend)}",
        "needs": lambda t, unit, friend: (
            f" on {needs(t, morale_of(t, who))}" if must_roll(t, who := unit if friend is None else friend) else ""
        ),
    }
    aim = "friend"
    guards = Guards(
        (NOT_IN_PLAY, lambda t, unit: t.units[unit].where not in ("table", "aboard")),
        (BROKEN, lambda t, unit: t.units[unit].broken),
        lambda t, unit, friend: TRIES.why(t, unit=unit) if friend is None else HELPED.why(t, unit=unit, friend=friend),
        name=name_of,
    )

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> Rallying:
        return Rallying(unit=self.unit, friend=self.friend, before=before)

    @classmethod
    def is_open_to(cls, t: Firefight, unit: int) -> bool:
        """Return whether the unit is Pinned, or has an Officer who can rally others.

        A unit that becomes Pinned later rallies without an announcement.
        """
        return t.units[unit].pinned or bool(officers(t, unit))


# --- events -----------------------------------------------------------------------------------------------------------


class Rallied(Event, frozen=True):
    """A unit tried to rally."""

    unit: int
    faces: tuple[int, ...]
    morale: int
    passed: bool
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-25", "SQ-S22")

    def sentence(self, t: Firefight) -> str:
        verb = "rallies" if self.passed else "stays Pinned"
        return f"{does(t.units[self.unit].name, verb)}{on_dice(t, self.faces, self.morale)}"

    def reading(self, t: Firefight) -> Reading | None:
        return check_read(t, self.unit, "rally", self.faces, self.morale, self.passed)

    def motion(self, t: Firefight) -> Motion:
        tag = "rallies" if self.passed else "stays down"
        return Motion(sort="dice" if self.faces else "mark", unit=self.unit, tag=tag)
