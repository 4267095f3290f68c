"""The effect of acts on the table: the difference between two pictures, in losses, places and who leads."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec
from msgspec import UnsetType

from caltrop.agreeing import agreeing, does
from caltrop.kit.goals import reason_in
from caltrop.picture import Group, Picture, Piece, Spot, Victory


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
    burdens: tuple[tuple[int, str], ...] = ()
    """New tokens and places of units that have stayed on the table, each with the unit's number, as if an attack caused
    them.
    """
    places: tuple[int, ...] = ()
    """Places that have changed hands."""
    leads: str = ""
    """Sentence on a change of the leading side; empty if there is none."""
    ahead: frozenset[int] = frozenset()
    """The side that has taken the lead, if any."""
    score: str = ""
    """Sentence on the score, if it has changed and the leading side has not; empty otherwise."""
    behind: frozenset[int] = frozenset()
    """The side that has lost the lead, if any."""

    @property
    def seized(self) -> bool:
        """True if a place has changed hands."""
        return bool(self.taken or self.given)

    @property
    def notable(self) -> bool:
        """True if somebody lost something, a place changed hands, or another side leads."""
        return any(self.lost) or self.seized or bool(self.leads)

    def agrees(self, gained: Collection[int]) -> bool:
        """Return whether these sides may have gained by the effect.

        If it only helped one side or only hurt the other, their chances cannot have moved the opposite way. Losing
        models, a place or the lead hurts a side; taking a place or the lead helps it.
        """
        good = self.taken | self.ahead
        hurt = self.given | self.behind | {side for side, lost in enumerate(self.lost) if lost}
        helped, harmed = good - hurt, hurt - good
        return not (helped or harmed) or not helped.isdisjoint(gained) or bool(harmed.difference(gained))


def effect_of(before: Picture, after: Picture, sides: Sequence[str]) -> TableEffect:
    """Return the difference between two pictures of a table, apart from cards."""
    left = {group.id: group for group in after.groups}
    lost, words, hurt, burdens = [False] * len(sides), [], [], []
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
        if now is not None:
            old = {token.kind for token in group.tokens}
            burdens += [(group.id, f"{unit}: {one.label}") for one in now.tokens if one.label and one.kind not in old]
        if now is not None and _places(now).isdisjoint(_places(group)):
            burdens.append((group.id, f"{unit} {agreeing(name, 'falls')} back"))
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
    changed_hands = tuple([spot.id for spot in after.spots if spot.holder != holders.get(spot.id)])
    taken = frozenset([now for _, now in pairs if now is not None])
    given = frozenset([was for was, _ in pairs if was is not None])
    leads, score = _lead(before.goal, after.goal, sides)
    leader, former = (None if isinstance(one, UnsetType) else one.leader for one in (after.goal, before.goal))
    return TableEffect(
        changed=changed or bool(pairs),
        lost=tuple(lost),
        taken=taken,
        given=given,
        words=tuple(words),
        hurt=tuple(hurt),
        burdens=tuple(burdens),
        places=changed_hands,
        leads=leads,
        score=score,
        ahead=frozenset([leader] if leads and leader is not None else []),
        behind=frozenset([former] if leads and former is not None else []),
    )


def _lead(before: Victory | UnsetType, after: Victory | UnsetType, sides: Sequence[str]) -> tuple[str, str]:
    """Return a sentence on a new leading side and one on a new score, at most one of them; empty if there is none.

    The leading side is the one that would win if the battle ended now.
    """
    if isinstance(before, UnsetType) or isinstance(after, UnsetType) or not (before.now and after.now):
        return "", ""
    reason = reason_in(after.now)
    if after.leader != before.leader:
        words = "Nobody leads any more" if after.leader is None else f"{does(sides[after.leader], 'takes')} the lead"
        return f"{words}: {reason}" if reason else words, ""
    if not reason or reason == reason_in(before.now):
        return "", ""
    return "", f"{'Nobody leads' if after.leader is None else does(sides[after.leader], 'leads')}: {reason}"


def made_way(before: Picture, after: Picture, place: int) -> bool:
    """Return whether a place came closer to its holder: units of the holder arrived there, or others left or fell.

    Args:
        place: Number of the place. Its holder is the side that holds it in *after*.
    """
    spot = next(one for one in after.spots if one.id == place)

    def there(picture: Picture, own: bool) -> int:
        near = [
            _is_there(picture, spot, piece)
            for g in picture.groups
            if (g.side == spot.holder) == own
            for piece in g.pieces
        ]
        return sum(near)

    return there(after, True) > there(before, True) or there(after, False) < there(before, False)


def _is_there(picture: Picture, spot: Spot, piece: Piece) -> bool:
    """Return whether a model is in the hex of a place, or its base at most an inch or centimetre outside its radius."""
    reach = picture.scale // 2 if picture.cells else spot.radius + piece.radius + picture.scale
    return (piece.at[0] - spot.at[0]) ** 2 + (piece.at[1] - spot.at[1]) ** 2 <= reach**2


def _places(group: Group) -> set[tuple[int, int]]:
    return {piece.at for piece in group.pieces}


def _bearing(group: Group) -> tuple[object, ...]:
    return [(piece.id, piece.at) for piece in group.pieces], group.strength, group.tokens


def _number(strength: str) -> int:
    match = re.search(r"\d+", strength)
    return int(match[0]) if match else 0
