"""A hint is a legal answer in words, in every game, and plays nothing."""

from __future__ import annotations

import os

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset, rulesets, stored
from caltrop.players import Budget, forked, hint, player, players
from tests.tiers import rotating

NAMES = tuple(name for name in rulesets() if os.environ.get("LAWS", name) == name)
ACTS = 40
EVERY = 8
"""Number of acts between two hints."""
LITTLE = Budget(nodes=60)
"""Number of decisions that a commander may search for each hint. A legal answer needs no more."""


@pytest.mark.parametrize("name", NAMES)
def test_a_hint_is_a_legal_answer_and_changes_nothing(name: str) -> None:
    rules = ruleset(name)
    match = Match(rules, rules.setup(rules.book(None, {}), rules.scenarios()[0].id, (), None), Seeded(f"hints {name}"))
    who, dice = player("recruit" if "recruit" in players(name) else "random", name), Seeded("choices")
    reasons: list[str] = []
    for n in range(ACTS):
        if match.over is not None:
            break
        (asked, *_) = match.waiting
        view = match.view(asked.side)
        if n % EVERY == 0:
            before = stored(view)
            words = hint(rules, asked, view, budget=LITTLE)
            assert stored(view) == before
            assert words.action in asked.options(view)
            assert words.words
            if n in rotating(range(0, ACTS, EVERY), ACTS // EVERY):
                assert words == hint(rules, asked, view, budget=LITTLE), "the same question has the same hint"
            groups = {group.id: group for group in rules.depict(view, asked.side).groups}
            assert words.unit is None or words.unit in groups
            assert words.to is None or words.unit is not None
            reasons += words.reasons
        match.follow(asked, who.decide(asked, view, dice))
    assert all(reason.strip() and not reason.endswith(".") for reason in reasons)


@pytest.mark.parametrize(
    ("name", "scenario"), [("command-horizon", "meeting-engagement"), ("squad-action", "meeting-engagement")]
)
def test_a_hint_says_what_a_place_is_worth_where_a_unit_is_put_on_the_table(name: str, scenario: str) -> None:
    rules = ruleset(name)
    if name not in NAMES:
        pytest.skip("the laws of another game are asked for")
    match = Match(rules, rules.setup(rules.book(), scenario, (), None), Seeded("hints"))
    who, dice = player("veteran", name), Seeded("choices")
    words: list[str] = []
    for _ in range(24):
        (asked, *_) = match.waiting
        view = match.view(asked.side)
        if type(asked).__name__ == "DeployUnit":
            advice = hint(rules, asked, view)
            if advice.to is not None:
                assert any(" from " in reason for reason in advice.reasons)
            words += advice.reasons
        match.follow(asked, who.decide(asked, view, dice))
    assert "no enemy sees it there" in words or "it is in cover there from all who see it" in words


@pytest.mark.skipif("hex-command" not in NAMES, reason="the laws of another game are asked for")
def test_a_hint_tells_the_attack_that_the_adviser_has_in_mind() -> None:
    """Of equal cards, the first is taken. A unit acts as the adviser advises later. Choices that settle dice lead to no
    attack.

    Choices that settle dice lead to no attack.
    """
    rules = ruleset("hex-command")
    match = Match(rules, rules.setup(rules.book(), "first-battle", (), None), Seeded(5))
    players_ = [player("veteran", rules.name) for _ in (0, 1)]
    due: dict[int | None, str] = {}
    targets: list[int | None] = []
    while match.over is None and len(match.history) < 80:
        (asked, *_) = match.waiting
        view = match.view(asked.side)
        several = asked.options(view).several()
        advice = hint(rules, asked, view, forked(players_[asked.side])) if several else None
        action = players_[asked.side].decide(asked, view, Seeded(len(match.history)))
        if advice is not None and advice.action == action and type(asked).__name__ in ("PlayACard", "MoveUnits"):
            due[advice.unit] = next((one for one in advice.reasons if one.startswith("then ")), "")
        if type(asked).__name__ == "ChooseBattle" and advice is not None and due:
            # No die has been rolled since.
            for unit in (None, advice.unit):
                attack = due.get(unit, "")
                if attack:
                    assert attack.endswith(f"({advice.reasons[0][:1].lower()}{advice.reasons[0][1:]})")
                    assert attack.split(" (")[0].removeprefix("then ") in advice.words
                    targets.append(unit)
            due = {}
        match.follow(asked, action)
    assert None in targets, "of a card"
    assert any(unit is not None for unit in targets), "of a unit"


@pytest.mark.skipif("blade-skirmish" not in NAMES, reason="the laws of another game are asked for")
def test_a_move_of_which_nothing_else_is_to_be_told_says_to_which_enemy_it_comes_nearer() -> None:
    rules = ruleset("blade-skirmish")
    match = Match(rules, rules.setup(rules.book(), "blood-price", (), None), Seeded(5))
    who, words = player("veteran", rules.name), 0
    while len(match.history) < 60:
        (asked, *_) = match.waiting
        view = match.view(asked.side)
        action = who.decide(asked, view, Seeded(len(match.history)))
        if type(asked).__name__ in ("Move", "EnemyToCharge"):
            reasons = hint(rules, asked, view, forked(who), Seeded(len(match.history))).reasons
            assert not any("fired at" in one for one in reasons), "nobody shoots in this game"
            near = [one for one in reasons if " nearer to " in one or " farther from " in one]
            assert not near or reasons[0] == near[0], "where there are odds they say enough"
            if near and "nearer" in near[0]:
                groups = rules.depict(view, asked.side).groups
                assert near[0].split(" nearer to ")[1] in [one.in_words for one in groups if one.side != asked.side]
                assert float(near[0].split(" in ")[0]) >= 0.5
                words += 1
        match.follow(asked, action)
    assert words > 5
