"""Games that are opened from a stored state are equal to games that are replayed from the beginning."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import Refused
from caltrop.host.game import HostedGame
from caltrop.host.making import new_game
from caltrop.host.restoring import restored
from caltrop.host.seats import ServerLibrary
from caltrop.host.standing import _in_full, _shortened, events_hash, recalled, stamp_of, standing_of, written
from caltrop.host.storage import StoredRow
from caltrop.wire import LogEntry
from caltrop.wire.messages import NewGame
from caltrop.wire.view import ClockRule

LIBRARY = ServerLibrary()


def act(game: HostedGame, dice: Seeded) -> list[StoredRow]:
    """Give a random answer to the first open question."""
    if not game.ids():
        return []
    _, asked = game.ids()[0]
    rows = [game.act(asked, asked.options(game.match.view(asked.side)).sample(dice))]
    return [*rows, *game.spent()]


def played(ruleset: str, seed: int, acts: int, cuts: int) -> tuple[list[StoredRow], list[tuple[int, bytes]]]:
    """Return a game with acts, chat and undo, and its stored state after some of its events."""
    chance, dice = random.Random(seed), Seeded(seed)
    clock = ClockRule(per="turn", seconds=600, then="tell") if seed % 2 else None
    game = new_game(LIBRARY, NewGame(ruleset=ruleset, seats=("person", "person"), clock=clock))
    rows = [game.created()]
    words: list[Callable[[], StoredRow]] = [
        lambda: game.call(0, "Ash"),
        lambda: game.speak(chance.choice((0, 1)), "well played"),
        lambda: game.hush(1, True),
        lambda: game.ask_takeback(chance.choice((0, 1)), None),
        lambda: game.undo(chance.choice((0, 1))),
        lambda: game.undo(chance.choice((0, 1)), consent=True),
        lambda: game.redo(chance.choice((0, 1))),
        lambda: game.offer_draw(chance.choice((0, 1)), None),
        lambda: game.given_hint(0),
        lambda: game.claim(1, f"key {len(rows)}"),
    ]
    standings = []
    while game.acts < acts and len(rows) < 3 * acts and game.over is None:
        if chance.random() < 0.25:
            try:
                rows.append(chance.choice(words)())
            except Refused:
                continue
        else:
            rows += act(game, dice)
        if chance.random() < cuts / acts:
            standings.append((game.seq, written(standing_of(game, events_hash(rows)))))
    standings.append((game.seq, written(standing_of(game, events_hash(rows)))))
    return rows, standings


def assert_alike(one: HostedGame, other: HostedGame) -> None:
    """Assert that two games have the same views, stored data and memory."""
    assert one.keys == other.keys
    assert one.undone.taken_back == other.undone.taken_back
    assert one.match.journal == other.match.journal
    assert one.may_undo(0) == other.may_undo(0)
    for eyes in one.eyes:
        assert one.view(eyes) == other.view(eyes)
        assert one.log.lines[eyes] == other.log.lines[eyes]
    assert (one.clock and (one.clock.left, one.clock.told)) == (other.clock and (other.clock.left, other.clock.told))


def assert_alike_before(one: HostedGame, other: HostedGame) -> None:
    """Assert that two games have the same past."""
    assert one.states == other.states
    assert one.places == other.places
    for place, step in one.places[:: max(len(one.places) // 4, 1)]:
        for eyes in one.eyes:
            assert one.view(eyes, place, step) == other.view(eyes, place, step)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("ruleset", ["duel", "hex-command", "command-horizon", "blade-skirmish", "squad-action"])
def test_a_game_that_is_opened_by_its_standing_equals_one_that_is_played_again(ruleset: str, seed: int) -> None:
    rows, standings = played(ruleset, seed, 30, 2)
    for seq, body in standings:
        again = restored("g", rows, LIBRARY)
        stood = recalled("g", rows, LIBRARY, stamp_of(again.ruleset), body)
        assert stood is not None
        assert stood.stood == seq
        assert_alike(again, stood)
        for game in (again, stood):
            game.match.dice = Seeded(7)
        for _ in range(3):  # texts are packed by reference to earlier texts
            assert act(again, Seeded(3)) == act(stood, Seeded(3))
        assert_alike(again, stood)
        assert_alike_before(again, stood)
        if again.over is None and again.undone.has_played(0):
            assert again.undo(0, consent=True) == stood.undo(0, consent=True)
            assert_alike(again, stood)


def test_a_standing_of_other_rules_programs_or_events_is_passed_over() -> None:
    rows, standings = played("duel", 3, 12, 0)
    _, body = standings[-1]
    stamp = stamp_of(LIBRARY.find("duel"))
    assert recalled("g", rows, LIBRARY, stamp, body) is not None
    assert recalled("g", rows, LIBRARY, "another program", body) is None
    assert recalled("g", rows, LIBRARY, stamp, body[:-9]) is None
    assert recalled("g", rows, LIBRARY, stamp, b"") is None
    assert recalled("g", rows[:-1], LIBRARY, stamp, body) is None
    changed = [*rows[:3], msgspec.structs.replace(rows[3], key="other"), *rows[4:]]
    assert recalled("g", changed, LIBRARY, stamp, body) is None


def test_lines_that_all_may_read_are_kept_once() -> None:
    line = [LogEntry(n=n, act=0, side=0, kind="note", text=str(n)) for n in range(9)]
    own = msgspec.structs.replace(line[4], text="A secret")
    for first, other in (
        (line, line),
        (line, [*line[:4], own, *line[5:]]),
        (line[:3], line),
        (line, line[:3]),
        ([], line),
        (line, []),
        (line, [own]),
    ):
        short = _shortened(other, first)
        assert _in_full(short, first) == other
        assert sum(isinstance(one, LogEntry) for one in short) == len([one for one in other if one not in first])
