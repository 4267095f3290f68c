"""The screen of a game: its parts, its redrawing, and the effects of keys.

The screen contains no rules: the view has the possible acts, a proposal turns a place into an act, and a refusal has
its reason and the nearest legal act.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen

from caltrop.asking import Proposal
from caltrop.engine import Refused
from caltrop.host.people import TALK_LENGTH
from caltrop.terminal import frame, panels, words
from caltrop.terminal.acting import Acting
from caltrop.terminal.choosing import Choosing
from caltrop.terminal.desk import Desk
from caltrop.terminal.dialogs import Curtain, TextPage, Writing, YesNoQuestion
from caltrop.terminal.handover import Handover
from caltrop.terminal.keyboard import Keyboard
from caltrop.terminal.pane import CharacterBoard, Pane, PaneLine, rows_of, same
from caltrop.terminal.pointing import Pointing
from caltrop.terminal.sitting import Sitting


class GameScreen(Screen[None]):
    """The screen of a game."""

    CSS = """
    GameScreen { layout: grid; grid-size: 2 5; }
    GameScreen > #top { column-span: 2; }
    GameScreen > #side { height: 1fr; padding: 0 0 0 1; }
    GameScreen #choices { width: 1fr; height: 1fr; }
    GameScreen #units { width: 1fr; }
    GameScreen > #log { border-top: solid ansi_default; border-title-color: ansi_default; }
    GameScreen > #message { column-span: 2; }
    GameScreen > #keys { column-span: 2; }
    """

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.desk = Desk(sitting, self._room)
        self.pointing = Pointing(self.desk, self._count)
        self.choosing = Choosing(self.desk, self.pointing, self._count)
        self.acting = Acting(self.desk, self.choosing, self.pointing, self.renew, self._ask, self._write, self._advise)
        self.handover = Handover(self.desk)
        self._due = False
        self.keyboard = Keyboard(
            self.desk, self.choosing, self.pointing, self.acting, self._sheet, self.dismiss, self.app.exit
        )

    def compose(self) -> ComposeResult:
        yield Pane(id="top")
        yield CharacterBoard(id="board")
        with Vertical(id="side"):
            yield Pane(id="choices")
            yield Pane(id="units")
        yield Pane(id="log", tail=True)
        yield Pane(id="message")
        yield Pane(id="keys")

    # Views of the table.

    async def on_mount(self) -> None:
        """Show the table, and begin to watch it."""
        self.sitting.wake = self.wake
        self.set_interval(2, self._watch)
        await self.renew()

    def _watch(self) -> None:
        """Check for changes without notifications: a computer player that has stopped, and a running clock."""
        live = self.sitting.live
        if live is not None and (self.sitting.stalled or live.game.clock is not None):
            self.draw()

    def on_unmount(self) -> None:
        self.sitting.wake = lambda: None

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def on_screen_resume(self) -> None:
        """Note that no dialog covers the table now."""
        self.wake()

    def wake(self) -> None:
        """Schedule one redraw for any number of changes."""
        if not self._due and self.is_running:
            self._due = True
            self.call_later(self.renew)

    async def renew(self) -> None:
        self._due = False
        if self.handover.covered or self.sitting.live is None or self.desk.moment is not None:
            return
        before = self.desk.message
        if self.sitting.lost:
            await self.sitting.reopen()
            self.desk.say("This game was continued elsewhere; the table shows its state there.")
        eyes = self.sitting.next_eyes()
        if eyes != self.sitting.eyes:
            if self.sitting.needs_curtain():
                self._draw_curtain(eyes)
                return
            await self._look(eyes)
        self.desk.view = self.sitting.view()
        decision = next(iter(self.desk.view.decisions), None)
        if (decision and decision.id) != (self.desk.decision and self.desk.decision.id):
            self.choosing.asked(decision)
            if self.desk.message == before:
                # The message belongs to an earlier question.
                self.desk.message = ""
        self.draw()

    async def _look(self, eyes: int | None) -> None:
        await self.handover.look(eyes)
        self.pointing.cancel()

    def _draw_curtain(self, eyes: int | None) -> None:
        async def look(_: None) -> None:
            self.handover.uncover(eyes)
            await self._look(eyes)
            await self.renew()
            recap = self.handover.recap()
            if recap:
                self._sheet("What has happened since you looked", recap, "o")

        self.app.push_screen(Curtain(self.handover.cover(eyes)), look)

    def _count(self, action: Any) -> None:
        async def tell() -> None:
            decision = self.desk.decision
            await asyncio.sleep(0.05)
            if decision is None:
                return
            forecast = await self.sitting.odds(decision.id, action)
            if forecast is not None and decision is self.desk.decision:
                narrow = self.query_one("#side", Vertical).size.width < 30
                lines = self.desk.odds = words.odds(forecast, self.desk.picture, *((4, False) if narrow else ()))
                self.draw()
                most = 2 if narrow else 3
                ways = await self.sitting.whole(decision.id, action)
                if ways and self.desk.odds is lines:
                    lines = self.desk.odds = [*lines, *words.whole(ways, self.desk.picture, most)]
                    self.draw()
                if forecast.target is None:
                    return
                attacks = await self.sitting.together(decision.id, action, forecast.target)
                if attacks.odds is not None and self.desk.odds is lines:
                    self.desk.odds = [*lines, *words.together(attacks, self.desk.picture, most)]
                    self.draw()

        self.run_worker(tell(), exclusive=True, group="odds", exit_on_error=False)

    def _advise(self, decision: str) -> None:
        async def tell() -> None:
            try:
                hint = await self.sitting.hint(decision)
            except Refused as refused:
                self.desk.say(words.refusal(refused.refusal))
            else:
                asked = self.desk.decision
                if asked is None or asked.id != decision:
                    return
                self.desk.hinted = (decision, hint)
                self.choosing.advised(hint)
                self.desk.say(words.hint(hint), "")
            self.draw()

        self.run_worker(tell(), exclusive=True, group="hint", exit_on_error=False)

    def _ask(self, question: str, answered: Callable[[bool | None], Awaitable[None]]) -> None:
        self.app.push_screen(YesNoQuestion(question), answered)

    def _write(self, words: str, written: Callable[[str | None], Awaitable[None]]) -> None:
        self.app.push_screen(Writing(words, TALK_LENGTH), written)

    def _sheet(self, title: str, lines: list[PaneLine], own: str, last: bool = False) -> None:
        self.app.push_screen(TextPage(title, lines, own, last))

    # Drawing.

    def _room(self) -> tuple[int, int]:
        size = self.query_one("#board", CharacterBoard).size
        return size.width or 40, size.height or 14

    def _lay_out(self, message: Sequence[PaneLine]) -> frame.ScreenDivision:
        width, height = self.app.size
        parts = frame.divided(self.desk.picture, width, height, sum(len(rows_of(line, width)) for line in message))
        self.styles.grid_columns = f"1fr {parts.side}"
        self.styles.grid_rows = f"2 1fr {parts.log} {parts.message} 1"
        self.query_one("#side", Vertical).styles.row_span = 2 if parts.beside else 1
        self.query_one("#log", Pane).styles.column_span = 1 if parts.beside else 2
        units = self.query_one("#units", Pane)
        units.display = parts.units > 0
        units.styles.height = parts.units
        return parts

    def draw(self) -> None:
        if not self.is_attached:
            return
        desk, width = self.desk, self.app.size.width
        message = self.query_one("#message", Pane).translated(panels.message(desk))
        parts = self._lay_out(message)
        beside = self.query_one("#side", Vertical).size.width
        self.query_one("#top", Pane).show(panels.top(desk, width, self._translate))
        self.query_one("#board", CharacterBoard).show(frame.table(desk))
        self.query_one("#choices", Pane).show(
            *(panels.units(desk) if desk.units_shown else panels.choices(desk, beside))
        )
        self.query_one("#units", Pane).show(*panels.units(desk))
        log = self.query_one("#log", Pane)
        unread = panels.unread(desk, width - parts.side if parts.beside else width, parts.log - 1)
        log.border_title = self._translate(unread)
        log.show(panels.log(desk))
        self.query_one("#message", Pane).show([line._replace(own=True) for line in message])
        self.query_one("#keys", Pane).show(panels.keys(desk, width, self._translate))
        self.call_after_refresh(self._seen, desk.proposal)

    def _translate(self, text: str) -> str:
        return str(getattr(self.app, "translate", same)(text))

    def _seen(self, proposal: Proposal | None) -> None:
        self.desk.drawn = proposal

    # Keys.

    async def on_key(self, event: events.Key) -> None:
        """Handle a key and show the result. A key without a meaning leaves the message."""
        desk = self.desk
        before = desk.message
        if desk.proposal is None and desk.nearest is None and desk.sighting is None:
            desk.message = ""
        if await self.keyboard.press(event.key, event.character or ""):
            event.stop()
            event.prevent_default()
            if self.is_attached:
                self.draw()
        else:
            desk.message = before
