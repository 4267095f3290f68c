"""Hands and the deck stay secret: twin games differ in cards that a side has not seen.

Two games are equal, except that one card in a hand is exchanged with one in the deck. Until one of the two cards is
shown, the other side and onlookers see the same in both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.chance import Dice, Scripted, Seeded
from caltrop.engine import Decision, Fell, Match, Played, redacted, stored
from caltrop.host.events import Setup
from caltrop.host.game import HostedGame
from caltrop.journal import RollEntry, Setting, record_of
from caltrop.rules.hex_command import ruleset
from caltrop.rules.hex_command.attack import HoldSurge
from caltrop.rules.hex_command.battling import Battles, Engage, LetItCome
from caltrop.rules.hex_command.cards import Draw
from caltrop.rules.hex_command.catalogue import DECK
from caltrop.rules.hex_command.records import Battle
from tests.rules.hex_command.tables import battle, begin

ACTS = 50
"""Number of acts after which the comparison ends."""

SCENARIO = """
ruleset: hex-command
id: close
title: Close
minutes: 1
words: Both sides stand next to one another.
map: [5, 7]
terrain: {hill: A1}
south:
  name: South
  units:
    - {kind: god-machine-heavy, at: C3}
    - {kind: god-machine-light, at: E3}
    - {kind: infantry-medium, at: D3}
    - {kind: leader-light, at: D3}
  banners: 7
north:
  name: North
  units:
    - {kind: god-machine-heavy, at: D2}
    - {kind: god-machine-light, at: B2}
    - {kind: infantry-medium, at: C2}
    - {kind: leader-light, at: C2}
  banners: 7
limit: {turns: 15}
"""


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    """Return a small battle in which nearly every attack can be answered with a card."""
    file = tmp_path / "close.yaml"
    file.write_text(SCENARIO)
    return Setting(ruleset="hex-command", edition="current", scenario=str(file))


def served(setting: Setting, dice: Dice, always_ask: bool = False) -> HostedGame:
    """Return a game of two persons on a server."""
    setup = Setup(
        ruleset="hex-command",
        edition="current",
        rules={},
        scenario=setting.scenario,
        armies=(),
        size=None,
        seats=("person", "person"),
        friendly=True,
        dice="server",
        engine_version="",
        rules_version=1,
        salt="salt",
        always_ask=always_ask,
    )
    return HostedGame("twin", setup, ruleset, dice)


def battle_of(game: HostedGame) -> Battle:
    assert isinstance(game.match.state, Battle)
    return game.match.state


class Twins:
    """Two games that differ in one card of the hand of *owner*, which the other side *eyes* does not know.

    Args:
        setting: The setting.
        seed: Determines the dice and the choices. owner: The side whose hand differs.
        wanted: A card that should be one of the two, if possible.
    """

    def __init__(self, setting: Setting, seed: int, owner: int, expected: str) -> None:
        self.setting = setting
        self.choices, self.owner, self.eyes = Seeded(f"choices {seed}"), owner, 1 - owner
        self.one = served(setting, Seeded(f"dice {seed}"))
        first = battle_of(self.one)
        hand, deck = list(first.hands[owner] or ()), sorted(set(first.deck()))
        held = expected if expected in hand else hand[self.choices.below(len(hand))]
        others = [card for card in deck if card != held]
        other = expected if expected in others else others[self.choices.below(len(others))]
        self.decks = [sorted(DECK), sorted(DECK)]
        dealt: list[tuple[int, ...]] = []
        swapped = False
        for fell in self.one.match.journal:
            assert isinstance(fell, Fell)
            assert fell.draw
            card = self.decks[0].pop(fell.faces[0] - 1)
            twin = card
            if card == held and fell.side == owner and not swapped:
                twin, swapped = other, True
            dealt.append((self.decks[1].index(twin) + 1,))
            self.decks[1].remove(twin)
        assert swapped
        self.two = served(setting, Scripted(*dealt))
        self.acts = 0

    def compare(self) -> None:
        """Check that the other side and onlookers see the same in both games, and that the owner does not."""
        one, two = self.one.match, self.two.match
        assert one.state.asked == two.state.asked
        for eyes in (self.eyes, None):
            assert stored(redacted(one.state, eyes)) == stored(redacted(two.state, eyes))
            assert msgspec.json.encode(self.one.view(eyes)) == msgspec.json.encode(self.two.view(eyes))
        assert stored(redacted(one.state, self.owner)) != stored(redacted(two.state, self.owner))
        assert [p.boundary for p in one.history[-1:]] == [p.boundary for p in two.history[-1:]]
        for decision in one.waiting:
            if decision.side == self.eyes:
                options = [decision.options(game.match.view(self.eyes)) for game in (self.one, self.two)]
                assert list(options[0]) == list(options[1])

    def records(self) -> None:
        """Check that records given out during the game are equal and contain no drawn card."""
        for eyes in (self.eyes, None):
            one, two = (record_of(game.match, self.setting, side=eyes) for game in (self.one, self.two))
            assert one == two
        own = record_of(self.one.match, self.setting, side=self.owner)
        draws = [e for e in own.entries if isinstance(e, RollEntry) and "HX-S40" in e.clauses]
        assert draws
        assert all(entry.faces is None for entry in draws)

    def choose(self, decision: Decision) -> Any:
        """Return an action that is legal in both games and shows neither card; None if there is none."""
        if decision.reaction and decision.side == self.owner:
            return LetItCome() if type(decision).__name__ == "AmbushOrNot" else HoldSurge()
        if type(decision).__name__ == "KeepOne" and decision.side == self.owner:
            return None  # the other card will be shown
        options = [decision.options(game.match.view(decision.side)) for game in (self.one, self.two)]
        for _ in range(40):
            action = options[0].sample(self.choices)
            if action in options[1]:
                return action
        return None

    def step(self) -> bool:
        """Play one act in both games. Return False if they may look different afterwards."""
        one, two = self.one.match, self.two.match
        if one.over is not None or self.acts == ACTS:
            return False
        decision = one.waiting[0]
        action = self.choose(decision)
        if action is None:
            return False
        start = len(one.journal)
        self.one.act(decision, action)
        rolls = []
        for fell in one.journal[start:]:
            if not isinstance(fell, Fell):
                assert isinstance(fell, Played)
                continue
            if not fell.draw:
                rolls.append(fell.faces)
                continue
            if fell.sides != len(self.decks[0]):
                return False  # the discards were shuffled
            card = self.decks[0].pop(fell.faces[0] - 1)
            if card not in self.decks[1]:
                return False  # the card in question was drawn
            rolls.append((self.decks[1].index(card) + 1,))
            self.decks[1].remove(card)
        two.dice = Scripted(*rolls)
        self.two.act(two.waiting[0], action)
        two.dice.finish()
        self.acts += 1
        return one.over is None


@pytest.mark.clause("HX-S40", "HX-S55", "HX-S57", "HX-Q32", "HX-TRN-08")
@pytest.mark.parametrize("expected", ["ambush", "shield-surge", "counter-order", ""])
@pytest.mark.parametrize("owner", [0, 1])
def test_games_that_differ_in_an_unseen_card_look_the_same_to_everybody_else(
    setting: Setting, owner: int, expected: str
) -> None:
    acts, reactions = 0, 0
    for seed in range(2):
        twins = Twins(setting, seed, owner, expected)
        twins.compare()
        while twins.step():
            reactions += any(d.reaction for d in twins.one.match.waiting)
            twins.compare()
        acts += twins.acts
        if twins.acts and battle_of(twins.one).asks == battle_of(twins.two).asks:
            twins.records()
    assert acts > 30
    assert reactions or expected not in ("ambush", "shield-surge")


def announced(hand: tuple[str, ...], *rolls: tuple[int, ...]) -> Match:
    """Return a battle in which South has announced a close assault, and North, with this hand, may Ambush."""
    t = battle("I-M E5", "I-M F5", hands=(("pincer",), hand))
    t.ordered.append(0)
    match = begin(t, *rolls, at=Battles(side=0))
    match.play(0, Engage(0, 1))
    return match


@pytest.mark.clause("HX-Q32", "HX-S55")
@pytest.mark.parametrize("hand", [("pincer",), ("ambush",)])
def test_the_question_for_an_ambush_is_asked_whichever_side_holds_it(hand: tuple[str, ...]) -> None:
    match = announced(hand, (6, 6, 6))
    (decision,) = match.waiting
    assert (decision.side, type(decision).__name__, decision.reaction) == (1, "AmbushOrNot", True)
    assert decision.options(match.view(1)).several() == ("ambush" in hand)


def test_a_door_answers_for_a_person_who_has_no_choice(setting: Setting) -> None:
    answered, asked = 0, 0
    for seed in range(6):
        game, choices = served(setting, Seeded(f"dice {seed}")), Seeded(f"choices {seed}")
        while game.over is None and game.acts < 60:
            decision = game.match.waiting[0]
            game.act(decision, decision.options(game.match.view(decision.side)).sample(choices))
            waiting = game.match.waiting
            alone = bool(waiting) and waiting[0].reaction
            alone = alone and not waiting[0].options(game.match.view(waiting[0].side)).several()
            acts = game.acts
            if alone:
                assert game.reactions((1 - waiting[0].side,)) == [], "people at two screens are told by who waits"
            rows = game.reactions((0, 1))
            assert len(rows) == game.acts - acts
            assert bool(rows) == alone
            answered += len(rows)
            asked += any(d.reaction for d in game.match.waiting)
    assert answered
    assert asked


def test_who_is_asked_always_is_not_answered_for(setting: Setting) -> None:
    alone = 0
    for seed in range(6):
        game, choices = served(setting, Seeded(f"dice {seed}"), always_ask=True), Seeded(f"choices {seed}")
        while game.over is None and game.acts < 60:
            decision = game.match.waiting[0]
            options = decision.options(game.match.view(decision.side))
            alone += decision.reaction and not options.several()
            assert game.reactions((0, 1)) == []
            game.act(decision, options.sample(choices))
    assert alone


def test_leave_to_take_back_goes_past_reactions() -> None:
    t = battle("I-M E5", "I-M F5", hands=((), ("pincer",)))
    t.ordered.append(0)
    t.stack = [Battles(side=0), Draw(side=1, cards=2)]
    match = Match(ruleset, t, Scripted((1,), (1,), (4, 4, 4)))
    before = match.state
    match.play(1, match.waiting[0].options(match.view(1)).first())
    match.play(0, Engage(0, 1))
    match.play(1, LetItCome())
    assert len(match.history) == 3
    assert match.undo(1, consent=True)
    assert match.state is before
    # If a side has only reacted, its reaction is undone.
    match = announced(("pincer",), (4, 4, 4))
    asked = match.state
    match.play(1, LetItCome())
    assert match.undo(1, consent=True)
    assert match.state is asked
