"""A finger on the screen of a phone, which the browser receives as real touches."""

from __future__ import annotations

from playwright.sync_api import Page

Place = tuple[float, float]


class Finger:
    """One finger on the screen that shows a page."""

    def __init__(self, page: Page) -> None:
        self.page, self.screen = page, page.context.new_cdp_session(page)
        self.at: Place = (0, 0)

    def _tell(self, kind: str, *places: Place) -> None:
        touches = [{"x": x, "y": y} for x, y in places]
        self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def press(self, at: Place) -> None:
        """Put the finger down at a place."""
        self.at = at
        self._tell("touchStart", at)

    def go(self, end: Place, rest: int = 300) -> None:
        """Move the finger to a place, and let it rest there for some milliseconds."""
        start = self.at
        for part in range(1, 11):
            x, y = (a + (b - a) * part / 10 for a, b in zip(start, end, strict=True))
            self._tell("touchMove", (x, y))
            self.page.wait_for_timeout(20)
        self.at = end
        self.page.wait_for_timeout(rest)

    def lift(self) -> None:
        """Lift the finger."""
        self._tell("touchEnd")

    def tap(self, at: Place) -> None:
        """Press a place for a moment."""
        self.press(at)
        self.page.wait_for_timeout(40)
        self.lift()
