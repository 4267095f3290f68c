"""The pictures of games in the lobby: `python -m benchmarks.covers [GAME…]`.

For each game a battle of computer players is looked through for the moment at which most of both sides stand together,
and what is there is painted by the page itself, by day and by night. The same seed gives the same pictures.
"""

from __future__ import annotations

import base64
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec
from playwright.sync_api import Browser, sync_playwright

from benchmarks.pictures import SCHEMES, Scheme, serving
from caltrop.chance import Seeded
from caltrop.engine import ruleset
from caltrop.journal import Setting
from caltrop.picture import Picture
from caltrop.players import Seated, maker_of

FOLDER = Path(__file__).parents[1] / "src/caltrop/web/src/covers"
GAMES = {
    "command-horizon": ("meeting-engagement", 24),
    "hex-command": ("crossroads", 15),
    "blade-skirmish": ("cut-them-down", 15),
    "squad-action": ("downed-pilot", 26),
    "duel": ("bridge", 8),
}
"""The scenario that is looked through, and about how many bases the picture is wide."""
SEEDS = range(1, 4)
WIDE, HIGH = 860, 373
"""A picture in pixels: somewhat denser than a card of the lobby."""
QUALITY = 0.62


class Window(NamedTuple):
    """A part of a table, in its units, from its upper left corner; larger means more to see."""

    worth: float
    left: float
    top: float
    wide: float


def moments(game: str, scenario: str, seed: int) -> Iterator[Picture]:
    """A battle between computer players as onlookers see it, act by act."""
    rules = ruleset(game)
    match = Setting.chosen(game, None, scenario, (), None, {}).begin(Seeded(seed), keep=False)
    who = maker_of("regular" if game != "duel" else "random", game)
    seated = Seated(match, (who(), who()), (Seeded(seed + 1), Seeded(seed + 2)))
    while match.over is None:
        seated.act()
        picture = rules.depict(match.view(None), None)
        # Which sections have orders says nothing to who has not begun yet.
        zones = tuple(msgspec.structs.replace(zone, lit=False) for zone in picture.zones)
        yield msgspec.structs.replace(picture, zones=zones)


EDGE = 1.25
"""How far what stands on a base reaches beyond its rim at the most, in radii."""


def best_window(picture: Picture, across: int) -> Window:
    """The part of a table in which most bases of both sides stand, and whose edges cut few, least of all large ones."""
    bases = [(group.side, *piece.at, piece.radius) for group in picture.groups for piece in group.pieces]
    if len({side for side, *_ in bases}) < 2:
        return Window(0, 0, 0, 1)
    usual = median([r for *_, r in bases])
    wide = min(across * 2 * usual, picture.width, picture.height * WIDE / HIGH)
    high = wide * HIGH / WIDE
    found = Window(0, 0, 0, wide)
    for _, x0, y0, _ in bases:
        for _, x1, y1, _ in bases:
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            left = min(max(x - wide / 2, 0), picture.width - wide)
            low = min(max(y - high / 2, 0), picture.height - high)
            counts, cut = [0, 0], 0.0
            for side, u, v, r in bases:
                inside = min(u - left, left + wide - u, v - low, low + high - v)
                if inside >= r and side in (0, 1):
                    counts[side] += 1
                if abs(inside) < EDGE * r:
                    cut += (r / usual) ** 2
            if not all(counts):
                continue
            worth = 3 * min(counts) + min(sum(counts), 24) / 2 - cut
            if worth > found.worth:
                found = Window(worth, left, picture.height - low - high, wide)
    return found


def shoot(browser: Browser, address: str, game: str, picture: Picture, part: Window, scheme: Scheme) -> bytes:
    """The part of a table as the page paints it, as WebP."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme, device_scale_factor=1)
    try:
        page = context.new_page()
        told = msgspec.json.encode({"picture": picture}).decode()
        page.route("**/opening?*", lambda route: route.fulfill(body=told, content_type="application/json"))
        scenario = ruleset(game).scenarios()[-1]
        page.goto(f"{address}/new?ruleset={game}&scenario={scenario.id}")
        table = page.get_by_role("img", name="seen from above").first
        table.wait_for()
        wide = WIDE * picture.width / part.wide
        table.evaluate(
            """(svg, [wide, high]) => {
              const place = svg.parentElement;
              place.id = "cover";
              document.body.append(place);
              place.style.cssText = "position: absolute; left: 0; top: 0; z-index: 99";
              [place.style.width, place.style.height] = [`${wide}px`, `${high}px`];
              scrollTo(0, 0);
            }""",
            [wide, wide * picture.height / picture.width],
        )
        # Flags are as large as the smallest table needs them.
        page.add_style_tag(content="g.spot { display: none }")
        # Painted anew at that size, however long it takes; maps of hexes are painted within their drawing.
        page.wait_for_function(
            """(wide) => {
              const canvases = [...document.querySelectorAll('#cover canvas')];
              const map = document.querySelector('#cover svg:has(path.cells)');
              return canvases.every((one) => /\\bdone\\b/.test(one.className) && one.width > 0.7 * wide)
                && (!map || map.querySelector('[data-painted]')) && (map || canvases.length > 0);
            }""",
            arg=wide,
            timeout=240_000,
        )
        page.wait_for_timeout(3000)
        place = table.evaluate(
            """(svg, [x, y]) => {
              const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
              return [at.x + scrollX, at.y + scrollY, svg.getScreenCTM().a];
            }""",
            [part.left, part.top],
        )
        clip: Any = {
            "x": place[0],
            "y": place[1],
            "width": part.wide * place[2],
            "height": part.wide * place[2] * HIGH / WIDE,
        }
        png = page.screenshot(clip=clip, full_page=True)
        return base64.b64decode(
            page.evaluate(
                """async ([text, wide, high, quality]) => {
              const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
              const size = { resizeWidth: wide, resizeHeight: high, resizeQuality: "high" };
              const found = await createImageBitmap(new Blob([bytes]), size);
              const canvas = new OffscreenCanvas(wide, high);
              canvas.getContext("2d").drawImage(found, 0, 0);
              const blob = await canvas.convertToBlob({ type: "image/webp", quality });
              const whole = new Uint8Array(await blob.arrayBuffer());
              let out = "";
              for (let i = 0; i < whole.length; i += 32768) out += String.fromCharCode(...whole.subarray(i, i + 32768));
              return btoa(out);
            }""",
                [base64.b64encode(png).decode(), WIDE, HIGH, QUALITY],
            )
        )
    finally:
        context.close()


def main() -> int:
    """Take the pictures of all games, or of those that are named."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not program:
        raise SystemExit("the pictures need Chromium: install it, or set CHROMIUM to the program's path")
    FOLDER.mkdir(exist_ok=True)
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--disable-gpu", "--no-first-run", "--no-sandbox"]
        )
        for game in sys.argv[1:] or GAMES:
            scenario, across = GAMES[game]
            every = [p for seed in SEEDS for p in moments(game, scenario, seed)]
            part, picture = max([(best_window(p, across), p) for p in every], key=lambda one: one[0].worth)
            for scheme in SCHEMES:
                picture_of = shoot(browser, address, game, picture, part, scheme)
                (FOLDER / f"{game}-{scheme}.webp").write_bytes(picture_of)
                print(f"{game} {scheme}: {len(picture_of)} bytes, {part.worth:g}", file=sys.stderr)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
