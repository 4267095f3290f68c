"""The effect of acts on the table: the difference between two pictures, in losses, places and who leads."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec import UnsetType

from caltrop.agreeing import agreeing, does
from caltrop.kit.goals import reason_in
from caltrop.picture import Group, Picture, Victory


class TableEffect(msgspec.Struct, frozen=True):
    """The effect of an act on the table."""

    changed: bool
    """True if anything has changed: units, their places and tokens, holders of places, and open cards."""
    lost: tuple[bool, ...]
    """For each side, true if one of its units lost models or strength."""
    taken: frozenset[int]
    """Sides that now hold a place which they did not hold before."""
    given: frozenset[int]
    """Sides that no longer hold a place."""
    words: tuple[str, ...]
    """Sentences on the losses of units and the new holders of places."""
    hurt: tuple[tuple[int, int], ...] = ()
    """Units that lost models or strength, each with its side."""
    leads: str = ""
    """Sentence on a change of the leading side; empty if there is none."""
    ahead: frozenset[int] = frozenset()
    """The side that has taken the lead, if any."""
    behind: frozenset[int] = frozenset()
    """The side that has lost the lead, if any."""

    @property
    def seized(self) -> bool:
        """True if a place has changed hands."""
        return bool(self.taken or self.given)


def effect_of(before: Picture, after: Picture, sides: Sequence[str]) -> TableEffect:
    """Return the difference between two pictures of a table, apart from cards."""
    left = {group.id: group for group in after.groups}
    lost, words, hurt = [False] * len(sides), [], []
    changed = before.grounds != after.grounds or before.piles != after.piles
    for group in before.groups:
        now = left.get(group.id)
        models = len(group.pieces), 0 if now is None else len(now.pieces)
        changed = changed or now is None or _bearing(group) != _bearing(now)
        less = models[1] < models[0]
        weaker = now is not None and _number(now.strength) < _number(group.strength)
        lost[group.side] = lost[group.side] or less or weaker
        if less or weaker:
            hurt.append((group.id, group.side))
        name, side = group.in_words, sides[group.side]
        unit = name if side in name else f"{name} of {side}"
        if less and not models[1]:
            words.append(f"{unit} {agreeing(name, 'is')} gone")
        elif less:
            words.append(f"{unit} {agreeing(name, 'loses')} {models[0] - models[1]} of {models[0]}")
        elif weaker and now is not None:
            words.append(f"{unit} {agreeing(name, 'is')} down to {now.strength}")
    holders = {spot.id: spot.holder for spot in before.spots}
    for spot in after.spots:
        if spot.holder != holders.get(spot.id):
            whose = "nobody any more" if spot.holder is None else sides[spot.holder]
            words.append(f"{spot.name} is held by {whose}")
    pairs = [(holders.get(spot.id), spot.holder) for spot in after.spots if spot.holder != holders.get(spot.id)]
    taken = frozenset([now for _, now in pairs if now is not None])
    given = frozenset([was for was, _ in pairs if was is not None])
    leads = _lead(before.goal, after.goal, sides)
    leader, former = (None if isinstance(one, UnsetType) else one.leader for one in (after.goal, before.goal))
    return TableEffect(
        changed=changed or bool(pairs),
        lost=tuple(lost),
        taken=taken,
        given=given,
        words=tuple(words),
        hurt=tuple(hurt),
        leads=leads,
        ahead=frozenset([leader] if leads and leader is not None else []),
        behind=frozenset([former] if leads and former is not None else []),
    )


def _lead(before: Victory | UnsetType, after: Victory | UnsetType, sides: Sequence[str]) -> str:
    """Return a sentence on the side that would win if the battle ended now; empty if the act did not change it."""
    if isinstance(before, UnsetType) or isinstance(after, UnsetType) or not (before.now and after.now):
        return ""
    if after.leader == before.leader:
        return ""
    words = "Nobody leads any more" if after.leader is None else f"{does(sides[after.leader], 'takes')} the lead"
    reason = reason_in(after.now)
    return f"{words}: {reason}" if reason else words


def _bearing(group: Group) -> tuple[object, ...]:
    return [(piece.id, piece.at) for piece in group.pieces], group.strength, group.tokens


def _number(strength: str) -> int:
    match = re.search(r"\d+", strength)
    return int(match[0]) if match else 0
