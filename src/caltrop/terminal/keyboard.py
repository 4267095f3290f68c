"""The effect of each key of the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Protocol

from caltrop.terminal import panels, sheets, typed, words
from caltrop.terminal.acting import Acting
from caltrop.terminal.choosing import Choosing
from caltrop.terminal.desk import Desk
from caltrop.terminal.dialogs import keys_of
from caltrop.terminal.pane import PaneLine
from caltrop.terminal.pointing import Pointing

_ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_MOST_ZOOM = 6


class ShowsSheets(Protocol):
    """Function that shows a sheet over the table; the key that opened it also closes it."""

    def __call__(self, title: str, lines: list[PaneLine], own: str, last: bool = False) -> None: ...


class Keyboard:
    """Interpret each key of the table in the present context.

    Args:
        sheet: Shows a sheet over the table.
    """

    def __init__(
        self,
        desk: Desk,
        choosing: Choosing,
        pointing: Pointing,
        acting: Acting,
        sheet: ShowsSheets,
        rise: Callable[[], object],
        leave: Callable[[], None],
    ) -> None:
        self.desk, self.choosing, self.pointing, self.acting = desk, choosing, pointing, acting
        self.rise = rise
        self._leaving = False
        self._keys: dict[str, Callable[[], Awaitable[None] | None]] = {
            "enter": self.enter,
            "escape": self.escape,
            "backspace": self._backspace,
            "shift+enter": acting.end_step,
            "e": acting.end_step,
            "n": lambda: choosing.next_unit(1),
            "N": lambda: choosing.next_unit(-1),
            " ": choosing.pick,
            "a": acting.take_nearest,
            "h": acting.hint,
            "l": acting.sight,
            "<": lambda: acting.step(-1),
            ">": lambda: acting.step(1),
            "b": acting.look_back,
            "ctrl+z": acting.undo,
            "ctrl+y": acting.redo,
            "ctrl+r": acting.resign,
            "ctrl+d": acting.draw,
            "t": acting.talk,
            "T": acting.hush,
            "S": acting.show_all,
            "+": lambda: self._zoom(1),
            "=": lambda: self._zoom(1),
            "-": lambda: self._zoom(-1),
            "m": self._measure,
            "g": self._go_to,
            "u": self._units,
            "i": lambda: sheet("What is here", sheets.inspected(desk), "i"),
            "o": lambda: sheet("The log", panels.log(desk, 0), "o", last=True),
            "c": lambda: sheet("Cards", sheets.cards(desk.picture, desk.sitting.other_hands()), "c"),
            "v": lambda: sheet("How to win", sheets.goal(desk.picture), "v"),
            "d": lambda: sheet("The last dice", sheets.dice(desk.view), "d"),
            "?": lambda: sheet("Keys", keys_of(sheets.legend(desk.picture)), "?"),
            "q": leave,
        }

    async def press(self, key: str, character: str) -> bool:
        """Handle a key in the current context: typed letters first, then the table, then the choices.

        Returns whether the key has an effect.
        """
        desk = self.desk
        if desk.moment is not None and character not in ("<", ">", "b", "i", "o", "d", "v", "?", "q", "+", "-"):
            # An earlier moment can be viewed, but not played.
            if self._arrow(key):
                return True
            await self.acting.to_now()
            return True
        if typed.key(desk, key, character) or self._arrow(key) or self.pointing.key(character):
            return True
        step = {"tab": 1, "shift+tab": -1, "pagedown": 5, "pageup": -5}.get(key)
        if step is not None:
            self.choosing.step(step)
        elif character == "0" and not desk.typed:
            desk.zoom = 0
        elif character and character in "0123456789,.":
            self.choosing.number(character)
        else:
            meant = self._keys.get(key) or self._keys.get(character)
            if meant is None:
                return False
            done = meant()
            if isawaitable(done):
                await done
        return True

    def _arrow(self, key: str) -> bool:
        desk, arrow = self.desk, _ARROWS.get(key.removeprefix("shift+"))
        if arrow is None:
            return False
        if desk.in_hand and desk.pointing is None:
            self.choosing.step(sum(arrow))
        else:
            far = 5 if key.startswith("shift+") else 1
            desk.cursor = desk.window().step(desk.cursor, arrow[0] * far, arrow[1] * far, desk.picture)
            self.choosing.moved()
        return True

    async def enter(self) -> None:
        """Carry out the typed text, the proposal or the highlighted choice."""
        desk = self.desk
        dice = desk.dice_wanted()
        if dice is not None and not desk.going:
            await self.acting.type_in(dice)
            return
        if typed.is_place(desk):
            self._go()
            return
        desk.typed = ""
        if desk.pointing is not None:
            if desk.proposal is not None and desk.proposal.action is not None:
                # Two keys may be pressed before the screen is redrawn, so a proposal that nobody has seen is not
                # carried out.
                if desk.drawn is desk.proposal:
                    await self.acting.act(desk.proposal.action)
            else:
                self.pointing.propose()
        elif desk.decision is None:
            self._go_on()
        elif desk.choice is not None:
            await self.acting.take(desk.choice)
        else:
            self._take_up()

    def _go(self) -> None:
        desk = self.desk
        if not typed.go(desk):
            return
        at, regions = (
            desk.cursor,
            [choice.region for choice in desk.listed if choice.region is not None and not choice.more],
        )
        if desk.pointing is None and len(regions) == 1:
            self.pointing.open(regions[0])
        desk.cursor = at
        self.choosing.moved()
        if desk.pointing is not None:
            self.pointing.propose()

    def _go_on(self) -> None:
        """Leave the table after the end of the game, or restart a computer player that has stopped."""
        if self.desk.view.over is not None:
            # The first Enter may have been pressed before the end was visible.
            if self._leaving:
                self.rise()
            self._leaving = True
            self.desk.say("The game is over. Enter once more: another game.")
        elif self.desk.sitting.stalled:
            self.desk.sitting.push()

    def _take_up(self) -> None:
        """Select the unit in the cursor's hex, if no choice is highlighted."""
        desk, ready = self.desk, words.ready(self.desk.every)
        here = [g.id for g in desk.units_here() if g.id in ready and g.id != desk.selected]
        if desk.is_hexes and here:
            self.choosing.select(here[0])
            self.choosing.meet()
        else:
            desk.say("Choose first: a number, or Tab.")

    def escape(self) -> None:
        desk = self.desk
        if desk.typed or desk.going:
            desk.typed, desk.going = "", False
        elif desk.sighting is not None:
            desk.sighting, desk.message = None, ""
        elif desk.proposal is not None or desk.nearest is not None:
            self.pointing.forget()
            desk.message = ""
        elif desk.waypoints:
            desk.waypoints = ()
        elif desk.pointing is not None:
            self.pointing.cancel()
            desk.message = ""
        elif desk.measure is not None:
            desk.measure = None
        elif desk.units_shown:
            desk.units_shown = False
        elif desk.begun is not None:
            self.choosing.back()
        elif desk.at >= 0:
            self.choosing.highlight(-1)
        elif desk.in_hand:
            desk.in_hand = False
            desk.say("The arrows move the cursor; Tab goes back to the choices.", "")
        else:
            desk.message = ""
            desk.selected = None
            self.choosing.show()

    def _backspace(self) -> None:
        desk = self.desk
        if desk.typed:
            desk.typed = desk.typed[:-1]
        else:
            desk.waypoints = desk.waypoints[:-1]
            self.choosing.moved()

    def _zoom(self, by: int) -> None:
        self.desk.zoom = max(0, min(_MOST_ZOOM, self.desk.zoom + by))

    def _measure(self) -> None:
        self.desk.measure = None if self.desk.measure is not None else self.desk.cursor
        if self.desk.measure is not None:
            self.desk.in_hand = False

    def _go_to(self) -> None:
        self.desk.going, self.desk.typed, self.desk.in_hand = True, "", False

    def _units(self) -> None:
        self.desk.units_shown = not self.desk.units_shown
