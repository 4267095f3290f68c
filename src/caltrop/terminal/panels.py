"""Make the text of the panels around the table from the desk: top line, choices, units, log, message and keys."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len

from caltrop.agreeing import quantity
from caltrop.asking import Region
from caltrop.engine import ruleset
from caltrop.picture import Seat
from caltrop.terminal import hexes, words
from caltrop.terminal.board import COLOURS, distance, inside, letters_on, number
from caltrop.terminal.desk import Desk
from caltrop.terminal.pane import PaneLine, rows_of
from caltrop.terminal.pointing import FACINGS, SHAPES
from caltrop.terminal.words import ChoiceLine
from caltrop.wire import DiceWanted, LogEntry, TalkLine

_CHOOSING_KEYS = (
    "Tab, 1-9 choose",
    "Enter take",
    "e end step",
    "n unit",
    "^Z undo",
    "^Y redo",
    "i inspect",
    "o log",
    "u units",
    "q leave",
    "m measure",
    "l sight",
    "g go to",
    "d dice",
    "c cards",
    "+ - 0 zoom",
)
_HEX_KEYS = (
    "arrows, Tab, 1-9",
    "Enter take",
    "e end step",
    "n unit",
    "^Z undo",
    "^Y redo",
    "i inspect",
    "c cards",
    "l sight",
    "m measure",
    "o log",
    "g go to",
    "d dice",
    "u units",
    "q leave",
    "+ - 0 zoom",
)
_POINTING_KEYS = (
    "Enter propose, do",
    "Esc back",
    "arrows, 45,30",
    "w waypoint",
    "a nearest",
    "s shape",
    "f facing",
    "m measure",
    "+ - 0 zoom",
)
"""Reminders of keys at the bottom, shown as far as there is room."""
_LOGGED = 30
"""Number of log lines that can be shown below the table."""

_TALKED = 2
"""Number of chat lines that can be shown below the table."""


# At the top.


def top(desk: Desk, width: int, translate: Callable[[str], str]) -> list[PaneLine]:
    """Return the top lines, in the language of the person."""
    stage, title = desk.picture.stage, translate(ruleset(desk.view.ruleset).title)
    rounds = f"Round {stage.round} of {stage.rounds}" if stage.rounds else f"Round {stage.round}"
    if stage.round == 0:
        rounds = "Before the first round"
    rounds, step = translate(rounds), ""
    steps = [translate(name) for name in stage.steps]
    if 0 <= stage.now < len(stage.steps):
        present = steps[stage.now].upper()
        before = " › ".join([*steps[: stage.now], f"[{present}]", *steps[stage.now + 1 :]])
        short = f"{translate(f'step {stage.now + 1} of {len(steps)}')}: {present}"
        step = before if len(f"{title}   {rounds}   {before}") <= width else short
    # Parts that do not fit are left out, beginning with the least important.
    seats = ""
    for much in (4, 3, 2, 1, 0):
        seats = "   ".join(translate(_seat(desk, seat, much)) for seat in desk.picture.seats)
        if cell_len(seats) <= width:
            break
    return [PaneLine(step, "", f"{title}   {rounds}   ", "bold", own=True), PaneLine(seats, own=True)]


def _seat(desk: Desk, seat: Seat, much: int) -> str:
    """Return a side in words; *much* sets the length. 4 has everything, 3 leaves out the played card, 2 the other
    players' names, 1 the own side's name, and 0 all names.
    """
    if desk.is_hexes:
        sign = f"{hexes.shape(desk.picture, seat.side)}{seat.letter}"
    else:
        left, right = "()" if seat.shape == "circle" else "<>"
        sign = f"{left}{seat.letter}{right}"
    own = desk.sitting.sides == (seat.side,)
    player = "you" if own else _player(desk, seat.side)
    points = [f"{p.label} {p.value}" for p in seat.points]
    if seat.cards is not None:
        points.append(quantity(seat.cards, "card"))
    if much > 3 and seat.played is not None:
        points.append(f"played {words.card(seat.played)}")
    time = desk.time_left(seat.side)
    if time is not None:
        points.append(words.time(time))
    turn = "▶" if seat.side in desk.view.waiting_for else " "
    names = [seat.name] * (much > 1 or (much == 1 and not own)) + [player] * (much > 2 or (much > 0 and own))
    return f"{turn}{sign}{' ' * bool(names)}{', '.join(names)}: {', '.join(points)}"


def _player(desk: Desk, side: int) -> str:
    seat = next((s for s in desk.view.seats if s.side == side), None)
    if seat is None:
        return ""
    return (seat.called or seat.player) + (", awaited" if seat.awaited else "")


# Panels at the side: each function returns the lines, and the number of the one that must stay visible.


def choices(desk: Desk, width: int) -> tuple[list[PaneLine], int]:
    dice, decision = desk.dice_wanted(), desk.decision
    if desk.view.over is not None:
        return _over(desk), 0
    if dice is not None:
        return _throwing(desk, dice), 0
    if decision is None:
        return _waiting(desk), 0
    lines = [PaneLine(decision.prompt, "bold")]
    if desk.pointing is not None:
        return [*lines, *_pointing(desk, desk.pointing)], 0
    if decision.hint and decision.kind not in desk.kinds_met:
        lines.append(PaneLine(decision.hint, "dim"))
    ready = words.ready(desk.every)
    group = desk.group(desk.selected)
    if desk.selected in ready and group is not None:
        count = f" (unit {ready.index(desk.selected) + 1} of {len(ready)}, n next, Esc all)"
        text = words.unit(group, desk.picture) + (count if len(ready) > 1 else "")
        lines.append(PaneLine(text, COLOURS[group.side % 4]))
    if desk.begun is not None:
        lines.append(PaneLine(f"{desk.begun.words} what follows? (Esc back)", "bold"))
    return _listed(desk, lines, width)


def _listed(desk: Desk, lines: list[PaneLine], width: int) -> tuple[list[PaneLine], int]:
    keep, heading = 0, ""
    one_end = sum(choice.final for choice in desk.every) == 1
    for i, choice in enumerate(desk.listed):
        title = choice.group
        if choice.final and heading != "End":
            title = title or "End"
        if title != heading and title:
            lines.append(PaneLine(title, "underline"))
        heading = title
        here = i == desk.at
        text = _choice(desk, choice, title)
        if here:
            keep = len(lines)
            text = "\n".join([text, *_details(desk, choice)])
        else:
            cost = choice.offer.price if choice.offer else ()
            if cost:
                text += f" ({sum(term.value for term in cost)})"
            card = desk.card_of(choice.offer)
            if card is not None and width >= 36:
                text += f"\n{card.words}"
        key = " e" if choice.final and one_end else ""
        lines.append(PaneLine(text, "bold" if here else "", f"{'▶' if here else ' '}{i + 1:>2}{key} "))
    return lines, keep


def _choice(desk: Desk, choice: ChoiceLine, title: str) -> str:
    """Return a choice in words, without the words of its heading; its unit is named if nothing else names it."""
    rest = choice.words.removeprefix(f"{choice.group} ")
    if rest != choice.words:
        return rest
    named = desk.group(choice.unit)
    if named is not None and desk.selected is None and named.in_words not in choice.words and title != named.in_words:
        return f"{named.in_words}: {choice.words}"
    return choice.words


def _over(desk: Desk) -> list[PaneLine]:
    over = desk.view.over
    if over is None:
        return []
    winner = next((s.name for s in desk.view.seats if s.side == over.winner), None)
    secret = "Shift+S: show everything that was hidden. Until then Ctrl+Z asks to take the last act back."
    return [
        PaneLine("The game is over", "bold underline"),
        PaneLine(f"{winner} wins" if winner else "A draw", "bold"),
        PaneLine(over.reason),
        *([PaneLine(secret)] if desk.view.kept_back else []),
        PaneLine(""),
        PaneLine("   ".join(["Enter twice: another game", "o: the log", "q: leave"])),
    ]


def _waiting(desk: Desk) -> list[PaneLine]:
    thinking = desk.sitting.thinking()
    text = f"The computer ({thinking}) plays …" if thinking else "Waiting for the other side's answer."
    if desk.sitting.stalled:
        text = f"The computer ({thinking}) has stopped. Enter: have it go on"
    return [PaneLine(text, "bold"), PaneLine(desk.picture.stage.words)]


def _throwing(desk: Desk, dice: DiceWanted) -> list[PaneLine]:
    clauses = f" [{', '.join(dice.clauses)}]" if dice.clauses else ""
    lines = [PaneLine(f"Throw {quantity(dice.count, 'die')} with {dice.sides} sides", "bold")]
    if dice.words:
        lines.append(PaneLine(f"{dice.words}{clauses}"))
    if len(desk.picture.faces) == dice.sides:
        lines.append(PaneLine(f"Type the letters as they fell, and Enter: {words.symbols(desk.picture.faces)}."))
    else:
        lines.append(PaneLine("Type the numbers as they fell, and Enter."))
    return lines


def _details(desk: Desk, choice: ChoiceLine) -> list[str]:
    """Return the details of the highlighted choice: its card, its price, its odds, and the effect of Enter."""
    card = desk.card_of(choice.offer)
    lines = [f"{card.words}" + (f" ({', '.join(card.clauses)})" if card.clauses else "")] if card else []
    if choice.more:
        return [*lines, *desk.odds, "Enter: say what follows"]
    if choice.region is not None:
        bands = words.reach(choice.region, desk.picture)
        return [*lines, f"Price {bands}" if bands else "A place on the table", "Enter: point at the table"]
    if choice.offer is not None and choice.offer.price:
        lines.append(words.price(choice.offer.price))
    return [*lines, *desk.odds, "Enter: do it"]


def _pointing(desk: Desk, region: Region) -> list[PaneLine]:
    lines = [PaneLine(f"▶ {region.words}", "bold")]
    bands = words.reach(region, desk.picture)
    if bands:
        lines.append(PaneLine(f"Price {bands}"))
    if region.form != "spot":
        lines.append(PaneLine(f"Shape {SHAPES[desk.shape]} (s), facing {FACINGS[desk.facing][0]} (f)"))
    lines.append(PaneLine("Arrows, or a place such as 45,30; Enter proposes, w sets a waypoint, Esc goes back.", "dim"))
    if desk.proposal is not None and desk.proposal.action is not None:
        lines += [PaneLine(text) for text in desk.odds]
    return lines


def units(desk: Desk) -> tuple[list[PaneLine], int]:
    lines, keep = [PaneLine("Units", "underline")], 0
    ready, letters = words.ready(desk.every), letters_on(desk.picture)
    for group in sorted(desk.picture.groups, key=lambda g: (g.side != desk.view.you, g.side, g.id)):
        if group.id == desk.selected:
            keep = len(lines)
        mark = "▶" if group.id == desk.selected else "•" if group.id in ready else " "
        off = "" if group.pieces else " · " + "off the table"
        if group.pieces and desk.is_hexes:
            off = f" · {words.place(group.pieces[0].at, desk.picture)}"
        lines.append(PaneLine(words.unit(group, desk.picture, letters) + off, COLOURS[group.side % 4], mark))
    return lines, keep


# Below.


def log(desk: Desk, most: int = _LOGGED) -> list[PaneLine]:
    """Return the last lines of the log, followed by the last chat lines; new lines have a bar. With *most* 0, return
    the whole log.
    """
    lines = [_log_line(entry, desk) for entry in words.in_force(desk.view.log)[-most:]]
    return lines + [_talk_line(line, desk) for line in desk.view.talk[-_TALKED if most else 0 :]]


def unread(desk: Desk, width: int, height: int) -> str:
    new = [entry for entry in words.in_force(desk.view.log) if entry.n > desk.seen]
    rows = sum(len(rows_of(_log_line(entry, desk), width)) for entry in new)
    return f"{len(new)} new, o reads all" if rows > height else ""


def _log_line(entry: LogEntry, desk: Desk) -> PaneLine:
    new = entry.n > desk.seen
    return PaneLine(words.entry(entry, desk.picture.faces), "bold" if new else "", f"{'│' if new else ' '} ")


def _talk_line(line: TalkLine, desk: Desk) -> PaneLine:
    seat = next((s for s in desk.view.seats if s.side == line.side), None)
    return PaneLine(f"{'' if seat is None else seat.called or seat.name}: {line.text}", "italic", "  ", own=True)


def message(desk: Desk) -> list[PaneLine]:
    """Return the message: typed text, the thing under the cursor with its distance, and the result of the last key."""
    going = "Go to " if desk.going else ""
    typed = f"{going}> {desk.typed}_   " if desk.typed or desk.going else ""
    lines = [PaneLine(" · ".join([*_distances(desk), *_under_cursor(desk)]), "", typed, "bold reverse")]
    if desk.view.draw is not None and desk.view.over is None:
        lines.append(PaneLine(f"{_player(desk, desk.view.draw)} offers a draw: Ctrl+D answers", "bold"))
    if desk.message:
        lines.append(PaneLine(desk.message, desk.message_style))
    return lines


def _distances(desk: Desk) -> list[str]:
    """Return the place of the cursor, and its distances from the ruler's start and from the selected unit."""
    picture, place = desk.picture, words.place(desk.cursor, desk.picture)
    places = [place if desk.is_hexes else f"{place} {picture.measure}"]
    if desk.measure is not None:
        places.append(f"{words.apart(desk.measure, desk.cursor, picture)} from {words.place(desk.measure, picture)}")
    group = desk.group(desk.pointing.unit if desk.pointing else desk.selected)
    if group is None or not group.pieces:
        return places
    if desk.is_hexes:
        if group not in desk.units_here():
            places.append(f"{words.apart(group.pieces[0].at, desk.cursor, picture)} from {group.in_words}")
    else:
        gap = min(max(distance(p.at, desk.cursor) - p.radius, 0) for p in group.pieces)
        places.append(f"{number(gap / (picture.scale or 1))} {picture.measure} from {group.in_words}")
    return places


def _under_cursor(desk: Desk) -> list[str]:
    picture, place = desk.picture, words.place(desk.cursor, desk.picture)
    names = [words.unit(group, picture) for group in desk.units_here()]
    names += [g.name for g in picture.grounds if inside(g.outline, *desk.cursor)]
    names += [s.kind if s.name == place else s.name for s in desk.spots_here()]
    if desk.is_hexes:
        names += [z.name for z in picture.zones if hexes.in_zone(z, desk.cursor)]
    return names


def keys(desk: Desk, width: int, translate: Callable[[str], str]) -> list[PaneLine]:
    """Return the reminders of keys that have room, in the language of the person."""
    keys = _POINTING_KEYS if desk.pointing is not None else _HEX_KEYS if desk.is_hexes else _CHOOSING_KEYS
    shown = f" {translate('? keys')} "
    for key in map(translate, keys):
        if len(shown) + len(key) + 2 <= width:
            shown += f" {key} "
    return [PaneLine(shown, "reverse", own=True)]
