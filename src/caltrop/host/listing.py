"""Entries for lists of games, read from their events without replaying them."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import msgspec

from caltrop.host.events import OF_CAMPAIGNS, Named, Said, Setup, TookBack, opened_by, read_rows, seats_now, tales_of
from caltrop.host.faults import DamagedGame, NoRules
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import StoredRow
from caltrop.wire.messages import GameEntry, Glance

log = logging.getLogger("caltrop.host")


class _CreatedHead(msgspec.Struct):
    setup: Setup


class _Standing(msgspec.Struct):
    acts: int = 0
    over: bool = False
    waits: tuple[int, ...] | None = None


def listed(id: str, rows: Sequence[StoredRow], keys: Sequence[str], library: ServerLibrary) -> GameEntry | None:
    """Return the list entry of a game from its rows, without replaying it; None if it is not a game.

    Args:
        keys: Keys of the secrets that the asker presented.
    """
    if rows[0].kind in OF_CAMPAIGNS:  # the asker presented the secret of a campaign
        return None
    try:
        read_rows(rows)
    except DamagedGame as error:
        log.warning("the stored game %s is damaged: %s", id, error)
        return damaged(id, rows, keys, library)
    setup = msgspec.json.decode(rows[0].body, type=_CreatedHead).setup
    playable = setup.ruleset in library.names()
    opened = opened_by(rows)
    sides = {side for key, side in opened.items() if key in keys}
    if not sides:  # somebody else has been given the seat since
        return None
    last = next(row for row in reversed(rows) if row.kind in ("created", "act", "undo"))
    standing = msgspec.json.decode(last.body, type=_Standing)
    names = {body.side: body.text for body in (_named(row) for row in rows if row.kind == "name")}
    return GameEntry(
        waiting_for=standing.waits,
        called=tuple(names.get(side, "") for side in range(len(setup.seats))),
        game=id,
        ruleset=setup.ruleset,
        title=library.find(setup.ruleset).title if playable else setup.ruleset,
        scenario=setup.scenario,
        sides=tuple(sorted(sides)),
        seats=seats_now(setup, rows),
        acts=standing.acts,
        over=standing.over or ended(rows, setup),
        at=rows[-1].at,
        fault=None if playable else NoRules.fault,
    )


def glanced(rows: Sequence[StoredRow], side: int) -> Glance:
    """Return a summary of a game from its rows, without replaying it.

    Raises Damaged if the game's events cannot be read.
    """
    created, acted = read_rows(rows)
    tales = tales_of(created, acted)
    turn = next((tale.turn for tale in reversed(tales) if tale is not None and tale.turn is not None), None)
    lines = next((words for tale in reversed(tales) if tale is not None and (words := tale.told(side))), ())
    back = any(isinstance(body, TookBack) for _, body in acted[-1:])
    if turn is None:
        return Glance(picture=None, last="" if back else "".join(lines[-1:]))
    stage = turn.view.stage
    return Glance(picture=turn.view, round=stage.round, rounds=stage.rounds, last="" if back else "".join(lines[-1:]))


def _named(row: StoredRow) -> Named:
    return msgspec.json.decode(row.body, type=Named)


def ended(rows: Sequence[StoredRow], setup: Setup) -> bool:
    """Return whether the players, not the rules, have ended a game."""
    loses = setup.clock is None or setup.clock.then == "lose"

    def lost(row: StoredRow) -> bool:
        return loses or msgspec.json.decode(row.body, type=Said).answer is True

    agreed = any(row.kind == "draw" and msgspec.json.decode(row.body, type=Said).answer for row in rows)
    return agreed or any(row.kind == "resign" or (row.kind == "late" and lost(row)) for row in rows)


DAYS_SECONDS = 4 * 3600
"""Number of seconds above which a clock is for correspondence play over days."""


def goes_on_by_days(rows: Sequence[StoredRow]) -> bool:
    """Return whether a game with a correspondence clock is in progress, without replaying it; False if that cannot be
    read.
    """
    try:
        setup = msgspec.json.decode(rows[0].body, type=_CreatedHead).setup
        last = next(row for row in reversed(rows) if row.kind in ("created", "act", "undo"))
        is_over = msgspec.json.decode(last.body, type=_Standing).over or ended(rows, setup)
    except (IndexError, StopIteration, msgspec.DecodeError, UnicodeDecodeError):
        return False
    return not is_over and setup.clock is not None and setup.clock.seconds > DAYS_SECONDS


def damaged(id: str, rows: Sequence[StoredRow], keys: Sequence[str], library: ServerLibrary) -> GameEntry:
    """Return the list entry of a damaged game, with all readable data; for the parameters see `listed`."""
    setup, sides = None, []
    for row in rows:
        try:
            if row.kind == "created":
                setup = msgspec.json.decode(row.body, type=_CreatedHead).setup
            elif row.kind == "seat" and row.key in keys:
                sides.append(msgspec.json.decode(row.body, type=Said).side)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
    playable = setup is not None and setup.ruleset in library.names()
    return GameEntry(
        game=id,
        ruleset=setup.ruleset if setup is not None and playable else "",
        title=library.find(setup.ruleset).title if setup is not None and playable else "A game",
        scenario=setup.scenario if setup is not None else "",
        sides=tuple(sorted(sides)),
        seats=setup.seats if setup is not None else (),
        acts=sum(row.kind == "act" for row in rows),
        over=False,
        at=rows[-1].at if rows else "",
        fault=DamagedGame.fault,
    )
