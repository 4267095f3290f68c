"""Copies of dice and matches, made by any means, continue alike and leave the original unchanged."""

from __future__ import annotations

import contextlib
import copy
import importlib
import pickle
import pkgutil
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

import caltrop
from caltrop.chance import Common, Once, Pool, Scripted, Seeded, TypedIn
from caltrop.engine import Match, Refused, rulesets, stored
from caltrop.errors import Portable
from caltrop.host.database import StorageFault
from caltrop.players import players_of


def through_bytes(thing: Any) -> Any:
    """Return a copy by pickle."""
    return pickle.loads(pickle.dumps(thing))


WAYS: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, through_bytes]


def typed() -> TypedIn:
    """Return dice of which one side's are typed in."""
    dice = TypedIn([(1, 2), (3, 4), (5, 6), (2, 2)], Seeded(4), [0])
    dice.whose = 0
    return dice


SOURCES: list[Callable[[], Any]] = [
    lambda: Seeded(7),
    lambda: Seeded("seven").fork(),
    lambda: Common(7),
    lambda: Scripted((1, 2), (3, 4), (5, 6), (2, 2), choices=[5, 7, 1]),
    typed,
    lambda: Once([(1, 2)], Seeded(3)),
]


def fallen(dice: Any, times: int = 1) -> list[Any]:
    """Return the faces of a throw."""
    return [(dice.roll(Pool(2), ("XX-DICE-01",)), dice.below(1000)) for _ in range(times)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("source", SOURCES)
def test_dice(source: Callable[[], Any], way: Callable[[Any], Any]) -> None:
    control, dice = source(), source()
    assert fallen(control) == fallen(dice)
    one, other = way(dice), way(dice)
    assert type(one) is type(dice)
    falls = fallen(one, 3)
    assert fallen(other, 3) == falls
    assert fallen(dice, 3) == falls == fallen(control, 3)


def played_on(match: Match, acts: int = 6) -> tuple[Any, ...]:
    """Play on at random; return everything that can be compared."""
    seated = players_of(match, "random", "random", seed=9)
    for _ in range(acts):
        if match.over is not None:
            break
        seated.act()
    return stored(match.state), match.journal, len(match.history)


@pytest.mark.parametrize("game", rulesets())
def test_matches(game: str) -> None:
    match, control = caltrop.new(game, seed=3), caltrop.new(game, seed=3)
    assert played_on(match) == played_on(control)
    before = stored(match.state)
    twins = [way(match) for way in WAYS]
    expected = played_on(control)
    assert expected[0] != before
    for twin in [*twins, copy.deepcopy(through_bytes(match))]:
        assert played_on(twin) == expected
        assert twin.ruleset is match.ruleset
        assert twin.seed == 3
        assert stored(match.state) == before
    assert played_on(match) == expected
    twins[0].go_back(1)
    assert len(twins[0].history) == 1 < len(match.history)


@pytest.mark.parametrize("game", rulesets())
def test_the_options_of_every_question_can_be_sent_to_another_process(game: str) -> None:
    match, met = caltrop.new(game, seed=3), set[type[Any]]()
    seated = players_of(match, "random", "random", seed=9)
    for _ in range(200):
        if match.over is not None:
            break
        for decision in match.waiting:
            if type(decision) in met:
                continue
            met.add(type(decision))
            view = match.view(decision.side)
            options = decision.options(view)
            copies = [way(options) for way in WAYS]
            first = list(islice(options, 50))
            assert [list(islice(one, 50)) for one in copies] == [first] * len(copies), type(decision)
            assert through_bytes(decision.options(view)).refusal(None) == options.refusal(None)
        seated.act()
    assert len(met) > 1


@pytest.mark.parametrize("game", rulesets())
def test_two_tables_of_one_book_stay_apart(game: str) -> None:
    """The stored states of two games are read in one process, and each table keeps its own data."""
    cards = caltrop.new(game).ruleset.scenarios()
    matches = [caltrop.new(game, scenario=card.id, seed=2) for card in (cards[0], cards[-1])]
    twins = [through_bytes(match) for match in matches]
    for match, twin in zip(matches, twins, strict=True):
        assert played_on(twin, 40) == played_on(match, 40)
        assert twin.state.book is twin.start.state.book


def errors_of(kind: type[BaseException]) -> set[type[BaseException]]:
    """Return all loaded error classes of Caltrop with a constructor of their own."""
    every = {error for below in kind.__subclasses__() for error in (below, *errors_of(below))}
    return {one for one in every if one.__module__.startswith("caltrop.") and "__init__" in vars(one)}


def test_every_error_can_be_sent_to_another_process() -> None:
    for module in pkgutil.walk_packages(caltrop.__path__, "caltrop."):
        if module.name.split(".")[1] in ("chance", "engine", "host", "journal", "lab", "players", "server", "wire"):
            with contextlib.suppress(ModuleNotFoundError):
                importlib.import_module(module.name)
    named = {one for one in errors_of(Exception) if not one.__name__.startswith("_")}
    assert len(named) > 5
    for error in named:
        assert issubclass(error, Portable) or error.__name__ == "GameWentWrong", error


@pytest.mark.parametrize("way", WAYS)
def test_a_refusal_is_copied_whole(way: Callable[[Any], Any]) -> None:
    match = caltrop.new("duel", seed=1)
    with pytest.raises(Refused) as caught:
        match.play(0, None)
    again = way(caught.value)
    assert str(again) == str(caught.value)
    assert again.refusal == caught.value.refusal
    fault = way(StorageFault("full", "disk"))
    assert (fault.why, fault.detail, str(fault)) == ("full", "disk", str(StorageFault("full")))
