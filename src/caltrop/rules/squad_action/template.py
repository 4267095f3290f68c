"""The template of shells: scatter, the units under it, and the effects (SQ-FMI-08 to 14, SQ-Q29 to Q32)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from caltrop.asking import Template
from caltrop.engine import rule
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH, Disc, Point, distance_sq, gap_between, near_to
from caltrop.rules.squad_action.catalogue import Class, Face, stepped
from caltrop.rules.squad_action.places import bodies, template
from caltrop.rules.squad_action.records import Firefight


class ShellEffect(NamedTuple):
    pins: bool
    """True if soldiers take a pinning check."""
    at: Class | None
    """AT class of a hit on a machine; None for no hit."""
    hits: str
    """Number of hits on soldiers, such as `d3`, `d6` or `d6+3`; empty for none."""


NOTHING = ShellEffect(False, None, "")
_HIT: dict[str, tuple[int, Class, str]] = {
    "light": (6, "VLt", "d3"),
    "bombs": (6, "VLt", "d3"),
    "medium": (5, "Lt", "d6"),
    "heavy": (5, "Med", "d6+3"),
}
"""For each weight of shells: lowest roll that hits, AT class, and number of hits."""


@rule("SQ-FMI-08", "SQ-Q29")
def scatters(b: HasBook, face: int) -> bool:
    """A shell is on target if the scatter die shows 1 or 2; otherwise it scatters."""
    return face >= 3


@rule("SQ-FMI-08", "SQ-FMI-09", "SQ-Q30", stages=("house",))
def scatter_dice(b: HasBook, rounds: int) -> tuple[int, int]:
    """A shell scatters by the sum of two dice. Each further turn of sustained fire rolls one die less.

    The second number is the number of dice that are subtracted from the sum.
    """
    return max(3 - rounds, 0), 0


@scatter_dice.amended_by("SQ-Q30", stage="house", house={"sustained": "subtract"})
def a_die_is_subtracted(value: tuple[int, int], b: HasBook, rounds: int) -> tuple[int, int]:
    """House rule: each further turn of sustained fire rolls one more die, which is subtracted from the sum of two."""
    return 2, rounds - 1


@rule("SQ-FMI-10", "SQ-FMI-11", "SQ-AIR-07", "SQ-Q31", stages=("house",))
def radius_of(b: HasBook, asset: Asset) -> int:
    """The radius is 5 inches for light and medium shells, and 10 inches for heavy shells and bombs."""
    return (5 if asset in ("light", "medium") else 10) * INCH


@radius_of.amended_by("SQ-Q31", stage="house", house={"template": "diameter"})
def it_is_the_diameter(radius: int, b: HasBook, asset: Asset) -> int:
    return radius // 2


@rule("SQ-FMI-12", "SQ-FMI-13", "SQ-Q32", stages=("house",))
def under_fire(t: Firefight, marker: Point, radius: int, side: int) -> tuple[int, ...]:
    """Every unit with a model within the radius of the marker is under fire, friend or foe, except flyers."""
    blast: Disc = (*marker, radius)
    return tuple(
        [
            u.id
            for u in t.units
            if u.where == "table" and u.kind != "flyer" and any(near_to(blast, b, 0) for b in bodies(t, u.id))
        ]
    )


@under_fire.amended_by("SQ-Q32", stage="house", house={"friendly_fire": "off"})
def friends_are_passed_over(
    value: tuple[int, ...], t: Firefight, marker: Point, radius: int, side: int
) -> tuple[int, ...]:
    """House rule: units of the caller's side are not hit."""
    return tuple([u for u in value if t.units[u].side != side])


@rule("SQ-FMI-14", "SQ-FMI-15", "SQ-FMI-16", "SQ-AIR-07")
def effect_of(b: HasBook, asset: Asset, face: int) -> ShellEffect:
    """A shell does nothing on 1 and 2, causes a pinning check on 3 or more, and also hits on the highest faces."""
    least, at, hits = _HIT[asset]
    if face <= 2:
        return NOTHING
    return ShellEffect(True, at, hits) if face >= least else ShellEffect(True, None, "")


@rule("SQ-FMI-17", "SQ-FMI-18", "SQ-FMI-19", "SQ-Q43")
def shell_at_machine(b: HasBook, at: Class, direct: bool) -> tuple[Class, Face]:
    """A direct hit strikes a machine's side; a near hit strikes the front with one class less."""
    return (at, "side") if direct else (stepped(at, -1), "front")


def hits_in(kind: str, face: int) -> int:
    """Return the number of hits for a rolled face. *kind* is a number as in `ShellEffect.hits`.

    >>> hits_in("d3", 5), hits_in("d6", 5), hits_in("d6+3", 5)
    (3, 5, 8)
    """
    return (face + 1) // 2 if kind == "d3" else face + 3 if kind == "d6+3" else face


def _places(t: Firefight, unit: int) -> tuple[Point, ...]:
    return tuple([at for m in t.units[unit].models if (at := t.models[m].at) is not None])


def circles_of(t: Firefight, aim: Point, assets: Sequence[str]) -> tuple[Template, ...]:
    """Return a template for each possible radius of shells or bombs; none for strafing runs."""
    sizes: dict[int, list[str]] = {}
    for asset in assets:
        if asset in _HIT:
            weight: Any = asset
            sizes.setdefault(radius_of(t, weight), []).append(asset)
    return tuple([template(t, (*aim, r), f"{' and '.join(names)}, {r // INCH} in") for r, names in sizes.items()])


def templates_to_print(b: HasBook) -> tuple[tuple[str, int], ...]:
    sizes: dict[int, list[str]] = {}
    for asset in _HIT:
        weight: Any = asset
        sizes.setdefault(radius_of(b, weight), []).append(WHAT_FIRES[asset])
    return tuple([(" and ".join(names).capitalize(), radius) for radius, names in sizes.items()])


def gap_to(t: Firefight, unit: int, place: Point) -> int:
    return min([gap_between(b, (*place, 0)) for b in bodies(t, unit)])


def middle_of(t: Firefight, unit: int) -> Point:
    """Return the place of the model nearest to the mean of its unit's places."""
    places = _places(t, unit)
    mean = (sum([x for x, _ in places]) // len(places), sum([y for _, y in places]) // len(places))
    return min(places, key=lambda p: (distance_sq(p, mean), p))


Asset = Literal["light", "medium", "heavy", "airstrike", "bombs"]
"""Kind of off-board fire: shells of three weights, an airstrike, or the bombs of an airstrike."""


WHAT_FIRES: dict[str, str] = {
    "light": "light shells",
    "medium": "medium shells",
    "heavy": "heavy shells",
    "bombs": "light bombs",
    "strafing": "strafing run",
    "anti-vehicle": "anti-vehicle fire",
}
"""Words for each kind of off-board fire."""
