"""What clients say, over a live connection or without one: one function for each message, which gives the answer.

A new message is a type in `wire.messages`, a function here, and what the page does with it. A new field of an answer is
filled in here; `make generated` brings both into the page's types (`web/src/wire/shapes.ts`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TypeVar, get_type_hints

import msgspec

from caltrop.asking import Wish
from caltrop.engine import Loud
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.server.refusals import refusal_of
from caltrop.wire.messages import (
    AheadMessage,
    Answer,
    Ask,
    AskHint,
    AskOdds,
    AskSight,
    Await,
    BecauseMessage,
    CallMe,
    Done,
    HintMessage,
    Hush,
    LookAhead,
    LoudMessage,
    Message,
    NotStanding,
    OddsMessage,
    OfferDraw,
    PickedUpMessage,
    PickUp,
    Ping,
    Pong,
    ProposalMessage,
    Redo,
    Resign,
    Seek,
    ShowAll,
    SightMessage,
    SoughtMessage,
    Speak,
    Standing,
    Takeback,
    Typed,
    Undo,
    Usually,
    Why,
)


class Speaker(NamedTuple):
    """Who says something: at which game, with which seats, and whose eyes they have."""

    games: Games
    live: Live
    sides: Sequence[int]
    eyes: int | None

    @property
    def looks(self) -> int | None:
        """Whose view answers: the eyes', or the first seat's."""
        return self.eyes if self.eyes is not None or not self.sides else self.sides[0]

    def seat(self, wanted: int | None) -> int:
        """The side that a message speaks for.

        Raises:
            Refused: when the client has no such seat.
        """
        side = wanted if wanted is not None else self.eyes
        if side is None and len(self.sides) == 1:
            side = self.sides[0]
        if side is None or side not in self.sides:
            raise refused("not-your-seat", "This seat is not yours to play")
        return side


Reply = Callable[[Speaker, Any], Awaitable[Any]]
Some = TypeVar("Some", bound=Reply)

REPLIES: dict[type, Reply] = {}
"""What answers each kind of message; `hello` and `eyes` are for live connections alone."""


def _replies_to(kind: type) -> Callable[[Some], Some]:
    """The function that follows does what messages of this kind say, and gives the answer."""

    def noted(reply: Some) -> Some:
        REPLIES[kind] = reply
        return reply

    return noted


async def answer_to(by: Speaker, message: Message) -> Any:
    """Do what a message says, and answer it; an error is a refusal."""
    try:
        reply = REPLIES.get(type(message))
        if reply is None:
            raise refused("wrong-message", "This is for live connections only")
        return msgspec.structs.replace(await reply(by, message), ref=message.ref)
    except Exception as error:  # noqa: BLE001  every error becomes plain words
        return refusal_of(error, message.ref)


def answers() -> tuple[type, ...]:
    """The types of all answers, in the order in which they are first given."""
    given = [get_type_hints(reply)["return"] for reply in REPLIES.values()]
    return tuple(dict.fromkeys(one for kind in given for one in getattr(kind, "__args__", (kind,))))


@_replies_to(Answer)
async def _answer(by: Speaker, said: Answer) -> Done | LoudMessage | ProposalMessage:
    if not isinstance(said.wish, Wish):
        return _told(
            await by.games.answer(by.live, by.sides, said.decision, said.action, said.dice, quietly=said.quietly)
        )
    done = await by.games.carry_out(by.live, by.sides, said.decision, said.wish, said.dice, quietly=said.quietly)
    if isinstance(done, Done):
        return done
    proposal, why = done
    return ProposalMessage(decision=said.decision, proposal=proposal, loud=why)


@_replies_to(Usually)
async def _usually(by: Speaker, said: Usually) -> Done | LoudMessage:
    return _told(await by.games.usually(by.live, by.sides, said.decision, said.unit, quietly=said.quietly))


def _told(done: Done | Loud) -> Done | LoudMessage:
    return LoudMessage(loud=done) if isinstance(done, Loud) else done


@_replies_to(Ask)
async def _propose(by: Speaker, said: Ask) -> ProposalMessage:
    proposal = by.games.questions.propose(by.live, by.sides, said.decision, said.wish)
    return ProposalMessage(decision=said.decision, proposal=proposal)


@_replies_to(PickUp)
async def _pick_up(by: Speaker, said: PickUp) -> PickedUpMessage:
    around = by.games.questions.pick_up(by.live, by.sides, said.decision, said.unit, said.act)
    return PickedUpMessage(decision=said.decision, around=around)


@_replies_to(AskSight)
async def _sight(by: Speaker, said: AskSight) -> SightMessage:
    return SightMessage(sightings=await by.games.questions.sight(by.live, by.looks, said))


@_replies_to(Seek)
async def _seek(by: Speaker, said: Seek) -> SoughtMessage:
    return SoughtMessage(decision=said.decision, sought=await by.games.questions.seek(by.live, by.sides, said))


@_replies_to(AskOdds)
async def _odds(by: Speaker, said: AskOdds) -> OddsMessage:
    odds = await by.games.questions.odds(by.live, by.sides, said.decision, said.action)
    whole = await by.games.questions.whole(by.live, by.sides, said.decision, said.action) if said.whole else ()
    return OddsMessage(decision=said.decision, odds=odds, whole=whole)


@_replies_to(AskHint)
async def _hint(by: Speaker, said: AskHint) -> HintMessage:
    return HintMessage(decision=said.decision, hint=await by.games.hint(by.live, by.sides, said.decision))


@_replies_to(LookAhead)
async def _ahead(by: Speaker, said: LookAhead) -> AheadMessage:
    outlook = await by.games.questions.ahead(by.live, by.sides, said)
    ending = None
    if said.wish is None and said.target is None:
        ending = by.games.questions.ending(by.live, by.sides, said.decision)
    return AheadMessage(decision=said.decision, outlook=outlook, ending=ending)


@_replies_to(Why)
async def _why(by: Speaker, said: Why) -> BecauseMessage:
    return BecauseMessage(steps=await by.games.questions.why(by.live, by.looks, said))


@_replies_to(Typed)
async def _typed(by: Speaker, said: Typed) -> Done:
    return await by.games.type_in(by.live, by.sides, said.faces)


@_replies_to(Undo)
async def _undo(by: Speaker, said: Undo) -> Done:
    return await by.games.undo(by.live, by.seat(said.side))


@_replies_to(Redo)
async def _redo(by: Speaker, said: Redo) -> Done:
    return await by.games.redo(by.live, by.seat(said.side))


@_replies_to(Takeback)
async def _takeback(by: Speaker, said: Takeback) -> Done:
    return await by.games.takeback(by.live, by.seat(said.side), said.answer)


@_replies_to(Resign)
async def _resign(by: Speaker, said: Resign) -> Done:
    return await by.games.resign(by.live, by.seat(said.side))


@_replies_to(CallMe)
async def _call(by: Speaker, said: CallMe) -> Done:
    return await by.games.call(by.live, by.seat(said.side), said.text)


@_replies_to(Speak)
async def _speak(by: Speaker, said: Speak) -> Done:
    return await by.games.speak(by.live, by.seat(said.side), said.text)


@_replies_to(Hush)
async def _hush(by: Speaker, said: Hush) -> Done:
    return await by.games.hush(by.live, by.seat(said.side), said.off)


@_replies_to(Await)
async def _await(by: Speaker, said: Await) -> Done:
    return await by.games.hand_over(by.live, by.seat(said.side), said.on)


@_replies_to(OfferDraw)
async def _offer_draw(by: Speaker, said: OfferDraw) -> Done:
    return await by.games.offer_draw(by.live, by.seat(said.side), said.answer)


@_replies_to(ShowAll)
async def _show_all(by: Speaker, said: ShowAll) -> Done:
    return await by.games.show_all(by.live, by.seat(said.side))


@_replies_to(Standing)
async def _get_used(by: Speaker, said: Standing) -> Done:
    return await by.games.get_used(by.live, by.sides, said.decision, said.action, said.far)


@_replies_to(NotStanding)
async def _forget_habit(by: Speaker, said: NotStanding) -> Done:
    return await by.games.forget_habit(by.live, by.sides, said.number)


@_replies_to(Ping)
async def _ping(by: Speaker, said: Ping) -> Pong:
    return Pong()
