"""The camera: the table follows a gesture immediately, and is redrawn when the gesture rests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.table import Table
from tests.web.test_drawing import Scenery

LOOK = """
  const table = document.querySelector('svg[aria-label="The table"]');
  const frame = table.parentElement;
  const box = (one) => {
    const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
    return { x, y, width, height };
  };
  const look = () => ({
    base: box('g.unit[data-unit="102"] .base'),
    plate: box('g.label[data-unit="102"] .plate'),
    plane: document.querySelector('[data-plane]').getAttribute('transform'),
    whole: table.style.transform,
  });
  const { x: left, y: top, width, height } = box('g.unit[data-unit="102"] .base');
  // A wheel and a mouse point at whole pixels.
  const at = { clientX: Math.floor(left + width / 2), clientY: Math.floor(top + height / 2) };
  const usual = { bubbles: true, cancelable: true, view: window };
  const wheel = (deltaY) => frame.dispatchEvent(new WheelEvent('wheel', { deltaY, ...usual, ...at }));
  const mouse = (kind, p) => frame.dispatchEvent(new MouseEvent(kind, { ...usual, ...p }));
"""
"""Helpers for scripts that send gestures to the table and read its camera. A gesture does not rest within one call."""


@pytest.fixture
def scenery(table: Table) -> Iterator[Scenery]:
    """Yield the usual scenery, with symbols and a plate at every unit."""
    table.draw_symbols()
    yield Scenery(table.page, table.address)
    assert table.errors == []


def run_script(table: Table, what: str) -> Any:
    """Return the result of a script over the table."""
    return table.page.evaluate("() => {" + LOOK + what + "}")


def camera_at_rest(table: Table) -> dict[str, Any]:
    """Return the camera of the table after all gestures have ended."""
    table.page.wait_for_function("() => {" + LOOK + "return table.style.transform === '' }")
    result: dict[str, Any] = run_script(table, "return look();")
    return result


def middle(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_wheel_scales_the_drawing_as_a_whole_and_draws_it_anew_when_it_rests(table: Table, scenery: Scenery) -> None:
    before = camera_at_rest(table)
    meanwhile = run_script(table, "for (let i = 0; i < 4; i++) wheel(-100); return { at, ...look() };")
    grown = 2**0.8
    assert meanwhile["plane"] == before["plane"]
    for thing in ("base", "plate"):
        assert meanwhile[thing]["height"] == pytest.approx(before[thing]["height"] * grown, rel=0.01)
    at = meanwhile.pop("at")
    held = (at["clientX"], at["clientY"])
    stands = tuple(point + grown * (was - point) for point, was in zip(held, middle(before["base"]), strict=True))
    assert middle(meanwhile["base"]) == pytest.approx(stands, abs=0.5)
    after = camera_at_rest(table)
    assert after["plane"] != before["plane"]
    assert after["base"] == pytest.approx(meanwhile["base"], abs=0.5)
    assert after["plate"]["height"] == pytest.approx(before["plate"]["height"], abs=0.5)


def test_a_wheel_that_goes_on_and_on_has_the_table_drawn_in_between(table: Table, scenery: Scenery) -> None:
    before = camera_at_rest(table)
    meanwhile = run_script(table, "for (let i = 0; i < 15; i++) wheel(-100); return look();")
    assert meanwhile["base"]["height"] > 7 * before["base"]["height"]
    assert meanwhile["plate"]["height"] < 4.5 * before["plate"]["height"]


def test_a_press_moves_the_drawing_and_what_it_brings_in_is_there_at_once(table: Table, scenery: Scenery) -> None:
    run_script(table, "for (let i = 0; i < 6; i++) wheel(-100);")
    before = camera_at_rest(table)
    result = run_script(
        table,
        """const place = frame.getBoundingClientRect();
        const from = { clientX: place.x + place.width * 0.3, clientY: place.y + place.height * 0.5 };
        const to = { clientX: from.clientX + 90, clientY: from.clientY + 40 };
        mouse('mousedown', from);
        window.dispatchEvent(new MouseEvent('mousemove', { ...usual, ...to }));
        const edge = document.elementFromPoint(place.x + 20, from.clientY).closest('[data-plane]') !== null;
        const meanwhile = look();
        window.dispatchEvent(new MouseEvent('mouseup', { ...usual, ...to }));
        return { meanwhile, edge, after: look() };""",
    )
    assert result["edge"]
    assert result["meanwhile"]["plane"] == before["plane"]
    for moved in (result["meanwhile"], result["after"]):
        assert middle(moved["base"]) == pytest.approx(
            (middle(before["base"])[0] + 90, middle(before["base"])[1] + 40), abs=0.5
        )
    assert result["after"]["whole"] == ""


def test_the_ruler_tells_the_same_while_the_table_is_scaled_and_after(table: Table, scenery: Scenery) -> None:
    table.button("Measure").click()
    there = "{ clientX: at.clientX + 30, clientY: at.clientY + 200 }"
    clicks = f"mouse('click', at); mouse('click', {there});"
    at = run_script(table, f"for (let i = 0; i < 4; i++) wheel(-100); {clicks} return at;")
    meanwhile = table.page.get_by_role("status").filter(has_text="cm").inner_text()
    camera_at_rest(table)
    run_script(table, f"Object.assign(at, {json.dumps(at)}); {clicks}")
    assert table.page.get_by_role("status").filter(has_text="cm").inner_text() == meanwhile
    assert meanwhile.startswith("Worm Infantry to ")


def test_a_step_closer_by_button_is_drawn_at_once(table: Table, scenery: Scenery) -> None:
    before = camera_at_rest(table)
    table.button("Closer").click()
    after = run_script(table, "return look();")
    assert after["whole"] == ""
    assert after["base"]["height"] == pytest.approx(1.4 * before["base"]["height"], rel=0.02)


def test_nothing_outside_the_frame_can_scroll_it(table: Table, scenery: Scenery) -> None:
    run_script(table, "for (let i = 0; i < 10; i++) wheel(-100);")
    before = camera_at_rest(table)
    run_script(table, """document.querySelector('g.unit[data-unit="3"] .base').scrollIntoView();""")
    assert camera_at_rest(table)["base"] == before["base"]
