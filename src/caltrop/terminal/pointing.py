"""Answer an open choice by pointing at the table: a path with waypoints, a formation, a facing, and a proposal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from caltrop.asking import Region, Wish
from caltrop.engine import Refused
from caltrop.terminal import words
from caltrop.terminal.board import inside
from caltrop.terminal.desk import Desk

SHAPES = ("keep", "line", "column", "wedge")
FACINGS: tuple[tuple[str, tuple[int, int] | None], ...] = (
    ("as it comes", None),
    ("right", (1, 0)),
    ("down right", (1, -1)),
    ("down", (0, -1)),
    ("down left", (-1, -1)),
    ("left", (-1, 0)),
    ("up left", (-1, 1)),
    ("up", (0, 1)),
    ("up right", (1, 1)),
)


class Pointing:
    """The open choice that the player answers by pointing at the table."""

    def __init__(self, desk: Desk, count: Callable[[Any], None]) -> None:
        self.desk, self.count = desk, count

    def open(self, region: Region) -> None:
        desk = self.desk
        self.cancel()
        desk.pointing = region
        group = desk.group(region.unit)
        if group is not None and group.pieces:
            desk.cursor = group.pieces[0].at
        elif region.form == "place":
            own = next((z for z in desk.picture.zones if z.side == desk.view.you), None)
            if own is not None and not inside(own.outline, *desk.cursor):
                xs, ys = [x for x, _ in own.outline], [y for _, y in own.outline]
                desk.cursor = ((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)
        desk.message = ""

    def cancel(self) -> None:
        desk = self.desk
        desk.pointing, desk.waypoints, desk.shape, desk.facing, desk.typed = None, (), 0, 0, ""
        self.forget()

    def forget(self) -> None:
        self.desk.proposal, self.desk.nearest = None, None

    def propose(self) -> None:
        desk, region = self.desk, self.desk.pointing
        if region is None or desk.decision is None:
            return
        wish = Wish(
            unit=region.unit,
            act=region.act,
            to=desk.cursor,
            waypoints=desk.waypoints,
            facing=FACINGS[desk.facing][1],
            shape=SHAPES[desk.shape],
        )
        try:
            proposal = desk.sitting.propose(desk.decision.id, wish)
        except Refused as refused:
            desk.refused(refused.refusal)
            return
        desk.proposal, desk.odds = proposal, []
        if proposal.refusal is not None:
            desk.refused(proposal.refusal)
            if proposal.length:
                desk.message += f"  The way is {words.length(proposal.length, desk.picture)} long."
        else:
            desk.nearest = None
            end = next((path[-1] for path in proposal.paths.values() if path), desk.cursor)
            where = (
                "" if end == desk.cursor else f"Only to here, short of the cursor: {words.place(end, desk.picture)}: "
            )
            desk.say(f"✓ {where}{words.proposal(proposal, desk.picture)}.  Enter does it, Esc cancels.")
            self.count(proposal.action)

    def key(self, character: str) -> bool:
        """Handle a key that has an effect only while the player points.

        Returns:
            Whether the key has an effect.
        """
        desk = self.desk
        if desk.pointing is None or character not in ("w", "s", "f"):
            return False
        self.forget()
        desk.sighting = None
        if character == "w":
            desk.waypoints = (*desk.waypoints, desk.cursor)
            desk.say(f"Waypoint {len(desk.waypoints)} at {words.place(desk.cursor, desk.picture)}. Go on from here.")
        elif character == "s":
            desk.shape = (desk.shape + 1) % len(SHAPES)
            desk.say(f"Shape: {SHAPES[desk.shape]}")
        else:
            desk.facing = (desk.facing + 1) % len(FACINGS)
            desk.say(f"Facing: {FACINGS[desk.facing][0]}")
        return True
