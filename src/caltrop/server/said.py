"""Answers messages of clients, over a live connection or without one, with one function for each.

A new message needs a type in `wire.messages`, a function here, and code in the page. A new field of an answer is filled
in here; `make generated` adds both to the page's types (`web/src/wire/shapes.ts`).
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
from caltrop.wire import as_action
from caltrop.wire.messages import (
    AheadMessage,
    Answer,
    Ask,
    AskHint,
    AskInOrder,
    AskOdds,
    AskSight,
    Await,
    BecauseMessage,
    CallMe,
    Done,
    HintMessage,
    Hush,
    InOrderMessage,
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
    """The sender of a message, with the game, its seats, and its view."""

    games: Games
    live: Live
    sides: Sequence[int]
    eyes: int | None

    @property
    def looks(self) -> int | None:
        """Side whose view the answer uses: the chosen side, or the first seat's."""
        return self.eyes if self.eyes is not None or not self.sides else self.sides[0]

    def seat(self, number: int | None) -> int:
        """Return the side in whose name a message is sent. Raises Refused if the client has no such seat."""
        side = number if number is not None else self.eyes
        if side is None and len(self.sides) == 1:
            side = self.sides[0]
        if side is None or side not in self.sides:
            raise refused("not-your-seat", "This seat is not yours to play")
        return side


Reply = Callable[[Speaker, Any], Awaitable[Any]]
Some = TypeVar("Some", bound=Reply)

REPLIES: dict[type, Reply] = {}
"""Functions that answer each kind of message; `hello` and `eyes` are for live connections only."""


QUESTIONS: set[type] = set()
"""Kinds of message that change nothing and may take long. Later messages of the connection do not wait for them."""


def _replies_to(kind: type, *, long: bool = False) -> Callable[[Some], Some]:
    def noted(reply: Some) -> Some:
        REPLIES[kind] = reply
        if long:
            QUESTIONS.add(kind)
        return reply

    return noted


async def answer_to(by: Speaker, message: Message) -> Any:
    """Carry out a message and return its answer; an error becomes a refusal."""
    try:
        reply = REPLIES.get(type(message))
        if reply is None:
            raise refused("wrong-message", "This is for live connections only")
        return msgspec.structs.replace(await reply(by, message), ref=message.ref)
    except Exception as error:  # noqa: BLE001  every error becomes plain words
        return refusal_of(error, message.ref)


def answers() -> tuple[type, ...]:
    """Return the types of all answers, in the order in which they are first given."""
    given = [get_type_hints(reply)["return"] for reply in REPLIES.values()]
    return tuple(dict.fromkeys(one for kind in given for one in getattr(kind, "__args__", (kind,))))


@_replies_to(Answer)
async def _answer(by: Speaker, message: Answer) -> Done | LoudMessage | ProposalMessage:
    if not isinstance(message.wish, Wish):
        return _told(
            await by.games.acts.answer(
                by.live, by.sides, message.decision, message.action, message.dice, quietly=message.quietly
            )
        )
    done = await by.games.acts.carry_out(
        by.live, by.sides, message.decision, message.wish, message.dice, quietly=message.quietly
    )
    if isinstance(done, Done):
        return done
    proposal, why = done
    return ProposalMessage(decision=message.decision, proposal=proposal, loud=why)


@_replies_to(Usually)
async def _usually(by: Speaker, message: Usually) -> Done | LoudMessage:
    return _told(
        await by.games.acts.usually(by.live, by.sides, message.decision, message.unit, quietly=message.quietly)
    )


def _told(done: Done | Loud) -> Done | LoudMessage:
    return LoudMessage(loud=done) if isinstance(done, Loud) else done


@_replies_to(Ask, long=True)
async def _propose(by: Speaker, message: Ask) -> ProposalMessage:
    questions, about = by.games.questions, (by.live, by.sides, message.decision, message.wish)
    proposal = questions.propose(*about, brief=True) if message.brief else await questions.propose_fully(*about)
    return ProposalMessage(decision=message.decision, proposal=proposal)


@_replies_to(PickUp)
async def _pick_up(by: Speaker, message: PickUp) -> PickedUpMessage:
    around = by.games.questions.pick_up(by.live, by.sides, message.decision, message.unit, message.act)
    return PickedUpMessage(decision=message.decision, around=around)


@_replies_to(AskSight, long=True)
async def _sight(by: Speaker, message: AskSight) -> SightMessage:
    return SightMessage(sightings=await by.games.questions.sight(by.live, by.looks, message))


@_replies_to(Seek, long=True)
async def _seek(by: Speaker, message: Seek) -> SoughtMessage:
    return SoughtMessage(decision=message.decision, sought=await by.games.questions.seek(by.live, by.sides, message))


@_replies_to(AskOdds, long=True)
async def _odds(by: Speaker, message: AskOdds) -> OddsMessage:
    action = as_action(by.live.game.ruleset, message.action)
    why = by.games.questions.loud(by.live, by.sides, message.decision, action)
    odds = await by.games.questions.odds(by.live, by.sides, message.decision, message.action)
    whole = await by.games.questions.whole(by.live, by.sides, message.decision, message.action) if message.whole else ()
    return OddsMessage(decision=message.decision, odds=odds, whole=whole, loud=why)


@_replies_to(AskInOrder, long=True)
async def _in_order(by: Speaker, message: AskInOrder) -> InOrderMessage:
    forecast = await by.games.questions.in_order(by.live, by.sides, message)
    return InOrderMessage(decision=message.decision, forecast=forecast)


@_replies_to(AskHint, long=True)
async def _hint(by: Speaker, message: AskHint) -> HintMessage:
    return HintMessage(decision=message.decision, hint=await by.games.acts.hint(by.live, by.sides, message.decision))


@_replies_to(LookAhead, long=True)
async def _ahead(by: Speaker, message: LookAhead) -> AheadMessage:
    outlook = await by.games.questions.ahead(by.live, by.sides, message)
    ending = None
    if message.wish is None and message.target is None:
        ending = by.games.questions.ending(by.live, by.sides, message.decision)
    return AheadMessage(decision=message.decision, outlook=outlook, ending=ending)


@_replies_to(Why, long=True)
async def _why(by: Speaker, message: Why) -> BecauseMessage:
    return BecauseMessage(steps=await by.games.questions.why(by.live, by.looks, message))


@_replies_to(Typed)
async def _typed(by: Speaker, message: Typed) -> Done:
    return await by.games.acts.type_in(by.live, by.sides, message.faces)


@_replies_to(Undo)
async def _undo(by: Speaker, message: Undo) -> Done:
    return await by.games.acts.undo(by.live, by.seat(message.side))


@_replies_to(Redo)
async def _redo(by: Speaker, message: Redo) -> Done:
    return await by.games.acts.redo(by.live, by.seat(message.side))


@_replies_to(Takeback)
async def _takeback(by: Speaker, message: Takeback) -> Done:
    return await by.games.acts.takeback(by.live, by.seat(message.side), message.answer)


@_replies_to(Resign)
async def _resign(by: Speaker, message: Resign) -> Done:
    return await by.games.acts.resign(by.live, by.seat(message.side))


@_replies_to(CallMe)
async def _call(by: Speaker, message: CallMe) -> Done:
    return await by.games.acts.call(by.live, by.seat(message.side), message.text)


@_replies_to(Speak)
async def _speak(by: Speaker, message: Speak) -> Done:
    return await by.games.acts.speak(by.live, by.seat(message.side), message.text)


@_replies_to(Hush)
async def _hush(by: Speaker, message: Hush) -> Done:
    return await by.games.acts.hush(by.live, by.seat(message.side), message.off)


@_replies_to(Await)
async def _await(by: Speaker, message: Await) -> Done:
    return await by.games.acts.hand_over(by.live, by.seat(message.side), message.on)


@_replies_to(OfferDraw)
async def _offer_draw(by: Speaker, message: OfferDraw) -> Done:
    return await by.games.acts.offer_draw(by.live, by.seat(message.side), message.answer)


@_replies_to(ShowAll)
async def _show_all(by: Speaker, message: ShowAll) -> Done:
    return await by.games.acts.show_all(by.live, by.seat(message.side))


@_replies_to(Standing)
async def _get_used(by: Speaker, message: Standing) -> Done:
    return await by.games.acts.get_used(by.live, by.sides, message.decision, message.action, message.far)


@_replies_to(NotStanding)
async def _forget_habit(by: Speaker, message: NotStanding) -> Done:
    return await by.games.acts.forget_habit(by.live, by.sides, message.number)


@_replies_to(Ping)
async def _ping(by: Speaker, message: Ping) -> Pong:
    return Pong()
