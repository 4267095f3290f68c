"""A unit's sight of another, ready to be drawn and read.

A ruleset whose units see one another gives these in its part `sights` (`caltrop.engine.parts.Sights`). The function
asks the same as the rules do, so the drawn lines are those that count.
"""

from __future__ import annotations

import msgspec

from caltrop.picture import Point


class SightLine(msgspec.Struct, frozen=True, kw_only=True):
    start: Point
    end: Point
    state: str
    """`clear`, `obscured` or `cut`."""
    by: str = ""
    """First thing that obscures or cuts it."""
    stop: Point | None = None
    """About where that begins."""


class SightOfPiece(msgspec.Struct, frozen=True, kw_only=True):
    """The best view of one model."""

    piece: int
    seen: bool
    obstructed: bool = False
    in_cover: bool = False
    by: str = ""
    """Thing in the way, if it is not seen or obstructed."""


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's sight of another."""

    unit: int
    target: int
    seen: bool
    words: str
    """Number of models it sees, how many of them obstructed or in cover, and by what."""
    pieces: tuple[SightOfPiece, ...] = ()
    lines: tuple[SightLine, ...] = ()
    """The lines of the best view of each model, where they were asked for."""
