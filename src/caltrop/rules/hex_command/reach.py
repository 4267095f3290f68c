"""The largest moves of a unit, in general and if it is to battle afterwards (HX-S20, HX-S30)."""

from __future__ import annotations

from caltrop.engine import Refusal, Sum, Term, guard, rule, total
from caltrop.rules.hex_command.orders import card_for
from caltrop.rules.hex_command.records import Battle, Unit

TOO_FAR_TO_BATTLE = guard("HX-S20", "moved-too-far", "The {unit} moved {moved:hex}, and battle may follow {most}")
ENTERED_WOODS = guard("HX-S32", "entered-woods", "The {unit} entered woods this turn, and may not battle")
REPAIRING = guard("HX-S54", "repairing", "For the {unit} Field Repair takes the place of move and battle")


# --- lengths ---------------------------------------------------------------------------------------------------------


@rule("HX-S20", "HX-S49")
def farthest(t: Battle, unit: Unit) -> Sum:
    """A unit's largest move off the road, in hexes.

    A unit that a card lets battle after more hexes may also move that far.
    """
    row = unit.row
    parts: Sum = (Term(row.number("move"), "HX-S20", f"{row.title} move"),)
    card = card_for(t, unit.id)
    if card is not None and card.farther and card.on:
        more = row.number("battle_move") + card.farther - parts[0].value
        if more > 0:
            parts = (*parts, Term(more, card.clause, card.title))
    return parts


def most_hexes(t: Battle, unit: Unit) -> int:
    """Return a unit's largest move in hexes, cached for each kind of unit and card."""
    card = card_for(t, unit.id)
    cache: dict[tuple[str, str], int] = t.book.scratch.setdefault("most hexes", {})
    key = (unit.kind, "" if card is None else card.key)
    most = cache.get(key)
    if most is None:
        most = cache[key] = total(farthest(t, unit))
    return most


@rule("HX-S30")
def farther_by_road(t: Battle, unit: Unit) -> Sum:
    """A move that is by road all the way, including its start, may be 1 hex longer, even before a battle."""
    return (Term(1, "HX-S30", "By road all the way"),)


@rule("HX-S20", "HX-S49", "HX-S30")
def farthest_to_battle(t: Battle, unit: Unit) -> Sum:
    """The largest move after which a unit may battle, in hexes."""
    row = unit.row
    parts: Sum = (Term(row.number("battle_move"), "HX-S20", f"{row.title} move and battle"),)
    card = card_for(t, unit.id)
    if card is not None and card.farther and card.on:
        parts = (*parts, Term(card.farther, card.clause, card.title))
    if unit.id in t.by_road:
        parts = (*parts, *farther_by_road(t, unit))
    return parts


def most_hexes_to_battle(t: Battle, unit: Unit) -> int:
    """Return the largest move after which a unit may battle, cached by kind of unit, card, and use of the road."""
    card = card_for(t, unit.id)
    cache: dict[tuple[str, str, bool], int] = t.book.scratch.setdefault("most hexes to battle", {})
    key = (unit.kind, "" if card is None else card.key, unit.id in t.by_road)
    most = cache.get(key)
    if most is None:
        most = cache[key] = total(farthest_to_battle(t, unit))
    return most


def no_battle_after_moving(t: Battle, unit: Unit) -> Refusal | None:
    """Return why a unit may not battle after its move this turn, or None if it may."""
    if unit.id in t.entered:
        refusal = ENTERED_WOODS.refuses(True, unit=t.called(unit.id))
        if refusal is not None:
            return refusal
    moved = t.moved.get(unit.id)
    if moved is not None:
        most = most_hexes_to_battle(t, unit)
        if moved > most:
            return TOO_FAR_TO_BATTLE.refuses(True, unit=t.called(unit.id), moved=moved, most=most)
    card = card_for(t, unit.id)
    if card is not None and card.act == "repair" and card.on:
        return REPAIRING.refuses(True, unit=t.called(unit.id))
    return None
