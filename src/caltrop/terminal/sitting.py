"""The player at this terminal, with their seats in the games of the database.

The games run in this process as on the server: every act is stored, and computer players take their turns. This module
has the player's own seats, the side whose view is shown, and the changes of the table. It does not depend on the
screen.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from caltrop.asking import Proposal, Wish
from caltrop.engine import Refused
from caltrop.engine.forecast import AttacksInOrder, Forecast
from caltrop.errors import InputError
from caltrop.host.database import StorageFault
from caltrop.host.faults import NoSuchGame, refused
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.seats import key_of
from caltrop.journal import PERSON, load
from caltrop.picture import Card
from caltrop.picture.sightings import Sighting
from caltrop.players import Hint
from caltrop.wire import View, WrongMessage
from caltrop.wire.messages import AskInOrder, AskSight, GameEntry, MadeGame, NewGame, PlayOn

KEPT = 400
"""Largest number of seat secrets in the file."""
MOST_TOGETHER = 6
"""Largest number of attackers whose attacks are shown together."""


class Keys:
    """The secrets of the player's seats, in a file that only its owner may read."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> list[str]:
        """Return all secrets, oldest first; empty if the file is missing or invalid."""
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=list[str])
        except (OSError, msgspec.DecodeError):
            return []

    def add(self, tokens: Sequence[str]) -> None:
        every = [*self.read(), *tokens][-KEPT:]
        new = self.file.with_suffix(".new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(every))
        new.replace(self.file)


class Sitting:
    """One person, or several who share the screen, at one game after another.

    Args:
        keys: The secrets of the player's seats.
    """

    def __init__(self, games: Games, keys: Keys) -> None:
        self.games, self.keys = games, keys
        self.live: Live | None = None
        self.sides: tuple[int, ...] = ()
        self.eyes: int | None = None
        """Side whose view is shown; None for an onlooker's view."""
        self.screen = ""
        self.came_by: frozenset[str] = frozenset()
        self.address = ""
        self.wake: Callable[[], None] = lambda: None
        """Called whenever the table has changed."""
        self.lost = False
        """True if another program has continued the game, so that it must be opened again."""

    # Methods by which a live game notifies its viewers.

    def tell(self, message: bytes) -> None:
        """Note a change of the table; the view is fetched when it is drawn."""
        self.wake()

    def drop(self) -> None:
        """Note that another program has changed the stored game."""
        self.lost = True
        self.wake()

    # Sitting down.

    async def begin(self, setting: Mapping[str, Any]) -> None:
        """Create a game and sit down at it. Raises InputError for settings that do not exist or do not fit together.

        Args:
            setting: The settings of the game, as for the server.
        """
        made = await (self._play_on(setting) if "record" in setting else self._make(setting))
        self.keys.add([seat.token for seat in made.seats if seat.token])
        await self.open(made.game)

    async def _make(self, setting: Mapping[str, Any]) -> MadeGame:
        try:
            new = msgspec.convert(setting, NewGame)
        except msgspec.ValidationError as error:
            raise InputError(str(error)) from None
        return await self.games.make(new)

    async def _play_on(self, setting: Mapping[str, Any]) -> MadeGame:
        moment = PlayOn(at=setting["at"], seats=tuple(setting["seats"]))
        try:
            return await self.games.play_on_record(load(Path(setting["record"])), moment)
        except Refused as refused:
            raise InputError(str(refused)) from None

    async def open(self, game: str) -> None:
        """Sit down at a game of the database.

        Raises caltrop.host.faults.NoSuchGame if there is no game of that name, or caltrop.host.faults.CannotContinue if
        the present rules play it differently.
        """
        self.leave()
        self.live = await self.games.open(game)
        own = {key_of(token) for token in self.keys.read()}
        self.sides = tuple(sorted({side for key, side in self.live.game.keys.items() if key in own}))
        self.eyes = self._first_eyes(self.live)
        self.lost = False
        await self.live.join(self)

    def _first_eyes(self, live: Live) -> int | None:
        waiting = [d.side for _, d in live.game.ids() if d.side in self.sides]
        return next(iter((*waiting, *self.sides)), None)

    async def reopen(self) -> None:
        eyes = self.eyes
        await self.open(self.table.game.id)
        self.eyes = eyes

    def leave(self) -> None:
        if self.live is not None:
            self.live.leave(self)
        self.live = None

    async def unfinished(self) -> list[GameEntry]:
        return [entry for entry in await self.games.list_of(self.keys.read()) if not entry.over]

    # At the table.

    @property
    def table(self) -> Live:
        if self.live is None:
            raise NoSuchGame("no player is in a game")
        return self.live

    def view(self) -> View:
        return self.table.show(self.eyes)

    def moment(self, number: int) -> View:
        """Return the view of an earlier moment of the game (`Game.places`)."""
        return self.table.game.view(self.eyes, *self.table.game.places[number])

    def last_own(self) -> int:
        """Return the moment after the last act of one of the player's sides; 0 if they have not acted."""
        game = self.table.game
        act = next((n for n in range(game.acts, 0, -1) if game.match.history[n - 1].side in self.sides), 0)
        # Later moves that the rules made for other units do not belong to the act.
        return game.places.index((act, 0))

    def next_eyes(self) -> int | None:
        """Return the player's other side that must answer while the shown side has nothing to answer; None if there is
        none.
        """
        waiting = [d.side for _, d in self.table.game.ids()]
        if self.eyes in waiting:
            return self.eyes
        return next((side for side in waiting if side in self.sides), self.eyes)

    def needs_curtain(self) -> bool:
        """Return whether another player's secrets would become visible now."""
        return len(self.sides) > 1 and self.table.game.secret

    async def look(self, eyes: int | None) -> None:
        self.eyes = eyes
        await self.table.join(self)

    def thinking(self) -> str:
        """Return the name of the computer player whose turn it is; empty if there is none."""
        game = self.table.game
        return next((game.player(d.side) for _, d in game.ids() if game.player(d.side) != PERSON), "")

    @property
    def stalled(self) -> bool:
        """True if a computer player has stopped, for example after an error in its program."""
        return bool(self.thinking()) and self.table.thinking is None

    def push(self) -> None:
        """Restart the computer player."""
        self.games.computers.wake(self.table)

    async def play(self, decision: str, action: Any) -> None:
        """Answer a decision. Raises Refused if the rules forbid it; then nothing has changed."""
        await self._stored(
            self.games.change(
                self.table, lambda game: game.act(game.decision(decision, self.sides), action), self.sides
            )
        )

    async def _stored(self, change: Awaitable[Any]) -> None:
        """Play and store an act. It is undone if it cannot be stored, for example because another program has continued
        the game.
        """
        try:
            await change
        except StorageFault as fault:
            raise refused("not-stored", f"The database cannot be used: {fault}. Nothing has changed") from None
        except SQLAlchemyError:
            raise refused(
                "not-stored", "This could not be stored and did not happen; check the state of the game"
            ) from None

    def propose(self, decision: str, wish: Wish) -> Proposal:
        """Return the result of an open choice. Raises Refused when the decision no longer waits."""
        proposal: Proposal = self.games.questions.propose(self.table, self.sides, decision, wish)
        return proposal

    async def odds(self, decision: str, action: Any) -> Forecast | None:
        """Return the possible results of an act; None if the game gives no odds for it."""
        try:
            return await self.games.questions.odds(
                self.table, self.sides, decision, msgspec.to_builtins(action, str_keys=True)
            )
        except (Refused, WrongMessage):
            return None

    async def whole(self, decision: str, action: Any) -> tuple[Forecast, ...]:
        """Return the outcomes of a whole act for all units; empty if the game has no such forecast."""
        try:
            return await self.games.questions.whole(
                self.table, self.sides, decision, msgspec.to_builtins(action, str_keys=True)
            )
        except (Refused, WrongMessage):
            return ()

    async def together(self, decision: str, action: Any, target: int) -> AttacksInOrder:
        """Return the fate of a target after all possible attackers, in the best order.

        With too many attackers, they keep their order. The attack of *action* is one of them. Without other attackers
        there are no odds.
        """
        asked = AskInOrder(decision=decision, target=target, action=msgspec.to_builtins(action, str_keys=True))
        try:
            ask = partial(self.games.questions.in_order, self.table, self.sides)
            able = await ask(asked)
            if len(able.attackers) + able.declared < 2:
                return able
            asked = msgspec.structs.replace(asked, units=able.attackers[:MOST_TOGETHER], best=True)
            given = await ask(asked)
            if given.best in ((), given.order):
                return given
            return await ask(msgspec.structs.replace(asked, units=given.best))
        except (Refused, WrongMessage):
            return AttacksInOrder()

    async def hint(self, decision: str) -> Hint:
        """Return a strong computer player's answer.

        Raises Refused if the decision is no longer open, or this game allows no hints.
        """
        return await self.games.acts.hint(self.table, self.sides, decision)

    async def sight(self, unit: int, target: int, places: Mapping[int, tuple[int, int]]) -> Sighting | None:
        """Return one unit's view of another, from its present place or with its models at other places.

        Raises Refused when units of this game do not see one another.
        """
        asked = AskSight(unit=unit, targets=(target,), places=dict(places))
        sighting = await self.games.questions.sight(self.table, self.eyes, asked)
        return sighting[0] if sighting else None

    async def type_in(self, faces: Sequence[int]) -> None:
        await self._stored(self.games.acts.type_in(self.table, self.sides, faces))

    async def undo(self) -> bool:
        """Take the last act back, or ask another player's permission if that is needed.

        Returns whether it was taken back; False if another person has been asked. Raises Refused if neither is
        possible.
        """
        side = self._own()
        undo = self.table.game.view(side).undo
        if undo.allowed or not undo.takeback:
            await self._stored(self.games.acts.undo(self.table, side))
            return True
        await self._stored(self.games.acts.takeback(self.table, side, None))
        return self.table.game.takeback is None

    async def redo(self) -> None:
        """Play the last undone act again.

        Raises Refused if no act was undone, or another act was played since.
        """
        game = self.table.game
        side = next((side for side in self.sides if game.view(side).undo.redo), None)
        await self._stored(self.games.acts.redo(self.table, self._own() if side is None else side))

    async def give_leave(self, answer: bool) -> None:
        """Answer a request for a takeback."""
        asker = self.table.game.takeback
        side = next((side for side in self.sides if side != asker), None)
        if asker is not None and side is not None:
            await self._stored(self.games.acts.takeback(self.table, side, answer))

    async def speak(self, text: str) -> None:
        """Send a chat message to the others at the table.

        Raises Refused if nobody else is there, or the text is too long or empty.
        """
        await self._stored(self.games.acts.speak(self.table, self._speaker(), text))

    async def hush(self) -> None:
        side = self._speaker()
        await self._stored(self.games.acts.hush(self.table, side, side not in self.table.game.people.hushed))

    async def offer_draw(self, side: int, answer: bool | None) -> None:
        """Offer a draw (None), accept it (True), or decline or take it back (False).

        Raises Refused if there is no offer to answer, or no person who could answer one.
        """
        await self._stored(self.games.acts.offer_draw(self.table, side, answer))

    def _speaker(self) -> int:
        """Return the side that sends chat messages: the shown side, if it is a seat at this keyboard."""
        return self.eyes if self.eyes in self.sides and self.eyes is not None else self._own()

    async def resign(self) -> None:
        await self._stored(self.games.acts.resign(self.table, self._own()))

    async def show_all(self) -> None:
        """Reveal everything that was hidden, after the end of the game.

        Raises Refused while the game is in progress, or when everything is shown.
        """
        await self._stored(self.games.acts.show_all(self.table, self._own()))

    def other_hands(self) -> tuple[tuple[str, tuple[Card, ...]], ...]:
        game = self.table.game
        if game.over is None or game.kept_back:
            return ()
        pictures = [(side, game.view(side).picture) for side in range(len(game.setup.seats)) if side != self.eyes]
        return tuple((seat.name, p.hand) for side, p in pictures for seat in p.seats if seat.side == side and p.hand)

    def undoer(self) -> int | None:
        """Return the player's side that acted last, which may take its act back."""
        history = self.table.game.match.history
        return next((point.side for point in reversed(history) if point.side in self.sides), self.eyes)

    def _own(self) -> int:
        side = self.undoer()
        if side is None:
            raise refused("onlooker", "An onlooker has nothing to take back, to play again or to give up")
        return side
