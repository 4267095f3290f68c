"""People at a table: names, invitations, a chat, and offers of a draw."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection

import msgspec

from caltrop.agreeing import quantity
from caltrop.host.events import Habit, Named, Renewing, Said, Setup, Talked
from caltrop.host.faults import refused
from caltrop.host.log import Log
from caltrop.journal import PERSON
from caltrop.kit.words import visible
from caltrop.wire import TalkLine

NAME_LENGTH = 24
"""Largest length of a person's name."""

TALK_LENGTH = 280
"""Largest length of a chat line."""

RENEWALS = 8
"""Largest number of requests to give one seat to somebody else."""

TALK_KEPT = 100
"""Number of chat lines that are shown."""


class People:
    def __init__(self, setup: Setup, log: Log, army: Callable[[int], str]) -> None:
        self.setup, self.log, self.army = setup, log, army
        self.names: dict[int, str] = {}
        self.awaited = set(setup.invited)
        """Sides whose players were invited by a link, and have not come yet."""
        self.guests = set(setup.invited)
        """Sides whose players come by an invitation; players of other sides are hosts."""
        self.renewals: dict[int, tuple[int, int | None]] = {}
        """For seats that will be given to somebody else, the number of requests and the earliest time."""
        self.talk: deque[TalkLine] = deque(maxlen=TALK_KEPT)
        self.hushed: set[int] = set()
        """The sides that have switched the talk off."""
        self.again: set[int] = set()
        """Sides that have asked for a rematch."""
        self.hinted: set[int] = set()
        """Sides that received a hint."""
        self.draw: int | None = None
        """The side that offers a draw."""
        self.habits: dict[int, Habit] = {}
        """Current standing answers by number."""
        self.habit_number = 0

    def others(self, side: int) -> list[int]:
        return [other for other, player in enumerate(self.setup.seats) if other != side and player == PERSON]

    # Messages. Each method returns the row to store.

    def call(self, side: int, name: str) -> Named:
        """Return a person's name as the body of an event. Names of a person are never removed.

        Raises Refused if the name is too long.
        """
        return Named(side=side, text=plain(name, NAME_LENGTH, "A name"))

    def speak(self, side: int, text: str) -> Talked:
        """Record a person's message to the others.

        Raises Refused if there is no recipient, or the message is too long or empty.
        """
        others = self.others(side)
        if not others:
            raise refused("nobody-to-ask", "There is nobody else at this table to talk to")
        if side in self.hushed:
            raise refused("talk-is-off", "You have switched the chat off; switch it on first")
        if self.hushed.issuperset(others):
            raise refused("talk-is-off", "The other side has switched the chat off")
        line = plain(text, TALK_LENGTH, "A line")
        if not line:
            raise refused("wrong-value", "This line is empty")
        return Talked(side=side, text=line)

    def hush(self, side: int, on: bool) -> Said:
        """Mute or unmute the chat for a person. Raises Refused if the chat is already in the requested state."""
        if on == (side in self.hushed):
            raise refused("so-already", "The chat is already off" if on else "The chat is already on")
        return Said(side=side, answer=on)

    def hand_over(self, side: int, on: bool) -> Said:
        """Release a person's seat for somebody who comes by the seat's link, or keep the seat.

        Raises Refused if the seat is already in the requested state.
        """
        if on == (side in self.awaited):
            raise refused(
                "so-already", "That seat is open to a newcomer already" if on else "That seat is not open to a newcomer"
            )
        return Said(side=side, answer=on)

    def check_host(self, by: Collection[int], side: int) -> None:
        """Check that a player may give a seat to somebody else.

        Raises Refused if the player is not a host, or the seat belongs to no other person.
        """
        if side not in range(len(self.setup.seats)) or self.setup.seats[side] != PERSON:
            raise refused("wrong-value", f"Side {side} is not played by a person")
        if side in by:
            raise refused("so-already", "You have this seat; hand it over by an invitation")
        if self.guests.issuperset(by):
            raise refused("not-yours", "Only a host of this game, who needed no invitation, can give seats to others")

    def ask_renewal(self, by: Collection[int], side: int, after: int) -> Renewing:
        """Ask to give a seat whose player is away to somebody else; the parameters are those of `Game.ask_renewal`.

        Raises Refused if the player is not a host, the seat belongs to no other person, or there were too many
        requests.
        """
        self.check_host(by, side)
        if self.renewals.get(side, (0, None))[0] >= RENEWALS:
            raise refused("too-many", f"You have asked {RENEWALS} times already to give this seat to somebody else")
        return Renewing(side=side, after=after)

    def offer_draw(self, side: int, answer: bool | None) -> Said:
        """Return a side's offer of a draw, the withdrawal of an offer, or the answer to the other side's offer.

        Raises Refused if there is no offer to answer, or no opponent.

        Args:
            answer: None to offer a draw, True to accept, False to decline, or to withdraw one's own offer.
        """
        if answer is None:
            if not self.others(side):
                raise refused("nobody-to-ask", "Computer players never agree to a draw; you can resign")
            if self.awaited:
                raise refused("nobody-to-ask", "The other side has not joined yet")
            if self.draw is not None:
                raise refused("already-asked", "A draw is offered already")
        elif self.draw is None or (answer and self.draw == side):
            raise refused("nobody-asks", "The other side does not offer a draw")
        return Said(side=side, answer=answer)

    # Effects of messages, when sent or when read from storage.

    def called(self, side: int, name: str) -> None:
        self.names[side] = name

    def came(self, side: int) -> None:
        if side in self.awaited:
            self.awaited.discard(side)
            self.guests.add(side)
            self.log.note(side, "seat", f"The player of {self.army(side)} has joined")

    def talked(self, side: int, text: str) -> None:
        last = self.talk[-1].n if self.talk else 0
        self.talk.append(TalkLine(n=last + 1, side=side, text=text))

    def switched(self, side: int, off: bool) -> None:
        (self.hushed.add if off else self.hushed.discard)(side)

    def asked_again(self, side: int) -> None:
        self.again.add(side)
        self.log.note(side, "rematch", f"{self.army(side)} asks for a rematch")

    def handed_over(self, side: int, on: bool) -> None:
        (self.awaited.add if on else self.awaited.discard)(side)
        words = "is free for somebody who follows its link" if on else "stays with the person who played it"
        self.log.note(side, "seat", f"{self.army(side)} {words}")

    def renewing(self, body: Renewing, *, given: bool) -> None:
        side = body.side
        times, _ = self.renewals.get(side, (0, None))
        self.renewals[side] = (times + (body.after is not None), body.after)
        if given:
            self.awaited.add(side)
            self.guests.add(side)
            self.names.pop(side, None)
            words = "is free for somebody with a new link, because its player was away"
        elif body.after is not None:
            words = "goes to somebody else unless its player returns soon"
        else:
            words = "stays with its player, who has returned"
        self.log.note(side, "seat", f"{self.army(side)} {words}")

    def offered(self, side: int, answer: bool | None) -> bool:
        """Apply an offer of a draw or an answer, and return whether the draw is agreed."""
        before, name = self.draw, self.army(side)
        self.draw = side if answer is None else None
        if answer is None:
            self.log.note(side, "draw", f"{name} offers a draw")
        elif not answer:
            self.log.note(
                side, "draw", f"{name} " + ("takes its offer back" if before == side else "plays on: no draw")
            )
        return bool(answer)

    def got_used(self, habit: Habit) -> None:
        self.habit_number = max(self.habit_number, habit.number)
        if habit.action is None:
            self.habits.pop(habit.number, None)
        else:
            self.habits[habit.number] = habit

    def left(self, side: int, player: str) -> None:
        self.setup = msgspec.structs.replace(
            self.setup, seats=tuple([player if of == side else name for of, name in enumerate(self.setup.seats)])
        )
        self.names.pop(side, None)
        self.habits = {number: habit for number, habit in self.habits.items() if habit.side != side}
        for sides in (self.awaited, self.guests, self.again):
            sides.discard(side)
        self.renewals.pop(side, None)
        if self.draw == side:
            self.draw = None
        self.log.note(
            side, "seat", f"{self.army(side)} is now played by the computer ({player}), because its player was away"
        )

    def played(self, side: int) -> None:
        if self.draw is not None and self.draw != side:
            self.draw = None


def plain(text: str, most: int, what: str) -> str:
    """Return a text without line ends and invisible characters.

    Args:
        text: Text that a person wrote.
        most: Largest number of characters.
        what: Noun for the text in the refusal.

    Raises:
        Refused: when the text is too long.

    >>> plain("  Anna\\n\\tof the\\u202eHill ", 24, "A name")
    'Anna of theHill'
    """
    words = visible(text)
    if len(words) > most:
        raise refused(
            "too-long", f"{what} has at most {quantity(most, 'character')}; this one has {len(words)}", most=most
        )
    return words
