"""A game as a PettingZoo environment, with an agent for every side that is asked one question after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from caltrop.engine.compiled import is_compiled
from caltrop.envs.candidates import DRAWS, check_draws
from caltrop.envs.layout import layout_of
from caltrop.envs.numbered import Desks, Environment, Info, check_most, fresh_seed, prepared, proposers_of
from caltrop.journal import Setting
from caltrop.players import Player

Observation = dict[str, NDArray[Any]]


class Agents(Environment, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game with the agents `side_0` and `side_1`; made by `caltrop.envs.aec`.

    The asked agent chooses a number. `infos[agent]["actions"][number]` is the meaning of a number, for this question
    alone. The observation has the array `observation`, whose layout is `layout`, and the mask `action_mask`.

    Args:
        setting: The setting of the games.
        most: The largest number of answers to a question.
        proposers: Players that add their answer if there are more than can be listed.
        render_mode: `ansi` or None.
        views: True if infos hold the view and the meaning of the numbers; otherwise they compute them on access.
        draws: Number of random answers to an open choice.
        heads: True if an answer is chosen in steps: its kind, the acting unit, its target and its place.

    Raises:
        InputError: for a name or a value that does not exist.
    """

    changing = (
        "game",
        "agents",
        "agent_selection",
        "infos",
        "rewards",
        "_cumulative_rewards",
        "terminations",
        "truncations",
        "_skip_agent_selection",
        "_seed",
        "_games",
    )

    def __init__(
        self,
        setting: Setting,
        most: int,
        proposers: tuple[str | Callable[[], Player], ...],
        render_mode: str | None = None,
        *,
        views: bool = False,
        draws: int = DRAWS,
        heads: bool = False,
    ) -> None:
        super().__init__()
        name = f"caltrop/{setting.ruleset}"
        self.metadata: dict[str, Any] = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.metadata["compiled"] = is_compiled(setting.ruleset)
        self.render_mode, self.views, self.draws, self.heads = render_mode, views, check_draws(draws), heads
        self.start = prepared(setting)
        check_most(most)
        self.proposers = proposers_of(setting.ruleset, proposers)
        self.layout = layout_of(self.start, draws if heads else most, heads)
        self.most = self.layout.numbers
        self._side_of = {f"side_{side}": side for side in self.start.sides}
        self._agent_of = {side: agent for agent, side in self._side_of.items()}
        self.possible_agents = list(self._side_of)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1.0, 1.0, (self.layout.size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (self.most,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.most) for agent in self.possible_agents}
        self._seed: int | None = None
        self._games = 0
        self._desks = Desks()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: Decides the dice, as in `caltrop.new`. Without one the games continue from the last seed, each with
                its own dice, or from a random one.
            options: Ignored.
        """
        if seed is not None:
            self._seed, self._games = seed, 0
        elif self._seed is None:
            self._seed, self._games = fresh_seed(), 0
        named: int | str = self._seed if self._games == 0 else f"{self._seed} game {self._games}"
        self._games += 1
        self.game = self._new_game(named)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._go_on()

    def _go_on(self) -> None:
        """Publish the asked side, the shared view, and the result if the game is over."""
        asked, match = self.game.asked, self.game.match
        if asked is not None:
            self.agent_selection = self._agent_of[asked.side]
        elif match.over is not None:
            self.rewards = {agent: float(self.game.rewards(self._side_of[agent])) for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        game, mask, views = self.game, self.layout.mask, self.views
        self.infos = {
            agent: Info(game.moment, side, views, action_mask=mask(game, side)) for agent, side in self._side_of.items()
        }

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation: an array of its own view, and the mask of its possible numbers. The mask is
        all zeros while the agent is not asked.
        """
        side = self._side_of[agent]
        return {"observation": self.layout.array(self.game, side), "action_mask": self.layout.mask(self.game, side)}

    def step(self, action: int | None) -> None:
        """Answer the question of `agent_selection`.

        Args:
            action: One of the numbers that the mask allows; None for an agent whose game is over.

        Raises:
            ValueError: for a number that is masked, for anything that is not a whole number, and before the first
                `reset`; the game is then unchanged.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is asked, and None is not an answer")
        self.game.answer(action)
        self._cumulative_rewards[agent] = 0.0
        self._go_on()
        if self.game.match.over is not None:  # Every reward before the end is 0.
            self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the question with its answers in words, if the render mode is `ansi`."""
        return self.game.words() if self.render_mode == "ansi" else None

    def close(self) -> None: ...
