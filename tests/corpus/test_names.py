"""No stored name disappears: a renamed class, step or field keeps the name by which it is stored."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import (
    Action,
    Ask,
    Book,
    Decision,
    Event,
    Go,
    Listed,
    Match,
    Played,
    Procedure,
    State,
    ask,
    name_of,
    step,
    stored,
)
from tests.corpus.names import FOLDER, every

FOUND = every()


@pytest.mark.parametrize("name", FOUND)
def test_no_stored_name_vanishes_and_new_ones_are_listed(name: str) -> None:
    listed = set((FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines())
    assert not listed - FOUND[name], "these have vanished: what is stored could not be read; see docs/stored-games.md"
    assert not FOUND[name] - listed, "these are new: list them with `python -m tests.corpus.names`"


class Meadow(State, kw_only=True):
    grown: int = msgspec.field(name="height", default=0)


class Stride(Action, frozen=True, tag="Walk"):
    far: int = msgspec.field(name="length", default=0)


class Strode(Event, frozen=True, tag="Walked"):
    def sentence(self, t: Any) -> str:
        return "There she goes"


class WhereTo(Decision, frozen=True, kw_only=True, tag="Whither"):
    def options(self, t: Any) -> Listed:
        return Listed([Stride(1), Stride(2)], clause="X-1")


class Outing(Procedure, tag="Trip"):
    @step("X-1", tag="ask_whither")
    def ask_where_to(self, t: Meadow) -> Ask:
        return ask(WhereTo(side=0))

    @step("X-2", tag="walk")
    def stride(self, t: Meadow, choice: Stride) -> Go:
        t.grown += choice.far
        t.tell(Strode())
        return Go("ask_where_to")


class LongOuting(Outing, tag="LongTrip"):
    @step("X-2")
    def stride(self, t: Meadow, choice: Stride) -> Go:
        t.grown += 10 * choice.far
        return Go("ask_where_to")


class _Rules:
    def automated(self, t: Any) -> tuple[int, ...]:
        return ()


@pytest.mark.parametrize("kind", [Outing, LongOuting])
def test_what_is_renamed_is_stored_by_its_old_name(kind: type[Outing]) -> None:
    state = Meadow(book=Book("x", "current"), stack=[kind()])
    rules: Any = _Rules()
    match = Match(rules, state, Seeded(1))
    asked = match.state.asked[0]
    told = match.follow(asked, Stride(2))
    played = match.journal[0]
    assert isinstance(played, Played)
    assert played.decision == name_of(asked) == "Whither"
    assert msgspec.to_builtins(played.action) == {"type": "Walk", "length": 2}
    assert [name_of(event) for event in told] == (["Walked"] if kind is Outing else [])
    raw = msgspec.json.decode(stored(match.state))
    assert raw["height"] == (2 if kind is Outing else 20)
    (frame,) = raw["stack"]
    assert frame == {"type": name_of(kind), "at": "walk"}
    assert list(kind.plan) == ["ask_whither", "walk"]


def test_a_step_that_is_overridden_by_its_method_s_name_has_to_be_a_step() -> None:
    with pytest.raises(TypeError, match="replaces a step"):

        class Wrong(Outing):
            stride = None  # type: ignore[assignment]
