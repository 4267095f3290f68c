"""A player that looks for rare events, and games between two such players.

Players who want to win never use many rules: nobody retreats from close combat with the best unit without need. The
seeker tries to use every clause. The seeker compares some answers and takes the one after which the least used clauses
fire, in the answer itself and in a little random play after it. The seeker remembers the clauses used so far, also in
earlier games. Rare rules need armies that have met, so the seeker sometimes plays to win, more often in some games than
in others. Rules that only refuse are used by illegal requests alone. Before each answer the seeker therefore tries an
action that is similar to a legal one.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from time import monotonic
from typing import Any

import msgspec

from caltrop.chance import Dice, Seeded
from caltrop.clauses import MARKS, Mark, counting
from caltrop.engine import Decision, Listed, Match, Refusal, imagined, ruleset
from caltrop.journal import Setting
from caltrop.lab.sample import settings, skilled
from caltrop.lab.workers import workers
from caltrop.players import UNBOUNDED, Budget, player
from caltrop.scenarios.cases import name_of
from caltrop.scenarios.playing import first_start
from caltrop.scenarios.rulings import Ruling, position, rulings

ANSWERS = 6
"""Largest number of answers that the seeker compares."""
AHEAD = 3
"""Number of random answers that the seeker plays after each compared answer."""
APART = 7
"""Distance between the settings of two games in the order of the sample; neighbours in this order are too similar."""
FADES = 0.7
"""Factor on the worth of marks for each further answer until they fire."""
FROM_A_RULING = 30
"""Largest number of acts played from a position of a ruling."""
AGAIN = 6
"""Largest number of games from a ruling's position, with other dice each time, if its clauses have never fired."""
BESIDE = 24
"""Bound of random numbers in illegal requests: at least this number, or twice the original number."""
SHREWD = (1, 1, 3, 5)
"""Numbers of answers, out of seven, that are chosen to win. Each game uses one of the numbers."""
STRANDS = 2
"""Number of seekers in a sample, each with its own memory; fixed, so that the number of processes changes nothing."""
ENDLESS = 20_000
"""Number of acts after which a game is stopped. A limit is needed because seekers do not try to end a game."""

WORDS = (
    "Seekers play every side. Of several answers they take the one after which the rarest clauses fire. Now and then "
    "they answer at random, or play to win. Before each answer they try a legal answer with one number changed, so "
    "that refusals are tested too. Of each seven settings of the other sample they play the one whose house rules and "
    "parts have been used least. At the end they play a few acts from each position of the rulings, and more than once "
    "if its clauses have never fired."
)
"""Description of the seekers' games."""


Place = tuple[Ruling, str, str]
"""A ruling, the name of one of its cases that has a scene, and an edition for which the case holds."""


class Seeker:
    """A player that prefers answers after which rarely fired marks fire.

    Args:
        seen: Number of times that each mark has fired in games so far, by id. The mapping is shared between seekers,
            and no seeker changes it.
        shrewd: Number of answers out of seven that are chosen to win.
    """

    def __init__(self, rules: str, seen: dict[str, int], shrewd: int = 1) -> None:
        self.ruleset, self.seen, self.shrewd = ruleset(rules), seen, shrewd
        self.ruleset.vocabulary()
        self.marks: list[Mark] = list(MARKS.values())
        self.skilled = player(skilled(rules), rules)

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Return the answer after which the rarest clauses fire; sometimes a random answer or a good one.

        Marks that fire while the seeker thinks are not counted, because they depend on the odds that the process has
        cached.
        """
        with counting():
            return self._decide(decision, view, dice)

    def _decide(self, decision: Decision, view: Any, dice: Dice) -> Any:
        options = decision.options(view)
        mood = dice.below(7)
        if mood < self.shrewd:
            return self.skilled.decide(decision, view, dice)
        if mood == self.shrewd:
            return options.sample(dice)
        answers: list[Any] = []
        if isinstance(options, Listed) and len(options) <= ANSWERS:
            answers += options
        else:
            for answer in [options.sample(dice) for _ in range(ANSWERS)]:
                if answer not in answers:
                    answers.append(answer)
        if len(answers) == 1:
            return answers[0]
        values = [(self._worth(decision, view, answer, Seeded(dice.below(1 << 30))), answer) for answer in answers]
        best = max(worth for worth, _ in values)
        equal = [answer for worth, answer in values if worth == best]
        return equal[dice.below(len(equal))]

    def ask_beside(self, decision: Decision, view: Any, dice: Dice) -> Refusal | None:
        """Change one number of a legal action, and return the refusal of the changed action; None if it is legal.

        People make similar mistakes: a target out of reach, an enemy's unit, a die that does not exist.
        """
        options = decision.options(view)
        action = options.sample(dice)
        numbers = sum(1 for _ in numbers_in(action))
        if not numbers:
            return None
        return options.refusal(with_another(action, dice.below(numbers), dice))

    def _worth(self, decision: Decision, view: Any, answer: Any, dice: Dice) -> float:
        """Return the rarity of the marks that fire after an answer; a mark seen n times counts 1 / (n + 1)."""
        with counting() as fired:
            match = imagined(self.ruleset, view, decision.side, dice)
            asked, worth = next((d for d in match.waiting if d == decision), None), 0.0
            for step in range(AHEAD + 1):
                if asked is None:
                    break
                fired.clear()
                match.follow(asked, answer if step == 0 else asked.options(match.view(asked.side)).sample(dice))
                worth += self._rarity(fired) * FADES**step
                asked = match.waiting[0] if match.over is None and match.waiting else None
        return worth

    def _rarity(self, fired: Mapping[str, int]) -> float:
        # Marks are sorted, because rounding makes a sum depend on the order.
        return sum(1 / (1 + self.seen.get(m.id, 0)) for m in self.marks if m.id in fired)


def numbers_in(value: Any) -> Iterable[int]:
    """Yield the whole numbers in an action and its parts, in order."""
    if type(value) is int:
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from numbers_in(getattr(value, name))
    elif isinstance(value, tuple):
        for one in value:
            yield from numbers_in(one)


def with_another(value: Any, which: int, dice: Dice) -> Any:
    """Return an action with one of its numbers replaced, by the index of the number in `numbers_in`."""
    if type(value) is int:
        return dice.below(max(BESIDE, 2 * value)) if which == 0 else value
    if not isinstance(value, msgspec.Struct | tuple):
        return value
    before = [getattr(value, name) for name in value.__struct_fields__] if isinstance(value, msgspec.Struct) else value
    after: list[Any] = []
    for part in before:
        after.append(with_another(part, which, dice))
        which -= sum(1 for _ in numbers_in(part))
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **dict(zip(value.__struct_fields__, after, strict=True)))
    return type(value)._make(after) if hasattr(value, "_make") else tuple(after)


def seek(setting: Setting, seed: str, seen: dict[str, int]) -> None:
    """Play one game between seekers, and add the marks fired by its acts to *seen*.

    Args:
        seed: Seed of the dice of game and players.
        seen: Number of times that each mark has fired so far, by id.
    """
    player = Seeker(setting.ruleset, seen, SHREWD[Seeded(f"{seed} mood").below(len(SHREWD))])
    with counting() as fired:
        match: Match = setting.begin(Seeded(f"{seed} table"), keep=False)
        _play_on(player, match, Seeded(f"{seed} players"), fired, ENDLESS)


def seek_from(place: Place, seed: str, seen: dict[str, int]) -> None:
    """Let seekers play a few acts from a position of a ruling, and count in *seen* the marks that fired."""
    ruling, case, edition = place
    player = Seeker(ruling.head.ruleset, seen)
    match = position(ruling, case, edition)
    match.dice = Seeded(f"{seed} table")
    with counting() as fired:
        _play_on(player, match, Seeded(f"{seed} players"), fired, FROM_A_RULING)


def _play_on(player: Seeker, match: Match, dice: Dice, fired: Counter[str], acts: int) -> None:
    seen = player.seen
    for _ in range(acts):
        if match.over is None and match.waiting:
            asked = match.waiting[0]
            view = match.view(asked.side)
            player.ask_beside(asked, view, dice)
            match.follow(asked, player.decide(asked, view, dice))
        for m in player.marks:
            if m.id in fired:
                seen[m.id] = seen.get(m.id, 0) + fired[m.id]
        fired.clear()
        if match.over is not None or not match.waiting:
            return


def places(name: str) -> list[Place]:
    """Return every position of a ruleset's rulings, in each edition for which its case holds."""
    if ruleset(name).rulings is None:
        return []
    places = []
    for ruling in rulings(name):
        cases: Sequence[Any] = ruling.head.cases  # type: ignore[attr-defined]
        for i, case in enumerate(cases):
            if first_start(case) is not None:
                places += [(ruling, name_of(case, i), edition) for edition in case.editions or ruling.editions]
    return places


def seek_sample(name: str, games: int, seed: int, jobs: int = 1) -> dict[str, int]:
    """Play games between seekers, and count the uses of each mark. The counts are the same for any number of *jobs*."""
    strands = [(name, range(first, games, STRANDS), seed) for first in range(min(STRANDS, games))]
    if jobs == 1:
        counted = [_strand(one) for one in strands]
    else:
        with workers(jobs) as pool:
            counted = list(pool.map(_strand, strands))
    return {id: sum(one.get(id, 0) for one in counted) for id in dict.fromkeys(id for one in counted for id in one)}


def _strand(strand: tuple[str, range, int]) -> dict[str, int]:
    name, numbers, seed = strand
    seen: dict[str, int] = {}
    played: Counter[object] = Counter()
    shown_at = monotonic()
    every = settings(name)
    for number in range(numbers.stop):
        near = list(islice(every, APART))
        if number not in numbers:
            continue
        setting = most_unseen(near, seen, played, Seeded(f"{seed} {number} setting"))
        played.update(parts_of(setting))
        seek(setting, f"{seed} {number}", seen)
        if monotonic() - shown_at > 10:
            shown_at = monotonic()
            print(f"{name}: game {number + 1} of {numbers.stop} between seekers", file=sys.stderr, flush=True)
    every_place = list(enumerate(places(name)))
    for number, place in every_place:
        if number % STRANDS == numbers.start:
            seek_from(place, f"{seed} place {number}", seen)
    for again in range(AGAIN):
        counts = by_clause(seen)
        for number, place in every_place:
            if any(counts.get(id) == 0 for id in (place[0].id, *place[0].head.clauses)):
                seek_from(place, f"{seed} place {number} again {again} strand {numbers.start}", seen)
    return seen


def by_clause(seen: Mapping[str, int]) -> dict[str, int]:
    """Return the number of uses of each clause that has code, given the uses of each mark."""
    numbers: dict[str, int] = {}
    for m in MARKS.values():
        for id in m.clauses:
            numbers[id] = numbers.get(id, 0) + seen.get(m.id, 0)
    return numbers


def parts_of(setting: Setting) -> Iterable[object]:
    """Return the parts of a setting: scenario and edition, each army, and each value of a house rule."""
    yield setting.scenario, setting.edition
    yield from dict.fromkeys(setting.armies)
    yield from setting.rules.items()


def most_unseen(near: Sequence[Setting], seen: Mapping[str, int], played: Mapping[object, int], dice: Dice) -> Setting:
    """Return the setting that promises the rarest events; of equally promising ones, a random one.

    A clause of the setting's house rules counts more if it was used less; each part of the setting counts more if it
    was played less. A value of a house rule therefore gets its turn even if its clauses are also used with the default
    value.
    """
    switches = {s.name: s.clauses for s in ruleset(near[0].ruleset).switches}
    counts = by_clause(seen)

    def worth(setting: Setting) -> float:
        brought = dict.fromkeys(id for name in setting.rules for id in switches[name])
        new = sum(1 / (1 + played.get(part, 0)) for part in parts_of(setting))
        return new + sum(1 / (1 + counts[id]) for id in brought if id in counts)

    best = max(map(worth, near))
    equal = [setting for setting in near if worth(setting) == best]
    return equal[dice.below(len(equal))]
