"""List the exact odds that are stored for games, or compute those that the package includes."""

from __future__ import annotations

from caltrop.agreeing import quantity

MOST = 1_000
"""Rounds of a series."""


def known(game: str | None = None, /, *, fill: bool = False, rounds: int | None = None, json: bool = False) -> None:
    """List the files of cached odds, or fill those that are shipped with the package.

    Computer players ask for exact odds more than for anything else. The odds are kept in files: some came with the
    package, others are in your cache folder. Each is valid for the rules it was made with; one for other rules is out
    of date, and no game reads it.

    Args:
        game: A game, as `caltrop games` names them; every game by default.
        fill: If shipped odds are out of date or missing, play a fixed series of games and ship the odds from these.
        rounds: Number of games of each scenario, even if the shipped odds are valid; by default 16 at most.
        json: Print JSON.
    """
    import sys

    from caltrop.cli import UsageError, print_json
    from caltrop.engine import rulesets
    from caltrop.errors import InputError
    from caltrop.lab.filling import ROUNDS, listed
    from caltrop.lab.filling import fill as fill_files
    from caltrop.roster import nearest

    if rounds is not None and not fill:
        raise UsageError("--rounds belongs to --fill")
    if rounds is not None and not 1 <= rounds <= MOST:
        raise UsageError(f"--rounds is from 1 to {MOST}")
    if game is not None and game not in rulesets():
        raise InputError(f"there is no game {game!r}; {nearest(game, rulesets())}")
    if fill:
        current = {one.ruleset for one in listed() if one.shipped and one.state == "in force"}
        for name in rulesets() if game is None else (game,):
            if rounds is not None or name not in current:
                print(f"playing {name}", file=sys.stderr)
                fill_files(name, rounds or ROUNDS)
    files = [one for one in listed() if game is None or one.ruleset in (game, "")]
    if json:
        print_json({"files": files})
        return
    for shipped, whose in ((True, "shipped with the package"), (False, "your own")):
        its = [one for one in files if one.shipped == shipped]
        print(f"{whose}: {quantity(len(its), 'file')}")
        for one in its:
            if one.state == "in force":
                print(f"  {one.ruleset}, {one.question}, edition {one.edition}: {quantity(one.answers, 'answer')}")
                print(f"    {one.file}, {quantity(one.bytes, 'byte')}")
        for state in ("out of date", "unreadable"):
            names = sorted({one.ruleset or "an unknown game" for one in its if one.state == state})
            if names:
                count = sum(one.state == state for one in its)
                print(f"  {quantity(count, 'file')} of {', '.join(names)}: {state}, ignored")
    if any(one.shipped and one.state != "in force" for one in files):
        print("caltrop known --fill computes the ignored files again.")
