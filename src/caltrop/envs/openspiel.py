"""Register the games with OpenSpiel: importing this module adds `caltrop_RULESET` for each ruleset, with underscores
for hyphens.

Every throw is a chance node: its outcomes are the classes of rolls that the rules tell apart, with their chances.
A state stores everything that each side has seen, so information states are texts with perfect recall.
`resample_from_infostate` gives a game that may be the real one as far as a side knows. OpenSpiel's bots written in
Python play these games; its bots in C++ are not meant for games that are written in Python.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import msgspec

from caltrop.chance import GivenRolls, OpenThrow, Roll, RollMissing, Seeded
from caltrop.engine import HouseValue, Match, rulesets, stored
from caltrop.envs.candidates import MOST, PROPOSERS
from caltrop.errors import InputError
from caltrop.lab.extras import needed

needed("caltrop.envs.openspiel", "openspiel", "numpy", "gymnasium", "pyspiel")

import numpy as np  # noqa: E402  what is missing is named first
import pyspiel  # noqa: E402

from caltrop.envs.layout import Layout  # noqa: E402
from caltrop.envs.numbered import Numbered, Prepared, check_most, guessed, prepared, proposers_of  # noqa: E402
from caltrop.journal import Setting  # noqa: E402
from caltrop.journal.replay import action_of  # noqa: E402
from caltrop.players import Player  # noqa: E402

LONGEST = 200_000
"""Largest number of acts and dice in a game."""

_PARAMETERS: dict[str, Any] = {
    "scenario": "",
    "edition": "",
    "armies": "",
    "size": 0,
    "rules": "",
    "max_actions": MOST,
    "seed": 0,
}

SIDES = 10_000
"""The largest number of outcomes of a chance node. A throw with more outcomes is resolved die by die; no single die or
pile of cards has more.
"""


class _Plan(NamedTuple):
    """Everything that the games of one `CaltropGame` share at their beginning."""

    start: Prepared
    seed: int
    most: int
    proposers: tuple[Callable[[], Player], ...]


class _Act(NamedTuple):
    """A played act. Together with the acts before it, it determines how to reach a question again."""

    before: _Act | None
    action: Any
    """The answer; None for the part of the game before the first question."""
    rolls: tuple[Roll, ...]


class _Course:
    """A game in progress, with the dice since the last answer. It never changes, so copies share it.

    Args:
        game: The game before the answer; None before its first question.
        number: The answer that is being played; None at a question, and before the first.
        faces: Faces rolled so far of a throw that is resolved die by die.
        wanted: The throw whose result is needed; None at a question.
        known: For each side a hash of everything it has seen.
        last: The last act before *game*; None at its beginning.
        root: The resampled game from which the acts continue; None if they continue from the beginning.
    """

    def __init__(
        self,
        game: Numbered | None,
        number: int | None,
        rolls: tuple[Roll, ...],
        faces: Roll,
        throw: OpenThrow | None,
        views: tuple[bytes, ...],
        plan: _Plan,
        last: _Act | None = None,
        root: Numbered | None = None,
    ) -> None:
        self.plan, self.last, self.root = plan, last, root
        self.game, self.number, self.rolls, self.faces = game, number, rolls, faces
        self.wanted, self.known = throw, views

    def __copy__(self) -> _Course:
        return self

    def __deepcopy__(self, memo: Any) -> _Course:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        acts, act = [], self.last
        while act is not None:
            acts.append((act.action, act.rolls))
            act = act.before
        packed = zlib.compress(msgspec.json.encode(acts[::-1]))
        under_way = self.number, self.rolls, self.faces, self.wanted, self.known
        return _read_back, (self.plan, self.root, packed, *under_way)

    def next(
        self,
        number: int | None = None,
        rolls: tuple[Roll, ...] = (),
        faces: Roll = (),
        throw: OpenThrow | None = None,
    ) -> _Course:
        """Return a copy with another pending answer or other pending dice."""
        return _Course(self.game, number, rolls, faces, throw, self.known, self.plan, self.last, self.root)


def _read_back(
    plan: _Plan,
    root: Numbered | None,
    packed: bytes,
    number: int | None,
    rolls: tuple[Roll, ...],
    faces: Roll,
    throw: OpenThrow | None,
    views: tuple[bytes, ...],
) -> _Course:
    game, last = root, None
    for raw, fallen in msgspec.json.decode(zlib.decompress(packed)):
        action = None if raw is None else action_of(plan.start.rules, raw)
        last = _Act(last, action, tuple([tuple(roll) for roll in fallen]))
        game = _played(plan, game, action, last.rolls)
    return _Course(game, number, rolls, faces, throw, views, plan, last, root)


class CaltropGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of Caltrop with its setting; each ruleset has a class of its own.

    Args:
        params: The parameters of `pyspiel.load_game`.
    """

    ruleset: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = _PARAMETERS | (params or {})
        setting = Setting.chosen(
            self.ruleset,
            given["edition"] or None,
            given["scenario"] or None,
            tuple(filter(None, given["armies"].split(","))),
            given["size"] or None,
            _rules(given["rules"]),
        )
        self.start = prepared(setting)
        self.most: int = given["max_actions"]
        self.seed: int = given["seed"]
        self.proposers = proposers_of(self.ruleset, PROPOSERS)
        self.layout = Layout(self.start, self.most)
        self.plan = _Plan(self.start, self.seed, self.most, self.proposers)
        players = len(self.start.sides)
        information = pyspiel.GameInfo(
            num_distinct_actions=check_most(self.most),
            max_chance_outcomes=SIDES,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if players == 2 else None,
            max_game_length=LONGEST,
        )
        super().__init__(_kind(self.ruleset, players), information, params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how a copy is made: the game of the same name and parameters."""
        return pyspiel.load_game, (self.get_type().short_name, self.get_parameters())

    def new_initial_state(self) -> CaltropState:
        """Return the game before its first die or question."""
        return CaltropState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Return an observer that gives arrays and texts."""
        return _Observer(self, iig_obs_type)


class CaltropState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of a game in progress.

    Args:
        game: Its `CaltropGame`.
    """

    def __init__(self, game: CaltropGame) -> None:
        super().__init__(game)
        nothing = tuple([b""] * len(game.start.opening.seats))
        self._course = _begun(_Course(None, None, (), (), None, nothing, game.plan))

    # --- the player to move ---

    def current_player(self) -> int:
        """Return the index of the asked player among the sides that players lead."""
        course = self._course
        if course.wanted is not None:
            return int(pyspiel.PlayerId.CHANCE)
        game = _game_of(course)
        if game.asked is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return game.start.sides.index(game.asked.side)

    def is_terminal(self) -> bool:
        return self._course.wanted is None and _game_of(self._course).asked is None

    def returns(self) -> list[float]:
        game = self._course.game
        sides = self.get_game().start.sides
        return [0.0 if game is None or not self.is_terminal() else float(game.rewards(side)) for side in sides]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the next throw, or the faces of its next die, counted from 0, with their chances."""
        throw = self._course.wanted
        if throw is None:
            raise ValueError("nobody throws dice now")
        classes = throw.outcomes(SIDES)
        if classes is None:
            return [(face, 1 / throw.pool.sides) for face in range(throw.pool.sides)]
        rolls, whole = classes
        return [(number, weight / whole) for number, (_, weight) in enumerate(rolls)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(_game_of(self._course).answers)))

    def _apply_action(self, action: int) -> None:
        course = self._course
        if course.wanted is None:
            self._course = _begun(course.next(action))
            return
        classes = course.wanted.outcomes(SIDES)
        faces = (*course.faces, action + 1) if classes is None else classes[0][action][0]
        if len(faces) < course.wanted.pool.count:
            self._course = course.next(course.number, course.rolls, faces, course.wanted)
        else:
            self._course = _begun(course.next(course.number, (*course.rolls, faces)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            throw = self._course.wanted
            classes = None if throw is None else throw.outcomes(SIDES)
            faces = (action + 1,) if classes is None else classes[0][action][0]
            return f"the dice show {' '.join(map(str, faces))}" if len(faces) > 1 else f"the die shows {faces[0]}"
        return repr(_game_of(self._course).answers[action])

    def __str__(self) -> str:
        """Return the table as everybody may see it, as a text."""
        game = self._course.game
        dice = f" {self._course.rolls} {self._course.faces}" if self._course.wanted is not None else ""
        return "before the first question" + dice if game is None else _text(game, None) + dice

    # --- information ---

    def information_state_string(self, player: int | None = None) -> str:
        """Return a player's view as text, after a hash of everything that the player has seen."""
        side = self._side(player)
        game = self._course.game
        return f"{self._course.known[side].hex()} {'' if game is None else _text(game, side)}"

    def observation_string(self, player: int | None = None) -> str:
        game = self._course.game
        return "" if game is None else _text(game, self._side(player))

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return a player's view as an array: see `caltrop.envs.layout`."""
        values: list[float] = self.array(self._side(player)).tolist()
        return values

    def array(self, side: int) -> Any:
        """Return a side's view as an array; only zeros before the first question."""
        layout, game = self.get_game().layout, self._course.game
        return np.zeros(layout.size, np.float32) if game is None else layout.array(game, side)

    def _side(self, player: int | None) -> int:
        side: int = self.get_game().start.sides[self.current_player() if player is None else player]
        return side

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> CaltropState:
        """Return a state that agrees with everything that a player knows; hidden facts are drawn at random.

        Raises ValueError at a chance node, whose result nobody knows yet.

        Args:
            probability_sampler: Returns random numbers from 0 to 1, which decide the hidden facts.
        """
        course = self._course
        if course.wanted is not None:
            raise ValueError("a game is drawn anew at a question, and dice are falling")
        twin: CaltropState = self.clone()
        real = _game_of(course)
        whole = guessed(real.match, self._side(player_id), Seeded(repr(probability_sampler())))
        game = real.copy()
        game.go_on_with(whole)
        twin._course = _Course(game, None, (), (), None, course.known, course.plan, None, game)
        return twin


class _Observer:
    """Observations with the interface of OpenSpiel's Python code."""

    def __init__(self, game: CaltropGame, kind: Any) -> None:
        self.recalls = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(game.layout.size, np.float32)
        self.dict = {
            name: self.tensor[section.start : section.end].reshape(section.rows, len(section.columns))
            for name, section in game.layout.sections.items()
        }

    def set_from(self, state: CaltropState, player: int) -> None:
        self.tensor[:] = state.array(state._side(player))

    def string_from(self, state: CaltropState, player: int) -> str:
        return state.information_state_string(player) if self.recalls else state.observation_string(player)


def _game_of(course: _Course) -> Numbered:
    if course.game is None:
        raise ValueError("the game waits for its first dice")
    return course.game


def _begun(course: _Course) -> _Course:
    """Continue with the rolled dice up to a question, the end, or unrolled dice."""
    game, action = course.game, None
    if game is not None:
        game = game.copy()
        action = game.numbered(-1 if course.number is None else course.number)
    try:
        played = _played(course.plan, game, action, course.rolls)
    except RollMissing as missing:
        sides = missing.throw.pool.sides
        if sides > SIDES:
            raise RuntimeError(f"a die with {sides} sides: {SIDES} are the most") from None
        return course.next(course.number, course.rolls, (), missing.throw)
    views = tuple([_shown(before, played.match, side) for side, before in enumerate(course.known)])
    last = _Act(course.last, action, course.rolls)
    return _Course(played, None, (), (), None, views, course.plan, last, course.root)


def _played(plan: _Plan, game: Numbered | None, action: Any, rolls: tuple[Roll, ...]) -> Numbered:
    """Return the game after an act. Before the first question there is neither a game nor an action.

    Raises `RollMissing` if a throw has no result yet.
    """
    dice = GivenRolls(rolls)
    if game is None:
        return Numbered(plan.start, plan.seed, plan.most, plan.proposers, plan.start.begin(dice))
    played = game.copy()
    played.match.dice = dice
    played.take(action)
    return played


def _shown(before: bytes, match: Match, side: int) -> bytes:
    return hashlib.blake2b(before + stored(match.view(side)), digest_size=16).digest()


def _text(game: Numbered, side: int | None) -> str:
    return stored(game.match.view(side)).decode()


def _rules(text: str) -> dict[str, HouseValue]:
    """Parse house rules such as `NAME=VALUE;NAME=VALUE`, with numbers as numbers.

    >>> _rules("parry.price=3;ground=soft")
    {'parry.price': 3, 'ground': 'soft'}
    """
    rules: dict[str, HouseValue] = {}
    for one in filter(None, text.split(";")):
        name, equals, value = one.partition("=")
        if not equals:
            raise InputError(f"{one!r} is not a house rule: they are written NAME=VALUE", field="rules")
        rules[name] = int(value) if value.lstrip("-").isdigit() else value
    return rules


def _kind(name: str, players: int = 2) -> Any:
    """Return OpenSpiel's type of a ruleset. A game with a single player is general-sum, because no player wins what it
    loses.
    """
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"caltrop_{name.replace('-', '_')}",
        long_name=f"Caltrop {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if players == 2 else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


def _enter(name: str) -> None:
    kind = _kind(name)
    if kind.short_name not in pyspiel.registered_names():
        # OpenSpiel keeps registered objects until after Python has ended, and only a class can be released then.
        pyspiel.register_game(kind, type(kind.short_name, (CaltropGame,), {"ruleset": name}))


for _name in rulesets():
    _enter(_name)
