"""Words that the terminal shows."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.asking import Offer, Proposal, Region
from caltrop.engine import Action, Refusal, Term
from caltrop.engine.forecast import AttacksInOrder, Forecast, Foreseen
from caltrop.engine.form import DiceSum
from caltrop.picture import Group, Picture, Stage
from caltrop.terminal import words
from caltrop.terminal.pane import Pane, PaneLine, wrapped
from caltrop.wire import DecisionView, LogEntry, Thrown

TABLE = Picture(
    form="plane",
    width=9000,
    height=6000,
    scale=100,
    measure="cm",
    stage=Stage(round=1, rounds=None, steps=(), now=-1, words=""),
)


class Spend(Action, frozen=True):
    points: int


def decision(**fields: Any) -> DecisionView:
    return DecisionView(id="1.0", side=0, kind="Spending", prompt="How much?", **fields)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("45,30", (4500, 3000)),
        ("4.55,0.1", (455, 10)),
        (".5,60", (50, 6000)),
        ("90.1,30", None),
        ("45", None),
        ("45,", None),
        ("4,5,6", None),
    ],
)
def test_places_are_typed_in_the_games_own_measure(text: str, place: tuple[int, int] | None) -> None:
    result = words.read_place(text, TABLE)
    if place is None:
        assert result == f"{text!r} is not a place on this table; a place is written 45,30, up to 90,60"
    else:
        assert result == place
        assert words.read_place(words.place(place, TABLE), TABLE) == place


def test_choices_that_begin_alike_are_one_and_what_follows_is_asked_next() -> None:
    offers = tuple(
        Offer(action=Spend(points=n), words=f"Shoot at the hill, then {then}", first="Shoot at the hill", unit=3)
        for n, then in enumerate(("move", "rally"))
    )
    alone = Offer(action=Spend(points=5), words="Shoot at the barn, then move", first="Shoot at the barn", unit=3)
    other = Offer(action=Spend(points=6), words="Shoot at the hill, then move", first="Shoot at the hill", unit=4)
    regions = tuple(
        Region(form="move", unit=3, words=f"Move, then {then}", first="Move", act=f"move+{then}")
        for then in ("move", "rally")
    )
    choices = words.choices(decision(offers=(*offers, alone, other), regions=regions), TABLE)
    assert [(c.words, c.unit, [one.words for one in c.more]) for c in choices] == [
        ("Move …", 3, ["then move …", "then rally …"]),
        ("Shoot at the hill …", 3, ["then move", "then rally"]),
        ("Shoot at the barn, then move", 3, []),
        ("Shoot at the hill, then move", 4, []),
    ]
    assert [one.region for one in choices[0].more] == list(regions)
    assert [one.offer for one in choices[1].more] == list(offers)


def test_choices_that_have_the_same_words_are_told_apart_by_their_fields() -> None:
    offers = tuple(Offer(action=Spend(points=n), words="Spend") for n in (1, 2))
    assert [c.words for c in words.choices(decision(offers=offers), TABLE)] == ["Spend, points 1", "Spend, points 2"]


class Aim(Action, frozen=True):
    at: tuple[int, int]
    dice: int


def test_only_what_differs_is_told_and_a_place_as_it_is_typed() -> None:
    offers = tuple(Offer(action=Aim(at=at, dice=3), words="Aim", spot=at) for at in ((4500, 3000), (50, 10)))
    assert [c.words for c in words.choices(decision(offers=offers), TABLE)] == ["Aim, 45,30", "Aim, 0.5,0.1"]


def test_open_choices_come_first_and_what_ends_the_step_last() -> None:
    offers = (
        Offer(action=Spend(points=0), words="Enough", final=True),
        Offer(action=Spend(points=1), words="Spend", unit=3),
    )
    regions = (Region(form="move", unit=3, words="Move"), Region(form="spot", unit=-1, words="Mark"))
    choices = words.choices(decision(offers=offers, regions=regions), TABLE)
    assert [c.words for c in choices] == ["Move …", "Mark …", "Spend", "Enough"]
    assert words.ready(choices) == (3,)
    assert [c.words for c in words.for_unit(choices, 7)] == [c.words for c in choices]


def test_a_unit_has_its_own_choices_and_those_that_are_nobodys() -> None:
    offers = [Offer(action=Spend(points=n), words=f"Unit {n}", unit=n) for n in (1, 2)]
    end = Offer(action=Spend(points=0), words="End", final=True)
    choices = words.choices(decision(offers=(*offers, end)), TABLE)
    assert [c.words for c in words.for_unit(choices, 2)] == ["Unit 2", "End"]


def test_a_price_is_a_sum_with_clauses() -> None:
    terms = (Term(3, "A-1", "a move"), Term(-1, "A-2", "light"))
    assert words.price(terms) == "price 2 = 3 a move (A-1) − 1 light (A-2)"
    assert words.proposal(Proposal(length=1250, left=50, price=terms[:1]), TABLE) == (
        "12.5 cm long, 0.5 cm left at this price; price 3 (a move, A-1)"
    )


def test_a_refusal_names_its_clause_and_offers_the_nearest_only_where_there_is_one() -> None:
    bare = Refusal(code="no", clause="A-1", message="Too far")
    assert words.refusal(bare) == "✗ Too far [A-1]."
    assert "Key a: the nearest" in words.refusal(bare.towards(Spend(points=1)))


def test_lines_that_were_taken_back_are_left_out_of_the_log() -> None:
    lines = [LogEntry(n=n, act=n, side=0, kind="x", text=str(n)) for n in (1, 2, 3)]
    undo = LogEntry(n=4, act=1, side=0, kind="undo", text="undone", undoes=2)
    assert [e.text for e in words.in_force([*lines, undo])] == ["1", "undone"]


def test_dice_are_shown_with_their_clause() -> None:
    line = LogEntry(
        n=1, act=1, side=0, kind="Rolled", text="Ash strikes", clauses=("A-1",), dice=(Thrown(faces=(2, 6), sides=6),)
    )
    assert words.entry(line) == "Ash strikes  ‹2 6› d6 [A-1]"


def test_odds_are_told_likeliest_first_whatever_they_are_made_of() -> None:
    forecast = Forecast(
        thrown=(DiceSum(words="2 attack dice", parts=(Term(2, "A-1", "models"),)),),
        outcomes=(
            Foreseen(words="1 model", parts={"models": 1}, p=0.25, probability="1/4"),
            Foreseen(words="2 models, 1 stun", parts={"models": 2}, p=0.75, probability="3/4"),
        ),
        headline="Takes at least one model: 25 %",
        expected={"models": 1.75},
        answers=(Forecast(about="It may answer with 3 dice", headline="Destroys it: under 1 %"),),
    )
    odds = words.odds(forecast, TABLE)
    assert odds[0] == "2 attack dice: 2 models (A-1)"
    assert [row.split("▪")[0].strip() for row in odds[2:4]] == ["75 %", "25 %"]
    assert "2 models, 1 stun" in odds[2]
    assert odds[4:] == [
        "Takes at least one model: 25 %.",
        "On average: 1.8 models",
        "It may answer with 3 dice: Destroys it: under 1 %",
    ]


def test_a_whole_act_is_told_by_units_for_each_way_of_the_other_side() -> None:
    ends = (
        Foreseen(words="3 models", parts={"models": 3}, p=0.25, probability="1/4"),
        Foreseen(words="out of play", parts={"models": 0}, p=0.75, probability="3/4"),
    )
    quiet = Forecast(about="No enemy reacts", headline="They are lost: 75 %", outcomes=ends, also=(Forecast(),))
    about = "Every enemy that can react does so"
    guess = Forecast(about=about, outcomes=ends, exact=False, note="Estimated: so and so.")
    lines = words.whole((quiet, guess), TABLE, 1)
    assert lines[0] == "The whole act, no enemy reacts (exact odds): They are lost: 75 %"
    assert lines[1].endswith(": 75 % out of play")
    assert "The whole act, every enemy that can react does so (estimated odds)" in lines
    assert lines[-1] == "Estimated: so and so."


def test_several_attackers_are_told_in_their_order() -> None:
    groups = [Group(id=id, side=0, name=name, kind="fox", silhouette="fox") for id, name in ((4, "Foxes"), (2, "Wolf"))]
    table = msgspec.structs.replace(TABLE, groups=tuple(groups))
    ends = (
        Foreseen(words="3 models", parts={"models": 3}, p=0.25, probability="1/4"),
        Foreseen(words="out of play", parts={"models": 0}, p=0.75, probability="3/4"),
    )
    left = Forecast(headline="They are lost: 75 %", outcomes=ends, expected={"models": 0.75})
    assert words.together(AttacksInOrder(order=(2, 4), best=(2, 4), odds=left, idle=(2,)), table) == [
        "Together, in the best order (exact odds): Wolf, Foxes",
        "  It may end in (exact odds):",
        "      75 % out of play",
        "      25 % 3 models",
        "  They are lost: 75 %.",
        "  On average: 0.8 models",
        "  Wolf cannot attack any more then",
    ]
    assert words.together(AttacksInOrder(order=(2, 4)), table) == []
    too_many = words.together(AttacksInOrder(order=(2, 4), odds=left), table)
    assert too_many[0] == "Together, in order (exact odds): Wolf, Foxes"


def test_words_are_wrapped_at_spaces_and_nothing_is_lost() -> None:
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert wrapped("  one two", 6) == ["  one", "  two"]


def test_a_pane_keeps_the_chosen_line_in_sight_and_counts_what_is_cut() -> None:
    pane = Pane(id="x")
    pane.lines, pane.keep = [PaneLine(str(n)) for n in range(20)], 12
    rows = [text for _, _, text in pane.rows(10, 5)]
    assert len(rows) == 5
    assert "12" in rows
    assert rows[0].startswith("↑")
    assert rows[-1].startswith("↓")
