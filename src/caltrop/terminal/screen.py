"""The table, the choices and the log: what a game looks like in the terminal, and what each key does.

Nothing is decided here: what may be done was offered with the view, a place becomes an act by being proposed, and a
refusal brings its own reason and the nearest legal act.
"""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec.structs import replace
from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen

from caltrop.engine import Offer, Proposal, Refusal, Refused, Region, Wish, ruleset, words_of
from caltrop.picture import Card, Group, Picture, Point, Seat, Spot
from caltrop.picture.sightings import Sighting
from caltrop.server.seats import PERSON
from caltrop.terminal import hexes, words
from caltrop.terminal.board import (
    COLOURS,
    MARGIN,
    Cell,
    Marks,
    Window,
    distance,
    drawn,
    inside,
    letter_of,
    letters,
    number,
    textures,
)
from caltrop.terminal.dialogs import Curtain, Question, Sheet, keys_of
from caltrop.terminal.hexes import HexWindow, face_letters
from caltrop.terminal.pane import Board, Line, Pane
from caltrop.terminal.sitting import Sitting
from caltrop.terminal.words import Choice
from caltrop.wire import DecisionView, DiceWanted, View

_ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_SHAPES = ("keep", "line", "column", "wedge")
_FACINGS: tuple[tuple[str, tuple[int, int] | None], ...] = (
    ("as it comes", None),
    ("right", (1, 0)),
    ("down right", (1, -1)),
    ("down", (0, -1)),
    ("down left", (-1, -1)),
    ("left", (-1, 0)),
    ("up left", (-1, 1)),
    ("up", (0, 1)),
    ("up right", (1, 1)),
)
_CHOOSING_KEYS = (
    "Tab/1-9 choose",
    "Enter take",
    "e end step",
    "n unit",
    "^Z undo",
    "^Y redo",
    "i inspect",
    "o log",
    "u units",
    "q leave",
    "m measure",
    "l sight",
    "g go to",
    "d dice",
    "c cards",
    "+ - 0 zoom",
)
_HEX_KEYS = (
    "arrows, Tab, 1-9",
    "Enter take",
    "e end step",
    "n unit",
    "^Z undo",
    "^Y redo",
    "i inspect",
    "c cards",
    "l sight",
    "m measure",
    "o log",
    "g go to",
    "d dice",
    "u units",
    "q leave",
    "+ - 0 zoom",
)
_POINTING_KEYS = (
    "Enter propose, do",
    "Esc back",
    "arrows, 45,30",
    "w waypoint",
    "a nearest",
    "s shape",
    "f facing",
    "m measure",
    "+ - 0 zoom",
)
"""What is reminded of at the bottom, as far as there is room."""
_FEW = 9
"""Up to so many choices are listed together; of more, those of one unit after another."""


class Table(Screen[None]):
    """A game.

    Args:
        sitting: Who sits at it.
    """

    CSS = """
    Table { layout: grid; grid-size: 2 5; }
    Table > #top { column-span: 2; }
    Table > #side { height: 1fr; padding: 0 0 0 1; }
    Table #choices { width: 1fr; height: 1fr; }
    Table #units { width: 1fr; }
    Table > #log { border-top: solid ansi_default; }
    Table > #message { column-span: 2; }
    Table > #keys { column-span: 2; }
    """

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.view: View = sitting.view()
        self.decision: DecisionView | None = None
        self.every: list[Choice] = []
        self.listed: list[Choice] = []
        self.at = -1
        """The highlighted choice among those listed; -1 for none, so that no choice is taken unread."""
        self.selected: int | None = None
        self.cursor: Point = (self.picture.width // 2, self.picture.height // 2)
        self.zoom = 0
        self.typed = ""
        self.measure: Point | None = None
        self.message = ""
        self.message_style = ""
        self.units_shown = False
        self.pointing: Region | None = None
        self.waypoints: tuple[Point, ...] = ()
        self.shape = 0
        self.facing = 0
        self.proposal: Proposal | None = None
        self.nearest: Any = None
        self.odds: list[str] = []
        self.kinds_met: list[str] = []
        self.going = False
        """Whether a place is typed to go to."""
        self.in_hand = False
        """Whether the arrows go through cards and not over the table."""
        self.sighting: Sighting | None = None
        self._seen = 0
        self._shown: dict[int | None, int] = {}
        """The last line of the log that each side had before it when another sat down."""
        self._due = False
        self._covered = False
        self._leaving = False

    @property
    def picture(self) -> Picture:
        """The table as it is seen now."""
        return self.view.picture

    def compose(self) -> ComposeResult:
        """Top line, table and choices, log, message, keys."""
        yield Pane(id="top")
        yield Board(id="board")
        with Vertical(id="side"):
            yield Pane(id="choices")
            yield Pane(id="units")
        yield Pane(id="log", tail=True)
        yield Pane(id="message")
        yield Pane(id="keys")

    async def on_mount(self) -> None:
        """Look at the table, and go on looking."""
        self.sitting.wake = self.wake
        self._seen = self._newest()
        self.set_interval(2, self._watch)
        await self.renew()

    def _watch(self) -> None:
        """A computer's seat that has stopped tells nobody."""
        if self.sitting.live is not None and self.sitting.stalled:
            self.draw()

    def on_unmount(self) -> None:
        """Look no more."""
        self.sitting.wake = lambda: None

    def on_resize(self) -> None:
        """Lay out anew."""
        self.call_after_refresh(self.draw)

    def on_screen_resume(self) -> None:
        """Whatever lay over the table is gone."""
        self.wake()

    def wake(self) -> None:
        """Have the table looked at again, once for any number of changes."""
        if not self._due and self.is_running:
            self._due = True
            self.call_later(self.renew)

    async def renew(self) -> None:
        """Look at the table again."""
        self._due = False
        if self._covered or self.sitting.live is None:
            return
        if self.sitting.lost:
            await self.sitting.reopen()
            self.say("This game was played on elsewhere; the table shows how it stands there.")
        eyes = self.sitting.next_eyes()
        if eyes != self.sitting.eyes:
            if self.sitting.needs_curtain():
                self._draw_curtain(eyes)
                return
            await self._look(eyes)
        self.view = self.sitting.view()
        decision = next(iter(self.view.decisions), None)
        if (decision and decision.id) != (self.decision and self.decision.id):
            self._asked(decision)
        self.draw()

    def _draw_curtain(self, eyes: int | None) -> None:
        self._covered = True
        self._shown[self.view.you] = self._newest()
        seat = next((s for s in self.view.seats if s.side == eyes), None)

        async def look(_: None) -> None:
            self._covered = False
            self._seen = self._shown.get(eyes, 0)
            await self._look(eyes)
            await self.renew()
            self._recap()

        self.app.push_screen(Curtain(f"Now {seat.letter}: {seat.name}" if seat else "The next player"), look)

    def _newest(self) -> int:
        """The last line of the log as it is shown."""
        return self.view.log[-1].n if self.view.log else 0

    def _recap(self) -> None:
        """What has happened while somebody else sat here."""
        lines = [entry for entry in words.in_force(self.view.log) if entry.n > self._seen]
        if lines:
            told = [Line(words.entry(entry, self.picture.faces), "", "  ") for entry in lines]
            self.app.push_screen(Sheet("What has happened since you looked", told, "o"))

    async def _look(self, eyes: int | None) -> None:
        await self.sitting.look(eyes)
        seat = next((s for s in self.view.seats if s.side == eyes), None)
        self.say(f"Now {seat.letter}: {seat.name}" if seat is not None else "")
        self._cancel_region()

    def _asked(self, decision: DecisionView | None) -> None:
        """Something else is asked."""
        if self.decision is not None and self.decision.kind not in self.kinds_met:
            self.kinds_met.append(self.decision.kind)
        if decision is None or self.decision is None or decision.kind != self.decision.kind:
            self.selected = None
        self.decision = decision
        self.every = words.choices(decision, self.view.picture) if decision else []
        self._cancel_region()
        self.sighting = None
        ready = words.ready(self.every)
        self.in_hand = bool(self.every) and not ready and all(c.offer and c.offer.spot is None for c in self.every)
        if self.selected not in ready:
            self.selected = None
        each = max((sum(choice.unit == unit for choice in self.every) for unit in ready), default=0)
        if self.selected is None and ready and ((len(self.every) > _FEW and each > 1) or len(ready) == 1):
            self.select(ready[0])
        else:
            self.show_choices()

    # Choosing.

    def show_choices(self, at: int = -1) -> None:
        """List the choices of the selected unit, or all."""
        self.listed = words.for_unit(self.every, self.selected)
        self.typed = ""
        self.highlight(at)

    def highlight(self, at: int) -> None:
        """Highlight a choice, and count what it may end in."""
        self.at = at if 0 <= at < len(self.listed) else -1
        self.odds = []
        offer = self.listed[self.at].offer if self.at >= 0 else None
        if offer is None:
            return
        aim = self.group(offer.target)
        if offer.spot is not None:
            self.cursor = offer.spot
        elif aim is None and self.is_hexes and self.group(offer.unit) is not None:
            self.cursor = self._place_of(self.group(offer.unit)) or self.cursor
        elif aim is not None and aim.pieces:
            self.cursor = min((p.at for p in aim.pieces), key=lambda at: distance(at, self.cursor))
        self._count(offer.action)

    def _count(self, action: Any) -> None:
        async def tell() -> None:
            decision = self.decision
            await asyncio.sleep(0.05)
            if decision is None:
                return
            found = await self.sitting.odds(decision.id, action)
            if found is not None and decision is self.decision:
                narrow = self.query_one("#side", Vertical).size.width < 30
                self.odds = words.odds(found, self.picture, *((4, False) if narrow else ()))
                self.draw()

        self.run_worker(tell(), exclusive=True, group="odds", exit_on_error=False)

    def select(self, unit: int | None) -> None:
        """Select a unit, and go to it with the cursor."""
        self.selected = unit
        self.cursor = self._place_of(self.group(unit)) or self.cursor
        open_ones = [i for i, c in enumerate(words.for_unit(self.every, unit)) if c.unit == unit and c.region]
        self.show_choices(open_ones[0] if unit is not None and len(open_ones) == 1 else -1)

    @property
    def is_hexes(self) -> bool:
        """Whether the table is a map of hexes."""
        return self.picture.form == "hexes"

    def _place_of(self, group: Group | None) -> Point | None:
        """Where a unit stands."""
        if group is None or not group.pieces:
            return None
        at = group.pieces[0].at
        return hexes.map_of(self.picture).nearest(at).at if self.is_hexes else at

    def group(self, unit: int | None) -> Group | None:
        """A unit as it is seen."""
        return next((g for g in self.picture.groups if g.id == unit), None)

    def under_cursor(self) -> Group | None:
        """The unit whose base is at the cursor, or else in its cell; on a map of hexes the unit in the hex."""
        if self.is_hexes:
            return next(iter(hexes.standing(self.picture, self.cursor)), None)
        found = [(distance(p.at, self.cursor) - p.radius, g) for g in self.picture.groups for p in g.pieces]
        near = min(found, key=lambda pair: pair[0], default=None)
        if near is not None and near[0] <= 0:
            return near[1]
        window = self.window()
        cell = window.cell(self.cursor)
        return next((g for g in self.picture.groups for p in g.pieces if window.cell(p.at) == cell), None)

    def next_unit(self, step: int) -> None:
        """Select the next unit that may act."""
        ready = words.ready(self.every)
        if not ready:
            self.say("No unit has anything to choose now.")
            return
        now = ready.index(self.selected) if self.selected in ready else (-1 if step > 0 else 0)
        self._cancel_region()
        self.select(ready[(now + step) % len(ready)])

    async def take(self, choice: Choice) -> None:
        """Take a choice: do it, or begin to point at the table."""
        if choice.offer is not None:
            await self.act(choice.offer.action)
        elif choice.region is not None:
            self.open(choice.region)

    async def end_step(self) -> None:
        """Take what ends the step or the turn, where there is one such choice."""
        finals = [choice for choice in self.every if choice.final]
        if len(finals) == 1:
            await self.take(finals[0])
        elif finals:
            self.selected = None
            self.show_choices(next(i for i, choice in enumerate(words.for_unit(self.every, None)) if choice.final))
            self.say("There are several ways to end: choose one with Tab, and press Enter.")
        else:
            self.say("There is nothing to end now.")

    async def act(self, action: Any) -> None:
        """Answer the decision."""
        if self.decision is None:
            return
        self._seen = self._newest()
        try:
            await self.sitting.play(self.decision.id, action)
        except Refused as refused:
            self.refused(refused.refusal)
        else:
            self.message = ""
            self._cancel_region()
            await self.renew()

    def refused(self, refusal: Refusal) -> None:
        """Say why not, and keep the nearest legal act at hand."""
        self.nearest = refusal.nearest
        name = "" if refusal.nearest is None else f" ({words_of(refusal.nearest).lower()})"
        self.say(words.refusal(refusal, name), "bold")

    def say(self, text: str, style: str = "bold") -> None:
        """Say something in the line for it."""
        self.message, self.message_style = text, style

    # Pointing at the table.

    def open(self, region: Region) -> None:
        """Begin to answer an open choice."""
        self._cancel_region()
        self.pointing = region
        group = self.group(region.unit)
        if group is not None and group.pieces:
            self.cursor = group.pieces[0].at
        elif region.form == "place":
            own = next((z for z in self.picture.zones if z.side == self.view.you), None)
            if own is not None and not inside(own.outline, *self.cursor):
                xs, ys = [x for x, _ in own.outline], [y for _, y in own.outline]
                self.cursor = ((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)
        self.message = ""

    def _cancel_region(self) -> None:
        self.pointing, self.proposal, self.waypoints, self.nearest = None, None, (), None
        self.shape = self.facing = 0
        self.typed = ""

    def propose(self) -> None:
        """Ask what going to the cursor would come to."""
        if self.pointing is None or self.decision is None:
            return
        region = self.pointing
        wish = Wish(
            unit=region.unit,
            act=region.act,
            to=self.cursor,
            waypoints=self.waypoints,
            facing=_FACINGS[self.facing][1],
            shape=_SHAPES[self.shape],
        )
        try:
            found = self.sitting.propose(self.decision.id, wish)
        except Refused as refused:
            self.refused(refused.refusal)
            return
        self.proposal, self.odds = found, []
        if found.refusal is not None:
            self.refused(found.refusal)
            if found.length:
                self.message += f"  The way is {words.length(found.length, self.picture)} long."
        else:
            self.nearest = None
            end = next((path[-1] for path in found.paths.values() if path), self.cursor)
            where = "" if end == self.cursor else f"To {words.place(end, self.picture)}: "
            self.say(f"✓ {where}{words.proposal(found, self.picture)}.  Enter does it, Esc cancels.")
            self._count(found.action)

    def moved(self) -> None:
        """The cursor has moved: what was proposed is not meant any more, and what is aimed at its hex is."""
        self.proposal, self.nearest, self.sighting = None, None, None
        if self.pointing is not None:
            self.message = ""
        elif self.is_hexes:
            self._meet()

    def _here(self) -> list[int]:
        """The choices listed that are aimed at the cursor's hex, or are those of the unit that stands there."""
        here = hexes.map_of(self.picture)
        hex = here.at(self.cursor)
        in_hex = {g.id for g in hexes.standing(self.picture, self.cursor)}
        aimed, own = [], []
        for i, choice in enumerate(self.listed):
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

    def _meet(self, next_one: bool = False) -> None:
        """Highlight a choice that is aimed at the cursor's hex, or none, so that Enter takes nothing elsewhere."""
        cursor, found = self.cursor, self._here()
        at = next((i for i in found if i > self.at), found[0]) if found and next_one else next(iter(found), -1)
        self.highlight(at)
        self.cursor = cursor
        if len(found) > 1:
            self.say(f"{len(found)} choices are aimed at this hex; Space goes through them.")

    async def enter(self) -> None:
        """Do what is typed, proposed or highlighted."""
        typed, self.typed = self.typed, ""
        if self.going or "," in typed or "." in typed:
            self.going = False
            at = words.read_place(typed, self.picture)
            if isinstance(at, str):
                self.say(f"✗ {at}.")
                return
            if self.pointing is None:
                regions = [choice.region for choice in self.listed if choice.region is not None]
                if len(regions) == 1:
                    self.open(regions[0])
            self.cursor = at
            self.moved()
            if self.pointing is not None:
                self.propose()
            return
        if self.pointing is not None:
            if self.proposal is not None and self.proposal.action is not None:
                await self.act(self.proposal.action)
            else:
                self.propose()
            return
        if self.decision is None:
            if self.view.over is not None:
                # The first Enter may have been meant for what came before the end.
                if self._leaving:
                    self.dismiss()
                self._leaving = True
                self.say("The game is over. Enter once more: another game.")
            elif self.sitting.stalled:
                self.sitting.push()
        elif self.at < 0:
            ready = words.ready(self.every)
            here = [g.id for g in self._units_here() if g.id in ready and g.id != self.selected]
            if self.is_hexes and here:
                self.select(here[0])
                self._meet()
            else:
                self.say("Choose first: a number, or Tab.")
        else:
            await self.take(self.listed[self.at])

    def escape(self) -> None:
        """Cancel the innermost thing."""
        if self.typed or self.going:
            self.typed, self.going = "", False
        elif self.sighting is not None:
            self.sighting, self.message = None, ""
        elif self.proposal is not None or self.nearest is not None:
            self.proposal, self.nearest, self.message = None, None, ""
        elif self.waypoints:
            self.waypoints = ()
        elif self.pointing is not None:
            self._cancel_region()
            self.message = ""
        elif self.measure is not None:
            self.measure = None
        elif self.units_shown:
            self.units_shown = False
        elif self.at >= 0:
            self.highlight(-1)
        elif self.in_hand:
            self.in_hand = False
            self.say("The arrows move the cursor; Tab goes back to the choices.", "")
        else:
            self.message = ""
            self.selected = None
            self.show_choices()

    # Keys.

    async def on_key(self, event: events.Key) -> None:
        """One key, one meaning."""
        key, character = event.key, event.character or ""
        before = self.message
        if self.proposal is None and self.nearest is None and self.sighting is None:
            self.message = ""
        if (
            await self._typing_key(key, character)
            or await self._table_key(key, character)
            or await self._key(key, character)
        ):
            event.stop()
            event.prevent_default()
            if self.is_attached:
                self.draw()
        else:
            self.message = before

    def wanted(self) -> DiceWanted | None:
        """The real dice that whoever sits here is to throw and type in."""
        dice = self.view.dice
        if dice is None or not self.sitting.sides:
            return None
        person = dice.side is not None and self.view.seats[dice.side].player == PERSON
        return dice if not person or dice.side in self.sitting.sides else None

    async def _typing_key(self, key: str, character: str) -> bool:
        """Keys while dice, or a place to go to, are typed in."""
        dice = self.wanted()
        if dice is None and not self.going:
            return False
        if dice is not None and key == "enter" and not self.going:
            await self._type_in(dice)
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif self._may_type(dice, character):
            self.typed = (self.typed + character.upper())[-40:]
        else:
            return False
        return True

    def _may_type(self, dice: DiceWanted | None, character: str) -> bool:
        """Whether a character is part of a place, or of dice."""
        if not character or not character.isprintable():
            return False
        if self.going or dice is None:
            return character.isalnum() or character in ",."
        if len(self.picture.faces) == dice.sides:
            return character.upper() in face_letters(self.picture.faces).values() or character == " "
        return character.isdigit() or character in ", "

    async def _type_in(self, dice: DiceWanted) -> None:
        faces = words.read_faces(self.typed, dice.sides, dice.count, self.picture.faces)
        if isinstance(faces, str):
            self.say(f"✗ {faces}.")
            return
        self.typed = ""
        try:
            await self.sitting.type_in(faces)
        except Refused as refused:
            self.say(words.refusal(refused.refusal))
        else:
            await self.renew()

    async def _sight(self) -> None:
        """Whether the unit that is meant sees the unit under the cursor; from the ruler's beginning where one lies."""
        choice = self.listed[self.at] if 0 <= self.at < len(self.listed) else None
        group = self.group(self._acting(choice.offer if choice else None))
        target = self.under_cursor()
        if group is None or not group.pieces:
            self.say("Select a unit first (n), and point at another: its sight is told.")
            return
        if target is None or target.id == group.id:
            self.say(f"Point at the unit that {group.name} is to see, and press l.")
            return
        single = len(group.pieces) == 1
        places = {group.pieces[0].id: self.measure} if self.measure is not None and single else {}
        try:
            found = await self.sitting.sight(group.id, target.id, places)
        except Refused as refused:
            self.say(words.refusal(refused.refusal))
            return
        self.sighting = found
        if found is not None:
            place = f"From {words.place(self.measure, self.picture)}: " if self.measure is not None and single else ""
            self.say(f"{'✓' if found.seen else '✗'} {place}{found.words}")

    async def _table_key(self, key: str, character: str) -> bool:
        """Keys that point at the table."""
        arrow = _ARROWS.get(key.removeprefix("shift+"))
        if arrow is not None and self.in_hand and self.pointing is None:
            return await self._key({1: "tab", -1: "shift+tab"}[arrow[0] + arrow[1]], "")
        if arrow is not None:
            far = 5 if key.startswith("shift+") else 1
            self.cursor = self.window().step(self.cursor, arrow[0] * far, arrow[1] * far, self.picture)
            self.moved()
        elif character in ("+", "=") and character:
            self.zoom = min(self.zoom + 1, 6)
        elif character == "-":
            self.zoom = max(self.zoom - 1, 0)
        elif character == "0" and not self.typed:
            self.zoom = 0
        elif character == "m":
            self.measure = None if self.measure is not None else self.cursor
            if self.measure is not None:
                self.in_hand = False
        elif character == "g":
            self.going, self.typed, self.in_hand = True, "", False
        elif character == "l":
            await self._sight()
        elif character == " ":
            self._pick()
        elif character == "w" and self.pointing is not None:
            self.waypoints = (*self.waypoints, self.cursor)
            self.moved()
            self.say(f"Waypoint {len(self.waypoints)} at {words.place(self.cursor, self.picture)}. Go on from here.")
        elif character == "s" and self.pointing is not None:
            self.shape = (self.shape + 1) % len(_SHAPES)
            self.moved()
            self.say(f"Shape: {_SHAPES[self.shape]}")
        elif character == "f" and self.pointing is not None:
            self.facing = (self.facing + 1) % len(_FACINGS)
            self.moved()
            self.say(f"Facing: {_FACINGS[self.facing][0]}")
        else:
            return False
        return True

    async def _key(self, key: str, character: str) -> bool:
        """Keys that choose, read or leave."""
        step = {"tab": 1, "shift+tab": -1, "pagedown": 5, "pageup": -5}.get(key)
        if step is not None:
            if self.listed and self.pointing is None:
                self.typed = ""
                self.in_hand = not words.ready(self.every) and not self._spots()
                start = self.at if self.at >= 0 else (-1 if step > 0 else 0)
                to = (start + step) % len(self.listed) if abs(step) == 1 else start + step
                self.highlight(max(0, min(len(self.listed) - 1, to)))
        elif character and character in "123456789,.0":
            self._type(character)
        elif key == "backspace":
            if self.typed:
                self.typed = self.typed[:-1]
            else:
                self.waypoints = self.waypoints[:-1]
                self.moved()
        elif key == "enter":
            await self.enter()
        elif key == "shift+enter" or character == "e":
            await self.end_step()
        elif key == "escape":
            self.escape()
        elif character in ("n", "N") and character:
            self.next_unit(1 if character == "n" else -1)
        elif character == "a":
            if self.nearest is not None:
                await self.act(self.nearest)
            else:
                self.say("Nothing was refused.")
        elif key == "ctrl+z":
            await self._undo()
        elif key == "ctrl+y":
            await self._redo()
        elif key == "ctrl+r":
            self._resign()
        elif character == "u":
            self.units_shown = not self.units_shown
        elif character == "i":
            self.app.push_screen(Sheet("What is here", self._inspected(), "i"))
        elif character == "o":
            lines = [self._log_line(entry) for entry in words.in_force(self.view.log)]
            self.app.push_screen(Sheet("The log", lines, "o", last=True))
        elif character == "c":
            self.app.push_screen(Sheet("Cards", self._cards(), "c"))
        elif character == "d":
            self.app.push_screen(Sheet("The last dice", self._dice(), "d"))
        elif character == "?":
            self.app.push_screen(Sheet("Keys", keys_of(self._legend()), "?"))
        elif character == "q":
            self.app.exit()
        else:
            return False
        return True

    def _type(self, character: str) -> None:
        self.typed = (self.typed + character)[-15:]
        if not self.typed.isdigit() or self.pointing is not None:
            return
        # After 1, a 2 is the twelfth choice, or the second where there are fewer; or 12,30 is going to be a place.
        wanted = next((n for n in (int(self.typed), int(character)) if 1 <= n <= len(self.listed)), 0)
        self.highlight(wanted - 1)
        if not wanted:
            self.say(f"There are {len(self.listed)} choices.")

    def _pick(self) -> None:
        """Take up what is under the cursor: the nearest place that is offered, a unit, a choice aimed at an enemy."""
        if self.is_hexes and self.pointing is None and self._here():
            self._meet(next_one=True)
            return
        spots = [
            (distance(c.offer.spot, self.cursor), i) for i, c in enumerate(self.listed) if c.offer and c.offer.spot
        ]
        if spots and self.pointing is None and not self.is_hexes:
            self.highlight(min(spots)[1])
            return
        group = self.under_cursor()
        if group is None:
            self.say("No unit stands here.")
            return
        if group.id in words.ready(self.every):
            self._cancel_region()
            cursor = self.cursor
            self.select(group.id)
            self.cursor = cursor
            return
        aimed = [i for i, c in enumerate(self.listed) if c.offer is not None and c.offer.target == group.id]
        if aimed and self.pointing is None:
            self.highlight(next((i for i in aimed if i > self.at), aimed[0]))
        else:
            self.say(f"{group.name} has nothing to choose now; i tells about it.")

    async def _redo(self) -> None:
        self._cancel_region()
        try:
            await self.sitting.redo()
        except Refused as refused:
            self.say(words.refusal(refused.refusal))
            return
        self.message = ""
        await self.renew()

    async def _undo(self) -> None:
        self._cancel_region()
        try:
            done = await self.sitting.undo()
        except Refused as refused:
            self.say(words.refusal(refused.refusal))
            return
        self.message = ""
        if done:
            await self.renew()
            return
        asker = self.sitting.table.game.takeback
        others = [s for s in self.view.seats if s.side in self.sitting.sides and s.side != asker]
        if not others:
            self.say("The other side is asked for leave to take that back.")
            return

        async def answered(leave: bool | None) -> None:
            try:
                await self.sitting.give_leave(bool(leave))
            except Refused as refused:
                self.say(words.refusal(refused.refusal))
            await self.renew()

        name = next((s.name for s in self.view.seats if s.side == asker), "The other side")
        self.app.push_screen(Question(f"{others[0].name}: may {name} take back its last act?"), answered)

    def _resign(self) -> None:
        if self.view.over is not None or not self.sitting.sides:
            return

        async def answered(sure: bool | None) -> None:
            if sure:
                try:
                    await self.sitting.resign()
                except Refused as refused:
                    self.say(words.refusal(refused.refusal))
                await self.renew()

        self.app.push_screen(Question("Give this game up?"), answered)

    # Drawing.

    def window(self) -> Window | HexWindow:
        """Which part of the table is seen."""
        board = self.query_one("#board", Board)
        size = (board.size.width or 40, board.size.height or 14)
        kind = HexWindow if self.is_hexes else Window
        return kind(self.picture, *size, self.zoom, self.cursor)

    def _drawn(self, marks: Marks) -> list[list[Cell]]:
        window = self.window()
        if isinstance(window, HexWindow):
            choice = self.listed[self.at] if 0 <= self.at < len(self.listed) else None
            card, picture = self._card_of(choice.offer if choice else None), self.picture
            if card is not None:
                zones = tuple(replace(zone, lit=words.names_area(card, zone)) for zone in picture.zones)
                picture = replace(picture, zones=zones)
            return hexes.drawn(picture, window, marks)
        return drawn(self.picture, window, marks)

    def _lay_out(self) -> None:
        """Give the table the columns and rows that it can use, and the rest to the words."""
        width, height = self.app.size.width, self.app.size.height
        log = 8 if height >= 36 else 6 if height >= 28 else 4
        rows = height - 2 - 3 - 1
        if self.is_hexes:
            # A map leaves rows unused: the log takes them, and the choices the whole height beside both.
            least = 36 if width >= 100 else 24
            whole = HexWindow(self.picture, width - least, rows - log)
            side, log = width - max(whole.width, width // 2), rows - whole.height
        else:
            rows -= log
            needed = int(self.picture.width / Window(self.picture, 10_000, rows).wide) + MARGIN + 1
            side = min(max(36, width - needed), max(36, width // 2)) if width >= 76 else width // 2
        self.styles.grid_columns = f"1fr {side}"
        self.styles.grid_rows = f"2 1fr {log} 3 1"
        self.query_one("#side", Vertical).styles.row_span = 2 if self.is_hexes else 1
        self.query_one("#log", Pane).styles.column_span = 1 if self.is_hexes else 2
        units = self.query_one("#units", Pane)
        units.display = rows >= 24
        units.styles.height = min(len(self.picture.groups) + 1, rows // 2)

    def draw(self) -> None:
        """Draw everything."""
        if not self.is_attached:
            return
        self._lay_out()
        self._draw_top()
        self._draw_choices()
        self._draw_log()
        self._draw_message()
        choice = self.listed[self.at] if 0 <= self.at < len(self.listed) else None
        offer = choice.offer if choice and self.pointing is None else None
        paths: tuple[tuple[Point, ...], ...] = ()
        if self.proposal is not None:
            paths = tuple(path for path in self.proposal.paths.values())
        elif self.waypoints:
            group = self.group(self.pointing.unit) if self.pointing else None
            start = (group.pieces[0].at,) if group and group.pieces else ()
            paths = ((*start, *self.waypoints, self.cursor),)
        elif self.sighting is not None:
            paths = tuple((line.start, line.stop or line.end) for line in self.sighting.lines)
        marks = Marks(
            cursor=self.cursor,
            selected=self._acting(offer),
            target=offer.target if offer else None,
            ready=words.ready(self.every),
            spots=self._spots(),
            paths=paths,
            legal=(self.proposal is None or self.proposal.refusal is None)
            and (self.sighting is None or self.sighting.seen),
            measure=self.measure,
        )
        self.query_one("#board", Board).show(self._drawn(marks))

    def _spots(self) -> tuple[Point, ...]:
        """The places that the choices listed are aimed at."""
        if self.pointing is not None:
            return ()
        return tuple(c.offer.spot for c in self.listed if c.offer is not None and c.offer.spot is not None)

    def _acting(self, offer: Offer | None) -> int | None:
        """The unit that is meant now."""
        if self.pointing is not None:
            return self.pointing.unit
        return offer.unit if offer is not None and offer.unit is not None else self.selected

    def _draw_top(self) -> None:
        stage, title = self.picture.stage, ruleset(self.view.ruleset).title
        rounds = f"Round {stage.round}" + (f" of {stage.rounds}" if stage.rounds else "")
        if stage.round == 0:
            rounds = "Before the first round"
        step = ""
        if 0 <= stage.now < len(stage.steps):
            before = " › ".join(
                [*stage.steps[: stage.now], f"[{stage.steps[stage.now].upper()}]", *stage.steps[stage.now + 1 :]]
            )
            short = f"step {stage.now + 1} of {len(stage.steps)}: {stage.steps[stage.now].upper()}"
            step = before if len(f"{title}   {rounds}   {before}") <= self.app.size.width else short
        # What does not fit is left out, the least needed first.
        seats = ""
        for much in (3, 2, 1, 0):
            seats = "   ".join(self._seat(seat, much) for seat in self.picture.seats)
            if cell_len(seats) <= self.app.size.width:
                break
        self.query_one("#top", Pane).show([Line(step, "", f"{title}   {rounds}   ", "bold"), Line(seats)])

    def _seat(self, seat: Seat, much: int) -> str:
        """A side: 3 with everything, 2 without the card played, 1 without the player, 0 without its name."""
        if self.is_hexes:
            sign = f"{hexes.shape(self.picture, seat.side)}{seat.letter}"
        else:
            left, right = "()" if seat.shape == "circle" else "<>"
            sign = f"{left}{seat.letter}{right}"
        player = next((s.player for s in self.view.seats if s.side == seat.side), "")
        who = "you" if seat.side in self.sitting.sides and len(self.sitting.sides) == 1 else player
        told = [f"{p.label} {p.value}" for p in seat.points]
        if seat.cards is not None:
            told.append("1 card" if seat.cards == 1 else f"{seat.cards} cards")
        if much > 2 and seat.played is not None:
            told.append(f"played {words.card(seat.played)}")
        turn = "▶" if seat.side in self.view.waiting_for else " "
        name = f" {seat.name}, {who}" if much > 1 else f" {seat.name}" if much else ""
        return f"{turn}{sign}{name}: {', '.join(told)}"

    def _draw_choices(self) -> None:
        lines, keep = self._units() if self.units_shown else self._choices()
        self.query_one("#choices", Pane).show(lines, keep)
        units = self.query_one("#units", Pane)
        if units.display:
            units.show(*self._units())

    def _choices(self) -> tuple[list[Line], int]:
        view, decision = self.view, self.decision
        if view.over is not None:
            winner = next((s.name for s in view.seats if s.side == view.over.winner), None)
            lines = [Line("The game is over", "bold underline"), Line(f"{winner} wins" if winner else "A draw", "bold")]
            return [
                *lines,
                Line(view.over.reason),
                Line(""),
                Line("Enter twice: another game   o: the log   q: leave"),
            ], 0
        dice = self.wanted()
        if dice is not None:
            return self._throwing(dice), 0
        if decision is None:
            thinking = self.sitting.thinking()
            words_ = f"The computer ({thinking}) plays …" if thinking else "The other side is to answer."
            if self.sitting.stalled:
                words_ = f"The computer ({thinking}) has stopped. Enter: have it go on"
            return [Line(words_, "bold"), Line(self.picture.stage.words)], 0
        lines = [Line(decision.prompt, "bold")]
        if self.pointing is not None:
            return [*lines, *self._pointing(self.pointing)], 0
        if decision.hint and decision.kind not in self.kinds_met:
            lines.append(Line(decision.hint, "dim"))
        ready = words.ready(self.every)
        group = self.group(self.selected)
        if self.selected in ready and group is not None:
            count = f" (unit {ready.index(self.selected) + 1} of {len(ready)}, n next, Esc all)"
            text = words.unit(group, self.picture) + (count if len(ready) > 1 else "")
            lines.append(Line(text, COLOURS[group.side % 4]))
        keep, heading = 0, ""
        for i, choice in enumerate(self.listed):
            named = self.group(choice.unit)
            title = choice.group
            if choice.final and heading != "End":
                title = title or "End"
            if title != heading and title:
                lines.append(Line(title, "underline"))
            heading = title
            here = i == self.at
            text = choice.words
            if named is not None and self.selected is None and named.name not in text and title != named.name:
                text = f"{named.name}: {text}"
            cost = choice.offer.price if choice.offer else ()
            if cost and not here:
                text += f" ({sum(term.value for term in cost)})"
            card = self._card_of(choice.offer)
            if card is not None and not here and self.query_one("#side", Vertical).size.width >= 36:
                text = f"{text}\n{card.words}"
            if here:
                keep = len(lines)
                text = "\n".join([text, *self._details(choice)])
            key = " e" if choice.final and sum(c.final for c in self.every) == 1 else ""
            lines.append(Line(text, "bold" if here else "", f"{'▶' if here else ' '}{i + 1:>2}{key} "))
        return lines, keep

    def _throwing(self, dice: DiceWanted) -> list[Line]:
        """Which real dice are to be thrown, and how they are typed in."""
        many = "1 die" if dice.count == 1 else f"{dice.count} dice"
        clauses = f" [{', '.join(dice.clauses)}]" if dice.clauses else ""
        lines = [Line(f"Throw {many} with {dice.sides} sides", "bold")]
        if dice.words:
            lines.append(Line(f"{dice.words}{clauses}"))
        if len(self.picture.faces) == dice.sides:
            lines.append(Line(f"Type the letters as they fell, and Enter: {words.symbols(self.picture.faces)}."))
        else:
            lines.append(Line("Type the numbers as they fell, and Enter."))
        return lines

    def _card_of(self, offer: Offer | None) -> Card | None:
        """The card of one's hand that a choice plays."""
        if offer is None or offer.card is None:
            return None
        return next((card for card in self.picture.hand if card.kind == offer.card), None)

    def _details(self, choice: Choice) -> list[str]:
        card = self._card_of(choice.offer)
        told = [f"{card.words}" + (f" ({', '.join(card.clauses)})" if card.clauses else "")] if card else []
        return [*told, *self._ending(choice)]

    def _ending(self, choice: Choice) -> list[str]:
        if choice.region is not None:
            bands = words.reach(choice.region, self.picture)
            return [f"Price {bands}" if bands else "A place on the table", "Enter: point at the table"]
        details = []
        if choice.offer is not None and choice.offer.price:
            details.append(words.price(choice.offer.price))
        return [*details, *self.odds, "Enter: do it"]

    def _pointing(self, region: Region) -> list[Line]:
        lines = [Line(f"▶ {region.words}", "bold")]
        bands = words.reach(region, self.picture)
        if bands:
            lines.append(Line(f"Price {bands}"))
        if region.form != "spot":
            lines.append(Line(f"Shape {_SHAPES[self.shape]} (s), facing {_FACINGS[self.facing][0]} (f)"))
        lines.append(Line("Arrows, or a place such as 45,30; Enter proposes, w sets a waypoint, Esc goes back.", "dim"))
        if self.proposal is not None and self.proposal.action is not None:
            lines += [Line(text) for text in self.odds]
        return lines

    def _units(self) -> tuple[list[Line], int]:
        lines, keep = [Line("Units", "underline")], 0
        ready = words.ready(self.every)
        for group in sorted(self.picture.groups, key=lambda g: (g.side != self.view.you, g.side, g.id)):
            if group.id == self.selected:
                keep = len(lines)
            mark = "▶" if group.id == self.selected else "•" if group.id in ready else " "
            off = "" if group.pieces else " · off the table"
            if group.pieces and self.is_hexes:
                off = f" · {words.place(group.pieces[0].at, self.picture)}"
            lines.append(Line(words.unit(group, self.picture) + off, COLOURS[group.side % 4], mark))
        return lines, keep

    def _draw_log(self) -> None:
        lines = [self._log_line(entry) for entry in words.in_force(self.view.log)[-30:]]
        self.query_one("#log", Pane).show(lines)

    def _log_line(self, entry: Any) -> Line:
        new = "│" if entry.n > self._seen else " "
        return Line(words.entry(entry, self.picture.faces), "bold" if new == "│" else "", f"{new} ")

    def _draw_message(self) -> None:
        place = words.place(self.cursor, self.picture)
        here = [place if self.is_hexes else f"{place} {self.picture.measure}"]
        if self.measure is not None:
            far = words.apart(self.measure, self.cursor, self.picture)
            here.append(f"{far} from {words.place(self.measure, self.picture)}")
        unit = self.pointing.unit if self.pointing else self.selected
        group = self.group(unit)
        if group is not None and group.pieces and self.is_hexes:
            if group not in self._units_here():
                here.append(f"{words.apart(group.pieces[0].at, self.cursor, self.picture)} from {group.name}")
        elif group is not None and group.pieces:
            gap = min(max(distance(p.at, self.cursor) - p.radius, 0) for p in group.pieces)
            here.append(f"{number(gap / (self.picture.scale or 1))} {self.picture.measure} from {group.name}")
        here += [words.unit(group, self.picture) for group in self._units_here()]
        here += [g.name for g in self.picture.grounds if inside(g.outline, *self.cursor)]
        here += [s.kind if s.name == place else s.name for s in self._spots_here()]
        if self.is_hexes:
            here += [z.name for z in self.picture.zones if hexes.in_zone(z, self.cursor)]
        typed = "Go to " * self.going + f"> {self.typed}_   " if self.typed or self.going else ""
        lines = [Line(" · ".join(here), "", typed, "bold reverse")]
        if self.message:
            lines.append(Line(self.message, self.message_style))
        self.query_one("#message", Pane).show(lines)
        keys = _POINTING_KEYS if self.pointing is not None else _HEX_KEYS if self.is_hexes else _CHOOSING_KEYS
        shown = " ? keys "
        for key in keys:
            if len(shown) + len(key) + 2 <= self.app.size.width:
                shown += f" {key} "
        self.query_one("#keys", Pane).show([Line(shown, "reverse")])

    def _units_here(self) -> list[Group]:
        """The units under the cursor: in a hex all of them."""
        if self.is_hexes:
            return hexes.standing(self.picture, self.cursor)
        over = self.under_cursor()
        return [over] if over is not None else []

    def _spots_here(self) -> list[Spot]:
        """The marked places under the cursor."""
        if self.is_hexes:
            return hexes.spots_at(self.picture, self.cursor)
        return [spot for spot in self.picture.spots if distance(spot.at, self.cursor) <= spot.radius]

    def _inspected(self) -> list[Line]:
        lines: list[Line] = []
        if self.is_hexes:
            zones = [z.name for z in self.picture.zones if hexes.in_zone(z, self.cursor)]
            lines.append(Line(", ".join([words.place(self.cursor, self.picture), *zones]), "bold"))
        groups = self._units_here()
        selected = self.group(self.selected)
        if not groups and selected is not None:
            groups = [selected]
        for group in groups:
            lines += self._about(group)
        for ground in self.picture.grounds:
            if inside(ground.outline, *self.cursor):
                lines.append(Line(f"{ground.name}: {ground.words}" if ground.words else ground.name))
        lines += [Line(f"{spot.name}: {spot.words}") for spot in self._spots_here()]
        if not self.is_hexes:
            lines += [Line(zone.name) for zone in self.picture.zones if inside(zone.outline, *self.cursor)]
        lines += [Line(line.words) for line in self.picture.lines if line.words]
        return lines or [Line("Open ground.")]

    def _first_in_hex(self, group: Group) -> bool:
        """Whether it is the unit that is drawn in its hex, and no guest of another."""
        return hexes.standing(self.picture, group.pieces[0].at)[0] is group

    def _about(self, group: Group) -> list[Line]:
        """A unit in full."""
        seat = next((s for s in self.picture.seats if s.side == group.side), None)
        lines = [Line(words.unit(group, self.picture), "bold")]
        lines.append(Line(f"{group.kind}, {seat.name if seat else ''} ({seat.letter if seat else ''})"))
        lines += [Line(text) for found in group.stats for text in words.stat(found)]
        lines += [Line(f"{t.kind} {t.count}: {t.words}") for t in group.tokens]
        for piece in group.pieces:
            held = ", ".join(f"{t.kind} {t.count}: {t.words}" for t in piece.tokens)
            if held or not self.is_hexes:
                lines.append(Line(f"Model at {words.place(piece.at, self.picture)}" + f"; {held}" * bool(held)))
        return lines

    def _cards(self) -> list[Line]:
        """One's own cards with their texts, how many the others hold, and what was played last."""
        lines: list[Line] = []
        if self.picture.hand:
            lines.append(Line("Your hand", "underline"))
        for card in self.picture.hand:
            clauses = f" [{', '.join(card.clauses)}]" if card.clauses else ""
            lines += [Line(words.card(card), "bold", "  "), Line(f"{card.words}{clauses}", "", "    ")]
        for seat in self.picture.seats:
            if seat.cards is None:
                continue
            lines.append(Line(f"{seat.name}: {seat.cards} cards", "underline"))
            if seat.played is not None:
                lines.append(Line(f"played last: {words.card(seat.played)}", "", "  "))
                lines.append(Line(seat.played.words, "", "    "))
        return lines or [Line("There are no cards in this game.")]

    def _dice(self) -> list[Line]:
        """The dice that fell last, as they were read."""
        faces = self.picture.faces
        for entry in reversed(words.in_force(self.view.log)):
            if entry.reading is not None:
                return [Line(entry.text, "bold"), *(Line(text) for text in words.reading(entry.reading, faces))]
            if entry.dice:
                return [Line(entry.text, "bold"), *(Line(words.thrown(roll, faces)) for roll in entry.dice)]
        return [Line("No dice have been thrown yet.")]

    def _legend(self) -> list[str]:
        known = letters(self.picture.groups)
        said: dict[str, None] = {}
        for group in self.picture.groups:
            whose = f"{group.kind} of {self.picture.seats[group.side].name}"
            if self.is_hexes:
                said[f"{hexes.shape(self.picture, group.side)}{hexes.code(group, self.picture)} {whose}"] = None
            else:
                said[f"{letter_of(group, '', known)} {whose}"] = None
        if self.is_hexes:
            signs = " ".join(hexes.shape(self.picture, seat.side, True) for seat in self.picture.seats)
            said[f"{signs} a unit with a leader; the number after the letters is what is left of a unit"] = None
            said["on a hex that is one row high the second letter is left out, and * is a marked place"] = None
            drawn_ones = [g for g in self.picture.groups if g.pieces and self._first_in_hex(g)]
            kinds = dict.fromkeys(token.kind for g in drawn_ones for token in hexes.tokens_drawn(g))
            said |= {f"{kind[:1].lower()} under a unit: {kind}": None for kind in kinds}
            said["+ a hex that is offered"] = None
            said["° a unit that has something to choose"] = None
            if any(zone.lit for zone in self.picture.zones):
                said["• open ground in the section that is meant"] = None
        for kind, texture in textures(self.picture.grounds).items():
            ground = next(g for g in self.picture.grounds if g.kind == kind)
            named = kind.replace("-", " ").capitalize()
            told = ground.words if ground.words.startswith(named) else f"{named}: {ground.words}".removesuffix(": ")
            said[f"{texture} {told}"] = None
        if self.picture.spots:
            said["{*} a marked place; a letter in it: who holds it"] = None
        if any(not self.is_hexes or zone.side is not None for zone in self.picture.zones):
            said[". and ' a marked area"] = None
        return list(said)
