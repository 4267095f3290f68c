"""Why something is as it is: the acts that changed it, each with the lines of the log that led to it.

It compares what is seen before and after each act in force, and so it knows no rule: a marker, a strength, points and
places are read off the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from caltrop.engine import Ruleset, redacted
from caltrop.picture import Picture
from caltrop.server.game import Game
from caltrop.wire import LogEntry
from caltrop.wire.messages import Cause, Why

MOST = 12
"""Changes that are told, the newest first."""
LOOKED = 600
"""Acts that are looked at for what no line of the log touches."""
LED = 8
"""Lines of earlier acts of the same turn that are told with a change."""


class Past(msgspec.Struct, frozen=True):
    """A game's past as somebody may know it; it is never changed, and may be read in a thread."""

    ruleset: Ruleset
    eyes: int | None
    states: tuple[Any, ...]
    """Before the first act, and after each act in force."""
    lines: tuple[LogEntry, ...]

    @classmethod
    def of(cls, game: Game, eyes: int | None) -> Past:
        """What *eyes* may know of a game."""
        states = tuple([point.state for point in game.match.history] + [game.match.state])
        return cls(game.ruleset, eyes, states, tuple(game.lines_in_force(eyes)))

    def picture(self, act: int) -> Picture:
        """The table after so many acts."""
        return self.ruleset.depict(redacted(self.states[act], self.eyes), self.eyes)

    def turn(self, act: int) -> Any:
        """What tells one turn from another."""
        return self.ruleset.turn(self.states[act])


def value_of(picture: Picture, about: Why) -> str:
    """What is asked about, as it is seen."""
    if about.unit is not None:
        group = next((g for g in picture.groups if g.id == about.unit), None)
        if group is None:
            return "not there"
        if about.token is None:
            return group.strength or str(len(group.pieces))
        every = [*group.tokens, *(token for piece in group.pieces for token in piece.tokens)]
        return str(sum(token.count for token in every if token.kind == about.token))
    if about.spot is not None:
        spot = next((s for s in picture.spots if s.id == about.spot), None)
        if spot is None or spot.holder is None:
            return "nobody"
        name = next((s.name for s in picture.seats if s.side == spot.holder), "")
        return f"{name}, secured" if spot.secured else name
    seat = next((s for s in picture.seats if s.side == about.side), None)
    return next((p.value for p in seat.points if p.label == about.points), "") if seat else ""


def causes(past: Past, about: Why) -> tuple[Cause, ...]:
    """Every act that changed what is asked about, the newest first, back to where it was nothing.

    Args:
        past: The game.
        about: What is asked about.
    """
    acts = len(past.states) - 1
    by_act: dict[int, list[LogEntry]] = {}
    for line in past.lines:
        by_act.setdefault(line.act, []).append(line)
    if about.unit is not None:
        tried = [k for k in sorted(by_act) if 1 <= k <= acts and any(about.unit in e.touches for e in by_act[k])]
    else:
        tried = list(range(max(1, acts - LOOKED + 1), acts + 1))
    found: list[Cause] = []
    seen: dict[int, str] = {}

    def value(act: int) -> str:
        if act not in seen:
            seen[act] = value_of(past.picture(act), about)
        return seen[act]

    for act in reversed(tried):
        before, after = value(act - 1), value(act)
        if before == after:
            continue
        found.append(Cause(act=act, before=before, after=after, lines=_chain(past, by_act, act, about)))
        if len(found) == MOST or (about.token is not None and before == "0"):
            break
    return tuple(found)


def _chain(past: Past, by_act: dict[int, list[LogEntry]], act: int, about: Why) -> tuple[LogEntry, ...]:
    """The lines of an act that concern it, and before them those of the same turn that set them going."""
    told = [e for e in by_act.get(act, []) if e.reading is not None or e.kind != "Rolled"]
    own = told
    if about.unit is not None:
        own = [e for e in told if about.unit in e.touches]
    agents = {unit for e in own for unit in e.touches}
    return (*_led(past, by_act, act, agents, about.unit), *own)


def _led(
    past: Past, by_act: dict[int, list[LogEntry]], act: int, agents: set[int], unit: int | None
) -> Sequence[LogEntry]:
    now = past.turn(act - 1)
    led: list[LogEntry] = []
    for earlier in range(act - 1, 0, -1):
        if past.turn(earlier - 1) != now or len(led) >= LED:
            break
        for e in reversed(by_act.get(earlier, [])):
            touched = set(e.touches)
            if unit is None:
                led_here = bool(touched & agents)
            else:  # where the act names nobody else, whoever did something to the unit before it
                others = agents - {unit}
                led_here = unit in touched and (bool(touched & others) if others else True)
            if led_here and e.kind != "Rolled":
                led.append(e)
    return led[:LED][::-1]
