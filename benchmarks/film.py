"""Makes the moving picture of the README (a unit is dragged, a shot is aimed, dice fall): `python -m benchmarks.film`.

It plays two lessons in a browser, takes a picture at each step, and writes `docs/pictures/film.webp`.
"""

from __future__ import annotations

import io

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from benchmarks.pictures import ROOT, browser_of, serving

SIZE = (1120, 700)
"""Size of the window and of the picture, in pixels."""
FILE = ROOT / "docs" / "pictures" / "film.webp"
QUALITY = 55


class Film:
    """Takes the pictures of a film, each with its duration."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def take(self, milliseconds: int) -> None:
        """Take a picture of the screen."""
        self.frames.append(Image.open(io.BytesIO(self.page.screenshot())).convert("RGB"))
        self.times.append(milliseconds)

    def lesson(self, name: str) -> None:
        """Begin a lesson, and wait until its table is painted."""
        self.page.goto(self.address + "/learn")
        self.page.get_by_role("button", name=f"Begin {name}").first.click()
        self.page.locator("#question").first.wait_for()
        self.page.locator("[data-moves] canvas.there").first.wait_for(state="attached")
        self.page.wait_for_timeout(1500)

    def middle(self, unit: str) -> tuple[float, float]:
        """Return the centre of a unit's first model on the screen."""
        box = self.page.locator(f'g.unit[aria-label*="{unit}"] .piece').first.bounding_box()
        if box is None:
            raise SystemExit(f"{unit} is not on the table")
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def save(self) -> None:
        """Write the film to its file."""
        first, *rest = self.frames
        first.save(FILE, save_all=True, append_images=rest, duration=self.times, loop=0, quality=QUALITY, method=6)


def move(film: Film) -> None:
    """Drag the tanks up the table. Rings around them show distances and prices."""
    film.lesson("Moving")
    page = film.page
    x, y = film.middle("Mediums")
    film.take(900)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x + 6 * step, y - 16 * step, steps=3)
        page.wait_for_timeout(250)
        film.take(160 if step < 8 else 1100)
    page.mouse.up()
    for _ in range(3):
        page.wait_for_timeout(350)
        film.take(250)
    film.take(900)


def fire(film: Film) -> None:
    """Aim at the guns, with the odds shown beside them, and throw the dice."""
    film.lesson("Firing")
    page = film.page
    page.mouse.click(*film.middle("Mediums"))
    page.wait_for_timeout(600)
    film.take(700)
    page.mouse.move(*film.middle("Guns"), steps=4)
    page.wait_for_timeout(1200)
    film.take(1800)
    page.mouse.click(*film.middle("Guns"))
    page.wait_for_timeout(900)
    film.take(1200)
    act = page.locator(".bar button.act")
    for _ in range(4):
        if act.get_attribute("data-does") == "skip":
            break
        if act.is_enabled():
            act.click()
        page.wait_for_timeout(400)
        film.take(600)
    for _ in range(10):
        page.wait_for_timeout(220)
        film.take(180)
    page.wait_for_timeout(2500)
    film.take(3500)


def main() -> None:
    """Make the film."""
    with serving() as address, sync_playwright() as driver:
        browser = browser_of(driver)
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        film = Film(page, address)
        move(film)
        fire(film)
        film.save()
        browser.close()
    print(f"{FILE.relative_to(ROOT)}: {len(film.frames)} pictures, {FILE.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
