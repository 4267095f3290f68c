"""The whole rulebook is there: every clause that binds has code and a test, and every mark names one that exists."""

from __future__ import annotations

import pytest

from caltrop.clauses import MARKS
from caltrop.clauses.inventory import inventory
from caltrop.engine import ruleset
from caltrop.lab import conformance
from caltrop.lab.conformance import PACKAGE, ROOT, Report, recorded, report

NAME = "command-horizon"
PAGES = inventory(NAME, ruleset(NAME).prefix)
TALLY = (430, 7, 198, 94)
"""Clauses of the page, those of them that are advice, rulings, and worked examples."""


@pytest.fixture(scope="module")
def found() -> Report:
    return report(NAME)


def test_the_inventory_is_read_whole() -> None:
    examples = [label for label in PAGES.labels if label.startswith("W")]
    advice = [c for c in PAGES.clauses.values() if not c.binds]
    assert (len(PAGES.clauses), len(advice), len(PAGES.questions), len(examples)) == TALLY
    named = {q.switch for q in PAGES.questions.values() if "." in q.switch}
    assert named <= {s.name for s in ruleset(NAME).switches}


def test_every_clause_that_binds_has_code_and_a_test(found: Report) -> None:
    assert [r.id for r in found.clauses if r.status == "waived"] == [
        c.id for c in PAGES.clauses.values() if not c.binds
    ]
    assert [f"{r.id}: {r.why}" for r in found.clauses if r.status not in ("in", "waived")] == []


def test_every_ruling_has_code_and_a_test_or_a_reason(found: Report) -> None:
    assert [f"{r.id}: {r.why}" for r in found.rulings if r.status not in ("in", "waived")] == []
    assert {r.id for r in found.rulings if r.status == "waived"} == set(recorded(NAME).waived)
    assert all(recorded(NAME).waived.values())


def test_every_worked_example_has_a_test() -> None:
    tests, _ = conformance.tests_by_clause(ROOT / "tests")
    assert [label for label in PAGES.labels if label.startswith("W") and label not in tests] == []


def test_no_mark_names_what_does_not_exist() -> None:
    ruleset(NAME).vocabulary()
    folder = str(PACKAGE / "rules" / "command_horizon")
    known = {*PAGES.clauses, *PAGES.questions}
    wrong = [f"{m.id}: {c}" for m in MARKS.values() if m.path.startswith(folder) for c in m.clauses if c not in known]
    assert wrong == []


def test_no_test_claims_what_does_not_exist() -> None:
    duel = inventory("duel", ruleset("duel").prefix)
    known = {*PAGES.clauses, *PAGES.questions, *PAGES.labels, *duel.clauses, *duel.questions, *duel.labels}
    tests, deviates = conformance.tests_by_clause(ROOT / "tests")
    # The engine's own tests make up clauses, which no prefix of a rulebook begins.
    prefixes = (ruleset(NAME).prefix, ruleset("duel").prefix, "Q-", "W", "D-")
    assert [f"{id}: {tests[id][0]}" for id in tests if id.startswith(prefixes) and id not in known] == []
    assert deviates == {}


def test_house_rules_name_clauses_that_exist() -> None:
    known = {*PAGES.clauses, *PAGES.questions}
    assert [f"{s.name}: {c}" for s in ruleset(NAME).switches for c in s.clauses if c not in known] == []


# --- the record ------------------------------------------------------------------------------------------------------


def test_the_recorded_page_has_every_clause_with_its_status(found: Report) -> None:
    page = (ROOT / "docs" / "conformance" / f"{NAME}.md").read_text(encoding="utf-8")
    table, _, silent = page.partition("## What never fired")
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith(("| CH-", "| Q-"))]
    shown = [(cells[0].removeprefix("| "), cells[1], cells[2].partition(":")[0]) for cells in rows]
    assert shown == [(r.id, r.edition, r.status) for r in (*found.clauses, *found.rulings)]
    assert "not explained" not in silent


def test_the_record_knows_a_test_of_everything_that_has_one(found: Report) -> None:
    record = recorded(NAME)
    assert [r.id for r in (*found.clauses, *found.rulings) if r.tests and not record.tests.get(r.id)] == []


def test_what_never_fires_is_explained(found: Report) -> None:
    record = recorded(NAME)
    assert record.sample is not None
    assert record.sample.games >= 1000
    silent = {r.id for r in (*found.clauses, *found.rulings) if r.status == "in" and not r.fired}
    assert sorted(silent - set(record.explained)) == []
    assert sorted(set(record.explained) - silent) == [], "explained, and it fired all the same"
