"""The arithmetic of fire: target numbers, saves and casualties (SQ-SHO, SQ-COV, SQ-WPN).

The functions take a book and plain values. Games, the referee of single attacks, the odds and the computer players use
them. Sight and distances are computed elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

from caltrop.chance import Distribution
from caltrop.engine import Sum, Term, rule, total
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH
from caltrop.rules.squad_action.catalogue import NO_SAVE, Cover

ARMOUR_SAVE, COVER_SAVE = "Armour save", "Cover save"
FACES = range(1, 7)

FEW = 3
"""Largest number of models at which a squad is harder to hit (SQ-SHO-10)."""

FAST = 10 * INCH
"""Distance beyond which a moving vehicle is harder to hit (SQ-SHO-12)."""


class ShotModifiers(NamedTuple):
    """The values that modify one model's shots.

    A new field must be set in two places: in `shots.aim_at` from the table, and in `requests.asked` from a request.
    """

    distance: int
    """Distance to the nearest visible model of the target."""
    effective: int
    """Effective range of the weapon."""
    few: bool = False
    """True if the target is a squad or team of at most three models (SQ-Q12)."""
    pinned: bool = False
    """True if the target is Pinned."""
    travelled: int = 0
    """Distance that the target moved in its last activation, if it is a vehicle."""
    in_flight: bool = False
    """True if the target is a flyer that does not hover."""
    smoke: bool = False
    """True if the line of fire touches smoke."""
    shooter_pinned: bool = False
    overwatch: bool = False


# --- to hit -----------------------------------------------------------------------------------------------------------


@rule(
    "SQ-SHO-04",
    "SQ-S15",
    stages=("near", "far", "few", "pinned", "fast", "flyer", "smoke", "own", "overwatch"),
)
def to_hit(b: HasBook, aim: ShotModifiers) -> Sum:
    """One die is rolled for each shot. Modifiers of a shot depend on the range, the target and the terrain between."""
    return ()


@to_hit.amended_by("SQ-SHO-08", stage="near")
def half_range_helps(parts: Sum, b: HasBook, aim: ShotModifiers) -> Sum:
    """Within half the effective range, inclusive, the roll has a modifier of +1."""
    near = 2 * aim.distance <= aim.effective
    return (*parts, Term(1, "SQ-SHO-08", "Within half the effective range")) if near else parts


@to_hit.amended_by("SQ-SHO-09", "SQ-ORG-15", stage="far")
def a_long_shot_is_harder(parts: Sum, b: HasBook, aim: ShotModifiers) -> Sum:
    """Beyond the effective range, the roll has a modifier of -1."""
    far = aim.distance > aim.effective
    return (*parts, Term(-1, "SQ-SHO-09", "Outside the effective range")) if far else parts


@to_hit.amended_by("SQ-SHO-10", "SQ-Q12", stage="few")
def few_are_harder_to_hit(parts: Sum, b: HasBook, aim: ShotModifiers) -> Sum:
    """Against a squad of three models or fewer, the roll has a modifier of -1."""
    return (*parts, Term(-1, "SQ-SHO-10", f"{FEW} models or fewer")) if aim.few else parts


@to_hit.amended_by("SQ-SHO-11", stage="pinned")
def the_pinned_keep_their_heads_down(parts: Sum, b: HasBook, aim: ShotModifiers) -> Sum:
    """Against a Pinned target, the roll has a modifier of -1."""
    return (*parts, Term(-1, "SQ-SHO-11", "The target is Pinned")) if aim.pinned else parts


@to_hit.amended_by("SQ-SHO-12", stage="fast")
def a_fast_vehicle_is_harder_to_hit(parts: Sum, b: HasBook, aim: ShotModifiers) -> Sum:
    """Against a vehicle that moved more than 10 inches in its last activation, the roll has a modifier of -1."""
    fast = aim.travelled > FAST
    return (*parts, Term(-1, "SQ-SHO-12", "It travelled more than 10 inches")) if fast else parts


@to_hit.amended_by("SQ-ORG-60", "SQ-ORG-63", "SQ-Q55", stage="flyer")
def a_flyer_is_harder_to_hit(parts: Sum, b: HasBook, aim: ShotModifiers) -> Sum:
    """Against a flyer that does not hover, the roll has a modifier of -1. A flyer's speed gives no further modifier."""
    if not aim.in_flight:
        return parts
    return (*[p for p in parts if p.clause != "SQ-SHO-12"], Term(-1, "SQ-ORG-60", "A flyer"))


@to_hit.amended_by("SQ-ORG-49", "SQ-Q58", stage="smoke")
def smoke_is_in_the_way(parts: Sum, b: HasBook, aim: ShotModifiers) -> Sum:
    """A shot through, into or out of smoke has a modifier of -1, for any number of clouds."""
    return (*parts, Term(-1, "SQ-ORG-49", "Smoke")) if aim.smoke else parts


@to_hit.amended_by("SQ-Q08", stage="own", house={"pinned_may_shoot": "on"})
def the_pinned_shoot_badly(parts: Sum, b: HasBook, aim: ShotModifiers) -> Sum:
    """House rule: a Pinned unit may shoot, with a modifier of -1."""
    return (*parts, Term(-1, "SQ-Q08", "The shooter is Pinned")) if aim.shooter_pinned else parts


@to_hit.amended_by("SQ-Q17", stage="overwatch", house={"overwatch_penalty": -1})
def hasty_fire_is_harder(parts: Sum, b: HasBook, aim: ShotModifiers) -> Sum:
    """House rule: fire from overwatch has a modifier of -1."""
    return (*parts, Term(-1, "SQ-Q17", "Fire from overwatch")) if aim.overwatch else parts


@rule("SQ-Q13", stages=("house",))
def needed(b: HasBook, fire: int, parts: Sum) -> int:
    """A shot needs the Fire value less the modifiers, from 2 to 6: a 1 always misses and a 6 always hits."""
    return min(max(fire - total(parts), 2), 6)


@needed.amended_by("SQ-Q13", stage="house", house={"impossible_shots": "on"})
def what_needs_seven_cannot_hit(value: int, b: HasBook, fire: int, parts: Sum) -> int:
    """House rule: a shot that would need 7 or more cannot hit."""
    return max(fire - total(parts), 2)


@rule("SQ-TRT-08", "SQ-Q46")
def ones_are_rerolled(b: HasBook, traits: Sequence[str]) -> bool:
    """A unit with Improved Targeting must reroll every 1 once."""
    return "improved-targeting" in traits


# --- saves ------------------------------------------------------------------------------------------------------------


@rule("SQ-S12", "SQ-Q14")
def armour_save(b: HasBook, armour: int, ap: int) -> int:
    """Return the number that a die must reach for an armour save, including AP; 7 for no save."""
    return min(armour - ap, NO_SAVE)


@rule("SQ-S16", stages=("pinned", "flame"))
def cover_save(b: HasBook, cover: Cover, pinned: bool, flame: bool) -> int:
    """Return the least die for a cover save: 5 in soft, 4 in hard, 3 in fortified cover; 7 for no save."""
    return {"none": NO_SAVE, "soft": 5, "hard": 4, "fortified": 3}[cover]


@cover_save.amended_by("SQ-COV-01", "SQ-Q14", stage="pinned")
def the_pinned_use_their_cover_better(save: int, b: HasBook, cover: Cover, pinned: bool, flame: bool) -> int:
    """The cover save of a Pinned unit is better by 1, at most 2+; in the open it has 6+."""
    return max(save - 1, 2) if pinned else save


@cover_save.amended_by("SQ-WPN-03", stage="flame")
def flames_reach_into_cover(save: int, b: HasBook, cover: Cover, pinned: bool, flame: bool) -> int:
    """A flamethrower ignores cover saves."""
    return NO_SAVE if flame else save


class Save(NamedTuple):
    """A save against a hit."""

    needed: int
    """Lowest roll that saves; 7 for no save."""
    clause: str
    words: str

    @property
    def possible(self) -> bool:
        return self.needed < NO_SAVE


@rule("SQ-SHO-05", "SQ-Q14")
def best_save(b: HasBook, armour: int, cover: int) -> Save:
    """Each hit can be saved once, by armour or cover, whichever is better."""
    if min(armour, cover) >= NO_SAVE:
        return Save(NO_SAVE, "SQ-Q13", "No save")
    if cover < armour:
        return Save(cover, "SQ-S16", f"{COVER_SAVE}: {cover}+")
    return Save(armour, "SQ-S12", f"{ARMOUR_SAVE}: {armour}+")


@rule("SQ-Q14", stages=("house",))
def saves(b: HasBook, armour: int, cover: int) -> tuple[Save, ...]:
    """A model may roll only the better of its saves."""
    best = best_save(b, armour, cover)
    return (best,) if best.possible else ()


@saves.amended_by("SQ-Q14", stage="house", house={"double_saves": "on"})
def cover_first_and_then_armour(value: tuple[Save, ...], b: HasBook, armour: int, cover: int) -> tuple[Save, ...]:
    both = (Save(cover, "SQ-S16", f"{COVER_SAVE}: {cover}+"), Save(armour, "SQ-S12", f"{ARMOUR_SAVE}: {armour}+"))
    return tuple([save for save in both if save.possible])


@rule("SQ-TRT-06")
def ignores_wounds_on(b: HasBook, traits: Sequence[str]) -> int:
    """A Gene Enhanced model ignores an unsaved wound on a 6. For models without the trait the number is 7, which no die
    reaches.
    """
    return 6 if "gene-enhanced" in traits else NO_SAVE


# --- losses -----------------------------------------------------------------------------------------------------------


class Volley(NamedTuple):
    """Shots of an attack that share their target number and saves."""

    shots: int
    dice: int
    """Number of models whose number of shots is rolled; if it is set, `shots` does not count."""
    needed: int
    reroll: bool
    """True if 1s are rerolled."""
    saves: tuple[int, ...]
    """Lowest roll of each save, in order."""
    ignore: int
    """Lowest roll that ignores an unsaved wound; 7 for none."""


class AttackResult(NamedTuple):
    """The result of an attack before morale."""

    hits: int
    """Number of hits, at most the number of models that can be hit (SQ-Q44)."""
    casualties: int


def hits_of(faces: Sequence[int], needed: int) -> int:
    """Return the number of dice that hit.

    >>> hits_of((6, 5, 4, 4, 3, 2, 1, 1), 4)
    4
    """
    return sum([face >= needed for face in faces])


@lru_cache(maxsize=1024)
def _successes(count: int, ways: int, of: int) -> tuple[int, ...]:
    """Return the numbers of ways in which 0, 1, 2 … of some equal dice succeed. *ways* out of *of* faces succeed."""
    return tuple([comb(count, k) * ways**k * (of - ways) ** (count - k) for k in range(count + 1)])


@lru_cache(maxsize=64)
def _sum_of(dice: int) -> tuple[tuple[int, int], ...]:
    sums = {0: 1}
    for _ in range(dice):
        more: dict[int, int] = {}
        for so_far, weight in sums.items():
            for face in FACES:
                more[so_far + face] = more.get(so_far + face, 0) + weight
        sums = more
    return tuple(sums.items())


@lru_cache(maxsize=1024)
def _hits(volley: Volley) -> tuple[int, ...]:
    """Return the numbers of ways in which 0, 1, 2 … shots of a volley hit."""
    ways = max(NO_SAVE - volley.needed, 0)
    # A rerolled 1 hits with the same probability as any die.
    part, of = (ways * 7, 36) if volley.reroll else (ways, 6)
    if not volley.dice:
        return _successes(volley.shots, part, of)
    most = 6 * volley.dice
    counts = [0] * (most + 1)
    for shots, weight in _sum_of(volley.dice):
        scale = weight * of ** (most - shots)
        for count, more in enumerate(_successes(shots, part, of)):
            counts[count] += scale * more
    return tuple(counts)


def hits(volley: Volley) -> Distribution[int]:
    return Distribution(enumerate(_hits(volley)))


def _unsaved(volley: Volley) -> tuple[int, int]:
    ways = of = 1
    for needed in (*volley.saves, volley.ignore):
        if needed < NO_SAVE:
            ways, of = ways * (needed - 1), of * 6
    return ways, of


def fallen(volleys: Sequence[Volley], may_be_hit: int) -> Distribution[AttackResult]:
    """Return the exact odds of hits and casualties in an attack.

    Args:
        volleys: The volleys, in the order in which they are resolved. If there are too many hits, the last hits do not
            count.
        may_be_hit: Number of models that can be hit. Hits beyond it do not count (SQ-Q44).
    """
    falls = {(0, 0): 1}
    for volley in volleys:
        scored = _hits(volley)
        ways, of = _unsaved(volley)
        most = min(len(scored) - 1, may_be_hit)
        after: dict[tuple[int, int], int] = {}
        for (hit, lost), weight in falls.items():
            room = min(most, may_be_hit - hit)
            # All larger numbers of hits count as the largest possible number.
            counts = [*scored[:room], sum(scored[room:])]
            for count, chance in enumerate(counts):
                if not chance:
                    continue
                scale = weight * chance * of ** (most - count)
                for more, part in enumerate(_successes(count, ways, of)):
                    key = hit + count, lost + more
                    after[key] = after.get(key, 0) + scale * part
        falls = after
    return Distribution([(AttackResult(*key), weight) for key, weight in falls.items()])
