"""Show every clause of a rulebook with its code, its tests and how often it fired."""

from __future__ import annotations

import builtins

NARROW = 60
"""Terminal width, in columns, below which clauses are shown as a list, not a table."""


def rules(game: str, /, *, json: bool = False, clause: str | None = None) -> int | None:
    """Show the conformance table of a game.

    Args:
        game: The ruleset, as in `duel`.
        json: Print one JSON object instead of a table.
        clause: Show only this clause or ruling, with its text, as in `DU-MOVE-04` or `Q-LOS-1`.
    """
    from caltrop.agreeing import agreeing, quantity
    from caltrop.cli import print_json
    from caltrop.errors import InputError
    from caltrop.lab.conformance import ConformanceRow, report

    try:
        clause_report = report(game, clause or "")
    except ValueError as error:
        raise InputError(str(error)) from error
    rows: builtins.list[ConformanceRow] = (
        [*clause_report.clauses, *clause_report.rulings] if clause is not None else [*clause_report.clauses]
    )
    if clause is not None and not (clause and rows):
        import difflib

        from caltrop.engine import ruleset

        pages = ruleset(game).inventory()
        near = difflib.get_close_matches(clause.upper(), [*pages.clauses, *pages.questions], 1, 0.0)
        hint = f"did you mean {near[0]}?" if near else "its page of clauses has none"
        raise InputError(f"there is no clause {clause!r} in {game}; {hint}")
    if json:
        chosen = {"ruleset": clause_report.ruleset, "clauses": rows}
        if clause is None:
            chosen["rulings"] = list(clause_report.rulings)
        print_json(chosen)
        return None
    from rich.console import Console
    from rich.table import Table

    # Square brackets in a clause are text instead of markup.
    console = Console(markup=False, highlight=False)
    if clause is not None or console.width < NARROW:
        for r in rows:
            console.print(r.id, style="bold", end="")
            console.print(f" ({r.edition}; {r.status}{': ' + r.why if r.why else ''})")
            console.print(r.text)
            if clause is None:
                continue
            for title, lines in (("code", r.code), ("tests", r.tests)):
                for line in lines:
                    console.print(f"  {title}  {line}", soft_wrap=True)
            if r.fired is not None:
                console.print(f"  fired {quantity(r.fired, 'time')} in the recorded sample of games")
        return None
    table = Table(box=None, pad_edge=False)
    for name in ("clause", "edition", "status", "code", "tests", "fired", "text"):
        table.add_column(
            name, justify="right" if name in ("code", "tests", "fired") else "left", no_wrap=name != "text"
        )
    for r in rows:
        table.add_row(
            r.id,
            r.edition,
            r.status,
            str(len(r.code)),
            str(len(r.tests)),
            "" if r.fired is None else str(r.fired),
            r.text,
        )
    console.print(table)
    bound = [r for r in rows if r.status != "waived"]
    done = sum(r.status == "in" for r in bound)
    console.print(f"{quantity(len(bound), 'clause', 'binds')}; {done} {agreeing(done, 'has')} code and a test.")
    return None
