"""Draw the printable parts of a game, each on its own pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, sqrt
from typing import NamedTuple

from msgspec import UNSET
from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.units import mm

from caltrop.agreeing import quantity
from caltrop.paper.sheet import (
    BOLD,
    EDGE,
    HEAD,
    INK,
    MARGIN,
    POINTS,
    REGULAR,
    SECOND,
    SIDES,
    SMALL,
    STRONG,
    TITLE,
    Boxed,
    PaperSheet,
    paragraph,
    plain,
    table,
)
from caltrop.picture import Card, Group, Picture, Piece
from caltrop.scenarios.printable import PaperGame

_GROUND: dict[str, Color] = {
    "woods": HexColor("#c9d2a8"),
    "hill": HexColor("#ecdcb2"),
    "rough": HexColor("#e6decb"),
    "built-up": HexColor("#ddd0bb"),
    "ruins": HexColor("#ddd0bb"),
    "building": HexColor("#cbbfa9"),
    "block": HexColor("#bdb3a1"),
    "bunker": HexColor("#bdb3a1"),
    "water": HexColor("#bcd5e0"),
    "ford": HexColor("#d3e4ea"),
    "road": HexColor("#f1e8cd"),
    "mud": HexColor("#d8c7a6"),
    "rubble": HexColor("#e0d6c4"),
    "citadel": HexColor("#c9bdab"),
}
"""Pale colours of kinds of ground, on which pencil shows; other kinds are white with an outline."""

OVERLAP = 8 * mm
"""Overlap of neighbouring tiles of a map."""

CARD = (63.0 * mm, 88.0 * mm)
"""Width and height of a card, in points; card sleeves fit it."""

GAP = 2 * mm

STATS = 8
"""Largest number of a unit's statistics in one row; more are divided evenly over several rows."""


# --- sheets ----------------------------------------------------------------------------------------------------------


def sheets(game: PaperGame, sheet: PaperSheet) -> None:
    """Print the armies: every unit with its statistics, and a box for each model to cross out."""
    for seat in game.picture.seats:
        own = [(tag, group) for tag, group in game.units() if group.side == seat.side]
        if not own:
            continue
        parts: list[object] = [paragraph(game.called(seat.side), TITLE)]
        parts.append(paragraph(f"{game.title}: {game.scenario}. {quantity(len(own), 'unit')}.", SMALL))
        parts += [_unit(tag, group) for tag, group in own]
        terms = game.terms[seat.side] if game.terms else ()
        rows = [[term, words[:1].upper() + words[1:]] for term, words in terms]
        if rows:
            parts += [paragraph("What the words mean", HEAD), table([["word", "meaning"], *rows], (110, None))]
        sheet.flow(parts)


def _unit(tag: str, group: Group) -> list[object]:
    boxes, stats = _models(group), group.stats
    lines: list[object] = [Boxed(f"{tag}  {group.name}", boxes)]
    wide = ceil(len(stats) / ceil(len(stats) / STATS)) if stats else 1
    for begin in range(0, len(stats), wide):
        some = stats[begin : begin + wide]
        beyond = [""] * (wide - len(some))
        labels = [stat.label if stat.words is UNSET else stat.words for stat in some]
        lines.append(table([labels + beyond, [stat.value for stat in some] + beyond]))
    for token in group.tokens:
        if token.words:
            lines.append(paragraph(token.words, SMALL))
    return lines


def _models(group: Group) -> int:
    """Return how many models or points of strength a unit begins with."""
    most = group.strength.rpartition("/")[2]
    return int(most) if most.isdigit() else max(len(group.pieces), 1)


# --- map and tiles ---------------------------------------------------------------------------------------------------


def true_scale(game: PaperGame) -> float:
    """Return the length of one table unit at true scale, in points."""
    p = game.picture
    return game.hex_width / p.scale if p.form == "hexes" else POINTS[p.measure] / p.scale


def one_page_map(game: PaperGame, sheet: PaperSheet) -> None:
    """Print the whole table on one page, as large as fits, with a scale beside it."""
    p = game.picture
    with sheet.page(f"{game.title}: {game.scenario}") as free:
        factor = min(sheet.width / p.width, (free - 16) / p.height)
        left, low = MARGIN + (sheet.width - p.width * factor) / 2, MARGIN + free - p.height * factor
        _table_at(game, sheet, left, low, factor)
        _units_at(game, sheet, left, low, factor)
        count = 5 if p.form != "hexes" else 1
        length = count * p.scale * factor
        c = sheet.canvas
        c.setStrokeColor(INK)
        c.setLineWidth(1)
        c.line(left, low - 8, left + length, low - 8)
        c.setFont(REGULAR, 7)
        c.setFillColor(INK)
        c.drawString(left + length + 4, low - 10, plain(f"{count} {p.measure}" if count > 1 else "1 hex"))


def tiles(game: PaperGame, sheet: PaperSheet) -> None:
    """Print the table at true scale on several overlapping pages; each names its place."""
    p, factor = game.picture, true_scale(game)
    across, high = sheet.width - OVERLAP, sheet.height - OVERLAP - 12
    columns = max(ceil((p.width * factor - OVERLAP) / across), 1)
    rows = max(ceil((p.height * factor - OVERLAP) / high), 1)
    for row in range(rows):
        for column in range(columns):
            with sheet.page():
                c = sheet.canvas
                c.setFont(REGULAR, 8)
                c.setFillColor(SECOND)
                place = (
                    f"Row {row + 1} of {max(rows, 1)}, column {column + 1} of {max(columns, 1)}, from the lower left"
                )
                c.drawString(MARGIN, MARGIN + sheet.height - 8, place)
                c.saveState()
                area = c.beginPath()
                area.rect(MARGIN, MARGIN, sheet.width, sheet.height - 12)
                c.clipPath(area, stroke=0)
                _table_at(game, sheet, MARGIN - column * across, MARGIN - row * high, factor)
                c.restoreState()
                c.setStrokeColor(EDGE)
                c.setLineWidth(0.3)
                c.rect(MARGIN, MARGIN, sheet.width, sheet.height - 12)


def _table_at(game: PaperGame, sheet: PaperSheet, left: float, low: float, factor: float) -> None:
    p, c = game.picture, sheet.canvas

    def outline(points: Sequence[tuple[int, int]], fill: Color | None) -> None:
        path = c.beginPath()
        for n, (x, y) in enumerate(points):
            (path.moveTo if n == 0 else path.lineTo)(left + x * factor, low + y * factor)
        path.close()
        if fill is not None:
            c.setFillColor(fill)
        c.drawPath(path, fill=int(fill is not None))

    c.setStrokeColor(INK)
    c.setLineWidth(0.8)
    if p.form != "hexes":
        c.rect(left, low, p.width * factor, p.height * factor)
    c.setLineWidth(0.5)
    for ground in p.grounds:
        outline(ground.outline, _GROUND.get(ground.kind, white))
    c.setStrokeColor(EDGE)
    c.setLineWidth(0.4)
    for cell in p.cells:
        x, y = cell.at
        outline(_hexagon(p, x, y), None)
        c.setFont(REGULAR, max(min(p.scale * factor * 0.13, 8.0), 3.0))
        c.setFillColor(SECOND)
        c.drawCentredString(left + x * factor, low + (y + p.scale * 0.36) * factor, cell.name)
    c.setDash(3, 2)
    for zone in game.zones:
        c.setStrokeColor(SIDES[zone.side] if zone.side is not None else SECOND)
        outline(zone.outline, None)
    c.setDash()
    # Greys look alike on paper, so every piece of ground has its name. In a hex the name is below the middle, where a
    # unit stands.
    for ground in p.grounds:
        (middle, wide), (centre, high) = (_middle([place[n] * factor for place in ground.outline]) for n in (0, 1))
        if p.form == "hexes":
            c.setFont(REGULAR, max(min(p.scale * factor * 0.13, 8.0), 3.0))
            c.setFillColor(SECOND)
            c.drawCentredString(left + middle, low + centre - p.scale * factor * 0.4, plain(ground.name))
        else:
            # The name of a thin wall is above the wall.
            lifted = high / 2 + 4 if high < 8 else 0
            sheet.label(left + middle, low + centre + lifted, ground.name, min(wide * 0.8, 90), SECOND)
    names = {cell.name for cell in p.cells}
    for spot in p.spots:
        across, up = left + spot.at[0] * factor, low + spot.at[1] * factor
        radius = max(spot.radius * factor, 3)
        c.setStrokeColor(INK)
        c.circle(across, up, radius, fill=0)
        # If a mark has no room for its word, the word is above it. A hex has its name already.
        small = radius < 10 or sheet.canvas.stringWidth(plain(spot.name), STRONG, 7) > 2 * radius
        words = spot.words if spot.name in names else spot.name
        room = p.scale * factor * 0.85 if p.form == "hexes" else 70
        sheet.label(across, up + (radius + 7 if small else 0), words, min(room, 70))


def _units_at(game: PaperGame, sheet: PaperSheet, left: float, low: float, factor: float) -> None:
    """Draw the units that are on the table from the beginning, each with its letter and number."""
    c, there = sheet.canvas, {group.id: group for group in game.picture.groups if group.pieces}
    for tag, placed in game.units():
        group = there.get(placed.id)
        if group is None:
            continue
        colour = SIDES[group.side % 2]
        c.setStrokeColor(colour)
        c.setLineWidth(0.6)
        places = list[tuple[float, float, float]]()
        for piece in group.pieces:
            x, y = left + piece.at[0] * factor, low + piece.at[1] * factor
            radius = max((piece.radius if piece.hull is UNSET else piece.hull[1]) * factor, 1.2)
            c.circle(x, y, radius, fill=0)
            places.append((x, y, radius))
        if len(places) == 1 and places[0][2] >= 7:
            sheet.label(places[0][0], places[0][1], tag, places[0][2] * 1.1, colour)
        else:
            x = sum(place[0] for place in places) / len(places)
            sheet.label(x, max(y + radius for _, y, radius in places) + 4, tag, 11, colour)


def _middle(places: Sequence[float]) -> tuple[float, float]:
    return sum(places) / len(places), max(places) - min(places)


def _hexagon(p: Picture, x: int, y: int) -> list[tuple[int, int]]:
    if p.corners:
        return [(x + dx, y + dy) for dx, dy in p.corners]
    half, side = p.scale // 2, round(p.scale / sqrt(3))
    around = ((0, side), (half, side // 2), (half, -side // 2), (0, -side), (-half, -side // 2), (-half, side // 2))
    return [(x + dx, y + dy) for dx, dy in around]


# --- counters --------------------------------------------------------------------------------------------------------


class _Counter(NamedTuple):
    side: int
    text: str
    name: str
    wide: float
    """Half the width of the shape, in points."""
    high: float
    round: bool


def counters(game: PaperGame, sheet: PaperSheet) -> None:
    """Print a counter of true size for every model, sorted by size, with the letter of its unit."""
    factor, made = true_scale(game), list[_Counter]()
    for tag, group in game.units():
        for piece in _pieces(group):
            hull = piece.hull
            wide, high = (piece.radius, piece.radius) if hull is UNSET else (hull[0], hull[1])
            made.append(_Counter(group.side, tag, group.name, wide * factor, high * factor, hull is UNSET))
    made.sort(key=lambda one: (-one.high, -one.wide, one.side, one.text))
    rows = list(_rows(made, sheet.width))
    while rows:
        with sheet.page(f"{game.title}: counters") as free:
            y, low = MARGIN + free, MARGIN
            while rows and y - 2 * rows[0][0].high - GAP >= low:
                row = rows.pop(0)
                x, middle = MARGIN, y - row[0].high
                for one in row:
                    x += one.wide
                    _draw_counter(sheet, one, x, middle)
                    x += one.wide + GAP
                y -= 2 * row[0].high + GAP
            if y == MARGIN + free:  # The counter is larger than the page.
                rows.pop(0)


def _rows(made: Sequence[_Counter], width: float) -> Iterator[list[_Counter]]:
    row, used = list[_Counter](), 0.0
    for one in made:
        if row and used + 2 * one.wide > width:
            yield row
            row, used = [], 0.0
        row.append(one)
        used += 2 * one.wide + GAP
    if row:
        yield row


def _pieces(group: Group) -> Sequence[Piece]:
    """Return the models of a unit. For a unit off the table, copies of its sample model are returned."""
    if group.pieces:
        return group.pieces
    return [] if group.model is UNSET else [group.model] * _models(group)


def _draw_counter(sheet: PaperSheet, one: _Counter, x: float, y: float) -> None:
    if one.round:
        sheet.disc(x, y, one.wide, one.side, one.text)
        return
    c = sheet.canvas
    c.setStrokeColor(INK)
    c.setLineWidth(0.5)
    c.setFillColor(white)
    c.rect(x - one.wide, y - one.high, 2 * one.wide, 2 * one.high, fill=1)
    c.setStrokeColor(SIDES[one.side % 2])
    c.line(x + one.wide * 0.6, y + one.high * 0.6, x + one.wide * 0.9, y)
    c.line(x + one.wide * 0.6, y - one.high * 0.6, x + one.wide * 0.9, y)
    sheet.label(x, y, one.text, one.wide, SIDES[one.side % 2])


# --- cards, templates, reference -------------------------------------------------------------------------------------


def cards(game: PaperGame, sheet: PaperSheet) -> None:
    """Print every card of the game's deck, with all its copies."""
    wide, high = CARD
    across, down = int(sheet.width // wide), int(sheet.height // high)
    todo = [card for card, count in game.deck for _ in range(count)]
    for begin in range(0, len(todo), across * down):
        with sheet.page():
            for n, card in enumerate(todo[begin : begin + across * down]):
                row, column = divmod(n, across)
                _draw_card(sheet, card, MARGIN + column * wide, MARGIN + sheet.height - (row + 1) * high)


def _draw_card(sheet: PaperSheet, card: Card, x: float, y: float) -> None:
    c, (wide, high) = sheet.canvas, CARD
    c.setStrokeColor(EDGE)
    c.setLineWidth(0.4)
    c.roundRect(x, y, wide, high, 3 * mm)
    inner = wide - 10 * mm
    head, words = paragraph(card.title, BOLD), paragraph(card.words)
    _, head_height = head.wrap(inner, high)
    head.drawOn(c, x + 5 * mm, y + high - 6 * mm - head_height)
    if card.area:
        third, band = inner / 3, y + high - 12 * mm - head_height
        lit = {"left": (0,), "centre": (1,), "right": (2,), "both": (0, 2), "all": (0, 1, 2)}.get(card.area, ())
        for n in range(3):
            c.setFillColor(HexColor("#ffcf5a") if n in lit else white)
            c.rect(x + 5 * mm + n * third, band, third, 3.5 * mm, fill=1)
    _, words_height = words.wrap(inner, high)
    words.drawOn(c, x + 5 * mm, y + high - 18 * mm - head_height - words_height)
    c.setFont(REGULAR, 6)
    c.setFillColor(SECOND)
    c.drawString(x + 5 * mm, y + 4 * mm, ", ".join(card.clauses))


def templates(game: PaperGame, sheet: PaperSheet) -> None:
    """Print a ruler of true length, and the round templates that the game lays on the table."""
    p, factor = game.picture, true_scale(game)
    with sheet.page(f"{game.title}: ruler") as free:
        c = sheet.canvas
        step = p.scale * factor
        count = int(sheet.height // step)
        c.setStrokeColor(INK)
        c.setLineWidth(0.6)
        low = MARGIN + free - count * step if count * step <= free else MARGIN
        count = min(count, int(free // step))
        for n in range(count + 1):
            y = low + n * step
            c.line(MARGIN, y, MARGIN + (9 if n % 5 else 14) * mm, y)
            c.setFont(REGULAR, 8)
            c.setFillColor(INK)
            c.drawString(MARGIN + 15 * mm, y - 3, str(n))
        c.line(MARGIN, low, MARGIN, low + count * step)
        word = "hexes" if p.form == "hexes" else {"in": "inches", "cm": "centimetres"}.get(p.measure, p.measure)
        c.drawString(MARGIN + 25 * mm, low + count * step - 8, f"{count} {word}, at true length")
    for words, radius in game.templates:
        _round_template(sheet, words, radius * factor)


def _round_template(sheet: PaperSheet, words: str, radius: float) -> None:
    """Draw a circle. If it is larger than the page, draw a quarter of it, in as many pieces as needed."""
    c = sheet.canvas
    free = sheet.height - 24
    whole = 2 * radius <= min(sheet.width, free)
    columns, rows = (1, 1) if whole else (ceil(radius / sheet.width), ceil(radius / free))
    for piece in range(columns * rows):
        row, column = divmod(piece, columns)
        which = f", piece {piece + 1} of {columns * rows}" if columns * rows > 1 else ""
        with sheet.page(words if whole else f"{words}: a quarter{which}; print it four times"):
            x = MARGIN + (sheet.width / 2 if whole else -column * sheet.width)
            y = MARGIN + (free - radius if whole else -row * free)
            c.saveState()
            area = c.beginPath()
            area.rect(MARGIN, MARGIN, sheet.width, free)
            c.clipPath(area, stroke=0)
            c.setStrokeColor(INK)
            c.setLineWidth(0.8)
            c.circle(x, y, radius, fill=0)
            c.line(x - 3 * mm, y, x + 3 * mm, y)
            c.line(x, y - 3 * mm, x, y + 3 * mm)
            if not whole:
                c.line(x, y, x + radius, y)
                c.line(x, y, x, y + radius)
            c.restoreState()


def reference(game: PaperGame, sheet: PaperSheet) -> None:
    """Print a quick reference: the steps of the turn, key rules, ways to win, terrain and all units."""
    p, parts = game.picture, list[object]()
    parts.append(paragraph(game.title, TITLE))
    if game.summary is not None:
        parts += [paragraph(game.summary.words), paragraph("The turn", HEAD)]
        parts.append(
            table([["step", "what happens"], *[[step.name, step.words] for step in game.summary.turn]], (110, None))
        )
        parts.append(paragraph("Rules that matter", HEAD))
        for rule in game.summary.rules:
            parts += [paragraph(rule.title, BOLD), paragraph(rule.words), paragraph(", ".join(rule.clauses), SMALL)]
    if p.goal is not UNSET:
        parts += [paragraph(f"How {game.scenario} is won", HEAD), *[paragraph(words) for words in p.goal.words]]
        if p.goal.prizes:
            parts.append(table([["for", "worth"], *[[prize.name, prize.worth] for prize in p.goal.prizes]]))
    grounds = sorted({(ground.kind, ground.words) for ground in p.grounds if ground.words})
    if grounds:
        rows = [[kind.replace("-", " ").capitalize(), words.partition(": ")[2] or words] for kind, words in grounds]
        parts += [paragraph("Terrain", HEAD), table([["ground", "what it does"], *rows], (90, None))]
    for seat in p.seats:
        by_labels: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for group in p.groups:
            if group.side == seat.side and group.stats:
                row = (group.name, *[stat.value for stat in group.stats])
                by_labels.setdefault(tuple(stat.label for stat in group.stats), []).append(row)
        if by_labels:
            parts.append(paragraph(game.called(seat.side), HEAD))
        parts += [table([["unit", *names], *dict.fromkeys(rows)]) for names, rows in by_labels.items()]
    sheet.flow(parts)


Part = Callable[[PaperGame, PaperSheet], None]

PARTS: dict[str, Part] = {
    "sheets": sheets,
    "reference": reference,
    "map": one_page_map,
    "tiles": tiles,
    "counters": counters,
    "cards": cards,
    "templates": templates,
}
"""The printable parts of a game, in the order in which they are printed."""
