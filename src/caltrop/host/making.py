"""New games: a battle or a lesson, with who sits where and whose dice are real ones."""

from __future__ import annotations

import secrets

from caltrop import __version__
from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.engine import Match, Ruleset
from caltrop.host.clock import LEAST, MOST
from caltrop.host.events import Setup
from caltrop.host.game import Game
from caltrop.host.seats import PERSON, Library, SecureDice, new_id, seated
from caltrop.picture import Picture
from caltrop.scenarios.lessons import LessonDice, begun
from caltrop.scenarios.lessons import lesson as find_lesson
from caltrop.scenarios.rulings import position, ruling
from caltrop.wire.messages import NewGame


def new_game(library: Library, wanted: NewGame) -> Game:
    """A game as it is wanted: at its beginning, and kept nowhere yet.

    Raises:
        ValueError: for what does not exist or does not fit; the message names the nearest right value.
    """
    ruleset = library.find(wanted.ruleset)
    if wanted.lesson is not None:
        return _lesson(library, ruleset, wanted.lesson)
    if wanted.ruling is not None:
        return _ruling(ruleset, wanted.ruling)
    scenario = wanted.scenario
    if scenario is None:
        scenario = ruleset.scenarios()[0].id
    library.check(ruleset, scenario, wanted.armies)
    book = ruleset.book(wanted.edition, wanted.rules)
    table = ruleset.setup(book, scenario, wanted.armies, wanted.size)
    players = (PERSON, *library.playable(wanted.ruleset))
    sides = len(ruleset.depict(table, None).seats)
    usual = (PERSON, *[library.usual_player(wanted.ruleset)] * (sides - 1))
    for seat in wanted.seats:
        if seat not in players:
            known = (PERSON, *library.players(wanted.ruleset))
            raise ValueError(f"there is no player {seat!r}; there are {', '.join(known)}")
    seats = seated(ruleset, table, wanted.seats or usual)
    for how in (wanted.dice,) if isinstance(wanted.dice, str) else wanted.dice:
        if how not in ("server", "typed"):
            raise ValueError(f"dice is server or typed, and not {how!r}")
    if not isinstance(wanted.dice, str) and len(wanted.dice) != len(seats):
        raise ValueError(f"there are {len(seats)} seats, and dice are named for {len(wanted.dice)}")
    for side in wanted.invited:
        if not 0 <= side < len(seats) or seats[side] != PERSON:
            raise ValueError(f"nobody can be invited to side {side}: it is not played by a person")
    if wanted.clock is not None and not LEAST <= wanted.clock.seconds <= MOST:
        raise ValueError(f"a clock has {LEAST} to {MOST} seconds, and not {wanted.clock.seconds}")
    setup = Setup(
        ruleset=ruleset.name,
        edition=book.edition,
        rules=book.rules,
        scenario=scenario,
        armies=wanted.armies,
        size=wanted.size,
        seats=seats,
        friendly=wanted.friendly,
        always_ask=wanted.always_ask,
        placed=wanted.placed,
        hints=wanted.hints,
        dice=wanted.dice,
        invited=tuple(sorted(set(wanted.invited))),
        clock=wanted.clock,
        engine_version=__version__,
        rules_version=ruleset.rules_version,
        salt=secrets.token_hex(16),
    )
    return Game.begun(new_id(), setup, ruleset, SecureDice())


def _lesson(library: Library, ruleset: Ruleset, id: str) -> Game:
    """A lesson: a person against the easiest player, from the lesson's own position."""
    lesson = find_lesson(ruleset.name, id)
    match = begun(ruleset.name, id)
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
    return Game.begun(new_id(), setup, ruleset, LessonDice(lesson.dice, SecureDice()))


def _ruling(ruleset: Ruleset, id: str) -> Game:
    """The position of a ruling: a person plays all sides of it."""
    found = ruling(ruleset.name, id)
    match = position(found)
    sides = len(ruleset.depict(match.view(None), None).seats)
    setup = Setup(
        ruleset=ruleset.name,
        edition=match.state.book.edition,
        rules=match.state.book.rules,
        scenario=f"ruling: {found.head.title}",
        armies=(),
        size=None,
        seats=seated(ruleset, match.state, (PERSON,) * sides),
        friendly=True,
        dice="server",
        engine_version=__version__,
        rules_version=ruleset.rules_version,
        salt=secrets.token_hex(16),
        ruling=id,
    )
    return Game.begun(new_id(), setup, ruleset, SecureDice())


def shown(name: str, id: str) -> Picture:
    """The table of a ruling as it begins, as an onlooker sees it.

    Raises:
        InputError: when the game has no such ruling, or it needs no table.
    """
    match = position(ruling(name, id))
    return match.ruleset.depict(match.view(None), None)


def opening(library: Library, name: str, scenario: str) -> Picture:
    """A scenario's table with the armies that it comes with where they usually stand, as an onlooker sees it.

    Raises:
        InputError: when the ruleset has no such scenario; the message names the nearest.
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
"""Questions of setting up that are answered to show a table."""
