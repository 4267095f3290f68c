"""The small changes that the tests are tried with: what is changed, and that it is what runs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from caltrop.rules.hex_command.los import sees_past
from tests import small
from tests.mutants import Kept, Mutant, Survivor, Verdict, nothing, page, read_survivors
from tests.rules.hex_command.tables import battle

LOS = small.PACKAGE / "rules" / "hex_command" / "los.py"


def in_a_fork(check: Callable[[], bool]) -> bool:
    """Whether something holds in a process of its own, which is not this one afterwards."""
    pid = os.fork()
    if not pid:
        try:
            os._exit(0 if check() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_every_kind_of_change_is_made_and_ids_are_unique() -> None:
    found = list(small.changes_in(LOS))
    assert {change.kind for change in found} == {"comparison", "number", "condition", "arguments"}
    assert max(Counter(change.id for change in found).values()) == 1
    ids = {change.id for change in found}
    start = "rules/hex_command/los.py::"
    for words in ("sees_past: _size(t, unit, at) > height", "god_machines_look_down: 2 -> 3", "sees: if "):
        assert any(id.startswith(start + words) for id in ids), words


def test_a_change_of_a_rule_is_what_runs_and_only_in_its_own_process() -> None:
    t = battle("V-M C5", "V-M F5")
    a, b = t.units
    words = "_size(t, unit, at) > height < _size(t, target, target_at)"
    looser = f"rules/hex_command/los.py::sees_past: {words} -> {words.replace(' > ', ' >= ').replace(' < ', ' <= ')}"
    one = f"rules/hex_command/los.py::sees_past: {words} -> {words.replace(' > ', ' < ')}"
    assert looser not in {change.id for change in small.changes_in(LOS)}, "one thing is changed at a time"
    (change,) = [change for change in small.changes_in(LOS) if change.id == one]

    def sees() -> bool:
        return sees_past(t, 1, "D5", a, "C5", b, "F5")

    assert sees()
    assert in_a_fork(lambda: small.put_in(change) == 1 and not sees())
    assert sees()


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
    told = page(tried, {"b": Survivor(equivalent="it is the same")}, 1)
    assert "| 3 | 1 | 1 | 50.0 % |" in told
    assert "| `b` | equivalent: it is the same |" in told
    assert "| `c` | not noticed yet |" in told


def test_the_page_keeps_the_games_that_were_not_tried_now() -> None:
    known = {"b": Survivor(noticed="test_b")}
    first = page({"duel": [Verdict("a", (), 1, True), Verdict("b", (), 1, True)]}, known, 1)
    assert "1 were noticed at once" in first
    both = page({"hex-command": [Verdict("c", (), 1, False)]}, known, 1, first)
    for told in ("| 2 | 0 | 2 | 100.0 % |", "| 1 | 0 | 0 | 0.0 % |", "| `b` | test_b |", "| `c` | not noticed yet |"):
        assert both.count(told) == 1, told
    again = page({"hex-command": [Verdict("c", (), 1, True)]}, known, 1, both)
    assert "not noticed yet" not in again
    assert again == page({"hex-command": [Verdict("c", (), 1, True)]}, known, 1, again)
    assert first.split("## ")[1].strip() in again


def test_a_verdict_that_is_written_down_holds_until_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed, same, missed, untried = (Mutant(c.id, (), nothing, c) for c in list(small.changes_in(LOS))[:4])
    kept = Kept(tmp_path / "new" / "hex-command.jsonl", {same.id: Survivor(equivalent="it is the same")})
    assert kept.of([noticed]) == []
    told = [Verdict(m.id, (), 3, m is noticed, "tests/test_a.py::test_b") for m in (noticed, same, missed)]
    for verdict in (Verdict(noticed.id, (), 3, False), *told):
        kept.add(verdict)
    assert kept.of([noticed, same, missed, untried]) == told[:2], "what was missed is tried again"
    source = small.source_of(LOS)
    monkeypatch.setattr(small, "source_of", lambda _: source + b"\n# another line")
    assert kept.of([noticed, same, missed, untried]) == []
