"""Reasons why a game does not count as a measure of a person's strength."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import UNSET

from caltrop.engine import Entry, Fell, Undone
from caltrop.host.events import Setup


class Helped:
    """Searches a journal for undone acts and typed dice. Each entry is read only once."""

    def __init__(self) -> None:
        self._read, self.taken_back, self.typed = 0, False, False

    def follow(self, journal: Sequence[Entry]) -> None:
        if len(journal) < self._read:  # the record is the journal of another game
            self._read, self.taken_back, self.typed = 0, False, False
        for entry in (journal[index] for index in range(self._read, len(journal))):
            self.taken_back |= isinstance(entry, Undone) and entry.consent
            self.typed |= isinstance(entry, Fell) and entry.typed
        self._read = len(journal)


def why_unrated(
    setup: Setup, journal: Sequence[Entry], hinted: Collection[int], side: int, helped: Helped | None = None
) -> str:
    """Return why a game does not measure a side's strength; empty if it does.

    A battle counts only if it is complete, with printed values, random dice and without help.

    Args:
        setup: The settings of the game.
        helped: The earlier reading of this journal.
    """
    if setup.lesson is not None:
        return "it was a lesson"
    if setup.pack is not UNSET:
        return "it was played with the numbers of a pack"
    if setup.ruling is not None or setup.played_on:
        return "it began in the middle of another battle"
    helped = helped or Helped()
    helped.follow(journal)
    if helped.taken_back:
        return "acts were taken back after dice, or after an answer"
    if helped.typed:
        return "dice were typed in"
    return "a hint was given" if side in hinted else ""
