"""Odds come from the procedures: a step that is changed moves them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from caltrop.engine import Go
from caltrop.engine.explore import Explorer
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.casualties import TakeHits
from caltrop.rules.squad_action.close_quarters import CloseQuarters, Round
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scene import scene, squad
from caltrop.rules.squad_action.shooting import Shooting
from caltrop.rules.squad_action.striking import StrikeByHand


def state(t: Firefight) -> Any:
    return tuple([(u.where, len(u.models), u.pinned) for u in t.units])


def odds() -> tuple[Any, Any]:
    """Return the odds of a volley of 8 rifles at 8 soldiers in woods, and of a complete fight of 3 against 3."""
    far = scene(squad(0, "regular", 10, 10, 8), squad(1, "regular", 10, 20, 8, traits=("gene-enhanced",)))
    near = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 10, 10.6, 3))
    volley = Explorer(far).odds(Shooting(unit=0, fire=(("rifle", 1),)), lambda t, _: state(t))
    fight = Explorer(near).odds(CloseQuarters(assaulters=(0,), defenders=(1,), covers=("hard",)), lambda t, _: state(t))
    return volley, fight


@pytest.fixture(scope="module")
def before() -> tuple[Any, Any]:
    """The odds of the rules as they are."""
    return odds()


Made = Callable[[Callable[..., Any]], Callable[..., Any]]


def one_hit_fewer(real: Any) -> Any:
    def count(self: Any, t: Firefight) -> Any:
        done = real(self, t)
        self.left -= self.left > 1
        return done

    return count


def without_cover(real: Any) -> Any:
    def save(self: Any, t: Firefight) -> Any:
        self.covers = ("none",) * len(self.covers)
        return real(self, t)

    return save


CHANGES: dict[str, tuple[type, str, Made, tuple[bool, bool]]] = {
    "one hit fewer counts": (TakeHits, "count", one_hit_fewer, (True, True)),
    "wounds are never ignored": (
        TakeHits,
        "ignore",
        lambda real: lambda self, t: Go("fall") if self.left else real(self, t),
        (True, False),
    ),
    "nobody is tested for breaking": (
        AfterAttack,
        "break_test",
        lambda real: lambda self, t: Go("pinning"),
        (True, False),
    ),
    "all strike together": (
        Round,
        "line_up",
        lambda real: lambda self, t, order: setattr(self, "order", (tuple([u for group in order for u in group]),)),
        (False, True),
    ),
    "nobody has to hold": (
        CloseQuarters,
        "count",
        lambda real: lambda self, t, lost: setattr(self, "ahead", ()),
        (False, True),
    ),
    "cover does not help by hand": (StrikeByHand, "save", without_cover, (False, True)),
}


@pytest.mark.clause("SQ-SHO-05", "SQ-TRT-06", "SQ-ORG-27", "SQ-CQB-07", "SQ-CQB-11", "SQ-CQB-10")
@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_step_moves_the_odds(change: str, before: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    kind, step, make, moves = CHANGES[change]
    step_of = kind.plan[step]  # type: ignore[attr-defined]
    monkeypatch.setattr(step_of, "do", make(step_of.do))
    after = odds()
    assert (after[0] != before[0], after[1] != before[1]) == moves
