"""What the terminal says: choices, prices, dice, odds and refusals in words.

It reads views and knows no game. A number is shown with what it is made of and the clauses behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from caltrop.engine import Offer, Proposal, Refusal, Region, Term
from caltrop.picture import Group, Picture, Point, Stat
from caltrop.terminal.board import letter_of, letters, number
from caltrop.wire import DecisionView, LogEntry


class Choice(NamedTuple):
    """One line of the list of choices."""

    offer: Offer | None
    region: Region | None
    words: str
    group: str
    unit: int | None
    final: bool


def choices(decision: DecisionView, picture: Picture) -> list[Choice]:
    """Everything that can be answered: open choices first, what ends a step or a turn last."""
    listed = []
    for region in decision.regions:
        unit = region.unit if region.unit >= 0 else None
        listed.append(Choice(None, region, f"{region.words} …", region.group, unit, False))
    alike: dict[tuple[str, str, int | None], list[Offer]] = {}
    for offer in decision.offers:
        alike.setdefault((offer.words, offer.group, offer.unit), []).append(offer)
    for offer in decision.offers:
        others = alike[offer.words, offer.group, offer.unit]
        text = offer.words + (_difference(offer, others, picture) if len(others) > 1 else "")
        listed.append(Choice(offer, None, text, offer.group, offer.unit, offer.final))
    return sorted(listed, key=lambda choice: choice.final)


def _difference(offer: Offer, others: Sequence[Offer], picture: Picture) -> str:
    """In what an action differs from others that are offered in the same words."""
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


def for_unit(every: Sequence[Choice], unit: int | None) -> list[Choice]:
    """The choices of one unit, with those that are nobody's; all of them where *unit* has none."""
    if unit is None or all(choice.unit != unit for choice in every):
        return list(every)
    return [choice for choice in every if choice.unit in (unit, None)]


def ready(every: Sequence[Choice]) -> tuple[int, ...]:
    """The units that have something to choose, in the order of the choices."""
    return tuple(dict.fromkeys(choice.unit for choice in every if choice.unit is not None))


def price(terms: Sequence[Term]) -> str:
    """What something costs: the sum, and its parts with clauses."""
    if not terms:
        return ""
    if len(terms) == 1:
        return f"price {terms[0].value} ({terms[0].words}, {terms[0].clause})"
    return f"price {sum(t.value for t in terms)} = {sum_of(terms)}"


def sum_of(terms: Sequence[Any]) -> str:
    """The parts of a sum, each with its clause."""
    parts = [f"{abs(t.value)} {t.words} ({t.clause})" for t in terms]
    signs = ["−" if t.value < 0 else "+" for t in terms]
    return " ".join(f"{sign} {part}" for sign, part in zip(signs, parts, strict=True)).removeprefix("+ ")


def length(units: int, picture: Picture) -> str:
    """A length in the game's own measure."""
    return f"{number(units / picture.scale)} {picture.measure}" if picture.form != "hexes" else f"{units} hexes"


def place(at: Point, picture: Picture) -> str:
    """A place as it is typed."""
    scale = 1 if picture.form == "hexes" else picture.scale
    return f"{_exact(at[0], scale)},{_exact(at[1], scale)}"


def _exact(units: int, scale: int) -> str:
    return f"{units / scale:.2f}".rstrip("0").rstrip(".")


_PLACE = re.compile(r"(\d+(?:\.\d+)?|\.\d+),(\d+(?:\.\d+)?|\.\d+)")


def read_place(text: str, picture: Picture) -> Point | None:
    """A place that was typed as `45,30` in the game's own measure; None where it is none, or is off the table."""
    found = _PLACE.fullmatch(text.replace(" ", ""))
    if not found:
        return None
    scale = 1 if picture.form == "hexes" else picture.scale
    x, y = round(float(found[1]) * scale), round(float(found[2]) * scale)
    return (x, y) if x <= picture.width and y <= picture.height else None


def proposal(found: Proposal, picture: Picture) -> str:
    """What a proposed act comes to."""
    parts = []
    if found.length:
        parts.append(f"{length(found.length, picture)} long, {length(found.left, picture)} left at this price")
    if found.price:
        parts.append(price(found.price))
    return "; ".join(parts) or "this may be done"


def refusal(found: Refusal, nearest: str = "") -> str:
    """Why not, with the clause, and how to take the nearest legal act."""
    clause = f" [{found.clause}]" if found.clause else ""
    hint = f"  Key a: the nearest that is legal{nearest}." if found.nearest is not None else ""
    return f"✗ {found.message}{clause}.{hint}"


def reach(region: Region, picture: Picture) -> str:
    """The ladder of an open choice: what each reach costs."""
    return ", ".join(f"to {length(far, picture)}: {cost}" for far, cost in region.bands)


def tokens(group: Group) -> str:
    """Its markers, as in `stun 2, moved`."""
    return ", ".join(t.kind if t.count == 1 else f"{t.kind} {t.count}" for t in group.tokens)


def stat(found: Stat) -> list[str]:
    """A number of a unit, with where it comes from."""
    lines = [f"{found.label}: {found.value}"]
    if found.because:
        lines += [f"    {r.value:+d} {r.words} ({r.clause})" for r in found.because]
    return lines


def unit(group: Group, picture: Picture) -> str:
    """A unit in one line."""
    letter = letter_of(group, "", letters(picture.groups))
    held = tokens(group)
    return f"{letter} {group.name} {group.strength}" + (f" · {held}" if held else "")


def in_force(lines: Sequence[LogEntry]) -> list[LogEntry]:
    """The log without what was taken back; the line that says so stays."""
    kept: list[LogEntry] = []
    for entry in lines:
        if entry.undoes is not None:
            while kept and kept[-1].n >= entry.undoes:
                kept.pop()
        kept.append(entry)
    return kept


def entry(line: LogEntry) -> str:
    """A line of the log, with its dice and clauses."""
    dice = "".join(f"  ‹{' '.join(map(str, thrown.faces))}› d{thrown.sides}" for thrown in line.dice)
    clauses = f" [{', '.join(line.clauses)}]" if line.clauses else ""
    return f"{line.text}{dice}{clauses}"


# Odds, whatever a ruleset's outcomes are made of.


def percent(chance: float) -> str:
    """A chance in per cent."""
    if 0 < chance < 0.0005:
        return "< 0.1 %"
    return f"{chance * 100:.0f} %" if chance == 0 or chance >= 0.0995 else f"{chance * 100:.1f} %"


def odds(found: Any, picture: Picture, most: int = 6) -> list[str]:
    """What an act may end in, likeliest first."""
    told = msgspec.to_builtins(found)
    if not isinstance(told, dict):
        return []
    lines = []
    dice = told.get("attack_dice")
    if isinstance(dice, int):
        parts = told.get("dice") or []
        lines.append(f"{dice} dice = {_sum(parts)}" if parts else f"{dice} dice")
    if told.get("defence"):
        lines.append(f"Defence beside one die for each hit: {_sum(told['defence'])}")
    lines += _chances(told, picture, most)
    expected = _expected(told)
    if expected:
        lines.append(f"To be expected: {expected}")
    if told.get("destroyed"):
        lines.append(f"Destroyed: {percent(told['destroyed'])}")
    for answer in told.get("answers") or ():
        after = _expected(answer)
        lines.append(
            f"It may answer with {answer.get('attack_dice', 0)} dice"
            + (f"; of yours are left then {after}" * bool(after))
        )
    return lines


def _chances(told: Mapping[str, Any], picture: Picture, most: int) -> list[str]:
    rows = sorted(((o.get("p", 0.0), _outcome(o)) for o in told.get("outcomes") or ()), key=lambda row: -row[0])
    if not rows:
        return []
    if len(rows) > most:
        rest = rows[most - 1 :]
        rows = [*rows[: most - 1], (sum(p for p, _ in rest), f"{len(rest)} others")]
    target = next((g.name for g in picture.groups if g.id == told.get("target")), "")
    kind = "exact odds" if told.get("exact", True) else "estimated odds"
    head = f"Left of {target} ({kind}):" if target else f"It may end in ({kind}):"
    return [head, *(f"  {percent(p):>6} {'▪' * max(1, round(p * 12))} {words}" for p, words in rows)]


def _outcome(parts: Mapping[str, Any]) -> str:
    if isinstance(parts.get("words"), str):
        return str(parts["words"])
    words = [_part(name.replace("_", " "), value) for name, value in parts.items() if name not in ("p", "probability")]
    return ", ".join(word for word in words if word) or "nothing"


def _part(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return name if value else f"no {name}"
    if isinstance(value, int):
        return f"{value} {name.removesuffix('s') if value == 1 else name}"
    return f"{name} {value}"


def _expected(told: Mapping[str, Any]) -> str:
    return ", ".join(f"{value:.1f} {name}" for name, value in (told.get("expected") or {}).items())


def _sum(parts: Sequence[Mapping[str, Any]]) -> str:
    return sum_of([Term(p["value"], p["clause"], p["words"]) for p in parts])
