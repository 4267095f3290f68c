"""Real dice: an act that needs them waits until a person has typed them in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caltrop.chance import Awaiting, Once, Roll, ScriptError, TypedIn
from caltrop.engine import Decision, Event, Match
from caltrop.host.events import Pending, Setup
from caltrop.host.faults import refused
from caltrop.journal import PERSON
from caltrop.wire import DiceWanted


def typists(setup: Setup) -> frozenset[int]:
    """Return the sides of a game that throw real dice."""
    dice, seats = setup.dice, setup.seats
    if isinstance(dice, str):
        return frozenset(side for side, player in enumerate(seats) if dice == "typed" and player == PERSON)
    return frozenset(side for side, how in enumerate(dice) if how == "typed")


def play(
    match: Match,
    setup: Setup,
    decision: Decision,
    action: Any,
    typed: Sequence[Sequence[int]] = (),
    speakers: Sequence[int] = (),
    thrown: Sequence[Roll] = (),
) -> tuple[Event, ...] | Pending:
    """Answer a decision of a match, with real dice if its game uses them.

    Returns the result, or the missing dice; in the second case the match is unchanged. Raises Refused by the rules, or
    if dice are needed from the caller; nothing has changed.

    Args:
        typed: Real dice, in the order in which they are asked for.
        speakers: The sides of the caller, who are asked for their own dice.
        thrown: The server's dice that have fallen in this act.
    """
    before, acts, start = match.state, len(match.history), len(match.journal)
    server_dice = match.dice
    real = typists(setup)
    once = Once(thrown, server_dice)
    by_hand: TypedIn | None = None
    if real:
        everybody = len(real) == len(setup.seats)
        match.dice = by_hand = TypedIn(typed, once, None if everybody else real)
    elif typed:
        raise refused("dice-not-asked", "In this game the server throws the dice")
    try:
        events = match.play(decision.side, action, decision)
        if by_hand is not None and by_hand.taken < len(typed) and not once.rolls:
            match.go_back(acts)
            del match.journal[start:]
            raise refused("wrong-dice", f"{by_hand.taken} rolls are thrown here, and {len(typed)} were typed in")
        return events
    except Awaiting as awaiting:
        pool, whose = awaiting.pool, awaiting.side
        own = whose in speakers or (speakers and (whose is None or setup.player(whose) != PERSON))
        if own and not once.rolls:
            raise refused(
                "dice-wanted",
                f"Throw {pool.words}, and type in the results",
                " ".join(awaiting.why[:1]),
                count=pool.count,
                sides=pool.sides,
                given=len(typed),
                side=whose,
                words=awaiting.words,
            ) from None
        return Pending(
            side=decision.side,
            index=next(i for i, d in enumerate(before.asked) if d == decision and before.answers[i] is None),
            action=action,
            typed=tuple(tuple(roll) for roll in typed),
            whose=whose,
            count=pool.count,
            sides=pool.sides,
            clauses=awaiting.why,
            words=awaiting.words,
            thrown=tuple(once.rolls),
        )
    except ScriptError as error:
        if not once.rolls or by_hand is None or thrown:
            raise refused("wrong-dice", f"These dice do not fit: {error}") from None
        fit = by_hand.typed
    finally:
        match.dice = server_dice
    # Dice that fit are kept, and the act waits for the others.
    return play(match, setup, decision, action, fit, speakers, once.rolls)


def typing(pending: Pending, setup: Setup) -> tuple[int, ...]:
    """Return the sides whose dice a waiting act needs. A person throws the dice of a computer opponent."""
    whose = pending.whose
    if whose is not None and setup.player(whose) == PERSON:
        return (whose,)
    return tuple(side for side, player in enumerate(setup.seats) if player == PERSON)


def wanted(pending: Pending) -> DiceWanted:
    return DiceWanted(
        side=pending.whose,
        count=pending.count,
        sides=pending.sides,
        clauses=pending.clauses,
        words=pending.words,
    )
