"""Games that tell how strong a person plays, and why others do not."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from caltrop.engine import Entry, Fell, Undone
from caltrop.host.events import Setup


def why_unrated(setup: Setup, journal: Sequence[Entry], hinted: Collection[int], side: int) -> str:
    """Return why a game says nothing of how strong a side plays; empty if it does.

    Only a battle that is played from its beginning, with dice that nobody chose and without help, says something.

    Args:
        setup: The way the game was made.
        journal: The record, with the dice.
        hinted: The sides that were given a hint.
        side: The side.
    """
    if setup.lesson is not None:
        return "it was a lesson"
    if setup.ruling is not None or setup.played_on:
        return "it began in the middle of another battle"
    if any(isinstance(entry, Undone) and entry.consent for entry in journal):
        return "acts were taken back after dice, or after an answer"
    if any(isinstance(entry, Fell) and entry.typed for entry in journal):
        return "dice were typed in"
    return "a hint was given" if side in hinted else ""
