"""Takes a picture of every question of every game, at every size: `make questions`.

Computers play battles of each game. At each new question the battle is stored, opened in a browser as the asked side,
photographed, and measured: no part of a question may be cut or repeated. Pictures go to `pictures/questions`. Errors
are printed, and the command fails.

Arguments limit the pictures to some games (`duel`), kinds of questions (`MoveOrAim`) and widths (`390`).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page, sync_playwright

from caltrop.chance import Seeded
from caltrop.engine import Decision, ruleset
from caltrop.host.events import Said
from caltrop.host.game import HostedGame
from caltrop.host.making import new_game
from caltrop.host.seats import ServerLibrary, key_of, new_id, new_token
from caltrop.host.storage import Storage, StoredRow
from caltrop.players import playable, player
from caltrop.wire.messages import NewGame
from tests.web.serving import serving

OUT = Path(__file__).parents[1] / "pictures" / "questions"
SIZES = ((1440, 900), (1280, 720), (1024, 768), (390, 844))

BATTLES: dict[str, tuple[str, ...]] = {
    "command-horizon": ("first-battle", "meeting-engagement", "breakthrough"),
    "hex-command": ("first-battle", "godfall"),
    "blade-skirmish": ("cut-them-down", "the-reliquary"),
    "squad-action": ("first-battle", "meeting-engagement"),
    "duel": ("bridge", "crossroads"),
}

GOALS_AWAY = " ".join(f"{name}/{scenario}" for name, scenarios in BATTLES.items() for scenario in scenarios)
"""The goals of all these battles, marked as read in the format of the page."""

CUT = Path(__file__).with_name("cut.js").read_text()
"""Script of the browser that returns, in words, each part of the page that is cut off."""


class Asked(NamedTuple):
    """A question, and the game in which it is asked."""

    game: str
    ruleset: str
    name: str
    side: int
    token: str


def questions(games: Sequence[str] = (), most: int = 240) -> Iterator[tuple[Asked, list[StoredRow]]]:
    """Yield each kind of question in battles of computer players once, with the stored rows of its game.

    Args:
        games: The rulesets; all if none is given.
        most: Number of acts of each battle.
    """
    library = ServerLibrary()
    for name, scenarios in BATTLES.items():
        if games and name not in games:
            continue
        names: set[str] = set()
        for scenario in scenarios:
            yield from _battle(library, name, scenario, names, most)


def _battle(
    library: ServerLibrary, name: str, scenario: str, names: set[str], most: int
) -> Iterator[tuple[Asked, list[StoredRow]]]:
    rules = ruleset(name)
    seats = tuple("person" for _ in range(len(rules.depict(rules.setup(rules.book(None, {}), scenario), None).seats)))
    try:
        game = new_game(library, NewGame(ruleset=name, scenario=scenario, seats=seats, always_ask=True))
    except ValueError:  # in this scenario the rules play one side
        game = new_game(library, NewGame(ruleset=name, scenario=scenario, seats=("person",), always_ask=True))
    dice = game.match.dice = Seeded(7)
    who = player("regular" if "regular" in playable(name) else playable(name)[0], name)
    rows = [game.created()]
    for _ in range(most):
        if game.over is not None or not game.ids():
            return
        _, decision = game.ids()[0]
        kind = _kind(game, decision)
        if kind not in names:
            names.add(kind)
            yield _kept(game, decision, kind, rows)
        view = game.match.view(decision.side)
        rows.append(game.act(decision, who.decide(decision, view, dice)))


def _kind(game: HostedGame, decision: Decision) -> str:
    """Return the kind of a question: its name and the acts that it offers."""
    stage = game.ruleset.depict(game.match.view(decision.side), decision.side).stage
    return f"{type(decision).__name__}-{stage.now + 1}"


def _kept(game: HostedGame, decision: Decision, kind: str, rows: Sequence[StoredRow]) -> tuple[Asked, list[StoredRow]]:
    token = new_token()
    seat = StoredRow(len(rows) + 1, "seat", game.row("seat", Said(side=decision.side)).body, key_of(token))
    game.seq -= 1
    asked = Asked(new_id(), game.ruleset.name, kind, decision.side, token)
    return asked, [*rows, seat]


def is_cut(page: Page) -> list[str]:
    """Return descriptions of texts that are cut off on the page or shown twice."""
    value: list[str] = page.evaluate(CUT)
    return value


def opened(page: Page, address: str, asked: Asked) -> None:
    """Open the game of a question as the asked side."""
    page.goto(f"{address}/{asked.game}#{asked.side}={asked.token}")
    page.locator("#question").wait_for(state="attached")
    page.wait_for_timeout(350)


def main(expected: Sequence[str]) -> int:
    """Take the pictures. Return the number of faults."""
    games = [one for one in BATTLES if one in expected]
    widths = [int(one) for one in expected if one.isdecimal()]
    kinds = [one for one in expected if one not in games and not one.isdecimal()]
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.db"
        storage = Storage(f"sqlite:///{file}")
        all_asked = []
        for asked, rows in questions(games):
            if not kinds or any(kind in asked.name for kind in kinds):
                storage.append(asked.game, rows)
                all_asked.append(asked)
        storage.close()
        with serving(file) as address, sync_playwright() as play:
            browser = play.chromium.launch(executable_path=shutil.which("chromium"))
            for wide, high in SIZES:
                if widths and wide not in widths:
                    continue
                touch: dict[str, Any] = {"has_touch": True, "is_mobile": True} if wide < 600 else {}
                page = browser.new_context(
                    viewport={"width": wide, "height": high}, reduced_motion="reduce", **touch
                ).new_page()
                # The ground is not painted, because painting takes long.
                page.add_init_script("localStorage['caltrop.pace'] = 'instant'; delete globalThis.OffscreenCanvas")
                # The card that says how to win covers the table at the start. It has separate pictures.
                page.add_init_script(f"localStorage['caltrop.goals.away'] = '{GOALS_AWAY}'")
                for asked in all_asked:
                    opened(page, address, asked)
                    page.screenshot(path=OUT / f"{asked.ruleset}-{asked.name}-{wide}.png")
                    for fault in is_cut(page):
                        faults += 1
                        print(f"{asked.ruleset} {asked.name} {wide}: {fault}", flush=True)
            browser.close()
    print(f"{len(all_asked)} questions, {faults} cut", flush=True)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
