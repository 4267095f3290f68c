"""Change the game (answers, real dice, undo, redo, resignation), and ask about lines of sight."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from caltrop.engine import Refused
from caltrop.terminal import typed, words
from caltrop.terminal.choosing import Choosing
from caltrop.terminal.desk import Desk
from caltrop.terminal.pointing import Pointing
from caltrop.terminal.words import ChoiceLine
from caltrop.wire import DiceWanted

Ask = Callable[[str, Callable[[bool | None], Awaitable[None]]], object]
"""Function that shows a yes-or-no question over the table and passes the answer on, or None if it is cancelled."""
Write = Callable[[str, Callable[[str | None], Awaitable[None]]], object]
"""Function that lets the person type a line over the table and passes it on, or None if it is cancelled."""


class Acting:
    """The acts on the game. A refused act changes nothing.

    Args:
        choosing: Lists the answers that end a step, if there are several.
        pointing: Answers open choices.
        renew: Loads the view of the table again.
        ask: Shows a yes-or-no question over the table.
        write: Lets the person type a line over the table.
        advise: Computes a hint in the background and shows it when it is ready.
    """

    def __init__(
        self,
        desk: Desk,
        choosing: Choosing,
        pointing: Pointing,
        renew: Callable[[], Awaitable[None]],
        ask: Ask,
        write: Write,
        advise: Callable[[str], None],
    ) -> None:
        self.desk, self.choosing, self.pointing = desk, choosing, pointing
        self.renew, self.ask, self.write, self.advise = renew, ask, write, advise

    async def take(self, choice: ChoiceLine) -> None:
        if choice.more:
            self.choosing.begin(choice)
        elif choice.offer is not None:
            await self.act(choice.offer.action)
        elif choice.region is not None:
            self.pointing.open(choice.region)

    async def end_step(self) -> None:
        """Choose the answer that ends the step or the turn, if there is exactly one."""
        desk = self.desk
        finals = [choice for choice in desk.every if choice.final]
        if len(finals) == 1:
            await self.take(finals[0])
        elif finals:
            desk.selected = None
            self.choosing.show(next(i for i, choice in enumerate(words.for_unit(desk.every, None)) if choice.final))
            desk.say("There are several ways to end: choose one with Tab, and press Enter.")
        else:
            desk.say("There is nothing to end now.")

    async def act(self, action: Any) -> None:
        desk = self.desk
        if desk.decision is None:
            return
        desk.seen = desk.newest()
        try:
            await desk.sitting.play(desk.decision.id, action)
        except Refused as refused:
            desk.refused(refused.refusal)
        else:
            desk.message = ""
            self.pointing.cancel()
            await self.renew()

    async def take_nearest(self) -> None:
        if self.desk.nearest is not None:
            await self.act(self.desk.nearest)
        else:
            self.desk.say("Nothing was refused.")

    async def hint(self) -> None:
        desk = self.desk
        if desk.decision is None:
            desk.say("Nobody asks you anything now.")
        elif desk.hint is not None:
            await self.act(desk.hint.action)
        else:
            desk.say("What would a strong player do?", "")
            self.advise(desk.decision.id)

    async def type_in(self, dice: DiceWanted) -> None:
        faces = typed.faces(self.desk, dice)
        if faces is not None and await self._done(self.desk.sitting.type_in(faces)):
            await self.renew()

    async def redo(self) -> None:
        self.pointing.cancel()
        if await self._done(self.desk.sitting.redo()):
            self.desk.message = ""
            await self.renew()

    async def undo(self) -> None:
        desk, sitting = self.desk, self.desk.sitting
        self.pointing.cancel()
        try:
            done = await sitting.undo()
        except Refused as refused:
            desk.say(words.refusal(refused.refusal))
            return
        desk.message = ""
        if done:
            await self.renew()
            return
        asker = sitting.table.game.takeback
        others = [s for s in desk.view.seats if s.side in sitting.sides and s.side != asker]
        if not others:
            desk.say("The other side is asked to agree to taking that back.")
            return

        async def answered(leave: bool | None) -> None:
            await self._done(sitting.give_leave(bool(leave)))
            await self.renew()

        name = next((s.name for s in desk.view.seats if s.side == asker), "The other side")
        self.ask(f"{others[0].name}: may {name} take back its last act?", answered)

    async def look_back(self) -> None:
        await self._look(self.desk.sitting.last_own())

    async def step(self, by: int) -> None:
        """Show an earlier or later moment: an act, or the rules' moves for one unit."""
        desk = self.desk
        now = len(desk.sitting.table.game.places) - 1
        await self._look(max((now if desk.moment is None else desk.moment) + by, 0))

    async def _look(self, moment: int) -> None:
        desk, game = self.desk, self.desk.sitting.table.game
        places, done = game.places, game.log.done
        now = len(places) - 1
        if moment >= now:
            last = desk.moment is None
            await self.to_now()
            desk.say("Nothing has happened since your last act." if last else "This is the table as it stands.", "")
            return
        self.pointing.cancel()
        desk.moment, desk.view = moment, desk.sitting.moment(moment)
        self.choosing.asked(None)
        act, step = places[moment]
        newest = done[act][step - 1].lines[desk.sitting.eyes] if step else 0
        texts = [entry.text for entry in desk.view.log if entry.act == act and entry.n > newest]
        within = f", {step + 1} of {len(done[act])} of it" if act in done else ""
        desk.say(
            f"After act {act} of {game.acts}{within}: {'. '.join(texts) or 'the beginning'}.  "
            "< and > step, any other key comes back."
        )

    async def to_now(self) -> None:
        """Show the current table again."""
        if self.desk.moment is not None:
            self.desk.moment, self.desk.message = None, ""
            await self.renew()

    def resign(self) -> None:
        sitting = self.desk.sitting
        if self.desk.view.over is not None or not sitting.sides:
            return

        async def answered(sure: bool | None) -> None:
            if sure:
                await self._done(sitting.resign())
                await self.renew()

        self.ask("Give this game up?", answered)

    def talk(self) -> None:
        async def said(text: str | None) -> None:
            if text and await self._done(self.desk.sitting.speak(text)):
                await self.renew()

        if self.desk.sitting.sides:
            self.write("What do you say?", said)

    async def hush(self) -> None:
        desk = self.desk
        if desk.sitting.sides and await self._done(desk.sitting.hush()):
            await self.renew()

    def draw(self) -> None:
        desk, sides = self.desk, self.desk.sitting.sides
        if desk.view.over is not None or not sides:
            return
        asker = desk.view.draw
        other = next((side for side in sides if side != asker), None)
        if asker is None:
            own = desk.view.you
            self._ask_for_draw("Offer a draw?", sides[0] if own is None else own, yes=None)
        elif other is not None:
            question = f"{self._name(other)}: {self._name(asker)} offers a draw. Accept it?"
            self._ask_for_draw(question, other, yes=True, no=True)
        else:
            self._ask_for_draw("Take your offer of a draw back?", asker, yes=False)

    def _ask_for_draw(self, question: str, side: int, *, yes: bool | None, no: bool = False) -> None:
        async def answered(sure: bool | None) -> None:
            if not (sure or (no and sure is False)):
                return
            if await self._done(self.desk.sitting.offer_draw(side, yes if sure else False)):
                await self.renew()
                if yes is None and len(self.desk.sitting.sides) > 1:
                    self.draw()

        self.ask(question, answered)

    def _name(self, side: int) -> str:
        return next((seat.called or seat.name for seat in self.desk.view.seats if seat.side == side), "The other side")

    async def show_all(self) -> None:
        if await self._done(self.desk.sitting.show_all()):
            await self.renew()
            self.desk.say("Everything is shown: c shows every hand.")

    async def sight(self) -> None:
        """Show whether the selected unit, at its place or at the ruler's start, sees the unit under the cursor."""
        desk = self.desk
        group = desk.group(desk.acting())
        target = desk.unit_here()
        if group is None or not group.pieces:
            desk.say("Select a unit first (n), and point at another: the log says what it sees.")
            return
        if target is None or target.id == group.id:
            desk.say(f"Point at the unit that {group.in_words} should see, and press l.")
            return
        start = desk.measure if len(group.pieces) == 1 else None
        places = {group.pieces[0].id: start} if start is not None else {}
        try:
            sighting = await desk.sitting.sight(group.id, target.id, places)
        except Refused as refused:
            desk.say(words.refusal(refused.refusal))
            return
        desk.sighting = sighting
        if sighting is not None:
            place = f"From {words.place(start, desk.picture)}: " if start is not None else ""
            desk.say(f"{'✓' if sighting.seen else '✗'} {place}{sighting.words}")

    async def _done(self, change: Awaitable[None]) -> bool:
        """Carry out a change, and show a message if it is refused. Returns whether it was carried out."""
        try:
            await change
        except Refused as refused:
            self.desk.say(words.refusal(refused.refusal))
            return False
        return True
