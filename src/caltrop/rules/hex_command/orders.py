"""Orders: the units that a card may order, their number in each section, and their announcement before all moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from caltrop.asking import Act, Choices, Guards, OneOf, Pick
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    Guard,
    MotionOf,
    Procedure,
    Refusal,
    Sum,
    Term,
    ask,
    guard,
    rule,
    step,
)
from caltrop.kit.words import listed
from caltrop.rules.hex_command.cards import title_of
from caltrop.rules.hex_command.catalogue import (
    ALL,
    CardKind,
    Section,
    card_kind,
)
from caltrop.rules.hex_command.places import class_for_cards, sections_of
from caltrop.rules.hex_command.records import Battle, Unit, placed, spot_of
from caltrop.table.hexes import Hex

NO_UNIT = guard("HX-TRN-02", "no-unit-of-yours", "That unit is not yours on the map: {name}")
ORDERED = guard("HX-TRN-02", "ordered", "You have ordered {unit} at {hex} already")
ELSEWHERE = guard(
    ("HX-S13", "HX-Q34"), "elsewhere", "The card orders units {sections}; it cannot order {unit} at {hex}, {where}"
)
NO_ORDER_LEFT = guard(("HX-TRN-02", "HX-Q34"), "no-order-left", "No order {sections} is left for {unit} at {hex}")
NOT_INFANTRY = guard(("HX-Q34", "HX-S49", "HX-S56"), "not-infantry", "{title} orders infantry; it cannot order {unit}")
NOT_VEHICLES = guard(("HX-Q34", "HX-S50"), "not-vehicles", "{title} orders vehicles; it cannot order {unit}")
NO_GOD_MACHINE = guard(("HX-Q34", "HX-S51"), "no-god-machine", "{title} orders God Machines; it cannot order {unit}")
NEXT_TO_AN_ENEMY = guard(
    ("HX-S5A", "HX-S56"),
    "next-to-an-enemy",
    "{title} orders units that are next to no enemy; it cannot order {unit} at {hex}",
)
NO_ENEMY_NEAR = guard(
    "HX-S5B", "no-enemy-near", "{title} orders units next to an enemy; it cannot order {unit} at {hex}"
)
NOT_IN_THE_CIRCLE = guard("HX-S58", "not-in-the-circle", "{title} has ordered its leader and every unit next to it")
_CLASS_GUARDS: dict[str, tuple[str, Guard]] = {
    "infantry": ("infantry", NOT_INFANTRY),
    "infantry-apart": ("infantry", NOT_INFANTRY),
    "vehicle": ("vehicle", NOT_VEHICLES),
    "god-machine": ("god-machine", NO_GOD_MACHINE),
}
_BY_KIND = ("infantry", "vehicle", "god-machine", "leadership")
"""Kinds of cards for which `not_for` has the same result for all units of a kind."""
_BITS: dict[Section, int] = {"left": 1, "centre": 2, "right": 4}
_WHERE = {"left": "on your left", "centre": "in the centre", "right": "on your right"}


def _open_to(masks: Sequence[int], card: CardKind, each: int) -> list[bool]:
    """Return for each mask of sections whether another unit with that mask can be ordered besides the units in *masks*.

    By Hall's theorem, orders can be distributed if no set of sections has fewer orders than units that count only in
    these sections.
    """
    every = sum([_BITS[s] for s in card.sections])
    full = [False] * 8
    for within in range(1, 8):
        orders = each * (within & every).bit_count()
        if sum([not mask & ~within for mask in masks]) >= orders:
            full[within] = True
    return [not any(full[w] for w in range(1, 8) if not mask & ~w) for mask in range(8)]


class GiveOrders(Procedure):
    """A side announces the units that it orders.

    The result is the units on which an order of the card was used.
    """

    side: int
    each: int = 0
    """Number of units that may be ordered in each section of the card, or anywhere if it has no sections."""
    anybody: bool = False
    """True if the card orders any single unit."""
    able: tuple[tuple[int, int], ...] = ()
    """Units that the card may order, each with the sections in which it counts, as bits."""
    spent: tuple[int, ...] = ()
    """Units on which an order was used."""

    @step("HX-TRN-02", "HX-Q24", "HX-Q34", "HX-S73")
    def read_the_card(self, t: Battle) -> Go | None:
        """The card decides which units may be ordered. A card for all units orders them at once.

        A unit that may act without a card in this scenario is ordered too.
        """
        card = card_kind(t, t.card)
        if card.on:
            self.anybody = orders_any_one(t, self.side, card)
            self.each = 1 if self.anybody else card.units
            if self.anybody:
                self.able = tuple([(u.id, 1) for u in t.of_side(self.side)])
            elif self.each and card.only != "leadership":
                self.able = tuple(_counting(t, self.side, those_of(t, self.side, card), card))
        if self.each == ALL:
            for id, _ in self.able:
                give_order(t, id)
            self.able = ()
        besides = t.field.always
        if besides is not None and t.units[besides].side == self.side and t.units[besides].hex is not None:
            give_order(t, besides, beside=besides not in t.ordered)
            if self.anybody or not does_more(card):
                self.able = tuple([pair for pair in self.able if pair[0] != besides])
        return None if self.able else Go("tell")

    @step("HX-TRN-02")
    def choose_a_unit(self, t: Battle) -> Ask | Go:
        """Units are announced one after another, while an order is left for any unit."""
        choices = self._choices(t)
        return ask(OrderUnits(side=self.side, choices=choices, spent=self.spent)) if choices else Go("tell")

    @step("HX-TRN-02", "HX-Q24", "HX-Q26")
    def order_it(self, t: Battle, choice: OrderUnit | EndOrders) -> Go | None:
        """A side may order fewer units than the card allows."""
        return choice.perform(t, self)

    @step("HX-TRN-02")
    def tell(self, t: Battle) -> End:
        """All ordered units are announced before the first move."""
        t.tell(UnitsOrdered(self.side, tuple(t.ordered)))
        return End(self.spent)

    def _choices(self, t: Battle) -> tuple[int, ...]:
        card = card_kind(t, t.card)
        gone = {*t.ordered, *self.spent}
        if t.field.always is not None and t.field.always not in self.spent:
            # A unit that is ordered without a card may also get an order of the card, for its effects.
            gone.discard(t.field.always)
        if self.anybody or len(card.sections) < 2:
            # With at most one section all orders are alike, so they need not be distributed among sections.
            return tuple([id for id, _ in self.able if id not in gone]) if len(self.spent) < self.each else ()
        free = _open_to([mask for id, mask in self.able if id in self.spent], card, self.each)
        return tuple([id for id, mask in self.able if free[mask] and id not in gone])


def _the(t: Battle, unit: Unit) -> str:
    return f"the {t.called(unit.id)}"


# --- units that a card orders ----------------------------------------------------------------------------------------


@rule("HX-Q34")
def not_for(t: Battle, unit: Unit, card: CardKind) -> Refusal | None:
    """A card is only for some units, wherever they are. The result is why a unit cannot be ordered, or None."""
    if not card.only:
        return None
    if card.only in _CLASS_GUARDS:
        needed, other = _CLASS_GUARDS[card.only]
        refusal = other.refuses(class_for_cards(t, unit) != needed, title=card.title, unit=_the(t, unit))
        if refusal is not None or card.only != "infantry-apart":
            return refusal
    if card.only == "leadership":
        return NOT_IN_THE_CIRCLE.refuses(not unit.row.is_leader, title=card.title)
    assert unit.hex is not None
    near = bool(t.enemies_next_to(unit.hex, unit.side))
    if card.only == "touching":
        return NO_ENEMY_NEAR.refuses(not near, unit=_the(t, unit), hex=unit.hex, title=card.title)
    return NEXT_TO_AN_ENEMY.refuses(near, unit=_the(t, unit), hex=unit.hex, title=card.title)


def those_of(t: Battle, side: int, card: CardKind) -> list[Unit]:
    """Return the units of a side that a card may order, wherever they are.

    An attached leader counts separately from its unit (HX-Q26).
    """
    mine = t.of_side(side)
    if not card.only:
        return mine
    if card.only not in _BY_KIND:
        return [u for u in mine if not_for(t, u, card) is None]
    kinds: dict[str, bool] = t.book.scratch.setdefault("kinds ordered", {}).setdefault(card.key, {})
    units = []
    for u in mine:
        ordered = kinds.get(u.kind)
        if ordered is None:
            ordered = kinds[u.kind] = not_for(t, u, card) is None
        if ordered:
            units.append(u)
    return units


@rule("HX-S49", "HX-S50", "HX-S51", "HX-S58", "HX-S5B", "HX-Q32")
def orders_any_one(t: Battle, side: int, card: CardKind) -> bool:
    """A card orders any one unit if its side has no unit that it may order, or no card to copy."""
    return card.act == "copy" or (card.or_any and not those_of(t, side, card))


def does_more(card: CardKind) -> bool:
    """Return whether a card gives its units an effect besides letting them act."""
    return bool(card.dice or card.farther or card.act)


def card_for(t: Battle, unit: int) -> CardKind | None:
    """Return the card in force if it orders a unit; None if the unit is ordered without the card, or is not ordered."""
    if unit in t.ordered and unit not in t.beside and t.card:
        return card_kind(t, t.card)
    return None


@rule("HX-S50", "HX-S51", "HX-S58", "HX-S5A", "HX-S5B")
def card_dice(t: Battle, unit: int, distance: int) -> Sum:
    """A card may give its units dice for close assaults (distance 1), for fire (2 or more), or for both."""
    card = card_for(t, unit)
    if card is None or not card.dice or card.when == ("fire" if distance == 1 else "close"):
        return ()
    return (Term(card.dice, card.clause, card.title),) if card.on else ()


def give_order(t: Battle, unit: int, *, beside: bool = False) -> None:
    """Order a unit, and with the same order its attached leader (HX-LDS-02, HX-Q34).

    Args:
        unit: The unit or leader to order.
        beside: True if the card in force has no effect on the unit.
    """
    u = t.units[unit]
    if unit not in t.ordered:
        t.ordered.append(unit)
        if beside:
            t.beside.append(unit)
    elif not beside and unit in t.beside:
        t.beside.remove(unit)
    leader = t.leader_of(u)
    if leader is None:
        return
    # Effects for a class do not apply to leaders, who belong to no class.
    apart = beside or card_kind(t, t.card).only in _CLASS_GUARDS
    if leader.id not in t.ordered:
        t.ordered.append(leader.id)
        if apart:
            t.beside.append(leader.id)
    elif not apart and leader.id in t.beside:
        t.beside.remove(leader.id)


# --- number of units to order ----------------------------------------------------------------------------------------


def _counting(t: Battle, side: int, units: Sequence[Unit], card: CardKind) -> list[tuple[int, int]]:
    """Return the units of a side that count for a section of a card, each with its sections as bits.

    A card without sections has a single bit for the whole map.
    """
    if not card.sections:
        return [(u.id, 1) for u in units]
    key = (t.field.rows, t.field.columns, side, card.sections)
    masks: dict[Hex | None, int] = t.book.scratch.setdefault("sections", {}).setdefault(key, {})
    counts = []
    for u in units:
        mask = masks.get(u.hex)
        if mask is None:
            assert u.hex is not None
            mask = sum([_BITS[s] for s in sections_of(t, u.hex, side) if s in card.sections])
            masks[u.hex] = mask
        if mask:
            counts.append((u.id, mask))
    return counts


# --- decisions -------------------------------------------------------------------------------------------------------


class OrderUnit(Act, frozen=True):
    """Order a unit."""

    unit: Annotated[int, Pick(lambda choices: choices, shown=placed)]

    words = "Order the {unit}"
    context = ("choices", "spent")
    spot = spot_of
    guards = Guards(
        lambda t, side, choices, spent, unit: None if unit in choices else why_not_ordered(t, side, spent, unit)
    )

    def nearest(self, o: Choices) -> Act:
        t, choices = o.t, o.asked.choices
        at = t.units[self.unit].hex if 0 <= self.unit < len(t.units) else None
        if not choices or at is None:
            nearest: Act = o.first()
            return nearest
        return OrderUnit(min(choices, key=lambda id: t.map.distance(at, t.units[id].hex or at)))

    def perform(self, t: Battle, by: GiveOrders) -> Go:
        give_order(t, self.unit, beside=by.anybody)
        by.spent = (*by.spent, self.unit)
        return Go("choose_a_unit")


class EndOrders(Act, frozen=True):
    """Order no more units."""

    words = "Order nobody{else}"
    says: ClassVar[Mapping[str, Any]] = {"else": lambda spent: " else" if spent else ""}
    context = ("spent",)
    final = True

    def perform(self, t: Battle, by: GiveOrders) -> None: ...


def why_not_ordered(t: Battle, side: int, spent: Sequence[int], id: int) -> Refusal | None:
    """Return why no order may be used on a unit that is not among the choices."""
    card = card_kind(t, t.card)
    unit = t.units[id] if 0 <= id < len(t.units) else None
    if unit is None or unit.hex is None or unit.side != side:
        return NO_UNIT.refuses(True, unit=id, name=t.name_of(id))
    at: dict[str, Any] = {"unit": _the(t, unit), "hex": unit.hex}
    sections = listed([_WHERE[s] for s in card.sections]) or "anywhere"
    own = [s for s in sections_of(t, unit.hex, side) if s in card.sections]
    if orders_any_one(t, side, card):
        return ORDERED.refuses(id in t.ordered, **at)
    return (
        ORDERED.refuses(id in t.ordered and (id != t.field.always or id in spent or not does_more(card)), **at)
        or not_for(t, unit, card)
        or ELSEWHERE.refuses(
            not _counting(t, side, (unit,), card),
            where=listed([_WHERE[s] for s in sections_of(t, unit.hex, side)]),
            sections=sections,
            **at,
        )
        or NO_ORDER_LEFT.refuses(True, sections=listed([_WHERE[s] for s in own]) or "anywhere", **at)
    )


def _orders_left(t: Battle, asked: OrderUnits) -> str:
    """Return the number of orders left in words, by section if needed; empty without a limit."""
    card = card_kind(t, t.card)
    if orders_any_one(t, asked.side, card):
        return f"{1 - len(asked.spent)} of 1 left"
    each = card.units
    if not each or each == ALL:
        return ""
    if not card.sections:
        return f"{each - len(asked.spent)} of {each} left"
    able = dict(_counting(t, asked.side, those_of(t, asked.side, card), card))
    spent = [able[id] for id in asked.spent if id in able]
    rooms = [(section, _room(spent, card, each, _BITS[section])) for section in card.sections]
    every = each * len(card.sections)
    left = every - len(asked.spent)
    if len(card.sections) == 1:
        return f"{left} of {every} left {_WHERE[card.sections[0]]}"
    return f"{left} of {every} left: at most {listed([f'{room} {_WHERE[section]}' for section, room in rooms])}"


def _room(spent: Sequence[int], card: CardKind, each: int, section: int) -> int:
    """Return the number of further units in a single section that can be ordered."""
    more = 0
    while more < each and _open_to([*spent, *[section] * more], card, each)[section]:
        more += 1
    return more


class OrderUnits(OneOf, frozen=True, kw_only=True):
    """A side chooses which unit it orders next."""

    choices: tuple[int, ...]
    """Units that may be ordered next."""
    spent: tuple[int, ...] = ()
    """Units on which orders were used so far."""

    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-02", "HX-Q34")
    hint: ClassVar[str] = (
        "Only units that you order act this turn: they move and battle, unless the card says otherwise. "
        "Name them all before any of them acts."
    )
    about = ("unit",)
    acts = (OrderUnit, EndOrders)

    def prompt(self, t: Battle) -> str:
        left = _orders_left(t, self)
        return f"{title_of(t, t.card)}{f', {left}' if left else ''}. Which unit do you order?"


# --- events ----------------------------------------------------------------------------------------------------------


class UnitsOrdered(Event, frozen=True):
    """A side announced the units that it orders."""

    side: int
    units: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-02",)
    about = ("units",)
    shown = MotionOf("order", unit="", side="side", units="units")

    def sentence(self, t: Battle) -> str:
        side = t.field.names[self.side]
        if not self.units:
            return f"{side} orders nobody"
        return f"{side} orders {listed([f'the {t.units[id].name}' for id in self.units])}"
