"""The example that trains a player: its curriculum and its curve, and, if sb3-contrib is installed, a short run."""

from __future__ import annotations

import importlib.util
import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "masked_ppo.py"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLE))


def test_who_is_about_as_good_comes_most_often(example: dict[str, Any]) -> None:
    course = example["Opponents"](["random", "recruit", "regular"], seed=1, games=10)
    assert course.share("regular") == 0.5, "nothing is known yet"
    for _ in range(10):
        course.note("random", 1.0)
        course.note("recruit", 0.0)
        course.note("regular", -1.0)
    drawn = [course.draw() for _ in range(300)]
    assert drawn.count("recruit") > 150
    assert min(drawn.count("random"), drawn.count("regular")) > 20, "nobody stays away for good"
    for _ in range(10):
        course.note("random", -1.0)
    assert course.share("random") < 0.1, "games of long ago count no more"


def test_the_curve_is_written_with_its_intervals_and_read_again(example: dict[str, Any], tmp_path: Path) -> None:
    point, folder = example["Point"], example["Folder"](tmp_path)
    points = [
        point(0, 0.1, "random", 4, 2, 10),
        point(2048, 3.5, "random", 9, 0, 10),
        point(0, 0.1, "regular", 0, 0, 10),
    ]
    assert points[0].share == 0.5
    low, high = points[1].interval
    assert (round(low, 3), round(high, 3)) == (0.596, 0.982)
    begun = folder.read()
    assert begun[0]["steps"] == 0
    assert begun[1] == []
    state = begun[0] | {"steps": 2048}
    folder.write(state, points, {"seed": 3})
    assert folder.read() == (state, points)
    lines = (tmp_path / "curve.csv").read_text().splitlines()
    assert lines[2] == "2048,3.5,random,9,0,10,0.9000,0.5958,0.9821"
    svg = ElementTree.parse(tmp_path / "curve.svg").getroot()
    kinds = [one.tag.rpartition("}")[2] for one in svg.iter()]
    assert kinds.count("polyline") == 2, "a line for each player"
    assert kinds.count("polygon") == 2, "and its intervals"


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("sb3_contrib") is None, reason="sb3-contrib is not installed")
@pytest.mark.filterwarnings("ignore")
def test_a_run_is_kept_and_gone_on_with(example: dict[str, Any], tmp_path: Path) -> None:
    given: dict[str, Any] = {"seed": 2, "against": ("random",), "every": 128, "games": 2, "rollout": 64}
    first = example["train"](tmp_path, steps=128, **given)
    assert [p.steps for p in first] == [0, 128]
    again = example["train"](tmp_path, steps=256, **given)
    assert again[:2] == first
    assert [p.steps for p in again] == [0, 128, 256]
    assert (tmp_path / "model.zip").exists()
    anew = example["train"](tmp_path, steps=256, **given | {"games": 4})
    assert [(p.steps, p.games) for p in anew] == [(0, 2), (128, 2), (256, 4)], "measured anew, and nothing learnt"
