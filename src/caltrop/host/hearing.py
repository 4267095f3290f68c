"""Statements of people at a table: seats and secrets, draws, takebacks, and ends outside the rules."""

from __future__ import annotations

from typing import Protocol

from caltrop.host.clock import Clock
from caltrop.host.events import Habit, Named, Noted, Pending, Renewing, Replaced, Said, Setup, Spent, Talked
from caltrop.host.log import Log
from caltrop.host.people import People
from caltrop.wire import LogEntry


class Heard(Protocol):
    """The interface of a game that receives statements of people."""

    setup: Setup
    people: People
    log: Log
    clock: Clock | None
    keys: dict[str, int]
    """The side of each seat by its secret's stored hash."""
    lapsed: dict[str, int]
    pending: Pending | None
    takeback: int | None
    resigned: int | None
    late: int | None
    agreed: bool
    shown_by: int | None

    def name(self, side: int) -> str: ...

    def put_in_place(self, side: int, player: str) -> None: ...


def hear(
    game: Heard,
    kind: str,
    body: Said | Noted | Named | Talked | Spent | Renewing | Replaced | Habit,
    key: str | None = None,
) -> None:
    """Apply a message that answers no question, such as talk, either new or from storage."""
    if isinstance(body, Spent):
        if game.clock is not None:
            game.clock.set(body.left)
        return
    if isinstance(body, Named):
        game.people.called(body.side, body.text)
        return
    if isinstance(body, Talked):
        game.people.talked(body.side, body.text)
        return
    if isinstance(body, Noted):
        if body.alone:
            game.log.add(body.side, LogEntry(n=0, act=game.log.acts(), side=body.side, kind="player", text=body.text))
        else:
            game.log.note(body.side, "player", body.text)
        return
    if isinstance(body, Renewing):
        if key is not None:
            _give(game, body.side, key)
        game.people.renewing(body, given=key is not None)
        return
    if isinstance(body, Replaced):
        game.lapsed |= {existing: of for existing, of in game.keys.items() if of == body.side}
        game.keys = {existing: of for existing, of in game.keys.items() if of != body.side}
        game.put_in_place(body.side, body.player)
        return
    if isinstance(body, Habit):
        game.people.got_used(body)
        return
    side, name = body.side, game.name
    if kind == "seat":
        game.keys[key or ""] = side
    elif kind == "claim":
        _give(game, side, key or "")
        game.people.came(side)
    elif kind == "hush":
        game.people.switched(side, body.answer is True)
    elif kind == "rematch":
        game.people.asked_again(side)
    elif kind == "await":
        game.people.handed_over(side, body.answer is True)
    elif kind == "draw":
        if game.people.offered(side, body.answer):
            game.agreed, game.takeback, game.pending = True, None, None
            game.log.note(side, "draw", f"{name(side)} accepts the draw")
    elif kind == "late":
        if game.clock is not None:
            game.clock.told.add(side)
        if game.setup.clock is None or game.setup.clock.then == "lose" or body.answer is True:
            game.late, game.takeback, game.pending = side, None, None
            game.log.note(side, "late", f"{name(side)} has no time left, and loses")
        else:
            game.log.note(side, "late", f"{name(side)} has no time left")
    elif kind == "resign":
        game.resigned, game.takeback, game.pending = side, None, None
        game.log.note(side, "resign", f"{name(side)} resigns")
    elif kind == "hint":
        game.people.hinted.add(side)
    elif kind == "show":
        game.shown_by, game.takeback = side, None
        game.log.note(side, "show", f"{name(side)} shows everything: the result is final")
    elif kind == "takeback" and body.answer is None:
        game.takeback = side
        game.log.note(side, "takeback", f"{name(side)} asks to take back its last act")
    elif kind == "takeback" and body.answer is False:
        game.takeback = None
        game.log.note(side, "takeback", f"{name(side)} refuses the takeback")


def _give(game: Heard, side: int, key: str) -> None:
    game.lapsed |= {existing: of for existing, of in game.keys.items() if of == side}
    game.keys = {existing: of for existing, of in game.keys.items() if of != side} | {key: side}
