"""Hedges and walls: the cover that sides may place before deployment (SQ-S70, SQ-S71)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from caltrop.asking import Offer, Offered, Proposal, Region, Template, Wish
from caltrop.chance import Dice
from caltrop.engine import Action, Ask, End, Event, Go, Options, Procedure, Refusal, ask, guard, not_an_option, step
from caltrop.geometry import INCH, Point, body_inside, directions, near_to, overlap, point_along
from caltrop.rules.squad_action.catalogue import kinds
from caltrop.rules.squad_action.records import SIDES, Firefight
from caltrop.rules.squad_action.scenarios import line_of
from caltrop.table.measured import Terrain

HEDGE, WALL = 6 * INCH, 4 * INCH
"""Lengths of a hedge and of a wall that a side places."""
APART = 3 * INCH
"""Minimum distance of a hedge from other pieces and from objectives."""
WALL_REACH = 6 * INCH
"""Largest distance of a defender's wall from its objective (SQ-S71)."""


TOO_NEAR = guard("SQ-S70", "too-near", "It has to lie 3 inches from other pieces and objectives, and {what} is nearer")
TOO_FAR = guard("SQ-S71", "too-far", "It has to lie within 6 inches of {name}")
NO_LENGTH = guard("SQ-S70", "no-length", "It has to run in some direction")


class PlaceCover(Procedure):
    """The sides place hedges and walls in turns."""

    hedges: tuple[int, int] = (0, 0)
    """Number of hedges that each side has placed."""
    walls: tuple[int, int] = (0, 0)

    @step("SQ-S70", "SQ-S71")
    def offer(self, t: Firefight) -> Ask | End:
        for kind, placed, of in (("hedge", self.hedges, t.field.hedges), ("wall", self.walls, t.field.walls)):
            left = [of[side] - placed[side] for side in range(SIDES)]
            if any(left):
                side = 0 if left[0] and (placed[0] <= placed[1] or not left[1]) else 1
                return ask(PlacePiece(side=side, kind=kind))
        return End()

    @step("SQ-S70", "SQ-S71")
    def place(self, t: Firefight, choice: PutPiece | LeaveOut) -> Go:
        decision_kind = "hedge" if sum(self.hedges) < sum(t.field.hedges) else "wall"
        side = self._side(t, decision_kind)
        if isinstance(choice, PutPiece):
            t.placed.append(piece_of(t, decision_kind, choice))
            t.tell(Placed(side, decision_kind))
        counts = list(self.hedges if decision_kind == "hedge" else self.walls)
        counts[side] += 1
        if decision_kind == "hedge":
            self.hedges = (counts[0], counts[1])
        else:
            self.walls = (counts[0], counts[1])
        return Go("offer")

    def _side(self, t: Firefight, kind: str) -> int:
        placed, of = (self.hedges, t.field.hedges) if kind == "hedge" else (self.walls, t.field.walls)
        left = [of[side] - placed[side] for side in range(SIDES)]
        return 0 if left[0] and (placed[0] <= placed[1] or not left[1]) else 1


# --- hedges and walls -------------------------------------------------------------------------------------------------


class PutPiece(Action, frozen=True):
    """Place a hedge or a wall."""

    at: Point
    along: Point
    """Direction in which the piece is laid."""


class LeaveOut(Action, frozen=True):
    """Place no piece, by choice or for lack of room."""


def piece_of(t: Firefight, kind: str, choice: PutPiece) -> Terrain:
    half = point_along((0, 0), choice.along, (HEDGE if kind == "hedge" else WALL) // 2)
    x, y = choice.at
    name = f"{'placed hedge' if kind == 'hedge' else 'placed wall'} {len(t.placed) + 1}"
    return line_of(name, kinds(t)[kind], (x - half[0], y - half[1]), (x + half[0], y + half[1]))


class PieceOptions(Options):
    """The places where a hedge or a wall may lie."""

    __slots__ = ("decision", "t")

    def __init__(self, t: Firefight, decision: PlacePiece) -> None:
        self.t, self.decision = t, decision

    def refusal(self, action: Any) -> Refusal | None:
        if isinstance(action, LeaveOut):
            return None
        if not isinstance(action, PutPiece):
            refused = not_an_option("SQ-S70", "Choose where it lies")
            return refused.towards(self.first())
        fault = self.wrong(action)
        return None if fault is None else fault.towards(next(self._near(action), LeaveOut()))

    def wrong(self, action: PutPiece) -> Refusal | None:
        """Return why a piece of cover may not lie in a place, or None if it may; fast enough for trying many places."""
        t, kind = self.t, self.decision.kind
        refusal = NO_LENGTH.refuses(action.along == (0, 0))
        if refusal is not None:
            return refusal
        piece = piece_of(t, kind, action)
        refusal = OFF_TABLE.refuses(not body_inside(piece.polygon, t.ground.box))
        if refusal is not None:
            return refusal
        if kind == "wall":
            goal = t.field.objectives[0]
            return TOO_FAR.refuses(not near_to(piece.polygon, (*goal.at, 0), WALL_REACH), name=goal.name) or self._on(
                piece
            )
        for other in (*t.field.table.terrain, *t.placed):
            form = other.circle or other.outline
            if near_to(piece.polygon, form, APART - 1):
                return TOO_NEAR.refuses(True, what=other.id)
        for goal in t.field.objectives:
            if near_to(piece.polygon, (*goal.at, 0), APART - 1):
                return TOO_NEAR.refuses(True, what=goal.name)
        return None

    def _on(self, piece: Terrain) -> Refusal | None:
        for other in (*self.t.field.table.terrain, *self.t.placed):
            if overlap(piece.polygon, other.circle or other.outline):
                return BLOCKED.refuses(True, name="The wall", what=other.id)
        return None

    def _near(self, action: PutPiece) -> Iterator[PutPiece]:
        """Yield legal places around a given place, the nearest rings first."""
        along = action.along if action.along != (0, 0) else (1, 0)
        for ring in range(1, 13):
            for direction in directions(16):
                put_piece = PutPiece(point_along(action.at, direction, ring * INCH), along)
                if self.wrong(put_piece) is None:
                    yield put_piece

    def __iter__(self) -> Iterator[Any]:
        """Yield places on a grid, in four directions; or the option to place none."""
        box = self.t.ground.box
        for y in range(3 * INCH, box[3], 6 * INCH):
            for x in range(3 * INCH, box[2], 6 * INCH):
                for along in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    put_piece = PutPiece((x, y), along)
                    if self.wrong(put_piece) is None:
                        yield put_piece
        yield LeaveOut()

    def sample(self, dice: Dice) -> Any:
        box = self.t.ground.box
        for _ in range(64):
            place = (dice.below(box[2]), dice.below(box[3]))
            if self.decision.kind == "wall":
                goal = self.t.field.objectives[0].at
                place = point_along(goal, directions(16)[dice.below(16)], dice.below(WALL_REACH))
            put_piece = PutPiece(place, directions(16)[dice.below(8)])
            if self.wrong(put_piece) is None:
                return put_piece
        return self.first()

    def several(self) -> bool:
        return True


class PlacePiece(Offered, frozen=True, kw_only=True):
    """The side chooses where a hedge or a wall lies."""

    kind: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S70", "SQ-S71")
    hint: ClassVar[str] = "A hedge gives soft cover and a wall hard cover to those within an inch behind it."

    def options(self, t: Firefight) -> PieceOptions:
        return PieceOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        long = (HEDGE if self.kind == "hedge" else WALL) // INCH
        return f"Place a {self.kind} {long} inches long"

    def offers(self, t: Firefight) -> list[Offer]:
        return [Offer(action=LeaveOut(), words=f"Place no {self.kind}", final=True)]

    def told(self, t: Firefight, action: Any) -> Offer:
        if isinstance(action, PutPiece):
            return Offer(action=action, words=f"Place a {self.kind}", spot=action.at)
        return super().told(t, action)

    def regions(self, t: Firefight) -> list[Region]:
        return [Region(form="spot", unit=-1, words=f"Place a {self.kind}", act="place")]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        if wish.to is None:
            return super().propose(t, wish)
        action = PutPiece(wish.to, wish.facing or (1, 0))
        refusal = self.options(t).refusal(action)
        piece = (Template(outline=piece_of(t, self.kind, action).outline),) if action.along != (0, 0) else ()
        return Proposal(
            action=action if refusal is None else None,
            refusal=refusal,
            faults=() if refusal is None else (wish.to,),
            templates=piece,
        )


class Placed(Event, frozen=True):
    """A hedge or a wall was placed."""

    side: int
    kind: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S70", "SQ-S71")

    def sentence(self, t: Firefight) -> str:
        return f"{t.field.names[self.side]} places a {self.kind}"


BLOCKED = guard("SQ-S17", "blocked", "{name} would stand on {what}")


OFF_TABLE = guard("SQ-S70", "off-table", "It has to lie wholly on the table")
