"""Hints: the answer of a strong player, as seen from one side, with reasons.

Reasons come from the game: the odds of rolls, the effect of a move on sight, range and distance, and the odds of an
attack later this turn. Chances of winning are compared too. Only the side's own knowledge is used: later decisions are
explored in a world that agrees with what the side sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from caltrop.asking import Offered, offered
from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision, Loud, Ruleset, State, answer, done_quietly, redacted, words_of
from caltrop.engine.rule import AnyAction
from caltrop.geometry import Disc, gap_up
from caltrop.picture import Group, Picture, Point
from caltrop.players.protocol import UNBOUNDED, Budget, Player, forked
from caltrop.players.registry import player, players
from caltrop.players.thinking import Thinker

THINK_NO_MORE = Budget(nodes=0)
"""Budget for a player that should follow its current plan without further thought."""
ADVISERS = ("commander", "veteran", "regular", "random")
"""Names of the players that give hints, in order of preference."""
AHEAD = 60
"""Number of decisions of the same turn that are searched for a following attack."""
FOES = 8
"""Largest number of enemies to compare; the nearest enemies are used."""
WORTH_TELLING = 0.005
"""Smallest change of the chance of winning that is mentioned."""


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """Advice for one decision: the answer that a strong player would give, and its reasons."""

    action: AnyAction
    words: str
    unit: int | None = None
    """Id of the unit in the answer; None if the answer names no unit."""
    to: Point | None = None
    """New place of that unit's first model, if it moves."""
    reasons: tuple[str, ...] = ()
    """Reasons for the answer, each in a few words, the most important first."""


def said(rules: Ruleset, decision: Decision, view: Any, action: Any, side: int) -> str:
    """Return an answer in words, with the name of its unit."""
    words, unit = words_of(action), _unit_of(decision, view, action)
    if isinstance(decision, Offered):
        words = decision.told(view, action).words
    name = _named(rules, view, side, unit)
    return words if not name or name.lower() in words.lower() else f"{name}: {words[:1].lower()}{words[1:]}"


def _named(rules: Ruleset, view: Any, side: int, unit: int | None) -> str:
    return next((group.in_words for group in rules.depict(view, side).groups if group.id == unit), "")


def _unit_of(decision: Decision, view: Any, action: Any) -> int | None:
    unit = decision.told(view, action).unit if isinstance(decision, Offered) else None
    for thing in (action, decision):
        if unit is None:
            units = [getattr(thing, name, None) for name in ("unit", "fighter")]
            unit = next((one for one in units if isinstance(one, int)), None)
    return unit


def adviser(game: str, without: str = "") -> Player:
    """Return a new player of the level that gives hints in this game.

    Args:
        without: Name of a level to leave out.
    """
    levels = players(game)
    return player(next(name for name in ADVISERS if name in levels and name != without), game)


def hint(
    rules: Ruleset,
    decision: Decision,
    view: Any,
    who: Player | None = None,
    dice: Dice | None = None,
    budget: Budget = UNBOUNDED,
) -> Hint:
    """Return the answer of a strong player, with reasons.

    Args:
        view: The state as the asked side sees it; it is not changed.
        who: The player to ask; by default the game's adviser.
        dice: The player's own dice; by default dice that always fall the same.
        budget: Limit to the player's thinking.
    """
    side = decision.side
    thinker = Thinker(adviser(rules.name) if who is None else who, rules)
    action = thinker.decide(decision, view, Seeded("hint") if dice is None else dice, budget)
    to, reasons = reasons_for(rules, decision, view, action, thinker.player)
    quiet = done_quietly(view, decision, action)
    if not isinstance(quiet, Loud):
        reasons += _chances(thinker.evaluate(view, side), thinker.evaluate(quiet, side))
    return Hint(
        action=action,
        words=said(rules, decision, view, action, side),
        unit=_unit_of(decision, view, action),
        to=to,
        reasons=tuple(reasons),
    )


def reasons_for(
    rules: Ruleset, decision: Decision, view: Any, action: Any, who: Player
) -> tuple[Point | None, list[str]]:
    """Return the place to which an answer moves its unit, and the reasons for the answer, each in a few words.

    Args:
        view: The state as the asked side sees it; it is not changed.
        who: The player who gave the answer; it keeps no memory of this.
    """
    side, unit = decision.side, _unit_of(decision, view, action)
    reasons = _odds(rules, view, decision, action)
    rolled = bool(reasons)
    quiet = done_quietly(view, decision, action)
    asked = offered(decision)
    open_ = all(offer.action != action for offer in asked.offers(view))
    to, after = None, None if isinstance(quiet, Loud) else quiet
    if after is None and open_:
        after = _tried(rules, view, decision, action)
    if after is not None and unit is not None:
        before, then = rules.depict(view, side), rules.depict(after, side)
        old, new = _group(before, unit), _group(then, unit)
        if old is not None and new is not None and old.pieces and new.pieces and _places(old) != _places(new):
            to = new.pieces[0].at if open_ else None
            reasons += _move(rules, (view, before, old), (after, then, new))
            reasons = reasons or _approach(before, old, new)
        elif new is not None and new.pieces and (old is None or not old.pieces):
            to = new.pieces[0].at if open_ else None
            reasons += _place(rules, (after, then, new))
    if not rolled:
        reasons += _follows(rules, decision, view, action, who)
    return to, reasons


def stands(before: Picture, after: Picture, side: int) -> tuple[int, str]:
    """Return the distance of a side's first moved unit from its nearest enemy, as a number and in words.

    If no unit has moved, these are 0 and an empty text.
    """
    for old in before.groups:
        new = _group(after, old.id)
        if after.form != "plane" or old.side != side or new is None or not new.pieces or _places(old) == _places(new):
            continue
        foes = _foes(after, new)
        if foes:
            far = _gap(_discs(new), _discs(foes[0]))
            return far, f"to {_whole(far, after)} {after.measure} from {foes[0].in_words}"
    return 0, ""


def _follows(rules: Ruleset, decision: Decision, view: Any, action: Any, who: Player) -> list[str]:
    """Return a reason that names the next attack that the player plans this turn; empty if no attack is planned.

    If the answer has a unit, only an attack by that unit counts. An attack on a target that others attack first is left
    out, because its odds depend on their dice.
    """
    side, unit = decision.side, _unit_of(decision, view, action)
    if rules.forecasts is None or rules.round(view) == 0 or decision.settles:
        return []
    who, dice = forked(who), Seeded("hint")
    ids = {group.id for group in rules.depict(view, side).groups}
    turn, t = rules.turn(view), _tried(rules, view, decision, action)
    attacked: set[int | None] = set()
    for _ in range(AHEAD):
        if t is None or t.over is not None or rules.turn(t) != turn or len(t.asked) != 1:
            return []
        asked = t.asked[0]
        seen = redacted(t, asked.side)
        options = asked.options(seen)
        if asked.side == side:
            if {group.id for group in rules.depict(seen, side).groups} - ids:
                return []  # A hidden unit of the imagined world may not be told.
            next_ = who.decide(asked, seen, dice, THINK_NO_MORE)
            about = _unit_of(asked, seen, next_)
            odds = _odds(rules, seen, asked, next_)
            target = asked.told(seen, next_).target if isinstance(asked, Offered) else None
            if odds and unit in (None, about):
                if target in attacked:
                    return []
                words = said(rules, asked, seen, next_, side)
                name = _named(rules, seen, side, unit)
                return [f"then {words.removeprefix(f'{name}: ')} ({odds[0][:1].lower()}{odds[0][1:]})"]
            if odds:
                attacked.add(target)
        elif options.several():
            return []
        else:
            next_ = options.first()
        answer(t, dice, 0, next_)
    return []


def _odds(rules: Ruleset, view: Any, decision: Decision, action: Any) -> list[str]:
    forecasts = None if rules.forecasts is None else rules.forecasts(view, decision.side, action, decision)
    return [] if forecasts is None or not forecasts.headline else [forecasts.headline]


def _tried(rules: Ruleset, view: Any, decision: Decision, action: Any) -> State | None:
    """Return the state after an answer, in a world that agrees with the view; None if several decisions are open."""
    if len(view.asked) != 1:
        return None
    t: State = rules.guess(view, decision.side, Seeded("hint")).clone()
    answer(t, Seeded("hint dice"), 0, action)
    return t


def _chances(before: float, after: float) -> list[str]:
    """Return the gain in the chance of winning as a reason; empty if the gain is too small.

    The chance may be lower after the answer, because its dice have not been rolled yet.
    """
    now, then = round(100 * before), round(100 * after)
    if after - before < WORTH_TELLING or now == then:
        return []
    return [f"chance of winning {now} % before, {then} % after"]


def _group(picture: Picture, unit: int) -> Group | None:
    return next((one for one in picture.groups if one.id == unit), None)


def _places(group: Group) -> list[Point]:
    return [piece.at for piece in group.pieces]


def _discs(group: Group) -> list[Disc]:
    return [(*piece.at, piece.radius) for piece in group.pieces]


def _gap(some: Sequence[Disc], others: Sequence[Disc]) -> int:
    return max(min([gap_up(a, b) for a in some for b in others]), 0)


Standing = tuple[Any, Picture, Group]
"""A state, its picture, and the group of one unit in it."""


def _move(rules: Ruleset, before: Standing, after: Standing) -> list[str]:
    words = []
    old_targets, new_targets = _targets(rules, *before), _targets(rules, *after)
    gained = [name for name in new_targets if name not in old_targets]
    if gained:
        more = f" and {len(gained) - 1} more" if len(gained) > 1 else ""
        names, reach = f"{gained[0]}{more}", after[1].reach
        if reach == "range":
            words.append(f"{names} can be fired at from there")
        else:
            words.append(f"a {reach} reaches {names} from there")
    if rules.sights is not None:
        seen, open_ = _exposed(rules, *after)
        was, bare = _exposed(rules, *before)
        if seen == 0:
            words.append("no enemy sees it there")
        elif seen < was:
            words.append(f"{seen} {'enemy sees' if seen == 1 else 'enemies see'} it there, {was} now")
        elif open_ == 0 and bare:
            words.append("it is in cover there from all who see it")
    words += _nearer(before[1], before[2], after[2])
    return words


def _place(rules: Ruleset, there: Standing) -> list[str]:
    words, (_, picture, group) = [], there
    if rules.sights is not None and _foes(picture, group):
        seen, bare = _exposed(rules, *there)
        if seen == 0:
            words.append("no enemy sees it there")
        elif bare == 0:
            words.append("it is in cover there from all who see it")
    if picture.form == "plane" and picture.spots:
        far, spot = min([(_gap(_discs(group), [(*one.at, 0)]), one) for one in picture.spots], key=lambda one: one[0])
        words.append(f"{round(far / picture.scale)} {picture.measure} from {spot.name}")
    return words


def _foes(picture: Picture, group: Group) -> list[Group]:
    own = _discs(group)
    groups = [one for one in picture.groups if one.side != group.side and one.pieces]
    return sorted(groups, key=lambda one: (_gap(own, _discs(one)), one.id))[:FOES]


def _targets(rules: Ruleset, t: Any, picture: Picture, group: Group) -> list[str]:
    if not group.reach or rules.sights is None or picture.form != "plane":
        return []
    near = [foe for foe in _foes(picture, group) if _gap(_discs(group), _discs(foe)) <= group.reach]
    return [foe.in_words for foe in near if any(one.seen for one in rules.sights.see(t, group.id, (foe.id,)))]


def _exposed(rules: Ruleset, t: Any, picture: Picture, group: Group) -> tuple[int, int]:
    """Return the number of enemies that see the unit, and of enemies that see a model of it in the open."""
    assert rules.sights is not None
    seen = bare = 0
    for foe in _foes(picture, group):
        for one in rules.sights.see(t, foe.id, (group.id,)):
            seen += one.seen
            bare += any(piece.seen and not (piece.in_cover or piece.obstructed) for piece in one.pieces)
    return seen, bare


def _approach(picture: Picture, old: Group, new: Group) -> list[str]:
    """Return the change of the unit's distance from its closest enemy as a reason.

    A change of less than half a unit of length is left out.
    """
    if picture.form != "plane" or not _foes(picture, old):
        return []
    to, was = (_foes(picture, group)[0] for group in (new, old))
    near, far = _gap(_discs(old), _discs(to)) - _gap(_discs(new), _discs(to)), _gap(_discs(new), _discs(was))
    far -= _gap(_discs(old), _discs(was))
    words = [(near, f"nearer to {to.in_words}"), (far, f"farther from {was.in_words}")]
    return [f"{_whole(by, picture)} {picture.measure} {how}" for by, how in words if _whole(by, picture) > 0][:1]


def _nearer(picture: Picture, old: Group, new: Group) -> list[str]:
    if picture.form != "plane" or not picture.spots:
        return []
    spot = min(picture.spots, key=lambda one: (_gap(_discs(new), [(*one.at, 0)]), one.id))
    was, is_ = _gap(_discs(old), [(*spot.at, 0)]), _gap(_discs(new), [(*spot.at, 0)])
    by = _whole(was - is_, picture)
    return [f"{by} {picture.measure} nearer to {spot.name}"] if by > 0 else []


def _whole(length: int, picture: Picture) -> int:
    """Return a length in whole units of the game's measure: a reason for an answer needs no fractions."""
    return (length + picture.scale // 2) // picture.scale
