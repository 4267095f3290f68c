"""Makes the pictures of games in the lobby: `python -m benchmarks.covers [GAME…]`.

For each game it searches a battle of computer players for the moment at which the most units of both sides stand
together and one of them fires. The page paints that part of the table, in light and in dark colours. The same seed
gives the same pictures.
"""

from __future__ import annotations

import base64
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec
from playwright.sync_api import Browser, sync_playwright

from benchmarks.pictures import SCHEMES, Scheme, serving
from caltrop.chance import Seeded
from caltrop.engine import ruleset
from caltrop.journal import Setting
from caltrop.picture import Motion, Picture
from caltrop.players import maker_of

FOLDER = Path(__file__).parents[1] / "src/caltrop/web/src/covers"
GAMES = {
    "command-horizon": ("meeting-engagement", 24),
    "hex-command": ("crossroads", 15),
    "blade-skirmish": ("cut-them-down", 15),
    "squad-action": ("downed-pilot", 26),
    "duel": ("bridge", 8),
}
"""The scenario to search, and the approximate width of the picture in base widths."""
SEEDS = range(1, 4)
WIDE, HIGH = 860, 373
"""Size of a picture in pixels: somewhat more than a card of the lobby has."""
QUALITY = 0.62


SALVO = 5
"""Largest number of models of a unit that are shown firing."""
FIRED = 1.5
"""Weight of a shot when a picture is chosen. At most four shots count."""


class Window(NamedTuple):
    """A part of a table in table units, measured from its upper left corner.

    Windows are compared by the number of things in them.
    """

    worth: float
    left: float
    top: float
    wide: float


Shot = tuple[tuple[float, float, float], tuple[float, float, float]]
"""A shot: the shooter and the target, each as the position and radius of a base."""


def moments(game: str, scenario: str, seed: int) -> Iterator[tuple[Picture, tuple[Shot, ...]]]:
    """Yield moments of a battle between computer players as onlookers see it, with the shots of the next act."""
    rules = ruleset(game)
    match = Setting.chosen(game, None, scenario, (), None, {}).begin(Seeded(seed))
    who = maker_of("regular" if game != "duel" else "random", game)
    players, dice = (who(), who()), (Seeded(seed + 1), Seeded(seed + 2))
    while match.over is None:
        picture = rules.depict(match.view(None), None)
        # Highlighted zones mean nothing in a picture of the lobby.
        zones = tuple(msgspec.structs.replace(zone, lit=False) for zone in picture.zones)
        asked = match.waiting[0]
        answer = players[asked.side].decide(asked, match.view(asked.side), dice[asked.side])
        follow = match.follow(asked, answer)
        motions = [motion for event in follow if (motion := event.motion(match.view(None))) is not None]
        yield msgspec.structs.replace(picture, zones=zones), tuple(shots(picture, motions))


def shots(picture: Picture, motions: Iterable[Motion]) -> Iterator[Shot]:
    """Yield each shooting model with the enemy model at which it fires."""
    bases = {group.id: [(*piece.at, piece.radius) for piece in group.pieces] for group in picture.groups}
    for motion in motions:
        firing, aimed = bases.get(motion.unit or 0, []), bases.get(motion.target or 0, [])
        if motion.sort not in ("shot", "aim") or not firing or not aimed:
            continue
        for i, one in enumerate(firing[:SALVO]):
            yield one, aimed[i % len(aimed)]


EDGE = 1.25
"""Distance from the centre of a base to the edge of its drawn figure, in radii."""


def best_window(picture: Picture, fired: Sequence[Shot], across: int) -> Window:
    """Return the part of a table with the most bases of both sides. Bases that its edges cut count against it, large
    ones most.

    A part with a whole shot in it counts more.
    """
    bases = [(group.side, *piece.at, piece.radius) for group in picture.groups for piece in group.pieces]
    if len({side for side, *_ in bases}) < 2:
        return Window(0, 0, 0, 1)
    usual = median([r for *_, r in bases])
    wide = min(across * 2 * usual, picture.width, picture.height * WIDE / HIGH)
    high = wide * HIGH / WIDE
    window = Window(0, 0, 0, wide)
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
            # Both ends of a shot have to be visible as a whole.
            seen = sum(
                all(min(u - left, left + wide - u, v - low, low + high - v) > 2 * usual for u, v, _ in one)
                for one in fired
            )
            worth = 3 * min(counts) + min(sum(counts), 24) / 2 - cut + FIRED * min(seen, 4)
            if worth > window.worth:
                window = Window(worth, left, picture.height - low - high, wide)
    return window


FIRE = """(svg, [shots, size]) => {
  const made = (name, more) => {
    const one = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in more) one.setAttribute(key, more[key]);
    return one;
  };
  const star = (x, y, r, turn) => Array.from({ length: 14 }, (_, i) => {
    const far = i % 2 ? r * 0.36 : r * (i % 4 ? 0.75 : 1);
    const angle = turn + (i * Math.PI) / 7;
    return `${i ? "L" : "M"}${x + Math.cos(angle) * far} ${y + Math.sin(angle) * far}`;
  }).join("") + "Z";
  const all = made("g", { fill: "none", "stroke-linecap": "round" });
  for (const [[ax, ay, first], [bx, by, last]] of shots) {
    const far = Math.hypot(bx - ax, by - ay) || 1;
    const [dx, dy] = [(bx - ax) / far, (by - ay) / far];
    const at = (n) => [ax + dx * n, ay + dy * n];
    const [from, to] = [first * 1.2, Math.max(far - last * 1.05, first * 1.3)];
    // However large who fires: a flash of a walker is not a sun.
    const [ar, br] = [Math.min(first, size), Math.min(last, size)];
    // The flight is seen from its second third on, thicker and brighter towards its end.
    for (const [begin, colour, wide, alpha] of [
      [0.2, "#ff9a2a", 0.3, 0.35], [0.45, "#ffb84a", 0.24, 0.7], [0.7, "#fff3c4", 0.14, 1],
    ]) {
      const [p, q] = [at(from + (to - from) * begin), at(to)];
      const d = `M${p.join(" ")}L${q.join(" ")}`;
      all.append(made("path", { d, stroke: colour, "stroke-width": ar * wide, "stroke-opacity": alpha }));
    }
    const flash = at(from);
    for (const [r, colour, alpha] of [[1.05, "#ffb03a", 0.28], [0.7, "#ffc65a", 0.4]])
      all.append(made("circle", { cx: flash[0], cy: flash[1], r: ar * r, fill: colour, "fill-opacity": alpha }));
    const turn = Math.atan2(dy, dx);
    const rim = { stroke: "#ff8a1a", "stroke-width": ar * 0.06 };
    all.append(made("path", { d: star(...flash, ar * 0.85, turn), fill: "#ffd873", ...rim }));
    all.append(made("path", { d: star(...flash, ar * 0.45, turn), fill: "#fffbe8" }));
    all.append(made("path", { d: star(...at(to), br * 0.6, turn + 0.4), fill: "#ffb03a", "fill-opacity": 0.9 }));
    all.append(made("path", { d: star(...at(to), br * 0.3, turn), fill: "#fff3c4" }));
  }
  svg.append(all);
}"""
"""Script that draws shots on a table, as the page shows them for a tenth of a second."""


def shoot(
    browser: Browser,
    address: str,
    game: str,
    picture: Picture,
    fired: Sequence[Shot],
    part: Window,
    scheme: Scheme,
) -> bytes:
    """Return the part of a table as the page paints it, as a WebP picture."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme, device_scale_factor=1)
    try:
        page = context.new_page()
        words = msgspec.json.encode({"picture": picture}).decode()
        page.route("**/opening?*", lambda route: route.fulfill(body=words, content_type="application/json"))
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
        # Flags of objectives would be as large as on the smallest table.
        page.add_style_tag(content="g.spot { display: none }")
        # Wait until the table is painted again at that size. Maps of hexes are painted inside their drawing.
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
        size = median([piece.radius for group in picture.groups for piece in group.pieces])
        table.evaluate(FIRE, [[[(x, picture.height - y, r) for x, y, r in one] for one in fired], size])
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
    """Take the pictures of all games, or of the named ones."""
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
            every = [one for seed in SEEDS for one in moments(game, scenario, seed)]
            windows = [(best_window(picture, fired, across), picture, fired) for picture, fired in every]
            part, picture, fired = max(windows, key=lambda one: one[0].worth)
            for scheme in SCHEMES:
                picture_of = shoot(browser, address, game, picture, fired, part, scheme)
                (FOLDER / f"{game}-{scheme}.webp").write_bytes(picture_of)
                print(f"{game} {scheme}: {len(picture_of)} bytes, {part.worth:g}", file=sys.stderr)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
