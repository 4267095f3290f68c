"""The whole rulebook is there: every clause that binds has code and a test, and every mark names one that exists."""

from __future__ import annotations

import re

import pytest

from caltrop.clauses import MARKS
from caltrop.clauses.inventory import inventory
from caltrop.engine import ruleset
from caltrop.lab import conformance
from caltrop.lab.conformance import PACKAGE, ROOT, Report, recorded, report

TALLIES = {
    "command-horizon": (430, 7, 200, 97),
    "hex-command": (120, 3, 34, 45),
    "blade-skirmish": (144, 0, 45, 38),
    "squad-action": (218, 0, 63, 65),
}
"""Clauses of each page, those of them that are advice, rulings, and worked examples."""
RECORDED = tuple([name for name in TALLIES if (ruleset(name).data / "conformance.json").exists()])
"""Games of which a sample has been recorded."""
PAGES = {name: inventory(name, ruleset(name).prefix) for name in ("duel", *TALLIES)}
PREFIXES = (*[ruleset(name).prefix for name in PAGES], "Q-", "W", "D-")


@pytest.fixture(scope="module", params=list(TALLIES))
def found(request: pytest.FixtureRequest) -> Report:
    return report(request.param)


@pytest.fixture(scope="module", params=RECORDED)
def kept(request: pytest.FixtureRequest) -> Report:
    """The table of a game of which a sample has been recorded."""
    return report(request.param)


def examples(name: str) -> list[str]:
    """The worked examples of a page."""
    return [label for label in PAGES[name].labels if re.fullmatch(r"([A-Z]+-)?W\d+[a-z]?", label)]


@pytest.mark.parametrize("name", TALLIES)
def test_the_inventory_is_read_whole(name: str) -> None:
    pages = PAGES[name]
    advice = [c for c in pages.clauses.values() if not c.binds]
    assert (len(pages.clauses), len(advice), len(pages.questions), len(examples(name))) == TALLIES[name]
    named = {q.switch for q in pages.questions.values() if re.fullmatch(r"[a-z]+[._][a-z._]+", q.switch)}
    assert named
    assert named <= {s.name for s in ruleset(name).switches}


def test_every_clause_that_binds_has_code_and_a_test(found: Report) -> None:
    pages = PAGES[found.ruleset]
    assert [r.id for r in found.clauses if r.status == "waived"] == [
        c.id for c in pages.clauses.values() if not c.binds
    ]
    assert [f"{r.id}: {r.why}" for r in found.clauses if r.status not in ("in", "waived")] == []


def test_every_ruling_has_code_and_a_test_or_a_reason(found: Report) -> None:
    assert [f"{r.id}: {r.why}" for r in found.rulings if r.status not in ("in", "waived")] == []
    assert {r.id for r in found.rulings if r.status == "waived"} == set(recorded(found.ruleset).waived)
    assert all(recorded(found.ruleset).waived.values())


@pytest.mark.parametrize("name", TALLIES)
def test_every_worked_example_has_a_test(name: str) -> None:
    tests, _ = conformance.tests_by_clause(ROOT / "tests")
    assert [label for label in examples(name) if label not in tests] == []


@pytest.mark.parametrize("name", PAGES)
def test_no_mark_names_what_does_not_exist(name: str) -> None:
    ruleset(name).vocabulary()
    folder = str(PACKAGE / "rules" / name.replace("-", "_"))
    known = {*PAGES[name].clauses, *PAGES[name].questions}
    wrong = [f"{m.id}: {c}" for m in MARKS.values() if m.path.startswith(folder) for c in m.clauses if c not in known]
    assert wrong == []


def test_no_test_claims_what_does_not_exist() -> None:
    known = {id for page in PAGES.values() for id in (*page.clauses, *page.questions, *page.labels)}
    tests, deviates = conformance.tests_by_clause(ROOT / "tests")
    # The engine's own tests make up clauses, which no prefix of a rulebook begins.
    assert [f"{id}: {tests[id][0]}" for id in tests if id.startswith(PREFIXES) and id not in known] == []
    assert deviates == {}


@pytest.mark.parametrize("name", PAGES)
def test_house_rules_name_clauses_that_exist(name: str) -> None:
    known = {*PAGES[name].clauses, *PAGES[name].questions}
    assert [f"{s.name}: {c}" for s in ruleset(name).switches for c in s.clauses if c not in known] == []


# --- the record ------------------------------------------------------------------------------------------------------


def test_the_recorded_page_has_every_clause_with_its_status(kept: Report) -> None:
    page = (ROOT / "docs" / "conformance" / f"{kept.ruleset}.md").read_text(encoding="utf-8")
    table, _, silent = page.partition("## What never fired")
    rows = [
        line.split(" | ")
        for line in table.splitlines()
        if line.startswith(("| CH-", "| HX-", "| BS-", "| SQ-", "| Q-"))
    ]
    shown = [(cells[0].removeprefix("| "), cells[1], cells[2].partition(":")[0]) for cells in rows]
    assert shown == [(r.id, r.edition, r.status) for r in (*kept.clauses, *kept.rulings)]
    assert "not explained" not in silent


def test_the_record_knows_a_test_of_everything_that_has_one(kept: Report) -> None:
    record = recorded(kept.ruleset)
    assert [r.id for r in (*kept.clauses, *kept.rulings) if r.tests and not record.tests.get(r.id)] == []


def test_what_never_fires_is_explained(kept: Report) -> None:
    record = recorded(kept.ruleset)
    assert record.sample is not None
    assert record.sample.games >= 1000
    silent = {r.id for r in (*kept.clauses, *kept.rulings) if conformance.is_silent(r, record)}
    assert sorted(silent - set(record.explained)) == []
    assert sorted(set(record.explained) - silent) == [], "explained, and it fired all the same"


def test_the_seekers_reach_every_clause_that_is_not_explained(kept: Report) -> None:
    record = recorded(kept.ruleset)
    assert record.sought is not None
    missed = {r.id for r in (*kept.clauses, *kept.rulings) if r.status == "in" and not record.sought.fired.get(r.id)}
    assert sorted(missed - set(record.explained)) == sorted(record.unsought)
    assert all(record.unsought.values())


def test_a_record_is_of_its_own_game_whatever_else_was_loaded() -> None:
    ruleset("blade-skirmish").vocabulary()
    made = conformance.record("duel", 2, 0, jobs=1)
    assert made.sample is not None
    assert set(made.sample.fired) == set(ruleset("duel").inventory().clauses)
