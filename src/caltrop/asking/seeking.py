"""Find moves by their purpose: towards something, into range of a unit, into cover from a unit.

People who do not see the table can name the purpose of a move instead of dragging a unit. Places are tried one after
another with the decision's own `propose`, so the result equals a drag to that place, with its price. The rules decide
which units are seen from a place, and which units see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from caltrop.asking.drag import Point, Proposal, Wish
from caltrop.asking.offer import Offered
from caltrop.engine import Loud, Refusal, decimal, done_quietly
from caltrop.geometry import Disc, distance_up, gap_up, point_along
from caltrop.picture import Group, Picture, Piece
from caltrop.picture.sightings import Sighting

Look = Callable[[Any, int, int, Mapping[int, Point]], Sighting | None]
"""Function that returns a unit's sight of another in a state, its models at given places; None if the game has no
sight.
"""

ASIDE: tuple[tuple[int, int], ...] = ((1, 0), (4, 1), (4, -1), (2, 1), (2, -1), (1, 1), (1, -1), (1, 2), (1, -2))
"""Directions to try, from straight ahead to far aside, as (distance ahead, distance to the left)."""

STEPS = 8
"""Number of parts into which a path is divided to be shortened."""

HALVINGS = 4
"""Number of times that the last of these parts is halved."""

FOES = 6
"""Largest number of enemies to check, the nearest first."""

PLACES = 40
"""Largest number of places to try in and behind cover."""


class Goal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    how: Literal["towards", "range", "cover"]
    """`towards` (as near as possible), `range` (just far enough for the unit's range), `cover` (seen by as few enemies
    as possible).
    """
    unit: int | None = None
    """The unit that the purpose names: the cover is from this unit, by default from every enemy."""
    spot: int | None = None
    """A marked place to approach."""
    ground: int | None = None
    """A piece of terrain to approach, or whose cover is sought; by default, all pieces nearby."""
    most: int | None = None
    """Largest distance in tenths of a millimetre."""


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a request for a move with a purpose."""

    to: Point | None
    """Place to which the unit is dragged; None if there is no such place."""
    proposal: Proposal
    """The proposal, or the reason why there is none."""
    words: str
    """Sentence that says how the move serves its purpose."""


class _Tried(NamedTuple):
    to: Point
    proposal: Proposal
    discs: tuple[Disc, ...]
    """Places of the unit's bases at the end."""


def sought(view: Any, decision: Offered, picture: Picture, wish: Wish, goal: Goal, look: Look) -> Sought:
    """Return a move that meets a goal.

    Args:
        view: The state as the side sees it that is asked; it is not changed.
        picture: The table as that side sees it.
        wish: The unit and the open action.
    """
    group = next((one for one in picture.groups if one.id == wish.unit), None)
    region = next((one for one in decision.regions(view) if one.unit == wish.unit and one.act == wish.act), None)
    if group is None or not group.pieces or region is None or region.form != "move":
        return _none("nothing-to-move", "This unit has nothing to move now")
    seeker = _Seeker(view, decision, picture, group, wish, look, _top(group, region.bands, goal.most))
    if goal.how == "cover":
        return seeker.cover(goal)
    if goal.how == "range" and not group.reach:
        return _none("no-range", f"There is no range for {group.in_words}")
    bases, name = _bases(picture, goal)
    if not bases:
        return _none("no-such-goal", "That is not on the table")
    if goal.how == "range":
        return seeker.into_range(bases, name, goal.unit)
    return seeker.towards(bases, name)


def _none(code: str, message: str) -> Sought:
    return Sought(to=None, proposal=Proposal(refusal=Refusal(code=code, clause="", message=message)), words=message)


def _top(group: Group, bands: Sequence[tuple[int, int]], most: int | None) -> int:
    top = max([length for length, _ in bands], default=group.walk)
    return top if most is None else min(top, most)


def _bases(picture: Picture, goal: Goal) -> tuple[tuple[Disc, ...], str]:
    for group in picture.groups:
        if group.id == goal.unit:
            return tuple([(*piece.at, piece.radius) for piece in group.pieces]), group.in_words
    for spot in picture.spots:
        if spot.id == goal.spot:
            return ((*spot.at, 0),), spot.name
    for ground in picture.grounds:
        if ground.id == goal.ground:
            return ((*_middle(ground.outline), 0),), ground.name
    return (), ""


def _middle(outline: Sequence[Point]) -> Point:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return ((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)


def _gap(some: Sequence[Disc], others: Sequence[Disc]) -> int:
    return max(min([gap_up(a, b) for a in some for b in others]), 0)


def _turned(direction: Point, ahead: int, aside: int) -> Point:
    dx, dy = direction
    return (dx * ahead - dy * aside, dy * ahead + dx * aside)


class _Seeker:
    def __init__(
        self,
        view: Any,
        decision: Offered,
        picture: Picture,
        group: Group,
        wish: Wish,
        look: Look,
        top: int,
    ) -> None:
        self.view, self.decision, self.picture, self.group = view, decision, picture, group
        self.wish, self.look, self.top = wish, look, top
        self.at = group.pieces[0].at
        self.discs = tuple([(*piece.at, piece.radius) for piece in group.pieces])
        self.foes = sorted(
            [one for one in picture.groups if one.side != group.side and one.pieces],
            key=lambda one: (_gap(self.discs, [(*p.at, p.radius) for p in one.pieces]), one.id),
        )[:FOES]
        self._known: dict[Point, _Tried | None] = {}

    def tried(self, to: Point) -> _Tried | None:
        """Return the result of a drag to a place; None if it is refused, has no length, or is too long."""
        if to not in self._known:
            self._known[to] = self._try(to)
        return self._known[to]

    def _try(self, to: Point) -> _Tried | None:
        if not (0 <= to[0] <= self.picture.width and 0 <= to[1] <= self.picture.height):
            return None
        proposal = self.decision.propose(self.view, msgspec.structs.replace(self.wish, to=to))
        if proposal.action is None or not 0 < proposal.length <= self.top:
            return None
        ends = {id: path[-1] for id, path in proposal.paths.items() if path}
        return _Tried(to, proposal, tuple([(*ends.get(p.id, p.at), p.radius) for p in self.group.pieces]))

    def along(self, to: Point, ahead: int, aside: int, length: int) -> Point:
        straight = (to[0] - self.at[0], to[1] - self.at[1])
        return point_along(self.at, _turned(straight, ahead, aside), length)

    def towards(self, bases: Sequence[Disc], name: str) -> Sought:
        nearest = min(bases, key=lambda base: (distance_up(self.at, base[:2]), base))[:2]
        before = _gap(self.discs, bases)
        best, least = None, before
        for to in self._ways(nearest, before):
            attempt = self.tried(to)
            if attempt is not None and (gap := _gap(attempt.discs, bases)) < least:
                best, least = attempt, gap
                if least <= max(before - self.top, 0):
                    break
        if best is None:
            return _none("no-nearer", f"No nearer to {name} by this move: {self.group.in_words}")
        return self._met(best, f"{self.words(least)} from {name} then")

    def _ways(self, to: Point, gap: int) -> Iterator[Point]:
        """Yield places towards something, the straightest and farthest first."""
        yield to
        length = min(self.top, gap) if gap else self.top
        for ahead, aside in ASIDE:
            reached = 0
            for part in range(STEPS, 0, -1):
                at = self.along(to, ahead, aside, length * part // STEPS)
                yield at
                if self.tried(at) is not None:
                    reached = part
                    break
            if 0 < reached < STEPS and (ahead, aside) == ASIDE[0]:
                yield from self._between(to, length * reached // STEPS, length * (reached + 1) // STEPS)

    def _between(self, to: Point, low: int, high: int) -> Iterator[Point]:
        """Yield places straight ahead between two lengths, of which the longer is too long."""
        for _ in range(HALVINGS):
            half = (low + high) // 2
            at = self.along(to, 1, 0, half)
            yield at
            low, high = (half, high) if self.tried(at) is not None else (low, half)

    def into_range(self, bases: Sequence[Disc], name: str, target: int | None) -> Sought:
        """Return a move that just brings a unit into range, and into sight if possible."""
        reach, before = self.group.reach, _gap(self.discs, bases)
        if before <= reach and self._sees(target, {}):
            return _none("in-range", f"{name}, {self.words(before)} away: in range already")
        nearest = min(bases, key=lambda base: (distance_up(self.at, base[:2]), base))[:2]
        least = max(before - reach, 1)
        blind: _Tried | None = None
        lengths = [least + (self.top - least) * part // STEPS for part in range(STEPS + 1)] if least <= self.top else []
        for n, length in enumerate(lengths):
            for ahead, aside in ASIDE:

                def reached(length: int, ahead: int = ahead, aside: int = aside) -> _Tried | None:
                    attempt = self.tried(self.along(nearest, ahead, aside, length))
                    return attempt if attempt is not None and _gap(attempt.discs, bases) <= reach else None

                attempt = reached(length)
                if attempt is not None and self._sees(target, self._places(attempt)):
                    attempt = self._shortened(reached, lengths[n - 1] if n else length, length, target) or attempt
                    return self._met(attempt, f"{self.words(_gap(attempt.discs, bases))} from {name} then, in range")
                blind = blind or attempt
        if blind is not None:
            return self._met(
                blind, f"{self.words(_gap(blind.discs, bases))} from {name} then, in range, but it does not see it"
            )
        return _none(
            "out-of-range",
            f"This move does not bring {name} into range: {self.words(before)} away, it goes {self.words(self.top)} "
            f"and the range is {self.words(reach)}",
        )

    def _shortened(
        self, reached: Callable[[int], _Tried | None], low: int, high: int, target: int | None
    ) -> _Tried | None:
        """Return the shortest path between two lengths that still works; the longer one works."""
        best = None
        for _ in range(HALVINGS if low < high else 0):
            half = (low + high) // 2
            attempt = reached(half)
            if attempt is not None and self._sees(target, self._places(attempt)):
                best, high = attempt, half
            else:
                low = half
        return best

    def _sees(self, target: int | None, places: Mapping[int, Point]) -> bool:
        if target is None:
            return True
        in_sight = self.look(self.view, self.group.id, target, places)
        return in_sight is None or in_sight.seen

    def _places(self, attempt: _Tried) -> dict[int, Point]:
        pairs = zip(self.group.pieces, attempt.discs, strict=True)
        return {piece.id: (disc[0], disc[1]) for piece, disc in pairs}

    def cover(self, goal: Goal) -> Sought:
        foes = [one for one in self.picture.groups if one.id == goal.unit and one.pieces] or self.foes
        if not foes:
            return _none("no-enemy", "There is no enemy on the table to take cover from")
        grounds = [one for one in self.picture.grounds if goal.ground in (None, one.id)]
        best: tuple[tuple[int, int, int, int], _Tried] | None = None
        for at in self._shelters([one.outline for one in grounds], foes[0].pieces):
            attempt = self.tried(at)
            if attempt is None:
                continue
            key = (*self._exposed(attempt, foes), attempt.proposal.length)
            if best is None or key < best[0]:
                best = (key, attempt)
        if best is None:
            behind = f" behind {grounds[0].name}" if goal.ground is not None and grounds else ""
            return _none("no-cover", f"No cover{behind} within this move: {self.group.in_words}")
        return self._met(best[1], self._cover_words(*best[0][:3], foes))

    def _shelters(self, outlines: Sequence[Sequence[Point]], pieces: Sequence[Piece]) -> Iterator[Point]:
        """Yield places in and behind terrain, as an enemy sees it, within reach of the unit."""
        eye = pieces[0].at
        radius = max([piece.radius for piece in self.group.pieces])
        near: set[tuple[int, Point]] = set()
        for outline in outlines:
            middle = _middle(outline)
            out = max([distance_up(middle, corner) for corner in outline])
            straight = (middle[0] - eye[0], middle[1] - eye[1])
            for ahead, aside in ASIDE[:7]:
                away = _turned(straight, ahead, aside)
                for far in (0, out // 2, out, out + radius, out + 2 * radius):
                    at = point_along(middle, away, far)
                    if 0 < distance_up(self.at, at) <= self.top:
                        near.add((distance_up(self.at, at), at))
        every = -(-len(near) // PLACES) or 1
        yield from [at for _, at in sorted(near)[::every]]

    def _exposed(self, attempt: _Tried, foes: Sequence[Group]) -> tuple[int, int, int]:
        """Return how many enemies see the unit at the end of a move, and the largest numbers of its models in the open
        and in sight.
        """
        there = done_quietly(self.view, self.decision, attempt.proposal.action)
        places = self._places(attempt)
        seen = bare = models = 0
        for foe in foes:
            # If an enemy may interrupt the move, its end is unknown. The view from the unit itself is known.
            if isinstance(there, Loud):
                sighting = self.look(self.view, self.group.id, foe.id, places)
                pieces = () if sighting is None or not sighting.seen else self.group.pieces
                open_ = many = len(pieces)
            else:
                sighting = self.look(there, foe.id, self.group.id, {})
                parts = () if sighting is None else [one for one in sighting.pieces if one.seen]
                many, open_ = len(parts), sum([not (one.in_cover or one.obstructed) for one in parts])
            seen += many > 0
            bare, models = max(bare, open_), max(models, many)
        return seen, bare, models

    def _cover_words(self, seen: int, bare: int, models: int, foes: Sequence[Group]) -> str:
        if not seen:
            return "No enemy sees it there" if len(foes) > 1 else f"Not seen there by {foes[0].in_words}"
        who = f"{seen} of {len(foes)} enemies" if len(foes) > 1 else foes[0].in_words
        if len(self.group.pieces) == 1:
            return f"Seen there by {who}, {'in the open' if bare else 'in cover'}"
        every = len(self.group.pieces)
        return f"{models} of {every} models seen there by {who}, {bare or 'none'} in the open"

    def _met(self, attempt: _Tried, words: str) -> Sought:
        return Sought(to=attempt.to, proposal=attempt.proposal, words=words)

    def words(self, length: int) -> str:
        return f"{decimal(length, self.picture.scale)} {self.picture.measure}"
