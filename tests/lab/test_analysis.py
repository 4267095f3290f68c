"""Explanations of recorded games: sums agree, luck is separated from decisions, and better answers are named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from caltrop import InputError, cli
from caltrop.chance import Dice, Seeded, every_result
from caltrop.cli.analyse import graph
from caltrop.engine import Decision, Outcome, State, answer, redacted, ruleset
from caltrop.engine.match import Point
from caltrop.journal import PERSON, Record, RollEntry, Setting, record_of, save
from caltrop.lab import alternatives, analysis, chances, effects, tried, wording
from caltrop.lab.alternatives import Alternatives
from caltrop.lab.analysis import Analyser, analyse, everybody, people
from caltrop.lab.battle import RecordedBattle
from caltrop.lab.chances import ALL
from caltrop.lab.correction import APART, ASTRAY, Disagreement, between, corrections, disagreement, shifted
from caltrop.lab.effects import TableEffect, made_way
from caltrop.lab.explanation import Act, Analysis, AnalysisProgress, Better, Judged, LevelLoss, PlayedOn
from caltrop.lab.steady import log_odds
from caltrop.picture import Picture, Piece, Victory
from caltrop.players import Budget, Lost, Player, Seated, adviser, chance_of, player
from caltrop.rules.command_horizon.damage import Casualty
from caltrop.rules.hex_command.movement import March


@cache
def recorded(game: str, scenario: str, seed: int, *who: str, acts: int | None = None, finished: bool = True) -> Record:
    setting = Setting(ruleset=game, edition=Setting.chosen(game).edition, scenario=scenario)
    match = setting.begin(Seeded(seed))
    sides: tuple[Player, ...] = tuple(player(name, game) for name in who)
    seated = Seated(match, sides, tuple(Seeded(f"{seed} {n}") for n in range(len(sides))))
    while match.over is None and (acts is None or len(match.history) < acts):
        seated.act()
    return record_of(match, setting, players=who, seed=seed, everything=finished)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Explain with fewer continuations and less thought, which is enough to check the sums."""
    monkeypatch.setattr(chances, "PLAYOUTS", 2)
    monkeypatch.setattr(tried, "TRIES", (4,))
    monkeypatch.setattr(tried, "FRESH", (8,))
    monkeypatch.setattr(tried, "FALSE", 0.9)
    monkeypatch.setattr(chances, "DRAWN", 4)
    monkeypatch.setattr(analysis, "TURNING", 2)
    monkeypatch.setattr(analysis, "GAMES", 3)
    monkeypatch.setattr(alternatives, "PAIRS", 8)
    monkeypatch.setattr(alternatives, "SURE", 0.0)
    monkeypatch.setattr(alternatives, "adviser", Brief)


class Brief:
    """An adviser limited to few decisions."""

    def __init__(self, game: str) -> None:
        self.player = adviser(game)

    def decide(self, decision: Decision, view: Any, dice: Dice) -> Any:
        """Decide with little thought."""
        return self.player.decide(decision, view, dice, Budget(nodes=60))


def ways(analyser: Analyser, point: Point) -> list[tuple[State, Fraction]] | None:
    """Return all outcomes of the dice of an act, if there are few."""
    return every_result(lambda dice: analyser._played_out(point, dice), ALL)


@cache
def worked_out(game: tuple[Any, ...], asked: tuple[int, ...] | None = None) -> Analyser:
    """Return an analyser that has worked out its chances; tests share it, so they leave it as it is."""
    analyser = Analyser(recorded(*game), None, asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chances, "DRAWN", 2)
        patch.setattr(chances, "PLAYOUTS", 2)
        analyser.work_out()
    return analyser


DUEL: tuple[Any, ...] = ("duel", "bridge", 7, "random", "random")
HEX: tuple[Any, ...] = ("hex-command", "first-battle", 18, "regular", "regular")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", [DUEL, HEX], ids=["played on", "fitted"])
def test_luck_and_play_add_up_to_last_less_first(game: tuple[Any, ...]) -> None:
    record = recorded(*game)
    reports: list[AnalysisProgress] = []
    tell: Callable[[AnalysisProgress], None] = reports.append
    result = analyse(record, tell)
    assert {one.words for one in reports} == {"chances", "turns"}
    assert all(0 <= one.done < one.of for one in reports)
    first, last = result.chances[0].chance, result.chances[-1].chance
    assert [one.act for one in result.chances] == list(range(-1, len(result.chances) - 1))
    for one in result.chances:
        assert sum(one.chance) == pytest.approx(1)
    assert record.outcome is not None
    winner = record.outcome.winner
    assert last == ((0.5, 0.5) if winner is None else (float(winner == 0), float(winner == 1)))
    for side in (0, 1):
        assert result.luck[side] + result.play[side] == pytest.approx(last[side] - first[side], abs=1e-9)
    assert any(result.luck), "dice decide games"
    assert sum(result.luck) == pytest.approx(0, abs=1e-5)
    assert result.turning
    for turn in result.turning:
        assert turn.before == result.chances[turn.act].chance[turn.side]
        assert turn.after in [one.chance[turn.side] for one in result.chances[turn.act + 1 :]]
        assert turn.words


def test_the_dice_of_a_game_are_told_with_how_often_they_are_as_good() -> None:
    analyser = Analyser(recorded(*HEX))
    assert len(analyser.battle.tallies) == len(analyser.points)
    dice = analysis._dice_luck(analyser.battle.tallies)
    tallies = [tally for one in analyser.battle.tallies for tally in one if (tally.side, tally.label) == (0, "hits")]
    (hits,) = [one for one in dice if (one.side, one.label) == (0, "hits")]
    assert (hits.rolls, hits.got) == (len(tallies), sum([tally.got for tally in tallies]))
    assert hits.mean == pytest.approx(sum([tally.mean for tally in tallies]), abs=1e-4)
    assert hits.as_good is not None
    assert hits.as_bad is not None
    assert 1 < hits.as_good + hits.as_bad < 2, "what was got counts in both"


@pytest.mark.usefixtures("quick")
def test_an_act_without_dice_is_play_and_its_dice_are_weighed_as_they_fall() -> None:
    analyser = Analyser(recorded(*DUEL))
    analyser.work_out()
    thrown = 0
    for number, point in enumerate(analyser.points):
        before, after, acted = analyser._known[number], analyser._known[number + 1], analyser._acted[number]
        if not point.rolls:
            assert not any(acted.luck)
            assert acted.play[0] == after[0] - before[0]
            continue
        every = ways(analyser, point)
        if every is None:
            continue
        thrown += 1
        assert 1 < len(every) <= ALL
        assert sum([weight for _, weight in every]) == 1
        # The result is one of the outcomes. Over all outcomes, the mean luck is 0.
        settled = analyser.chances.settled(analyser.battle.states()[number + 1].clone(), Seeded("no dice"))
        assert analyser.chances.of(settled, "") in [analyser.chances.of(t, "") for t, _ in every]
        lucks = [(analyser.chances.of(t, f"{number} {n}")[0], weight) for n, (t, weight) in enumerate(every)]
        mean = before[0] + acted.play[0]
        assert sum([(chance - mean) * weight for chance, weight in lucks]) == pytest.approx(0)
    assert thrown > 2


def test_what_is_drawn_comes_near_to_all_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    analyser = Analyser(recorded(*HEX))
    number, point = next(
        (n, p)
        for n, p in enumerate(analyser.points)
        if p.rolls and len({analyser.chances.of(t, "")[0] for t, _ in ways(analyser, p) or ()}) > 3
    )
    exact = analyser._over_dice(point, number)
    monkeypatch.setattr(chances, "ALL", 1)
    drawn = analyser._over_dice(point, number)
    assert exact.error == 0 < drawn.error
    assert abs(exact.mean[0] - drawn.mean[0]) < 4 * drawn.error


HORIZON: tuple[Any, ...] = ("command-horizon", "first-battle", 3, "regular", "recruit")
SQUADS: tuple[Any, ...] = ("squad-action", "first-battle", 7, "regular", "regular")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", [HORIZON, HEX, SQUADS], ids=lambda game: game[0])
def test_what_settles_dice_is_not_what_turns_a_game(game: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """After the dice, a choice of casualties changes little, so it is not a turning point. Only differences between
    answers count as play.
    """
    monkeypatch.setattr(chances, "DRAWN", 8)  # drawn positions differ from moment to moment, and count as play
    analyser = Analyser(recorded(*game))
    analyser.work_out()
    settling, chosen = [], []
    for number, point in enumerate(analyser.points):
        acted, asked = analyser._acted[number], point.state.asked[point.index]
        if not asked.options(redacted(point.state, point.side)).several():
            assert not any(acted.play), "there was nothing to decide"
        elif asked.settles:
            before = analyser.points[number - 1]
            assert before.rolls or before.state.asked[before.index].settles, "dice go before it"
            settling.append(abs(acted.play[0]))
        elif point.rolls:
            chosen.append(abs(acted.luck[0]))
    assert len(settling) > 2
    assert sum(settling) / len(settling) < 0.02
    assert sum(chosen) > sum(settling)
    analyser.find_turns()
    for turn in analyser.told().turning:
        point = analyser.points[turn.act]
        assert point.state.asked[point.index].options(redacted(point.state, point.side)).several()


def test_a_lucky_volley_is_luck() -> None:
    """Two sides fire the same shots with other dice. The side that loses more has less luck, even while casualties are
    being chosen.

    The same holds while casualties are still chosen.
    """
    analyser = Analyser(recorded(*HORIZON))
    number = next(
        n
        for n, p in enumerate(analyser.points[:-1])
        if p.rolls and isinstance(analyser.points[n + 1].state.asked[0], Casualty)
    )
    point = analyser.points[number]
    mean = analyser._over_dice(point, number).mean
    lucks: dict[int, list[float]] = {}
    for seed in range(60):
        t = point.state.clone()
        answer(t, Seeded(seed), point.index, point.action)
        asked = t.asked[0]
        lost = asked.losses.count if isinstance(asked, Casualty) else 0
        lucks.setdefault(lost, []).append(analyser.chances.worth(t, f"{seed}")[point.side] - mean[point.side])
    average = [sum(some) / len(some) for _, some in sorted(lucks.items())]
    assert len(average) > 2
    assert average == sorted(average)
    assert average[0] < 0 < average[-1]


@pytest.mark.usefixtures("quick")
def test_giving_up_is_a_decision() -> None:
    going = recorded(*HEX, acts=20)
    on = Analyser(going)
    on.work_out()
    for more, words, better in (
        ({"resigned": 1}, "gives up", True),
        ({"late": 1}, "its time is up", False),
    ):
        result = analyse(msgspec.structs.replace(going, outcome=Outcome(0, "It was given up"), **more))
        before, last = result.chances[-2], result.chances[-1]
        assert (before.act, last.act, last.chance) == (19, 20, (1.0, 0.0))
        for side in (0, 1):
            change = last.chance[side] - result.chances[0].chance[side]
            assert result.luck[side] + result.play[side] == pytest.approx(change, abs=1e-9)
        turn = result.turning[-1]
        assert (turn.act, turn.side, turn.words, turn.after) == (20, 1, words, 0.0)
        assert turn.before == before.chance[1]
        assert (turn.better == Better("play on", turn.before)) if better else (turn.better is None)
        assert on.told().luck == result.luck, "what it loses is no luck"
    drawn = analyse(msgspec.structs.replace(going, outcome=Outcome(None, "A draw was agreed on"), agreed=True))
    assert drawn.chances[-1].chance == (0.5, 0.5)
    assert all(turn.act < 20 for turn in drawn.turning[:-1])
    assert (drawn.turning[-1].act, drawn.turning[-1].words) == (20, "A draw was agreed on")


@pytest.mark.usefixtures("quick")
def test_giving_up_a_lost_battle_is_told_without_a_better_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    going = recorded(*HEX, acts=20)
    monkeypatch.setattr(chances, "chance_of", lambda rules, t, side, dice: 0.99)
    result = analyse(msgspec.structs.replace(going, outcome=Outcome(0, "It was given up"), resigned=1))
    turn = result.turning[-1]
    assert (turn.act, turn.words, turn.better) == (20, "gives up", None)


def test_a_better_answer_is_named_where_play_shows_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "PLAYOUTS", 4)
    monkeypatch.setattr(analysis, "TURNING", 3)
    result = analyse(recorded(*DUEL))
    better = [turn for turn in result.turning if turn.better is not None]
    assert better, "who plays at random misses something"
    for turn in better:
        assert turn.better is not None
        assert turn.better.words != turn.words
        assert 0 <= turn.better.chance <= max(analysis.SUREST, turn.before)


def judged(result: Analysis) -> list[tuple[Act, Judged]]:
    assert result.acts is not msgspec.UNSET
    return [(one, one.judged) for one in result.acts if one.judged is not None]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", [DUEL, HEX], ids=["played on", "fitted"])
def test_every_act_is_told_of_by_itself(game: tuple[Any, ...]) -> None:
    record = recorded(*game, acts=18)
    if record.outcome is None:
        record = msgspec.structs.replace(record, outcome=Outcome(0, "It was given up"), resigned=1)
    reports: list[AnalysisProgress] = []
    analyser = Analyser(record, reports.append, (0, 1))
    analyser.work_out()
    assert analyser.told().acts, "they are known before anything is judged"
    assert not judged(analyser.told())
    analyser.look_closer()
    whole = analyser.told()
    assert whole.acts is not msgspec.UNSET
    assert [one.act for one in whole.acts] == list(range(len(analyser.points)))
    for side in (0, 1):
        luck = sum([one.luck if one.side == side else -one.luck for one in whole.acts])
        assert luck == pytest.approx(whole.luck[side], abs=1e-4)
    for one, point in zip(whole.acts, analyser.points, strict=True):
        assert one.side == point.side
        assert point.rolls or (one.luck, one.error) == (0, 0)
    if game is HEX:
        assert any(one.error > 0 for one in whole.acts), "some dice are drawn"
    else:
        rolled = [one for one, point in zip(whole.acts, analyser.points, strict=True) if point.rolls]
        assert any(one.error == 0 for one in rolled), "of few dice all ways are looked at"
    # Every side with a choice is judged, except for choices that settle dice and choices before the first turn.
    for one in whole.acts:
        point = analyser.points[one.act]
        asked = point.state.asked[point.index]
        chose = asked.options(redacted(point.state, point.side)).several() and not asked.settles
        assert (one.judged is not None) == (chose and analyser.rules.round(point.state) > 0)
    phases = [one.words for one in reports]
    assert phases == sorted(phases, key=("chances", "games played on", "turns", "decisions").index)
    shares = [(one.done, one.of) for one in reports if one.words != "chances"]
    assert all(done < of for done, of in shares)
    assert len({of for _, of in shares}) == 1, "how much there is to do is known"
    assert [done for done, _ in shares] == sorted(done for done, _ in shares)


@pytest.mark.usefixtures("quick")
def test_games_are_played_on_from_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Continued games need no fit. They show an approaching end, and are played only on request."""
    monkeypatch.setattr(chances, "DRAWN", 2)
    record = recorded(*HEX)
    assert record.outcome is not None
    analyser = Analyser(record, None, (0,))
    analyser.work_out()
    assert analyser.told().played == ()
    analyser.play_on()
    played = analyser.told().played
    assert played
    assert [one.round for one in played] == list(range(1, len(played) + 1))
    states = analyser.battle.states()
    for one in played:
        assert analyser.rules.round(states[one.act + 1]) == one.round
        assert one.act < 0 or analyser.rules.round(states[one.act]) == one.round - 1
        assert one.games == 3
        assert sum(one.chance) == pytest.approx(1, abs=1e-5)
        assert 0 < one.error < 0.5, "that all of a few games were won makes nothing certain"
    assert played[-1].chance[record.outcome.winner or 0] > 0.5, "who wins was ahead when the last round began"
    again = Analyser(record, None, (0,))
    again.work_out()
    again.play_on()
    assert again.told().played == played
    # Nothing is judged unless requested. Without a fit, the chances come from continued games.
    for other in (worked_out(HEX), worked_out(DUEL, (0,))):
        other.play_on()
        assert other.told().played is msgspec.UNSET


def test_the_levels_losses_are_told_beside_the_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = {"recruit": Lost(0.03, 0.02, 0.04, 90, 8), "veteran": Lost(0.01, 0.008, 0.012, 90, 8)}
    monkeypatch.setattr(analysis, "losses", lambda game: lost if game == "duel" else {})
    record = recorded(*DUEL)
    every = Analyser(record, None, (0,))
    every.work_out()
    assert every.told().scale == (LevelLoss("recruit", 0.03, 0.02, 0.04), LevelLoss("veteran", 0.01, 0.008, 0.012))
    plain = Analyser(record)
    plain.work_out()
    assert plain.told().scale is msgspec.UNSET


def test_the_graph_in_characters_shows_what_was_played_on() -> None:
    lines = graph([0.5, 0.5, 1.0, 1.0], {1: 0.0, 3: 1.0})
    assert lines[0].endswith("|  *o")
    assert lines[-1].endswith("| o")
    # If acts share a column, it shows the game played on from any of them.
    wide = graph([0.0] * 640, {125: 1.0})
    assert wide[0] == "  100 % |" + " " * 12 + "o"


def test_a_mistake_costs_what_its_better_answer_gains() -> None:
    """A random player makes mistakes. In a game with people, only people are judged."""
    record = recorded("duel", "bridge", 9, "random", "random")
    assert people(record) == ()
    assert everybody(record) == (0, 1)
    record = msgspec.structs.replace(record, players=(PERSON, "random"))
    assert people(record) == everybody(record) == (0,)
    analyser = Analyser(record, None, everybody(record))
    analyser.work_out()
    analyser.judge()
    some = judged(analyser.told())
    assert {one.side for one, _ in some} == {0}
    wrong = [(one, what) for one, what in some if what.better is not None]
    assert 0 < len(wrong) < len(some)
    for one, what in some:
        if what.better is None:
            assert what.cost == 0
        else:
            worth = analyser.told().chances[one.act].chance[0] + one.play
            assert what.cost == pytest.approx(what.better.chance - worth, abs=1e-5)
            assert what.cost > 0
            assert what.better.words
    # The unit that stayed back could have struck.
    one, what = max(wrong, key=lambda pair: pair[1].cost)
    assert what.better is not None
    held_back = "Hold back. The last round is over. Neither is the better"
    assert (one.words, what.better.words.split(":")[0]) == (held_back, "Thrust")


def test_answers_are_compared_by_the_same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """One try of the given answer is compared with all other answers to the same question."""
    analyser = Analyser(recorded(*DUEL))
    number = next(n for n in range(len(analyser.points)) if analyser.battle.is_free(n))
    given = analyser.points[number].action
    played: list[tuple[Any, int]] = []

    def play(self: Alternatives, point: Point, action: Any, n: int) -> float:
        played.append((action, n))
        return {"given": 0.5, "good": 0.7, "best": 0.8, "bad": 0.4}["given" if action is given else action] + n / 1e5

    monkeypatch.setattr(Alternatives, "_played_on", play)
    monkeypatch.setattr(Alternatives, "_others", lambda *about: ["bad", "good", "best"])
    shares: list[float] = []
    gain, action = analyser.alternatives.best([number], 2, shares.append)[number]
    assert action == "best"
    assert gain == pytest.approx(0.3)
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] < 1
    assert len(played) == len(set(played)), "nothing is played twice"
    assert {n for one, n in played if one is given} == {n for one, n in played if one is not given}
    tries = {one: sum(action == one for action, _ in played) for one in ("bad", "best")}
    assert tries["bad"] == tried.TRIES[0] < tries["best"]


@pytest.mark.parametrize(
    ("won", "named"),
    [
        (lambda n: 1.0, True),
        (lambda n: 0.0, False),
        (lambda n: float(n % 2), True),
        (lambda n: -1.0 if n % 2 else 1.0, False),
        # Luck in the first games is made up for by the others.
        (lambda n: 1.0 if n < 4 else -0.2, False),
        (lambda n: float(n == 0), False),
    ],
)
def test_a_better_answer_is_named_only_if_it_wins_more_battles(
    won: Callable[[int], float], named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The estimate says that the other answer is better; battles played to their end decide."""
    analyser = Analyser(recorded(*HEX))
    number = next(n for n in range(len(analyser.points)) if analyser.battle.is_free(n))
    given = analyser.points[number].action
    monkeypatch.setattr(Alternatives, "_played_on", lambda self, point, action, n: 0.5 if action is given else 0.7)
    monkeypatch.setattr(Alternatives, "_others", lambda *about: ["other"])
    played: list[int] = []

    def to_the_end(self: Alternatives, point: Point, action: Any, n: int) -> float:
        played.append(n)
        return 0.0 if action is given else won(n)

    monkeypatch.setattr(Alternatives, "_played_to_the_end", to_the_end)
    monkeypatch.setattr(Analyser, "_named", lambda self, number, gain, action: Better(action, gain))
    analyser._compare([number], 0, lambda share: None)
    better = analyser._found[number]
    assert set(played) <= set(range(2 * alternatives.PAIRS))
    assert analyser._gains[number] == pytest.approx(0.2), "it counts in the mean, as it does for the levels"
    assert (better is not None) is named
    if better is not None:
        assert better.words == "other"
        assert better.chance == pytest.approx(0.2), "its gain is not said to be more than the estimate says"
        assert better.trial
        games = range(better.trial.games)
        assert better.trial.better == pytest.approx(sum([won(n) for n in games]) / len(games))
        assert better.trial.given == 0
        assert f"of {len(games)} games played on from here, the given answer 0 %" in better.games
        assert max(played) >= alternatives.PAIRS, "it is asked about again, with new dice"


def test_rounds_follow_each_other_and_say_what_was_lost() -> None:
    analyser = worked_out(SQUADS)
    rounds = analyser.by_round()
    assert [one.round for one in rounds][-5:] == [1, 2, 3, 4, 5]
    assert rounds[0].before == pytest.approx(analyser._known[0])
    assert rounds[-1].after == pytest.approx(analyser._known[-1])
    for one, after in pairwise(rounds):
        assert one.after == after.before
        assert one.act < after.act
    for one in rounds:
        assert one.change == wording.change(one.before[0], one.after[0])
    lost = [word for one in rounds for word in one.words if " of " in word or "gone" in word]
    assert lost, "units lose models in a battle"
    assert rounds[-1].words[-1].endswith("wins"), "the last round tells the end of the battle"


def test_further_rolls_of_an_act_say_whose_they_are() -> None:
    analyser = worked_out(SQUADS)
    further = [words for n in range(len(analyser.points)) if "more roll" in (words := analyser._words(n))]
    assert further
    for words in further:
        assert re.search(r", and \d+ more rolls? of (North|South)( and \d+ more rolls? of (North|South))?", words)


def test_a_reason_has_no_odds_that_depend_on_other_dice() -> None:
    """The walker would fire last at a unit that two others attack first, so its odds depend on their dice."""
    analyser = Analyser(recorded("hex-command", "first-battle", 31, "recruit", "veteran"))
    number = 2
    there = March(unit=0, to="E4")
    assert there in analyser.points[number].state.asked[0].options(analyser.points[number].state)
    assert analyser.alternatives.reasons(analyser.points[number], there) == []


def test_an_enemy_that_has_to_move_is_part_of_what_an_attack_did() -> None:
    analyser = worked_out(("hex-command", "first-battle", 41, "regular", "recruit"))
    battle, seen = analyser.battle, 0
    for number, point in enumerate(battle.points):
        if not point.rolls or battle.follows(number):
            continue
        before, after = (
            {group.id: group for group in battle.table(t).groups}
            for t in (point.state, battle.states()[battle.end_of(number)])
        )
        driven = [
            group.in_words
            for id, group in before.items()
            if id in after and group.side != point.side and after[id].pieces[0].at != group.pieces[0].at
        ]
        assert len(driven) <= 1, "an attack has one target"
        seen += len(driven)
        falls = re.findall(r"falls? back", analyser._words(number))
        assert len(falls) == len(driven), analyser._words(number)
    assert seen, "some attack drives a unit back"


def test_units_that_the_rules_move_do_not_fall_back() -> None:
    analyser = worked_out(SOLO)
    assert analyser.battle.unplayed, "the rules move one side"
    words = [analyser._words(n) for n, point in enumerate(analyser.points) if point.rolls]
    assert words
    assert not [one for one in words if "back" in one]


def test_a_drawn_card_is_no_die() -> None:
    """A card that is drawn at the end of a turn has a face as a die has, and is not reported as a roll."""
    record = recorded(*HEX)
    rolls = [one for one in record.entries if isinstance(one, RollEntry)]
    analyser = worked_out(HEX)
    assert any(one.secret for one in rolls), "cards are drawn"
    assert [face for one in analyser.battle.thrown for face in one] == [
        face for one in rolls if not one.secret for face in one.faces or ()
    ]
    for number, point in enumerate(analyser.points):
        if point.rolls and not analyser.battle.thrown[number]:
            assert "dice" not in analyser._words(number)
            assert analyser._acted[number].likely is None


def test_more_games_are_played_on_where_they_disagree_with_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    analyser = Analyser(recorded(*HEX), None, (0,))
    monkeypatch.setattr(analysis, "rollout", lambda t, policies, until, dice: None)
    for estimate, games in ((0.5, analysis.BATCH), (0.95, analysis.GAMES)):
        analyser._estimates = [(estimate, 1 - estimate)]
        played = analyser._games_from(0)  # no continued game ends, so all count as drawn
        assert (played.games, played.chance) == (games, (0.5, 0.5))


@pytest.mark.usefixtures("quick")
def test_acts_taken_back_are_no_part_of_it() -> None:
    setting = Setting(ruleset="duel", edition="current", scenario="bridge")
    match, dice = setting.begin(Seeded(1)), Seeded(2)
    undone = 0
    while match.over is None:
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(dice))
        if undone < 2 and match.undo(asked.side):
            undone += 1
    assert undone == 2
    record = record_of(match, setting, players=("random", "random"), seed=1, everything=True)
    assert len(analyse(record).chances) == len(match.history) + 1


def test_it_says_what_it_cannot_explain() -> None:
    for record, words in (
        (recorded(*DUEL, acts=1, finished=False), "the game went on when it was written"),
        (recorded(*DUEL, acts=0), "nobody has done anything"),
        (msgspec.structs.replace(recorded(*DUEL), rules_version=999), "version 999 of the rules"),
    ):
        with pytest.raises(InputError, match=words):
            analyse(record)


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("quick")
def test_the_command_prints_the_object_and_is_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.caltrop.json"
    save(recorded(*DUEL), file)

    def run(*words: str) -> tuple[int, str, str]:
        code = cli.main(["analyse", str(file), *words])
        out, err = capsys.readouterr()
        return code, out, err

    code, out, _ = run("--json")
    answer = json.loads(out)
    assert code == 0
    assert set(answer) == {"ruleset", "sides", "chances", "luck", "play", "turning"}
    assert answer["ruleset"] == "duel"
    assert answer["chances"][0]["act"] == -1
    assert all(set(turn) == {"act", "side", "words", "before", "after", "better"} for turn in answer["turning"])
    code, out, _ = run()
    assert code == 0
    assert f"at last; {wording.dice_of(answer['luck'][0])}" in out
    assert "play" not in out, "decisions are named, and what none of them explains is no play"

    def stop(self: Analyser, *about: Any) -> None:
        raise KeyboardInterrupt

    code, out, _ = run("--every", "--json")
    every = json.loads(out)
    assert code == 0
    for key in set(answer) - {"turning"}:
        assert every[key] == answer[key]
    # Mistakes that are found among all decisions may be turning points too.
    assert every["turning"][-1] == {**answer["turning"][-1], "change": every["turning"][-1]["change"]}
    assert len(every["acts"]) == len(answer["chances"]) - 1
    judged = [one["judged"] for one in every["acts"] if one["side"] == 0 and one["judged"] is not None]
    wrong = [one["cost"] for one in judged if one["better"]]
    assert wrong
    code, out, _ = run("--every")
    assert code == 0
    assert wording.verdict(len(judged), len(wrong)) in out
    acts = msgspec.convert(every["acts"], list[Act])
    rolled = [one for one in acts if one.likely is not None]
    luckiest = max(rolled, key=lambda one: abs(one.after - one.average))
    first = out.partition("The dice that changed most:")[2].splitlines()[1:3]
    assert first[0].startswith(f"  act {luckiest.act}, {every['sides'][luckiest.side]}: ")
    assert first[1].strip() == luckiest.roll
    monkeypatch.setattr(Analyser, "_compare", stop)
    code, out, err = run("--json")
    assert code == 0
    assert "stopped" in err
    assert json.loads(out)["luck"] == answer["luck"]


def test_what_changes_nothing_on_the_table_is_no_turn_and_is_not_judged(
    quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "TURNING", 40)
    analyser = Analyser(recorded("duel", "crossroads", 3, "random", "random"), None, (0, 1))
    analyser.work_out()
    analyser.find_turns()
    idle = [n for n, point in enumerate(analyser.points) if point.rolls and not analyser.battle.has_effect(n)]
    assert idle, "a blow that misses"
    assert not set(idle) & {turn.act for turn in analyser.told().turning}
    assert not set(idle) & set(analyser._judging)
    for turn in analyser.told().turning:
        assert turn.better is None or turn.after <= turn.before, "an answer by which its side gained is no mistake"
    for turn in analyser.told().turning:
        if turn.better is None and turn.act < len(analyser.points) and not analyser.battle.ends_battle(turn.act):
            assert analyser._lasts(turn.act)
            assert analyser.points[turn.act].rolls or turn.after >= turn.before, (
                "nobody loses by the best that there was"
            )


@pytest.mark.parametrize(
    ("chances", "lasts"),
    [
        ((0.5, 0.8, 0.8, 0.7, 0.8, 0.8), True),
        ((0.5, 0.2, 0.3, 0.2, 0.2, 0.2), True),
        ((0.5, 0.8, 0.5, 0.5, 0.5, 0.5), False),
        ((0.5, 0.8, 0.3, 0.3, 0.3, 0.3), False),
        ((0.5, 0.52, 0.52, 0.52, 0.52, 0.52), False),
    ],
)
def test_a_change_that_is_gone_again_is_no_turn(chances: tuple[float, ...], lasts: bool) -> None:
    analyser = Analyser(recorded("duel", "crossroads", 3, "random", "random"))
    side = analyser.points[0].side
    analyser._known = [(one, 1 - one) if side == 0 else (1 - one, one) for one in chances]
    assert analyser._lasts(0) is lasts


@pytest.mark.parametrize(
    ("curve", "won", "least", "most"),
    [
        (0.42, 0.10, 0.10, 0.22),  # the games say otherwise, and are surer of it
        (0.61, 0.58, 0.58, 0.61),  # they agree
        (0.83, 1.0, 0.85, 0.99),  # no few games are certain
        (0.98, 1.0, 0.98, 0.99),  # and all of them won say nothing against a high estimate
    ],
)
def test_the_chances_are_drawn_to_the_games_played_on(curve: float, won: float, least: float, most: float) -> None:
    games = PlayedOn(act=0, round=1, games=24, chance=(won, 1 - won), error=0.1)
    first, second = shifted((curve, 1 - curve), *corrections([disagreement(1, curve, games)]))
    assert least <= first <= most
    assert first + second == pytest.approx(1)


def test_a_drawn_battle_ends_at_one_half(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The estimate ends at one half, whatever the results of continued games."""
    analyser = Analyser(recorded("squad-action", "first-battle", 11, "recruit", "veteran"), None, ())
    assert analyser.battle.match.over is not None
    assert analyser.battle.match.over.winner is None
    monkeypatch.setattr(chances, "DRAWN", 2)
    analyser.work_out()
    monkeypatch.setattr(analyser, "_games_from", lambda number: PlayedOn(number - 1, 1, 24, (0.9, 0.1), 0.05))
    analyser.play_on()
    analyser.draw_near()
    result = analyser.told()
    assert result.chances[-1].chance == (0.5, 0.5)
    assert result.luck[0] + result.play[0] == pytest.approx(0.5 - result.chances[0].chance[0], abs=1e-9)
    assert any(one.act > analyser._rounds[-1] for one in analyser._played_late)


def test_games_that_are_all_drawn_are_surer_than_games_half_won() -> None:
    halves = [PlayedOn(act=0, round=1, games=24, chance=(0.5, 0.5), error=error) for error in (0.04, 0.1)]
    drawn, won = [shifted((0.95, 0.05), *corrections([disagreement(1, 0.95, games)]))[0] for games in halves]
    assert 0.5 < drawn < won < 0.7


def test_uncertain_results_are_read_together_with_those_of_neighbouring_rounds() -> None:
    """Errors of the estimate last for some rounds; results of few games do not, and would make the curve jump."""
    sure, vague = 1e-6, ASTRAY**2
    jumps = [Disagreement(place, size, vague) for place, size in ((1, 0.6), (2, -0.6), (3, 0.6), (4, -0.6))]
    assert max(abs(shift) for shift in corrections(jumps)) < 0.6 / 3
    steady = [one._replace(size=0.6) for one in jumps]
    assert min(corrections(steady)) > corrections(steady[:1])[0] == pytest.approx(0.6 / 2)
    assert corrections([one._replace(variance=sure) for one in jumps]) == pytest.approx(
        [0.6, -0.6, 0.6, -0.6], abs=1e-3
    )
    apart = [Disagreement(APART, 2.0, sure), *jumps]
    assert corrections(apart)[1:] == pytest.approx(corrections(jumps)), "estimates before the first round stand alone"


def test_what_is_certain_stays_so_and_marks_share_what_lies_between_them() -> None:
    assert shifted((1.0, 0.0), -3) == (1.0, 0.0)
    marks = [(2, 1.0), (6, -1.0)]
    assert [between(marks, at) for at in (0, 2, 3, 4, 6, 9)] == [1.0, 1.0, 0.5, 0.0, -1.0, -1.0]


@pytest.mark.parametrize(
    ("lost", "taken", "given", "leads", "rises", "turns"),
    [
        ((), (0,), (1,), None, 0, True),
        ((), (0,), (1,), None, 1, False),
        ((), (0,), (), None, 1, False),
        ((), (), (1,), None, 1, False),
        ((), (), (1,), None, 0, True),
        ((1,), (), (), None, 0, True),
        ((1,), (), (), None, 1, False),
        ((0, 1), (), (), None, 1, True),
        ((0,), (0,), (), None, 1, True),
        ((1,), (0,), (), None, 0, True),
        ((0,), (0,), (1,), None, 1, False),
        ((), (), (), 0, 0, True),
        ((), (), (), 0, 1, False),
        ((), (), (), None, 0, False),
    ],
)
def test_an_act_that_only_helped_a_side_is_no_turn_if_its_chance_fell(
    lost: tuple[int, ...], taken: tuple[int, ...], given: tuple[int, ...], leads: int | None, rises: int, turns: bool
) -> None:
    analyser = Analyser(recorded(*DUEL))
    number = next(n for n in range(len(analyser.points)) if not analyser.battle.ends_battle(n))
    after = (0.8, 0.2) if rises == 0 else (0.2, 0.8)
    analyser._known = [*[(0.5, 0.5)] * (number + 1), *[after] * len(analyser.points)]
    analyser.battle._effects[number] = TableEffect(
        changed=True,
        lost=(0 in lost, 1 in lost),
        taken=frozenset(taken),
        given=frozenset(given),
        words=(),
        leads="" if leads is None else "A takes the lead",
        ahead=frozenset([] if leads is None else [leads]),
        behind=frozenset([] if leads is None else [1 - leads]),
    )
    assert analyser._turns(number) is turns


def test_a_turn_is_told_of_with_what_it_cost_and_helps_nobody_who_lost_by_it(quick: None) -> None:
    analyser = worked_out(("hex-command", "first-battle", 1, "regular", "regular"), (0, 1))
    analyser.draw_near()
    turns = [n for n in range(len(analyser.points)) if analyser._turns(n)]
    assert turns
    for n in turns:
        effect, last = analyser.battle.effect(n), n + 1 == len(analyser.points)
        assert any(effect.lost) or effect.seized or effect.leads or last
        gained = {side for side in (0, 1) if analyser._after(n)[side] > analyser._known[n][side]}
        if not effect.seized and sum(effect.lost) == 1:
            assert effect.lost.index(True) not in gained
        if effect.taken and not any(effect.lost) and not effect.taken & effect.given:
            assert effect.taken & gained or effect.given - gained, "who takes a place does not lose by it alone"
        for words in effect.words:
            assert words in analyser._words(n)
        for _, side in effect.hurt:
            assert any(analyser.sides[side] in words for words in effect.words), "it says whose unit it is"


SOLO: tuple[Any, ...] = ("blade-skirmish", "cut-them-down", 1, "recruit")
DRAW: tuple[Any, ...] = ("duel", "crossroads", 11, "random", "random")
EQUAL = {
    "command-horizon": ("meeting-engagement", 3, 7),
    "hex-command": ("free-battle", 15, 21),
    "squad-action": ("first-battle", 19.5, 31),
}
"""Share of games that the first side won in battles of equal armies between regulars; a draw counts as half."""
ENDINGS = [DUEL, DRAW, HEX, SQUADS, HORIZON, SOLO]


@pytest.mark.parametrize("game", ENDINGS, ids=lambda game: game[0])
def test_the_last_turn_tells_how_the_battle_ended(game: tuple[Any, ...]) -> None:
    analyser = worked_out(game)
    over = analyser.battle.match.over
    assert over is not None
    analyser._turning = ()
    last = analyser._end()
    assert over.reason.rstrip(".") in last[0].words
    if over.winner is not None:
        assert analyser.sides[over.winner] in last[0].words
    assert last[0].after == pytest.approx(
        0.5 if over.winner is None else float(over.winner == last[0].side), abs=0.05
    ), "nothing but dice to be settled comes after it"
    analyser._turning = tuple(last)
    assert analyser._end() == [], "it is told once"


@pytest.mark.parametrize("game", ENDINGS, ids=lambda game: game[0])
def test_luck_and_play_add_up_and_a_side_without_a_player_has_no_play(game: tuple[Any, ...]) -> None:
    analyser = worked_out(game)
    result = analyser.told()
    assert analyser.battle.unplayed == ({1} if game is SOLO else set())
    for side in range(len(result.sides)):
        change = result.chances[-1].chance[side] - result.chances[0].chance[side]
        assert result.luck[side] + result.play[side] == pytest.approx(change, abs=1e-9)
        if side in analyser.battle.unplayed:
            assert result.play[side] == 0


@pytest.mark.parametrize("game", [DUEL, HEX], ids=["played on", "fitted"])
def test_how_likely_dice_were_is_counted_over_all_their_results(quick: None, game: tuple[Any, ...]) -> None:
    analyser = worked_out(game, (0, 1))
    counted = 0
    for act in analyser.told().acts or ():
        point = analyser.points[act.act]
        thrown = bool(analyser.battle.thrown[act.act]) and analyser.battle.is_free(act.act)
        results = ways(analyser, point) if thrown else None
        assert (act.likely is None) == (not thrown)
        if results is None:
            continue
        worth = [(analyser.chances.of(t, f"{act.act} {n}")[act.side], chance) for n, (t, chance) in enumerate(results)]
        mean = float(sum([value * chance for value, chance in worth]))
        ends = analyser._estimates[analyser.battle.end_of(act.act)][act.side]
        if game is DUEL:
            assert (act.average, act.after) == pytest.approx((mean, ends), abs=1e-5)
        elif 0 < ends < 1:
            # The curve is corrected, and the dice change it as they change the estimate, in log odds.
            change = log_odds(ends) - log_odds(mean)
            assert log_odds(act.after) - log_odds(act.average) == pytest.approx(change, abs=1e-3)
        same = [chance for value, chance in worth if abs(value - ends) < 1e-9]
        more = [chance for value, chance in worth if value > ends + 1e-9]
        less = [chance for value, chance in worth if value < ends - 1e-9]
        good = sum(same) + sum(more if act.after >= act.average else less)
        assert act.likely == pytest.approx(float(good), abs=1e-5)
        counted += 1
    assert counted


@pytest.mark.parametrize("words", ["Walk", "Maren: walk"])
def test_both_answers_of_the_same_words_are_told_apart(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    analyser = Analyser(recorded(*DUEL))
    monkeypatch.setattr(Alternatives, "differing", lambda self, point, action, other: [f"{action} and not {other}"])
    analyser._found = {0: Better(f"{words}: to 5.5 in from Ansa", 0.6)}
    analyser._found_by = {0: "best"}
    assert analyser._apart(0, words) == f"{analyser.points[0].action} and not best"
    assert analyser._apart(0, "Hold") == ""


@pytest.mark.parametrize("seed", range(3))
def test_a_better_answer_of_the_same_words_says_what_differs(quick: None, seed: int) -> None:
    analyser = Analyser(recorded("duel", "crossroads", seed, "random", "random"), None, (0, 1))
    analyser.work_out()
    analyser.look_closer()
    for number, better in analyser._found.items():
        if better is None:
            continue
        words = analyser._words(number)
        assert better.words != words
        near = [re.search(r"to (\d+) cm from", one) for one in (words, better.words)]
        if near[0] and near[1] and ", " not in words + better.words:
            assert int(near[0][1]) != int(near[1][1]), "nobody cares about a millimetre"


@pytest.mark.parametrize("game", ["command-horizon", "hex-command", "squad-action"])
def test_equal_sides_are_equal_before_anything_is_decided(game: str) -> None:
    """The estimate of a battle between equal armies is in the interval of the results of such battles."""
    scenario, won, games = EQUAL[game]
    rules = ruleset(game)
    low, high = interval(won, games)
    for seed in range(8):
        match = Setting.chosen(game, scenario=scenario).begin(Seeded(seed))
        chance = chance_of(rules, match.state, 0, Seeded(0))
        assert low <= chance <= high, (game, scenario, chance)


def interval(won: float, games: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share."""
    share, square = won / games, 1.96**2
    centre = (share + square / (2 * games)) / (1 + square / games)
    half = 1.96 * sqrt(share * (1 - share) / games + square / (4 * games * games)) / (1 + square / games)
    return centre - half, centre + half


@pytest.mark.parametrize("game", [DUEL, HEX], ids=["duel", "hexes"])
def test_the_act_that_ends_a_battle_says_why_it_ended_and_who_won(game: tuple[Any, ...]) -> None:
    analyser = worked_out(game)
    over, acts = analyser.battle.match.over, range(len(analyser.points))
    assert over is not None
    assert over.winner is not None
    reason = over.reason.rstrip(".")
    ends = [n for n in acts if f". {reason}" in analyser._words(n)]
    assert ends
    first = min(ends)
    assert all(analyser.battle.goes_with(n) for n in acts[first + 1 :]), "only dice are settled after it"
    assert not analyser.battle.goes_with(first)
    for n in ends:
        assert analyser.sides[over.winner] in analyser._words(n)


def test_an_end_by_points_names_the_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    analyser = object.__new__(Analyser)
    analyser.sides = ("North", "Light Tanks")
    analyser.battle = object.__new__(RecordedBattle)
    analyser.battle.points = []
    monkeypatch.setattr(RecordedBattle, "end_of", lambda self, number: 0)
    for winner, victory in ((0, ("North wins",)), (1, ("Light Tanks win",)), (None, ())):
        over = Outcome(winner, "The last turn is over: 3 points to 0")
        analyser.battle.match = SimpleNamespace(over=over)  # type: ignore[assignment]
        assert analyser._result(0) == (over.reason, *victory)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ((0, "now"), (1, "now"), "Light Tanks take the lead"),
        (
            (0, "now"),
            (1, "If the battle ended now, Light Tanks would win: 3 banners to 2."),
            "Light Tanks take the lead: 3 banners to 2",
        ),
        ((None, "now"), (0, "now"), "North takes the lead"),
        ((0, "now"), (None, "now"), "Nobody leads any more"),
        ((0, "now"), (0, "now"), ""),
        ((None, ""), (0, "now"), ""),
        ((0, "now"), (None, ""), ""),
        ((1, "now: 2 banners to 1"), (1, "now: 3 banners to 1"), "Light Tanks lead: 3 banners to 1"),
        ((None, "now: 1 banner each"), (None, "now: 2 banners each"), "Nobody leads: 2 banners each"),
        ((1, "now: 2 banners to 1"), (1, "now: 2 banners to 1"), ""),
    ],
)
def test_an_act_says_which_side_leads_and_the_score_if_that_changes(
    before: tuple[int | None, str], after: tuple[int | None, str], words: str
) -> None:
    goals = [Victory(words=(), now=now, leader=leader) for leader, now in (before, after)]
    leads, score = effects._lead(goals[0], goals[1], ("North", "Light Tanks"))
    assert leads + score == words
    assert bool(leads) == (bool(words) and before[0] != after[0])
    assert effects._lead(UNSET, goals[1], ("North", "Light Tanks")) == ("", "")


def _table_with(*places: tuple[int, tuple[int, int]]) -> Picture:
    """Return a picture with one place at (0, 0), held by side 0, and a model of a side at each of some places."""
    state = Setting(ruleset="command-horizon", edition="current", scenario="secure-objectives").begin(Seeded(1)).state
    picture = ruleset("command-horizon").depict(redacted(state, None), None)
    group = picture.groups[0]
    spot = msgspec.structs.replace(picture.spots[0], id=7, at=(0, 0), radius=500, holder=0)
    units = [
        msgspec.structs.replace(group, id=n, side=side, pieces=(Piece(id=n, at=at, radius=100),))
        for n, (side, at) in enumerate(places)
    ]
    return msgspec.structs.replace(picture, spots=(spot,), groups=tuple(units))


OWN_THERE, OWN_FAR = (0, (700, 0)), (0, (701, 0))
ENEMY_THERE, ENEMY_FAR = (1, (0, 500)), (1, (0, 900))


@pytest.mark.parametrize(
    ("before", "after", "made"),
    [
        ([OWN_FAR], [OWN_THERE], True),
        ([OWN_THERE], [OWN_FAR], False),
        ([OWN_THERE, ENEMY_THERE], [OWN_THERE, ENEMY_FAR], True),
        ([OWN_THERE, ENEMY_THERE], [OWN_THERE], True),
        ([OWN_THERE, ENEMY_FAR], [OWN_THERE, ENEMY_THERE], False),
        ([OWN_THERE, ENEMY_THERE], [OWN_THERE, ENEMY_THERE], False),
    ],
)
def test_a_place_is_won_by_those_who_come_or_by_others_who_leave(
    before: list[tuple[int, tuple[int, int]]], after: list[tuple[int, tuple[int, int]]], made: bool
) -> None:
    assert made_way(_table_with(*before), _table_with(*after), 7) is made


LAWFUL = [HEX, HORIZON, SQUADS, SOLO]


@pytest.mark.parametrize("game", LAWFUL, ids=lambda game: game[0])
def test_the_curve_moves_in_a_turn_only_by_dice_and_by_what_changed(quick: None, game: tuple[Any, ...]) -> None:
    """A unit that only moves does not change the curve, whatever the estimate says."""
    analyser = worked_out(game, (0, 1))
    battle, moved = analyser.battle, 0
    turns = pairwise([*battle.turns, len(analyser.points)])
    without_dice = [n for n, acted in enumerate(analyser._estimated) if not any(acted.luck)]
    quiet = [n for n in without_dice if not battle.follows(n) and not battle.effect(n).notable]
    closing = [max([n for n in quiet if n in range(*turn)], default=turn[1] - 1) for turn in turns]
    for number in quiet:
        if number not in closing and not battle.ends_battle(number):
            assert analyser._known[number] == pytest.approx(analyser._known[number + 1]), battle.said(number)
            moved += analyser._estimates[number + 1] != analyser._estimates[number]
    assert moved or game is SQUADS, "the estimate swings, apart from one that knows no places"


@pytest.mark.parametrize("game", LAWFUL, ids=lambda game: game[0])
def test_a_turning_point_is_larger_than_its_error_and_is_no_automatic_answer(
    quick: None, game: tuple[Any, ...]
) -> None:
    analyser = worked_out(game, (0, 1))
    for turn in analyser.told().turning[:-1]:
        assert not analyser.battle.follows(turn.act)
        if turn.better is None:
            assert analyser.battle.effect(turn.act).notable, "a move alone turns nothing"
            assert abs(turn.after - turn.before) > 1.96 * analyser._acted[turn.act].error
        else:
            assert turn.better.trial, "it was asked about again with other dice"
            assert turn.better.trial.better > turn.better.trial.given


@pytest.mark.parametrize("game", LAWFUL, ids=lambda game: game[0])
def test_three_sentences_say_who_won_where_it_turned_and_what_the_dice_did(quick: None, game: tuple[Any, ...]) -> None:
    analyser = worked_out(game, (0, 1))
    over = analyser.battle.match.over
    assert over is not None
    outcome, turned, dice = analyser.summary()
    assert over.reason.rstrip(".") in outcome
    if over.winner is not None:
        assert analyser.sides[over.winner] in outcome
        assert analyser.sides[over.winner] in turned
    luck = analyser.told().luck
    helped = [name for name in analyser.sides if dice.startswith(f"The dice helped {name}")]
    for name in helped:
        assert luck[analyser.sides.index(name)] >= wording.EVEN
    assert helped or dice.startswith(("The dice were even", "The dice hurt"))


def test_a_decision_of_a_decided_battle_is_not_tried(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    analyser = Analyser(recorded(*HEX), None, (0, 1))
    analyser.work_out()
    examined: list[int] = []

    def examine(self: Alternatives, numbers: list[int], *more: Any) -> dict[int, tuple[float, Any]]:
        examined.extend(numbers)
        return {}

    monkeypatch.setattr(Alternatives, "best", examine)
    analyser.judge()
    assert examined
    for number in examined:
        side = analyser.points[number].side
        fell = -analyser._estimated[number].play[side] >= analysis.LEAST
        assert fell or analysis.OPEN <= analyser._known[number][side] <= 1 - analysis.OPEN
    assert all(act.judged.cost == 0 for act in analyser.told().acts or () if act.judged)
