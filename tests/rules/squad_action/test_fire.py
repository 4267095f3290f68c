"""The arithmetic of fire and morale: every term names its clause, and every limit is the book's."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Term, total
from caltrop.rules.squad_action.catalogue import SUPPLIED, inches
from caltrop.rules.squad_action.fire import ShotModifiers, armour_save, best_save, cover_save, needed, to_hit
from caltrop.rules.squad_action.morale import chance_to_pass, passes
from caltrop.rules.squad_action.range import out_of_reach
from caltrop.rules.squad_action.rulebook import ruleset

BOOK = ruleset.book(None, None)


def book(**rules: Any) -> Any:
    return ruleset.book(None, rules)


def aim(distance: Any = 12, **fields: Any) -> ShotModifiers:
    return ShotModifiers(distance=inches(distance), effective=inches(16), **fields)


@pytest.mark.clause("SQ-SHO-08", "SQ-SHO-09", "SQ-SHO-10", "SQ-SHO-11", "SQ-SHO-12", "SQ-ORG-49", "SQ-ORG-60")
@pytest.mark.parametrize(
    ("one", "clause", "value"),
    [
        (aim(8), "SQ-SHO-08", 1),
        (aim("16.01"), "SQ-SHO-09", -1),
        (aim(few=True), "SQ-SHO-10", -1),
        (aim(pinned=True), "SQ-SHO-11", -1),
        (aim(travelled=inches(10) + 1), "SQ-SHO-12", -1),
        (aim(smoke=True), "SQ-ORG-49", -1),
        (aim(in_flight=True, travelled=inches(36)), "SQ-ORG-60", -1),
    ],
)
def test_each_modifier_stands_alone_and_names_its_clause(one: ShotModifiers, clause: str, value: int) -> None:
    assert [(p.clause, p.value) for p in to_hit(BOOK, one)] == [(clause, value)]


@pytest.mark.clause("SQ-SHO-04", "SQ-S15", "SQ-Q13")
def test_modifiers_add_up_within_2_and_6() -> None:
    assert to_hit(BOOK, aim()) == ()
    assert to_hit(BOOK, aim("8.01")) == ()
    assert to_hit(BOOK, aim(16, travelled=inches(10))) == ()
    assert total(to_hit(BOOK, aim(20, few=True, pinned=True, smoke=True))) == -4
    worst = (Term(-9, "SQ-SHO-09", ""),)
    assert (needed(BOOK, 4, worst), needed(BOOK, 2, (Term(1, "SQ-SHO-08", ""),))) == (6, 2)
    assert needed(book(impossible_shots="on"), 4, worst) == 13


@pytest.mark.clause("SQ-Q14", "SQ-S12", "SQ-S16", "SQ-COV-01", "SQ-WPN-03")
def test_saves() -> None:
    assert [cover_save(BOOK, c, False, False) for c in ("none", "soft", "hard", "fortified")] == [7, 5, 4, 3]
    assert [cover_save(BOOK, c, True, False) for c in ("none", "soft", "hard", "fortified")] == [6, 4, 3, 2]
    assert cover_save(BOOK, "fortified", True, True) == 7
    assert [armour_save(BOOK, 5, ap) for ap in (0, -1, -2, -4)] == [5, 6, 7, 7]
    assert best_save(BOOK, 5, 5).clause == "SQ-S12"
    assert best_save(BOOK, 5, 4).clause == "SQ-S16"
    assert not best_save(BOOK, 7, 7).possible


@pytest.mark.clause("SQ-Q06", "SQ-Q57", "SQ-ORG-22", "SQ-W25")
@pytest.mark.house("leadership_die", "2d6_under")
def test_checks() -> None:
    assert [str(chance_to_pass(BOOK, m, ())) for m in (2, 3, 4, 5, 6, 7)] == ["5/6", "2/3", "1/2", "1/3", "1/6", "0"]
    assert str(chance_to_pass(BOOK, 3, (Term(-2, "SQ-CQB-11", ""),))) == "1/3"
    two = book(leadership_die="2d6_under")
    assert [passes(two, (4, 4), morale, ()) for morale in (2, 3, 4, 5)] == [True, True, False, False]
    assert [passes(two, (5, 4), morale, ()) for morale in (2, 3)] == [True, False]
    assert passes(two, (4, 4), 4, (Term(1, "SQ-S21", ""),))
    assert str(chance_to_pass(two, 2, ())) == "5/6"


@pytest.mark.clause("SQ-S13", "SQ-Q10", "SQ-ORG-15")
def test_reach() -> None:
    pistol, rifle, mortar = (SUPPLIED.weapons[w] for w in ("pistol", "rifle", "light-mortar"))
    assert out_of_reach(BOOK, pistol, inches(16)) is None
    assert out_of_reach(BOOK, pistol, inches(16) + 1) is not None
    assert out_of_reach(BOOK, rifle, inches(60)) is None
    assert out_of_reach(book(max_range_factor=3), pistol, inches(16) + 1) is not None
    assert out_of_reach(book(max_range_factor=3), rifle, inches(48) + 1) is not None
    output = out_of_reach(BOOK, mortar, inches(5))
    assert output is not None
    assert output.code == "too-near"
