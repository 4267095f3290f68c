"""Many games side by side as a Gymnasium vector environment, in this process or in several over shared memory.

A `_Board` has the arrays of all games. A `_Bank` plays some of the games and writes into its rows of the board. With
one job the bank is in this process. With more jobs each worker has a bank, the board is shared memory, and only short
messages go through the pipes. The results do not depend on the division of games among workers.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import traceback
from collections.abc import Callable, Sequence
from itertools import pairwise
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from caltrop.agreeing import quantity
from caltrop.envs.numbered import NotReset, whole
from caltrop.envs.single import Array, Single
from caltrop.errors import InputError
from caltrop.journal import Setting
from caltrop.lab.workers import end_with_the_first, in_the_background
from caltrop.players import Player

CLOSE_SECONDS = 5.0
"""Seconds that a worker may take to end."""


class Recipe(NamedTuple):
    """The arguments of `Single` for each environment."""

    setting: Setting
    opponent: str | Callable[[], Player] | None
    seat: int
    most: int
    proposers: tuple[str | Callable[[], Player], ...]
    render_mode: str | None
    views: bool
    draws: int
    heads: bool = False

    def make(self) -> Single:
        return Single(*self[:6], views=self.views, draws=self.draws, heads=self.heads)


class SavedAll(NamedTuple):
    """The saved state of a vector environment; it can be pickled."""

    of: tuple[Any, ...]
    games: tuple[Any, ...]
    over: tuple[bool, ...]
    """For each game, true if it has ended and has not been restarted."""


class _Board:
    """The arrays of all games.

    Args:
        last: True to keep room for the last observation of finished games.
        memory: The memory that the arrays are in; new memory by default.
    """

    def __init__(self, games: int, size: int, most: int, last: bool, memory: Any = None) -> None:
        self.shape = games, size, most, last
        parts: dict[str, tuple[Any, tuple[int, ...]]] = {
            "rewards": (np.float64, (games,)),
            "actions": (np.int64, (games,)),
            "seen": (np.float32, (games, size)),
            "last": (np.float32, (games if last else 0, size)),
            "mask": (np.int8, (games, most)),
            "last_mask": (np.int8, (games if last else 0, most)),
            "over": (np.bool_, (games,)),
            "masked": (np.bool_, (games,)),
            "begun": (np.bool_, (games,)),
        }
        lengths = {name: int(np.prod(shape)) * np.dtype(kind).itemsize for name, (kind, shape) in parts.items()}
        self.memory = bytearray(sum(lengths.values())) if memory is None else memory
        at = 0
        arrays: dict[str, NDArray[Any]] = {}
        for name, (kind, shape) in parts.items():
            count = int(np.prod(shape))
            arrays[name] = np.frombuffer(self.memory, kind, count, at).reshape(shape)
            at += lengths[name]
        self.rewards: NDArray[np.float64] = arrays["rewards"]
        self.actions: NDArray[np.int64] = arrays["actions"]
        self.seen: Array = arrays["seen"]
        self.last: Array = arrays["last"]
        self.mask: NDArray[np.int8] = arrays["mask"]
        self.last_mask: NDArray[np.int8] = arrays["last_mask"]
        self.over: NDArray[np.bool_] = arrays["over"]
        self.masked: NDArray[np.bool_] = arrays["masked"]
        self.begun: NDArray[np.bool_] = arrays["begun"]
        """Games that were begun by the last step."""

    @classmethod
    def shared(cls, context: Any, games: int, size: int, most: int, last: bool) -> _Board:
        length = len(cls(games, size, most, last).memory)
        return cls(games, size, most, last, context.RawArray("b", length))


class _Bank:
    """Several of the games, in one process."""

    def __init__(self, recipe: Recipe, first: int, count: int, board: _Board, mode: AutoresetMode) -> None:
        self.numbers = range(first, first + count)
        self.envs = [recipe.make() for _ in self.numbers]
        self.board, self.mode, self.views = board, mode, recipe.views

    def reset(self, seeds: Sequence[int | None], chosen: Sequence[bool]) -> Any:
        for env, n in zip(self.envs, self.numbers, strict=True):
            if chosen[n]:
                env.begin(seeds[n])
                self.board.over[n] = self.board.masked[n] = False
                self.board.rewards[n] = 0.0
                self._look(env, n)
        return self._views(chosen)

    def step(self) -> Any:
        board, final = self.board, {}
        for env, n in zip(self.envs, self.numbers, strict=True):
            board.begun[n] = board.over[n] and self.mode is AutoresetMode.NEXT_STEP
            if board.begun[n]:
                env.begin()
                board.rewards[n], board.over[n], board.masked[n] = 0.0, False, False
            else:
                board.rewards[n], board.over[n], board.masked[n] = env.play(board.actions[n])
                if board.over[n] and self.mode is AutoresetMode.SAME_STEP:
                    env.seen(board.last[n])
                    env.mask(board.last_mask[n])
                    final[n] = _told(env) if self.views else None
                    env.begin()
            self._look(env, n)
        return self._views([True] * (self.numbers.stop)), final

    def _look(self, env: Single, n: int) -> None:
        env.seen(self.board.seen[n])
        env.mask(self.board.mask[n])

    def _views(self, chosen: Sequence[bool]) -> dict[int, Any]:
        if not self.views:
            return {}
        return {n: _told(env) for env, n in zip(self.envs, self.numbers, strict=True) if chosen[n]}

    def save(self) -> list[Any]:
        return [env.save() for env in self.envs]

    def restore(self, states: Sequence[Any]) -> Any:
        for env, n in zip(self.envs, self.numbers, strict=True):
            env.restore(states[n])
            if "game" in vars(env):
                self._look(env, n)
        return self._views([True] * self.numbers.stop)

    def call(self, name: str, args: tuple[Any, ...], more: dict[str, Any]) -> list[Any]:
        values = [getattr(env, name) for env in self.envs]
        return [one(*args, **more) if callable(one) else one for one in values]

    def set(self, name: str, values: Sequence[Any]) -> None:
        for env, n in zip(self.envs, self.numbers, strict=True):
            setattr(env, name, values[n])


def _told(env: Single) -> tuple[Any, Any]:
    return env.game.view(env.seat), env.game.moment.means


class VectorGames(VectorEnv[Array, NDArray[np.int64], NDArray[Any]]):
    """Many games side by side; made by `caltrop.envs.vector`.

    Raises InputError for a name or a value that does not exist.

    Args:
        jobs: Number of processes that play them; 1 for this one alone.
        mode: When finished games are restarted.
        copy: True to return new arrays at each step; otherwise each step overwrites the same ones.
    """

    def __init__(self, recipe: Recipe, games: int, jobs: int, mode: AutoresetMode | str, copy: bool = True) -> None:
        one = recipe.make()
        try:
            mode = AutoresetMode(mode)
        except ValueError:
            modes = ", ".join(repr(modes.value) for modes in AutoresetMode)
            raise InputError(
                f"there is no autoreset mode {mode!r}: there are {modes}", field="autoreset_mode"
            ) from None
        for name, number in (("n", games), ("jobs", jobs)):
            if type(number) is not int or number < 1:
                raise InputError(f"there is at least one game and one job: {number!r} is neither", field=name)
        self.num_envs, self.jobs = games, min(jobs, games)
        self.metadata = {**one.metadata, "autoreset_mode": mode}
        self.render_mode, self.start, self.layout = recipe.render_mode, one.start, one.layout
        self.single_observation_space, self.single_action_space = one.observation_space, one.action_space
        self.observation_space = batch_space(one.observation_space, games)
        self.action_space = batch_space(one.action_space, games)
        self.mode, self.copy, self.recipe = mode, copy, recipe
        self._of, self.most = one._kind, one.most
        self._reset = False
        shape = games, one.layout.size, one.most, mode is AutoresetMode.SAME_STEP
        self._workers: list[_Worker] = []
        self._bank: _Bank | None = None
        if self.jobs == 1:
            self._board = _Board(*shape)
            self._bank = _Bank(recipe, 0, games, self._board, mode)
            return
        try:
            pickle.loads(pickle.dumps(recipe))
        except Exception as error:  # noqa: BLE001  what cannot be pickled may raise anything
            raise InputError(
                f"another process cannot be given this opponent or proposer: it has to be a name, or a function of a "
                f"module ({error})",
                field="opponent",
            ) from None
        context = multiprocessing.get_context("spawn")
        self._board = _Board.shared(context, *shape)
        ends = [games * n // self.jobs for n in range(self.jobs + 1)]
        for first, end in pairwise(ends):
            self._workers.append(_Worker(context, recipe, first, end - first, self._board, mode))
        try:
            self._heard()
        except BaseException:
            self.close()
            raise

    # --- words with the banks ---------------------------------------------------------------------------------------

    def _all(self, name: str, *args: Any) -> list[Any]:
        if self.closed:
            raise RuntimeError("the games are closed: make others")
        if self._bank is not None:
            return [getattr(self._bank, name)(*args)]
        for worker in self._workers:
            worker.send(name, args)
        return self._heard()

    def _heard(self) -> list[Any]:
        answers = [worker.answer() for worker in self._workers]
        failed = next((answer for answer in answers if isinstance(answer, Exception)), None)
        if failed is not None:
            self.close()
            raise failed
        return answers

    # --- what Gymnasium asks for ------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin every game. Raises ValueError for a wrong number of seeds, or an invalid mask.

        Args:
            seed: A number, to which game n adds n, or a seed for each game. Without seeds the games continue from their
                last ones.
            options: `reset_mask` selects the games to begin; by default all.
        """
        n = self.num_envs
        seeds = [None] * n if seed is None else [seed + i for i in range(n)] if isinstance(seed, int) else list(seed)
        if len(seeds) != n:
            raise ValueError(f"{quantity(len(seeds), 'seed', 'was')} given for {quantity(n, 'game')}")
        mask = (options or {}).get("reset_mask", np.ones(n, np.bool_))
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (n,) or not mask.any():
            raise ValueError(f"reset_mask is an array of {n} booleans, at least one of which is True")
        if not self._reset and not mask.all():
            raise NotReset("reset first: every game is begun before some of them are begun anew")
        results = self._all("reset", seeds, mask.tolist())
        self._reset = True
        return self._seen(), self._info(mask, results, np.zeros(n, np.bool_))

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Array, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Answer in every game.

        Args:
            actions: A number for each game. With Gymnasium's usual autoreset mode, the number of a game that was over
                is not read and a new game begins.

        Raises:
            ValueError: for anything but whole numbers from 0 to `max_actions` - 1, before the first `reset`, and for a
                finished game if games are not restarted automatically. All games are then unchanged.
        """
        if not self._reset:
            raise NotReset("reset first: call reset() before the first step, and no game has begun yet")
        board, most = self._board, self.most
        if np.ndim(actions) != 1:
            raise ValueError(f"{actions!r} is not an answer: there is a number for each game")
        numbers = [whole(one, most) for one in actions]
        if len(numbers) != self.num_envs:
            given = quantity(len(numbers), "answer", "was")
            raise ValueError(f"{given} given for {quantity(self.num_envs, 'game')}")
        wrong = next((n for n, number in enumerate(numbers) if not 0 <= number < most), None)
        if wrong is not None:
            raise ValueError(f"{numbers[wrong]} is not an answer in game {wrong}: the numbers go up to {most - 1}")
        if self.mode is AutoresetMode.DISABLED and board.over.any():
            ended = np.flatnonzero(board.over).tolist()
            raise ValueError(f"games {ended} are over: begin them anew with reset(options={{'reset_mask': …}})")
        board.actions[:] = numbers
        results = self._all("step")
        stepped = ~board.begun
        info = self._info(np.ones(self.num_envs, np.bool_), [views for views, _ in results], stepped)
        over = board.over.copy()
        if self.mode is AutoresetMode.SAME_STEP:
            self._tell_ends(info, {n: one for _, final in results for n, one in final.items()}, over)
            info["masked"] = board.masked & ~over
            info["_masked"] = ~over
            board.over[:] = False
        return self._seen(), board.rewards.copy(), over, np.zeros(self.num_envs, np.bool_), info

    def _seen(self) -> Array:
        return self._board.seen.copy() if self.copy else self._board.seen

    def _info(self, chosen: NDArray[np.bool_], results: Sequence[Any], stepped: NDArray[np.bool_]) -> dict[str, Any]:
        board = self._board
        info: dict[str, Any] = {"action_mask": board.mask * chosen[:, None], "_action_mask": chosen.copy()}
        if stepped.any():
            info |= {"masked": board.masked.copy(), "_masked": stepped}
        if self.recipe.views:
            views = {n: one for some in results for n, one in some.items()}
            for name, part in (("view", 0), ("actions", 1)):
                info[name] = _objects([views[n][part] if n in views else None for n in range(self.num_envs)])
                info[f"_{name}"] = chosen.copy()
        return info

    def _tell_ends(self, info: dict[str, Any], results: dict[int, Any], over: NDArray[np.bool_]) -> None:
        """Add the last observations of games that were restarted in the same step."""
        if not over.any():
            return
        board = self._board
        ends = range(self.num_envs)
        last: dict[str, Any] = {"action_mask": board.last_mask * over[:, None], "_action_mask": over.copy()}
        last |= {"masked": board.masked & over, "_masked": over.copy()}
        if self.recipe.views:
            for name, part in (("view", 0), ("actions", 1)):
                last[name] = _objects([results[n][part] if over[n] else None for n in ends])
                last[f"_{name}"] = over.copy()
        info |= {"final_obs": _objects([board.last[n].copy() if over[n] else None for n in ends])}
        info |= {"_final_obs": over.copy(), "final_info": last, "_final_info": over.copy()}

    def save(self) -> SavedAll:
        games = tuple([one for some in self._all("save") for one in some])
        return SavedAll((*self._of, self.mode.value), games, tuple(self._board.over.tolist()))

    def restore(self, state: Any) -> tuple[Array, dict[str, Any]]:
        """Restore a saved state of this environment, or of another one with the same games and number of games.

        Returns the observations and infos of the restored games, as `reset` does. Raises ValueError for any other
        state.

        Args:
            state: Result of `save`, with any number of jobs.
        """
        if not isinstance(state, SavedAll) or state.of != (*self._of, self.mode.value):
            raise ValueError("this was not saved by a vector environment of the same games: give what save() has given")
        if len(state.games) != self.num_envs:
            raise ValueError(f"{quantity(len(state.games), 'game', 'was')} saved, and there are {self.num_envs}")
        results = self._all("restore", state.games)
        self._board.over[:] = state.over
        self._board.masked[:] = False
        self._reset = all("game" in one.values for one in state.games)
        n = self.num_envs
        return self._seen(), self._info(np.ones(n, np.bool_), results, np.zeros(n, np.bool_))

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        return tuple([one for some in self._all("call", name, args, kwargs) for one in some])

    def get_attr(self, name: str) -> tuple[Any, ...]:
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        every = list(values) if isinstance(values, (list, tuple)) else [values] * self.num_envs
        if len(every) != self.num_envs:
            given = quantity(len(every), "value", "was")
            raise ValueError(f"{given} given for {quantity(self.num_envs, 'game')}")
        self._all("set", name, every)

    def render(self) -> tuple[Any, ...]:
        """Return the questions with their answers in words, if the render mode is `ansi`."""
        return self.call("render")

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which numbers are answers now, a row for each game."""
        return self._board.mask.astype(bool)

    def close_extras(self, **kwargs: Any) -> None:
        for worker in self.__dict__.get("_workers", ()):
            worker.end()
        self._workers = []
        self._bank = None


def _objects(values: Sequence[Any]) -> NDArray[np.object_]:
    objects = np.full(len(values), None, object)
    for n, value in enumerate(values):
        objects[n] = value
    return objects


# --- workers --------------------------------------------------------------------------------------------------------


class _Worker:
    """A process with a bank.

    Args:
        board: The arrays, in shared memory.
    """

    def __init__(
        self, context: Any, recipe: Recipe, first: int, count: int, board: _Board, mode: AutoresetMode
    ) -> None:
        self.games = f"games {first} to {first + count - 1}"
        here, there = context.Pipe()
        self.pipe: Connection = here
        args = (there, recipe, first, count, board.shape, board.memory, mode)
        self.process: BaseProcess = context.Process(target=_work, args=args, name="caltrop-games", daemon=True)
        self.process.start()
        there.close()

    def send(self, name: str, args: tuple[Any, ...]) -> None:
        """Send a request. If the process has ended, reading the answer raises the error."""
        with contextlib.suppress(OSError):
            self.pipe.send((name, args))

    def answer(self) -> Any:
        try:
            kind, value = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(CLOSE_SECONDS)
            return RuntimeError(
                f"the process that plays {self.games} has ended (exit code {self.process.exitcode}): "
                "all games are closed"
            )
        if kind == "value":
            return value
        if kind == "wrong":
            return InputError(**value)
        return RuntimeError(f"{self.games}: all games are closed, since one went wrong:\n{value}")

    def end(self) -> None:
        with contextlib.suppress(OSError):
            self.pipe.close()
        self.process.join(CLOSE_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _work(
    pipe: Connection,
    recipe: Recipe,
    first: int,
    count: int,
    shape: tuple[int, int, int, bool],
    memory: Any,
    mode: AutoresetMode,
) -> None:
    in_the_background(modest=False)
    end_with_the_first()
    with contextlib.suppress(EOFError, OSError):
        try:
            bank = _Bank(recipe, first, count, _Board(*shape, memory), mode)
        except Exception as error:  # noqa: BLE001  it is told to the one who asks
            pipe.send(_failure(error))
            return
        pipe.send(("value", None))
        while True:
            name, args = pipe.recv()
            try:
                answer = "value", getattr(bank, name)(*args)
            except Exception as error:  # noqa: BLE001  likewise
                answer = _failure(error)
            pipe.send(answer)


def _failure(error: Exception) -> tuple[str, Any]:
    if isinstance(error, InputError):
        return "wrong", {name: getattr(error, name) for name in ("message", "source", "line", "column", "field")}
    return "broken", traceback.format_exc()
