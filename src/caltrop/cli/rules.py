"""Show every clause of a rulebook with its code, its tests and how often it fired."""

from __future__ import annotations

import builtins


def rules(game: str, /, *, json: bool = False, clause: str | None = None) -> int | None:
    """Show the conformance table of a game.

    Args:
        game: The ruleset, as in `duel`.
        json: Print one JSON object instead of a table.
        clause: Show only this clause or ruling, with its text, as in `DU-MOVE-04` or `Q-LOS-1`.
    """
    import sys

    import msgspec

    from caltrop import InputError
    from caltrop.lab.conformance import Row, report

    try:
        found = report(game)
    except ValueError as error:
        raise InputError(str(error)) from error
    rows: builtins.list[Row] = [*found.clauses, *found.rulings] if clause is not None else [*found.clauses]
    if clause is not None:
        rows = [r for r in rows if r.id == clause.upper() or r.id == clause]
        if not rows:
            import difflib

            every = [r.id for r in (*found.clauses, *found.rulings)]
            near = difflib.get_close_matches(clause.upper(), every, 1, 0.0)
            raise InputError(f"there is no clause {clause!r} in {game}; did you mean {near[0]}?")
    if json:
        chosen = {"ruleset": found.ruleset, "clauses": rows}
        if clause is None:
            chosen["rulings"] = list(found.rulings)
        sys.stdout.buffer.write(msgspec.json.encode(chosen) + b"\n")
        return None
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if clause is not None:
        for r in rows:
            console.print(f"[bold]{r.id}[/] ({r.edition}; {r.status}{': ' + r.why if r.why else ''})")
            console.print(r.text)
            for title, lines in (("code", r.code), ("tests", r.tests)):
                for line in lines:
                    console.print(f"  {title}  {line}", highlight=False)
            if r.fired is not None:
                console.print(f"  fired {r.fired} times in the recorded sample of games")
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
    console.print(f"{len(bound)} clauses bind; {sum(r.status == 'in' for r in bound)} have code and a test.")
    return None
