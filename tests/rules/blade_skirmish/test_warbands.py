"""Warbands: costs, limits, agreed points, and refused files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from caltrop import InputError
from caltrop.engine import Book
from caltrop.kit.words import tell_apart
from caltrop.rules.blade_skirmish.armies import (
    LISTS,
    agreed_warband,
    check_points,
    cost,
    every_warband,
    points_of,
    threat,
    warband_file,
    worth,
)
from caltrop.rules.blade_skirmish.rulebook import ruleset
from caltrop.rules.blade_skirmish.scenarios import plain_book

PLAIN = plain_book()


def book(**rules: Any) -> Book:
    return ruleset.book(None, rules)


def written(*qualities: int, **fields: Any) -> str:
    """Return a warband as its text, a fighter for each Quality."""
    lines = ["ruleset: blade-skirmish", "id: x", "title: X", "fighters:" if qualities else "fighters: []"]
    lines += [f"  - {{name: {fields.get('name', f'F{i}')}, quality: {q}}}" for i, q in enumerate(qualities)]
    return "\n".join(lines) + "\n"


def wrong(text: str) -> InputError:
    with pytest.raises(InputError) as raised:
        warband_file(text)
    return raised.value


@pytest.mark.clause("BS-S30")
def test_each_step_of_quality_doubles_the_cost() -> None:
    assert [cost(PLAIN, quality) for quality in range(1, 7)] == [1, 2, 4, 8, 16, 32]


@pytest.mark.clause("BS-S30", "BS-S31", "BS-S34", "BS-W32")
def test_the_standard_warband_has_twelve_points_and_an_ordinary_threat_of_ten() -> None:
    six = LISTS.find("six-blades").value
    assert [f.quality for f in six.fighters] == [3, 2, 2, 2, 1, 1]
    assert points_of(PLAIN, six) == 4 + 2 + 2 + 2 + 1 + 1 == 12
    assert threat(PLAIN, 10, 12) == 10


@pytest.mark.clause("BS-S31")
def test_every_warband_that_it_comes_with_may_be_played() -> None:
    every = every_warband(PLAIN)
    assert every[0].id == "six-blades"
    assert {w.id for w in every} == set(LISTS.files)
    assert sum(points_of(PLAIN, w) == 12 for w in every) >= 5
    names = [f.name for w in every for f in w.fighters]
    assert len(names) == len(set(names))


@pytest.mark.clause("BS-S31")
@pytest.mark.parametrize(("count", "fits"), [(2, False), (3, True), (8, True), (9, False)])
def test_a_warband_has_three_to_eight_models(count: int, fits: bool) -> None:
    text = written(*[1] * count)
    if fits:
        assert len(warband_file(text).value.fighters) == count
    else:
        error = wrong(text)
        assert error.args[0] == f"A warband has 3 to 8 models; this one has {count} (BS-S31)"
        assert (error.line, error.field) == (4, "fighters")


@pytest.mark.clause("BS-S44")
@pytest.mark.parametrize(("count", "fits"), [(0, False), (1, True), (8, True), (9, False)])
def test_who_is_called_up_from_a_roster_may_be_one_to_eight(count: int, fits: bool) -> None:
    text = written(*[1] * count) + "march: {campaign: ours, battle: 2}\n"
    if fits:
        assert len(warband_file(text).value.fighters) == count
    else:
        assert wrong(text).args[0] == f"A roster has 1 to 8 models; this one has {count} (BS-S44)"


@pytest.mark.clause("BS-S31")
def test_nobody_in_a_new_warband_is_above_quality_three() -> None:
    error = wrong(written(1, 4, 1))
    assert error.args[0] == "In a new warband the highest Quality is 3; F1 has 4 (BS-S31)"
    assert (error.line, error.column, error.field) == (6, 16, "fighters[1].quality")


def test_two_fighters_do_not_share_a_name() -> None:
    assert wrong(written(1, 1, 1, name="Ada")).args[0] == "two fighters are called 'Ada'"


@pytest.mark.clause("BS-S34", "BS-S35")
def test_threat_is_in_proportion_to_the_points_and_rounded_down() -> None:
    assert [threat(PLAIN, 10, points) for points in (6, 12, 13, 18, 24)] == [5, 10, 10, 15, 20]


@pytest.mark.clause("BS-S34")
@pytest.mark.house("difficulty", "normal", "easy", "hard")
@pytest.mark.parametrize(("difficulty", "expected"), [("normal", 10), ("easy", 8), ("hard", 12)])
def test_difficulty_is_two_points_less_or_more(difficulty: str, expected: int) -> None:
    assert threat(book(difficulty=difficulty), 10, 12) == expected


@pytest.mark.clause("BS-S31", "BS-S33")
def test_a_warband_costs_no_more_than_is_agreed_on() -> None:
    assert check_points(PLAIN, 12, 12) is check_points(PLAIN, 11, 12) is None
    refusal = check_points(PLAIN, 13, 12)
    assert refusal is not None
    assert "The warband costs 13 points, and 12 are agreed on" in refusal.message


@pytest.mark.clause("BS-S35", "BS-Q29")
@pytest.mark.house("mode", "coop")
def test_in_coop_each_of_two_to_four_players_brings_six_points() -> None:
    shared = book(mode="coop")
    for points in (12, 18, 24):
        assert points_of(shared, agreed_warband(shared, None, points)) == points
    with pytest.raises(InputError, match=r"2 to 4 players share a warband of 6 points each.*this one has 6 "):
        agreed_warband(shared, "first-steps", 6)
    assert points_of(PLAIN, agreed_warband(PLAIN, "first-steps", 6)) == 6


def test_what_there_is_not_is_told_with_what_there_is() -> None:
    with pytest.raises(InputError, match="did you mean 'six-blades'"):
        LISTS.find("six-blade")
    with pytest.raises(InputError, match="no warband of 7 points; there are warbands of 6, 12, 18, 24, or name a file"):
        agreed_warband(PLAIN, None, 7)
    with pytest.raises(InputError, match="Three Friends: The warband costs 18 points, and 12 are agreed on"):
        agreed_warband(PLAIN, "three-friends", None)


def test_a_file_is_checked_and_said_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(written(3, 2, 2), encoding="utf-8")
    files = ruleset.army_lists
    assert files is not None
    assert files.check(file) == "the warband X, 3 fighters for 8 points"
    file.write_text(written(3, 2, 2).replace("quality: 3", "qualty: 3"), encoding="utf-8")
    with pytest.raises(InputError, match="did you mean 'quality'") as raised:
        files.check(file)
    assert (raised.value.line, raised.value.column) == (5, 16)


@pytest.mark.clause("BS-S34")
def test_a_force_is_bought_at_the_same_costs() -> None:
    assert worth(PLAIN, [1] * 6 + [2] * 2) == 10
    assert tell_apart(["A", "B", "A"]) == ["A 1", "B", "A 2"]
