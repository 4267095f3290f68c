"""Defence Dice: their number, and the hits that they cancel (4.2).

A Defence Die cancels a hit of its own face or a lower one, so a higher die can cancel every hit that a lower die can.
The extended greedy assignment therefore saves the most models, and then avoids the most markers. The assignment cancels
kills first, then pairs (with two 6s each), then stuns. Each group is cancelled from the highest face down, with the
lowest sufficient die.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from caltrop.engine import Refusal, Sum, Term, guard, rule
from caltrop.engine.rule import HasBook
from caltrop.rules.command_horizon.attack.reading import Faces, Hits, face_counts
from caltrop.rules.command_horizon.attack.record import Attack, aimed_at, in_contact, roller_traits


class Stood(msgspec.Struct, frozen=True):
    """The hits that were not cancelled."""

    kills: int = 0
    """Kills that are not part of pairs."""
    pairs: int = 0
    """Overkill pairs at the unit that were not cancelled."""
    stuns: int = 0
    """Stuns from dice, without the automatic stuns of pairs."""
    drone_pairs: int = 0
    """Overkill pairs at the Shield Drone that were not cancelled."""


@rule(
    "CH-DEF-02",
    "CH-DEF-11",
    "Q-DEF-1",
    "Q-DEF-3",
    "Q-DEF-6",
    stages=("class", "carapace", "cover", "none"),
    traits=roller_traits,
)
def defence_dice(b: HasBook, attack: Attack, hits: int) -> Sum:
    """The target rolls a Defence Die for each remaining hit.

    Args:
        hits: Number of remaining hits; a pair counts as two (`Hits.count`).
    """
    return (Term(hits, "CH-DEF-02", "one for each hit"),) if hits else ()


@defence_dice.amended_by("CH-DEF-03", "CH-DEF-04", "CH-DEF-05", "CH-DEF-06", "CH-DEF-10", "Q-DEF-2", stage="class")
def armour_adds_its_bonus(dice: Sum, b: HasBook, attack: Attack, hits: int) -> Sum:
    """Medium and Heavy units and Command units have bonus dice against each attack."""
    kind = aimed_at(b, attack)
    bonus = kind.number("defence")
    return (*dice, Term(bonus, kind.clause("defence"), f"bonus of {kind.title}")) if dice and bonus else dice


@defence_dice.amended_by("CH-ASORI-18", "CH-ASORI-19", stage="carapace")
def carapace_adds_a_die_in_close_combat(dice: Sum, b: HasBook, attack: Attack, hits: int) -> Sum:
    """Asori infantry has one extra die in close combat."""
    kind = aimed_at(b, attack)
    if not dice or not kind.cc_defence or not in_contact(attack):
        return dice
    return (*dice, Term(kind.number("cc_defence"), kind.clause("cc_defence"), "Carapace"))


@rule("CH-TERRAIN-03", "CH-DEF-07", stages=("infantry", "close combat"))
def cover_dice(b: HasBook, attack: Attack) -> int:
    return attack.target.cover


@cover_dice.amended_by("CH-TERRAIN-04", "CH-DEF-08", "Q-LOS-9", stage="infantry")
def infantry_in_cover_has_two(dice: int, b: HasBook, attack: Attack) -> int:
    """Infantry in cover has two extra Defence Dice; by a house rule, obstructed infantry has one."""
    return 2 * dice - attack.target.obstructed if aimed_at(b, attack).infantry else dice


@cover_dice.amended_by("CH-CC-05", "CH-TERRAIN-10", "Q-RUSH-3", stage="close combat")
def cover_does_not_help_in_close_combat(dice: int, b: HasBook, attack: Attack) -> int:
    return 0 if in_contact(attack) else dice


@defence_dice.amended_by("CH-DEF-07", "CH-TERRAIN-03", "CH-TERRAIN-04", stage="cover")
def cover_adds_dice(dice: Sum, b: HasBook, attack: Attack, hits: int) -> Sum:
    cover = cover_dice(b, attack) if dice else 0
    clause = "CH-TERRAIN-04" if aimed_at(b, attack).infantry else "CH-TERRAIN-03"
    return (*dice, Term(cover, clause, "in cover")) if cover else dice


@defence_dice.amended_by("CH-PART-07", stage="none", trait="seeding")
def nothing_stops_living_shells(dice: Sum, b: HasBook, attack: Attack, hits: int) -> Sum:
    """Putredine artillery allows the target no Defence Dice."""
    return () if attack.mode == "artillery" else dice


@defence_dice.amended_by("CH-PUTINF-17", "CH-PUTINF-18", "Q-PUTINF-1", stage="none", trait="putredine-infantry")
def putredine_bites_kill_outright(dice: Sum, b: HasBook, attack: Attack, hits: int) -> Sum:
    """Against Putredine infantry in close combat, the target has only its Carapace die, one for the whole attack."""
    return tuple(term for term in dice if term.clause == "CH-ASORI-18") if in_contact(attack) else dice


# --- the extended greedy -------------------------------------------------------------------------------------------


def _take(dice: list[int], face: int, amount: int) -> int:
    """Cancel up to *amount* hits of *face* (0 for a 1) with the lowest sufficient dice. Return the remaining hits,
    after dice were used against some of them.
    """
    for die in range(face, 6):
        used = min(amount, dice[die])
        dice[die] -= used
        amount -= used
        if not amount:
            break
    return amount


@rule("CH-DEF-12", "CH-DEF-13", "CH-OVERKILL-03", "Q-DEF-4", "Q-DEF-5", "Q-OK-2", "Q-DRONE-10")
def assign(b: HasBook, hits: Hits, dice: Faces) -> Stood:
    """Each Defence Die cancels at most one hit of its face or lower. Only two 6s together cancel a pair.

    Args:
        hits: The hits before any Defence Die is assigned.
        dice: The number of Defence Dice that show each face.
    """
    left = list(dice)
    kills = sum([_take(left, face, hits.kills[face]) for face in (5, 4, 3, 2, 1, 0) if hits.kills[face]])
    pairs = max(0, hits.pairs - left[5] // 2)
    left[5] -= 2 * (hits.pairs - pairs)
    drone_pairs = max(0, hits.drone_pairs - left[5] // 2)
    left[5] -= 2 * (hits.drone_pairs - drone_pairs)
    stuns = sum([_take(left, face, hits.stuns[face]) for face in (5, 4, 3, 2, 1, 0) if hits.stuns[face]])
    return Stood(kills, pairs, stuns, drone_pairs)


# --- assignment by the owner (house rule `defence.assign: manual`) -------------------------------------------------

Effect = Literal["kill", "pair", "drone-pair", "stun"]


class Hit(msgspec.Struct, frozen=True):
    """A hit that Defence Dice can be assigned to."""

    effect: Effect
    face: int
    """The face of the hit's Attack Die; 6 for a pair."""


TOO_LOW = guard("CH-DEF-12", "too-low", "A Defence Die of {die} does not cancel a hit of {face}")
TWICE = guard("CH-DEF-13", "twice", "{dice} Defence Dice are assigned to one hit of {face}, and one is enough")
HALF_A_PAIR = guard(
    ("CH-OVERKILL-03", "Q-OK-2"),
    "half-a-pair",
    "An Overkill is negated by two Defence 6s, and {dice} of its dice are 6s",
)
NO_SUCH_HIT = guard("Q-DEF-4", "no-such-hit", "There is no hit number {hit}; there are {hits}")


def hit_list(hits: Hits) -> tuple[Hit, ...]:
    """Return the hits one by one, in the order in which the greedy assignment cancels them."""
    out: list[Hit] = []
    for face in (5, 4, 3, 2, 1, 0):
        out += [Hit("kill", face + 1)] * hits.kills[face]
    out += [Hit("pair", 6)] * hits.pairs + [Hit("drone-pair", 6)] * hits.drone_pairs
    for face in (5, 4, 3, 2, 1, 0):
        out += [Hit("stun", face + 1)] * hits.stuns[face]
    return tuple(out)


def refused_assignment(hits: Hits, roll: Sequence[int], assignment: Sequence[int | None]) -> Refusal | None:
    """Return why Defence Dice may not be assigned in this way, or None if they may.

    Args:
        assignment: For each die the index of its hit in `hit_list(hits)`; None for no hit.
    """
    listed = hit_list(hits)
    served: list[list[int]] = [[] for _ in listed]
    for die, hit in zip(roll, assignment, strict=True):
        if hit is None:
            continue
        if refusal := NO_SUCH_HIT.refuses(not 0 <= hit < len(listed), hit=hit, hits=len(listed)):
            return refusal
        if refusal := TOO_LOW.refuses(die < listed[hit].face, die=die, face=listed[hit].face):
            return refusal
        served[hit].append(die)
    for hit_, dice in zip(listed, served, strict=True):
        if hit_.effect in ("pair", "drone-pair"):
            if refusal := HALF_A_PAIR.refuses(len(dice) not in (0, 2), dice=len(dice)):
                return refusal
        elif refusal := TWICE.refuses(len(dice) > 1, dice=len(dice), face=hit_.face):
            return refusal
    return None


def result_of(hits: Hits, assignment: Sequence[int | None]) -> Stood:
    listed = hit_list(hits)
    remains = {"kill": 0, "pair": 0, "stun": 0, "drone-pair": 0}
    cancelled = set(assignment)  # used only for lookups, so the order of hits does not matter
    for i, hit in enumerate(listed):
        if i not in cancelled:
            remains[hit.effect] += 1
    return Stood(remains["kill"], remains["pair"], remains["stun"], remains["drone-pair"])


@lru_cache(maxsize=4096)
def _ways(listed: tuple[Hit, ...], dice: Faces) -> tuple[tuple[Stood, tuple[int, ...]], ...]:
    """Return the distinct results, each with an assignment: the face of the die that cancels each hit, 0 for none."""
    ways: dict[Stood, tuple[int, ...]] = {}
    seen: set[tuple[int, tuple[int, ...], tuple[int, ...]]] = set()

    def walk(i: int, left: list[int], remains: tuple[int, int, int, int], by: tuple[int, ...]) -> None:
        state = (i, tuple(left), remains)
        if state in seen:
            return
        seen.add(state)
        if i == len(listed):
            ways.setdefault(Stood(*remains), by)
            return
        hit = listed[i]
        paired = hit.effect in ("pair", "drone-pair")
        # All sufficient dice are tried, because the choice matters for later hits.
        for die in range(hit.face - 1, 6):
            need = 2 if paired else 1
            if left[die] >= need:
                left[die] -= need
                walk(i + 1, left, remains, (*by, die + 1))
                left[die] += need
        place = ("kill", "pair", "stun", "drone-pair").index(hit.effect)
        more = tuple(n + (j == place) for j, n in enumerate(remains))
        walk(i + 1, left, (more[0], more[1], more[2], more[3]), (*by, 0))

    walk(0, list(dice), (0, 0, 0, 0), ())
    return tuple(ways.items())


def every_result(hits: Hits, roll: Sequence[int]) -> tuple[tuple[Stood, tuple[int | None, ...]], ...]:
    """Return every distinct result of a legal assignment of *roll*, with an assignment that leads to it.

    It is legal to cancel fewer hits than possible. The first result cancels as many as possible.
    """
    out = []
    for stood, faces in _ways(hit_list(hits), face_counts(tuple(roll))):
        free = list(range(len(roll)))
        assignment: list[int | None] = [None] * len(roll)
        for hit, face in enumerate(faces):
            for _ in range((2 if hit_list(hits)[hit].effect in ("pair", "drone-pair") else 1) if face else 0):
                die = next(i for i in free if roll[i] == face)
                free.remove(die)
                assignment[die] = hit
        out.append((stood, tuple(assignment)))
    return tuple(out)
