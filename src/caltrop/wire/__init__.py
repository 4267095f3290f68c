"""The values on the wire: JSON of views, decisions, events and actions, and the versions of their schemas.

This package turns values into JSON and back, strictly, and does nothing else. Values arrive in this package without the
secrets of other sides. This package contains no rules, sockets or files.

Read `view` first: the message that shows a game to one side. `changes` holds the differences between two views, and
`messages` the messages of clients and their answers. `actions` has the strict reading of actions, `catalogue` the
contents of a lobby, `schemas` the JSON Schemas.
"""

from caltrop.wire.actions import WrongMessage, as_action, read_action, read_strictly
from caltrop.wire.catalogue import Catalogue, catalogue
from caltrop.wire.changes import Change, Parts, change_between, patched
from caltrop.wire.messages import RefusalMessage, read_message
from caltrop.wire.schemas import SCHEMA_NAMES, schema
from caltrop.wire.view import (
    SCHEMA_VERSION,
    ClockRule,
    DecisionView,
    DiceWanted,
    GoneView,
    LessonView,
    LogEntry,
    LuckView,
    SeatView,
    TalkLine,
    Thrown,
    UndoView,
    Versions,
    View,
    decision_view,
)

__all__ = [
    "SCHEMA_NAMES",
    "SCHEMA_VERSION",
    "Catalogue",
    "Change",
    "ClockRule",
    "DecisionView",
    "DiceWanted",
    "GoneView",
    "LessonView",
    "LogEntry",
    "LuckView",
    "Parts",
    "RefusalMessage",
    "SeatView",
    "TalkLine",
    "Thrown",
    "UndoView",
    "Versions",
    "View",
    "WrongMessage",
    "catalogue",
    "as_action",
    "change_between",
    "decision_view",
    "patched",
    "read_action",
    "read_message",
    "read_strictly",
    "schema",
]
