"""Fatalities (BS-FAT): trophies, slippery floors, second attacks and terror."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import isqrt
from typing import Annotated, Any, ClassVar

import msgspec

from caltrop.asking import Guards, OneOf, Pick
from caltrop.engine import Event, guard, rule
from caltrop.engine.rule import HasBook
from caltrop.geometry import (
    INCH,
    Disc,
    Point,
    gap_within,
    segment_enters,
)
from caltrop.kit.words import listed
from caltrop.picture import DieRead, Motion, Reading
from caltrop.rules.blade_skirmish.challenge import chance_to_win, in_hundred
from caltrop.rules.blade_skirmish.conditions import become, idle
from caltrop.rules.blade_skirmish.places import flank_partners, touched_enemies
from caltrop.rules.blade_skirmish.records import Guts, Skirmish, _FighterAct, called, named

SLIPPERY = 2 * INCH
"""Distance from a disembowelled fighter within which the floor is slippery (BS-FAT-03)."""
SKEWER = 2 * INCH
"""Limit for the length of a skewer, from the centre of the attacker's base; it must be shorter (BS-FAT-05)."""
TERROR = 4 * INCH
"""Distance from a fighter chopped to pieces within which her comrades take a test (BS-FAT-13)."""


# --- the table --------------------------------------------------------------------------------------------------------


class Fatality(msgspec.Struct, frozen=True):
    """A row of the fatality table."""

    title: str
    does: str
    """The killer's act in the present tense, such as `cuts {} down`; the braces stand for the victim's name."""
    words: str
    clause: str


FATALITIES: tuple[Fatality, ...] = (
    Fatality(
        "Decapitated", "decapitates {}", "takes her head, and does nothing until the end of her next turn", "BS-FAT-01"
    ),
    Fatality("Disembowelled", "disembowels {}", "leaves her lying on a slippery floor", "BS-FAT-02"),
    Fatality("Skewered", "skewers {}", "may strike at the enemy that the blade reaches behind her", "BS-FAT-04"),
    Fatality("Split lengthwise", "splits {} lengthwise", "may go straight on through where she stood", "BS-FAT-07"),
    Fatality("Split across", "cuts {} down", "may strike once more at an enemy that she touches", "BS-FAT-09"),
    Fatality("Chopped to pieces", "chops {} to pieces", "terrifies her comrades within 4 inches", "BS-FAT-12"),
)
"""Rows of the fatality table, from 1."""

DECAPITATED, DISEMBOWELLED, SKEWERED, SPLIT_LENGTHWISE, SPLIT_ACROSS, CHOPPED = range(1, 7)


@rule("BS-FAT-01", "BS-Q24", stages=("house",))
def consequence(b: HasBook, die: int) -> str:
    """Each row of the table has a consequence for the killer, in words."""
    return FATALITIES[die - 1].words


@consequence.amended_by("BS-FAT-01", "BS-Q24", stage="house", house={"trophy": "next_turn_only"})
def a_trophy_costs_one_turn(words: str, b: HasBook, die: int) -> str:
    """House rule: a fighter who takes a trophy is idle in her next turn alone."""
    return "takes her head, and does nothing in her next turn" if die == DECAPITATED else words


class Fatal(Event, frozen=True, kw_only=True):
    """The fatality of a victim was rolled."""

    by: int
    victim: int
    die: int
    clauses: ClassVar[tuple[str, ...]] = tuple([row.clause for row in FATALITIES])
    about = ("by", "victim")

    def sentence(self, t: Skirmish) -> str:
        row, killer, victim = FATALITIES[self.die - 1], t.fighters[self.by], t.fighters[self.victim]
        cut = row.does.format(t.called(victim.id))
        return f"Fatality {self.die}: {t.called(killer.id)} {cut}, and {consequence(t, self.die)}"

    def reading(self, t: Skirmish) -> Reading:
        row, killer, victim = FATALITIES[self.die - 1], t.fighters[self.by], t.fighters[self.victim]
        return Reading(
            words=f"How {t.called(victim.id)} falls to {t.called(killer.id)}",
            side=killer.side,
            unit=killer.id,
            target=victim.id,
            dice=(DieRead(face=self.die, result=row.title),),
            came=f"{row.title}: {t.called(killer.id)} {consequence(t, self.die)}",
        )

    def motion(self, t: Skirmish) -> Motion:
        return Motion(sort="dice", unit=self.victim, tag=FATALITIES[self.die - 1].title)


# --- trophies ---------------------------------------------------------------------------------------------------------


class TrophyTaken(Event, frozen=True):
    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-FAT-01", "BS-Q24")
    template = "{fighter} takes a trophy"
    about = ("fighter",)


class TrophyStowed(Event, frozen=True):
    """A fighter has finished taking her trophy, and can act again."""

    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-FAT-01", "BS-Q24")
    template = "{fighter} has her trophy, and is ready to act again"
    about = ("fighter",)


def take_trophy(t: Skirmish, id: int) -> None:
    """Count a trophy. The killer does nothing until the end of her side's next turn (BS-FAT-01, BS-Q24)."""
    f = t.fighters[id]
    t.change(id, trophies=f.trophies + 1, trophy=t.turns[f.side] + 1)
    t.tell(TrophyTaken(id))


def end_trophies(t: Skirmish, side: int) -> None:
    """End the trophies of a side at the end of the turn in which they are finished (BS-FAT-01, BS-Q24)."""
    for f in t.of_side(side):
        if f.trophy is not None and f.trophy <= t.turns[side]:
            t.change(f.id, trophy=None)
            t.tell(TrophyStowed(f.id))


# --- slippery floors --------------------------------------------------------------------------------------------------


@rule("BS-Q25")
def lies_until(t: Skirmish) -> int | None:
    """Disembowelled fighters lie on the table for the whole game.

    By a house rule they are removed after some rounds.
    """
    rounds = int(t.book.rules["gut_marker_turns"])
    return t.round + rounds if rounds else None


def leave_lying(t: Skirmish, at: Point) -> None:
    """Leave a marker for a disembowelled fighter. The marker is not an obstacle (BS-FAT-02, BS-Q25)."""
    t.guts.append(Guts(at=at, until=lies_until(t)))


def clear_away(t: Skirmish) -> None:
    """Remove the markers of disembowelled fighters when their time is over (BS-Q25)."""
    t.guts[:] = [guts for guts in t.guts if guts.until is None or t.round <= guts.until]


@rule("BS-FAT-03", "BS-Q25")
def is_slippery(t: Skirmish, at: Disc) -> bool:
    """The floor within 2 inches of a disembowelled fighter is slippery, even for her killer."""
    return bool(slippery_by(t, at))


def slippery_by(t: Skirmish, at: Disc) -> tuple[Point, ...]:
    """Return the places of the disembowelled fighters who make the floor under a base slippery."""
    return tuple([guts.at for guts in t.guts if gap_within(at, (*guts.at, t.field.radius), SLIPPERY)])


def slips(t: Skirmish, fighter: int) -> bool:
    """Stun a fighter who begins a phase on a slippery floor (BS-FAT-03). Return whether the fighter was stunned."""
    clear_away(t)
    if t.fighters[fighter].at is None or not is_slippery(t, t.disc(fighter)):
        return False
    become(t, fighter, "stunned", "BS-FAT-03", slippery_by(t, t.disc(fighter)))
    return True


def slips_there(t: Skirmish, fighter: int, at: Point) -> str:
    """Describe the effect of a slippery floor on a fighter who ends a phase at a place; empty on firm ground."""
    if not is_slippery(t, (*at, t.field.radius)):
        return ""
    return f"The floor there is slippery: {t.called(fighter)} is stunned at the beginning of her next phase"


# --- second attacks ---------------------------------------------------------------------------------------------------


def skewers(a: Point, victim: Disc, other: Disc) -> bool:
    """Return whether a skewer from a place passes through one base and touches another (BS-FAT-05).

    The line must pass through the victim's base, which a tangent does not (BS-GEO-04). The skewer may end anywhere on
    the other base. All bases have the same size and do not overlap.

    >>> skewers((0, 0), (254, 0, 127), (634, 0, 127)), skewers((0, 0), (254, 0, 127), (635, 0, 127))
    (True, False)
    """
    vx, vy, r = victim[0] - a[0], victim[1] - a[1], victim[2]
    ox, oy = other[0] - a[0], other[1] - a[1]
    near, far = vx * vx + vy * vy, ox * ox + oy * oy
    ahead, aside = vx * ox + vy * oy, abs(vx * oy - vy * ox)
    if ahead <= 0 or far <= near:
        return False
    if segment_enters(a, (other[0], other[1]), (victim[0], victim[1]), r):
        return far < (SKEWER + r) * (SKEWER + r)
    # The other centre is not behind the victim's, so the shortest line is next to the tangent of the victim's base.
    fine = 1 << 32
    tangent = isqrt((near - r * r) * fine * fine)
    along, across = tangent * ahead + r * aside * fine, tangent * aside - r * ahead * fine
    radius, beyond = r * near * fine, along - SKEWER * near * fine
    return across < radius and (beyond < 0 or beyond * beyond < radius * radius - across * across)


@rule("BS-FAT-05", "BS-Q26")
def skewered_with(t: Skirmish, by: int, victim: int) -> tuple[int, ...]:
    """The blade reaches enemies behind the victim, in order of their ids, whether or not in contact."""
    x, y, _ = t.disc(by)
    through = t.disc(victim)
    return tuple([f.id for f in t.enemies_of(by) if f.id != victim and skewers((x, y), through, t.disc(f.id))])


@rule("BS-FAT-10", "BS-Q26")
def touched_besides(t: Skirmish, by: int, victim: int) -> tuple[int, ...]:
    """A second attack may be at another enemy that the fighter touches, in order of their ids."""
    return tuple([f.id for f in touched_enemies(t, by) if f.id != victim])


def second_targets(t: Skirmish, die: int, by: int, victim: int, fallen: Collection[int]) -> tuple[int, ...]:
    """Return the enemies that a killer may attack a second time.

    Args:
        t: The skirmish, unchanged since the first attack.
        die: Row of the fatality table.
        fallen: Enemies that the killer's attacks in this combat have already felled.
    """
    if not t.fighters[by].active or idle(t, by):
        return ()
    victims: tuple[int, ...] = ()
    if die == SKEWERED:
        victims = skewered_with(t, by, victim)
    elif die == SPLIT_ACROSS:
        victims = touched_besides(t, by, victim)
    return tuple([id for id in victims if id not in fallen])


def odds_in_words(t: Skirmish, attacker: int, target: int) -> str:
    """Describe the chance of an attack to hit, with the comrades who flank."""
    partners = flank_partners(t, attacker, target)
    chance = chance_to_win(t, t.fighters[attacker].quality, t.fighters[target].quality, bool(partners))
    flank = f", flanking with {listed([t.called(id) for id in partners])}" if partners else ""
    return f"{in_hundred(chance)} to hit{flank}"


NOT_REACHED = guard(
    ("BS-FAT-05", "BS-Q26"),
    "not-reached",
    "{attacker} cannot strike {target} through her victim: her blade reaches {reached}",
)
NOT_BESIDE = guard(
    ("BS-FAT-10", "BS-Q26"),
    "not-beside",
    "{attacker} cannot strike {target} too: besides her victim she touches {reached}",
)


class StrikeAgain(_FighterAct, frozen=True):
    target: Annotated[int, Pick(lambda targets: targets, shown=called)]

    words = "Strike {target}: {odds}"
    says: ClassVar[Mapping[str, Any]] = {"odds": lambda t, fighter, target: odds_in_words(t, fighter, target)}
    context = ("fighter", "targets", "die")
    aim = "target"
    guards = Guards(
        (NOT_REACHED, lambda targets, die, target: die == SKEWERED and target not in targets),
        (NOT_BESIDE, lambda targets, die, target: die != SKEWERED and target not in targets),
        attacker=lambda t, fighter: t.called(fighter),
        target=named,
        reached=lambda t, targets: listed([t.called(id) for id in targets]),
    )


class LetBe(_FighterAct, frozen=True):
    """Decline the second attack."""

    target: ClassVar[None] = None
    words = "Do not strike again"
    final = True


class SecondAttack(OneOf, frozen=True, kw_only=True):
    """The player chooses which enemy a fighter attacks a second time."""

    fighter: int
    victim: int
    targets: tuple[int, ...]
    die: int
    """Row of the fatality table."""
    clauses: ClassVar[tuple[str, ...]] = ("BS-FAT-05", "BS-FAT-10", "BS-Q26")
    clause = "BS-Q26"
    template = "{fighter} may strike once more, {how}: which enemy?"
    says: ClassVar[Mapping[str, Any]] = {
        "how": lambda t, victim, die: ("through {}" if die == SKEWERED else "with {} cut down").format(t.called(victim))
    }
    occasion: ClassVar[str] = "after every kill"
    hint: ClassVar[str] = "A second attack costs nothing, and counts together with the first. It may kill in its turn."
    about = ("fighter", "target")
    acts = (StrikeAgain, LetBe)


# --- terror -----------------------------------------------------------------------------------------------------------


class Terror(Event, frozen=True):
    """Comrades saw a fighter chopped to pieces, and have to take a test."""

    victim: int
    fighters: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("BS-FAT-13", "BS-Q28")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("blows", "victim", "victim"),)
    about = ("victim", "fighters")

    def sentence(self, t: Skirmish) -> str:
        names = listed([t.called(id) for id in self.fighters])
        return f"The end of {t.called(self.victim)} is seen by {names}"


@rule("BS-FAT-13", "BS-Q28", "BS-Q44")
def terrified(t: Skirmish, by: int, place: Point) -> tuple[int, ...]:
    side, there = t.fighters[by].side, (*place, t.field.radius)
    return tuple([f.id for f in t.on_table() if f.side != side and gap_within(t.disc(f.id), there, TERROR)])
