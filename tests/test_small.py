"""The small changes that the tests are tried with: what is changed, and that it is what runs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from caltrop.rules.hex_command.places import sees_past
from tests import mutants, reached, small
from tests.mutants import Kept, Mutant, Survivor, Verdict, nothing, page, read_survivors
from tests.rules.hex_command.tables import battle

PLACES = small.PACKAGE / "rules" / "hex_command" / "places.py"


def in_a_fork(check: Callable[[], bool]) -> bool:
    """Return whether something holds in a process of its own, which is not this one afterwards."""
    pid = os.fork()
    if not pid:
        try:
            os._exit(0 if check() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_every_kind_of_change_is_made_and_ids_are_unique() -> None:
    changes = list(small.changes_in(PLACES))
    assert {change.kind for change in changes} == {"comparison", "number", "condition", "arguments"}
    assert max(Counter(change.id for change in changes).values()) == 1
    ids = {change.id for change in changes}
    start = "rules/hex_command/places.py::"
    for words in ("sees_past: _size(t, unit, at) > height", "god_machines_look_down: 2 -> 3", "sees: if "):
        assert any(id.startswith(start + words) for id in ids), words


def test_a_change_of_a_rule_is_what_runs_and_only_in_its_own_process() -> None:
    t = battle("V-M C5", "V-M F5")
    a, b = t.units
    words = "_size(t, unit, at) > height < _size(t, target, target_at)"
    looser = f"rules/hex_command/places.py::sees_past: {words} -> {words.replace(' > ', ' >= ').replace(' < ', ' <= ')}"
    one = f"rules/hex_command/places.py::sees_past: {words} -> {words.replace(' > ', ' < ')}"
    assert looser not in {change.id for change in small.changes_in(PLACES)}, "one thing is changed at a time"
    (change,) = [change for change in small.changes_in(PLACES) if change.id == one]

    def sees() -> bool:
        return sees_past(t, 1, "D5", a, "C5", b, "F5")

    assert sees()
    assert in_a_fork(lambda: small.put_in(change) == 1 and not sees())
    assert sees()


def test_the_places_of_changes_tell_when_they_are_reached() -> None:
    t = battle("V-M C5", "V-M F5")
    a, b = t.units
    every = list(small.changes_in(PLACES))
    ids: set[str] = set()

    def tells() -> bool:
        small.tell(every, lambda *numbers: ids.update(every[n].id for n in numbers))
        saw = sees_past(t, 1, "D5", a, "C5", b, "F5")
        functions = {id.partition("::")[2].partition(":")[0] for id in ids}
        return saw and "sees_past" in functions and "sees" not in functions

    assert in_a_fork(tells)
    assert not ids, "the functions of this process tell nothing"


def test_a_change_is_tried_with_the_tests_that_reach_it_the_quickest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    t = battle("V-M C5", "V-M F5")
    a, b = t.units
    file = tmp_path / "test_sight.py"
    file.write_text("# nothing yet")
    monkeypatch.setattr(reached, "ROOT", tmp_path)
    monkeypatch.setattr(reached, "_shared_files", list)
    # Each test takes as many seconds of a processor as its name has letters.
    clock = iter([0.0, 5.0, 5.0, 8.0, 8.0, 9.0])
    monkeypatch.setattr(reached, "process_time", lambda: next(clock))
    items: list[Any] = [SimpleNamespace(path=file, nodeid=name) for name in ("plain", "las", "x")]
    every = list(small.changes_in(PLACES))
    (one,) = [c for c in every if c.id.endswith("sees_past: _size(t, unit, at) > height < _size(t, target, target_at) "
              "-> _size(t, unit, at) < height < _size(t, target, target_at)")]  # fmt: skip

    def run(item: pytest.Item, _: pytest.Item | None) -> str:
        if item.nodeid != "x":
            sees_past(t, 1, "D5", a, "C5", b, "F5")
        return ""

    reach = reached.Reach(tmp_path / "kept" / "reached.jsonl", every)
    assert reach.missing(items) == {"test_sight.py": items}

    def records() -> bool:
        reach.listen()
        return reach.record("test_sight.py", items, run) == 0

    assert in_a_fork(records)
    assert reach.read_again() == ""
    assert reach.missing(items) == {}
    assert [(item.nodeid, seconds) for item, seconds in reach.of(one, items)] == [("las", 3.0), ("plain", 5.0)]
    file.write_text("# another line")
    assert reached.Reach(reach.path, every).missing(items) == {"test_sight.py": items}


def test_a_test_that_fails_without_any_change_is_named_and_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_a.py").write_text("# nothing yet")
    monkeypatch.setattr(reached, "ROOT", tmp_path)
    monkeypatch.setattr(reached, "_shared_files", list)
    items: list[Any] = [SimpleNamespace(path=tmp_path / "test_a.py", nodeid=name) for name in "ab"]
    reach = reached.Reach(tmp_path / "reached.jsonl", ())
    assert in_a_fork(lambda: reach.record("test_a.py", items, lambda item, _: f"{item.nodeid} (why)") == 0)
    assert reach.read_again() == "a (why)"
    assert reach.missing(items) == {"test_a.py": items}


def test_a_sample_is_drawn_by_the_seed_and_a_larger_one_holds_it() -> None:
    few, more = small.sample("duel", 5, 1), small.sample("duel", 9, 1)
    assert more[:5] == few
    assert small.sample("duel", 5, 2) != few


def test_what_became_of_survivors_is_said_one_way() -> None:
    for id, one in read_survivors().items():
        assert bool(one.equivalent) != bool(one.noticed), id
        assert (small.PACKAGE / id.partition("::")[0]).exists(), id


def test_the_page_counts_what_is_not_equivalent() -> None:
    tried = {"duel": [Verdict("a", (), 1, True), Verdict("b", (), 1, False), Verdict("c", (), 1, False)]}
    words = page(tried, {"b": Survivor(equivalent="it is the same")}, 1)
    assert "| 3 | 1 | 1 | 1 | 50.0 % |" in words
    assert "| `b` | equivalent: it is the same |" in words
    assert "| `c` | not noticed yet |" in words


def test_the_page_keeps_the_games_that_were_not_tried_now() -> None:
    names = {"b": Survivor(noticed="test_b")}
    first = page({"duel": [Verdict("a", (), 1, True), Verdict("b", (), 1, True)]}, names, 1)
    assert "1 were noticed at once" in first
    both = page({"hex-command": [Verdict("c", (), 1, False)]}, names, 1, first)
    for words in (
        "| 2 | 1 | 0 | 2 | 100.0 % |",
        "| 1 | 0 | 0 | 0 | 0.0 % |",
        "| `b` | test_b |",
        "| `c` | not noticed yet |",
    ):
        assert both.count(words) == 1, words
    again = page({"hex-command": [Verdict("c", (), 1, True)]}, names, 1, both)
    assert "not noticed yet" not in again
    assert again == page({"hex-command": [Verdict("c", (), 1, True)]}, names, 1, again)
    assert first.split("## ")[1].strip() in again
    fresh = page({"duel": [Verdict("d", (), 1, True)]}, names, 2, first)
    assert first.split("## ")[1].strip() in fresh
    assert "\n## Duel, seed 2\n" in fresh


def test_a_verdict_that_is_written_down_holds_until_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed, same, missed, untried = (Mutant(c.id, (), nothing, c) for c in list(small.changes_in(PLACES))[:4])
    stored = Kept(tmp_path / "new" / "hex-command.jsonl", {same.id: Survivor(equivalent="it is the same")})
    assert stored.of([noticed]) == []
    verdicts = [Verdict(m.id, (), 3, m is noticed, "tests/test_a.py::test_b") for m in (noticed, same, missed)]
    for verdict in (Verdict(noticed.id, (), 3, False), *verdicts):
        stored.add(verdict)
    assert stored.of([noticed, same, missed, untried]) == verdicts[:2], "what was missed is tried again"
    source = small.source_of(PLACES)
    monkeypatch.setattr(small, "source_of", lambda _: source + b"\n# another line")
    assert stored.of([noticed, same, missed, untried]) == []


def test_a_test_has_the_files_that_it_imports_through_their_package(tmp_path: Path) -> None:
    test = tmp_path / "test_some.py"
    test.write_text(
        "from caltrop.rules.command_horizon.targets import why_not\n"
        "from caltrop.rules.hex_command import places\n"
        "from caltrop.rules.duel.movement import Walk\n"
        "import caltrop.kit.words\n"
    )
    as_posixes = {file.relative_to(small.PACKAGE).as_posix() for file in mutants.imported_by(test)}
    assert {
        "rules/command_horizon/targets/orders.py",
        "rules/hex_command/places.py",
        "rules/duel/movement.py",
        "kit/words.py",
    } <= as_posixes
    assert "rules/command_horizon/targets/marks.py" not in as_posixes
