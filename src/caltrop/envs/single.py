"""One side of a game as a Gymnasium environment; computer players answer for the other sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from caltrop.chance import Seeded
from caltrop.engine.compiled import is_compiled
from caltrop.envs.candidates import DRAWS, check_draws
from caltrop.envs.layout import layout_of
from caltrop.envs.numbered import (
    Desks,
    Environment,
    Info,
    check_most,
    fresh_seed,
    prepared,
    proposers_of,
    whole,
    without_search,
)
from caltrop.errors import InputError
from caltrop.journal import Setting
from caltrop.players import Player, maker_of

Array = NDArray[np.float32]


class Single(Environment, gymnasium.Env[Array, np.int64]):
    """One side of a game; made by `caltrop.envs.gym` and by `gymnasium.make("caltrop/RULESET-v0")`.

    The observation is the array whose layout is `layout`. `info` holds `action_mask`, and computes `actions` (the
    meaning of the numbers for this question) and `view` on access. A masked number is replaced by its remainder modulo
    the number of answers, so that learners without masks can play; `info["masked"]` reports it.

    Args:
        setting: The setting of the games.
        opponent: The player of the other side; the game's strongest player without search if None.
        seat: The side of the learner.
        most: The largest number of answers to a question.
        proposers: Players that add their answer if there are more than can be listed.
        render_mode: `ansi` or None.
        views: True if infos hold the view and the meaning of the numbers; otherwise they compute them on access.
        draws: Number of random answers to an open choice.
        heads: True if an answer is chosen in steps: its kind, the acting unit, its target and its place.

    Raises:
        InputError: for a name or a value that does not exist.
    """

    changing = ("game", "_others", "_seed", "_games", "_np_random", "_np_random_seed")

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  as Gymnasium has it

    def __init__(
        self,
        setting: Setting,
        opponent: str | Callable[[], Player] | None,
        seat: int,
        most: int,
        proposers: tuple[str | Callable[[], Player], ...],
        render_mode: str | None = None,
        *,
        views: bool = False,
        draws: int = DRAWS,
        heads: bool = False,
    ) -> None:
        self.render_mode, self.views, self.draws, self.heads = render_mode, views, check_draws(draws), heads
        self.start = prepared(setting)
        self.metadata = {**self.metadata, "compiled": is_compiled(setting.ruleset)}
        if seat not in self.start.sides:
            sides = " or ".join(map(str, self.start.sides))
            raise InputError(f"nobody plays side {seat!r}; the seat is {sides}", field="seat")
        self.seat = seat
        check_most(most)
        self.proposers = proposers_of(setting.ruleset, proposers)
        self.layout = layout_of(self.start, draws if heads else most, heads)
        self.most = self.layout.numbers
        try:
            self._opponent = maker_of(
                without_search(setting.ruleset) if opponent is None else opponent, setting.ruleset
            )
        except InputError:
            raise
        except ValueError as error:
            raise InputError(str(error), field="opponent") from None
        self.observation_space = spaces.Box(-1.0, 1.0, (self.layout.size,), np.float32)
        self.action_space = spaces.Discrete(self.most)
        self._seed: int | None = None
        self._games = 0
        self._desks = Desks()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a game, and play it up to the side's first question.

        Args:
            seed: Decides the dice, as in `caltrop.new`. Without one the games continue from the last seed, each with
                its own dice, or from a random one.
            options: Ignored.
        """
        super().reset(seed=seed)
        self.begin(seed)
        return self.seen(), self.info()

    def begin(self, seed: int | None = None) -> None:
        """Begin a game as `reset` does, without computing an observation."""
        if seed is not None:
            self._seed, self._games = seed, 0
        elif self._seed is None:
            self._seed, self._games = fresh_seed(), 0
        while True:
            named: int | str = self._seed if self._games == 0 else f"{self._seed} game {self._games}"
            self._games += 1
            self.game = self._new_game(named)
            self._others = {
                side: (self._opponent(), Seeded(f"{named} player {side}"))
                for side in self.start.sides
                if side != self.seat
            }
            self._let_others()
            if self.game.asked is not None:
                return

    def _let_others(self) -> None:
        game = self.game
        while game.asked is not None and game.asked.side != self.seat:
            mind, dice = self._others[game.asked.side]
            game.take(mind.decide(game.asked, game.view(game.asked.side), dice))

    def mask(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return the mask of the numbers that may be chosen. After the end only 0 is allowed, for learners that choose
        before they reset.

        Args:
            out: Array to fill; a new one by default.
        """
        mask: NDArray[np.int8] = self.layout.mask(self.game, self.seat, out)
        if self.game.asked is None:
            mask[0] = 1
        return mask

    def seen(self, out: Array | None = None) -> Array:
        """Return the side's view as an array.

        Args:
            out: Array to fill; a new one by default.
        """
        seen: Array = self.layout.array(self.game, self.seat, out)
        return seen

    def info(self, **more: Any) -> dict[str, Any]:
        """Return the info of the question that is asked now."""
        return Info(self.game.moment, self.seat, self.views, action_mask=self.mask(), **more)

    def restore(self, state: Any) -> tuple[Array, dict[str, Any]]:
        """Restore the state of an environment of the same games, which then continues as that one did.

        Args:
            state: Result of `save`, of this environment or of another one of the same games.

        Returns:
            The observation there, as from `reset`; only zeros before the first game.

        Raises:
            ValueError: for any other state.
        """
        super().restore(state)
        if "game" not in vars(self):
            return np.zeros(self.layout.size, np.float32), {}
        return self.seen(), self.info()

    def step(self, action: np.int64) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Answer the side's question, and play up to its next.

        Args:
            action: A number from 0 to `max_actions` - 1.

        Returns:
            The array, the reward (1 for a game won, -1 for one lost, else 0), whether the game is over, False, and the
            info.

        Raises:
            ValueError: for a number outside the space, for anything that is not a whole number, after the end of the
                game, and before the first `reset`.
        """
        reward, over, masked = self.play(action)
        return self.seen(), reward, over, False, self.info(masked=masked)

    def play(self, action: Any) -> tuple[float, bool, bool]:
        """Answer as `step` does, without computing an observation.

        Returns:
            The reward, whether the game is over, and whether the number was masked.
        """
        allowed = self.game.allowed
        number, count = whole(action, self.most), len(allowed)
        if count == 0:
            raise ValueError("the game is over: call reset() before the next step")
        if not 0 <= number < self.most:
            raise ValueError(f"{number} is not an answer: there are {count}, and the numbers go up to {self.most - 1}")
        masked = number not in allowed
        self.game.answer(allowed[number % count] if masked else number)
        self._let_others()
        return float(self.game.rewards(self.seat)), self.game.match.over is not None, masked

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of the present answers, with the method name that MaskablePPO expects."""
        return self.mask().astype(bool)

    def render(self) -> str | None:
        """Return the question with its answers in words, if the render mode is `ansi`."""
        return self.game.words() if self.render_mode == "ansi" else None
