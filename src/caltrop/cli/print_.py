"""Print a game for the real table: army sheets, maps, counters, cards, templates and a reference, as PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from caltrop.agreeing import quantity
from caltrop.cli import UsageError
from caltrop.errors import InputError

if TYPE_CHECKING:
    from caltrop.engine.campaign import Overview

SUFFIX = ".caltrop-campaign.json"


def print_(
    game: str,
    /,
    *,
    output: Path,
    parts: str = "sheets,reference,map",
    edition: str | None = None,
    scenario: str | None = None,
    armies: str | None = None,
    size: int | None = None,
    rule: tuple[str, ...] = (),
    pack: str | None = None,
    paper: str = "a4",
    hex: float = 40.0,
) -> None:
    """Write a PDF of a game for the real table. Print it without scaling: bases, tiles and rulers have their true size.

    Args:
        game: A game, as `caltrop games` names them; or a campaign's file, whose roster and chronicle are printed.
        output: The PDF file.
        parts: Parts to print, with commas: sheets (every unit with its numbers), reference, map (on one page), tiles
            (the map at true scale), counters, cards, templates with a ruler.
        edition: An edition of the game.
        scenario: A scenario of the game; its first by default.
        armies: An army for each side, as X,Y.
        size: Units on each side, if the scenario leaves it open.
        rule: A house rule as NAME=VALUE; may be given several times.
        pack: The pack to use: a folder, a zip, a document, a link, or an installed one.
        paper: a4 or letter.
        hex: The width of a hex in millimetres.
    """
    import difflib

    from caltrop.cli._game import check_output, setting_of
    from caltrop.paper import PAPERS, PARTS, print_campaign, print_game

    names = [name.strip() for name in parts.split(",") if name.strip()]
    checks = [(paper, list(PAPERS), "paper"), *[(name, list(PARTS), "part") for name in names]]
    for name, valid, what in checks:
        if name not in valid:
            near = difflib.get_close_matches(name, valid, 1)
            hint = f'did you mean "{near[0]}"?' if near else f"write one of {', '.join(valid)}"
            raise UsageError(f'there is no {what} "{name}"; {hint}')
    if not 10 <= hex <= 200:
        raise UsageError(f"a hex is 10 to 200 millimetres wide; this one is {hex:g}")
    check_output(output, ".pdf")
    if game.endswith(SUFFIX):
        if any(given is not None for given in (edition, scenario, armies, size)) or rule:
            raise UsageError("a campaign's file names its own edition, scenario and armies")
        pages = print_campaign(_overview(Path(game)), output, paper=paper)
    else:
        setting = setting_of(game, edition, scenario, armies, size, rule, pack)
        pages = print_game(setting, names, output, paper=paper, hex_width=hex * 72 / 25.4)
    if not pages:
        raise InputError(f"{game} has no {' and no '.join(names)} to print")
    print(f"{quantity(pages, 'page')} in {output}")


def _overview(file: Path) -> Overview:
    from caltrop.scenarios.campaigns import read_campaign

    half, campaign = read_campaign(file)
    return half.overview(campaign)
