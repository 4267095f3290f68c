"""The reach of units and its cost: the price of a distance, of terrain, and of a shot.

Every price is a sum of explained terms. A ladder is a list of bands (length, price): the price of a move up to that
length, including the shot if the rules say so. Paths are in `routes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from caltrop.engine import Sum, Term, rule, total
from caltrop.engine.rule import HasBook
from caltrop.geometry import CM
from caltrop.rules.command_horizon.catalogue import UnitKind, unit_kind
from caltrop.rules.command_horizon.records import Battle

Band = tuple[int, Sum]
"""A length in tenths of a millimetre, and the price of a move up to that length."""

CHARGE_BONUS = 5 * CM
"""Distance by which a charge reaches farther than a move."""


def kind_of(t: Battle, unit: int) -> UnitKind:
    u = t.units[unit]
    return unit_kind(t, t.armies[u.side].army, u.kind)


def is_infantry(t: Battle, unit: int) -> bool:
    return t.units[unit].kind in ("infantry", "heavy-weapons")


def is_light(t: Battle, unit: int) -> bool:
    """Return whether a unit is a vehicle unit of the Light class, including Carriers (Q-RUSH-2)."""
    return t.units[unit].kind in ("light-tank", "carrier")


def is_putredine(t: Battle, unit: int) -> bool:
    return t.armies[t.units[unit].side].army == "putredine"


_TRAITS: dict[tuple[str, str], tuple[str, ...]] = {}


def movement_traits(army: str, kind: str) -> tuple[str, ...]:
    """Return the traits that count for amendments about movement: the army, and how a kind moves.

    >>> movement_traits("putredine", "carrier")
    ('putredine', 'vehicle', 'first-free')
    """
    names = _TRAITS.get((army, kind))
    if names is None:
        traits = [army]
        if kind in ("infantry", "heavy-weapons"):
            traits += ["infantry", f"{army}-infantry"]
        else:
            traits.append("vehicle")
            if army == "putredine":
                traits.append("first-free")
            elif kind in ("light-tank", "carrier"):
                traits += ["light", "first-free"]
        names = _TRAITS[army, kind] = tuple(traits)
    return names


def _of_unit(t: Battle, unit: int, *more: Any) -> tuple[str, ...]:
    u = t.units[unit]
    return movement_traits(t.armies[u.side].army, u.kind)


def _of_kind(b: HasBook, army: str, kind: str, *more: Any) -> Iterable[str]:
    return movement_traits(army, kind)


# --- the ladder of a move -------------------------------------------------------------------------------------------

_FIRST_FREE = {"light": ("CH-COST-07", "Light tanks pay nothing for the first 10 cm")}
_PUTREDINE_FREE = ("CH-PUT-05", "Putredine units move 10 cm for free")


@rule(
    "CH-MOVE-01",
    "CH-MOVE-02",
    "CH-MOVE-03",
    "CH-MOVE-05",
    "CH-COST-02",
    "CH-COST-03",
    "CH-COST-04",
    "CH-COST-05",
    "CH-COST-06",
    "Q-MOVE-1",
    "Q-MOVE-2",
    "Q-MOVE-3",
    "Q-MOVE-7",
    "Q-MOVE-8",
    "Q-MOVE-10",
    stages=("cap", "class", "free"),
    traits=_of_kind,
)
def ladder(b: HasBook, army: str, kind: str) -> tuple[Band, ...]:
    """Any unit moves up to 10, 20 or 30 cm for 1, 3 or 6 CP in total, and may fire as well."""
    return (
        (10 * CM, (Term(1, "CH-COST-03", "a move of up to 10 cm"),)),
        (20 * CM, (Term(3, "CH-COST-04", "a move of up to 20 cm"),)),
        (30 * CM, (Term(6, "CH-COST-05", "a move of up to 30 cm"),)),
    )


@ladder.amended_by("Q-MOVE-2", stage="cap", house={"move.cap": "none"})
def the_list_goes_on(bands: tuple[Band, ...], b: HasBook, army: str, kind: str) -> tuple[Band, ...]:
    """House rule: the fourth 10 cm cost 4 extra CP, the fifth 5, and so on."""
    more = [(n * 10 * CM, (Term(n * (n + 1) // 2, "Q-MOVE-2", f"a move of up to {n * 10} cm"),)) for n in range(4, 19)]
    return (*bands, *more)


@ladder.amended_by("CH-INFMOVE-01", "CH-INFMOVE-04", "CH-ASORI-16", "CH-PUTINF-01", "CH-PUTINF-02", "CH-PUTINF-03",
                   stage="class", trait="infantry")  # fmt: skip
def infantry_moves_for_free(bands: tuple[Band, ...], b: HasBook, army: str, kind: str) -> tuple[Band, ...]:
    """Infantry moves 10 cm for free. For 1 CP Asori infantry moves 20 cm, and Putredine infantry 15 cm."""
    row = unit_kind(b, army, kind)
    free = row.number("move_cm")
    ladder_: list[Band] = [(free * CM, (Term(0, _clause(row, "move_cm"), f"infantry moves {free} cm for free"),))]
    far = row.number("long_move_cm")
    if far:
        ladder_.append((far * CM, (Term(1, _clause(row, "long_move_cm"), f"a move of up to {far} cm"),)))
    return tuple(ladder_)


def _clause(row: UnitKind, field: str) -> str:
    # The general rules give Alliance and Asori infantry 10 free cm, so the clause of that rule is named instead of the
    # unit's row.
    return "CH-INFMOVE-01" if field == "move_cm" and row.army != "putredine" else row.clause(field)


@ladder.amended_by("CH-COST-07", "CH-PUT-05", "Q-MOVE-4", "Q-PUT-2",
                   stage="free", trait="first-free", house={"move.freeFirst": "waive"})  # fmt: skip
def the_first_cp_is_waived(bands: tuple[Band, ...], b: HasBook, army: str, kind: str) -> tuple[Band, ...]:
    """Light tanks and Putredine vehicles do not pay for their first 10 cm. Moves of these units cost 0, 2 and 5 CP."""
    clause, words = _FIRST_FREE["light"] if army != "putredine" else _PUTREDINE_FREE
    return tuple([(length, (*price, Term(-1, clause, words))) for length, price in bands])


@ladder.amended_by("CH-COST-07", "CH-PUT-05", "Q-MOVE-4",
                   stage="free", trait="first-free", house={"move.freeFirst": "shift"})  # fmt: skip
def the_scale_is_shifted(bands: tuple[Band, ...], b: HasBook, army: str, kind: str) -> tuple[Band, ...]:
    """House rule: after the free 10 cm prices begin at 1 CP, so that moves cost 0, 1 and 3 CP."""
    clause, words = _FIRST_FREE["light"] if army != "putredine" else _PUTREDINE_FREE
    ladder_: list[Band] = [(bands[0][0], (Term(0, clause, words),))]
    for (length, _), (_, price) in zip(bands[1:], bands, strict=False):
        amount = total(price)
        ladder_.append((length, (Term(amount, "Q-MOVE-4", f"{length // CM - 10} cm beyond the free 10 cm"),)))
    return tuple(ladder_)


@rule("CH-MOVE-01", stages=("stun", "joined"), traits=_of_unit)
def bands(t: Battle, unit: int) -> tuple[Band, ...]:
    """Each distance of a unit has a price, before terrain."""
    u = t.units[unit]
    cache: dict[Any, tuple[Band, ...]] = t.book.scratch.setdefault("ladder", {})
    key = (t.armies[u.side].army, u.kind)
    ladder_ = cache.get(key)
    if ladder_ is None:
        ladder_ = cache[key] = ladder(t, *key)
    return ladder_


@bands.amended_by("CH-MOVE-06", "CH-STUN-06", stage="stun", edition="current")
def stunned_units_stay_within_10_cm(ladder_so_far: tuple[Band, ...], t: Battle, unit: int) -> tuple[Band, ...]:
    """A unit with a Stun marker cannot pay to move beyond 10 cm."""
    return tuple([band for band in ladder_so_far if band[0] <= 10 * CM]) if t.units[unit].stuns else ladder_so_far


@bands.amended_by("CH-STUN-08", "Q-STUN-4", stage="stun", edition="v1.5", house={"v15.stunMove": "basic"})
def stunned_units_do_not_increase_their_move(ladder_so_far: tuple[Band, ...], t: Battle, unit: int) -> tuple[Band, ...]:
    """A unit with a Stun marker cannot spend CP to move beyond its first 10 cm."""
    return tuple([band for band in ladder_so_far if band[0] <= 10 * CM]) if t.units[unit].stuns else ladder_so_far


@bands.amended_by("Q-STUN-4", stage="stun", edition="v1.5", house={"v15.stunMove": "none"})
def stunned_units_pay_for_no_move(ladder_so_far: tuple[Band, ...], t: Battle, unit: int) -> tuple[Band, ...]:
    """House rule: a unit with a Stun marker can make only free moves."""
    return tuple([band for band in ladder_so_far if total(band[1]) == 0]) if t.units[unit].stuns else ladder_so_far


@bands.amended_by("CH-PUTINF-03", "CH-PUTINF-10", "CH-PUTINF-11", stage="joined", trait="putredine-infantry")
def newly_grouped_bases_only_buy(ladder_so_far: tuple[Band, ...], t: Battle, unit: int) -> tuple[Band, ...]:
    """A unit that bases have joined has no free move this turn, but may buy 5 extra cm."""
    u = t.units[unit]
    if not u.no_free_move or len(ladder_so_far) < 2:
        return () if u.no_free_move else ladder_so_far
    free, far = ladder_so_far[0][0], ladder_so_far[1][0]
    left = min(far - free, far - u.joined_from)
    price = (Term(1, "CH-PUTINF-11", f"{(far - free) // CM} cm more for a unit that bases have joined"),)
    return ((left, price),) if left > 0 else ()


@rule("CH-CHARGE-03", "Q-CHARGE-1", "Q-CHARGE-8", stages=("long",), traits=_of_unit)
def charge_bands(t: Battle, unit: int) -> tuple[Band, ...]:
    """A charge reaches 5 cm farther than a move, for the same price."""
    more = Term(0, "CH-CHARGE-03", "a charge adds 5 cm")
    return tuple([(length + CHARGE_BONUS, (*price, more)) for length, price in bands(t, unit)])


@charge_bands.amended_by("Q-CHARGE-1", stage="long", trait="asori-infantry", house={"charge.asoriLong": "no"})
def asori_charge_no_farther_than_others(bands: tuple[Band, ...], t: Battle, unit: int) -> tuple[Band, ...]:
    """House rule: Asori infantry cannot use its 20 cm move for a charge."""
    return bands[:1]


# --- terrain --------------------------------------------------------------------------------------------------------


def _pays_for_terrain(t: Battle, unit: int) -> bool:
    u = t.units[unit]
    row = unit_kind(t, t.armies[u.side].army, u.kind)
    return row.unit_class in ("medium", "heavy")


@rule(
    "CH-COST-10",
    "CH-TERRAIN-05",
    "CH-TERRAIN-07",
    "CH-TERRAIN-08",
    "CH-TERRAIN-09",
    "Q-TERRAIN-1",
    "Q-TERRAIN-2",
    stages=("edition", "piece", "army"),
    traits=_of_unit,
)
def terrain_price(t: Battle, unit: int, pieces: int) -> Sum:
    """Vehicles other than Light ones pay 1 CP if any part of the move is in rough terrain.

    Args:
        pieces: Number of pieces of rough terrain that the unit's models touch on their paths, including at the start.
    """
    if not pieces or not _pays_for_terrain(t, unit):
        return ()
    return (Term(1, "CH-TERRAIN-05", "rough terrain on the way"),)


@terrain_price.amended_by("CH-TERRAIN-06", "Q-TERRAIN-2", stage="edition", edition="v1.5")
def medium_vehicles_and_above_pay(price: Sum, t: Battle, unit: int, pieces: int) -> Sum:
    """In v1.5, vehicles of Medium class and above pay; these are the same vehicles."""
    return (Term(1, "CH-TERRAIN-06", "rough terrain on the way"),) if price else price


@terrain_price.amended_by("Q-TERRAIN-1", stage="piece", house={"terrain.charge": "piece"})
def every_piece_is_charged(price: Sum, t: Battle, unit: int, pieces: int) -> Sum:
    """House rule: a vehicle pays 1 CP for each piece of rough terrain."""
    return (Term(pieces, "Q-TERRAIN-1", f"rough terrain on the way, pieces: {pieces}"),) if price else price


@terrain_price.amended_by("CH-PUT-07", "CH-PUT-08", stage="army", trait="putredine")
def putredine_pay_nothing_for_terrain(price: Sum, t: Battle, unit: int, pieces: int) -> Sum:
    return ()


def pays_terrain(t: Battle, unit: int) -> bool:
    """Return whether a unit pays for rough terrain."""
    cache: dict[Any, bool] = t.book.scratch.setdefault("pays terrain", {})
    u = t.units[unit]
    key = (t.armies[u.side].army, u.kind)
    pays = cache.get(key)
    if pays is None:
        pays = cache[key] = bool(terrain_price(t, unit, 1))
    return pays


@rule("CH-BLOCK-02", stages=("army",), traits=_of_unit)
def crosses(t: Battle, unit: int) -> bool:
    """A unit cannot move through other units or over impassable terrain."""
    return False


@crosses.amended_by("CH-PUT-07", "CH-PUT-09", "CH-PUT-10", "Q-TERRAIN-3", stage="army", trait="putredine")
def putredine_cross_everything(value: bool, t: Battle, unit: int) -> bool:
    """Putredine units move over units and over impassable terrain."""
    return True


def passes_over(t: Battle, unit: int) -> bool:
    """Return whether a unit moves over units and impassable terrain, cached by kind."""
    cache: dict[Any, bool] = t.book.scratch.setdefault("crosses", {})
    u = t.units[unit]
    key = (t.armies[u.side].army, u.kind)
    passes = cache.get(key)
    if passes is None:
        passes = cache[key] = crosses(t, unit)
    return passes


# --- prices ---------------------------------------------------------------------------------------------------------


def price_of_move(t: Battle, unit: int, length: int, *, pieces: int = 0, charge: bool = False) -> Sum:
    """Return the price of a move and its parts. The price depends on the longest path of the unit's models (Q-MOVE-11).

    Args:
        length: Length of the unit's longest path, in tenths of a millimetre; 0 costs nothing.
        pieces: Number of pieces of rough terrain on the way.
        charge: True for a charge.

    Raises:
        ValueError: if the unit cannot move so far.
    """
    if length <= 0:
        return ()
    ladder_ = charge_bands(t, unit) if charge else bands(t, unit)
    for reach, price in ladder_:
        if length <= reach:
            return (*price, *terrain_price(t, unit, pieces)) if pieces else price
    raise ValueError(f"{t.called(unit)} cannot move {length} tenths of a millimetre")


@rule("CH-COST-01", "CH-COST-02", "CH-MOVE-03", "Q-MOVE-6", "Q-MOVE-10",
      stages=("class", "army"), traits=_of_unit)  # fmt: skip
def price_of_shot(t: Battle, unit: int, moved: int | bool | None = None) -> Sum:
    """A unit that does not move pays 1 CP to fire. The price of a move includes the shot.

    Args:
        moved: Distance that the unit has moved this turn, or True if it has moved; None to use the unit's record.
    """
    if _moved(t, unit, moved):
        return ()
    return (Term(1, "CH-COST-01", "fire without moving"),)


def _moved(t: Battle, unit: int, moved: int | bool | None) -> bool:
    return bool(t.units[unit].moved if moved is None else moved)


@price_of_shot.amended_by(
    "CH-COST-08", "Q-MOVE-5", stage="class", trait="light", edition="current", house={"light.fireNeeds": "fire-or-move"}
)
def light_tanks_fire_only_for_a_cp(price: Sum, t: Battle, unit: int, moved: int | bool | None = None) -> Sum:
    """A Light tank unit may fire only if at least 1 CP is spent on its fire or movement.

    After a free move, a Light Tank therefore pays for its shot.
    """
    return _after_the_free_move(price, t, unit, moved, t.units[unit].paid)


@price_of_shot.amended_by(
    "CH-COST-08", "Q-MOVE-5", stage="class", trait="light", edition="current", house={"light.fireNeeds": "any"}
)
def any_cp_lets_light_tanks_fire(price: Sum, t: Battle, unit: int, moved: int | bool | None = None) -> Sum:
    """House rule: any CP spent on a Light tank unit lets it fire."""
    return _after_the_free_move(price, t, unit, moved, t.units[unit].spent)


@price_of_shot.amended_by("Q-MOVE-6", stage="class", trait="light", edition="v1.5", house={"v15.lightFreeFire": "no"})
def a_free_move_covers_no_shot(price: Sum, t: Battle, unit: int, moved: int | bool | None = None) -> Sum:
    """House rule: after a free move, a Light tank unit of v1.5 also pays for its shot."""
    return _after_the_free_move(price, t, unit, moved, t.units[unit].paid)


def _after_the_free_move(price: Sum, t: Battle, unit: int, moved: int | bool | None, spent: int) -> Sum:
    if not _moved(t, unit, moved) or spent:
        return price
    return (Term(1, "CH-COST-08", "a Light tank unit fires after its free move"),)


@price_of_shot.amended_by("CH-INFMOVE-02", "CH-INFMOVE-03", stage="class", trait="infantry")
def infantry_fires_for_free_when_still(price: Sum, t: Battle, unit: int, moved: int | bool | None = None) -> Sum:
    """Infantry fires for free if it does not move, otherwise for 1 CP."""
    if _moved(t, unit, moved):
        return (Term(1, "CH-INFMOVE-03", "infantry moves and fires"),)
    return ()


@price_of_shot.amended_by("CH-PUT-06", "Q-PUT-2", stage="army", trait="putredine")
def putredine_move_or_fire_for_free(price: Sum, t: Battle, unit: int, moved: int | bool | None = None) -> Sum:
    """A Putredine unit either moves 10 cm or fires for free.

    Putredine infantry may move and fire for 1 CP. The price of a longer move includes the shot.
    """
    if _moved(t, unit, moved) and t.units[unit].paid == 0:
        return (Term(1, "CH-PUT-06", "fire after the free move"),)
    return ()


@rule("CH-MOVE-03", stages=("army",), traits=_of_unit)
def may_fire_after(t: Battle, unit: int, length: int) -> bool:
    return True


@may_fire_after.amended_by("CH-ASORI-17", stage="army", trait="asori-infantry")
def the_long_move_forbids_fire(may: bool, t: Battle, unit: int, length: int) -> bool:
    """Asori infantry cannot fire after its 20 cm move."""
    return may and length <= unit_kind(t, "asori", t.units[unit].kind).move_cm * CM


def called(t: Battle, it: int) -> str:
    return t.called(it)


def is_swarm(t: Battle, side: int) -> bool:
    return t.armies[side].army == "putredine"
