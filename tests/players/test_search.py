"""A player that searches through plans: legal answers, equal answers from equal seeds, and a budget of nodes or
time.
"""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, digest, redacted, ruleset
from caltrop.journal import Setting
from caltrop.players import Budget, Judgement, Player, maker_of
from caltrop.players.hex_command import Heuristic
from caltrop.players.hex_command.plan import Plan as PlanOfTurn
from caltrop.players.protocol import UNBOUNDED, forked
from caltrop.players.search import ENOUGH, OPENINGS, FixedOpening, Searcher, Steps, TurnPlan

GAME = "hex-command"


def begun(seed: int = 3) -> Match:
    return Setting.chosen(GAME, None, "first-battle").begin(Seeded(seed), keep=False)


def searcher(nodes: int = 160) -> Searcher:
    return Searcher(ruleset(GAME), Heuristic, nodes)


def played(who: Searcher, acts: int, budget: Budget | None = None) -> Match:
    """Play a game against a veteran for some acts, and assert that every answer is legal."""
    match, dice = begun(), [Seeded(1), Seeded(2)]
    sides: list[Player] = [who, Heuristic()]
    for _ in range(acts):
        asked = match.waiting[0]
        view = match.view(asked.side)
        before = digest(view)
        with_ = (budget,) if budget is not None and asked.side == 0 else ()
        action = sides[asked.side].decide(asked, view, dice[asked.side], *with_)
        assert asked.options(view).refusal(action) is None, (asked, action)
        assert digest(view) == before, "thinking changes no view"
        match.follow(asked, action)
    return match


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the number of decisions of each plan that was played through."""
    result: list[int] = []
    whole = Searcher.played

    def count(self: Searcher, *with_: Any) -> tuple[str, int]:
        did, acts = whole(self, *with_)
        result.append(acts)
        return did, acts

    monkeypatch.setattr(Searcher, "played", count)
    return result


def test_equal_seeds_give_equal_games() -> None:
    assert digest(played(searcher(), 16).state) == digest(played(searcher(), 16).state)


def test_it_keeps_to_the_nodes_of_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    spent, match = counted(monkeypatch), begun()
    asked = match.waiting[0]
    for nodes in (40, 160):
        spent.clear()
        who = searcher(nodes)
        who.decide(asked, match.view(asked.side), Seeded(1))
        assert spent
        # Only the last plan may exceed the budget.
        assert sum(spent[:-1]) < nodes
    spent.clear()
    who = searcher(10_000)
    who.decide(asked, match.view(asked.side), Seeded(1), Budget(nodes=40))
    assert sum(spent[:-1]) < 40
    spent.clear()
    asked_again = who.decide(asked, match.view(asked.side), Seeded(1), Budget(nodes=0))
    assert not spent, "with none it goes on with what it has in mind"
    assert asked_again in asked.options(match.view(asked.side))
    assert searcher().decide(asked, match.view(asked.side), Seeded(1), Budget(nodes=0)) == Heuristic().decide(
        asked, match.view(asked.side), Seeded(1)
    )
    assert not spent


def test_a_clock_cuts_in_and_the_answer_is_legal_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = counted(monkeypatch)
    who = searcher(100_000)
    played(who, 1, Budget(seconds=0.0))
    assert who.cut
    assert len(spent) == 1


def test_it_hangs_on_nothing_that_is_hidden() -> None:
    match, dice, differed = begun(), Seeded("hands"), 0
    sides: list[Player] = [searcher(60), Heuristic()]
    twin = searcher(60)
    for n in range(14):
        asked = match.waiting[0]
        action = sides[asked.side].decide(asked, match.view(asked.side), Seeded(n))
        if asked.side == 0:
            other = match.ruleset.guess(match.view(0), 0, dice)
            differed += other.hands != match.state.hands  # type: ignore[attr-defined]
            assert twin.decide(asked, redacted(other, 0), Seeded(n)) == action
        match.follow(asked, action)
    assert differed


def plan(*chances: float) -> TurnPlan:
    plan = TurnPlan(Heuristic())
    plan.chances = list(chances)
    return plan


def test_another_plan_is_followed_where_it_was_better_by_more_than_chance() -> None:
    own = plan(0.4, 0.5, 0.6, 0.5)
    better, luckier, untried = plan(0.5, 0.6, 0.7, 0.6), plan(0.9, 0.1, 0.9, 0.2), plan(*[1.0] * (ENOUGH - 1))
    assert Searcher._best(own, [own, luckier, untried]) is own
    assert Searcher._best(own, [own, luckier, better]) is better
    assert Searcher._best(own, [own]) is own


def test_a_plan_is_made_once_and_begins_alike_in_every_world(monkeypatch: pytest.MonkeyPatch) -> None:
    made, match = [], begun()

    def count(*with_: Any) -> Any:
        made.append(with_[1])
        return PlanOfTurn(*with_)

    monkeypatch.setattr("caltrop.players.hex_command.heuristic.Plan", count)
    asked = match.waiting[0]
    view, who = match.view(asked.side), searcher()
    one, other = TurnPlan(Heuristic()), TurnPlan(Heuristic())
    did = {who.played(one, asked, view, f"world {n}")[0] for n in range(4)}
    mine = made.count(asked.side)
    made.clear()
    for n in range(4):
        who.played(other, asked, view, f"world {n}")
        other.begun, other.player = False, Heuristic()
    assert made.count(asked.side) == mine + 3
    assert one.chances == other.chances
    assert did


def test_who_follows_a_plan_looks_at_the_table_and_at_no_world_of_its_thoughts() -> None:
    match, who = begun(), searcher()
    asked = match.waiting[0]
    view, one = match.view(asked.side), TurnPlan(Heuristic())
    who.played(one, asked, view, "world 1")
    follower = forked(one.player)
    assert isinstance(follower, Heuristic)
    assert follower.plan(view, asked.side).t is view


@pytest.mark.parametrize(("game", "scenario"), [(GAME, "first-battle"), ("blade-skirmish", "blood-price")])
def test_what_a_plan_does_before_a_die_falls_is_thought_of_once_and_changes_nothing(
    game: str, scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Setting.chosen(game, None, scenario).begin(Seeded(3), keep=False)
    make: Any = maker_of("veteran", game)
    rules = ruleset(game)
    who = Searcher(rules, make.make, 100)
    players, dice = [make(), make()], [Seeded(1), Seeded(2)]
    while not who.is_open(match.waiting[0], match.view(match.waiting[0].side)):
        asked = match.waiting[0]
        match.follow(asked, players[asked.side].decide(asked, match.view(asked.side), dice[asked.side]))
    asked = match.waiting[0]
    view, side = match.view(asked.side), asked.side
    one, other, odd = (TurnPlan(make()) for _ in range(3))
    games = [who.played(one, asked, view, f"world {n}") for n in range(2)]
    assert one.steps is not None
    assert len(one.steps.asked) > 1
    assert (rules.guess(view, side, Seeded(1)) is view) is (game == "blade-skirmish"), "with and without hidden things"

    # The same steps in a battle, up to the first die.
    for question, action in one.steps.asked:
        assert match.waiting[0] == question
        assert question.options(match.view(side)).refusal(action) is None
        match.follow(question, action)

    # If an unexpected question comes, a player that has not continued yet thinks again.
    odd.steps = Steps(odd.player, view.clone(), side)
    odd.steps.asked[1] = (odd.steps.asked[0][0], odd.steps.asked[1][1])
    odd.begun = True
    if rules.guess(view, side, Seeded(1)) is not view:
        again = [who.played(odd, asked, view, f"world {n}") for n in range(2)]
        assert [did for did, _ in again] == [did for did, _ in games]
        assert odd.chances == one.chances

    monkeypatch.setattr("caltrop.players.search.LONGEST", 0)
    slowly = [who.played(other, asked, view, f"world {n}") for n in range(2)]
    assert not other.steps or not other.steps.asked
    assert [did for did, _ in slowly] == [did for did, _ in games]
    assert other.chances == one.chances


def test_a_plan_that_wins_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan that attacks is better than the play of a veteran that never attacks."""
    who, match = searcher(3000), begun()

    def chances(self: Searcher, one: TurnPlan, *with_: Any) -> tuple[str, int]:
        who: Any = one.player
        judgement: Judgement = getattr(who, "player", who).judgement
        one.chances.append(0.8 if judgement.style.name == "bold" else 0.4)
        return f"{judgement.style.name} {judgement.seed}", 10

    monkeypatch.setattr(Searcher, "played", chances)
    asked = match.waiting[0]
    who.decide(asked, match.view(asked.side), Seeded(1))
    assert who.following.judgement.style.name == "bold"  # type: ignore[attr-defined]


def test_plans_begin_with_each_other_answer_and_go_on_as_a_veteran() -> None:
    match, who = begun(), searcher()
    asked = match.waiting[0]
    view = match.view(asked.side)
    own, *others = who._plans(asked, view, Seeded(1))
    openings = [one.player for one in others if isinstance(one.player, FixedOpening)]
    first = forked(own.player).decide(asked, view, Seeded(2))
    rest = [action for action in asked.options(view) if action != first]
    assert [one.action for one in openings] == rest[:OPENINGS]
    for one in openings:
        mine, twin = forked(one), forked(one)
        assert mine.decide(asked, view, Seeded(2)) == one.action == twin.decide(asked, view, Seeded(2))
        assert not one.begun, "it is played in many worlds"
        match = begun()
        match.follow(asked, one.action)
        after = match.waiting[0]
        seen = match.view(after.side)
        assert mine.decide(after, seen, Seeded(3)) == forked(own.player).decide(after, seen, Seeded(3))
    assert openings


def test_what_a_plan_begins_with_answers_one_question() -> None:
    match = begun()
    asked = match.waiting[0]
    view = match.view(asked.side)
    *_, other = asked.options(view)
    late = FixedOpening(Heuristic(), asked, other)
    late.begun = True
    assert late.decide(asked, view, Seeded(1)) == Heuristic().decide(asked, view, Seeded(1)) != other


@pytest.mark.parametrize(
    ("game", "scenario"),
    [
        ("command-horizon", "first-battle"),
        ("blade-skirmish", "blood-price"),
        ("blade-skirmish", "hold-the-stones"),
        ("squad-action", "first-battle"),
    ],
)
def test_a_search_answers_legally_also_where_the_rules_move_the_other_side(game: str, scenario: str) -> None:
    match = Setting.chosen(game, None, scenario).begin(Seeded(5), keep=False)
    makers: Any = (maker_of("commander", game), maker_of("veteran", game))
    sides, dice = [make() for make in makers], [Seeded(1), Seeded(2)]
    who: Any = sides[0]
    who.nodes, thought = 120, 0
    while thought < 2 and match.over is None:
        asked = match.waiting[0]
        view = match.view(asked.side)
        before = digest(view)
        left = who._left
        action = sides[asked.side].decide(asked, view, dice[asked.side])
        thought += asked.side == 0 and 0 < who._left < left
        assert asked.options(view).refusal(action) is None
        assert digest(view) == before, "thinking changes no view"
        match.follow(asked, action)
    assert thought == 2 or match.over is not None


@pytest.mark.parametrize("nodes", [1, None])
def test_the_other_side_is_told_how_much_it_may_look_at(nodes: int | None) -> None:
    budgets: list[int | None] = []

    class Listening(Heuristic):
        def decide(self, decision: Any, view: Any, dice: Any, budget: Budget = UNBOUNDED) -> Any:
            budgets.append(budget.nodes)
            return super().decide(decision, view, dice, budget)

    match = begun()
    asked = match.waiting[0]
    who = Searcher(ruleset(GAME), Listening, 100, glance=Budget(nodes=nodes))
    who.played(TurnPlan(Heuristic()), asked, match.view(asked.side), "world 1")
    assert budgets
    assert set(budgets) == {nodes}


@pytest.mark.parametrize("game", ["command-horizon", GAME, "blade-skirmish", "squad-action"])
def test_levels_that_search_are_made_by_name_and_in_styles(game: str) -> None:
    few, many = (maker_of(name, game)() for name in ("commander", "marshal"))
    assert isinstance(few, Searcher)
    assert isinstance(many, Searcher)
    assert few.nodes < many.nodes
    assert (few.clock, many.clock) == (2.0, 10.0)
    bold: Any = maker_of("commander+bold", game)()
    assert bold.following.judgement.style.name == "bold"
