"""Lines of sight from one unit to another, ready for drawing and reading.

A ruleset with lines of sight provides them in its part `sights` (`caltrop.engine.parts.Sights`). The function uses the
same tests as the rules, so the drawn lines are those that count.
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
    """Name of the first thing that obscures or cuts the line."""
    stop: Point | None = None
    """Approximate place where the obstacle begins."""


class SightOfPiece(msgspec.Struct, frozen=True, kw_only=True):
    """The best view of one model by the viewing unit."""

    piece: int
    seen: bool
    obstructed: bool = False
    in_cover: bool = False
    by: str = ""
    """Name of the obstacle, if the model is not seen or is obstructed."""


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """One unit's view of another."""

    unit: int
    target: int
    seen: bool
    words: str
    """Sentence on the number of visible models, how many are obstructed or in cover, and by what."""
    pieces: tuple[SightOfPiece, ...] = ()
    lines: tuple[SightLine, ...] = ()
    """Lines of the best view of each model, if they were requested."""
