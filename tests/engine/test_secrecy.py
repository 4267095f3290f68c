"""Hidden things: fields of states and frames, waiting frames, and secret dice."""

from __future__ import annotations

from typing import ClassVar

import pytest

from caltrop.chance import SUM, Pool, Roll, Scripted
from caltrop.engine import (
    Book,
    Event,
    FaceDown,
    Fell,
    Procedure,
    Rolled,
    State,
    Throw,
    Veiled,
    advance,
    has_secrets,
    holds_secrets,
    redacted,
    step,
    stored,
)
from caltrop.engine.entry import Entry


class Hands(State, kw_only=True):
    """A game of cards."""

    secret: ClassVar[tuple[str, ...]] = ("hands",)
    hands: list[tuple[int, ...] | None]
    table: tuple[int, ...] = ()


class Plan(Procedure):
    """A procedure in which both sides have made a plan."""

    secret: ClassVar[tuple[str, ...]] = ("plans",)
    plans: tuple[str | None, str | None]

    @step("T-30")
    def shuffle(self, t: Hands) -> Throw:
        return Throw(Pool(2), reads=SUM, side=1, secret=True)

    @step("T-31")
    def deal(self, t: Hands, roll: Roll) -> None:
        t.hands[1] = roll


def hands(mine: tuple[int, ...], theirs: tuple[int, ...], plan: str = "left") -> Hands:
    frame = Plan(plans=("centre", plan))
    return Hands(book=Book("cards", "current"), stack=[frame], queue=[frame], hands=[mine, theirs], table=(1,))


def test_a_side_sees_its_own_and_nothing_else() -> None:
    t = hands((1, 2), (3, 4))
    assert has_secrets(t)
    mine, theirs, onlooker = (redacted(t, side) for side in (0, 1, None))
    assert (mine.hands, theirs.hands, onlooker.hands) == ([(1, 2), None], [None, (3, 4)], [None, None])
    for view, plans in ((mine, ("centre", None)), (theirs, (None, "left")), (onlooker, (None, None))):
        for frame in (*view.stack, *view.queue):
            assert isinstance(frame, Plan)
            assert frame.plans == plans
        assert view.table == (1,)


class Ambush(State, kw_only=True):
    """A state in which units wait in ambush, with tokens that name their purpose."""

    secret: ClassVar[tuple[str, ...]] = ("waiting",)
    waiting: dict[int, FaceDown]


def ambush(*faces: str) -> Ambush:
    return Ambush(book=Book("ambush", "current"), waiting={3: FaceDown(1, faces), 5: FaceDown(0, ("move",))})


def test_tokens_of_a_unit_are_known_by_their_number() -> None:
    t = ambush("fire", "move")
    assert redacted(t, 1).waiting == {3: FaceDown(1, ("fire", "move")), 5: FaceDown(0, (None,))}
    assert redacted(t, 0).waiting == {3: FaceDown(1, (None, None)), 5: FaceDown(0, ("move",))}
    assert redacted(t, None).waiting == {3: FaceDown(1, (None, None)), 5: FaceDown(0, (None,))}
    assert stored(redacted(t, 0)) == stored(redacted(ambush("move", "move"), 0))
    assert stored(redacted(t, 0)) != stored(redacted(ambush("move"), 0)), "how many there are is no secret"
    assert redacted(redacted(t, 0), 0).waiting == redacted(t, 0).waiting
    assert t.waiting == ambush("fire", "move").waiting, "looking changes nothing"


def test_an_empty_secret_field_hides_nothing() -> None:
    t = Ambush(book=Book("ambush", "current"), waiting={})
    assert not holds_secrets(t)
    assert redacted(t, 1) is t
    assert holds_secrets(ambush("fire"))
    t.answers = (None, "sealed")
    assert (has_secrets(t), holds_secrets(t)) == (True, False), "a sealed answer is hidden until the last is given"


def test_a_token_is_turned_over_and_the_rest_stays() -> None:
    tokens = FaceDown(1, ("move", "fire", "move"))
    assert tokens.without("move").faces == ("fire", "move")
    assert tokens.without("fire").faces == ("move", "move")
    with pytest.raises(ValueError, match="none of these tokens says 'smoke'"):
        tokens.without("smoke")


def test_a_veiled_record_has_to_say_what_others_may_know_of_it() -> None:
    with pytest.raises(TypeError, match="Trap does not say what others may know of it: give it a method seen_by"):

        class Trap(Veiled, frozen=True):
            at: int


def test_states_that_differ_only_in_secrets_look_the_same() -> None:
    views = [redacted(hands((1, 2), theirs, plan), 0) for theirs, plan in (((3, 4), "left"), ((9,), "right"))]
    assert stored(views[0]) == stored(views[1])


def test_looking_changes_nothing() -> None:
    t = hands((1, 2), (3, 4))
    text = stored(t)
    redacted(t, 0).hands.append(None)
    assert stored(t) == text


def test_secret_dice_are_told_to_their_own_side() -> None:
    t = hands((1, 2), ())
    t.queue = []
    events: list[Event] = []
    entries: list[Entry] = []
    t.told = events
    advance(t, Scripted((2, 5)), entries=entries)
    assert entries == [Fell((2, 5), 6, ("T-30",), 1, True)]
    assert isinstance(events[0], Rolled)
    assert events[0].seen_by(1) is events[0]
    assert events[0].seen_by(0) is events[0].seen_by(None) is None
