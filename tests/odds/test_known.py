"""What was worked out is found again by the next program, and nothing hangs on its being there."""

from __future__ import annotations

import copy
import errno
import os
import pickle
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.chance import Distribution
from caltrop.clauses import switched_off
from caltrop.engine import Book, known, ruleset
from caltrop.engine.known import KnownOdds, cache_folder, forget, known_odds, sources_digest
from caltrop.rules.command_horizon import odds as horizon
from caltrop.rules.command_horizon.attack import Arms, Attack, Target
from caltrop.rules.hex_command import odds as hexes
from caltrop.rules.hex_command.attack import Attacker, Profile
from caltrop.rules.hex_command.attack import Target as Aimed

DUEL = "caltrop.rules.duel"


class End(NamedTuple):
    """How something ends."""

    left: int
    word: str | None = None


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder of its own for every test, and empty memories."""
    forget()
    monkeypatch.setenv("CALTROP_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    forget()


def shelf(edition: str = "current", question: str = "attack", **rules: Any) -> KnownOdds[Any, End]:
    """What another program would begin with: nothing in memory."""
    return KnownOdds(question, Book("duel", edition, rules), End, DUEL)


def an_answer(n: int) -> Distribution[End]:
    return Distribution({End(n): 6**40 + 1, End(0, "gone"): n + 1})


def kept(numbers: range) -> KnownOdds[Any, End]:
    found = shelf()
    for n in numbers:
        found.keep((n, "best"), an_answer(n))
    found.write()
    return found


ENDS = st.builds(End, st.integers(-9, 9), st.none() | st.text(max_size=3))


@given(st.dictionaries(ENDS, st.integers(1, 36**30), min_size=1, max_size=9))
def test_an_answer_comes_back_from_disk_as_it_was(weights: dict[End, int]) -> None:
    answer = Distribution(weights)
    first = shelf()
    first.keep("what", answer)  # an answer to what has been asked before takes its place
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
    found = kept(range(3))
    assert found.get((1, "best")) == an_answer(1)
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
    found = [n for n in range(7) if shelf().get((n, "best"))]
    assert len(found) == 4
    assert found[1:] == [4, 5, 6]


def test_files_are_bounded_and_the_oldest_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(range(3))
    (first,) = folder.iterdir()
    monkeypatch.setattr(known, "FOLDER", 2 * first.stat().st_size + 40)
    os.utime(first, (1, 1))
    for question in ("blow", "fall"):
        found = shelf(question=question)
        found.keep((0, "best"), an_answer(0))
        for n in range(1, 3):
            found.keep((n, "best"), an_answer(n))
        found.write()
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
        found = shelf()
        for n in range(many):
            found.keep((n, "best"), an_answer(n))
        found.end()
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
        return [list(found.items()) for found in asked]

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


def test_of_many_sets_of_house_rules_the_last_are_kept_and_no_more_are_put_on_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A study whose house rules are drawn has others in every game."""
    monkeypatch.setattr(known, "_KNOWN", {})

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
    known = known_odds("copied", book, End, DUEL)
    assert copy.deepcopy(known) is known
    assert pickle.loads(pickle.dumps(known)) is known
