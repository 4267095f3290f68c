"""Secrets in the record of a game with a shuffled deck, hands of cards and face-down orders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from caltrop.chance import IN_ORDER, Pool, Roll, Seeded
from caltrop.engine import (
    Action,
    ArmyCard,
    Ask,
    Book,
    Decision,
    Event,
    Go,
    Listed,
    Match,
    Outcome,
    Procedure,
    Rolled,
    Ruleset,
    ScenarioCard,
    State,
    Switch,
    Throw,
    Vocabulary,
    ask,
    step,
    stored,
)
from caltrop.journal import ActEntry, RollEntry, Setting, encoded, record_of, replay, transcript, verify
from caltrop.picture import Picture, Stage


class Cards(State, kw_only=True):
    """A state with two hands of cards, and face-down cards."""

    secret: ClassVar[tuple[str, ...]] = ("hands", "laid")
    hands: list[tuple[int, ...] | None]
    laid: list[tuple[int, ...] | None]


class Laid(Event, frozen=True):
    side: int
    card: int

    def sentence(self, t: Any) -> str:
        return f"side {self.side} lays the {self.card}"

    def seen_by(self, side: int | None) -> Event | None:
        return self if side == self.side else FaceDown(self.side)


class FaceDown(Event, frozen=True):
    side: int

    def sentence(self, t: Any) -> str:
        return f"side {self.side} lays a card"


class Lay(Action, frozen=True):
    card: int


class LayCard(Decision, frozen=True, kw_only=True):
    secret: ClassVar[bool] = True

    def options(self, t: Cards) -> Listed:
        return Listed([Lay(card) for card in t.hands[self.side] or ()], clause="C-2")


class Playing(Procedure):
    side: int = 0
    round: int = 0

    @step("C-1")
    def deal(self, t: Cards) -> Throw:
        return Throw(Pool(4, 40), reads=IN_ORDER, side=self.side, words="Deal", secret=True)

    @step("C-1")
    def take(self, t: Cards, roll: Roll) -> Go | None:
        t.hands[self.side] = roll
        self.side = 1 - self.side
        return Go("deal") if self.side else None

    @step("C-2")
    def offer(self, t: Cards) -> Ask:
        return ask(LayCard(side=self.side))

    @step("C-2")
    def lay(self, t: Cards, choice: Lay) -> Go | None:
        t.laid[self.side] = (*(t.laid[self.side] or ()), choice.card)
        t.tell(Laid(self.side, choice.card))
        self.side = 1 - self.side
        self.round += 1
        if self.round < 4:
            return Go("offer")
        t.over = Outcome(None, "All is laid")
        return None


class CardRules(Ruleset):
    name = "cards"
    title = "Cards"
    prefix = "C-"
    state = Cards

    @property
    def switches(self) -> Sequence[Switch]:
        return ()

    def scenarios(self) -> Sequence[ScenarioCard]:
        return ()

    def armies(self) -> Sequence[ArmyCard]:
        return ()

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Cards:
        return Cards(book=book, stack=[Playing()], hands=[(), ()], laid=[(), ()])

    def depict(self, t: Cards, side: int | None) -> Picture:
        words = f"{t.hands} {t.laid}"
        stage = Stage(round=0, rounds=None, steps=(), now=-1, words=words)
        return Picture(form="plane", width=1, height=1, scale=1, measure="cm", stage=stage)

    def vocabulary(self) -> Vocabulary:
        return Vocabulary((Playing,), (LayCard,), (Lay,), (Laid, FaceDown, Rolled))


SETTING = Setting(ruleset="cards", edition="current", scenario="table")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the game of cards to the registry."""
    rules = CardRules()
    monkeypatch.setattr("caltrop.journal.record.ruleset", lambda name: rules)


def played(acts: int) -> Match:
    match = SETTING.begin(Seeded(1))
    for _ in range(acts):
        decision = match.waiting[0]
        match.play(decision.side, decision.options(match.view(decision.side)).first())
    return match


def test_a_game_that_goes_on_shows_nobody_the_cards_of_another() -> None:
    match = played(2)
    assert isinstance(match.state, Cards)
    for eyes in (0, 1, None):
        record = record_of(match, SETTING, seed=1, side=eyes)
        rolls = [entry for entry in record.entries if isinstance(entry, RollEntry)]
        acts = [entry for entry in record.entries if isinstance(entry, ActEntry)]
        assert [roll.faces is not None for roll in rolls] == [eyes == 0, eyes == 1]
        assert [act.action is not None for act in acts] == [eyes == 0, eyes == 1]
        text = encoded(record).decode() + transcript(record)
        for side, hand in enumerate(match.state.hands):
            for card in hand or ():
                is_told = re.search(rf'(lays the |"card":|card=){card}\b', text) is not None
                assert is_told == (eyes == side and card == (hand or ())[0])
        assert record.opening.view.stage.words == "[None, None] [None, None]"
        assert verify(record).same


def test_what_is_kept_back_ends_the_replay_there() -> None:
    match = played(2)
    assert not list(replay(record_of(match, SETTING)))
    assert "kept back until the game is over" in verify(record_of(match, SETTING)).words
    assert "hidden" in transcript(record_of(match, SETTING))


def test_a_game_that_is_over_shows_everything() -> None:
    match = played(4)
    record = record_of(match, SETTING, seed=1)
    assert record.seed == 1
    moments = list(replay(record))
    assert stored(moments[-1].state) == stored(match.state)
    verdict = verify(record)
    assert verdict.same
    assert verdict.entries == len(record.entries) == 6
    assert "lays the" in transcript(record)


def test_a_view_of_a_side_has_its_own_hand_alone() -> None:
    match = played(1)
    assert match.view(0).hands[1] is None
    assert match.view(1).hands[0] is None
    assert len(match.view(1).hands[1]) == 4
    assert match.view(None).laid == [None, None]
