"""The line of an airstrike: its possible positions, and the units under it (SQ-AIR-02, SQ-AIR-05, SQ-Q39)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from caltrop.asking import Offer, Offered, Proposal, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import Action, Event, MotionOf, Options, Refusal, guard, not_an_option, rule
from caltrop.geometry import INCH, Point, directions, distance_sq, point_along
from caltrop.rules.squad_action.places import bodies, template
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.template import WHAT_FIRES
from caltrop.table.measured import strip_through, under

LENGTH, WIDTH = 18 * INCH, 2 * INCH
"""Length and width of the line (SQ-AIR-02, SQ-Q39)."""

NOT_A_LINE = guard("SQ-Q39", "not-a-line", "The line has to run in some direction")
PAST_THE_MARK = guard(
    "SQ-Q39",
    "past-the-mark",
    "The line is 18 inches long and goes through the mark, and {ahead:inch} of it cannot lie beyond",
)


def line_of(middle: Point, direction: Point) -> tuple[Point, ...]:
    """Return the outline of the line, given its middle and direction (SQ-Q39)."""
    return strip_through(middle, direction, LENGTH, WIDTH)


@rule("SQ-Q39")
def middle_of_line(aim: Point, line: Line) -> Point:
    """Return the middle of a line through its mark. `line.ahead` is the length of the part beyond the mark."""
    return point_along(aim, line.direction, line.ahead - LENGTH // 2)


@rule("SQ-AIR-02", "SQ-AIR-05", "SQ-AIR-08", "SQ-Q39", "SQ-Q47")
def under_line(t: Firefight, middle: Point, direction: Point) -> tuple[int, ...]:
    """Every unit with a model under the line is affected, except flyers."""
    line = line_of(middle, direction)
    return tuple(
        [
            u.id
            for u in t.units
            if u.where == "table" and u.kind != "flyer" and under(line, bodies(t, u.id), touched=True)
        ]
    )


class Line(Action, frozen=True):
    """Lay the line of an air run through the marked place."""

    direction: Point
    ahead: int = LENGTH // 2
    """Length of the part beyond the mark, in the direction of the run, in tenths of a millimetre."""


class LineOptions(Options):
    """Any line of 18 inches through the mark."""

    __slots__ = ("t",)

    def __init__(self, t: Firefight) -> None:
        self.t = t

    def refusal(self, action: Any) -> Refusal | None:
        if not isinstance(action, Line):
            return not_an_option("SQ-Q39", "Lay the line", nearest=self.first())
        refusal = NOT_A_LINE.refuses(action.direction == (0, 0)) or PAST_THE_MARK.refuses(
            not 0 <= action.ahead <= LENGTH, ahead=action.ahead
        )
        return None if refusal is None else refusal.towards(self.first())

    def __iter__(self) -> Iterator[Any]:
        for direction in directions(32)[:16]:
            yield Line(direction)
        for direction in directions(32):
            yield Line(direction, LENGTH)

    def sample(self, dice: Dice) -> Any:
        return Line(directions(64)[dice.below(64)], dice.below(LENGTH + 1))


class LayLine(Offered, frozen=True, kw_only=True):
    """The caller chooses the direction of an air run."""

    aim: Point
    run: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-AIR-02", "SQ-AIR-08", "SQ-Q39")
    hint: ClassVar[str] = (
        "The line is 18 inches long and 2 inches wide, and goes through the mark. Point at its far end."
    )

    def options(self, t: Firefight) -> LineOptions:
        return LineOptions(t)

    def prompt(self, t: Firefight) -> str:
        return f"Lay the line of the {WHAT_FIRES[self.run]}"

    def offers(self, t: Firefight) -> list[Offer]:
        """Return lines that affect different units, each with a list of these units."""
        offers: dict[tuple[int, ...], Offer] = {}
        for a in self.options(t):
            under = under_line(t, middle_of_line(self.aim, a), a.direction)
            names = ", ".join(t.units[u].name for u in under) or "nobody"
            end = point_along(self.aim, a.direction, a.ahead)
            offers.setdefault(under, Offer(action=a, words=f"Over {names}", spot=end))
        return list(offers.values())

    def regions(self, t: Firefight) -> list[Region]:
        return [Region(form="spot", unit=-1, words="Lay the line towards a place", act="line")]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        """Return the line through the mark that ends at the pointer."""
        if wish.to is None:
            return super().propose(t, wish)
        ahead = min(round(distance_sq(wish.to, self.aim) ** 0.5), LENGTH)
        action = Line((wish.to[0] - self.aim[0], wish.to[1] - self.aim[1]), ahead)
        refusal = self.options(t).refusal(action)
        if refusal is not None:
            return Proposal(refusal=refusal, faults=(wish.to,))
        return Proposal(
            action=action,
            templates=(template(t, line_of(middle_of_line(self.aim, action), action.direction), self.run),),
        )


class LineLaid(Event, frozen=True):
    unit: int
    aim: Point
    direction: Point
    units: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q39",)
    about = ("units",)
    shown = MotionOf("order", unit="", units="units")

    def sentence(self, t: Firefight) -> str:
        return f"The run goes over {', '.join(t.units[u].name for u in self.units) or 'nobody'}"
