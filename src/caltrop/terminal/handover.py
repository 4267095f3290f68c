"""Change from one person at the screen to the next: a curtain hides secrets, then the new part of the log is shown."""

from __future__ import annotations

from caltrop.picture import Seat
from caltrop.terminal import words
from caltrop.terminal.desk import Desk
from caltrop.terminal.pane import PaneLine


class Handover:
    """The part of the log that each side has seen, and the curtain over the table."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.covered = False
        self._shown: dict[int | None, int] = {}
        """Number of the last log line that each side had seen when another person took over."""

    def cover(self, eyes: int | None) -> str:
        """Cover the table until another person has sat down. Returns the text on the curtain."""
        self.covered = True
        self._shown[self.desk.view.you] = self.desk.newest()
        seat = self._seat(eyes)
        return f"Now {seat.letter}: {seat.name}" if seat else "The next player"

    def uncover(self, eyes: int | None) -> None:
        self.covered = False
        self.desk.seen = self._shown.get(eyes, 0)

    async def look(self, eyes: int | None) -> None:
        await self.desk.sitting.look(eyes)
        seat = self._seat(eyes)
        self.desk.say(f"Now {seat.letter}: {seat.name}" if seat is not None else "")

    def _seat(self, eyes: int | None) -> Seat | None:
        return next((s for s in self.desk.picture.seats if s.side == eyes), None)

    def recap(self) -> list[PaneLine]:
        desk = self.desk
        lines = [entry for entry in words.in_force(desk.view.log) if entry.n > desk.seen]
        return [PaneLine(words.entry(entry, desk.picture.faces), "", "  ") for entry in lines]
