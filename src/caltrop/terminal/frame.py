"""Divide the screen, and draw the table with the present choice over it."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from caltrop.picture import Picture, Point
from caltrop.terminal import hexes, words
from caltrop.terminal.board import MARGIN, BoardMarks, ScreenCell, Window, drawn
from caltrop.terminal.desk import Desk
from caltrop.terminal.hexes import HexWindow

_MESSAGE = 3
"""Number of rows of a short message."""
_LEAST_LOG = 2
"""Smallest number of rows of the log beside a long message: its border and its last line."""


class ScreenDivision(NamedTuple):
    """Columns and rows of the parts of the screen; the table gets the rest."""

    side: int
    """Number of columns of the choices."""
    log: int
    message: int
    beside: bool
    """True if the choices take the whole height beside the table and the log."""
    units: int
    """Number of rows of the list of units; 0 if there is no room for it."""


def divided(picture: Picture, width: int, height: int, message: int = 0) -> ScreenDivision:
    """Divide the screen: the table gets as many columns and rows as it can use, and the text gets the rest.

    Args:
        message: Number of rows that the message needs. A long message makes the log smaller, so that the table does not
            move.
    """
    log = 8 if height >= 36 else 6 if height >= 28 else 4
    rows = height - 2 - _MESSAGE - 1
    is_hexes = picture.form == "hexes"
    if is_hexes:
        # A map leaves rows unused. The log takes them, and the choices take the whole height beside both.
        least = 36 if width >= 100 else 24
        whole = HexWindow(picture, width - least, rows - log)
        side, log = width - max(whole.width, width // 2), rows - whole.height
    else:
        rows -= log
        needed = int(picture.width / Window(picture, 10_000, rows).wide) + MARGIN + 1
        side = min(max(36, width - needed), max(36, width // 2)) if width >= 76 else width // 2
    more = max(0, min(message - _MESSAGE, log - _LEAST_LOG))
    units = min(len(picture.groups) + 1, rows // 2) if rows >= 24 else 0
    return ScreenDivision(side, log - more, _MESSAGE + more, is_hexes, units)


def table(desk: Desk) -> list[list[ScreenCell]]:
    window, marks, picture = desk.window(), _marks(desk), desk.picture
    if not isinstance(window, HexWindow):
        return drawn(picture, window, marks)
    card = desk.card_of(desk.offer)
    if card is not None:
        zones = tuple(replace(zone, lit=words.names_area(card, zone)) for zone in picture.zones)
        picture = replace(picture, zones=zones)
    return hexes.drawn(picture, window, marks)


def _marks(desk: Desk) -> BoardMarks:
    offer = desk.offer if desk.pointing is None else None
    return BoardMarks(
        cursor=desk.cursor,
        selected=desk.acting(),
        target=offer.target if offer else None,
        ready=words.ready(desk.every),
        spots=desk.spots(),
        paths=_paths(desk),
        legal=(desk.proposal is None or desk.proposal.refusal is None)
        and (desk.sighting is None or desk.sighting.seen),
        measure=desk.measure,
    )


def _paths(desk: Desk) -> tuple[tuple[Point, ...], ...]:
    if desk.proposal is not None:
        return tuple(path for path in desk.proposal.paths.values())
    if desk.waypoints:
        group = desk.group(desk.pointing.unit) if desk.pointing else None
        start = (group.pieces[0].at,) if group and group.pieces else ()
        return ((*start, *desk.waypoints, desk.cursor),)
    if desk.sighting is not None:
        return tuple((line.start, line.stop or line.end) for line in desk.sighting.lines)
    return ()
