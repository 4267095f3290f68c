"""Glicko-2 gives the values of the worked example in its paper, and has the properties of its formulas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.host.together.glicko import LARGEST, GlickoStrength, after, expected, rested

STRENGTHS = st.builds(GlickoStrength, st.floats(500, 3000), st.floats(30, 350), st.floats(0.03, 0.1))


def test_the_example_of_the_paper() -> None:
    others = [(GlickoStrength(1400, 30), 1.0), (GlickoStrength(1550, 100), 0.0), (GlickoStrength(1700, 300), 0.0)]
    result = after(GlickoStrength(1500, 200, 0.06), others)
    assert result.rating == pytest.approx(1464.06, abs=0.01)
    assert result.deviation == pytest.approx(151.52, abs=0.01)
    assert result.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_does_not_play_is_less_sure_up_to_a_bound() -> None:
    assert after(GlickoStrength(1500, 200), []) == rested(GlickoStrength(1500, 200), 1)
    assert rested(GlickoStrength(1500, 200), 1).deviation == pytest.approx(200.27, abs=0.01)
    assert rested(GlickoStrength(1500, 200), 10**6).deviation == LARGEST


@given(STRENGTHS, STRENGTHS)
def test_who_wins_gains_and_a_game_makes_it_surer(one: GlickoStrength, other: GlickoStrength) -> None:
    won, drawn, lost = (after(one, [(other, score)]) for score in (1.0, 0.5, 0.0))
    assert won.rating > drawn.rating > lost.rating
    assert won.rating > one.rating > lost.rating
    assert all(result.deviation <= LARGEST and 0 < result.volatility < 1 for result in (won, drawn, lost))
    assert 0 < expected(one, other) < 1
