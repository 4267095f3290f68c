"""Takes pictures of every screen of the page, wide and narrow, light and dark: `python -m benchmarks.pictures`.

Arguments limit the pictures to some screens (`lobby watched`), widths (`360`), and `light` or `dark`. It starts its own
server, plays a few acts in a browser and writes to `pictures/`. Pictures for the README are also copied to
`docs/pictures`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from benchmarks.colours import in_few_colours

ROOT = Path(__file__).parents[1]
OUT = ROOT / "pictures"
KEPT = {
    "watched-1440-light": "table.png",
    "watched-1440-dark": "table-dark.png",
    "hexes-orders-1440-light": "hexes.png",
    "hexes-orders-1440-dark": "hexes-dark.png",
    "blades-attack-1440-light": "blades.png",
    "blades-attack-1440-dark": "blades-dark.png",
    "squads-1440-light": "squads.png",
    "squads-1440-dark": "squads-dark.png",
    "using-lobby-1024-light": "using-lobby.png",
    "using-invitation-1024-light": "using-invitation.png",
    "using-people-1024-light": "using-people.png",
    "using-people-360-light": "using-phone.png",
    "using-ruling-1024-light": "using-ruling.png",
    "using-explained-1024-light": "using-explained.png",
    "own-army-1024-light": "own-army.png",
    "own-table-1440-light": "own-table.png",
    "own-pack-1024-light": "own-pack.png",
}
"""Pictures that the README and the docs use, with their names there."""

SIZES = ((1440, 900), (1024, 768), (820, 1180), (740, 360), (360, 740))
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@contextmanager
def serving() -> Iterator[str]:
    """Run a server with an empty database, on which equal battles always take the same course. Yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "said"
        command = [
            sys.executable,
            "-m",
            "benchmarks.steady",
            "--port",
            "0",
            "--database",
            f"sqlite:///{folder}/games.db",
        ]
        with words.open("w") as out:
            server = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        try:
            # On a busy machine it takes minutes to read all rulebooks.
            for _ in range(3000):
                match = re.search(r"http://[0-9.:]+", words.read_text())
                if match:
                    yield match[0]
                    return
                try:
                    server.wait(0.1)
                except subprocess.TimeoutExpired:
                    continue
                break
            raise SystemExit(f"the server did not start: {words.read_text()}")
        finally:
            server.terminate()
            server.wait(20)


def browser_of(playwright: Playwright) -> Browser:
    """Start the system's Chromium.

    Raises:
        SystemExit: there is none.
    """
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not program:
        raise SystemExit("the pictures need Chromium: install it, or set CHROMIUM to the program's path")
    return playwright.chromium.launch(executable_path=program, args=["--disable-gpu", "--no-first-run"])


class Camera:
    """Takes the pictures of one width and one colour scheme.

    Args:
        page: The page.
        address: The server's address.
        mark: Suffix of the file names.
    """

    def __init__(self, page: Page, address: str, mark: str) -> None:
        self.page, self.address, self.mark = page, address, mark

    def take(self, name: str) -> None:
        """Take a picture of the screen, once the ground is painted."""
        if self.page.locator("[data-moves] canvas").count():
            # The ground may be behind a curtain that hides it.
            self.page.locator("[data-moves] canvas.there").first.wait_for(state="attached")
        # Small tables and maps that are visible have to be painted too.
        self.page.wait_for_function(
            """() => {
              const seen = (one) => {
                const { top, bottom } = one.parentElement.getBoundingClientRect();
                return bottom > 0 && top < innerHeight;
              };
              const canvases = [...document.querySelectorAll('canvas[aria-hidden]')].filter(seen);
              const maps = [...document.querySelectorAll('svg:has(path.cells)')].filter(seen);
              return canvases.every((one) => /\\bdone\\b/.test(one.className))
                && maps.every((one) => one.querySelector('[data-painted]') || !one.querySelector('.lines'));
            }"""
        )
        self.page.wait_for_timeout(500)
        file = OUT / f"{name}-{self.mark}.png"
        self.page.screenshot(path=file)
        stored = KEPT.get(file.stem)
        if stored:
            (ROOT / "docs/pictures").mkdir(parents=True, exist_ok=True)
            (ROOT / "docs/pictures" / stored).write_bytes(in_few_colours(self.page, file.read_bytes()))

    def open(self, path: str) -> None:
        """Go to an address."""
        self.page.goto(self.address + path)
        self.page.wait_for_load_state("networkidle")

    def begin(self, **expected: Any) -> None:
        """Make a game and open it as a player."""
        made = self.page.request.post(self.address + "/api/games", data=expected).json()
        tokens = "&".join(f"{seat['side']}={seat['token']}" for seat in made["seats"] if seat["token"])
        self.open(f"/{made['game']}#{tokens}")
        self.page.locator("#question, [role=dialog] h2").first.wait_for()

    def answer(self, words: str) -> None:
        """Choose an offer by its words, and confirm it."""
        self.page.locator(".orders").get_by_role("button", name=re.compile(words)).first.click()
        self.page.locator(".confirm").click()

    def unit(self, number: int) -> None:
        """Select a unit."""
        self.page.locator(f'[data-row="{number}"]').dispatch_event("click")
        if self.page.get_by_role("button", name="Orders").is_visible():
            self.page.get_by_role("button", name="Orders").click()

    def push(self, steps: int) -> None:
        """Move the selected unit forward with the arrow key, by five units of measure a step."""
        self.page.evaluate("document.activeElement.blur()")
        for _ in range(steps):
            self.page.keyboard.press("Shift+ArrowUp")
        self.page.wait_for_timeout(600)


BATTLES = (
    ("command-horizon", "first-battle"),
    ("hex-command", "first-battle"),
    ("blade-skirmish", "cut-them-down"),
    ("squad-action", "first-battle"),
)


def lobby(camera: Camera) -> None:
    """Take the lobby, the form for a new game, and the rulebooks."""
    camera.open("/")
    # Less important contents load when the browser is idle.
    camera.page.wait_for_timeout(2500)
    camera.take("lobby")
    for game, _ in BATTLES:
        camera.page.locator(f"#more-{game}").evaluate("it => it.scrollIntoView()")
        camera.page.wait_for_timeout(1500)
        camera.take(f"lobby-{game}")
    camera.open("/summary/hex-command")
    camera.take("summary")
    camera.open("/settings")
    camera.take("settings")
    camera.open("/new?ruleset=command-horizon")
    camera.take("new-game")
    camera.open("/new?ruleset=hex-command&scenario=free-battle")
    camera.take("new-game-hexes")
    camera.open("/learn")
    camera.take("learn")
    camera.open("/replay")
    camera.take("replay")
    for game, name in (("command-horizon", "rules"), ("hex-command?search=retreat", "rules-searched")):
        camera.open(f"/rules/{game}")
        camera.page.locator("dl").first.wait_for()
        camera.take(name)


def using(camera: Camera) -> None:
    """Take a player's pages: games in progress, an invitation, a game with a friend, and a ruling in progress."""
    page = camera.page
    open_door = {"alone": False, "addresses": ["http://192.168.1.20:8420"], "opened": True, "may_open": True}
    page.route("**/api/door", lambda route: route.fulfill(json=open_door))
    page.add_init_script("localStorage['caltrop.name'] ??= 'Anna'")
    expected = {"ruleset": "hex-command", "scenario": "crossroads", "seats": ["person", "person"], "invited": [1]}
    clock = {"per": "turn", "seconds": 600, "then": "tell"}
    request = page.request
    made = request.post(f"{camera.address}/api/games", data={**expected, "clock": clock}).json()
    id, (mine, theirs) = made["game"], (seat["token"] for seat in made["seats"])
    names = {"id": id, "title": "Iron Concord v Ashen Horde", "tokens": {"0": mine}, "invites": {"1": theirs}}
    camera.open("/")
    page.evaluate("known => localStorage.setItem('caltrop.games', JSON.stringify([known]))", names)
    camera.open(f"/{id}")
    page.locator("svg[data-text]").wait_for()
    camera.take("using-invitation")
    bearer = {"Authorization": f"Bearer {theirs}"}
    friend = request.post(f"{camera.address}/api/games/{id}/claim", data={}, headers=bearer).json()["token"]
    for message in ({"type": "name", "text": "Bela"}, {"type": "talk", "text": "Good luck!"}):
        sent = {"Authorization": f"Bearer {friend}"}
        request.post(f"{camera.address}/api/games/{id}/messages", data=message, headers=sent)
    page.locator("#question").wait_for()
    page.get_by_role("button", name="People: 1 new").click()
    page.get_by_label("Say something").fill("And to you")
    page.keyboard.press("Enter")
    camera.take("using-people")
    for game, scenario in (("command-horizon", "first-battle"), ("blade-skirmish", "cut-them-down")):
        camera.begin(ruleset=game, scenario=scenario, seats=["person", "easy"], placed=True)
        page.wait_for_timeout(500)
    camera.open("/")
    page.wait_for_timeout(9000)
    camera.take("using-lobby")
    camera.open("/rules/hex-command#HX-BAT-08")
    page.locator("details[open] svg").first.wait_for()
    page.wait_for_timeout(1000)
    camera.take("using-ruling")


def armies(camera: Camera) -> None:
    """Take the page of armies: an unfinished list, and a unit that cannot be added to it."""
    camera.open("/armies?ruleset=command-horizon&from=asori-7")
    camera.page.get_by_role("button", name="Options of Infantry").first.click()
    camera.page.evaluate("scrollTo(0, 0)")
    camera.take("own-army")


def drawing(camera: Camera) -> None:
    """Take the page of maps, with a selected wood."""
    page = camera.page
    camera.open("/maps")
    page.get_by_label("Game").select_option(label="Command Horizon")
    page.get_by_label("Begin with").select_option(label="Meeting engagement")
    page.get_by_role("button", name="Open it").click()
    page.get_by_role("button", name="Woods", exact=True).click()
    table = page.get_by_role("application").bounding_box()
    assert table is not None
    left, top, wide, high = table["x"], table["y"], table["width"], table["height"]
    page.mouse.move(left + 0.42 * wide, top + 0.6 * high)
    page.mouse.down()
    page.mouse.move(left + 0.5 * wide, top + 0.68 * high, steps=4)
    page.mouse.move(left + 0.56 * wide, top + 0.7 * high, steps=4)
    page.mouse.up()
    page.wait_for_timeout(4000)  # the ground is painted some time after it is drawn
    camera.take("own-table")


def packs(camera: Camera) -> None:
    """Take the page of packs: a unit with changed dice, and its odds beside the printed ones."""
    page = camera.page
    camera.open("/packs")
    page.get_by_label("Game").select_option(label="Hex Command")
    page.get_by_role("button", name="Make a pack").click()
    page.get_by_role("button", name="Battle Tanks").first.click()
    dice = page.get_by_label("Dice", exact=True)
    dice.fill("5, 4, 4")
    dice.press("Tab")
    page.get_by_role("button", name="Compare with the printed one").click()
    page.get_by_role("row", name=re.compile("Line Troops, range 1")).wait_for()
    page.get_by_text("20 games played").nth(1).wait_for(timeout=300_000)
    page.set_viewport_size({"width": page.viewport_size["width"], "height": 1180})  # type: ignore[index]
    page.evaluate("scrollTo(0, 0)")
    camera.take("own-pack")


def battle(camera: Camera) -> None:
    """Take the first turns of a battle: the question, a move, a refusal, targets and their odds."""
    camera.begin(ruleset="command-horizon", scenario="first-battle", seats=["person", "person"])
    page = camera.page
    curtain = page.get_by_role("dialog")
    if curtain.is_visible():
        # Dice decide which side begins.
        curtain.get_by_role("button").click()
        curtain.wait_for(state="hidden")
    camera.take("question")
    camera.answer("Do not concentrate")
    page.locator("#question", has_text="moves").wait_for()
    page.keyboard.press("n")
    page.keyboard.press("n")
    camera.push(2)
    camera.take("move")
    camera.push(7)
    camera.take("refused")
    page.keyboard.press("Escape")
    page.keyboard.down("e")
    camera.take("reach")
    page.keyboard.up("e")
    page.keyboard.press("l")
    page.get_by_role("region", name="Lines of sight").get_by_role("button").last.click()
    camera.take("sight")
    page.keyboard.press("l")
    camera.push(2)
    page.locator(".confirm").click()
    page.get_by_text("Medium Tanks move").first.wait_for()
    page.keyboard.press("Shift+Enter")
    page.get_by_role("dialog").wait_for()
    camera.take("curtain")


def shots(camera: Camera) -> None:
    """Take the scenery of the browser tests: every kind of unit and terrain, and a chosen target with its odds."""
    from tests.web.test_drawing import Scenery

    Scenery(camera.page, camera.address)
    camera.take("scenery")
    camera.unit(1)
    camera.page.locator('g.unit[data-unit="103"] .piece').first.dispatch_event("click", {"bubbles": True})
    camera.take("shot")
    camera.page.keyboard.press("?")
    camera.take("keys")


def watched(camera: Camera) -> None:
    """Take a battle of computer players after some rounds: the table, a unit with its numbers, dice in the log."""
    _some_way_in(camera, "command-horizon", "meeting-engagement", 90)
    camera.take("watched")


def squads(camera: Camera) -> None:
    """Take a firefight between computer players after some rounds."""
    _some_way_in(camera, "squad-action", "meeting-engagement", 80)
    camera.take("squads")


_PLAYED: dict[tuple[str, ...], str] = {}
"""Finished battles of computer players by server, game, scenario and players. Pictures of every size show the same
battle.
"""


def _played(camera: Camera, game: str, scenario: str, seats: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Return a finished battle of computer players: its id and its view."""
    names = (camera.address, game, scenario, *seats)
    request, expected = camera.page.request, {"ruleset": game, "scenario": scenario, "seats": seats}
    if names not in _PLAYED:
        _PLAYED[names] = request.post(camera.address + "/api/games", data=expected).json()["game"]
    for _ in range(600):
        view: dict[str, Any] = request.get(f"{camera.address}/api/games/{_PLAYED[names]}").json()
        if view["over"]:
            return _PLAYED[names], view
        camera.page.wait_for_timeout(500)
    raise SystemExit(f"{game}: computers have not ended the battle {scenario} in five minutes")


def _some_way_in(camera: Camera, game: str, scenario: str, act: int) -> None:
    """Go to a moment of a battle between computer players with losses by dice.

    The camera shows the attack, as it does for everybody who watches.
    """
    made, _ = _played(camera, game, scenario, ("heuristic", "easy"))
    moment = _telling(camera, made, act)
    camera.open(f"/{made}?at={moment}")
    camera.page.get_by_role("heading", name="Moment").wait_for()


def _telling(camera: Camera, made: str, act: int) -> int:
    """Return the number of the moment in which dice cost a unit most, from an act on."""
    moments = camera.page.request.get(f"{camera.address}/api/games/{made}/moments?from=0").json()["moments"]
    costs: list[tuple[int, int]] = []
    for at, moment in enumerate(moments):
        aimed = any(line["reading"] and line["reading"]["target"] is not None for line in moment["lines"])
        seen = [line["motion"] for line in moment["lines"] if line["motion"]]
        lost = max((motion.get("count") or 0 for motion in seen), default=0)
        if moment["act"] >= act and aimed and lost:
            costs.append((lost, -at))
    if not costs:
        raise SystemExit(f"from act {act} on, no dice of {made} cost anybody anything")
    return -max(costs)[1]


def aimed(camera: Camera) -> None:
    """Take the middle of a battle: units have moved and fired, and a shot is prepared, with its odds."""
    expected = {"ruleset": "command-horizon", "scenario": "first-battle", "seats": ["person", "easy"]}
    request = camera.page.request
    made = request.post(camera.address + "/api/games", data=expected).json()
    token = made["seats"][0]["token"]
    game, seat = f"{camera.address}/api/games/{made['game']}", {"Authorization": f"Bearer {token}"}
    moved: set[tuple[int, int]] = set()
    view: dict[str, Any] = {}
    for _ in range(300):
        view = request.get(game, headers=seat).json()
        stage, aims = view["picture"]["stage"], [o for d in view["decisions"] for o in d["offers"] if o["target"]]
        if view["over"] or (stage["round"] >= 3 and stage["now"] == 3 and aims):
            break
        if not view["decisions"]:
            camera.page.wait_for_timeout(150)
            continue
        decision = view["decisions"][0]
        action = None
        for region in decision["regions"]:
            group = next(one for one in view["picture"]["groups"] if one["id"] == region["unit"])
            if region["form"] != "move" or (stage["round"], group["id"]) in moved or not group["pieces"]:
                continue
            moved.add((stage["round"], group["id"]))
            x, y = group["pieces"][0]["at"]
            wish = {"unit": group["id"], "act": region["act"], "to": [x, y + 950]}
            asked = {"decision": decision["id"], "wish": wish}
            action = request.post(f"{game}/propose", headers=seat, data=asked).json()["proposal"]["action"]
            break
        if not any(region["form"] == "move" for region in decision["regions"]):
            offers = [o for o in decision["offers"] if o["target"]] or decision["offers"]
            action = offers[-1]["action"]
        if action is None and all((stage["round"], r["unit"]) in moved for r in decision["regions"]):
            ends = [o for o in decision["offers"] if o["final"]]
            action = (aims[0] if aims and stage["round"] == 2 and len(aims) % 2 else ends[0])["action"]
        if action is not None:
            message = {"type": "answer", "decision": decision["id"], "action": action}
            request.post(f"{game}/messages", headers=seat, data=message)
    camera.open(f"/{made['game']}#0={token}")
    camera.page.locator("#question").first.wait_for()
    offers = [o for d in view["decisions"] for o in d["offers"] if o["target"] is not None and o["unit"] is not None]
    if offers:
        camera.unit(offers[0]["unit"])
        target = camera.page.locator(f'g.unit[data-unit="{offers[0]["target"]}"] .piece').first
        target.dispatch_event("click", {"bubbles": True})
        camera.page.wait_for_timeout(800)
    camera.take("aim")


def dice(camera: Camera) -> None:
    """Take a lesson after a throw: the dice, the next question, and the log."""
    camera.open("/learn")
    page = camera.page
    page.get_by_role("button", name="Begin An Overkill").click()
    # The button that ends the step is among the answers; on a phone it is beside the confirmation.
    for words in ("Fire at Guns with 8", "Fire: the enemy may answer"):
        page.locator(".side").get_by_role("button", name=re.compile(words)).first.click()
        page.wait_for_timeout(400)
        if page.locator(".confirm").is_enabled():
            page.locator(".confirm").click()
    page.locator(".orders").get_by_role("button", name=re.compile("Combine 1 pair")).first.wait_for()
    camera.take("lesson")
    camera.answer("Combine 1 pair")
    page.get_by_role("region", name="Dice", exact=True).wait_for()
    page.wait_for_timeout(1500)
    camera.take("dice")
    page.get_by_role("button", name="Log", exact=True).or_(page.get_by_role("log")).first.click()
    camera.take("log")


def shown(camera: Camera) -> None:
    """Take a battle of two computer players, watched from the beginning, and its replay."""
    expected = {"ruleset": "command-horizon", "scenario": "first-battle", "seats": ["easy", "easy"]}
    made = camera.page.request.post(camera.address + "/api/games", data=expected).json()["game"]
    camera.page.wait_for_timeout(3000)
    camera.open(f"/{made}")
    camera.page.get_by_role("group", name="Acts of the other side").wait_for()
    camera.page.get_by_role("button", name="Pause").click()
    camera.take("watching")
    camera.open(f"/replay/{made}")
    camera.page.get_by_role("region", name="Timeline").wait_for()
    camera.take("timeline")


def ends(camera: Camera) -> None:
    """Take a finished battle of each game: its page, and a late moment of its replay."""
    for game, scenario in BATTLES:
        id, view = _played(camera, game, scenario, ("easy",) if game == "blade-skirmish" else ("easy", "easy"))
        camera.open(f"/end/{id}")
        camera.page.get_by_role("heading", name="Lost").wait_for()
        camera.page.wait_for_timeout(1500)
        camera.take(f"end-{game}")
        camera.page.get_by_role("heading", name="Best of all").evaluate("it => it.scrollIntoView({ block: 'end' })")
        camera.take(f"end-more-{game}")
        at = _telling(camera, id, view["act"] // 2)
        camera.open(f"/replay/{id}?at={at}&eyes=none")
        # On a low screen the timeline is hidden. The list of turns is always there.
        camera.page.get_by_role("region", name="Timeline").wait_for()
        camera.page.wait_for_timeout(2500)
        camera.take(f"film-{game}")


def explained(camera: Camera) -> None:
    """Take the explanation of a battle whose player mostly followed the hints."""
    expected = {"ruleset": "hex-command", "scenario": "first-battle", "seats": ["person", "regular"]}
    page = camera.page
    request = page.request
    made = request.post(camera.address + "/api/games", data=expected).json()
    token = made["seats"][0]["token"]
    game, seat = f"{camera.address}/api/games/{made['game']}", {"Authorization": f"Bearer {token}"}
    for n in range(400):
        view = request.get(game, headers=seat).json()
        if view["over"]:
            break
        if not view["decisions"]:
            page.wait_for_timeout(150)
            continue
        decision = view["decisions"][0]
        if n % 4 and decision["offers"]:
            action = decision["offers"][0]["action"]
        else:
            asked = {"type": "hint", "decision": decision["id"]}
            action = request.post(f"{game}/messages", headers=seat, data=asked).json()["hint"]["action"]
        message = {"type": "answer", "decision": decision["id"], "action": action}
        request.post(f"{game}/messages", headers=seat, data=message)
    camera.open(f"/{made['game']}#0={token}")
    page.get_by_role("link", name="Play again").wait_for()
    camera.open(f"/end/{made['game']}")
    page.get_by_role("button", name=re.compile("xplain this battle")).click()
    page.get_by_role("heading", name="The dice that changed most").wait_for(timeout=600_000)
    page.get_by_role("button", name="Stop").wait_for(state="detached", timeout=1_800_000)
    page.get_by_role("heading", name="Luck and play").evaluate("it => it.scrollIntoView()")
    camera.take("using-explained")
    page.get_by_role("heading", name="The dice that changed most").evaluate("it => it.scrollIntoView({ block: 'end' })")
    camera.take("explained-decisions")


def season(camera: Camera) -> None:
    """Take a campaign that has begun: its roster, and its first battle."""
    page = camera.page
    camera.open("/season")
    camera.take("season-form")
    page.get_by_label("Name of the campaign").fill("The Red Hand")
    page.get_by_role("button", name="Begin the campaign").click()
    page.get_by_role("table", name="The roster").wait_for()
    page.wait_for_timeout(1500)
    camera.take("season")
    page.get_by_role("table", name="The roster").evaluate("it => it.scrollIntoView()")
    camera.take("season-roster")


def deployment(camera: Camera) -> None:
    """Take a battle before deployment."""
    camera.begin(ruleset="command-horizon", scenario="meeting-engagement", seats=["person", "person"])
    camera.take("deployment")


TABLES = (
    ("command-horizon", "meeting-engagement"),
    ("command-horizon", "dense-terrain"),
    ("command-horizon", "breakthrough"),
    ("squad-action", "first-battle"),
    ("squad-action", "hold-the-crossroads"),
    ("squad-action", "downed-pilot-orchard"),
    ("blade-skirmish", "cut-them-down"),
    ("blade-skirmish", "the-reliquary"),
    ("blade-skirmish", "blood-price"),
    ("duel", "marsh"),
)
"""Tables at the start of a battle, with every landscape and every look of terrain."""


def tables(camera: Camera) -> None:
    """Take painted tables, and one of them from close by."""
    for ruleset, scenario in TABLES:
        camera.begin(ruleset=ruleset, scenario=scenario, seats=["person", "random"])
        curtain = camera.page.get_by_role("dialog")
        if curtain.is_visible():
            curtain.get_by_role("button").click()
        camera.take(f"table-{ruleset}-{scenario}")
    for _ in range(4):
        camera.page.keyboard.press("+")
    camera.page.wait_for_timeout(3000)
    camera.take("table-near")


def duel(camera: Camera) -> None:
    """Take a duel: its start, the menu, and its end after one side has given up."""
    camera.begin(ruleset="duel", scenario="crossroads", seats=["person", "random"])
    camera.take("duel")
    page = camera.page
    page.get_by_role("button", name="Menu").click()
    camera.take("menu")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, give the game up").click()
    page.get_by_role("link", name="Play again").wait_for()
    camera.take("over")


def hexes(camera: Camera) -> None:
    """Take a map of hexes: hand, order with highlighted sections, dice of a battle, curtain, and end."""
    camera.begin(ruleset="hex-command", scenario="crossroads", seats=["person", "person"])
    page = camera.page
    camera.take("hexes-hand")
    request, id = page.request, page.url.split("/")[-1].split("#")[0]
    value = page.evaluate("Object.values(JSON.parse(localStorage['caltrop.games'])[0].tokens)")
    seats = [{"Authorization": f"Bearer {token}"} for token in value]
    game, taken = f"{camera.address}/api/games/{id}", set()
    for _ in range(200):
        view = next(v for s in seats if (v := request.get(game, headers=s).json())["decisions"] or v["over"])
        decision = view["decisions"][0]
        offers = decision["offers"]
        if view["you"] == 0 and decision["kind"] == "OrderUnits" and view["act"] > 8 and "orders" not in taken:
            taken.add("orders")
            page.reload()
            page.locator("#question, [role=dialog] h2").first.wait_for()
            uncover(camera)
            page.keyboard.press("n")
            page.locator(".orders li button").first.click()
            camera.take("hexes-orders")
        fights = [offer for offer in offers if offer["target"] is not None]
        acts = fights or [offer for offer in offers if not offer["final"]] or offers
        ahead = [offer for offer in acts if offer["spot"] and 4 < offer["spot"][1] / view["picture"]["scale"] < 9]
        action = (ahead or acts)[0]["action"]
        answer = {"type": "answer", "decision": decision["id"], "action": action}
        request.post(f"{game}/messages", headers=seats[view["you"]], data=answer)
        if fights and "dice" not in taken:
            page.reload()
            page.locator("#question, [role=dialog] h2").first.wait_for()
            if page.get_by_role("dialog").is_visible():
                camera.take("hexes-curtain")
            uncover(camera)
            page.wait_for_timeout(2000)
            if page.get_by_role("region", name="Dice", exact=True).is_visible():
                taken.add("dice")
                camera.take("hexes-dice")
        if len(taken) == 2:
            break
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, give the game up").click()
    page.get_by_role("link", name="Play again").wait_for()
    camera.take("hexes-over")


def blades(camera: Camera) -> None:
    """Take a skirmish: deployment, zones, a turn of automated models, a charge, an attack with its odds, the end."""
    camera.begin(ruleset="blade-skirmish", scenario="cut-them-down", seats=["person"])
    page = camera.page
    camera.take("blades-deployment")
    request, id = page.request, page.url.split("/")[-1].split("#")[0]
    token = page.evaluate("Object.values(JSON.parse(localStorage['caltrop.games'])[0].tokens)[0]")
    seat = {"Authorization": f"Bearer {token}"}
    game, taken = f"{camera.address}/api/games/{id}", set()

    def sat() -> None:
        page.reload()
        page.locator("#question").first.wait_for()

    for _ in range(600):
        view = request.get(game, headers=seat).json()
        if view["over"]:
            break
        decision = view["decisions"][0]
        kind, offers = decision["kind"], decision["offers"]
        action = next((o for o in offers if o["target"] is not None), offers[0] if offers else {"action": None})[
            "action"
        ]
        if kind == "PlaceFighter":
            fighter = offers[0]["unit"]
            action = {"type": "Deploy", "fighter": fighter, "at": [900 + 850 * fighter, 600]}
        elif kind == "Move":
            action = _towards_the_closest(request, game, seat, view) or action
            if view["picture"]["stage"]["round"] == 2 and "zones" not in taken:
                taken.add("zones")
                sat()
                camera.take("blades-zones")
        elif kind in ("WhomToCharge", "ChooseAttack") and kind not in taken and view["picture"]["stage"]["round"] > 1:
            taken.add(kind)
            sat()
            page.keyboard.press("n")
            page.locator(".orders .group li button").first.click()
            page.wait_for_timeout(600)
            camera.take({"WhomToCharge": "blades-charge", "ChooseAttack": "blades-attack"}[kind])
        last = kind == "RunOn" and len(view["picture"]["groups"]) > 0 and _is_last(view)
        if last and "turn" not in taken:
            taken.add("turn")
            sat()
            # The button that ends the turn is among the answers; on a phone it is beside the confirmation.
            page.locator(".side").get_by_role("button", name=re.compile("^Stay")).first.click()
            if page.locator(".confirm").is_visible() and page.locator(".confirm").is_enabled():
                page.locator(".confirm").click()
            page.get_by_role("group", name="Acts of the other side").get_by_role("button", name="Pause").click()
            camera.take("blades-turn")
            continue
        answer = {"type": "answer", "decision": decision["id"], "action": action}
        request.post(f"{game}/messages", headers=seat, data=answer)
    page.reload()
    page.get_by_role("link", name="Play again").wait_for()
    camera.take("blades-over")


def _is_last(view: dict[str, Any]) -> bool:
    """Return whether no other fighter of the viewer's side can act after this one."""
    own = [one for one in view["picture"]["groups"] if one["side"] == view["you"] and one["pieces"]]
    return sum(any(token["kind"] == "moved" for token in one["tokens"]) for one in own) == len(own) - 1


def _towards_the_closest(request: Any, game: str, seat: dict[str, str], view: dict[str, Any]) -> Any:
    """Return a walk of a fighter towards the closest enemy, as far as possible; None if the fighter may not walk."""
    decision = view["decisions"][0]
    if not decision["regions"]:
        return None
    standing = [one for one in view["picture"]["groups"] if one["pieces"]]
    me = next(one for one in standing if one["id"] == decision["regions"][0]["unit"])
    x, y = me["pieces"][0]["at"]
    enemies = [one["pieces"][0]["at"] for one in standing if one["side"] != me["side"]]
    ex, ey = min(enemies, key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2)
    far = max(((ex - x) ** 2 + (ey - y) ** 2) ** 0.5, 1)
    for step in (1000, 800, 600, 400, 200):
        wish = {"unit": me["id"], "act": "", "to": [round(x + (ex - x) * step / far), round(y + (ey - y) * step / far)]}
        asked = {"decision": decision["id"], "wish": wish}
        proposal = request.post(f"{game}/propose", headers=seat, data=asked).json().get("proposal")
        if proposal and proposal["action"] and not proposal["refusal"]:
            return proposal["action"]
    return None


def uncover(camera: Camera) -> None:
    """Open the curtain for the acting player, if it is closed."""
    curtain = camera.page.get_by_role("dialog")
    if curtain.is_visible():
        curtain.get_by_role("button").first.click()
        curtain.wait_for(state="hidden")


def lab(camera: Camera) -> None:
    """Take the odds of one attack, and two series of battles side by side."""
    page = camera.page
    camera.open("/odds")
    page.locator("#odds[aria-busy=false] figure").wait_for()
    camera.take("odds")
    page.get_by_role("button", name="Keep this one").click()
    page.get_by_role("checkbox", name="In cover").check()
    page.get_by_text("Kept to compare: Target").wait_for()
    page.locator("#odds").evaluate("it => it.scrollIntoView()")
    camera.take("odds-compared")
    camera.open("/odds?ruleset=hex-command")
    page.locator("#odds[aria-busy=false] figure").wait_for()
    camera.take("odds-hexes")
    camera.open("/lab?ruleset=duel&players=random,random&games=200&seed=1&against.rule.parry.price=3")
    camera.take("lab")
    page.get_by_role("button", name="Play both series").click()
    page.get_by_text("200 games played").nth(1).wait_for(timeout=120_000)
    page.get_by_role("heading", name="The result").evaluate("it => it.scrollIntoView()")
    page.wait_for_timeout(300)
    camera.take("lab-played")


SCREENS: tuple[Callable[[Camera], None], ...] = (
    lobby,
    using,
    battle,
    shots,
    watched,
    squads,
    aimed,
    dice,
    shown,
    ends,
    explained,
    season,
    deployment,
    tables,
    duel,
    hexes,
    blades,
    lab,
    armies,
    drawing,
    packs,
)


def shoot(
    browser: Browser, address: str, width: int, height: int, scheme: Scheme, screens: Sequence[Callable[[Camera], None]]
) -> None:
    """Take the given screens in one size and one colour scheme."""
    for screen in screens:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=width < 500
        )
        context.add_init_script("localStorage['caltrop.confirming'] = 'always'")
        try:
            screen(Camera(context.new_page(), address, f"{width}-{scheme}"))
        finally:
            context.close()


def main() -> int:
    """Take every picture, or those of the named screens."""
    schemes = [scheme for scheme in SCHEMES if scheme in sys.argv[1:]] or list(SCHEMES)
    named = [word for word in sys.argv[1:] if not word.isdigit() and word not in SCHEMES]
    widths = [int(word) for word in sys.argv[1:] if word.isdigit()]
    screens = [screen for screen in SCREENS if not named or screen.__name__ in named]
    if not screens:
        raise SystemExit(f"there are the screens {', '.join(screen.__name__ for screen in SCREENS)}")
    OUT.mkdir(exist_ok=True)
    with serving() as address, sync_playwright() as playwright:
        browser = browser_of(playwright)
        for width, height in SIZES:
            if widths and width not in widths:
                continue
            for scheme in schemes:
                shoot(browser, address, width, height, scheme, screens)
        browser.close()
    print(f"{len(list(OUT.glob('*.png')))} pictures in {OUT.relative_to(ROOT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
