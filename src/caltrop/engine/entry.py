"""The entries of a journal: actions, rolls, and undone actions."""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop.chance import Roll


class Played(msgspec.Struct, frozen=True, tag="action"):
    """A side answered a decision."""

    side: int
    decision: str
    """Name of the decision (`name_of`)."""
    action: Any
    index: int = 0
    """Number among the decisions asked at the same time."""


class Fell(msgspec.Struct, frozen=True, tag="roll"):
    faces: Roll
    sides: int
    clauses: tuple[str, ...]
    """Clauses that required the roll."""
    side: int | None = None
    """Side that the dice belong to."""
    secret: bool = False
    """True if only that side may see the faces."""
    typed: bool = False
    """True if they were real dice, typed in."""
    draw: bool = False
    """True for a draw of a card. Nobody may see the face, because it would reveal other cards."""


class Undone(msgspec.Struct, frozen=True, tag="undo"):
    """A side took actions back; the record keeps these actions."""

    side: int
    to: int
    """Number of acts that remain in force."""
    consent: bool = False
    """True if it went beyond the boundary, with the other side's consent."""


Entry = Played | Fell | Undone
