"""Printed pages exist for every game and have their true size."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

import caltrop
from caltrop.cli import main
from caltrop.engine import rulesets
from caltrop.journal import Setting
from caltrop.paper import PAPERS, PARTS, print_game
from caltrop.paper.parts import true_scale
from caltrop.paper.sheet import HEAD, MARGIN, Boxed, PaperSheet, paragraph, plain, table
from caltrop.rules.hex_command.catalogue import DECK
from caltrop.rules.squad_action.catalogue import TRAITS
from caltrop.scenarios.drafts import shipped_draft
from caltrop.scenarios.drafts import text_of as text_of_draft
from caltrop.scenarios.printable import game_of

MM = 72 / 25.4


def printed(tmp_path: Path, game: str, *parts: str, **how: Any) -> pypdfium2.PdfDocument:
    """Print parts of a game and open the file."""
    file = tmp_path / "printed.pdf"
    pages = print_game(Setting.chosen(game), parts, file, **how)
    document = pypdfium2.PdfDocument(file)
    assert len(document) == pages
    return document


def text_of(document: pypdfium2.PdfDocument) -> str:
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def dark(page: Any, scale: float = 2.0) -> Any:
    """Return the rows of pixels, from the top, in which a page has ink."""
    return page.render(scale=scale, grayscale=True).to_numpy() < 200


@pytest.mark.parametrize("game", rulesets())
def test_every_part_of_every_game_is_printed(game: str, tmp_path: Path) -> None:
    document = printed(tmp_path, game, *PARTS)
    text = text_of(document)
    picture = game_of(Setting.chosen(game), 113).picture
    for group in picture.groups:
        assert plain(group.name) in text.replace("\r\n", " ")
    for seat in picture.seats:
        assert seat.name in text
    assert "unofficial" in text
    for page in document:
        assert dark(page, 0.5).any(), "no page is empty"


@pytest.mark.parametrize("force", ["hollow-brood", "iron-column", "levy-of-the-plain"])
def test_a_sheet_says_what_its_traits_weapons_and_armour_are(force: str, tmp_path: Path) -> None:
    file = tmp_path / "printed.pdf"
    setting = Setting.chosen("squad-action", scenario="meeting-engagement", armies=(force, "high-wardens"))
    print_game(setting, ["sheets"], file)
    text = " ".join(text_of(pypdfium2.PdfDocument(file)).split())
    groups = game_of(setting, 113).picture.groups
    stats = [stat for group in groups for stat in group.stats]
    for traits in {stat.value for stat in stats if stat.label == "Traits"}:
        for one in TRAITS.values():
            assert one.title not in traits or one.words.split(";")[0] in text
    assert "Close quarters A fight in contact" in text
    assert "Move 6 inches on foot" in text
    assert "Rifle Effective to 16 inches; 1 shot." in text
    for armour in {stat.value for stat in stats if stat.label == "Armour"}:
        assert armour in text


@pytest.mark.parametrize("paper", PAPERS)
def test_pages_have_the_size_of_their_paper_and_keep_their_margins(paper: str, tmp_path: Path) -> None:
    for page in printed(tmp_path, "hex-command", *PARTS, paper=paper):
        assert page.get_size() == pytest.approx(PAPERS[paper], abs=0.1)
        ink = dark(page, 1.0)
        edge = round(MARGIN) - 12
        for strip in (ink[:edge], ink[-edge + 8 :], ink[:, :edge], ink[:, -edge:]):
            assert not strip.any()


def test_a_counter_is_as_large_as_its_base(tmp_path: Path) -> None:
    """All fighters of Blade Skirmish have the same size. The first counter is at the left margin."""
    game = game_of(Setting.chosen("blade-skirmish"), 113)
    piece = game.placed.groups[0].pieces[0]
    radius = piece.radius * true_scale(game)
    assert 2 * radius / MM == pytest.approx(2 * piece.radius / 10, rel=0.02), "254 units are an inch"
    page = printed(tmp_path, "blade-skirmish", "counters")[0]
    scale = 8.0
    ink = dark(page, scale)
    middle = round((page.get_height() - (page.get_height() - 2 * MARGIN - 24 - radius) - MARGIN) * scale)
    row = ink[middle]
    left = round((MARGIN - 2) * scale)
    first = left + row[left:].argmax()
    last = round((MARGIN + 2 * radius) * scale)
    assert first / scale == pytest.approx(MARGIN, abs=0.4)
    assert row[last - 6 : last + 7].any()
    assert not row[last + 8 : last + round(1.2 * MM * scale)].any(), "there is room between two counters"


def test_a_ruler_has_true_inches(tmp_path: Path) -> None:
    page = printed(tmp_path, "squad-action", "templates")[0]
    scale = 4.0
    top, low = round((MARGIN + 22) * scale), round((page.get_height() - MARGIN) * scale)
    column = dark(page, scale)[top:low, round((MARGIN + 5 * MM) * scale)]
    marks = [n for n in range(1, len(column)) if column[n] and not column[n - 1]]
    steps = [(after - before) / scale / 72 for before, after in pairwise(marks)]
    assert len(steps) >= 9
    assert steps == pytest.approx([1.0] * len(steps), abs=0.01)


def test_tiles_cover_the_table_with_an_overlap(tmp_path: Path) -> None:
    game = game_of(Setting.chosen("hex-command"), 113.4)
    whole = game.picture.width * true_scale(game), game.picture.height * true_scale(game)
    document = printed(tmp_path, "hex-command", "tiles", hex_width=113.4)
    width, height = PAPERS["a4"][0] - 2 * MARGIN, PAPERS["a4"][1] - 2 * MARGIN - 12
    assert len(document) >= (whole[0] / width) * (whole[1] / height)
    text = text_of(document)
    for cell in game.picture.cells:
        assert cell.name in text
    numbers = re.search(r"Row 1 of (\d+), column 1 of (\d+)", text)
    assert numbers is not None
    assert int(numbers[1]) * int(numbers[2]) == len(document)


@pytest.mark.parametrize("game", rulesets())
def test_a_map_in_black_and_white_names_its_ground_and_goals(game: str, tmp_path: Path) -> None:
    text = text_of(printed(tmp_path, game, "map")).replace("\r\n", " ")
    picture = game_of(Setting.chosen(game), 113.4).picture
    names = {cell.name for cell in picture.cells}
    words = {plain(ground.name) for ground in picture.grounds}
    words |= {plain(spot.words if spot.name in names else spot.name) for spot in picture.spots}
    assert [name for name in sorted(words) if name not in text] == []


@pytest.mark.parametrize("game", rulesets())
def test_letter_and_number_of_a_unit_stand_on_its_counter_its_sheet_and_the_map(game: str, tmp_path: Path) -> None:
    made = game_of(Setting.chosen(game), 113.4)
    texts = {
        part: text_of(printed(tmp_path, game, part)).replace("\r\n", " ") for part in ("sheets", "counters", "map")
    }
    standing = {group.id for group in made.picture.groups if group.pieces}
    for tag, group in made.units():
        assert f"{tag} {plain(group.name)}" in texts["sheets"]
        assert tag in texts["counters"].split()
        assert group.id not in standing or tag in texts["map"]


@pytest.mark.parametrize("game", rulesets())
def test_a_map_says_where_each_unit_begins(game: str, tmp_path: Path) -> None:
    """A unit is on the map at the start, or its side has a zone. Units that arrive later are off the table."""
    cards = caltrop.new(game).ruleset.scenarios()
    for card in cards:
        made = game_of(Setting.chosen(game, scenario=card.id), 113.4)
        there = {group.id for group in made.picture.groups if group.pieces}
        zoned = {zone.side for zone in made.zones}
        placed = [group for group in made.placed.groups if group.pieces]
        assert [group.name for group in placed if group.id not in there and group.side not in zoned] == [], card.id


def test_a_table_and_an_army_of_ones_own_are_called_by_their_titles(tmp_path: Path) -> None:
    """The title is shown, and not a path or the whole document."""
    draft = shipped_draft("squad-action", "first-battle") | {"id": "ford", "title": "The Ford"}
    army = "title: Dawn Watch\nid: dawn\nruleset: squad-action\nunits:\n  - {profile: regular, models: 5, name: One}\n"
    setting = Setting.chosen("squad-action", scenario=text_of_draft(draft), armies=(army, "first-section-north"))
    file = tmp_path / "printed.pdf"
    print_game(setting, ["sheets", "reference", "map"], file)
    words = text_of(pypdfium2.PdfDocument(file))
    assert "South: Dawn Watch" in words
    assert "The Ford" in words
    assert "regular" not in words
    assert "terrain" not in words


def test_no_heading_stands_alone_and_units_stay_whole_on_their_page(tmp_path: Path) -> None:
    def unit(number: int) -> list[Any]:
        return [Boxed(f"Unit {number}", 4), table([["Move", "Range"], ["1", "2"]]), paragraph(f"Ends {number}")]

    parts = [one for n in range(40) for one in (paragraph(f"Head {n}", HEAD), unit(n))]
    file = tmp_path / "long.pdf"
    canvas = Canvas(str(file), pagesize=PAPERS["a4"])
    PaperSheet(canvas, PAPERS["a4"], "foot").flow(parts)
    canvas.save()
    texts = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(file)]
    assert len(texts) > 1
    for number in range(40):
        (page,) = (text for text in texts if f"Unit {number}\r\n" in text)
        assert f"Ends {number}\r\n" in f"{page}\r\n"


def test_as_many_boxes_as_models_are_drawn_and_none_beyond_the_edge(tmp_path: Path) -> None:
    file = tmp_path / "boxes.pdf"
    canvas = Canvas(str(file), pagesize=PAPERS["a4"], pageCompression=0)
    PaperSheet(canvas, PAPERS["a4"], "foot").flow([Boxed("A1  Horde", 75)])
    canvas.save()
    assert len(re.findall(rb" re S", file.read_bytes())) == 75
    ink = dark(pypdfium2.PdfDocument(file)[0], 1.0)
    assert not ink[:, -round(MARGIN) + 2 :].any()


def test_the_deck_has_every_card(tmp_path: Path) -> None:
    document = printed(tmp_path, "hex-command", "cards")
    assert len(document) == -(-len(DECK) // 9)
    text = text_of(document)
    assert text.count("Scout") >= DECK.count("scout-left")


def test_only_what_is_there_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "none.pdf"
    assert main(["print", "duel", "--parts", "cards", "--output", str(output)]) == 1
    assert "duel has no cards to print" in capsys.readouterr().err
    assert not output.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["duel", "--parts", "shets"], 'there is no part "shets"; did you mean "sheets"?'),
        (["duel", "--paper", "a5"], 'there is no paper "a5"; write one of a4, letter'),
        (["duel", "--hex", "3"], "a hex is 10 to 200 millimetres wide"),
        (["x.caltrop-campaign.json", "--size", "3"], "names its own edition"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", *words, "--output", str(tmp_path / "x.pdf")]) == 2
    assert message in capsys.readouterr().err


def test_a_game_that_is_none_leaves_no_file(tmp_path: Path) -> None:
    assert main(["print", "dule", "--output", str(tmp_path / "x.pdf")]) == 1
    assert not list(tmp_path.iterdir())


def test_the_same_game_prints_the_same_file(tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        assert main(["print", "duel", "--output", str(tmp_path / name)]) == 0
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_a_campaign_is_printed_with_its_roster_and_battles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, output = tmp_path / "band.caltrop-campaign.json", tmp_path / "band.pdf"
    assert main(["campaign", "new", str(file), "--game", "blade-skirmish", "--title", "The Łódź Band"]) == 0
    assert main(["campaign", "play", str(file), "--player", "random", "--seed", "3"]) == 0
    capsys.readouterr()
    assert main(["campaign", "show", str(file), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["overview"]
    assert main(["print", str(file), "--output", str(output)]) == 0
    text = text_of(pypdfium2.PdfDocument(output)).replace("\r\n", " ")
    assert "The Łódź Band" in text
    assert "Name" in text
    assert "Notes" in text
    for member in shown["roster"]:
        assert member["name"] in text
    assert f"1. {shown['battles'][0]['title']}" in text
    assert shown["battles"][0]["tale"][0].split()[0] in text
