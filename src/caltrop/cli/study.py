"""Run a study, report what it has shown, fit points to it, or export its positions for training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from caltrop.agreeing import quantity
from caltrop.cli._game import check_output

if TYPE_CHECKING:
    from caltrop.lab.studies.figures import Figures
    from caltrop.lab.studies.points import Points
    from caltrop.lab.studies.running import StudyProgress


def study(
    act: Literal["run", "report", "points", "export"],
    path: Path,
    /,
    *,
    on: Literal["processes", "ray"] = "processes",
    jobs: int = 1,
    output: Path | None = None,
    page: Path | None = None,
    prior: Annotated[Path | None, Parameter("--known")] = None,
    max_actions: int = 64,
    pack: str | None = None,
    json: bool = False,
) -> None:
    """Run a study, report its results, fit points to it, or export its positions for training.

    Args:
        act: "run" the file of a study, fit "points" to the file of a study with random armies, or "report" or "export"
            a study's folder.
        path: The file of a study, or the folder of one that was run.
        on: For "run", the place of the work: processes on this machine, or a Ray cluster.
        jobs: For "run", the number of processes. The results are the same for any number.
        output: For "run", the folder of the study, by default the file's name without its ending. An unfinished study
            in this folder continues.
        page: For "report" and "points", a page in Markdown into which the figures are written, between its lines `<!--
            figures: begin -->` and `<!-- figures: end -->`; a missing page is created. Their plot is written beside it
            as SVG.
        prior: For "points", an earlier file of points, which is checked in new pairings. The battles of the fit are not
            repeated.
        max_actions: For "export", the largest number of answers to write for a question.
        json: Print the summary as JSON.
    """
    from caltrop.cli import UsageError, print_json
    from caltrop.cli._game import check_folder, results_alone
    from caltrop.errors import InputError
    from caltrop.lab.studies import running
    from caltrop.lab.studies.executors import LostTooOften, executor
    from caltrop.lab.studies.tables import check_there

    if jobs < 1:
        raise UsageError("--jobs is 1 or more")
    if prior is not None and (act != "points" or page is not None):
        raise UsageError("--known goes with points, and without --page: the figures of its battles are not there")
    if act == "run" and page is not None:
        raise UsageError("--page goes with report and points; report writes it of a folder that was run")
    if act in ("report", "export") and output is not None:
        raise UsageError("--output goes with run and points")
    if pack is not None and act != "run":
        raise UsageError("--pack goes with run; the folder of a study keeps the packs that it was run with")
    if max_actions < 1:
        raise UsageError("--max-actions is 1 or more")
    if page is not None:
        _check_page(page)
    if output is not None:
        check_folder(output)
    if act in ("run", "points") and path.is_dir():
        raise InputError("this is a folder; name the file of a study", source=str(path))
    try:
        check_there()
        if act == "export":
            from caltrop.envs.export import export

            with results_alone():
                table, count = export(running.Folder(path), max_actions, _Told("positions of", "games"))
            print(f"{quantity(count, 'position')} in {table}")
            return
        if act == "points":
            from caltrop.lab.studies.points import measured, paired

            folder = running.Folder(path.with_suffix("") if output is None else output)
            if prior is None:
                with results_alone():
                    points, figures = measured(path, folder, executor(on, jobs), _StudyProgress())
                if page is not None:
                    _write_page(page, figures, points)
            else:
                with results_alone():
                    points = paired(path, prior, folder, executor(on, jobs), _StudyProgress())
            if json:
                print_json(points)
            else:
                _show_points(points)
            return
        if act == "report":
            figures = running.report(running.Folder(path))
            if page is not None:
                from caltrop.lab.studies.points import points_in

                _write_page(page, figures, points_in(running.Folder(path)))
        else:
            folder = running.Folder(path.with_suffix("") if output is None else output)
            with results_alone():
                figures = running.run(path, folder, executor(on, jobs), _StudyProgress(), pack)
    except (ModuleNotFoundError, LostTooOften) as error:
        raise InputError(str(error)) from error
    if json:
        print_json(figures)
    else:
        _show(figures)


def _check_page(page: Path) -> None:
    """Raise an error if a page and its plot cannot be written, before games are played for them."""
    from caltrop.errors import InputError
    from caltrop.lab.studies.page import check_place
    from caltrop.roster import utf8

    check_output(page, ".md", ".svg")
    check_output(page.with_suffix(".svg"))
    if page.suffix == ".svg":
        raise InputError("a page is in Markdown, and its plot beside it is page.svg", source=str(page))
    try:
        before = utf8(page.read_bytes(), str(page)).decode() if page.exists() else ""
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(page)) from None
    if before:
        check_place(before, str(page))


def _write_page(page: Path, figures: Figures, points: Points | None) -> None:
    """Put a study's figures into a page, and their plot beside it."""
    from caltrop.lab.studies.page import plot_of, with_figures
    from caltrop.lab.studies.worths import WHAT, in_markdown, plot_of_worths

    plot = page.with_suffix(".svg")
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    if points is None:
        page.write_text(with_figures(before, figures, plot.name), encoding="utf-8")
        plot.write_text(plot_of(figures), encoding="utf-8")
    else:
        page.write_text(with_figures(before, figures, plot.name, WHAT, in_markdown(points)), encoding="utf-8")
        plot.write_text(plot_of_worths(points), encoding="utf-8")


class _Told:
    """Prints progress to standard error, once a second at most."""

    def __init__(self, before: str, after: str) -> None:
        from time import monotonic

        self.before, self.after, self.clock = before, after, monotonic
        self.last = monotonic()

    def __call__(self, done: int, total: int, more: str = "") -> None:
        import sys

        now = self.clock()
        if now - self.last >= 1 and done < total:
            self.last = now
            print(f"{self.before} {done} of {total} {self.after}{more}".strip(), file=sys.stderr)


class _StudyProgress:
    """Prints the progress of a study, and the time that the rest will take."""

    def __init__(self) -> None:
        self.told = _Told("", "games")

    def __call__(self, progress: StudyProgress) -> None:
        looks = f", {progress.looks} of {quantity(progress.of, 'look')}" if progress.of > 1 else ""
        self.told(progress.played, progress.total, looks + _left(progress.seconds))


def _left(seconds: float | None) -> str:
    """Return the time until the end, in words.

    >>> _left(40), _left(600), _left(9000), _left(None)
    (', 40 s left', ', 10 min left', ', 2.5 h left', '')
    """
    if seconds is None:
        return ""
    if seconds < 100:
        return f", {seconds:.0f} s left"
    return f", {seconds / 60:.0f} min left" if seconds < 6000 else f", {seconds / 3600:.1f} h left"


def _show(figures: Figures) -> None:
    from caltrop.engine.compiled import told_compiled

    f = figures
    looked = f"looked at {f.looks} of {quantity(f.of, 'time')}"
    games = f"{f.played} of {quantity(f.total, 'game')} of {f.ruleset}"
    print(f"{f.title}: {f.state}, {games}, {looked}{told_compiled(f.ruleset)}")
    print(f"Shares are of {f.measured}, draws counting half:")
    rows = [(_named(cell.levels), cell) for cell in f.cells]
    if not rows:
        rows = [(f"{factor} {level}", cell) for factor, each in f.levels.items() for level, cell in each.items()]
    width = max([len(name) for name, _ in rows], default=0)
    for name, cell in rows:
        share = cell.share
        print(
            f"  {name:{width}}  {cell.games:6} {'game ' if cell.games == 1 else 'games'}  {100 * share.value:5.1f} %  "
            f"({100 * share.low:5.1f} to {100 * share.high:5.1f})  {cell.rounds:5.1f} rounds"
        )
    for effect in f.effects:
        e = effect.share
        print(
            f"  {effect.factor} {effect.level} against {effect.against}: {100 * e.value:+.1f} points "
            f"({100 * e.low:+.1f} to {100 * e.high:+.1f}), {'clear' if effect.clear else 'open'}"
        )
    for words in f.open:
        print(words)


def _named(levels: dict[str, str]) -> str:
    return ", ".join([f"{factor} {level}" for factor, level in levels.items()]) or "all"


def _show_points(points: Points) -> None:
    from caltrop.lab.studies.points import named

    battles = f"{quantity(points.games, 'battle')} of {points.ruleset}"
    print(f"{points.title}: fitted to {battles}; a unit is worth 100 on average")
    for one in points.units:
        print(f"  {one.pool:12} {named(one.unit):28} {one.points:6.0f}  ({one.low:.0f} to {one.high:.0f})")
    for two in points.together:
        both = " and ".join([named(unit) for unit in two.units])
        print(f"  {two.pool:12} {both} together {two.points:+.0f}  ({two.low:+.0f} to {two.high:+.0f})")
    for pool, more in points.pools.items():
        print(f"  {pool:12} an army beside its drawn units {more:+.0f}")
    print(f"  being side 0 is worth {points.first_side:+.0f}")
    print(f"Battles held out, predicted and won by side 0 (logarithmic loss {points.loss:.3f}; a coin has 0.693):")
    for each in points.held_out:
        low, high = 100 * each.won.low, 100 * each.won.high
        shares = f"{100 * each.predicted:5.1f} %  {100 * each.won.value:5.1f} %  ({low:.1f} to {high:.1f})"
        print(f"  {shares}  {quantity(each.games, 'game')}")
    print("Pairings of equal points, share of the first:")
    for pairing in points.pairings:
        share = pairing.share
        print(
            f"  {100 * share.value:5.1f} %  ({100 * share.low:.1f} to {100 * share.high:.1f})  {pairing.one} against "
            f"{pairing.other}, {pairing.points[0]:.0f} and {pairing.points[1]:.0f} points"
        )
