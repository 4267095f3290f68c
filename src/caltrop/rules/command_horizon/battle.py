"""The state of a battle of Command Horizon, and the small questions that every chapter asks of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from caltrop.engine import Event, State, Term, does
from caltrop.kit.words import free_name, names_told_apart
from caltrop.rules.command_horizon.records import (
    Answer,
    Army,
    Disc,
    MarkOn,
    Model,
    Naming,
    Objective,
    Order,
    Unit,
    Wound,
)
from caltrop.table.measured.terrain import Ground, Table, ground_of

_STAMPS = count(1)


class Paid(Event, frozen=True):
    """Command points were spent."""

    side: int
    amount: int
    clause: str
    words: str
    unit: int | None = None

    def sentence(self, t: Any) -> str:
        """Who paid how much for what."""
        return f"{t.armies[self.side].name} spends {self.amount} CP: {self.words}"

    def touches(self) -> tuple[int, ...]:
        """The unit it was spent on."""
        return () if self.unit is None else (self.unit,)


class Battle(State, kw_only=True):
    """Everything that the rules of Command Horizon can see."""

    unstored: ClassVar[tuple[str, ...]] = ("book", "told", "stamp", "names")

    scenario: str = ""
    table: Table
    armies: list[Army]
    units: list[Unit]
    models: list[Model]
    objectives: list[Objective] = msgspec.field(default_factory=list)
    zone: int = 1000
    """Depth of the deployment zones."""
    rounds: int | None = 6
    keeps_vp: bool = True
    """Whether the scenario counts victory points."""
    placed: bool = False
    """Whether the scenario places both armies itself."""
    breakthrough: int = 0
    """Victory points for every unit that leaves over the enemy's edge, in scenarios that say so."""
    first: int = 0
    """The side that has the first turn."""
    round: int = 0
    step: int = 0
    """Number of the step of the turn under way, as the edition counts them; 0 outside a turn."""
    marks: list[MarkOn] = msgspec.field(default_factory=list)
    orders: list[Order] = msgspec.field(default_factory=list)
    answers_declared: list[Answer] = msgspec.field(default_factory=list)
    namings: list[Naming] = msgspec.field(default_factory=list)
    wounds: list[Wound] = msgspec.field(default_factory=list)
    stamp: int = 0
    """Changes with every change of a model or a lock: while it is the same, answers about places can be kept."""
    names: tuple[str, ...] = ()
    """What its units are called in sentences; worked out again where a unit has come."""

    def __post_init__(self) -> None:
        """Give a state that comes from nowhere (a set-up, a file) a stamp that no other has."""
        if not self.stamp:
            self.stamp = next(_STAMPS)

    def awaken(self) -> None:
        """A state that was read back has a stamp of its own."""
        self.stamp = next(_STAMPS)

    # --- reading ------------------------------------------------------------------------------------------------

    @property
    def ground(self) -> Ground:
        """The table's terrain, ready for questions; made once for each match."""
        found: Ground | None = self.book.scratch.get("ground")
        if found is None:
            found = self.book.scratch["ground"] = ground_of(self.table)
        return found

    def discs(self, unit: int) -> list[Disc]:
        """Where the unit's models stand, in the order of `Unit.models`."""
        models = self.models
        return [models[m].disc for m in self.units[unit].models]

    def called(self, unit: int) -> str:
        """The name of a unit in a sentence: with its side, where the other army has a unit of that name as well."""
        if len(self.names) != len(self.units):
            self.names = names_told_apart([(u.side, u.name) for u in self.units], [a.name for a in self.armies])
        return self.names[unit]

    def does(self, unit: int, verb: str) -> str:
        """A unit as `called`, and what it does: *verb* is in the third person, and agrees with the name."""
        return does(self.called(unit), verb)

    def in_play(self, side: int | None = None) -> Iterator[int]:
        """Ids of the units on the table, of one side or of both, in order."""
        for i, u in enumerate(self.units):
            if u.models and u.deployed and (side is None or u.side == side):
                yield i

    def enemies(self, side: int) -> Iterator[int]:
        """Ids of the enemy's units on the table."""
        return self.in_play(1 - side)

    # --- writing: the only ways to change a record ---------------------------------------------------------------

    def change(self, unit: int, **fields: Any) -> None:
        """Put a changed copy of the unit on its shelf."""
        self.units[unit] = replace(self.units[unit], **fields)
        if "locked" in fields or "models" in fields or "deployed" in fields:
            # Locked Putredine infantry is in the way of fire, as it is not otherwise (Q-LOS-6).
            self.stamp = next(_STAMPS)

    def change_model(self, model: int, **fields: Any) -> None:
        """Put a changed copy of the model on its shelf."""
        self.models[model] = replace(self.models[model], **fields)
        self.stamp = next(_STAMPS)

    def change_army(self, side: int, **fields: Any) -> None:
        """Put a changed copy of the side on its shelf."""
        self.armies[side] = replace(self.armies[side], **fields)

    def add_unit(self, unit: Unit) -> int:
        """Put a new unit on the shelf, under a name that no other unit of its side in play has; its id."""
        name = free_name(unit.name, [u.name for u in self.units if u.side == unit.side and u.models])
        self.units.append(unit if name == unit.name else replace(unit, name=name))
        return len(self.units) - 1

    def add_model(self, model: Model) -> int:
        """Put a new model on the shelf, without adding it to its unit's list; its id."""
        self.models.append(model)
        self.stamp = next(_STAMPS)
        return len(self.models) - 1

    def pay(
        self, side: int, price: tuple[Term, ...], unit: int | None = None, *, shooting_or_moving: bool = False
    ) -> None:
        """Take command points from the side's pool; the caller has checked that they are there.

        Args:
            price: What is paid, with the clauses.
            unit: The unit that they are spent on.
            shooting_or_moving: True where they buy the unit's movement or fire (Q-MOVE-5).
        """
        amount = sum([p.value for p in price])
        if amount == 0:
            return
        self.change_army(side, cp=self.armies[side].cp - amount)
        if unit is not None:
            u = self.units[unit]
            self.change(unit, spent=u.spent + amount, paid=u.paid + (amount if shooting_or_moving else 0))
        self.tell(
            Paid(
                side=side,
                amount=amount,
                clause=price[0].clause,
                words="; ".join(p.words for p in price if p.value),
                unit=unit,
            )
        )


def fresh_turn(u: Unit) -> Unit:
    """The unit as its owner's new turn finds it: what it did in the last one is forgotten.

    `concentrating`, `frozen` and `newly_stunned` have their own moments, and `reacted` and `charge_fire` belong to the
    turn of the enemy.
    """
    return msgspec.structs.replace(
        u,
        moved=0,
        move_over=False,
        no_free_move=False,
        joined_from=0,
        paid=0,
        spent=0,
        may_fire=True,
        price_shot=0,
        charging=-1,
        rushing=False,
        arrived=False,
        disengaged=False,
        tried_to_leave=False,
        marking=-1,
        appeared=False,
        spawned_this_turn=False,
        overwatch=0,
        let_pass=(),
    )
