"""Places beside a body of any form touch the body and are free."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from caltrop.geometry import Hull, Point, distance_sq, in_touch, overlap
from caltrop.table.measured import Table, contact_places, contact_places_of, ground_of, stands

GROUND = ground_of(Table(6000, 6000))
HEADINGS = st.tuples(st.integers(-9, 9), st.integers(-9, 9)).filter(lambda v: v != (0, 0))
PLACES = st.tuples(st.integers(500, 5500), st.integers(500, 5500))


@given(PLACES, HEADINGS, PLACES, st.lists(PLACES, max_size=6))
def test_every_place_touches_and_is_free(at: Point, heading: Point, start: Point, others: list[Point]) -> None:
    hull = Hull(*at, 381, 190, heading)
    discs = [(*p, 76) for p in others]
    contact_places = contact_places_of(GROUND.with_solid((hull,)), hull, 76, start, discs)
    for place in contact_places:
        assert in_touch((*place, 76), hull)
        assert not overlap((*place, 76), hull)
        assert stands(GROUND, (*place, 76), discs)
    far = [distance_sq(p, start) for p in contact_places]
    assert far == sorted(far)
    assert contact_places or others


def test_a_round_body_is_asked_of_as_ever() -> None:
    disc = (3000, 3000, 190)
    assert contact_places_of(GROUND, disc, 76, (1000, 1000), ()) == contact_places(GROUND, disc, 76, (1000, 1000), ())
