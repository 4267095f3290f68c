"""Cards with effects beyond orders: Barrage, Orbital Lance, Field Repair, Dig In and Inspired Leadership.

Effects of cards on dice are in `orders`, effects on moves in `reach` and `routes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Act, Choices, Offer, Offered, OneOf, Pick
from caltrop.chance import Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Procedure,
    Refusal,
    Run,
    Throw,
    ask,
    back,
    guard,
    rule,
    step,
)
from caltrop.kit.numbers import binomial, tally
from caltrop.picture import DieRead, Motion, Reading
from caltrop.rules.hex_command.attack import Bombard
from caltrop.rules.hex_command.catalogue import SYMBOLS, Symbol, battle_die, battle_throw, reading_of_symbols
from caltrop.rules.hex_command.entrenchments import Entrenched
from caltrop.rules.hex_command.orders import give_order
from caltrop.rules.hex_command.records import STEP, Battle, Unit, centre_of, full_strength, placed, spot_of
from caltrop.table.hexes import Hex

NO_TARGET = guard("HX-S52", "no-target", "That unit is not an enemy on the map: {name}")
ATTACHED = guard(("HX-S52", "HX-Q33"), "attached", "{name:is} attached to a unit: strike the unit")
NOT_UNDER_IT = guard("HX-S53", "not-under-it", "The lance does not strike that unit, or has struck it already: {name}")
NO_HEX = guard("HX-S53", "no-hex", "{fault}")
NO_LEADER = guard("HX-S58", "no-leader", "That is not a leader of yours on the map: {name}")
BARRAGE_DICE = 4
LANCE_DICE = 3
LANCE_DICE_AROUND = 1
REPAIR_DICE = 6


class Barrage(Procedure):
    """A barrage from behind the lines strikes one enemy unit."""

    side: int

    @step("HX-S52")
    def choose_a_target(self, t: Battle) -> Ask | End:
        """The target is any enemy unit, at any distance and behind any obstacle."""
        return ask(ChooseTarget(side=self.side)) if _enemies(t, self.side) else End()

    @step("HX-S52", "HX-Q33")
    def strike(self, t: Battle, choice: Strike) -> Run:
        return Run(barrage_at(self.side, choice.target))


class Lance(Procedure):
    """A beam from orbit strikes a chosen hex and the six hexes around it."""

    side: int
    hex: Hex = ""
    targets: tuple[int, ...] = ()

    @step("HX-S53")
    def name_a_hex(self, t: Battle) -> Ask:
        return ask(NameHex(side=self.side))

    @step("HX-S53")
    def look_around(self, t: Battle, choice: Name) -> None:
        self.hex, self.targets = choice.to, under_the_lance(t, choice.to)
        t.tell(HexNamed(self.side, self.hex, self.targets))

    @step("HX-S53")
    def choose_the_next(self, t: Battle) -> Ask | End | Go:
        """The player of the card chooses the order of the targets. The last target needs no choice."""
        self.targets = tuple([id for id in self.targets if t.units[id].hex is not None])
        if not self.targets:
            return End()
        if len(self.targets) == 1:
            return Go("strike_the_last")
        return ask(ChooseNext(side=self.side, targets=self.targets))

    @step("HX-S53", "HX-Q33")
    def strike(self, t: Battle, choice: Strike) -> Run:
        """Units in the surrounding hexes retreat away from the chosen hex. The unit in the struck hex retreats to its
        base line.
        """
        return self._strike(t, choice.target)

    go_on = back("choose_the_next", "HX-S53")

    @step("HX-S53", "HX-Q33")
    def strike_the_last(self, t: Battle) -> Run:
        return self._strike(t, self.targets[0])

    def _strike(self, t: Battle, target: int) -> Run:
        self.targets = tuple([id for id in self.targets if id != target])
        return Run(lance_at(t, self.side, self.hex, target))


class FieldRepair(Procedure):
    """A unit is repaired in place of moving and battling."""

    unit: int

    @step("HX-S54")
    def roll(self, t: Battle) -> Throw:
        return battle_throw(t, REPAIR_DICE, reading_of_symbols(t, SYMBOLS), t.units[self.unit].side, "Field Repair")

    @step("HX-S54")
    def restore(self, t: Battle, roll: Roll) -> None:
        u, die = t.units[self.unit], battle_die(t)
        symbols = tuple([die[face - 1] for face in roll])
        symbols_counted = sum([repairs(t, u, symbol) for symbol in symbols])
        back = min(symbols_counted, full_strength(u.row) - u.strength)
        if back:
            t.change(u.id, strength=u.strength + back)
        t.tell(Repaired(u.id, symbols, back))


class Inspiration(Procedure):
    """A leader orders itself and the units next to it."""

    side: int

    @step("HX-S58")
    def choose_a_leader(self, t: Battle) -> Ask | Go | End:
        leaders = leaders_of(t, self.side)
        if not leaders:
            return End()
        return ask(ChooseLeader(side=self.side)) if len(leaders) > 1 else Go("order_the_only_circle")

    @step("HX-S58")
    def order_the_circle(self, t: Battle, choice: Inspire) -> End:
        self._order(t, choice.unit)
        return End()

    @step("HX-S58")
    def order_the_only_circle(self, t: Battle) -> None:
        self._order(t, leaders_of(t, self.side)[0].id)

    def _order(self, t: Battle, leader: int) -> None:
        for id in circle_of(t, t.units[leader]):
            give_order(t, id)


def _enemies(t: Battle, side: int) -> list[Unit]:
    return [u for u in t.of_side(1 - side) if t.board[u.hex or ""] == u.id]


def barrage_at(side: int, target: int) -> Bombard:
    return Bombard(caller=side, target=target, dice=BARRAGE_DICE, away_from=None)


def under_the_lance(t: Battle, hex: Hex) -> tuple[int, ...]:
    """Return the units of both sides that the lance strikes: in the chosen hex and the hexes around it."""
    return tuple([t.board[h] for h in (hex, *t.map.neighbours[hex]) if h in t.board])


def lance_at(t: Battle, side: int, hex: Hex, target: int) -> Bombard:
    """Return the strike on one unit, of a lance aimed at that unit's hex or a neighbouring hex."""
    middle = t.units[target].hex == hex
    dice = LANCE_DICE if middle else LANCE_DICE_AROUND
    return Bombard(caller=side, target=target, dice=dice, away_from=None if middle else hex)


@rule("HX-S54")
def repairs(t: Battle, unit: Unit, symbol: Symbol) -> bool:
    """A unit is repaired by Target symbols and by the symbol of its class.

    A Leader unit is repaired by the symbols of both of its classes.
    """
    row = unit.row
    return symbol in ("target", row.unit_class) or (bool(row.counts_as) and symbol == row.counts_as)


# --- Dig In ----------------------------------------------------------------------------------------------------------


def entrench(t: Battle, units: Sequence[int]) -> None:
    """Dig an Entrenchment in the hex of each of some units, unless there is one already (HX-S56)."""
    for id in units:
        at = t.units[id].hex
        if at is not None and at not in t.entrenchments:
            t.entrenchments.append(at)
            t.tell(Entrenched(id, at))


def leaders_of(t: Battle, side: int) -> list[Unit]:
    """Return all leaders of a side on the map: single leaders, attached leaders, and Leader units."""
    return [u for u in t.of_side(side) if u.row.is_leader]


@rule("HX-S58")
def circle_of(t: Battle, leader: Unit) -> tuple[int, ...]:
    """A leader orders itself or its unit, and every unit of its side in the hexes around."""
    assert leader.hex is not None
    around = [t.board[hex] for hex in t.map.neighbours[leader.hex] if hex in t.board]
    return (t.board[leader.hex], *[id for id in around if t.units[id].side == leader.side])


# --- decisions -------------------------------------------------------------------------------------------------------


def _place(t: Battle, unit: int) -> dict[str, Any]:
    at = t.units[unit].hex
    return {"target": unit, "spot": None if at is None else t.map.centre(at)}


class Strike(Action, frozen=True):
    target: int


class ChooseTarget(Offered, frozen=True, kw_only=True):
    """A side chooses which unit the barrage strikes."""

    clauses: ClassVar[tuple[str, ...]] = ("HX-S52",)
    hint: ClassVar[str] = "Neither cover nor rank helps the target. It retreats towards its own base line."
    template = "Barrage: which enemy unit do you strike?"

    def options(self, t: Battle) -> Listed:
        return Listed([Strike(u.id) for u in _enemies(t, self.side)], partial(_no_target, t, self.side), "HX-S52")

    def offers(self, t: Battle) -> Sequence[Offer]:
        return [
            Offer(action=Strike(u.id), words=f"Strike the {t.called(u.id)} at {u.hex}", **_place(t, u.id))
            for u in _enemies(t, self.side)
        ]


def _no_target(t: Battle, side: int, action: Any) -> Refusal | None:
    if not isinstance(action, Strike):
        return None
    target = t.units[action.target] if 0 <= action.target < len(t.units) else None
    attached = target is not None and target.side != side and t.host_of(target) is not None
    values = {"unit": action.target, "name": t.name_of(action.target)}
    return ATTACHED.refuses(attached, **values) or NO_TARGET.refuses(True, **values)


def _not_under_it(t: Battle, action: Any) -> Refusal | None:
    return (
        NOT_UNDER_IT.refuses(True, unit=action.target, name=t.name_of(action.target))
        if isinstance(action, Strike)
        else None
    )


def _gain(t: Battle, side: int, hex: Hex) -> int:
    units = under_the_lance(t, hex)
    return sum([lance_at(t, side, hex, u).dice * (-1 if t.units[u].side == side else 1) for u in units])


def _strikes(t: Battle, side: int, to: Hex) -> str:
    units = under_the_lance(t, to)
    own = sum([t.units[u].side == side for u in units])
    return f"it strikes {len(units)}" + (f", {own} of them yours" if own else "")


class Name(Act, frozen=True):
    to: Annotated[Hex, Pick(lambda t: t.map.hexes, NO_HEX, fault=lambda t, to: t.map.fault(to))]

    words = "Name {to}: {strikes}"
    says: ClassVar[Mapping[str, Any]] = {"strikes": _strikes}
    spot = centre_of

    @classmethod
    def offered(cls, o: Choices) -> Iterator[Act]:
        """Yield the hexes with a unit to strike, beginning with the most dice at enemies."""
        hexes = [act for act in o.of(cls) if under_the_lance(o.t, act.to)]
        yield from sorted(hexes, key=lambda act: -_gain(o.t, o.side, act.to))


class NameHex(OneOf, frozen=True, kw_only=True):
    """A side chooses the hex that the lance strikes."""

    clauses: ClassVar[tuple[str, ...]] = ("HX-S53",)
    hint: ClassVar[str] = "3 dice strike a unit in the hex, and 1 die each unit in the six hexes around it: yours too."
    template = "Orbital Lance: which hex do you name?"
    acts = (Name,)


class ChooseNext(Offered, frozen=True, kw_only=True):
    """A side chooses which unit the lance strikes next."""

    targets: tuple[int, ...]
    """Ids of the units that the lance has not struck yet."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-S53",)
    hint: ClassVar[str] = "You choose the order: a unit that falls back may stand in the way of the next."
    template = "Orbital Lance: which unit is struck next?"

    def options(self, t: Battle) -> Listed:
        return Listed([Strike(id) for id in self.targets], partial(_not_under_it, t), "HX-S53")

    def offers(self, t: Battle) -> Sequence[Offer]:
        return [
            Offer(action=Strike(id), words=f"Strike the {t.called(id)} at {t.units[id].hex}", **_place(t, id))
            for id in self.targets
        ]


class Inspire(Act, frozen=True):
    """Order a leader and every unit next to it."""

    unit: Annotated[
        int,
        Pick(
            lambda t, side: [u.id for u in leaders_of(t, side)], NO_LEADER, placed, name=lambda t, unit: t.name_of(unit)
        ),
    ]

    words = "The {unit}, with {around} around"
    says: ClassVar[Mapping[str, Any]] = {"around": lambda t, unit: len(circle_of(t, t.units[unit])) - 1}
    spot = spot_of


class ChooseLeader(OneOf, frozen=True, kw_only=True):
    """A side chooses which leader orders the units around."""

    clauses: ClassVar[tuple[str, ...]] = ("HX-S58",)
    hint: ClassVar[str] = "The leader and all your units in the hexes around are ordered, and each has 1 die more."
    template = "Inspired Leadership: which leader orders the units around?"
    acts = (Inspire,)


# --- events ----------------------------------------------------------------------------------------------------------


class HexNamed(Event, frozen=True):
    """A side named the hex that the lance strikes."""

    side: int
    hex: Hex
    units: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HX-S53",)
    about = ("units",)

    def sentence(self, t: Battle) -> str:
        count = len(self.units)
        struck = quantity(count, "unit") if count else "nobody"
        return f"{t.field.names[self.side]} names {self.hex}: the lance strikes {struck}"

    def motion(self, t: Battle) -> Motion:
        at = t.map.centre(self.hex)
        return Motion(sort="scatter", side=self.side, units=self.units, at=at, to=at, radius=STEP // 2)


class Repaired(Event, frozen=True):
    """A unit was repaired."""

    unit: int
    symbols: tuple[Symbol, ...]
    back: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-S54",)

    def sentence(self, t: Battle) -> str:
        u = t.units[self.unit]
        what = "model" if u.row.models > 1 else "point"
        count = quantity(self.back, what) if self.back else f"no {what}s"
        return f"The {t.called(u.id)} at {u.hex}: Field Repair brings {count} back"

    def reading(self, t: Battle) -> Reading:
        """Return the dice one by one, with the actual and the expected number of repairing symbols."""
        unit, die = t.units[self.unit], battle_die(t)
        what = "model" if unit.row.models > 1 else "point"
        good = [repairs(t, unit, symbol) for symbol in self.symbols]
        chance = Fraction(sum([repairs(t, unit, symbol) for symbol in die]), len(die))
        return Reading(
            words=f"Field Repair of the {t.called(unit.id)} at {unit.hex}",
            side=unit.side,
            unit=unit.id,
            sides=len(die),
            dice=tuple(
                DieRead(face=die.index(symbol) + 1, result=f"1 {what}" if helps else "")
                for symbol, helps in zip(self.symbols, good, strict=True)
            ),
            came=f"{quantity(self.back, what) if self.back else f'no {what}s'} back",
            tallies=(tally(unit.side, "symbols that repair", sum(good), binomial(len(self.symbols), chance)),),
        )

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="dice", unit=self.unit, tag=f"+{self.back}" if self.back else "")
