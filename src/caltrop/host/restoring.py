"""Restoring games by replaying their stored events."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import msgspec

from caltrop.chance import Scripted
from caltrop.engine import Event, Fell, Match, Played, Rolled
from caltrop.host.events import (
    Acted,
    Habit,
    Named,
    Noted,
    Pending,
    Renewing,
    Replaced,
    Said,
    Spent,
    Talked,
    TookBack,
    needed,
    read_rows,
    rolls_of,
    tales_of,
)
from caltrop.host.faults import CannotContinue, NoRules
from caltrop.host.game import HostedGame
from caltrop.host.seats import SecureDice, ServerLibrary
from caltrop.host.storage import StoredRow
from caltrop.journal.keep import fallen
from caltrop.wire import as_action

log = logging.getLogger("caltrop.host")


def restored(id: str, rows: Sequence[StoredRow], library: ServerLibrary) -> HostedGame:
    """Return a game by replaying its events.

    If the events contain no texts, these are collected in `HostedGame.retold`. Raises CannotContinue when the game does
    not play as it did; `Damaged` when its events cannot be read; `NoRules` when its rulebook is not installed.
    """
    created, acted = read_rows(rows)
    game: HostedGame | None = None
    if created.setup.ruleset not in library.names():
        raise NoRules(created.setup.ruleset)
    try:
        ruleset = library.find(created.setup.ruleset)
        dice = Scripted(*rolls_of(created.entries))
        for _, body in acted:
            if isinstance(body, Acted):
                dice.rolls.extend(rolls_of(body.entries))
        game = HostedGame(id, created.setup, ruleset, dice)
        game.seq = rows[0].seq
        if None in tales_of(created, acted, game.packing):
            game.retold = [game.teller.beginning(game.match, fallen(game.match.journal, 0))]
        _same(game, created.digest)
        stored = created.setup.rules_digest
        if stored and stored != ruleset.rules_digest(game.match.state):
            raise CannotContinue("numbers of the rules that it uses are others today")
        for row, body in acted:
            play_again(game, row, body)
        dice.finish()
    except Exception as error:
        why = f"it needs {needed(rows)}"
        if isinstance(error, CannotContinue):
            why += f"; {error}"
        else:
            # Rules that have changed since can fail in any way; the stored game is left as it is.
            log.info("the stored game %s gives other results when it is replayed", id, exc_info=error)
        changed = CannotContinue(why)
        changed.retold = (game and game.retold) or ()
        raise changed from error
    game.match.dice = SecureDice()
    return game


def play_again(game: HostedGame, row: StoredRow, body: Any) -> None:
    match, before = game.match, game.match.state
    if isinstance(body, Acted):
        played, start = body.entries[0], len(match.journal) + 1
        assert isinstance(played, Played)
        action = as_action(game.ruleset, played.action)
        events = _as_typed(match, start, body, match.follow(before.asked[played.index], action))
        played = msgspec.structs.replace(played, action=action)
        game.follow(events, before.asks, played)
        _same(game, body.digest)
        if game.retold is not None:
            game.retold.append(game.teller.act(match, before, played, events, start))
    elif isinstance(body, TookBack):
        game.go_back(body.side, body.consent)
        _same(game, body.digest)
        if game.retold is not None:
            game.retold.append(game.teller.undo(match, before))
    elif isinstance(body, Pending):
        game.pending = body
    elif isinstance(body, Said | Noted | Named | Talked | Spent | Renewing | Replaced | Habit):
        game.hear(row.kind, body, row.key)
    game.seq = row.seq


def _as_typed(match: Match, start: int, body: Acted, events: tuple[Event, ...]) -> tuple[Event, ...]:
    fell = [entry for entry in body.entries if isinstance(entry, Fell)]
    if not any(entry.typed for entry in fell):
        return events
    match.journal[start:] = fell
    rolled = iter([entry.typed for entry in fell if not entry.draw])
    return tuple(
        [msgspec.structs.replace(one, typed=next(rolled)) if isinstance(one, Rolled) else one for one in events]
    )


def _same(game: HostedGame, stored: str) -> None:
    if game.digest != stored:
        raise CannotContinue("by those of today its state is another one than it was")
