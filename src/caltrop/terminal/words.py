"""Put choices, prices, dice, odds and refusals into the words of the terminal.

A number is shown with its terms and their clauses. Everything is read from views.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Proposal, Region
from caltrop.engine import Refusal, Term
from caltrop.engine.forecast import AttacksInOrder, Forecast, Foreseen
from caltrop.picture import Card, Group, Picture, Point, Reading, Reason, Stat, Token, Zone
from caltrop.players import Hint
from caltrop.terminal.board import distance, letter_of, letters_on, number
from caltrop.terminal.hexes import code, face_letters, map_of, shape
from caltrop.wire import DecisionView, LogEntry, Thrown


class ChoiceLine(NamedTuple):
    """One line of the list of choices."""

    offer: Offer | None
    region: Region | None
    words: str
    group: str
    unit: int | None
    final: bool
    more: tuple[ChoiceLine, ...] = ()
    """The continuations, if several choices begin with the same words."""


def choices(decision: DecisionView, picture: Picture) -> list[ChoiceLine]:
    """Return all choices of a decision: open choices first, answers that end a step or a turn last."""
    listed = []
    for region in decision.regions:
        unit = region.unit if region.unit >= 0 else None
        listed.append((region.first, ChoiceLine(None, region, f"{region.words} …", region.group, unit, False)))
    alike: dict[tuple[str, str, int | None], list[Offer]] = {}
    for offer in decision.offers:
        alike.setdefault((offer.words, offer.group, offer.unit), []).append(offer)
    for offer in decision.offers:
        others = alike[offer.words, offer.group, offer.unit]
        text = offer.words + (_difference(offer, others, picture) if len(others) > 1 else "")
        listed.append((offer.first, ChoiceLine(offer, None, text, offer.group, offer.unit, offer.final)))
    return sorted(_folded(listed), key=lambda choice: choice.final)


def _folded(listed: Sequence[tuple[str, ChoiceLine]]) -> list[ChoiceLine]:
    """Merge choices that begin alike into one, at the place of the first; their continuations are listed once it is
    chosen.
    """
    folds: dict[Any, list[tuple[str, ChoiceLine]]] = {}
    for n, (first, choice) in enumerate(listed):
        alike = (first, choice.group, choice.unit, choice.region is None) if first else n
        folds.setdefault(alike, []).append((first, choice))
    return [
        every[0][1]
        if len(every) == 1
        else every[0][1]._replace(
            words=f"{every[0][0]} …",
            more=tuple([one._replace(words=one.words[len(first) :].lstrip(", ")) for first, one in every]),
        )
        for every in folds.values()
    ]


def _difference(offer: Offer, others: Sequence[Offer], picture: Picture) -> str:
    spots = {other.spot for other in others}
    if offer.spot is not None and len(spots) == len(others):
        return f", {place(offer.spot, picture)}"
    every = [msgspec.structs.asdict(other.action) for other in others]
    parts = []
    for name, value in msgspec.structs.asdict(offer.action).items():
        if any(fields.get(name, value) != value for fields in every):
            here = offer.spot is not None and value == offer.spot
            parts.append(place(value, picture) if here else f"{name.replace('_', ' ')} {_plain(value)}")
    return "".join(f", {part}" for part in parts)


def _plain(value: Any) -> str:
    if isinstance(value, tuple | list):
        return " ".join(map(_plain, value)) or "none"
    return str(value)


def for_unit(every: Sequence[ChoiceLine], unit: int | None) -> list[ChoiceLine]:
    """Return the choices of one unit and those of no unit; return all choices if *unit* has none."""
    if unit is None or all(choice.unit != unit for choice in every):
        return list(every)
    return [choice for choice in every if choice.unit in (unit, None)]


def ready(every: Sequence[ChoiceLine]) -> tuple[int, ...]:
    """Return the units with choices, in the order of the choices."""
    return tuple(dict.fromkeys(choice.unit for choice in every if choice.unit is not None))


def price(terms: Sequence[Term]) -> str:
    """Return a price in words: the sum, and its terms with their clauses."""
    if not terms:
        return ""
    if len(terms) == 1:
        return f"price {terms[0].value} ({terms[0].words}, {terms[0].clause})"
    return f"price {sum(t.value for t in terms)} = {sum_of(terms)}"


def sum_of(terms: Sequence[Any]) -> str:
    parts = [f"{abs(t.value)} {t.words} ({t.clause})" for t in terms]
    signs = ["−" if t.value < 0 else "+" for t in terms]
    return " ".join(f"{sign} {part}" for sign, part in zip(signs, parts, strict=True)).removeprefix("+ ")


def length(units: int, picture: Picture) -> str:
    return f"{number(units / picture.scale)} {picture.measure}"


def apart(a: Point, b: Point, picture: Picture) -> str:
    if picture.form == "hexes":
        steps = map_of(picture).apart(a, b)
        return quantity(steps, "hex")
    return f"{number(distance(a, b) / picture.scale)} {picture.measure}"


def place(at: Point, picture: Picture) -> str:
    if picture.form == "hexes":
        return map_of(picture).nearest(at).name
    return f"{_exact(at[0], picture.scale)},{_exact(at[1], picture.scale)}"


def _exact(units: int, scale: int) -> str:
    return f"{units / scale:.2f}".rstrip("0").rstrip(".")


_PLACE = re.compile(r"(\d+(?:\.\d+)?|\.\d+),(\d+(?:\.\d+)?|\.\d+)")


def read_place(text: str, picture: Picture) -> Point | str:
    """Return the place typed as `45,30` in the game's own unit, or as the name of a hex. Return an error message for
    anything else, or a place off the table.
    """
    if picture.form == "hexes":
        here = map_of(picture)
        cell = here.names.get(text.strip().upper())
        return cell.at if cell is not None else here.fault(text)
    match = _PLACE.fullmatch(text.replace(" ", ""))
    x, y = (round(float(match[i]) * picture.scale) for i in (1, 2)) if match else (-1, -1)
    if 0 <= x <= picture.width and 0 <= y <= picture.height:
        return x, y
    far = place((picture.width, picture.height), picture)
    return f"{text!r} is not a place on this table; a place is written 45,30, up to {far}"


def proposal(offer: Proposal, picture: Picture) -> str:
    parts = []
    if offer.length:
        parts.append(f"{length(offer.length, picture)} long, {length(offer.left, picture)} left at this price")
    if offer.price:
        parts.append(price(offer.price))
    if offer.notes:
        parts += offer.notes
    return "; ".join(parts) or "this may be done"


def refusal(objection: Refusal, nearest: str = "") -> str:
    """Return the reason of a refusal with its clause, and the key that takes the nearest legal act."""
    clause = f" [{objection.clause}]" if objection.clause else ""
    hint = f"  Key a: the nearest that is legal{nearest}." if objection.nearest is not None else ""
    return f"✗ {objection.message}{clause}.{hint}"


def reach(region: Region, picture: Picture) -> str:
    return ", ".join(f"to {length(far, picture)}: {cost}" for far, cost in region.bands)


def tokens(group: Group) -> str:
    """Return the markers of a unit, such as `2 Stun markers, moved 20 cm`."""
    return ", ".join(t.label or t.words or t.kind for t in group.tokens if t.count > 0)


def meaning(token: Token) -> str:
    """Return the meaning of a marker, with its count if there are several."""
    return f"{token.words} ({token.count})" if token.count > 1 else token.words


def stat(value: Stat) -> list[str]:
    lines = [f"{value.label}: {value.value}"]
    if value.because:
        lines += [f"    {r.value:+d} {r.words} ({r.clause})" for r in value.because]
    return lines


def unit(group: Group, picture: Picture, letters: Mapping[str, str] | None = None) -> str:
    """Return a unit in one line. *letters* are the letters of the table, if known."""
    if picture.form == "hexes":
        letter = shape(picture, group.side) + code(group, picture)
    else:
        letter = letter_of(group, "", letters_on(picture) if letters is None else letters)
    held = tokens(group)
    return f"{letter} {group.name} {group.strength}" + (f" · {held}" if held else "")


def in_force(lines: Sequence[LogEntry]) -> list[LogEntry]:
    """Return the log without undone acts; the line that mentions the undo is included."""
    entries: list[LogEntry] = []
    for entry in lines:
        if entry.undoes is not None:
            while entries and entries[-1].n >= entry.undoes:
                entries.pop()
        entries.append(entry)
    return entries


def symbol(name: str) -> str:
    return "God Machine" if name == "god-machine" else name.replace("-", " ")


def symbols(faces: tuple[str, ...]) -> str:
    return ", ".join(f"{letter} {symbol(name)}" for name, letter in face_letters(faces).items())


def read_faces(text: str, sides: int, count: int, faces: tuple[str, ...]) -> tuple[int, ...] | str:
    """Return the faces of typed dice (letters or words for symbols, else numbers), or a sentence on their fault."""
    if len(faces) == sides:
        letters_ = face_letters(faces)
        by_letter = {letter: faces.index(name) + 1 for name, letter in letters_.items()}
        read = [by_letter.get(c) for c in text.upper() if c not in " ,"]
        if None in read:
            wrong = next(c for c in text.upper() if c not in " ," and c not in by_letter)
            return f"{wrong!r} is not on the die; the symbols are {symbols(faces)}"
    else:
        # Numbers of dice with more than nine sides need a separator.
        numbers = re.findall(r"\d+" if sides > 9 else r"\d", text)
        read = [int(number_) for number_ in numbers]
        wrong_number = next((face for face in read if face is not None and not 1 <= face <= sides), None)
        if wrong_number is not None:
            return f"{wrong_number} is not on a die with {sides} sides; they go from 1 to {sides}"
    if len(read) != count:
        return f"{quantity(len(read), 'die', 'is')} typed in, and {quantity(count, 'die', 'is')} needed"
    return tuple(face for face in read if face is not None)


def thrown(dice: Thrown, faces: tuple[str, ...]) -> str:
    """Return rolled dice in words: symbols as letters with their names, other dice with their number of sides."""
    if len(faces) != dice.sides:
        return f"‹{' '.join(map(str, dice.faces))}› d{dice.sides}"
    letters = face_letters(faces)
    names = [faces[face - 1] for face in dice.faces]
    parts = [f"{names.count(name)} {symbol(name)}" for name in letters if name in names]
    return f"‹{' '.join(letters[name] for name in names)}› {', '.join(parts)}"


def entry(line: LogEntry, faces: tuple[str, ...] = ()) -> str:
    dice = "".join(f"  {thrown(roll, faces)}" for roll in line.dice)
    clauses = f" [{', '.join(line.clauses)}]" if line.clauses else ""
    text = line.text
    if line.kind == "Rolled" and any(len(faces) == roll.sides for roll in line.dice):
        # A bare roll lists its faces as numbers, which is useless for symbols.
        text = " ".join(roll.words for roll in line.dice) or "Dice"
    return f"{text}{dice}{clauses}"


def reading(dice_read: Reading, faces: tuple[str, ...]) -> list[str]:
    """Return the lines of a roll: number of dice with its terms, the value of each die, the answering dice, and the
    result.
    """
    lines = [dice_read.words]
    if dice_read.added:
        return [*lines, *_added(dice_read), *_ended(dice_read)]
    if dice_read.terms:
        # The terms either add up to the number of dice, or are added to each die.
        counts = sum(term.value for term in dice_read.terms) == len(dice_read.dice)
        lines.append(
            f"{quantity(len(dice_read.dice), 'die')} = {sum_of(dice_read.terms)}" if counts else sum_of(dice_read.terms)
        )
    for die in dice_read.dice:
        before = f", was {_face(die.was, dice_read.sides, faces)}" if die.was is not None else ""
        pair = f", pair {die.pair}" if die.pair else ""
        result = f"{die.result}, ignored" if die.ignored and die.result else "ignored" if die.ignored else die.result
        by = " cancelled by " + ", ".join(f"die {i + 1} of the answer" for i in die.by) if die.by else ""
        lines.append(f"  {_face(die.face, dice_read.sides, faces)}{before}{pair}: {result or 'nothing'}{by}")
    if dice_read.answer or dice_read.answer_words:
        lines.append(f"{dice_read.answer_words or 'The answer'}: {quantity(len(dice_read.answer), 'die')}")
        if dice_read.answer_terms:
            lines.append(f"  = {sum_of(dice_read.answer_terms)}")
        lines += [f"  {_face(face, dice_read.sides, faces)}" for face in dice_read.answer]
    return [*lines, *_ended(dice_read)]


def _added(result: Reading) -> Iterator[str]:
    yield "  " + _with(result.dice[0].face, result.terms)
    if result.answer:
        yield f"{result.answer_words}: {_with(result.answer[0], result.answer_terms)}"


def _with(face: int, terms: Sequence[Reason]) -> str:
    parts = "".join(f" + {term.value} {term.words}" for term in terms)
    return f"{face}{parts} = {face + sum([term.value for term in terms])}"


def _ended(result: Reading) -> list[str]:
    outcome = [result.came] if result.came else []
    return [*outcome, *[f"{t.label}: {t.got}, {t.mean:.2f} expected" for t in result.tallies]]


def _face(face: int, sides: int, faces: tuple[str, ...]) -> str:
    if len(faces) != sides:
        return str(face)
    name = faces[face - 1]
    return f"{face_letters(faces)[name]} {symbol(name)}"


def time(milliseconds: int) -> str:
    """Return the remaining time of a clock in words.

    >>> time(754_300), time(3_723_000), time(9_400)
    ('12:35', '1:02:03', '0:10')
    """
    seconds = -(-milliseconds // 1000)
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def names_area(card: Card, zone: Zone) -> bool:
    """Return whether a card acts in a zone, by the name of the zone."""
    areas = {"both": ("left", "right"), "all": ("left", "centre", "right")}.get(card.area, (card.area,))
    return any(area and area in zone.name.lower() for area in areas)


def card(shown: Card) -> str:
    area = {"both": "both flanks", "all": "everywhere"}.get(shown.area, shown.area)
    return f"{shown.title}, {area}" if area and area.lower() not in shown.title.lower() else shown.title


# Odds, for outcomes of any ruleset.


def percent(chance: float) -> str:
    if 0 < chance < 0.0005:
        return "< 0.1 %"
    return f"{chance * 100:.0f} %" if chance == 0 or chance >= 0.0995 else f"{chance * 100:.1f} %"


def hint(advice: Hint) -> str:
    why = "".join(f"; {reason}" for reason in advice.reasons)
    return f"Hint: {advice.words}{why}. Key h once more: do it."


def odds(forecast: Forecast, picture: Picture, most: int = 6, bars: bool = True) -> list[str]:
    """Return the possible results of an act, likeliest first, with a bar for each if there is room."""
    lines = [f"{thrown.words}: {sum_of(thrown.parts)}" for thrown in forecast.thrown]
    lines += _chances(forecast, picture, most, bars)
    if forecast.headline:
        lines.append(f"{forecast.headline}.")
    if forecast.expected:
        lines.append(f"On average: {_expected(forecast)}")
    for answer in forecast.answers:
        left = f"your unit then, on average: {_expected(answer)}" if answer.expected else ""
        lines.append(f"{answer.about}: {'; '.join(filter(None, (answer.headline, left)))}")
    if forecast.note:
        lines.append(forecast.note)
    return lines


def whole(ways: Sequence[Forecast], picture: Picture, most: int = 3) -> list[str]:
    """Return the forecast of a whole act: for each reply of the other side a summary, then the likeliest results."""
    lines = []
    for way in ways:
        about = f"The whole act, {way.about[:1].lower()}{way.about[1:]}" if way.about else "The whole act"
        gist = f": {way.headline}" if way.headline else ""
        lines.append(f"{about} ({'exact' if way.exact else 'estimated'} odds){gist}")
        for unit in (way, *way.also):
            name = next((g.in_words for g in picture.groups if g.id == unit.target), "")
            likeliest = sorted(unit.outcomes, key=lambda one: -one.p)[:most]
            lines.append(
                f"  {name}: {', '.join([f'{percent(one.p)}{_between(one)} {one.words}' for one in likeliest])}"
            )
        if way.note:
            lines.append(way.note)
    return lines


def together(attacks: AttacksInOrder, picture: Picture, most: int = 3) -> list[str]:
    """Return what several attackers in order leave of their target, the likeliest results first."""
    if attacks.odds is None:
        return []
    names = {group.id: group.in_words for group in picture.groups}
    kind = "exact odds" if attacks.odds.exact else "estimated odds"
    how = "in the best order" if attacks.best else "in order"
    order = ", ".join([names[unit] for unit in attacks.order])
    lines = [f"Together, {how} ({kind}): {order}"]
    lines += [f"  {row}" for row in odds(attacks.odds, picture, most, False)]
    for name in [names[unit] for unit in attacks.idle]:
        lines.append(f"  {name} cannot attack any more then")
    return lines


def _between(one: Foreseen) -> str:
    return "" if one.between is None else f" ({percent(one.between[0])} to {percent(one.between[1])})"


def _chances(forecast: Forecast, picture: Picture, most: int, bars: bool) -> list[str]:
    rows = sorted([(one.p, f"{one.words}{_between(one)}") for one in forecast.outcomes], key=lambda row: -row[0])
    if not rows:
        return []
    if len(rows) > most:
        rest = rows[most - 1 :]
        rows = [*rows[: most - 1], (sum(p for p, _ in rest), quantity(len(rest), "other"))]
    target = next((g.in_words for g in picture.groups if g.id == forecast.target), "")
    kind = "exact odds" if forecast.exact else "estimated odds"
    about = forecast.about or (f"Left of {target}" if target else "It may end in")
    head = f"{about} ({kind}):"
    bar = [f"{'▪' * max(1, round(p * 12))} " if bars else "" for p, _ in rows]
    return [head, *(f"  {percent(p):>6} {drawn}{words}" for (p, words), drawn in zip(rows, bar, strict=True))]


def _expected(forecast: Forecast) -> str:
    return ", ".join(f"{value:.1f} {name}" for name, value in forecast.expected.items())
