"""Makes new games: a battle or a lesson, with its players and real dice."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from caltrop import __version__
from caltrop.agreeing import quantity
from caltrop.asking import offered
from caltrop.chance import Scripted, Seeded
from caltrop.engine import Book, Match, Ruleset, State
from caltrop.engine.match import Point
from caltrop.engine.packs import reading
from caltrop.errors import InputError
from caltrop.host.clock import LEAST, MOST
from caltrop.host.events import Setup
from caltrop.host.faults import refused
from caltrop.host.game import HostedGame
from caltrop.host.seats import AUTOMATED, SecureDice, ServerLibrary, new_id, seated
from caltrop.host.storage import StoredRow
from caltrop.journal import PERSON, Record, replay
from caltrop.journal.record import pack_of
from caltrop.kit.armies import as_text_of_file
from caltrop.kit.requests import with_pack
from caltrop.picture import Picture
from caltrop.roster import LARGEST, is_text
from caltrop.scenarios.lessons import LessonDice, begun
from caltrop.scenarios.lessons import lesson as find_lesson
from caltrop.scenarios.rulings import position, ruling
from caltrop.wire.messages import NewGame

MOST_DELAY = 100
"""Largest number of acts by which onlookers may see a game later."""


def new_game(library: ServerLibrary, request: NewGame, id: str = "", *, counted: bool = False) -> HostedGame:
    """Return a new game at its beginning, which is not stored yet.

    Raises ValueError for an unknown or unsuitable value; the message names the nearest valid one.

    Args:
        id: Name of the game; by default a random name is drawn.
        counted: True if the game's result counts in a tournament.
    """
    id = id or new_id()
    ruleset = library.find(request.ruleset)
    if request.lesson is not None:
        return _lesson(library, ruleset, request.lesson, id)
    if request.ruling is not None:
        return _ruling(ruleset, request.ruling, id)
    scenario = request.scenario
    if scenario is None:
        scenario = ruleset.scenarios()[0].id
    book = ruleset.book(request.edition, with_pack(ruleset, request.rules, request.pack))
    library.check(ruleset, scenario, request.armies, book.pack)
    with reading(book.pack):
        armies = tuple([as_text_of_file(word, ruleset.name) for word in request.armies])
    table = ruleset.begin(book, scenario, armies, request.size)
    sides = len(ruleset.depict(table, None).seats)
    usual = (PERSON, *[library.usual_player(request.ruleset)] * (sides - 1))
    _check_players(library, ruleset, request.seats)
    seats = seated(ruleset, table, request.seats or usual)
    for how in (request.dice,) if isinstance(request.dice, str) else request.dice:
        if how not in ("server", "typed"):
            raise ValueError(f"dice is server or typed; here it is {how!r}")
    if not isinstance(request.dice, str) and len(request.dice) != len(seats):
        raise ValueError(f"dice are named for {len(request.dice)} of {quantity(len(seats), 'seat')}")
    for side in request.invited:
        if not 0 <= side < len(seats) or seats[side] != PERSON:
            raise ValueError(f"nobody can be invited to side {side}: it is not played by a person")
    if request.clock is not None and not LEAST <= request.clock.seconds <= MOST:
        raise ValueError(f"a clock has {LEAST} to {MOST} seconds; this one has {request.clock.seconds}")
    if not 0 <= request.delay <= MOST_DELAY:
        raise ValueError(f"onlookers see a game 0 to {MOST_DELAY} acts later; this is {request.delay}")
    if request.rated:
        _check_rated(ruleset, book, scenario, seats, request)
    setup = Setup(
        ruleset=ruleset.name,
        edition=book.edition,
        rules=book.rules,
        scenario=scenario,
        armies=armies,
        size=request.size,
        seats=seats,
        friendly=request.friendly,
        always_ask=request.always_ask,
        placed=request.placed,
        hints=False if request.rated else request.hints,
        dice=request.dice,
        invited=tuple(sorted(set(request.invited))),
        clock=request.clock,
        rated=request.rated,
        counted=counted,
        pack=pack_of(book),
        delay=request.delay,
        engine_version=__version__,
        rules_version=ruleset.rules_version,
        salt=secrets.token_hex(16),
    )
    return HostedGame.begun(id, setup, ruleset, SecureDice())


def _check_rated(ruleset: Ruleset, book: Book, scenario: str, seats: Sequence[str], request: NewGame) -> None:
    """Raise an error for a game that cannot count for ratings.

    Raises:
        ValueError: the message says why the game cannot be rated.
    """
    if [seat for seat in seats if seat != AUTOMATED] != [PERSON, PERSON]:
        raise ValueError("a rated game is between two people")
    if book.rules != ruleset.book(request.edition).rules:
        raise ValueError("a rated game has no house rules: leave `rules` out")
    if request.hints:
        raise ValueError("a rated game has no hints: leave `hints` out")
    if request.dice != "server" and set(request.dice) != {"server"}:
        raise ValueError("a rated game has the server's dice: leave `dice` out")
    if is_text(scenario) or any(is_text(army) for army in request.armies):
        raise ValueError("a rated game has a battle and armies of its rulebook, none of one's own")


def _check_players(library: ServerLibrary, ruleset: Ruleset, seats: Sequence[str]) -> None:
    """Raise an error for a player that does not exist.

    Raises:
        ValueError: the message names the existing players.
    """
    players = (PERSON, *library.playable(ruleset.name))
    for seat in seats:
        if seat not in players:
            names = (PERSON, *library.players(ruleset.name))
            raise ValueError(f"there is no player {seat!r}; there are {', '.join(names)}")


class Joint(NamedTuple):
    """A moment of a game from which another game continues."""

    ruleset: Ruleset
    start: Point
    """The beginning of the game, with its dice."""
    acts: Sequence[Point]
    state: State


def joint(match: Match, at: int) -> Joint:
    """Return the moment of a game after a number of acts, to continue from.

    Raises Refused if there is no such moment, or no decision is open at that moment.
    """
    acts, start = match.history, match.start
    assert start is not None, "a game with past moments keeps its history"
    if not 0 <= at <= len(acts):
        raise refused("no-such-moment", f"The game has {quantity(len(acts), 'act')}", acts=len(acts))
    state = acts[at].state if at < len(acts) else match.state
    if state.over is not None:
        raise refused("no-such-moment", "No decision is open at the end; choose an earlier moment", acts=len(acts))
    return Joint(match.ruleset, start, acts[:at], state)


def recorded(library: ServerLibrary, record: Record) -> tuple[Setup, Match]:
    """Return the game of a record, replayed under the present rules, with equivalent settings.

    Raises InputError if the record is unfinished, names unknown things, or plays differently now.
    """
    ruleset = library.find(record.ruleset)
    ServerLibrary(library.files, text=LARGEST).check(ruleset, record.scenario, record.armies, record.own_pack)
    if record.rules_version != ruleset.rules_version:
        words = f"version {record.rules_version} of the rules, and these are {ruleset.rules_version}"
        raise InputError(f"it was played by {words}", field="rules_version")
    if record.outcome is None or record.salted:
        raise InputError(
            "the game was unfinished when it was written: only a finished one can be continued", field="outcome"
        )
    last = next(iter(deque(replay(record), 1)), None)
    if last is None or last.entry < len(record.entries):
        raise InputError("something in it is hidden", field="entries")
    setting = record.setting
    return Setup(
        **{field: getattr(setting, field) for field in setting.__struct_fields__},
        seats=record.players,
        friendly=True,
        dice="server",
        engine_version=__version__,
        rules_version=ruleset.rules_version,
        salt="",
    ), last.match


def played_on(
    library: ServerLibrary, id: str, setup: Setup, joint: Joint, seats: Sequence[str] = (), own: Sequence[int] = ()
) -> tuple[HostedGame, list[StoredRow]]:
    """Return a game that begins with the acts of another game and continues with its own dice.

    The acts of the other game become the first acts of the new game. Raises ValueError for unsuitable players.

    Args:
        seats: The players, as in `NewGame`. By default the players are those of the other game; if all were computers,
            a person plays the side whose decision is open.
        own: Sides that the person who asks played in the other game. People who played the other sides are invited.

    Returns:
        The game, which is not stored yet, and its first rows.
    """
    ruleset, start, acts, state = joint
    _check_players(library, ruleset, seats)
    who = list(seated(ruleset, start.state, seats or setup.seats))
    automated = ruleset.automated(start.state)
    names = (PERSON, *library.playable(ruleset.name))
    for side, player in enumerate(who):
        if player not in names and side not in automated:  # a bot that does not exist on this server
            who[side] = library.usual_player(ruleset.name)
    if not seats and PERSON not in who:
        who[state.asked[0].side] = PERSON
    persons = [side for side, player in enumerate(who) if player == PERSON]
    # The continuing players place units that are not placed yet.
    setup = msgspec.structs.replace(
        setup,
        seats=tuple(who),
        invited=(),
        placed=False,
        rated=False,
        played_on=True,
        engine_version=__version__,
        rules_version=ruleset.rules_version,
        salt=secrets.token_hex(16),
    )
    game = HostedGame.begun(id, setup, ruleset, Scripted(*start.rolls))
    rows = [game.created(), *game.retrace(acts)]
    game.match.dice = SecureDice()
    if acts:
        rows.append(game.note(None, "The game continues from here with other dice"))
    if set(own) & set(persons):
        rows += [game.hand_over(side, True) for side in persons if side not in own]
    return game, rows


def _lesson(library: ServerLibrary, ruleset: Ruleset, name: str, id: str) -> HostedGame:
    lesson = find_lesson(ruleset.name, name)
    match = begun(ruleset.name, name)
    sides = len(ruleset.depict(match.view(None), None).seats)
    usual = library.usual_player(ruleset.name)
    players = tuple(PERSON if side == lesson.side else usual for side in range(sides))
    setup = Setup(
        ruleset=ruleset.name,
        edition=match.state.book.edition,
        rules=match.state.book.rules,
        scenario=f"lesson: {lesson.title}",
        armies=(),
        size=None,
        seats=seated(ruleset, match.state, players),
        friendly=True,
        dice="server",
        engine_version=__version__,
        rules_version=ruleset.rules_version,
        salt=secrets.token_hex(16),
        lesson=lesson.id,
    )
    return HostedGame.begun(id, setup, ruleset, LessonDice(lesson.dice, SecureDice()))


def _ruling(ruleset: Ruleset, name: str, id: str) -> HostedGame:
    solved = ruling(ruleset.name, name)
    match = position(solved)
    sides = len(ruleset.depict(match.view(None), None).seats)
    setup = Setup(
        ruleset=ruleset.name,
        edition=match.state.book.edition,
        rules=match.state.book.rules,
        scenario=f"ruling: {solved.head.title}",
        armies=(),
        size=None,
        seats=seated(ruleset, match.state, (PERSON,) * sides),
        friendly=True,
        dice="server",
        engine_version=__version__,
        rules_version=ruleset.rules_version,
        salt=secrets.token_hex(16),
        ruling=name,
    )
    return HostedGame.begun(id, setup, ruleset, SecureDice())


def shown(name: str, id: str) -> Picture:
    """Return the initial table of a ruling, as an onlooker sees it.

    Raises InputError if the game has no such ruling, or the ruling needs no table.
    """
    match = position(ruling(name, id))
    return match.ruleset.depict(match.view(None), None)


def opening(library: ServerLibrary, name: str, scenario: str) -> Picture:
    """Return a scenario's table with its own armies at their usual places, as an onlooker sees it.

    Raises InputError when the ruleset lacks the scenario; the message names the nearest.
    """
    ruleset = library.find(name)
    library.check(ruleset, scenario, ())
    match = Match(ruleset, ruleset.setup(ruleset.book(), scenario, (), None), Seeded(0))
    laid = ruleset.depict(match.view(None), None)
    for _ in range(_SET_UP):
        if match.over is not None or all(group.pieces for group in laid.groups):
            break
        asked = next((d for d, a in zip(match.state.asked, match.state.answers, strict=True) if a is None), None)
        if asked is None:
            break
        t = match.view(asked.side)
        usual = offered(asked).usual(t)
        if ruleset.round(match.state) > 0 and (usual is None or not usual.opens):
            break
        match.follow(asked, asked.options(t).first() if usual is None else usual.action)
        laid = ruleset.depict(match.view(None), None)
    return laid


_SET_UP = 120
"""Decisions of setup that are answered automatically to show a table."""
