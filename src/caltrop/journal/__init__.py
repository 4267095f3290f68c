"""Recorded games: files of actions and rolls, replayed, verified, shown and written out.

A record holds what was decided and how the dice fell. So anybody who knows the rules can play a game again, without its
seed and whatever generator made the dice. It keeps the public view of every turn besides, so that a game can be looked
at when its rules have been corrected since. This package knows the engine, and no game.
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
