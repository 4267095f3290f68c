"""Every lesson is played to its end, with what a beginner sees and presses."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from caltrop.scenarios.lessons import lessons
from tests.web.table import Table

GAMES = ("command-horizon", "hex-command", "blade-skirmish", "squad-action")
SIZES = {"Move and charge": (12.0, 8.0), "Two against one": (10.0, 8.0), "Move and take cover": (24.0, 24.0)}
"""Width and height of the tables on which units are dragged, except for tables of 60 cm."""


class Pupil:
    """A person who plays a lesson.

    Args:
        table: The page.
        title: The lesson's title.
        size: The width and height of the lesson's table.
    """

    def __init__(self, table: Table, title: str, size: tuple[float, float] = (60, 60)) -> None:
        self.table, self.page, self.size = table, table.page, size
        table.open("/learn")
        table.button(f"Begin {title}").click()
        expect(self.coach).to_contain_text(f": {title}")

    @property
    def coach(self) -> Locator:
        """Return the current words of the coach."""
        return self.page.get_by_role("region", name="Lesson", exact=True)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the position on the screen of a place on the table."""
        box = self.page.locator("rect.table").bounding_box()
        assert box is not None
        width, height = self.size
        return box["x"] + box["width"] * x / width, box["y"] + box["height"] * (1 - y / height)

    def drag(self, name: str, x: float, y: float, then: str = "") -> None:
        """Drag a unit by its leading base to a place, in the game's unit of length, and confirm."""
        base = self.page.locator(f'g.unit[aria-label^="{name}, "] .piece').first.bounding_box()
        assert base is not None
        self.page.mouse.move(base["x"] + base["width"] / 2, base["y"] + base["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(*self.place(x, y), steps=12)
        self.page.mouse.up()
        if then:
            self.follow(then)
        expect(self.table.confirm).to_be_enabled()
        self.table.confirm.click()

    def follow(self, words: str) -> None:
        """Choose the second of the actions that can follow the prepared one."""
        self.page.get_by_role("group", name="Then").get_by_role("button", name=words).click()

    def order(self, name: str, words: str) -> None:
        """Select a unit in the list, choose its action if it has several, and confirm it."""
        asked = self.table.question.inner_text()
        if self.page.get_by_role("button", name="Units", exact=True).is_visible():
            self.page.get_by_role("button", name="Units", exact=True).click()
        self.page.locator("[data-row]").filter(has_text=name).first.click()
        self.table.settle()
        orders = self.page.locator(".orders")
        answer = orders.get_by_role("button", name=re.compile(words), include_hidden=True).first
        expect(answer.or_(self.table.question.filter(has_not_text=asked)).first).to_be_attached()
        if answer.count():
            self.table.choose(re.compile(words))

    def fire(self) -> None:
        """Choose the guns as the target, and roll the dice."""
        self.table.choose(re.compile("Fire at Guns with 8"))
        expect(self.table.log).to_contain_text("target Guns")
        self.table.choose("Fire: the enemy may answer")


def moving(pupil: Pupil) -> None:
    pupil.drag("Mediums", 26, 20)
    expect(pupil.table.log).to_contain_text(re.compile("Mediums moves? 8 cm"))


def firing(pupil: Pupil) -> None:
    pupil.fire()
    expect(pupil.table.log).to_contain_text("1 Stun marker")


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
    # The lesson continues while the enemy may still fire at the charging units.
    question = pupil.table.question
    expect(question).to_contain_text(re.compile("reach|loses"))
    if "loses" in question.inner_text():
        pupil.table.confirm.click()
    expect(question).to_contain_text("reach")
    pupil.drag("Platoon", 24, 27)
    expect(pupil.table.log).to_contain_text("they are locked in close combat")


def orders(pupil: Pupil) -> None:
    table = pupil.table
    table.page.get_by_role("list", name="Your hand").get_by_role("button", name=re.compile("Probe")).click()
    table.settle()
    for name in ("Tanks", "Guards"):
        expect(pupil.coach).to_contain_text(f"Order the {name}")
        pupil.order(name, f"Order the {name}")
    expect(pupil.coach).to_contain_text("drag the Tanks")
    pupil.order("Tanks", "Move to F5")
    expect(table.log).to_contain_text("from E7 to F5")
    expect(pupil.coach).to_contain_text("end your moves")
    table.choose("End your moves")


def dice(pupil: Pupil) -> None:
    pupil.order("Tanks", "Fire at the Infantry")
    expect(pupil.coach).to_contain_text("let your Guns fire")
    expect(pupil.table.log).to_contain_text("2 models lost")
    pupil.order("Guns", "Fire at the Rangers")
    expect(pupil.table.log).to_contain_text("1 model lost")


def assault(pupil: Pupil) -> None:
    pupil.table.choose(re.compile("Close assault the Infantry"))
    expect(pupil.coach).to_contain_text("Take the ground")
    pupil.table.choose(re.compile("Take ground"))
    expect(pupil.table.log).to_contain_text("take ground, from D4 to E4")


def machines(pupil: Pupil) -> None:
    for name, words in (("Guards", "Assault it with the Tanks"), ("Tanks", "No shield held")):
        pupil.order(name, "Close assault the Walker")
        expect(pupil.coach).to_contain_text(words)


def leaders(pupil: Pupil) -> None:
    pupil.order("Captain", "Join the Guards")
    expect(pupil.table.log).to_contain_text("The Captain joins the Guards")
    pupil.order("Guards", "Close assault the Infantry")
    expect(pupil.table.log).to_contain_text("destroyed")


def walking(pupil: Pupil) -> None:
    pupil.drag("Maren", 5.5, 4)
    expect(pupil.coach).to_contain_text("she must charge")
    pupil.table.choose("Charge Brigand")
    expect(pupil.table.log).to_contain_text("Maren charges Brigand")


def striking(pupil: Pupil) -> None:
    pupil.table.choose(re.compile("Attack Brigand: 72 % to hit"))
    expect(pupil.table.log).to_contain_text("Injury of Brigand by Maren: wounded and out for today")


def flanking(pupil: Pupil) -> None:
    pupil.order("Sabeth", "Take Sabeth")
    expect(pupil.coach).to_contain_text("Drag Sabeth")
    pupil.drag("Sabeth", 5.5, 6.9)
    expect(pupil.table.log).to_contain_text("Sabeth charges Captain")
    expect(pupil.coach).to_contain_text("Now Idony")
    pupil.table.choose("Stay where she is")
    expect(pupil.table.question).to_contain_text("Who attacks next")
    pupil.table.choose("All attack")
    expect(pupil.table.log).to_contain_text(re.compile("Injury of Captain by .*: wounded and out for today"))


def fleeing(pupil: Pupil) -> None:
    pupil.order("Maren", "Take Maren")
    for remark, words in (
        ("She has drifted", "Flee: run"),
        ("She runs straight away", "Run 8 inches"),
        ("until she passes a test", "Take the test"),
    ):
        expect(pupil.coach).to_contain_text(remark)
        pupil.table.choose(re.compile(words))
    expect(pupil.table.log).to_contain_text("Idony stops fleeing")


def killing(pupil: Pupil) -> None:
    pupil.table.choose(re.compile("Attack Brigand"))
    expect(pupil.coach).to_contain_text("strike again at once")
    pupil.table.choose(re.compile("Strike Cutthroat"))
    expect(pupil.coach).to_contain_text("Then the Footpad came")
    pupil.order("Ursel", "Take Ursel")
    expect(pupil.table.question).to_contain_text("Where does Ursel move?")


def advancing(pupil: Pupil) -> None:
    pupil.drag("Squad", 10, 7.9, then="Move")
    expect(pupil.table.question).to_contain_text("next: move")
    pupil.drag("Squad", 10, 12.3)


def volleys(pupil: Pupil) -> None:
    pupil.page.locator("[data-row]").filter(has_text="Squad").first.click()
    pupil.table.choose(re.compile("Shoot at Rifles"))
    expect(pupil.table.question).to_contain_text("next: shoot")
    pupil.table.choose(re.compile("Shoot at Rifles"))


def watching(pupil: Pupil) -> None:
    pupil.page.locator("[data-row]").filter(has_text="Squad").first.click()
    pupil.table.choose("Go on overwatch")
    pupil.table.choose(re.compile("Fire and Fire|2 Fire|Fire, Fire", re.IGNORECASE))
    pupil.table.choose(re.compile("Squad.*Fire", re.IGNORECASE))
    pupil.table.choose(re.compile("Shoot at Militia"))


def storming(pupil: Pupil) -> None:
    pupil.page.locator("[data-row]").filter(has_text="Squad").first.click()
    pupil.table.choose(re.compile("Assault Militia"))


def shelling(pupil: Pupil) -> None:
    pupil.page.locator("[data-row]").filter(has_text="Tank").first.click()
    pupil.table.choose(re.compile("Shoot at Carrier"))
    pupil.table.choose("Skip this action")
    expect(pupil.table.question).to_contain_text("Which unit acts")
    pupil.page.locator("[data-row]").filter(has_text="Spotters").first.click()
    pupil.table.choose(re.compile("Call a fire mission"))
    pupil.table.choose(re.compile("Mark Rifles"))


WAYS: dict[str, dict[str, Callable[[Pupil], None]]] = {
    "command-horizon": {
        "move": moving,
        "fire": firing,
        "overkill": overkill,
        "stuns": stuns,
        "charge": charging,
    },
    "hex-command": {
        "orders": orders,
        "dice": dice,
        "assault": assault,
        "machines": machines,
        "leaders": leaders,
    },
    "blade-skirmish": {
        "move": walking,
        "strike": striking,
        "flank": flanking,
        "flight": fleeing,
        "death": killing,
    },
    "squad-action": {
        "move": advancing,
        "fire": volleys,
        "overwatch": watching,
        "assault": storming,
        "machines": shelling,
    },
}


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_way_through_every_lesson(game: str) -> None:
    assert list(WAYS[game]) == [one.id for one in lessons(game)]


EVERY = [pytest.param(game, number, id=f"{game}-{id}") for game in GAMES for number, id in enumerate(WAYS[game])]


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_a_lesson_is_played_to_its_end(table: Table, game: str, number: int) -> None:
    every = lessons(game)
    one = every[number]
    pupil = Pupil(table, one.title, SIZES.get(one.title, (60, 60)))
    expect(pupil.coach).to_contain_text(f"Lesson {number + 1} of {len(every)}")
    expect(pupil.coach.get_by_role("link", name="All lessons")).to_have_count(0)
    WAYS[game][str(one.id)](pupil)
    # The link to the next lesson appears after the coach's last line.
    expect(pupil.coach.get_by_role("link", name="All lessons")).to_be_visible()
    expect(pupil.coach).to_contain_text(" ".join(one.steps[-1].say.split()))
    if number + 1 < len(every):
        pupil.coach.get_by_role("button", name="Next lesson").click()
        expect(pupil.coach).to_contain_text(f"Lesson {number + 2} of {len(every)}: {every[number + 1].title}")
    else:
        # The last lesson leads to a whole battle of the game.
        pupil.coach.get_by_role("button", name="Play a first battle").click()
        expect(pupil.coach).to_have_count(0, timeout=20000)
        expect(table.question).not_to_be_empty(timeout=20000)
        assert table.page.evaluate("JSON.parse(localStorage['caltrop.games'])[0].ruleset") == game
    table.open("/learn")
    expect(table.page.get_by_role("listitem").filter(has_text=one.title)).to_contain_text("done")
    assert table.errors == []


def test_a_lesson_that_was_led_astray_says_so_and_is_taken_back(table: Table) -> None:
    pupil = Pupil(table, "Move and charge")
    for question in ("Where does Maren move?", "Where does Maren run?"):
        expect(table.question).to_have_text(question)
        table.choose("Stay where she is")
    expect(table.question).to_have_text("The lesson cannot continue from here")
    expect(pupil.coach.get_by_role("button", name="Begin this lesson again")).to_be_visible()
    table.button("Undo").click()
    expect(table.question).to_have_text("Where does Maren run?")
    assert table.errors == []
