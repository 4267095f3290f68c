"""Make the text of the sheets over the table: details of units and ground, cards, the last dice, and the meaning of the
letters.
"""

from __future__ import annotations

from collections.abc import Sequence

from caltrop.agreeing import quantity
from caltrop.picture import Card, Group, Picture
from caltrop.terminal import hexes, words
from caltrop.terminal.board import CLOUDS, inside, letter_of, letters_on, textures
from caltrop.terminal.desk import Desk
from caltrop.terminal.pane import PaneLine
from caltrop.wire import View


def inspected(desk: Desk) -> list[PaneLine]:
    lines: list[PaneLine] = []
    if desk.is_hexes:
        zones = [z.name for z in desk.picture.zones if hexes.in_zone(z, desk.cursor)]
        lines.append(PaneLine(", ".join([words.place(desk.cursor, desk.picture), *zones]), "bold"))
    groups = desk.units_here()
    selected = desk.group(desk.selected)
    if not groups and selected is not None:
        groups = [selected]
    for group in groups:
        lines += _about(group, desk.picture)
    for ground in desk.picture.grounds:
        if inside(ground.outline, *desk.cursor):
            lines.append(PaneLine(f"{ground.name}: {ground.words}" if ground.words else ground.name))
    lines += [PaneLine(f"{spot.name}: {spot.words}") for spot in desk.spots_here()]
    if not desk.is_hexes:
        lines += [PaneLine(zone.name) for zone in desk.picture.zones if inside(zone.outline, *desk.cursor)]
    lines += [PaneLine(line.words) for line in desk.picture.lines if line.words]
    return lines or [PaneLine("Open ground.")]


def _about(group: Group, picture: Picture) -> list[PaneLine]:
    seat = next((s for s in picture.seats if s.side == group.side), None)
    lines = [PaneLine(words.unit(group, picture), "bold")]
    lines.append(PaneLine(f"{group.kind}, {seat.name if seat else ''} ({seat.letter if seat else ''})"))
    lines += [PaneLine(text) for stat in group.stats for text in words.stat(stat)]
    lines += [PaneLine(words.meaning(t)) for t in group.tokens]
    for piece in group.pieces:
        held = ", ".join(words.meaning(t) for t in piece.tokens)
        if held or picture.form != "hexes":
            lines.append(PaneLine(f"Model at {words.place(piece.at, picture)}" + f"; {held}" * bool(held)))
    return lines


def cards(picture: Picture, others: Sequence[tuple[str, Sequence[Card]]] = ()) -> list[PaneLine]:
    """Return the viewer's cards with their texts, the number of the other sides' cards, and the last played cards.

    Args:
        others: Revealed hands of other sides, with the names of the sides.
    """
    lines: list[PaneLine] = []
    for title, hand in (("Your hand", picture.hand), *((f"The hand of {name}", hand) for name, hand in others)):
        if hand:
            lines.append(PaneLine(title, "underline"))
        for card in hand:
            clauses = f" [{', '.join(card.clauses)}]" if card.clauses else ""
            lines += [PaneLine(words.card(card), "bold", "  "), PaneLine(f"{card.words}{clauses}", "", "    ")]
    for seat in picture.seats:
        if seat.cards is None:
            continue
        lines.append(PaneLine(f"{seat.name}: {quantity(seat.cards, 'card')}", "underline"))
        if seat.played is not None:
            lines.append(PaneLine(f"played last: {words.card(seat.played)}", "", "  "))
            lines.append(PaneLine(seat.played.words, "", "    "))
    return lines or [PaneLine("There are no cards in this game.")]


def goal(picture: Picture) -> list[PaneLine]:
    """Return the ways to win, the score, the prizes with their holders, and the side that would win now."""
    won = picture.goal
    if not won:
        return [PaneLine("This battle has no goal.")]
    letters: dict[int | None, str] = {None: " ", **{seat.side: seat.letter for seat in picture.seats}}
    lines = [PaneLine(text) for text in won.words]
    for seat in picture.seats:
        for stat in seat.points:
            if isinstance(stat.goal, int):
                needed = f" of the {stat.goal} that win" if stat.goal and "/" not in stat.value else ""
                lines.append(PaneLine(f"{seat.name}: {stat.words or stat.label} {stat.value}{needed}", "bold"))
    for prize in won.prizes:
        lines.append(PaneLine(f"{letters[prize.side]} {prize.name}: {prize.worth}", "", "  "))
    return [*lines, PaneLine(won.now, "bold")] if won.now else lines


def dice(view: View) -> list[PaneLine]:
    faces = view.picture.faces
    for entry in reversed(words.in_force(view.log)):
        if entry.reading is not None:
            return [PaneLine(entry.text, "bold"), *(PaneLine(text) for text in words.reading(entry.reading, faces))]
        if entry.dice:
            return [PaneLine(entry.text, "bold"), *(PaneLine(words.thrown(roll, faces)) for roll in entry.dice)]
    return [PaneLine("No dice have been thrown yet.")]


def legend(picture: Picture) -> list[str]:
    lines = _unit_letters(picture)
    for kind, texture in textures(picture.grounds).items():
        ground = next(g for g in picture.grounds if g.kind == kind)
        named = kind.replace("-", " ").capitalize()
        text = ground.words if ground.words.startswith(named) else f"{named}: {ground.words}".removesuffix(": ")
        lines.append(f"{texture} {text}")
    lines += [f"{CLOUDS[kind]} {kind}" for kind in dict.fromkeys(s.kind for s in picture.spots) if kind in CLOUDS]
    if any(spot.kind not in CLOUDS for spot in picture.spots):
        lines.append("{*} a marked place; a letter in it: who holds it")
    if any(picture.form != "hexes" or zone.side is not None for zone in picture.zones):
        lines.append(". and ' a marked area")
    return list(dict.fromkeys(lines))


def _unit_letters(picture: Picture) -> list[str]:
    letters = letters_on(picture)
    each = len({letter_of(group, "", letters) for group in picture.groups}) == len(picture.groups)
    whose = [
        (group, f"{group.name if each else group.kind} of {picture.seats[group.side].name}") for group in picture.groups
    ]
    if picture.form != "hexes":
        return [f"{letter_of(group, '', letters)} {text}" for group, text in whose]
    parts = [f"{hexes.shape(picture, group.side)}{hexes.code(group, picture)} {text}" for group, text in whose]
    signs = " ".join(hexes.shape(picture, seat.side, True) for seat in picture.seats)
    parts.append(f"{signs} a unit with a leader; the number after the letters is what is left of a unit")
    parts.append("on a hex that is one row high the second letter is left out, and * is a marked place")
    for group in picture.groups:
        # A unit that another unit carries is not drawn in its hex.
        if group.pieces and hexes.standing(picture, group.pieces[0].at)[0] is group:
            parts += [f"{token.kind[:1].lower()} under a unit: {token.kind}" for token in hexes.tokens_drawn(group)]
    parts += ["+ a hex that is offered", "° a unit that has something to choose"]
    if any(zone.lit for zone in picture.zones):
        parts.append("• open ground in the section that is meant")
    return parts
