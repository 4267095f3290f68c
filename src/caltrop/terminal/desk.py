"""The desk of a player: the view, the choices, the cursor, and unfinished pointing or typing.

The modules `choosing`, `pointing`, `acting` and `typed` change the desk; `panels`, `sheets` and `frame` show it. The
desk makes no decisions and does not depend on the screen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from caltrop.asking import Offer, Proposal, Region
from caltrop.engine import Refusal, words_of
from caltrop.journal import PERSON
from caltrop.picture import Card, Group, Picture, Point, Spot
from caltrop.picture.sightings import Sighting
from caltrop.players import Hint
from caltrop.terminal import hexes, words
from caltrop.terminal.board import Window, distance
from caltrop.terminal.hexes import HexWindow
from caltrop.terminal.sitting import Sitting
from caltrop.terminal.words import ChoiceLine
from caltrop.wire import DecisionView, DiceWanted, View


class Desk:
    """The state of a player at the terminal: view, choices, cursor and unfinished input.

    Args:
        room: Returns the columns and rows of the table on the screen.
    """

    def __init__(self, sitting: Sitting, room: Callable[[], tuple[int, int]]) -> None:
        self.sitting, self.room = sitting, room
        self.view: View = sitting.view()
        self.seen = self.newest()
        """Number of the last log line before the player's own last act; later lines are new."""
        self.message, self.message_style = "", ""
        # Possible answers.
        self.decision: DecisionView | None = None
        self.every: list[ChoiceLine] = []
        self.listed: list[ChoiceLine] = []
        self.at = -1
        """Index of the highlighted choice in the list; -1 for none, so that Enter cannot choose something unread."""
        self.begun: ChoiceLine | None = None
        """The choice that has been begun; its continuations (`more`) are then listed."""
        self.selected: int | None = None
        self.odds: list[str] = []
        """Lines with the odds of the highlighted choice or the proposal."""
        self.kinds_met: list[str] = []
        """Kinds of decisions that the player has answered, whose explanations are no longer shown."""
        # Cursor and view of the table.
        self.cursor: Point = (self.picture.width // 2, self.picture.height // 2)
        self.zoom = 0
        self.measure: Point | None = None
        """Start of the ruler."""
        self.sighting: Sighting | None = None
        self.units_shown = False
        self.in_hand = False
        """True if the arrow keys select cards instead of moving the cursor on the table."""
        # An open choice, answered by pointing at the table.
        self.pointing: Region | None = None
        self.waypoints: tuple[Point, ...] = ()
        self.shape = self.facing = 0
        self.proposal: Proposal | None = None
        self.drawn: Proposal | None = None
        """The proposal that has been drawn; Enter carries out only this one."""
        self.moment: int | None = None
        """The earlier moment on the screen; None for the present."""
        self.hinted: tuple[str, Hint] | None = None
        """The id of a decision with its hint."""
        self.nearest: Any = None
        """The legal act nearest to the refused one."""
        # Typed text.
        self.typed = ""
        self.going = False
        """True if the text is a place for the cursor."""

    def say(self, text: str, style: str = "bold") -> None:
        self.message, self.message_style = text, style

    def refused(self, refusal: Refusal) -> None:
        self.nearest = refusal.nearest
        name = "" if refusal.nearest is None else f" ({words_of(refusal.nearest).lower()})"
        self.say(words.refusal(refusal, name))

    @property
    def hint(self) -> Hint | None:
        mine = self.hinted is not None and self.decision is not None and self.hinted[0] == self.decision.id
        return self.hinted[1] if mine and self.hinted is not None else None

    def newest(self) -> int:
        return self.view.log[-1].n if self.view.log else 0

    def time_left(self, side: int) -> int | None:
        """Return a side's remaining milliseconds; None without a clock."""
        table = self.sitting.table
        if table.game.clock is None:
            return None
        table.count()
        return table.game.clock.left[side]

    # The table.

    @property
    def picture(self) -> Picture:
        return self.view.picture

    @property
    def is_hexes(self) -> bool:
        return self.picture.form == "hexes"

    def window(self) -> Window | HexWindow:
        kind = HexWindow if self.is_hexes else Window
        return kind(self.picture, *self.room(), self.zoom, self.cursor)

    def group(self, unit: int | None) -> Group | None:
        return next((g for g in self.picture.groups if g.id == unit), None)

    def place_of(self, group: Group | None) -> Point | None:
        if group is None or not group.pieces:
            return None
        at = group.pieces[0].at
        return hexes.map_of(self.picture).nearest(at).at if self.is_hexes else at

    def unit_here(self) -> Group | None:
        """Return the unit whose base is at the cursor or else in its cell; on a map of hexes, the unit in the hex."""
        if self.is_hexes:
            return next(iter(hexes.standing(self.picture, self.cursor)), None)
        groups = [(distance(p.at, self.cursor) - p.radius, g) for g in self.picture.groups for p in g.pieces]
        near = min(groups, key=lambda pair: pair[0], default=None)
        if near is not None and near[0] <= 0:
            return near[1]
        window = self.window()
        cell = window.cell(self.cursor)
        return next((g for g in self.picture.groups for p in g.pieces if window.cell(p.at) == cell), None)

    def units_here(self) -> list[Group]:
        if self.is_hexes:
            return hexes.standing(self.picture, self.cursor)
        over = self.unit_here()
        return [over] if over is not None else []

    def spots_here(self) -> list[Spot]:
        if self.is_hexes:
            return hexes.spots_at(self.picture, self.cursor)
        return [spot for spot in self.picture.spots if distance(spot.at, self.cursor) <= spot.radius]

    # Derived values.

    @property
    def choice(self) -> ChoiceLine | None:
        return self.listed[self.at] if 0 <= self.at < len(self.listed) else None

    @property
    def offer(self) -> Offer | None:
        return self.choice.offer if self.choice is not None else None

    def acting(self) -> int | None:
        """Return the unit of the open or highlighted choice, or else the selected unit."""
        if self.pointing is not None:
            return self.pointing.unit
        return self.offer.unit if self.offer is not None and self.offer.unit is not None else self.selected

    def spots(self) -> tuple[Point, ...]:
        if self.pointing is not None:
            return ()
        return tuple(c.offer.spot for c in self.listed if c.offer is not None and c.offer.spot is not None)

    def card_of(self, offer: Offer | None) -> Card | None:
        """Return the card in the player's hand that a choice plays, or None."""
        if offer is None or offer.card is None:
            return None
        return next((card for card in self.picture.hand if card.kind == offer.card), None)

    def dice_wanted(self) -> DiceWanted | None:
        """Return the real dice that this player must roll and type in, or None."""
        dice = self.view.dice
        if dice is None or not self.sitting.sides:
            return None
        person = dice.side is not None and self.view.seats[dice.side].player == PERSON
        return dice if not person or dice.side in self.sitting.sides else None
