"""Every lesson of Command Horizon is played to its end, by what somebody who has never played sees and presses."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from caltrop.scenarios.lessons import lessons
from tests.web.table import Table

GAME = "command-horizon"


class Pupil:
    """Somebody at a lesson.

    Args:
        table: The page.
        title: The lesson's title.
    """

    def __init__(self, table: Table, title: str) -> None:
        self.table, self.page = table, table.page
        table.open("/learn")
        table.button(f"Begin {title}").click()
        expect(self.coach).to_contain_text(f": {title}")

    @property
    def coach(self) -> Locator:
        """What the lesson says now."""
        return self.page.get_by_role("region", name="Lesson", exact=True)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the table of 60 cm is on the screen."""
        box = self.page.locator("rect.table").bounding_box()
        assert box is not None
        return box["x"] + box["width"] * x / 60, box["y"] + box["height"] * (1 - y / 60)

    def drag(self, name: str, x: float, y: float) -> None:
        """Take a unit by its leading base, put it down at a place, in centimetres, and confirm."""
        base = self.page.locator(f'g.unit[aria-label^="{name}, "] .piece').first.bounding_box()
        assert base is not None
        self.page.mouse.move(base["x"] + base["width"] / 2, base["y"] + base["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(*self.place(x, y), steps=12)
        self.page.mouse.up()
        expect(self.table.confirm).to_be_enabled()
        self.table.confirm.click()

    def fire(self) -> None:
        """Name the guns as the target, and let the dice fall."""
        self.table.choose(re.compile("Fire at Guns with 8"))
        expect(self.table.log).to_contain_text("targets Guns")
        self.table.choose("All targets are named")


def moving(pupil: Pupil) -> None:
    pupil.drag("Mediums", 26, 20)
    expect(pupil.table.log).to_contain_text(re.compile("Mediums moves? 8 cm"))


def firing(pupil: Pupil) -> None:
    pupil.fire()
    expect(pupil.table.log).to_contain_text("1 marker")


def overkill(pupil: Pupil) -> None:
    pupil.fire()
    expect(pupil.coach).to_contain_text("Combine them")
    pupil.table.choose(re.compile("Combine 1 pair"))
    expect(pupil.page.get_by_role("region", name="Dice", exact=True)).to_contain_text("pair: kill")


def stuns(pupil: Pupil) -> None:
    for left in ("Remove the other one too", "All dice are theirs again"):
        pupil.table.choose(re.compile("Remove"))
        expect(pupil.coach).to_contain_text(left)
    pupil.table.choose("End movement")
    pupil.fire()
    pupil.page.locator("[data-row]").filter(has_text="Guns").first.click()
    pupil.page.get_by_role("button", name=re.compile(r"^Why\? Stun")).click()
    why = pupil.page.get_by_role("complementary", name=re.compile("^Why: Stun markers on Guns"))
    expect(why).to_contain_text("0 → 1")


def charging(pupil: Pupil) -> None:
    pupil.table.choose(re.compile("Charge Squad"))
    expect(pupil.coach).to_contain_text("Bring your bases into contact")
    pupil.drag("Platoon", 24, 27)
    expect(pupil.table.log).to_contain_text("they are locked in close combat")


WAYS: dict[str, Callable[[Pupil], None]] = {
    "move": moving,
    "fire": firing,
    "overkill": overkill,
    "stuns": stuns,
    "charge": charging,
}


def test_there_is_a_way_through_every_lesson() -> None:
    assert list(WAYS) == [one.id for one in lessons(GAME)]


@pytest.mark.parametrize("number", range(len(WAYS)), ids=list(WAYS))
def test_a_lesson_is_played_to_its_end(table: Table, number: int) -> None:
    every = lessons(GAME)
    one = every[number]
    pupil = Pupil(table, one.title)
    expect(pupil.coach).to_contain_text(f"Lesson {number + 1} of {len(every)}")
    expect(pupil.coach.get_by_role("link", name="All lessons")).to_have_count(0)
    WAYS[str(one.id)](pupil)
    # The way on is there only once the coach has said its last line.
    expect(pupil.coach.get_by_role("link", name="All lessons")).to_be_visible()
    expect(pupil.coach).to_contain_text(" ".join(one.steps[-1].say.split()))
    if number + 1 < len(every):
        pupil.coach.get_by_role("button", name="Next lesson").click()
        expect(pupil.coach).to_contain_text(f"Lesson {number + 2} of {len(every)}: {every[number + 1].title}")
    else:
        expect(pupil.coach.get_by_role("link", name="To a first battle")).to_be_visible()
    table.open("/learn")
    expect(table.page.get_by_role("listitem").filter(has_text=one.title)).to_contain_text("done")
    assert table.errors == []
