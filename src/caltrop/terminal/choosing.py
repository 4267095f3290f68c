"""Select among the possible answers: by number, from choice to choice, from unit to unit, or with the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from caltrop.players import Hint
from caltrop.terminal import hexes, words
from caltrop.terminal.board import distance
from caltrop.terminal.desk import Desk
from caltrop.terminal.pointing import Pointing
from caltrop.terminal.words import ChoiceLine
from caltrop.wire import DecisionView

_FEW = 9
"""Largest number of choices in one list; if there are more, each unit has its own list."""


class Choosing:
    """The listed choices, the highlighted one, and the selected unit.

    Args:
        pointing: Cancels an open choice when another unit or decision is selected.
    """

    def __init__(self, desk: Desk, pointing: Pointing, count: Callable[[Any], None]) -> None:
        self.desk, self.pointing, self.count = desk, pointing, count

    def asked(self, decision: DecisionView | None) -> None:
        desk = self.desk
        if desk.decision is not None and desk.decision.kind not in desk.kinds_met:
            desk.kinds_met.append(desk.decision.kind)
        if decision is None or desk.decision is None or decision.kind != desk.decision.kind:
            desk.selected = None
        desk.decision = decision
        desk.every = words.choices(decision, desk.picture) if decision else []
        self.pointing.cancel()
        desk.sighting = None
        ready = words.ready(desk.every)
        desk.in_hand = bool(desk.every) and not ready and all(c.offer and c.offer.spot is None for c in desk.every)
        if desk.selected not in ready:
            desk.selected = None
        each = max((sum(choice.unit == unit for choice in desk.every) for unit in ready), default=0)
        if desk.selected is None and ready and ((len(desk.every) > _FEW and each > 1) or len(ready) == 1):
            self.select(ready[0])
        else:
            self.show()

    def show(self, at: int = -1) -> None:
        """List the choices of the selected unit, or all choices."""
        self.desk.begun = None
        self._list(words.for_unit(self.desk.every, self.desk.selected), at)

    def begin(self, choice: ChoiceLine) -> None:
        self._list(list(choice.more), -1)
        self.desk.begun = choice

    def back(self) -> None:
        begun = self.desk.begun
        every = words.for_unit(self.desk.every, self.desk.selected)
        self.show(next((i for i, choice in enumerate(every) if choice is begun), -1))

    def _list(self, listed: list[ChoiceLine], at: int) -> None:
        self.desk.listed = listed
        self.desk.typed = ""
        self.highlight(at)

    def highlight(self, at: int) -> None:
        """Highlight a choice, move the cursor to its target, and compute its possible results."""
        desk = self.desk
        desk.at = at if 0 <= at < len(desk.listed) else -1
        desk.odds = []
        offer = desk.offer
        if offer is None:
            return
        aim = desk.group(offer.target)
        if offer.spot is not None:
            desk.cursor = offer.spot
        elif aim is not None and aim.pieces:
            desk.cursor = min((p.at for p in aim.pieces), key=lambda at: distance(at, desk.cursor))
        elif aim is None and desk.is_hexes:
            desk.cursor = desk.place_of(desk.group(offer.unit)) or desk.cursor
        self.count(offer.action)

    def step(self, by: int) -> None:
        """Move the highlight by a number of choices; a step of one wraps around."""
        desk = self.desk
        if not desk.listed or desk.pointing is not None:
            return
        desk.typed = ""
        desk.in_hand = not words.ready(desk.every) and not desk.spots()
        start = desk.at if desk.at >= 0 else (-1 if by > 0 else 0)
        to = (start + by) % len(desk.listed) if abs(by) == 1 else start + by
        self.highlight(max(0, min(len(desk.listed) - 1, to)))

    def number(self, character: str) -> None:
        desk = self.desk
        desk.typed = (desk.typed + character)[-15:]
        if desk.pointing is not None:
            return
        if not desk.typed.isdigit():
            # The text is a place, so its first digits are not the number of a choice.
            self.highlight(-1)
            return
        # After 1, the digit 2 means the twelfth choice, or the second if there are fewer. It may also begin a place
        # such as 12,30.
        number = next((n for n in (int(desk.typed), int(character)) if 1 <= n <= len(desk.listed)), 0)
        self.highlight(number - 1)
        if not number:
            desk.say(f"There are {len(desk.listed)} choices.")

    # Units.

    def select(self, unit: int | None) -> None:
        desk = self.desk
        desk.selected = unit
        desk.cursor = desk.place_of(desk.group(unit)) or desk.cursor
        open_ones = [i for i, c in enumerate(words.for_unit(desk.every, unit)) if c.unit == unit and c.region]
        self.show(open_ones[0] if unit is not None and len(open_ones) == 1 else -1)

    def next_unit(self, step: int) -> None:
        desk, ready = self.desk, words.ready(self.desk.every)
        if not ready:
            desk.say("No unit has anything to choose now.")
            return
        now = ready.index(desk.selected) if desk.selected in ready else (-1 if step > 0 else 0)
        self.pointing.cancel()
        self.select(ready[(now + step) % len(ready)])

    def advised(self, hint: Hint) -> None:
        """Highlight the choice that a hint recommends, and move the cursor to its target."""
        desk = self.desk
        self.pointing.cancel()
        self.select(hint.unit if hint.unit in words.ready(desk.every) else None)
        at = next((i for i, c in enumerate(desk.listed) if c.offer is not None and c.offer.action == hint.action), -1)
        if at >= 0:
            self.show(at)
        desk.cursor = hint.to or desk.cursor

    # With the cursor.

    def moved(self) -> None:
        self.pointing.forget()
        self.desk.sighting = None
        if self.desk.pointing is not None:
            self.desk.message = ""
        elif self.desk.is_hexes:
            self.meet()

    def meet(self, next_one: bool = False) -> None:
        """Highlight a choice aimed at the cursor's hex, or none, so that Enter cannot choose something elsewhere."""
        desk = self.desk
        cursor, groups = desk.cursor, self._here()
        at = next((i for i in groups if i > desk.at), groups[0]) if groups and next_one else next(iter(groups), -1)
        self.highlight(at)
        desk.cursor = cursor
        if len(groups) > 1:
            desk.say(f"{len(groups)} choices are aimed at this hex; Space goes through them.")

    def _here(self) -> list[int]:
        """Return the listed choices that are aimed at the cursor's hex or belong to the unit in it."""
        desk, here = self.desk, hexes.map_of(self.desk.picture)
        hex = here.at(desk.cursor)
        in_hex = {g.id for g in hexes.standing(desk.picture, desk.cursor)}
        aimed, own = [], []
        for i, choice in enumerate(desk.listed):
            offer = choice.offer
            if offer is None or offer.final:
                continue
            if offer.spot is not None:
                if here.at(offer.spot) is hex:
                    aimed.append(i)
            elif offer.target is not None:
                if offer.target in in_hex:
                    aimed.append(i)
            elif offer.unit in in_hex:
                own.append(i)
        return aimed or own

    def pick(self) -> None:
        """Select whatever is under the cursor: the nearest offered place, a unit, or a choice aimed at an enemy."""
        desk = self.desk
        if desk.is_hexes and desk.pointing is None and self._here():
            self.meet(next_one=True)
            return
        spots = [
            (distance(c.offer.spot, desk.cursor), i) for i, c in enumerate(desk.listed) if c.offer and c.offer.spot
        ]
        if spots and desk.pointing is None and not desk.is_hexes:
            self.highlight(min(spots)[1])
            return
        group = desk.unit_here()
        if group is None:
            desk.say("No unit stands here.")
            return
        if group.id in words.ready(desk.every):
            self.pointing.cancel()
            cursor = desk.cursor
            self.select(group.id)
            desk.cursor = cursor
            return
        aimed = [i for i, c in enumerate(desk.listed) if c.offer is not None and c.offer.target == group.id]
        if aimed and desk.pointing is None:
            self.highlight(next((i for i in aimed if i > desk.at), aimed[0]))
        else:
            desk.say(f"Nothing to choose now for {group.in_words}; i describes it.")
