"""The rulebooks are complete: every binding clause has code and a test, and every mark names an existing clause."""

from __future__ import annotations

import re

import msgspec
import pytest

from caltrop.clauses import MARKS
from caltrop.clauses.inventory import inventory
from caltrop.engine import ruleset, rulesets
from caltrop.lab import conformance
from caltrop.lab.conformance import PACKAGE, ROOT, ConformanceReport, Samples, page, recorded, report, samples

NAMES = tuple(name for name in rulesets() if name != "duel")
"""The rulesets of rulebooks, without the duel, which is a template."""
PAGES = {name: inventory(name, ruleset(name).prefix) for name in ("duel", *NAMES)}
PREFIXES = (*[ruleset(name).prefix for name in PAGES], "Q-", "W", "D-")


STALE = "the record is older than the code: `make generated` writes it anew, in seconds"


@pytest.fixture(scope="module", params=NAMES)
def table(request: pytest.FixtureRequest) -> ConformanceReport:
    return report(request.param)


@pytest.fixture(scope="module", params=NAMES)
def on_record(request: pytest.FixtureRequest) -> ConformanceReport:
    """Return the table of a game with the record that an installed Caltrop reads."""
    return report(request.param)


def examples(name: str) -> list[str]:
    """Return the worked examples of a page."""
    return [label for label in PAGES[name].labels if re.fullmatch(r"([A-Z]+-)?W\d+[a-z]?", label)]


@pytest.mark.parametrize("name", NAMES)
def test_the_inventory_is_read_whole(name: str) -> None:
    pages = PAGES[name]
    first_cells = re.findall(r"(?m)^\| *([^ |]+) *\|", pages.path.read_text(encoding="utf-8"))
    rows = [cell for cell in first_cells if re.fullmatch(r"(?=.*\d)[A-Z][A-Z\d]*(-[A-Z\d]+)*[a-z]?", cell)]
    assert sorted(rows) == sorted([*pages.clauses, *pages.questions, *pages.labels])
    named = {q.switch for q in pages.questions.values() if re.fullmatch(r"[a-z]+[._][a-z._]+", q.switch)}
    assert named
    assert named <= {s.name for s in ruleset(name).switches}


def test_every_clause_that_binds_has_code_and_a_test(table: ConformanceReport) -> None:
    pages = PAGES[table.ruleset]
    assert [r.id for r in table.clauses if r.status == "waived"] == [
        c.id for c in pages.clauses.values() if not c.binds
    ]
    assert [f"{r.id}: {r.why}" for r in table.clauses if r.status not in ("in", "waived")] == []


def test_every_ruling_has_code_and_a_test_or_a_reason(table: ConformanceReport) -> None:
    assert [f"{r.id}: {r.why}" for r in table.rulings if r.status not in ("in", "waived")] == [], (
        "give each of these rulings code that carries its id, and a test or a file in data/rulings"
    )
    assert {r.id for r in table.rulings if r.status == "waived"} == set(recorded(table.ruleset).waived)
    assert all(recorded(table.ruleset).waived.values())


@pytest.mark.parametrize("name", NAMES)
def test_every_worked_example_has_a_test(name: str) -> None:
    tests, _ = conformance.tests_by_clause(ROOT / "tests")
    assert [label for label in examples(name) if label not in tests] == [], (
        "play each of these examples out: a file in data/rulings, named after it"
    )


@pytest.mark.parametrize("name", PAGES)
def test_no_mark_names_what_does_not_exist(name: str) -> None:
    ruleset(name).vocabulary()
    folder = str(PACKAGE / "rules" / name.replace("-", "_"))
    ids = {*PAGES[name].clauses, *PAGES[name].questions}
    wrong = [f"{m.id}: {c}" for m in MARKS.values() if m.path.startswith(folder) for c in m.clauses if c not in ids]
    assert wrong == [], f"docs/rules/{name}.md has no such clauses or rulings: add their rows, or mend the marks"


def test_no_test_claims_what_does_not_exist() -> None:
    ids = {id for page in PAGES.values() for id in (*page.clauses, *page.questions, *page.labels)}
    tests, deviates = conformance.tests_by_clause(ROOT / "tests")
    # Tests of the engine use invented clauses, whose prefixes belong to no rulebook.
    assert [f"{id}: {tests[id][0]}" for id in tests if id.startswith(PREFIXES) and id not in ids] == [], (
        "these marks of tests and rulings name nothing on a page in docs/rules"
    )
    assert deviates == {}


@pytest.mark.parametrize("name", PAGES)
def test_house_rules_name_clauses_that_exist(name: str) -> None:
    ids = {*PAGES[name].clauses, *PAGES[name].questions}
    assert [f"{s.name}: {c}" for s in ruleset(name).switches for c in s.clauses if c not in ids] == [], (
        f"data/house_rules.yaml names what docs/rules/{name}.md does not have"
    )


# --- the record ------------------------------------------------------------------------------------------------------


def test_the_recorded_page_has_every_clause_with_its_status(on_record: ConformanceReport) -> None:
    page = (ROOT / "docs" / "conformance" / f"{on_record.ruleset}.md").read_text(encoding="utf-8")
    table, _, silent = page.partition("## Clauses that never fired")
    rows = [
        line.split(" | ")
        for line in table.splitlines()
        if line.startswith(("| CH-", "| HX-", "| BS-", "| SQ-", "| Q-"))
    ]
    shown = [(cells[0].removeprefix("| "), cells[1], cells[2].partition(":")[0]) for cells in rows]
    assert shown == [(r.id, r.edition, r.status) for r in (*on_record.clauses, *on_record.rulings)], STALE
    assert "not explained" not in silent


def test_the_record_knows_a_test_of_everything_that_has_one(on_record: ConformanceReport) -> None:
    record = recorded(on_record.ruleset)
    assert [r.id for r in (*on_record.clauses, *on_record.rulings) if r.tests and not record.tests.get(r.id)] == [], (
        STALE
    )


def test_what_never_fires_is_explained(on_record: ConformanceReport) -> None:
    """A clause that is newer than the sampled games is not in the samples yet, and needs no explanation."""
    record, played = recorded(on_record.ruleset), samples(on_record.ruleset)
    assert played.sample is not None
    assert played.sample.games >= 1000
    silent = {r.id for r in (*on_record.clauses, *on_record.rulings) if conformance.is_silent(r, played)}
    assert sorted(silent - set(record.explained)) == []
    assert [id for id in record.explained if played.fired(id)] == [], "explained, and it fired all the same"


def test_the_seekers_reach_every_clause_that_is_not_explained(on_record: ConformanceReport) -> None:
    record, sought = recorded(on_record.ruleset), samples(on_record.ruleset).sought
    assert sought is not None
    missed = {
        r.id for r in (*on_record.clauses, *on_record.rulings) if r.status == "in" and sought.fired.get(r.id) == 0
    }
    assert sorted(missed - set(record.explained)) == sorted(record.unsought)
    assert all(record.unsought.values())


def test_a_clause_that_is_newer_than_the_samples_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    played = samples("duel")
    assert played.sample is not None
    assert played.sought is not None
    older = {id: n for id, n in played.sample.fired.items() if id != "DU-STRIKE-01"}
    before = Samples(msgspec.structs.replace(played.sample, fired=older))
    monkeypatch.setattr(conformance, "samples", lambda name: before)
    table = report("duel")
    fired = {row.id: row.fired for row in table.clauses}
    assert fired["DU-STRIKE-01"] is None
    assert fired["DU-STRIKE-02"] == played.sample.fired["DU-STRIKE-02"]
    newer = next(row for row in table.clauses if row.id == "DU-STRIKE-01")
    assert not conformance.is_silent(newer, before)
    assert "| not sampled yet |" in next(line for line in page(table).splitlines() if "| DU-STRIKE-01 |" in line)


def test_a_record_is_of_its_own_game_whatever_else_was_loaded() -> None:
    ruleset("blade-skirmish").vocabulary()
    made = conformance.play("duel", 2, 0, jobs=1)
    assert made.sample is not None
    assert set(made.sample.fired) == set(ruleset("duel").inventory().clauses)
