"""Players of other authors: their answers are checked, and they cannot change a game."""

from __future__ import annotations

import contextlib
import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import caltrop
from caltrop.chance import Dice, Seeded
from caltrop.cli import main
from caltrop.engine import Decision, rulesets
from caltrop.lab.series import GameFailed
from caltrop.players import IllegalAnswer, PlayerFailed, Uniform, checked, forked, maker_of, player, players_of
from caltrop.rules.duel.turn import Bid, Stake

BOTS = """
from caltrop.players import Uniform
from caltrop.rules.duel.turn import Bid, Stake

class Cheat(Uniform):
    def decide(self, decision, view, dice, budget):
        if isinstance(decision, Bid):
            return Stake(points=99)
        return super().decide(decision, view, dice)

class Boom:
    def decide(self, decision, view, dice, budget):
        return 1 // 0

class Short:
    def decide(self, decision):
        return None

class Needs:
    def __init__(self, weights): ...

def fails():
    raise RuntimeError("no\\nweights")

ready = Cheat()

def Patched():
    bot = Uniform()
    bot.decide = lambda d, v, dice: Stake(points=99) if isinstance(d, Bid) else Uniform().decide(d, v, dice)
    return bot

class Disguised(Cheat):
    __module__ = "caltrop.players.uniform"

class Talks(Uniform):
    def decide(self, decision, view, dice, budget):
        print("I think")
        return super().decide(decision, view, dice)

class Stops:
    def decide(self, decision, view, dice, budget):
        raise GeneratorExit("enough")

class Property:
    @property
    def decide(self):
        raise ValueError("not ready")
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Yield the name of a module of players in the working folder."""
    name = "bots_of_" + "".join(c if c.isalnum() else "_" for c in tmp_path.name)
    (tmp_path / f"{name}.py").write_text(BOTS)
    (tmp_path / f"{name}_broken.py").write_text("import no_such_package\n")
    (tmp_path / f"{name}_typo.py").write_text("def f(:\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return name


class Answering:
    """A player that answers each question with a function of a legal answer."""

    def __init__(self, change: Callable[[Any], Any]) -> None:
        self.change = change

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Any = None) -> Any:
        return self.change(decision.options(view).sample(dice))


class Look(Stake, frozen=True):
    """A value that looks like a bid."""


class Unshown:
    def __repr__(self) -> str:
        raise RuntimeError("nobody sees me")


async def later() -> None:
    """Never awaited."""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda _: Stake(points=99), "Stake(points=99): Stake is not one of the choices here"),
        (lambda _: Stake(points=-1), "Stake(points=-1)"),
        (lambda _: Stake(points=10**30), "Stake(points=1000"),
        (lambda a: Stake(points=float(a.points)), "Expected `int`, got `float`"),  # type: ignore[arg-type]
        (lambda _: Stake(points=False), "Expected `int`, got `bool`"),
        (lambda _: Stake(points="1"), "Expected `int`, got `str`"),  # type: ignore[arg-type]
        (lambda a: Look(points=a.points), "that is not an action of duel; Stake(points=0) is legal"),
        (lambda _: None, "None: that is not an action"),
        (lambda _: 0, "0: that is not an action"),
        (lambda _: "0", "'0': that is not an action"),
        (lambda _: Stake, "that is not an action"),
        (lambda a: [a], "that is not an action"),
        (lambda _: later(), "<coroutine object"),
        (lambda _: "x" * 10_000, "xxx…: that is not an action"),
        (lambda _: Unshown(), "an object of Unshown: that is not an action"),
    ],
)
def test_an_illegal_answer_names_player_decision_answer_and_clause(change: Callable[[Any], Any], says: str) -> None:
    with pytest.raises(IllegalAnswer) as error:
        caltrop.simulate("duel", (lambda: Answering(change), "random"), num=4, seed=1)
    assert isinstance(error.value, caltrop.InputError)
    words = str(error.value)
    assert f"{__name__}:" in words
    assert " answered Bid with " in words
    assert says in words
    assert words.endswith("(DU-BID-01)")
    assert len(words) < 600
    assert "\n" not in words
    assert str(pickle.loads(pickle.dumps(error.value))) == words


@pytest.mark.parametrize("game", rulesets())
def test_answers_to_other_questions_are_refused_in_every_game(game: str) -> None:
    match = caltrop.new(game, seed=4)
    seated = players_of(match, "random", "random")
    asked: list[tuple[Decision, Any, Any]] = []
    for _ in range(40):
        if match.over is not None:
            break
        decision = match.waiting[0]
        asked.append((decision, match.view(decision.side), decision.options(match.view(decision.side)).first()))
        seated.act()
    refused = 0
    for decision, view, first in asked:
        for _, _, answer in asked:
            mind = checked(Answering(lambda _, a=answer: a), "other", match.ruleset)  # type: ignore[misc]
            if answer in decision.options(view):
                assert mind.decide(decision, view, Seeded(1)) == answer
            else:
                refused += 1
                with pytest.raises(IllegalAnswer, match=r"other answered \w+ with"):
                    mind.decide(decision, view, Seeded(1))
        for value in (-1, 10**30, "nonsense", None, ()):
            fields = dict.fromkeys(first.__struct_fields__, value)
            if fields and type(first)(**fields) != first:
                mind = checked(Answering(lambda a, f=fields: type(a)(**f)), "other", match.ruleset)  # type: ignore[misc]
                try:
                    assert mind.decide(decision, view, Seeded(1)) in decision.options(view)
                except caltrop.InputError:
                    refused += 1
    assert refused


class Vandal(Uniform):
    """A player that answers as `random` does, and then overwrites everything that it was given."""

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Any = None) -> Any:
        answer = super().decide(decision, view, dice)
        for name in view.__struct_fields__:
            shelf = getattr(view, name)
            if isinstance(shelf, list) and len(shelf) > 1 and type(shelf[0]) is type(shelf[1]):
                shelf[0] = shelf[1]
        with contextlib.suppress(Exception):
            list(decision.options(view))  # results computed from these values are not part of the game
        for name in view.__struct_fields__:
            shelf = getattr(view, name)
            if isinstance(shelf, list | dict):
                shelf.clear()
        view.asked, view.answers, view.active, view.over = (), (), 1, None
        with pytest.raises(TypeError, match="cannot be changed"):
            view.book.rules.clear()
        with pytest.raises(TypeError, match="cannot be changed"):
            view.book.rules["a"] = 1
        with pytest.raises(AttributeError):
            decision.side = 1 - decision.side  # type: ignore[misc]
        return answer


@pytest.mark.parametrize("game", rulesets())
def test_writing_into_the_view_changes_nothing(game: str) -> None:
    honest = players_of(one := caltrop.new(game, seed=2), "random", "random")
    vandal = players_of(other := caltrop.new(game, seed=2), Vandal, Vandal)
    for _ in range(60):
        if one.over is not None:
            break
        honest.act()
        vandal.act()
    assert one.state == other.state
    assert one.journal == other.journal


def test_own_players_are_not_checked_and_others_keep_their_memory() -> None:
    assert isinstance(player("random", "duel"), Uniform)
    assert type(maker_of("random", "duel")()) is Uniform
    assert type(maker_of(Uniform, "duel")()) is Uniform
    mind = maker_of(lambda: Answering(lambda a: a), "duel")()
    twin = forked(mind)
    assert twin is not mind
    assert twin.player is not mind.player  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(checked(Vandal(), "vandal", caltrop.new("duel").ruleset))).name == "vandal"
    assert not hasattr(mind, "clock")


class Slotted:
    """A player without `__dict__`, as compiled ones are."""

    __slots__ = ("memory", "name")

    def __init__(self) -> None:
        self.memory, self.name = ["first"], "slotted"


def test_a_copy_of_a_player_shares_no_memory_even_without_a_dictionary() -> None:
    mind: Any = Slotted()
    twin = forked(mind)
    twin.memory.append("second")
    assert (mind.memory, twin.memory, twin.name) == (["first"], ["first", "second"], "slotted")


def test_decide_may_leave_the_budget_out() -> None:
    class Short:
        def decide(self, decision: Decision, view: Any, dice: Dice) -> Any:
            return decision.options(view).first()

    assert caltrop.simulate("duel", (Short, "random"), num=1, seed=1)["games"] == 1  # type: ignore[arg-type]


def test_the_command_stops_at_an_illegal_answer_and_writes_nothing(
    bots: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", "duel", "--num", "40", "--seed", "1", "--output", "report.json"]
    for seats, jobs in ((f"{bots}:Cheat,random", "1"), (f"random,{bots}:Cheat", "2")):
        assert main([*words, "--players", seats, "--jobs", jobs]) == 1
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.count("\n") == 1
        assert f"{bots}:Cheat answered Bid with Stake(points=99): " in output.err
        assert "(DU-BID-01)" in output.err
    assert not list(tmp_path.glob("*.json"))


def test_an_error_of_a_player_names_player_decision_and_line(
    bots: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", "duel", "--num", "4", "--seed", "1", "--players", f"{bots}:Boom,random"]
    assert main(words) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"{bots}:Boom failed at Bid: ZeroDivisionError" in last
    assert f"({bots}.py:13)" in last
    assert (tmp_path / "duel-failed-0.caltrop.json").exists()
    with pytest.raises(GameFailed, match="Boom failed at Bid") as failed:
        caltrop.simulate("duel", (f"{bots}:Boom", "random"), num=1, seed=1)
    assert isinstance(failed.value, caltrop.InputError)
    seated = players_of(caltrop.new("duel"), f"{bots}:Boom", "random")
    with pytest.raises(PlayerFailed, match="ZeroDivisionError"):
        seated.act()


def test_a_study_stops_at_an_illegal_answer(bots: str, capsys: pytest.CaptureFixture[str]) -> None:
    study: dict[str, Any] = {"format": "caltrop-study", "title": "Cheats", "ruleset": "duel", "games": 4, "seed": 1}
    study["players"] = [f"{bots}:Cheat", "random"]
    Path("cheats.yaml").write_text(json.dumps(study))
    assert main(["study", "run", "cheats.yaml", "--output", "kept"]) == 1
    err = capsys.readouterr().err
    assert f"{bots}:Cheat answered Bid with Stake(points=99)" in err
    assert not Path("kept", "results.jsonl").exists() or not Path("kept", "results.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("who", "says"),
    [
        ("os:system", r"os:system takes arguments, \(command\)"),
        ("os:getcwd", "os:getcwd makes '.*', which has no method decide"),
        ("os:name", "os:name is '.*'; name a callable"),
        ("os:gtecwd", "os has no 'gtecwd' that makes a player; did you mean 'getcwd'"),
        ("{}:cheat", "did you mean 'Cheat'"),
        ("{}x:Cheat", "there is no module '.*x' .*; did you mean '{}'"),
        ("{}:Needs", r"{}:Needs takes arguments, \(weights\)"),
        ("{}:fails", r"{}:fails makes no player: RuntimeError: no weights \({}.py:\d+\)"),
        ("{}:ready", "{}:ready is a player; name its class"),
        ("{}:Short", r"{}:Short has the method decide\(decision\); it is called as"),
        ("{}_broken:X", r"failed: ModuleNotFoundError: .*no_such_package.*_broken.py:1"),
        ("{}_typo:X", r"failed: SyntaxError: .*_typo.py:1"),
        (":Cheat", "write MODULE:NAME"),
        ("{}:", "write MODULE:NAME"),
        (".{}:Cheat", "write MODULE:NAME"),
        (None, "is None; name a callable"),
        (7, "is 7; name a callable"),
        (Uniform(), "is a player; name its class"),
        (lambda: Uniform, "makes the class Uniform"),
        (lambda: None, "makes None, which has no method decide"),
    ],
)
def test_what_makes_no_player_is_said_in_one_sentence(bots: str, who: Any, says: str) -> None:
    named = who.format(bots) if isinstance(who, str) else who
    with pytest.raises(caltrop.InputError, match=says.replace("{}", bots)) as error:
        caltrop.simulate("duel", (named, "random"), num=1, seed=1)
    assert "\n" not in str(error.value)
    assert error.value.field == "players"


def test_over_the_network_only_registered_names_are_known() -> None:
    with pytest.raises(ValueError, match="duel has no player 'os:system'"):
        player("os:system", "duel")


def test_nothing_of_a_bid_changed_where_it_is_legal() -> None:
    seen: list[Any] = []

    class Watched(Uniform):
        def decide(self, decision: Decision, view: Any, dice: Dice, budget: Any = None) -> Any:
            answer = super().decide(decision, view, dice)
            if isinstance(decision, Bid):
                seen.append(msgspec.to_builtins(answer))
            return answer

    one = caltrop.simulate("duel", (Watched, "random"), num=3, seed=5)
    assert seen
    assert one["digest"] == caltrop.simulate("duel", ("random", "random"), num=3, seed=5)["digest"]


@pytest.mark.parametrize("who", ["Patched", "Disguised"])
def test_a_player_of_caltrop_that_was_changed_is_checked(bots: str, who: str) -> None:
    with pytest.raises(IllegalAnswer, match=r"Stake\(points=99\): .* \(DU-BID-01\)"):
        caltrop.simulate("duel", (f"{bots}:{who}", "random"), num=4, seed=1)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_player_prints_is_in_no_result(bots: str, jobs: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "duel", "--players", f"{bots}:Talks,random", "--num", "2", "--seed", "1", "--json"]
    assert main([*words, "--jobs", jobs]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["games"] == 2
    assert "I think" in err


@pytest.mark.parametrize(
    ("who", "says"),
    [
        ("Stops", "Stops failed at Bid: GeneratorExit: enough"),
        ("Property", "whose decide failed: ValueError: not ready"),
    ],
)
def test_whatever_a_player_raises_is_one_sentence(
    bots: str, who: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "duel", "--players", f"{bots}:{who},random", "--num", "1", "--seed", "1"]) == 1
    err = capsys.readouterr().err
    assert says in err.splitlines()[-1]
    assert "caltrop/" not in err.partition("caltrop:")[0], "only lines of the bot are shown"


def test_a_question_that_a_player_changes_stays_as_it_was() -> None:
    class Turns(Uniform):
        def decide(self, decision: Decision, view: Any, dice: Dice, budget: Any = None) -> Any:
            answer = super().decide(decision, view, dice)
            msgspec.structs.force_setattr(decision, "side", 1 - decision.side)
            return answer

    honest = caltrop.simulate("duel", ("random", "random"), num=2, seed=1)
    assert caltrop.simulate("duel", (Turns, "random"), num=2, seed=1)["digest"] == honest["digest"]
