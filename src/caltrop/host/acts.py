"""Acts of the people at a table: answers, typed dice, takebacks, chat, and ends by resigning or a draw.

Each method checks the request and passes the change to `Games.change`, which stores the change.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from time import monotonic
from typing import Any

from caltrop.asking import Proposal, Wish, offered
from caltrop.engine import Loud, Refused, loud
from caltrop.host.faults import refused
from caltrop.host.game import HostedGame
from caltrop.host.live import Changing, Live
from caltrop.host.questions import Questions
from caltrop.host.storage import StoredRow
from caltrop.journal import PERSON
from caltrop.players import Hint
from caltrop.wire import as_action
from caltrop.wire.messages import Done

TALK_AT_ONCE, TALK_SECONDS = 8, 12.0
"""Number of chat lines that a side may send at once, and the seconds until it may send as many again."""


class Acts:
    """The acts of people at the tables of a database.

    Every method returns once the change is stored. If a method raises Refused, nothing has changed.

    Args:
        change: Function that changes a game.
    """

    def __init__(self, change: Changing, questions: Questions) -> None:
        self.change, self.questions = change, questions

    async def answer(
        self,
        live: Live,
        sides: Sequence[int],
        decision: str,
        action: Any,
        typed: Sequence[Sequence[int]] = (),
        *,
        quietly: bool = False,
    ) -> Done | Loud:
        """Answer a decision for a side.

        Returns the result, or the reason why the answer is not quiet. Raises Refused for an illegal answer, without a
        change, or WrongMessage if the action cannot be read.

        Args:
            sides: The seats of the person who answers.
        """
        if (
            quietly
            and (why := self.questions.loud(live, sides, decision, as_action(live.game.ruleset, action))) is not None
        ):
            return why

        def play(game: HostedGame) -> StoredRow:
            asked = game.decision(decision, sides)
            return game.act(asked, as_action(game.ruleset, action), typed, sides)

        return Done(seq=await self.change(live, play, sides))

    async def usually(
        self, live: Live, sides: Sequence[int], decision: str, unit: int | None, *, quietly: bool = False
    ) -> Done | Loud:
        """Give a side's usual answer, again and again as long as there is one and the turn lasts.

        Returns the result; or the reason why the first answer is not quiet. Raises Refused when the side has no usual
        answer; nothing has changed.

        Args:
            unit: The unit to answer for; None for all units.
            quietly: True to stop before an act that is not quiet.
        """
        first = live.game.decision(decision, sides)
        action = offered(first).usual(live.game.match.view(first.side), unit)
        if action is None:
            raise refused("nothing-usual", "This question has no default answer")
        if quietly and (why := self.questions.loud(live, sides, decision, action.action)) is not None:
            return why

        def play(game: HostedGame) -> list[StoredRow]:
            rows: list[StoredRow] = []
            asked = game.decision(decision, sides)
            while True:
                view = game.match.view(asked.side)
                usual = offered(asked).usual(view, unit)
                if usual is None or (quietly and loud(view, asked, usual.action) is not None):
                    return rows
                try:
                    rows.append(game.act(asked, usual.action, (), sides))
                except Refused:  # for example, an answer that needs typed dice
                    if not rows:
                        raise
                    return rows
                waiting = [one for _, one in game.ids()]
                # An answer to one turn's question does not apply to the next turn.
                if game.turn_began or len(waiting) != 1 or waiting[0].side != asked.side:
                    return rows
                asked = waiting[0]

        return Done(seq=await self.change(live, play, sides))

    async def carry_out(
        self,
        live: Live,
        sides: Sequence[int],
        decision: str,
        wish: Wish,
        typed: Sequence[Sequence[int]] = (),
        *,
        quietly: bool = False,
    ) -> Done | tuple[Proposal, Loud | None]:
        """Answer a decision with a wish: convert it to a proposal, and play the proposed action.

        Returns the result, or the proposal with the reason why it is impossible or not quiet. Raises Refused when the
        wish is not allowed; nothing has changed.
        """
        proposal = self.questions.propose(live, sides, decision, wish)
        if proposal.action is None:
            return proposal, None
        if quietly and (why := self.questions.loud(live, sides, decision, proposal.action)) is not None:
            return proposal, why

        def play(game: HostedGame) -> StoredRow:
            # If another act was played in the meantime, the request is refused like any other late answer.
            return game.act(game.decision(decision, sides), proposal.action, typed, sides)

        return Done(seq=await self.change(live, play, sides))

    async def type_in(self, live: Live, sides: Sequence[int], faces: Sequence[int]) -> Done:
        """Pass real dice to a game. Raises Refused if no dice are needed from these sides, or the dice do not fit."""
        return Done(seq=await self.change(live, lambda game: game.type_in(sides, faces), sides))

    async def undo(self, live: Live, side: int) -> Done:
        await live.read_past()
        done = Done(seq=await self.change(live, lambda game: game.undo_freely(side), plays=False))
        live.players.clear()
        return done

    async def redo(self, live: Live, side: int) -> Done:
        return Done(seq=await self.change(live, lambda game: game.redo(side), plays=False))

    async def resign(self, live: Live, side: int) -> Done:
        return Done(seq=await self.change(live, lambda game: game.resign(side)))

    async def get_used(self, live: Live, sides: Sequence[int], decision: str, action: Any, far: bool) -> Done:
        """Give a standing answer to a question that is asked in the other side's turn. Raises the errors of
        `HostedGame.get_used`.
        """

        def play(game: HostedGame) -> StoredRow:
            return game.get_used(game.decision(decision, sides), as_action(game.ruleset, action), far)

        # The question is open now, so its standing answer is given at once.
        return Done(seq=await self.change(live, play, sides, plays=False))

    async def forget_habit(self, live: Live, sides: Sequence[int], number: int) -> Done:
        """Withdraw a standing answer. Raises the errors of `HostedGame.forget_habit`."""
        return Done(seq=await self.change(live, lambda game: game.forget_habit(sides, number), plays=False))

    async def call(self, live: Live, side: int, name: str) -> Done:
        return Done(seq=await self.change(live, lambda game: game.call(side, name), plays=False))

    async def speak(self, live: Live, side: int, text: str) -> Done:
        """Record a person's message to the other people.

        Raises Refused if nobody can read the message, or there are too many messages.
        """
        lately = live.talked.setdefault(side, deque(maxlen=TALK_AT_ONCE))
        if len(lately) == TALK_AT_ONCE and monotonic() - lately[0] < TALK_SECONDS:
            raise refused("too-fast", "Too many messages at once; wait a moment")
        done = Done(seq=await self.change(live, lambda game: game.speak(side, text), plays=False))
        lately.append(monotonic())
        return done

    async def hush(self, live: Live, side: int, off: bool) -> Done:
        return Done(seq=await self.change(live, lambda game: game.hush(side, off), plays=False))

    async def hand_over(self, live: Live, side: int, on: bool) -> Done:
        return Done(seq=await self.change(live, lambda game: game.hand_over(side, on), plays=False))

    async def offer_draw(self, live: Live, side: int, answer: bool | None) -> Done:
        return Done(seq=await self.change(live, lambda game: game.offer_draw(side, answer), plays=False))

    async def hint(self, live: Live, sides: Sequence[int], decision: str) -> Hint:
        """Return a strong player's answer, and note in the game that a hint was given.

        Raises Refused when the decision does not wait for these sides, or hints are not allowed.
        """
        hint = await self.questions.hint(live, sides, decision)
        side = live.game.decision(decision, sides).side
        if side not in live.game.people.hinted:
            await self.change(live, lambda game: game.given_hint(side), plays=False)
        return hint

    async def show_all(self, live: Live, side: int) -> Done:
        """Show everything that was hidden from a side's opponents, after the end."""
        return Done(seq=await self.change(live, lambda game: game.show_all(side)))

    async def takeback(self, live: Live, side: int, answer: bool | None) -> Done:
        """Ask for consent to take a side's last act back, or answer such a request."""

        def say(game: HostedGame) -> list[StoredRow]:
            others = [player for other, player in enumerate(game.setup.seats) if other != side]
            if answer is None and PERSON not in others and not game.setup.friendly:
                raise refused("no-takebacks", "This game was made without takebacks")
            asker = game.takeback
            rows = [game.ask_takeback(side, answer)]
            if answer is None and PERSON not in others:
                rows.append(game.undo(side, consent=True))
            elif answer and asker is not None:
                rows.append(game.undo(asker, consent=True))
            return rows

        await live.read_past()
        done = Done(seq=await self.change(live, say, plays=False))
        live.players.clear()
        return done
