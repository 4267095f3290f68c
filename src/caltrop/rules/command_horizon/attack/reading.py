"""Faces become hits: the result tables, Overkill pairs, and hits that the Shield Drone or the Asori ignore."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from caltrop.engine import rule
from caltrop.engine.rule import HasBook
from caltrop.rules.command_horizon.attack.record import (
    Attack,
    aimed_at,
    in_contact,
    roller,
    roller_traits,
    target_traits,
)
from caltrop.rules.command_horizon.catalogue import Result, table, unit_kind

Faces = tuple[int, int, int, int, int, int]
"""The number of dice that show each face, from 1 to 6."""

NONE: Faces = (0, 0, 0, 0, 0, 0)


class Hits(msgspec.Struct, frozen=True):
    """The hits of a roll by face, because a Defence Die cancels hits of its own face or a lower one."""

    kills: Faces = NONE
    """Kills that are not part of pairs."""
    stuns: Faces = NONE
    pairs: int = 0
    """Number of Overkill pairs at the unit."""
    drone_pairs: int = 0
    """Number of Overkill pairs at the unit's Shield Drone."""
    bases: int = 0
    """Number of Putredine bases that land 1 cm from the target."""
    worms: int = 0
    """Number of Putredine bases that attach to the target."""

    @property
    def count(self) -> int:
        """The number of hits for which Defence Dice are rolled; a pair counts as two."""
        return sum(self.kills) + sum(self.stuns) + 2 * (self.pairs + self.drone_pairs)


def face_counts(roll: Sequence[int]) -> Faces:
    """Return the number of times that each face was rolled.

    >>> face_counts((6, 6, 2))
    (0, 1, 0, 0, 0, 2)
    """
    return (roll.count(1), roll.count(2), roll.count(3), roll.count(4), roll.count(5), roll.count(6))


# --- result tables (3.6) -------------------------------------------------------------------------------------------


@rule("CH-RF-05", "CH-DMG-06", "CH-INFDMG-04", stages=("contact", "rush", "artillery", "seeding"), traits=roller_traits)
def table_name(b: HasBook, attack: Attack, kind: str) -> str:
    """Shots and reaction fire use one table: a common table against infantry, the attacker's own table against
    vehicles.
    """
    base = unit_kind(b, attack.army, kind)
    if aimed_at(b, attack).infantry:
        return "infantry-at-infantry" if base.infantry else "main-at-infantry"
    return fire_table(b, attack, kind)


@rule("CH-DMG-01", "CH-INFDMG-01", "CH-INFDMG-02", "CH-INFDMG-03", stages=("house",), traits=roller_traits)
def fire_table(b: HasBook, attack: Attack, kind: str) -> str:
    """Against vehicles, tanks use the main table; Infantry and Heavy Infantry have tables of their own."""
    return unit_kind(b, attack.army, kind).fire_table


@fire_table.amended_by(
    "Q-ASORI-2", stage="house", trait="asori-rush", edition="current", house={"asori.infantryVsTanks": "standard"}
)
def asori_infantry_is_no_heavy_infantry(name: str, b: HasBook, attack: Attack, kind: str) -> str:
    """House rule: Asori infantry uses the table of plain infantry."""
    return "infantry"


@table_name.amended_by("CH-CC-12", "CH-CC-13", "CH-CC-14", stage="contact")
def close_combat_has_its_own_tables(name: str, b: HasBook, attack: Attack, kind: str) -> str:
    """In close combat, each army has a table of its own."""
    return unit_kind(b, attack.army, kind).close_combat_table if in_contact(attack) else name


@table_name.amended_by("CH-RUSH-01", "CH-RUSH-02", "CH-RUSH-08", "Q-RUSH-1", stage="rush", trait="asori-rush")
def an_asori_charge_is_a_rush(name: str, b: HasBook, attack: Attack, kind: str) -> str:
    """Every Asori charge is a Rush, at infantry or at Light tanks."""
    if attack.mode != "charge":
        return name
    return "rush" if aimed_at(b, attack).infantry else "rush-at-light-tanks"


@table_name.amended_by("CH-ART-10", "CH-ART-11", "CH-MARK-09", "CH-MARK-13", "Q-MARK-2", stage="artillery")
def artillery_has_its_own_tables(name: str, b: HasBook, attack: Attack, kind: str) -> str:
    """Artillery only stuns vehicles, unless it is Ranged In by marks, of which at most three count."""
    if attack.mode != "artillery":
        return name
    if attack.marks:
        return f"ranged-in-{min(attack.marks, 3)}"
    return "artillery-at-infantry" if aimed_at(b, attack).infantry else "artillery-at-vehicles"


@table_name.amended_by("CH-PART-01", stage="seeding", trait="seeding")
def putredine_artillery_shoots_infantry(name: str, b: HasBook, attack: Attack, kind: str) -> str:
    """Putredine artillery shoots infantry bases instead of shells."""
    if attack.mode != "artillery":
        return name
    return "seeding-at-infantry" if aimed_at(b, attack).infantry else "seeding-at-vehicles"


@rule("CH-DMG-01", "CH-DMG-02", "CH-DMG-03", "Q-SLUG-3", stages=("close combat stuns",))
def results(b: HasBook, attack: Attack, kind: str) -> tuple[Result, ...]:
    """Return the result of each face, from 1 to 6, for the dice of one kind of base."""
    return table(b, table_name(b, attack, kind))


@results.amended_by("Q-CC-2", stage="close combat stuns", house={"cc.stuns": "table"})
def what_does_not_kill_stuns(faces: tuple[Result, ...], b: HasBook, attack: Attack, kind: str) -> tuple[Result, ...]:
    """House rule: in close combat, a 4 or 5 that does not kill stuns."""
    if not in_contact(attack) or not aimed_at(b, attack).infantry:
        return faces
    return tuple("stun" if face in (4, 5) and r == "miss" else r for face, r in enumerate(faces, 1))


@rule("CH-SLUG-02", "CH-SLUG-03", "Q-SLUG-1", "Q-SLUG-2")
def successes(b: HasBook, attack: Attack, kind: str, roll: Sequence[int]) -> tuple[int, ...]:
    """Near an enemy Slugger, every success is rerolled once. The result is the positions in *roll* of these dice."""
    if not attack.slugger:
        return ()
    faces = results(b, attack, kind)
    return tuple(i for i, face in enumerate(roll) if faces[face - 1] != "miss")


# --- Overkill ------------------------------------------------------------------------------------------------------


@rule("CH-OVERKILL-01", "CH-OVERKILL-05", "CH-OVERKILL-06", "Q-OK-3", stages=("artillery", "drone"))
def may_overkill(b: HasBook, attack: Attack) -> bool:
    """Tanks may combine 6s against vehicles, also in reaction fire. Infantry neither causes nor suffers Overkills."""
    return (
        attack.mode in ("fire", "reaction-fire") and not roller(b, attack).infantry and not aimed_at(b, attack).infantry
    )


@may_overkill.amended_by("Q-ART-5", stage="artillery", house={"artillery.overkill": "yes"})
def artillery_combines_when_ranged_in(may: bool, b: HasBook, attack: Attack) -> bool:
    """House rule: Ranged In artillery may combine the 6s that kill vehicles."""
    return may or (attack.mode == "artillery" and attack.marks > 0 and not aimed_at(b, attack).infantry)


@may_overkill.amended_by("Q-DRONE-9", stage="drone", house={"drone.doubleSix": "any"})
def any_two_sixes_work_on_a_drone(may: bool, b: HasBook, attack: Attack) -> bool:
    """House rule: any two 6s of a roll affect an active Shield Drone."""
    return may or attack.target.drone == "active"


def pairs_possible(b: HasBook, attack: Attack, counts: Sequence[Faces]) -> int:
    """Return the number of pairs into which the 6s of a roll can be combined.

    Args:
        counts: Face counts of each kind of base, as in `attack.arms`.
    """
    if not may_overkill(b, attack):
        return 0
    # A 6 that does not kill, as in standard artillery fire at vehicles, cannot be part of an Overkill.
    return sum([c[5] for a, c in zip(attack.arms, counts, strict=True) if results(b, attack, a.kind)[5] == "kill"]) // 2


@rule("CH-OVERKILL-01", "Q-OK-1", "Q-OK-4", stages=("mode", "drone"))
def pairs_combined(b: HasBook, attack: Attack, possible: int, declared: int) -> int:
    """The attacker combines the declared number of pairs, if the roll has as many."""
    return min(declared, possible)


@pairs_combined.amended_by("Q-OK-1", stage="mode", house={"overkill.mode": "automatic"})
def every_pair_is_combined(pairs: int, b: HasBook, attack: Attack, possible: int, declared: int) -> int:
    """House rule: every pair of 6s is an Overkill."""
    return possible


@pairs_combined.amended_by("Q-DRONE-9", stage="drone", house={"drone.doubleSix": "any"})
def undeclared_pairs_work_on_a_drone_too(pairs: int, b: HasBook, attack: Attack, possible: int, declared: int) -> int:
    """House rule: every two 6s affect an active Shield Drone, declared or not."""
    return possible if attack.target.drone == "active" else pairs


@rule("CH-DMG-01", "CH-DMG-02", "CH-DMG-03", "CH-OVERKILL-01", "CH-OVERKILL-02", "CH-DEF-14", "CH-SLUG-04")
def read(b: HasBook, attack: Attack, counts: Sequence[Faces], declared: int) -> Hits:
    """The result table turns faces into misses, stuns and kills. Declared pairs of 6s become Overkills.

    Args:
        counts: Face counts of each kind of base, as in `attack.arms`, after any rerolls.
    """
    kills, stuns = [0] * 6, [0] * 6
    bases = worms = 0
    for arms, faces in zip(attack.arms, counts, strict=True):
        for face, (result, n) in enumerate(zip(results(b, attack, arms.kind), faces, strict=True)):
            if result == "kill":
                kills[face] += n
            elif result == "stun":
                stuns[face] += n
            elif result == "base":
                bases += n
            elif result == "worm":
                worms += n
    pairs = pairs_combined(b, attack, pairs_possible(b, attack, counts), declared)
    kills[5] -= 2 * pairs
    k1, k2, k3, k4, k5, k6 = kills
    s1, s2, s3, s4, s5, s6 = stuns
    return Hits((k1, k2, k3, k4, k5, k6), (s1, s2, s3, s4, s5, s6), pairs, 0, bases, worms)


# --- hits ignored before Defence Dice ------------------------------------------------------------------------------


@rule("CH-DEF-02", "CH-DEF-14", "Q-SEQ-1", stages=("pairs", "stuns", "sixes", "weakness"), traits=target_traits)
def standing(b: HasBook, attack: Attack, hits: Hits) -> Hits:
    """Every hit counts, and gives the target a Defence Die."""
    return hits


def _shielded(attack: Attack) -> bool:
    return attack.target.drone == "active"


def _drone_is_out(attack: Attack, hits: Hits) -> bool:
    # Q-DRONE-3, house rule: the first pair disables the drone, whatever the defence; other hits affect an unprotected
    # tank.
    return hits.drone_pairs > 0 and attack.target.drone == "active"


@standing.amended_by(
    "CH-DRONE-03",
    "CH-DRONE-05",
    "Q-DRONE-1",
    "Q-DRONE-2",
    "Q-DRONE-8",
    stage="pairs",
    trait="shield-drone",
    house={"drone.perAttack": "no"},
)
def pairs_work_on_the_drone(left: Hits, b: HasBook, attack: Attack, hits: Hits) -> Hits:
    """A double 6 affects an active Shield Drone instead of the tank."""
    if not _shielded(attack) or not left.pairs:
        return left
    return Hits(left.kills, left.stuns, 0, left.pairs, left.bases, left.worms)


@standing.amended_by("Q-DRONE-3", stage="pairs", trait="shield-drone", house={"drone.perAttack": "yes"})
def one_pair_works_on_the_drone(left: Hits, b: HasBook, attack: Attack, hits: Hits) -> Hits:
    """House rule: one pair disables the Shield Drone, and further pairs are Overkills at the tank."""
    if not _shielded(attack) or not left.pairs:
        return left
    return Hits(left.kills, left.stuns, left.pairs - 1, 1, left.bases, left.worms)


@standing.amended_by(
    "CH-DRONE-01", "CH-DEF-09", "Q-DRONE-7", stage="stuns", trait="shield-drone", house={"drone.perAttack": "no"}
)
def the_drone_takes_stuns(left: Hits, b: HasBook, attack: Attack, hits: Hits) -> Hits:
    """A unit with an active Shield Drone ignores stuns."""
    if not _shielded(attack):
        return left
    return Hits(left.kills, NONE, left.pairs, left.drone_pairs, left.bases, left.worms)


@standing.amended_by("CH-DRONE-01", "Q-DRONE-3", stage="stuns", trait="shield-drone", house={"drone.perAttack": "yes"})
def the_drone_takes_stuns_until_it_is_out(left: Hits, b: HasBook, attack: Attack, hits: Hits) -> Hits:
    """House rule: stuns count if a pair of the same roll has disabled the drone."""
    if not _shielded(attack) or _drone_is_out(attack, left):
        return left
    return Hits(left.kills, NONE, left.pairs, left.drone_pairs, left.bases, left.worms)


@standing.amended_by(
    "CH-DRONE-02",
    "Q-DRONE-4",
    "Q-DRONE-10",
    stage="sixes",
    trait="shield-drone",
    edition="current",
    house={"drone.perAttack": "no"},
)
def a_single_six_is_ignored_too(left: Hits, b: HasBook, attack: Attack, hits: Hits) -> Hits:
    """A unit with an active Shield Drone ignores everything but a double 6."""
    if not _shielded(attack):
        return left
    return Hits(NONE, left.stuns, left.pairs, left.drone_pairs, left.bases, left.worms)


@standing.amended_by(
    "CH-DRONE-02", "Q-DRONE-3", stage="sixes", trait="shield-drone", edition="current", house={"drone.perAttack": "yes"}
)
def a_single_six_is_ignored_until_the_drone_is_out(left: Hits, b: HasBook, attack: Attack, hits: Hits) -> Hits:
    """House rule: single 6s count if a pair of the same roll has disabled the drone."""
    if not _shielded(attack) or _drone_is_out(attack, left):
        return left
    return Hits(NONE, left.stuns, left.pairs, left.drone_pairs, left.bases, left.worms)


@standing.amended_by(
    "CH-ASORI-01", "CH-ASORI-02", "CH-ASORI-03", "Q-ASORI-1", stage="weakness", trait="suffer-no-weakness"
)
def the_weakest_stun_is_ignored(left: Hits, b: HasBook, attack: Attack, hits: Hits) -> Hits:
    """Every Asori unit ignores the lowest stun die of an attack."""
    for face, n in enumerate(left.stuns):
        if n:
            stuns = list(left.stuns)
            stuns[face] -= 1
            s1, s2, s3, s4, s5, s6 = stuns
            return Hits(left.kills, (s1, s2, s3, s4, s5, s6), left.pairs, left.drone_pairs, left.bases, left.worms)
    return left
