"""Ratings of players: values, intervals, and a round robin that continues from its file."""

from __future__ import annotations

from math import hypot
from pathlib import Path

import msgspec
import pytest

from caltrop.engine import ruleset
from caltrop.lab import ladder
from caltrop.lab.kept import read
from caltrop.lab.ladder import jobs, main, play, rated, ratings, table, two_sided
from caltrop.players import Rating


def test_ratings_are_those_of_chess() -> None:
    even = ratings({("veteran", "recruit"): [2, 0] * 50})
    assert even == {"veteran": 1500.0, "recruit": pytest.approx(1500.0)}
    # Odds of ten to one are 400 points.
    result = ratings({("recruit", "veteran"): [0] * 1000 + [2] * 100})
    assert result["recruit"] == pytest.approx(1100, abs=3)
    # Differences add up. A player who met only a neighbour is rated through that neighbour.
    result = ratings({("a", "veteran"): [0] * 300 + [2] * 100, ("b", "a"): [0] * 300 + [2] * 100})
    assert result["veteran"] - result["a"] == pytest.approx(result["a"] - result["b"], abs=1)
    assert result["veteran"] - result["a"] == pytest.approx(190, abs=2)


def test_who_never_lost_is_not_infinitely_good() -> None:
    result = ratings({("veteran", "random"): [2] * 100})
    assert 400 < result["veteran"] - result["random"] < 1200


def test_intervals_are_wider_with_fewer_games() -> None:
    few, many = (rated({("regular", "veteran"): [0, 2, 0, 0] * n})["regular"] for n in (8, 80))
    assert few.low < many.low < many.elo < many.high < few.high
    assert (few.games, many.games) == (32, 320)
    assert rated({("regular", "veteran"): [0, 2, 0, 0] * 8})["regular"] == few


def test_two_games_have_the_same_dice_and_the_seats_swapped() -> None:
    some = jobs("hex-command", ("recruit", "random"), 8, 1)
    assert [job.scenario for job in some[::2]] == [job.scenario for job in some[1::2]]
    assert len({job.scenario for job in some}) == 4
    one = jobs("hex-command", ("random", "random"), 2, 3, ["first-battle"])
    a, b = (play(job) for job in one)
    assert a.points + b.points == 2, "the same players with the same dice: the same game from the other side"
    assert a.turns == b.turns


def test_scenarios_in_which_the_rules_play_are_left_out() -> None:
    assert two_sided("blade-skirmish", "blood-price")
    assert not two_sided("blade-skirmish", "cut-them-down")
    played = {job.scenario for job in jobs("blade-skirmish", ("recruit", "veteran"), 12, 1)}
    assert played == {card.id for card in ruleset("blade-skirmish").scenarios() if card.players == 2}


def test_it_goes_on_from_its_file_and_writes_what_menus_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, beside = tmp_path / "games.jsonl", tmp_path / "rated.json"
    monkeypatch.setattr(ladder, "rated_path", lambda game: beside)
    arguments = ["duel", "--players", "random,random", "--keep", str(file)]
    with pytest.raises(ValueError, match="did you mean random"):
        main(["duel", "--players", "randm,random"])
    main([*arguments, "--games", "2"])
    assert len(read(file, ladder.LadderGame)) == 2
    before = file.read_bytes()
    main([*arguments, "--games", "4", "--write"])
    assert file.read_bytes().startswith(before)
    assert len(read(file, ladder.LadderGame)) == 4
    output = capsys.readouterr().out
    assert "| random against random | 4 |" in output
    assert table(list(read(file, ladder.LadderGame).values())) in output
    assert b'"random"' in beside.read_bytes()
    assert Rating(1500, 1500, 1500, 4).elo == 1500


def test_ratings_of_who_did_not_play_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = tmp_path / "rated.json"
    monkeypatch.setattr(ladder, "rated_path", lambda game: beside)
    old = {"commander": Rating(1555, 1506, 1610, 120), "veteran": Rating(1500, 1500, 1500, 120)}
    beside.write_bytes(msgspec.json.encode(old))
    fresh = {"veteran": Rating(1500, 1500, 1500, 400), "regular": Rating(1400, 1370, 1430, 400)}
    ladder.write("duel", fresh)
    result = msgspec.json.decode(beside.read_bytes(), type=dict[str, Rating])
    assert list(result) == ["regular", "veteran", "commander"], "the weakest first"
    assert result == old | fresh
    ladder.write("duel", {"veteran": Rating(1500, 1500, 1500, 120), "commander": Rating(1560, 1510, 1600, 120)})
    after = msgspec.json.decode(beside.read_bytes(), type=dict[str, Rating])
    assert (after["veteran"].games, after["commander"].elo) == (400, 1560), "the veteran's games stay those of all"
    ladder.write("duel", {"veteran": Rating(1500, 1500, 1500, 400), "commander": old["commander"]})
    with pytest.raises(SystemExit, match="scale of the veteran"):
        ladder.write("duel", {"recruit": Rating(1500, 1500, 1500, 400)})
    with pytest.raises(SystemExit, match="scale of the veteran"):
        main(["duel", "--players", "random,random", "--keep", str(tmp_path / "games"), "--write"])
    assert not (tmp_path / "games").exists(), "it is said before a game is played"
    assert msgspec.json.decode(beside.read_bytes(), type=dict[str, Rating]) == result


def test_who_plays_one_that_is_rated_is_placed_beside_him(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = tmp_path / "rated.json"
    monkeypatch.setattr(ladder, "rated_path", lambda game: beside)
    old = {"veteran": Rating(1500, 1500, 1500, 120), "commander": Rating(1555, 1506, 1610, 120)}
    beside.write_bytes(msgspec.json.encode(old))
    on = ladder.standing("duel", ["commander", "marshal"])
    assert on == ("commander", old["commander"])
    assert ladder.standing("duel", ["commander", "veteran"]) is None
    assert ladder.standing("duel", ["mine:Bot", "random"]) is None
    tally = {("commander", "marshal"): [0, 0, 0, 2] * 30}
    alone, result = rated(tally), rated(tally, on=on)
    gap = alone["marshal"].elo - alone["commander"].elo
    assert gap == pytest.approx(190, abs=3), "three games of four are 191 points"
    assert result["marshal"].elo == 1555 + gap
    for end, one in (("low", 1506), ("high", 1610)):
        off = getattr(alone["marshal"], end) - alone["marshal"].elo
        assert abs(getattr(result["marshal"], end) - result["marshal"].elo) == pytest.approx(
            hypot(off, one - 1555), abs=1
        )
    ladder.write("duel", result)
    after = msgspec.json.decode(beside.read_bytes(), type=dict[str, Rating])
    assert after == {**old, "marshal": result["marshal"]}, "who is rated stays as he is"
