"""Games that are stored at difficult moments: during an interrupt, a multiple assault, or boarding; and secret
tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.engine import Decision, FaceDown, Match, digest, redacted, stored
from caltrop.engine.store import restored
from caltrop.geometry import distance_sq
from caltrop.journal import Setting, load, record_of, replay, save, verify
from caltrop.rules.squad_action.activation import NextAct
from caltrop.rules.squad_action.assault import Assault, MoveIn, NextIn
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.orders import Begin, Orders
from caltrop.rules.squad_action.overwatch import Interrupt, Interruptions, LetPass, React, Spring
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scene import at
from caltrop.rules.squad_action.setup import Deploy, DeployUnit
from caltrop.rules.squad_action.tokens import Lay, LayTokens, Watch
from caltrop.rules.squad_action.transport import Board

SOUTH, NORTH = 0, 1

MISSION = """\
ruleset: squad-action
id: close-by
title: Close By
minutes: 5
words: Two small forces, so near to one another that something happens.
goal: meeting
turns: 3
table: [24, 24]
terrain: []
zones:
  - {rows: [0, 10], words: in the south}
  - {rows: [13, 24], words: in the north}
objectives:
  - {at: [12, 12]}
hedges: [0, 0]
"""

FORCE = """\
ruleset: squad-action
id: {id}
title: {id}
units:
  - {{name: First, profile: regular, models: 3}}
  - {{name: Second, profile: regular, models: 3}}
  - {{name: Carrier, vehicle: apc}}
"""

SETTING = Setting.chosen(
    "squad-action", scenario=MISSION, armies=[FORCE.format(id="south-force"), FORCE.format(id="north-force")]
)


def now(match: Match) -> Firefight:
    assert isinstance(match.state, Firefight)
    return match.state


def wanted(decision: Decision, options: Any, like: Callable[[Any], bool]) -> Any:
    """Return the first option that satisfies a condition, or None."""
    return next((a for a in options if like(a)), None)


def steered(seed: int, likes: Callable[[Match, Any], Any], until: Callable[[Match], bool], most: int = 60) -> Match:
    """Return a game with a test's preferred options, otherwise random ones, up to a condition."""
    match, dice = SETTING.begin(Seeded(seed)), Seeded(f"choices {seed}")
    for _ in range(most):
        if until(match):
            return match
        if not match.waiting:
            break
        decision = match.waiting[0]
        act = likes(match, decision)
        match.play(decision.side, decision.options(match.view(decision.side)).sample(dice) if act is None else act)
    pytest.fail("the game never came to where it should stop")


def watches(match: Match, decision: Any) -> Any:
    """North goes on overwatch with its first unit, and South's turn begins with what it likes."""
    options = decision.options(match.state)
    if isinstance(decision, Orders) and decision.side == NORTH:
        return wanted(decision, options, lambda a: isinstance(a, Begin) and isinstance(a.act, Watch))
    return Lay(decision.unit, ("fire",) * decision.count) if isinstance(decision, LayTokens) else None


def in_mid_interrupt() -> Match:
    """Return a match in which a unit has stopped halfway, and a watcher with a turned token is asked how it fires."""

    def likes(match: Match, decision: Any) -> Any:
        options = decision.options(match.state)
        if isinstance(decision, Orders) and now(match).tokens:
            return wanted(
                decision, options, lambda a: isinstance(a, Begin) and isinstance(a.act, Move) and a.then == ("shoot",)
            )
        if isinstance(decision, Interrupt) and decision.paths:
            return wanted(decision, options, lambda a: isinstance(a, Spring) and a.moment > decision.start)
        return watches(match, decision)

    def there(match: Match) -> bool:
        return bool(match.waiting) and isinstance(match.waiting[0], React) and halted(match)

    def halted(match: Match) -> bool:
        (under_way,) = [p for p in now(match).stack if isinstance(p, Interruptions)]
        return bool(under_way.moment)

    return steered(1, likes, there)


def in_a_multiple_assault() -> Match:
    """Return a match in which one of two units has moved in, and the other is asked how it moves in."""

    def likes(match: Match, decision: Any) -> Any:
        options = decision.options(match.state)
        if isinstance(decision, Orders):
            return wanted(
                decision,
                options,
                lambda a: isinstance(a, Begin) and isinstance(a.act, Assault) and bool(a.act.partners),
            )
        if isinstance(decision, NextIn):
            return wanted(decision, options, lambda a: isinstance(a, MoveIn))
        return None

    def there(match: Match) -> bool:
        return bool(match.waiting) and isinstance(match.waiting[0], NextIn) and len(match.waiting[0].coming) == 1

    return steered(2, likes, there)


def close_to_the_middle(options: Any) -> Any:
    """Return the way to deploy that is nearest to the middle of South's zone."""
    dice, middle = Seeded(1), at(12, 5)
    some = [a for a in (options.sample(dice) for _ in range(60)) if isinstance(a, Deploy)]
    return min(some, key=lambda a: max(distance_sq(p, middle) for p in a.places), default=None)


def half_boarded() -> Match:
    """Return a match in which one squad is aboard, and a watcher is asked whether it interrupts while another squad
    boards.
    """

    def likes(match: Match, decision: Any) -> Any:
        options = decision.options(match.state)
        if isinstance(decision, DeployUnit) and decision.side == SOUTH:
            return close_to_the_middle(options)
        if isinstance(decision, Orders) and decision.side == NORTH:
            return watches(match, decision)
        if isinstance(decision, Orders):
            return wanted(decision, options, lambda a: isinstance(a, Begin) and isinstance(a.act, Board))
        if isinstance(decision, NextAct):
            return wanted(decision, options, lambda a: isinstance(a, Board))
        return LetPass() if isinstance(decision, Interrupt) and not there(match) else watches(match, decision)

    def there(match: Match) -> bool:
        if not match.waiting or not isinstance(match.waiting[0], Interrupt):
            return False
        t, boarding = now(match), [p for p in now(match).stack if type(p).__name__ == "Boarding"]
        carrier = boarding[0].act.vehicle if boarding else None  # type: ignore[attr-defined]
        return carrier is not None and bool(t.aboard(carrier))

    return steered(1, likes, there)


def go_on(match: Match, acts: int = 12) -> list[bytes]:
    """Return the next acts of a game, with equal dice and choices."""
    match.dice, dice, result = Seeded("later"), Seeded("choices later"), []
    for _ in range(acts):
        if not match.waiting:
            break
        decision = match.waiting[0]
        match.play(decision.side, decision.options(match.view(decision.side)).sample(dice))
        result.append(stored(match.state))
    return result


@pytest.mark.clause("SQ-S31", "SQ-Q59", "SQ-Q25", "SQ-S45")
@pytest.mark.parametrize("stop", [in_mid_interrupt, in_a_multiple_assault, half_boarded])
def test_a_game_that_stops_there_is_saved_reopened_and_replayed_equal(
    stop: Callable[[], Match], tmp_path: Path
) -> None:
    match = stop()
    # The state of the game comes back from storage, with the same question and the same steps under way.
    again = restored(ruleset, now(match).book, stored(match.state))
    assert digest(again) == digest(match.state)
    assert (again.asked, again.stack) == (match.state.asked, match.state.stack)
    # The record of the game comes back from a file, and the present rules play it to the same state.
    record = record_of(match, SETTING, everything=True)
    save(record, tmp_path / "game.caltrop.json.gz")
    reopened = load(tmp_path / "game.caltrop.json.gz")
    assert reopened == record
    assert verify(reopened).same
    replayed = list(replay(reopened))[-1].state
    assert stored(replayed) == stored(match.state)
    assert replayed.asked == match.state.asked
    # And all three go on as one.
    others = [Match(ruleset, state, Seeded(0)) for state in (again, replayed)]
    here = go_on(match)
    assert len(here) > 8
    assert [go_on(other) for other in others] == [here, here]


@pytest.mark.clause("SQ-S31", "SQ-Q59")
def test_a_move_into_which_somebody_has_broken_is_not_taken_back_freely() -> None:
    match = in_mid_interrupt()
    assert match.waiting[0].side == NORTH
    assert match.boundary(SOUTH) == "the other side has already answered"
    assert match.boundary(NORTH), "a token that was turned over has been seen"


# --- secrets ----------------------------------------------------------------------------------------------------------


def twins(match: Match) -> tuple[Match, Match]:
    """Return two games that differ only in North's hidden tokens."""
    result = []
    for face in ("fire", "move"):
        t = match.state.clone()
        assert isinstance(t, Firefight)
        for unit, tokens in t.tokens.items():
            if tokens.side == NORTH:
                t.tokens[unit] = FaceDown(NORTH, (face,) * len(tokens.faces))
        result.append(Match(ruleset, t, Seeded(4)))
    return result[0], result[1]


@pytest.mark.clause("SQ-ORG-34", "SQ-S31", "SQ-CQS-01")
def test_games_that_differ_only_in_tokens_look_the_same_to_who_does_not_know_them() -> None:
    def there(match: Match) -> bool:
        asked = match.waiting[0] if match.waiting else None
        return (
            isinstance(asked, Orders)
            and asked.side == SOUTH
            and any(f.side == NORTH for f in now(match).tokens.values())
        )

    def likes(match: Match, decision: Any) -> Any:
        if isinstance(decision, LayTokens):
            return Lay(decision.unit, ("fire",) * decision.count)
        options = decision.options(match.state)
        if isinstance(decision, Orders):
            return wanted(decision, options, lambda a: isinstance(a, Begin) and isinstance(a.act, Watch))
        return LetPass() if isinstance(decision, Interrupt) else None

    one, two = twins(steered(2, likes, there, 80))
    assert stored(one.state) != stored(two.state)
    dice, compared = Seeded("alike"), 0
    while one.waiting and any(f.side == NORTH for f in now(one).tokens.values()):
        for eyes in (SOUTH, None):
            assert stored(redacted(one.state, eyes)) == stored(redacted(two.state, eyes))
            shown = [msgspec.json.encode(ruleset.depict(m.view(eyes), eyes)) for m in (one, two)]
            assert shown[0] == shown[1]
        assert stored(redacted(one.state, NORTH)) != stored(redacted(two.state, NORTH))
        assert one.state.asked == two.state.asked
        decision = one.waiting[0]
        if decision.side == SOUTH:
            words = [[o.words for o in offered(decision).offers(m.view(SOUTH))] for m in (one, two)]
            assert words[0] == words[1]
        options = [decision.options(m.view(decision.side)) for m in (one, two)]
        # A token that is turned over would show it: North keeps them.
        act = LetPass() if isinstance(decision, Interrupt) else options[0].sample(dice)
        if isinstance(act, Spring) or act not in options[1]:
            act = next(a for a in options[0] if a in options[1])
        events = [m.play(decision.side, act) for m in (one, two)]
        assert events[0] == events[1]
        assert [one.boundary(side) for side in (SOUTH, NORTH)] == [two.boundary(side) for side in (SOUTH, NORTH)]
        compared += 1
        if compared == 24:
            break
    assert compared > 5, "they have been compared for a while"
