"""Recorded games: files of actions and rolls that can be replayed, verified and printed.

A record contains all answers and all rolls. The rules can therefore replay the game without its seed or its random
generator. A record also has the public view of every turn, so that a game can be viewed even if its rules have been
corrected since.
"""

from caltrop.journal.keep import record_of
from caltrop.journal.record import (
    FORMAT_VERSION,
    PERSON,
    ActEntry,
    Record,
    RollEntry,
    Setting,
    Turn,
    UndoEntry,
    decoded,
    encoded,
    load,
    save,
)
from caltrop.journal.replay import Difference, Moment, Replayed, replay, told_in
from caltrop.journal.transcript import lines_of, transcript
from caltrop.journal.verdict import Verdict, of_today, verify

__all__ = [
    "FORMAT_VERSION",
    "PERSON",
    "ActEntry",
    "Difference",
    "Moment",
    "Record",
    "Replayed",
    "RollEntry",
    "Setting",
    "Turn",
    "UndoEntry",
    "Verdict",
    "decoded",
    "encoded",
    "lines_of",
    "load",
    "of_today",
    "record_of",
    "replay",
    "save",
    "told_in",
    "transcript",
    "verify",
]
