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
    """Index among the decisions asked at the same time."""


class Fell(msgspec.Struct, frozen=True, tag="roll"):
    faces: Roll
    sides: int
    clauses: tuple[str, ...]
    """Clauses that call for the roll."""
    side: int | None = None
    """Side that rolled the dice."""
    secret: bool = False
    """True if only that side may see the faces."""
    typed: bool = False
    """True if real dice were thrown and a person typed in their faces."""
    draw: bool = False
    """True if the roll is a hidden draw of a card. Nobody may see the card, because it would reveal the order of the
    rest.
    """


class Undone(msgspec.Struct, frozen=True, tag="undo"):
    """A side undid actions; the journal keeps them."""

    side: int
    to: int
    """Number of acts that are left."""
    consent: bool = False
    """True if the acts could be undone only with the other side's consent."""


Entry = Played | Fell | Undone
