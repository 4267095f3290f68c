"""A match with numbered answers: one question at a time, with a limited number of answers."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from operator import index
from typing import Any, ClassVar, NamedTuple, Self
from weakref import WeakValueDictionary

import msgspec

from caltrop.asking import Heads
from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision, Match, Options, State, imagined, name_of, redacted, stored
from caltrop.envs.candidates import DRAWS, candidates
from caltrop.errors import InputError
from caltrop.journal import Setting
from caltrop.picture import Picture
from caltrop.players import Player, maker_of, playable, players
from caltrop.players.checked import shown


class Prepared:
    """A setting prepared for many games: everything that they have in common is computed once.

    Args:
        start: The state before the first step of each game.
    """

    def __init__(self, setting: Setting, start: State) -> None:
        self.setting, self.rules, self._start = setting, setting.rulebook, start
        first = self.begin(Seeded(0))
        self.opening: Picture = self.rules.depict(first.view(None), None)
        """Public picture of the table at the first decision of one of the games."""
        moved = self.rules.automated(first.state)
        self.sides: tuple[int, ...] = tuple(seat.side for seat in self.opening.seats if seat.side not in moved)
        """The sides that somebody plays."""
        self.layouts: dict[tuple[int, bool], Any] = {}
        """Layouts of the arrays, by the largest number of answers and whether answers are chosen head by head."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return prepared, (self.setting,)

    def begin(self, dice: Dice) -> Match:
        """Return a match at its first decision."""
        return Match(self.rules, self._start.clone(), dice, keep=False, record=False)


_known: WeakValueDictionary[tuple[bytes, bytes], Prepared] = WeakValueDictionary()


def prepared(setting: Setting) -> Prepared:
    """Return a setting prepared for many games.

    Environments with equal settings share the result and its rulebook, so that their views are equal.
    Raises InputError for a name or a value that does not exist; the message names the nearest right one.
    """
    try:
        start = setting.start()
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None
    # A scenario may be a user's file, which may have changed. So its present content is part of the key.
    key = msgspec.json.encode(setting, order="deterministic"), stored(start)
    if (prepared := _known.get(key)) is None:
        prepared = _known[key] = Prepared(setting, start)
    return prepared


NOTHING: Any = object()
"""Marks rows that have not been read from any value yet."""


class RowCache:
    """The latest rows of a side, with the records from which they were read."""

    __slots__ = ("asked", "last", "rows", "stack")

    def __init__(self, rows: Any, parts: int) -> None:
        self.rows = rows
        self.last: list[Any] = [NOTHING] * parts
        self.asked: Any = NOTHING
        self.stack: tuple[type, ...] = ()


class Desks(dict[int, RowCache]):
    """The latest arrays of a game's sides. They are only a cache, so a copy starts empty."""

    def __deepcopy__(self, memo: Any) -> Self:
        return type(self)()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()


class WaitingGame:
    """A game that waits for an answer: the question, a side's view, and the meaning of the numbers, computed on demand.

    Args:
        game: The game; later answers in it do not change this object.
        asked: The question; None if the game is over.
    """

    def __init__(self, game: Numbered, asked: Decision | None) -> None:
        self.asked = asked
        self._state = game.match.state
        self._game = game.most, game.proposers, game.draws
        self._seed = game.seed, 0 if asked is None else asked.side, game.questions[0 if asked is None else asked.side]
        self._views: dict[int | None, Any] = {}

    def view(self, side: int | None) -> Any:
        view = self._views.get(side)
        if view is None:
            view = self._views[side] = redacted(self._state, side)
        return view

    @cached_property
    def options(self) -> Options:
        if self.asked is None:
            raise ValueError("the game is over: nobody is asked")
        return self.asked.options(self.view(self.asked.side))

    @cached_property
    def answers(self) -> tuple[Any, ...]:
        """Answers for the numbers; empty if nobody is asked."""
        if self.asked is None:
            return ()
        most, proposers, draws = self._game
        return candidates(self.asked, self.view(self.asked.side), most, self.dice, proposers, draws, self.options)

    def dice(self, *about: Any) -> Seeded:
        """Return dice that decide the random answers at this question; different arguments give independent dice."""
        seed, side, number = self._seed
        return Seeded(" ".join(map(str, (seed, "answers", side, number, *about))))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {**{n: value for n, value in vars(self).items() if n not in ("options", "head")}, "_views": {}}

    @property
    def means(self) -> Any:
        """Meanings of the numbers: the answers in their order."""
        return self.answers


HEADS = ("kind", "unit", "target", "answer")
"""Names of the heads, in the order in which they are asked."""


class HeadChoice:
    """One head of a question: the parts of the answer chosen so far, and the possible next ones.

    A kind is numbered by its index in the vocabulary, a unit or target by its row plus one (0 for none), an answer by
    its index. A head with a single choice is skipped, except the last.

    Args:
        path: Choices so far: a kind, a unit, a target.
    """

    def __init__(self, tree: Heads, numbers: Mapping[type, int], size: int, path: tuple[Any, ...] = ()) -> None:
        self.tree, self.numbers, self.size = tree, numbers, size
        while len(path) < len(HEADS) - 1 and len(choices := self._choices(path)) == 1:
            path = (*path, choices[0])
        self.path = path

    def _choices(self, path: tuple[Any, ...]) -> tuple[Any, ...]:
        tree = self.tree
        return (tree.units, tree.targets, tree.answers)[len(path) - 1](*path) if path else tree.kinds

    @property
    def last(self) -> bool:
        """Return whether the next choice completes the answer."""
        return len(self.path) == len(HEADS) - 1

    @cached_property
    def means(self) -> dict[int, Any]:
        """The choices that the numbers of the next choice stand for: kinds of answer, units, or answers."""
        choices = self._choices(self.path)
        if self.last:
            return dict(enumerate(choices))
        meanings: dict[int, Any] = {}
        for choice in choices:
            number = self.numbers[choice] if not self.path else 0 if choice is None else choice + 1
            if number >= self.size:  # There are more units than rows.
                number = next(free for free in range(self.size - 1, -1, -1) if free not in meanings)
            meanings[number] = choice
        return dict(sorted(meanings.items()))

    @property
    def answers(self) -> tuple[Any, ...]:
        """The answers at the last head; empty at earlier heads."""
        return tuple(self.means.values()) if self.last else ()

    def after(self, number: int) -> HeadChoice:
        """Return the next head, once a number has been chosen."""
        return HeadChoice(self.tree, self.numbers, self.size, (*self.path, self.means[number]))


class HeadMoment(WaitingGame):
    """A moment at which one head of the question is asked.

    Args:
        asked: The question; None if the game is over.
        path: Choices so far.
    """

    def __init__(self, game: Headed, asked: Decision | None, path: tuple[Any, ...] = ()) -> None:
        super().__init__(game, asked)
        self._numbers, self._size, self._path = game.numbers, game.most, path

    @cached_property
    def head(self) -> HeadChoice:
        if self.asked is None:
            raise ValueError("the game is over: nobody is asked")
        tree = Heads(self.asked, self.options, self.dice, self._game[2])
        return HeadChoice(tree, self._numbers, self._size, self._path)

    @property
    def means(self) -> dict[int, Any]:
        return {} if self.asked is None else self.head.means

    @cached_property
    def answers(self) -> tuple[Any, ...]:
        return () if self.asked is None else self.head.answers

    def after(self, number: int) -> HeadMoment:
        """Return the moment of the next head, once a number has been chosen."""
        twin = type(self).__new__(type(self))
        vars(twin).update({name: value for name, value in vars(self).items() if name != "answers"})
        twin.head = self.head.after(number)
        twin._path = twin.head.path
        return twin


class Info(dict[str, Any]):
    """The info dictionary of an environment: it holds the mask, and computes the rest on demand.

    `info["view"]` is the side's view and `info["actions"]` the meanings of the numbers, both at the question for which
    the info was made. An environment with `views=True` returns infos that hold both. The values are shared, so they
    must not be changed.

    Args:
        views: True if the info holds view and actions from the beginning.
    """

    def __init__(self, moment: WaitingGame, side: int, views: bool, **held: Any) -> None:
        super().__init__(held)
        self._moment, self._side = moment, side
        if views:
            self["view"], self["actions"] = self["view"], self["actions"]

    def __missing__(self, key: str) -> Any:
        moment = self._moment
        if key == "view":
            return moment.view(self._side)
        if key != "actions":
            raise KeyError(key)
        return moment.means if moment.asked is not None and moment.asked.side == self._side else ()

    def __deepcopy__(self, memo: Any) -> Self:
        # Learners such as Stable-Baselines copy the info at every step.
        twin = type(self).__new__(type(self))
        twin.update(self)
        twin._moment, twin._side = self._moment, self._side
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class Numbered:
    """A game as a sequence of questions whose answers are numbered from 0.

    Sealed questions are asked in the order of the sides. Random answers depend only on the seed, the side and the
    number of its questions so far, and so never on hidden facts.

    Args:
        seed: Decides the dice, as in `caltrop.new`, and which answers are drawn if there are too many.
        most: The largest number of answers to a question.
        proposers: Computer players that add their answer if there are more than can be listed.
        match: The game, at any of its decisions; a new game by default.
        draws: Number of random answers to an open choice.
        asked: The question that is asked; by default the first open question of the game.
        desks: The latest arrays of the sides, if any.
    """

    def __init__(
        self,
        start: Prepared,
        seed: int | str,
        most: int,
        proposers: Sequence[Callable[[], Player]] = (),
        match: Match | None = None,
        *,
        draws: int = DRAWS,
        asked: Decision | None = None,
        desks: Desks | None = None,
    ) -> None:
        self.start, self.seed, self.most, self.proposers, self.draws = start, seed, most, proposers, draws
        self.match = start.begin(Seeded(seed)) if match is None else match
        self.questions = [0] * len(start.opening.seats)
        """Number of questions that each side has been asked."""
        self.desks = Desks() if desks is None else desks
        self._next(asked)

    def _next(self, asked: Decision | None = None) -> None:
        self.asked: Decision | None = _first_asked(self.match) if asked is None else asked
        if self.asked is not None:
            self.questions[self.asked.side] += 1
        self._turn()

    def _turn(self) -> None:
        self.moment = WaitingGame(self, self.asked)

    @property
    def allowed(self) -> Sequence[int]:
        """The numbers that are answers now, in order; empty if nobody is asked."""
        return range(len(self.moment.answers))

    @property
    def answers(self) -> tuple[Any, ...]:
        return self.moment.answers

    @property
    def options(self) -> Options:
        return self.moment.options

    def view(self, side: int | None) -> Any:
        return self.moment.view(side)

    def answer(self, number: int) -> None:
        """Give the answer with that number, and continue to the next question.

        Raises ValueError if the number is not a whole number, or is not an answer now.
        """
        self.take(self.numbered(number))

    def numbered(self, number: int) -> Any:
        """Return the answer of a number. Raises ValueError if the number is not whole, or is not an answer now."""
        number = whole(number, self.most)
        if self.asked is None:
            raise ValueError("the game is over: nobody is asked")
        if not 0 <= number < len(self.answers):
            complaint = f"{number} is masked: {name_of(self.asked)} has the answers 0 to {len(self.answers) - 1} now"
            raise ValueError(complaint)
        return self.answers[number]

    def take(self, action: Any) -> None:
        """Give an answer that is known to be legal, numbered or not, and continue to the next question.

        Raises ValueError when the game is over.
        """
        if self.asked is None:
            raise ValueError("the game is over: nobody is asked")
        self.match.follow(self.asked, action)
        self._next()

    def go_on_with(self, match: Match) -> None:
        """Replace the match by one with the same question, in which hidden facts may differ."""
        self.match = match
        self.asked = _first_asked(match)
        self._turn()

    def rewards(self, side: int) -> int:
        """Return 1 for the winner, -1 for a loser, 0 for a draw and during the game."""
        over = self.match.over
        if over is None or over.winner is None:
            return 0
        return 1 if over.winner == side else -1

    def words(self) -> str:
        if self.match.over is not None:
            return self.match.over.reason
        if self.asked is None:
            return ""
        lines = [f"side {self.asked.side}: {self.asked.prompt(self.view(self.asked.side))}"]
        means = self.moment.means
        pairs = means.items() if isinstance(means, dict) else enumerate(means)
        return "\n".join([*lines, *[f"{number:3} {meaning!r}" for number, meaning in pairs]])

    def __copy__(self) -> Self:
        return deepcopy(self)

    def copy(self) -> Self:
        """Return an independent copy of the game. The copy shares the dice; give it other dice before playing it."""
        twin = type(self).__new__(type(self))
        vars(twin).update(vars(self))
        match = self.match
        twin.match = Match(match.ruleset, match.state, match.dice, keep=False, record=False)
        twin.questions = list(self.questions)
        return twin


class Headed(Numbered):
    """A game whose answers are chosen head by head: first a kind, then a unit, a target, and one of the remaining
    answers.

    Args:
        start: See `Numbered`.
        seed: See `Numbered`.
        match: See `Numbered`.
        draws: The largest number of answers at the last head.
        asked: See `Numbered`.
        desks: See `Numbered`.
    """

    moment: HeadMoment

    def __init__(
        self,
        start: Prepared,
        seed: int | str,
        most: int,
        numbers: Mapping[type, int],
        match: Match | None = None,
        *,
        draws: int = DRAWS,
        asked: Decision | None = None,
        desks: Desks | None = None,
    ) -> None:
        self.numbers = numbers
        super().__init__(start, seed, most, (), match, draws=draws, asked=asked, desks=desks)

    def _turn(self) -> None:
        self.moment = HeadMoment(self, self.asked)

    @property
    def allowed(self) -> Sequence[int]:
        return tuple(self.moment.means)

    def answer(self, number: int) -> None:
        """Make the choice of the present head; the last head gives the answer.

        Raises ValueError if the number is not a whole number, or is not an answer now.
        """
        choice = self.numbered(number)
        if self.moment.head.last:
            self.take(choice)
        else:
            self.moment = self.moment.after(number)

    def numbered(self, number: int) -> Any:
        number = whole(number, self.most)
        if self.asked is None:
            raise ValueError("the game is over: nobody is asked")
        means = self.moment.means
        if number not in means:
            raise ValueError(f"{number} is masked: {name_of(self.asked)} has {list(means)} now")
        return means[number]


def whole(number: Any, most: int) -> int:
    """Return the number of an answer as an `int`.

    Raises ValueError if the number is anything else, such as `1.5`, `True`, `"0"` or an array of several numbers.

    Args:
        number: An `int`, or a scalar of NumPy that is a whole number.
        most: The largest number of answers to a question.
    """
    try:
        if not isinstance(number, bool):
            return index(number)
    except TypeError:
        pass
    raise ValueError(f"{shown(number)} is not an answer: an answer is a whole number from 0 to {most - 1}")


class NotReset(ValueError, AttributeError):
    """An environment was used before its first `reset`."""


class SavedEnvironment(NamedTuple):
    """The saved state of an environment; it can be pickled."""

    of: tuple[Any, ...]
    """Identity of the environment and of its games, which `restore` compares."""
    values: dict[str, Any]


class Environment:
    """A mixin for environments: a clear error before the first `reset`, faithful copies, and saved games."""

    game: Numbered
    start: Prepared
    most: int
    draws: int
    heads: bool
    proposers: tuple[Callable[[], Player], ...]
    layout: Any
    changing: ClassVar[tuple[str, ...]]
    """Names of the attributes that change during a game."""
    _desks: Desks

    @property
    def _kind(self) -> tuple[Any, ...]:
        return type(self).__name__, self.start.setting, self.most, self.draws, self.heads

    def _new_game(self, seed: int | str) -> Numbered:
        if self.heads:
            return Headed(self.start, seed, self.most, self.layout.kinds, draws=self.draws, desks=self._desks)
        return Numbered(self.start, seed, self.most, self.proposers, draws=self.draws, desks=self._desks)

    def save(self) -> SavedEnvironment:
        """Return the state of the environment: the game, its dice, and its players."""
        values = vars(self)
        return SavedEnvironment(self._kind, deepcopy({name: values[name] for name in self.changing if name in values}))

    def restore(self, state: Any) -> Any:
        """Restore the state of an environment of the same games, which then continues as that one did.

        Raises ValueError for any other state.

        Args:
            state: Result of `save`, of this environment or of another one of the same games.
        """
        if not isinstance(state, SavedEnvironment) or state.of != self._kind:
            raise ValueError("this was not saved by an environment of the same games: give what save() has given")
        for name in self.changing:
            vars(self).pop(name, None)
        vars(self).update(deepcopy(state.values))
        if "game" in vars(self):
            self.game.desks = self._desks

    def __getattr__(self, name: str) -> Any:
        if name in ("game", "agents", "agent_selection", "infos", "rewards", "terminations", "truncations"):
            raise NotReset("reset first: call reset() before the first step, and no game has begun yet")
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    def __copy__(self) -> Self:
        return deepcopy(self)


def _first_asked(match: Match) -> Decision | None:
    """Return the first of the open questions; None if the game is over."""
    return None if match.over is not None else min(match.waiting, key=_side, default=None)


def _side(decision: Decision) -> int:
    return decision.side


def guessed(match: Match, side: int, dice: Dice) -> Match:
    """Return a game that agrees with everything that *side* knows; hidden facts are drawn at random.

    It is public which sides have answered a sealed question. Their answers are drawn from all legal ones.

    Args:
        dice: Decide the hidden facts and all later dice of the game.
    """
    real = match.state
    whole = imagined(match.ruleset, match.view(side), side, dice)
    if any(answer is not None for answer in real.answers):
        t = whole.state.clone()
        for n, (asked, answer) in enumerate(zip(real.asked, real.answers, strict=True)):
            if answer is not None and asked.side != side:
                drawn = asked.options(redacted(t, asked.side)).sample(dice)
                t.answers = (*t.answers[:n], drawn, *t.answers[n + 1 :])
        whole.state = t
    return whole


def proposers_of(game: str, who: Sequence[str | Callable[[], Player]]) -> tuple[Callable[[], Player], ...]:
    """Return the makers of the players that propose answers; unknown names are skipped.

    Raises InputError for a module without such a callable.
    """
    levels = playable(game)
    return tuple([maker_of(one, game) for one in who if not isinstance(one, str) or ":" in one or one in levels])


def without_search(game: str) -> str:
    """Return the name of the game's strongest computer player that does not search."""
    names = players(game)
    return next(name for name in ("veteran", "regular", "recruit", "random") if name in names)


def fresh_seed() -> int:
    return secrets.randbits(48)


def check_most(most: int) -> int:
    """Return *most* unchanged. Raises InputError for anything but a whole number of at least 2."""
    if type(most) is not int or most < 2:
        raise InputError("there are two answers at least: max_actions is 2 or more", field="max_actions")
    return most


__all__ = [
    "RowCache",
    "Desks",
    "HEADS",
    "Environment",
    "HeadChoice",
    "HeadMoment",
    "Headed",
    "Info",
    "WaitingGame",
    "NotReset",
    "Numbered",
    "Prepared",
    "SavedEnvironment",
    "check_most",
    "fresh_seed",
    "guessed",
    "prepared",
    "proposers_of",
    "whole",
    "without_search",
]
