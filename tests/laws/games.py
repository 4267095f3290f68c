"""Games for the laws: each is played once at random, and all laws use it.

The registry brings in every ruleset with every scenario; `LAWS=duel` in the environment takes one ruleset alone. The
first scenario of an edition is played twice.
"""

from __future__ import annotations

import os
from typing import Any

import msgspec

from caltrop.chance import Seeded
from caltrop.engine import Decision, Fell, Match, Ruleset, State, ruleset, rulesets, stored
from caltrop.journal import Record, Setting, record_of
from tests.tiers import rotating

SEEDS = (1, 2)
"""Seeds for the first scenario of an edition. Other scenarios use only the first seed."""
SHARE = 3
"""The quick tier plays every third of the later scenarios."""
LOOKED_AT = 10
"""Smallest number of decisions of a game that are examined closely; the largest is twice as many."""
MOST = 20_000
"""Number of decisions after which a game counts as endless."""


NAMES = tuple(name for name in rulesets() if os.environ.get("LAWS", name) == name)


def settings() -> list[Setting]:
    """Return scenarios of every ruleset. The quick tier has the first of each edition and a third of the others.

    The second tier has all of them. Later editions have their first scenario alone.
    """
    settings = []
    for name in NAMES:
        rules = ruleset(name)
        for n, edition in enumerate(rules.editions):
            first, *others = rules.scenarios()
            for card in (first, *([] if n else rotating(others, SHARE))):
                settings.append(Setting(ruleset=name, edition=edition, scenario=card.id))
    return settings


class Look(msgspec.Struct):
    """A decision of a game that is examined."""

    state: State
    decision: Decision
    action: Any
    rolls: tuple[tuple[int, ...], ...]
    after: bytes
    text: bytes


class Game(msgspec.Struct):
    """A random game."""

    setting: Setting
    match: Match
    looks: list[Look]
    record: Record

    @property
    def rules(self) -> Ruleset:
        return self.match.ruleset


def played(setting: Setting, seed: int) -> Game:
    """Play a random game; return some of its decisions: the first ones, and every n-th after that."""
    match, choices = setting.begin(Seeded(f"dice {seed}")), Seeded(f"choices {seed}")
    looks: list[Look] = []
    every, count = 1, 0
    while match.over is None:
        assert match.waiting, f"nobody is asked, and the game is not over: {match.state.stack}"
        assert count < MOST, "the game does not end"
        state, decision = match.state, match.waiting[choices.below(len(match.waiting))]
        action = decision.options(match.view(decision.side)).sample(choices)
        if count % every == 0:
            looks.append(Look(state, decision, action, (), b"", stored(state)))
            if len(looks) == 2 * LOOKED_AT:
                looks, every = looks[::2], every * 2
        match.play(decision.side, action, decision)
        if looks[-1].state is state:
            rolls = []
            for entry in reversed(match.journal):
                if not isinstance(entry, Fell):
                    break
                rolls.append(entry.faces)
            looks[-1].rolls, looks[-1].after = tuple(reversed(rolls)), stored(match.state)
        count += 1
    return Game(setting, match, looks, record_of(match, setting, players=("random", "random"), seed=seed))


def games() -> list[tuple[Setting, int]]:
    """Return the settings of the games, with their seeds."""
    result: list[tuple[Setting, int]] = []
    for setting in settings():
        met = any((s.ruleset, s.edition) == (setting.ruleset, setting.edition) for s, _ in result)
        result += [(setting, seed) for seed in (SEEDS[:1] if met else SEEDS)]
    return result


def name_of(setting: Setting, seed: int) -> str:
    """Return the name of a game as used in names of tests."""
    return f"{setting.ruleset}-{setting.edition}-{setting.scenario}-{seed}"
