"""Stored answers are read by the next program, and no result depends on them."""

from __future__ import annotations

import copy
import errno
import os
import pickle
import shutil
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.chance import Distribution
from caltrop.clauses import switched_off
from caltrop.cli import main
from caltrop.engine import Book, known, ruleset
from caltrop.engine.known import KnownOdds, cache_folder, forget, known_odds, sources_digest
from caltrop.journal import Setting
from caltrop.lab import filling
from caltrop.lab.series import SeriesOrder, play_game
from caltrop.players.hex_command import outlook
from caltrop.rules.command_horizon import odds as horizon
from caltrop.rules.command_horizon.attack import Arms, Attack, Target
from caltrop.rules.hex_command import odds as hexes
from caltrop.rules.hex_command.attack import Attacker, Profile
from caltrop.rules.hex_command.attack import Target as Aimed

DUEL = "caltrop.rules.duel"


class End(NamedTuple):
    """The remaining state that the test's odds describe."""

    left: int
    word: str | None = None


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return an empty cache folder for the test, with empty memories and no supplied answers.

    Answers of other tests in the same process are removed too, because books beyond `BOOKS` write nothing to disk.
    """
    monkeypatch.setattr(known, "_KNOWN", {})
    monkeypatch.setattr(known, "SHIPPED", tmp_path / "shipped")
    forget()
    monkeypatch.setenv("CALTROP_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    forget()


def shelf(edition: str = "current", question: str = "attack", **rules: Any) -> KnownOdds[Any, End]:
    """Return the shelf of a new program: nothing in memory."""
    return KnownOdds(question, Book("duel", edition, rules), End, DUEL)


def an_answer(n: int) -> Distribution[End]:
    return Distribution({End(n): 6**40 + 1, End(0, "gone"): n + 1})


def kept(numbers: range) -> KnownOdds[Any, End]:
    result = shelf()
    for n in numbers:
        result.keep((n, "best"), an_answer(n))
    result.write()
    return result


ENDS = st.builds(End, st.integers(-9, 9), st.none() | st.text(max_size=3))


@given(st.dictionaries(ENDS, st.integers(1, 36**30), min_size=1, max_size=9))
def test_an_answer_comes_back_from_disk_as_it_was(weights: dict[End, int]) -> None:
    answer = Distribution(weights)
    first = shelf()
    first.keep("what", answer)  # the answer to an earlier question replaces it
    first.write()
    again = shelf().get("what")
    assert again is not None
    assert (list(again.items()), again.total) == (list(answer.items()), answer.total)


def test_only_the_same_question_is_answered() -> None:
    kept(range(3))
    assert shelf().get((1, "best")) == an_answer(1)
    assert shelf().get((3, "best")) is None
    assert shelf("v1.5").get((1, "best")) is None
    assert shelf(question="blow").get((1, "best")) is None
    assert shelf(parry="off").get((1, "best")) is None


def test_rules_that_were_changed_begin_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "made_for_this_test"
    (home / "data").mkdir(parents=True)
    (home / "__init__.py").write_text("")
    (home / "data/units.yaml").write_text("dice: 3")
    monkeypatch.syspath_prepend(str(tmp_path))
    digests = [sources_digest(home.name)]
    for file, text in (("data/units.yaml", "dice: 4"), ("__init__.py", "1"), ("more.py", ""), ("notes.txt", "")):
        (home / file).write_text(text)
        sources_digest.cache_clear()
        digests.append(sources_digest(home.name))
    assert [one != two for one, two in pairwise(digests)] == [True, True, True, False]


@pytest.mark.parametrize("harm", ["cut", "turned", "emptied", "longer", "a folder"])
def test_a_damaged_file_is_as_good_as_none_and_is_replaced(folder: Path, harm: str) -> None:
    kept(range(3))
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.unlink()
    match harm:
        case "cut":
            file.write_bytes(whole[: len(whole) // 2])
        case "turned":
            file.write_bytes(bytes([*whole[:40], whole[40] ^ 1, *whole[41:]]))
        case "emptied":
            file.write_bytes(b"")
        case "longer":
            file.write_bytes(whole + b"\0")
        case _:
            file.mkdir()
    assert shelf().get((1, "best")) is None
    kept(range(2))
    if harm != "a folder":
        assert shelf().get((1, "best")) == an_answer(1)
        assert shelf().get((2, "best")) is None


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("call", ["open", "replace", "mkdir"])
def test_where_nothing_can_be_written_nothing_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, code: int, call: str
) -> None:
    def fails(*args: Any, **named: Any) -> Any:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path if call == "mkdir" else os, call, fails)
    result = kept(range(3))
    assert result.get((1, "best")) == an_answer(1)
    monkeypatch.undo()
    assert not folder.exists() or not list(folder.iterdir())


def test_a_cache_that_is_no_folder_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("something else")
    monkeypatch.setenv("CALTROP_CACHE", str(tmp_path / "file"))
    kept(range(3))
    assert shelf().get((1, "best")) is None
    assert (tmp_path / "file").read_text() == "something else"


def test_two_programs_that_write_at_once_keep_what_both_know() -> None:
    one, other = shelf(), shelf()
    for n, program in ((1, one), (2, other)):
        assert program.get((n, "best")) is None
        program.keep((n, "best"), an_answer(n))
    one.write()
    other.write()
    assert [shelf().get((n, "best")) for n in (1, 2)] == [an_answer(1), an_answer(2)]


def test_answers_are_bounded_and_the_new_ones_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "MOST", 4)
    kept(range(4))
    kept(range(4, 7))
    ranges = [n for n in range(7) if shelf().get((n, "best"))]
    assert len(ranges) == 4
    assert ranges[1:] == [4, 5, 6]


def test_files_are_bounded_and_the_oldest_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(range(3))
    (first,) = folder.iterdir()
    monkeypatch.setattr(known, "FOLDER", 2 * first.stat().st_size + 40)
    os.utime(first, (1, 1))
    for question in ("blow", "fall"):
        result = shelf(question=question)
        result.keep((0, "best"), an_answer(0))
        for n in range(1, 3):
            result.keep((n, "best"), an_answer(n))
        result.write()
    assert len(list(folder.iterdir())) == 2
    assert not first.exists()


def test_what_a_rule_that_is_switched_off_says_is_nobody_elses_answer(folder: Path) -> None:
    ruleset("duel").vocabulary()
    kept(range(1))
    with switched_off("caltrop.rules.duel.turn:Turn.walk"):
        assert shelf().get((0, "best")) is None
        kept(range(1, 2))
    assert shelf().get((1, "best")) is None


def test_a_few_answers_are_worth_no_file(folder: Path) -> None:
    for many in (known.FEW - 1, known.FEW):
        result = shelf()
        for n in range(many):
            result.keep((n, "best"), an_answer(n))
        result.end()
        assert folder.exists() == (many == known.FEW)


def test_the_folder_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALTROP_CACHE", "")
    assert cache_folder() is None
    monkeypatch.delenv("CALTROP_CACHE")
    monkeypatch.setenv("CALTROP_DATA", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own/cache"
    monkeypatch.delenv("CALTROP_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder() == tmp_path / "caltrop"


ATTACKS = [
    Attack(mode="fire", army="asori", kind="heavy-tank", arms=(Arms("heavy-tank", n),), target=target)
    for n, target in (
        (2, Target("alliance", "heavy-tank", 3)),
        (3, Target("alliance", "light-tank", 5, 2, 1)),
        (1, Target("asori", "command", 1, 0, 0, "active")),
    )
]
PROFILES = [
    Profile(Attacker("vehicle-medium", "vehicle"), Aimed("infantry-medium", 4, leader), range=far)
    for leader, far in ((False, 1), (True, 3))
]


def test_exact_odds_of_attacks_come_back_from_disk_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    def every() -> list[Any]:
        one, two = ruleset("command-horizon").book(), ruleset("hex-command").book()
        asked: list[Distribution[Any]] = [horizon.distribution(one, attack) for attack in ATTACKS]
        asked += [horizon.distribution(one, attack, 0) for attack in ATTACKS]
        asked += [hexes.chances(two, p) for p in PROFILES]
        return [list(result.items()) for result in asked]

    worked_out = every()
    for one in list(known._KNOWN.values()):
        one.write()
    forget()

    def never(*args: Any) -> Any:
        raise AssertionError("it is worked out anew")

    monkeypatch.setattr(horizon, "_Fold", never)
    monkeypatch.setattr(hexes, "_fold", never)
    assert every() == worked_out


def test_books_of_the_same_rules_share_what_is_known() -> None:
    one, two = ruleset("duel").book(), ruleset("duel").book()
    assert known_odds("attack", one, End, DUEL) is known_odds("attack", two, End, DUEL)
    other = Book("duel", "current", {**one.rules, "another": 1})
    assert known_odds("attack", other, End, DUEL) is not known_odds("attack", one, End, DUEL)


def test_of_many_sets_of_house_rules_the_last_are_kept_and_no_more_are_put_on_disk(folder: Path) -> None:
    """A study with random house rules has other rules in every game."""

    def asked(n: int) -> KnownOdds[Any, End]:
        return known_odds("attack", Book("duel", "current", {"n": n}), End, DUEL)

    many = [asked(n) for n in range(known.BOOKS + 3)]
    for n, one in enumerate(many):
        for question in range(known.FEW):
            one.keep((n, question), an_answer(question))
    assert len(known._KNOWN) == known.BOOKS
    assert asked(known.BOOKS) is many[known.BOOKS]
    assert asked(0) is not many[0], "the first has gone, and the fourth goes for it"
    known._end()
    expected = [one._place() for one in many[3 : known.BOOKS]]
    assert {file.name for file in folder.iterdir()} == {place.name for place in expected if place}


def test_every_copy_of_a_game_knows_the_same() -> None:
    book = Book("duel", "current", {"parry.price": 2})
    odds = known_odds("copied", book, End, DUEL)
    assert copy.deepcopy(odds) is odds
    assert pickle.loads(pickle.dumps(odds)) is odds


# --- supplied answers
# --------------------------------------------------------------------------------------------------


def shipped(numbers: range, tmp_path: Path) -> Path:
    """Write a file of supplied answers, and return it."""
    aside = tmp_path / "aside"
    with known.filled(aside):
        asked = known_odds("attack", Book("duel", "current"), End, DUEL)
        for n in numbers:
            asked.keep((n, "best"), an_answer(n))
    (file,) = aside.iterdir()
    known.SHIPPED.mkdir()
    return Path(shutil.copy(file, known.SHIPPED))


def test_the_first_program_knows_what_is_shipped_and_never_writes_there(tmp_path: Path, folder: Path) -> None:
    file = shipped(range(3), tmp_path)
    before = file.stat()
    one = shelf()
    assert one.get((1, "best")) == an_answer(1)
    assert one.get((7, "best")) is None
    one.keep((7, "best"), an_answer(7))
    one.write()
    assert one.get((7, "best")) == shelf().get((7, "best")) == an_answer(7)
    assert [shelf().get((n, "best")) for n in range(3)] == [an_answer(n) for n in range(3)]
    assert file.stat() == before
    (own,) = folder.iterdir()
    result = known.read_file(own)
    assert result is not None
    assert len(result.answers) == 1, "what is shipped is not kept twice"


def test_the_same_answers_write_the_same_file(tmp_path: Path) -> None:
    first = shipped(range(9), tmp_path)
    text = first.read_bytes()
    shutil.rmtree(known.SHIPPED)
    shutil.rmtree(tmp_path / "aside")
    second = shipped(range(9), tmp_path)
    assert (first.name, text) == (second.name, second.read_bytes())


def test_what_is_shipped_for_other_rules_is_ignored_and_listed_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = shipped(range(3), tmp_path)
    (known.SHIPPED / f"cut{known.SUFFIX}").write_bytes(file.read_bytes()[:-1])
    assert {one.state: one.answers for one in filling.listed()} == {"in force": 3, "unreadable": 0}
    monkeypatch.setattr(known, "sources_digest", lambda package: b"other rules")
    assert shelf().get((1, "best")) is None
    assert {one.state: (one.ruleset, one.question) for one in filling.listed()} == {
        "out of date": ("duel", "attack"),
        "unreadable": ("", ""),
    }


def test_who_keeps_nothing_reads_nothing_that_is_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped(range(3), tmp_path)
    monkeypatch.setenv("CALTROP_CACHE", "")
    assert shelf().get((1, "best")) is None


def test_games_with_odds_that_are_shipped_and_without_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played() -> tuple[list[bytes], int]:
        monkeypatch.setattr(known, "_KNOWN", {})
        monkeypatch.setattr(outlook, "_ENDS", {})
        monkeypatch.setattr(outlook, "_KEPT", {})
        calls, fold = 0, hexes._fold

        def counted(book: Book, p: Profile) -> Any:
            nonlocal calls
            calls += 1
            return fold(book, p)

        with monkeypatch.context() as patched:
            patched.setattr(hexes, "_fold", counted)
            return [play_game(order, n).digest for n in range(2)], calls

    order = SeriesOrder(setting=Setting.chosen("hex-command"), players=("heuristic", "heuristic"), games=2, seed=5)
    monkeypatch.setenv("CALTROP_CACHE", "")
    cold, many = played()
    aside = tmp_path / "aside"
    with known.filled(aside):
        assert played()[0] == cold
    shutil.copytree(aside, known.SHIPPED)
    monkeypatch.setenv("CALTROP_CACHE", str(tmp_path / "own"))
    warm, few = played()
    assert warm == cold
    assert few < many // 2


def _play_one(game: str, rounds: int, folder: Path) -> None:
    """Play the first game of a round alone, in a process of its own."""
    orders = filling._orders
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filling, "_orders", lambda game, number: islice(orders(game, number), 1))
        _play(game, rounds, folder)


_play = filling._play


def test_a_series_fills_what_is_shipped_in_place_of_what_was(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "_play", _play_one)
    assert main(["known"]) == 0
    assert capsys.readouterr().out == "shipped with the package: 0 files\nyour own: 0 files\n"
    known.SHIPPED.mkdir()
    stale = known.SHIPPED / f"old{known.SUFFIX}"
    stale.write_bytes(b"")
    assert main(["known"]) == 0
    assert "1 file of an unknown game: unreadable, ignored" in capsys.readouterr().out
    assert main(["known", "hex-command", "--fill", "--rounds", "1"]) == 0
    (file,) = known.SHIPPED.iterdir()
    output = capsys.readouterr()
    assert f"hex-command, attack, edition current: {len(known.read_file(file).answers)} answers" in output.out  # type: ignore[union-attr]
    assert output.err == "playing hex-command\n"
    text = file.read_bytes()
    assert main(["known", "hex-command", "--fill"]) == 0
    assert capsys.readouterr().err == "", "it is in force"
    assert main(["known", "hex-command", "--fill", "--rounds", "1", "--json"]) == 0
    assert file.read_bytes() == text
    assert '"state":"in force"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["hex-comand"], 1, "did you mean 'hex-command'?"),
        (["--rounds", "3"], 2, "--rounds belongs to --fill"),
        (["duel", "--fill", "--rounds", "0"], 2, "--rounds is from 1 to"),
    ],
)
def test_what_cannot_be_listed_or_filled_is_said(
    words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["known", *words]) == code
    assert message in capsys.readouterr().err


def test_a_series_plays_every_scenario_with_its_own_armies_and_with_others() -> None:
    first, second = [list(filling._orders("command-horizon", number)) for number in (0, 1)]
    everyone = [s.id for s in ruleset("command-horizon").scenarios()]
    assert [order.setting.scenario for order in first] == [order.setting.scenario for order in second] == everyone
    assert not any(order.setting.armies for order in first)
    assert len({order.setting.armies for order in second}) > 1


def test_a_game_whose_players_ask_for_no_odds_has_no_file() -> None:
    assert filling.fill("duel") == []
