"""Explain a recorded game: chances act by act, luck and play, turning points."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from caltrop.agreeing import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from caltrop.lab.analysis import Analyser
    from caltrop.lab.explanation import Act, Analysis, AnalysisProgress, Better, DiceLuck, RoundChange


def analyse(file: Path, /, *, every: bool = False, json: bool = False) -> None:
    """Explain a recorded game: the chances after each act, luck and skill, and the turning points.

    It may be stopped while it looks for better decisions: the results so far are shown.

    Args:
        file: The record (`.caltrop.json`, gzipped or not).
        every: Judge every decision of people too, or of all sides if nobody is a person, list the effect of each act
            and each roll, and play games from each round.
        json: Print the analysis as one JSON object.
    """
    import sys

    from caltrop.cli import print_json
    from caltrop.errors import InputError
    from caltrop.journal import load
    from caltrop.lab.analysis import Analyser, everybody

    progress = _AnalysisProgress()
    try:
        record = load(file)
        analyser = Analyser(record, progress, everybody(record) if every else None)
        analyser.work_out()
        try:
            analyser.look_closer()
        except KeyboardInterrupt:
            print("stopped: the search for better decisions is not complete", file=sys.stderr)
    except InputError as error:
        error.source = error.source or str(file)
        raise
    except ValueError as error:
        raise InputError(str(error), source=str(file)) from None
    analysis = analyser.told()
    if json:
        print_json(analysis)
    else:
        _show(analysis, analyser)


class _AnalysisProgress:
    """Prints its progress to standard error, once a second at most."""

    def __init__(self) -> None:
        from time import monotonic

        self.clock = monotonic
        self.last = monotonic()

    def __call__(self, progress: AnalysisProgress) -> None:
        import sys

        now = self.clock()
        if now - self.last >= 1:
            self.last = now
            print(f"{100 * progress.done // progress.of} %: {progress.words}", file=sys.stderr)


ROWS, WIDTH = 9, 64
ROLLS = 6
"""Number of rolls that are listed separately."""
LEAST = 0.02
"""Smallest change of a chance by dice that is listed: two percentage points."""


def _show(analysis: Analysis, analyser: Analyser) -> None:
    """Print an explanation: the result first, then the turning points, then the curve and its details."""
    print(f"{analysis.ruleset}: {' against '.join(analysis.sides)}, {quantity(len(analysis.chances) - 1, 'act')}\n")
    for line in analyser.summary():
        print(f"  {line}.")
    print("\nTurning points:")
    for turn in analysis.turning:
        print(f"\n  act {turn.act}, {analyser.change_words(turn)}")
        print(f"    {turn.words}")
        if turn.better is not None:
            _show_better(turn.better)
    _show_curve(analysis)
    for line in analyser.courses():
        print(f"  {line}")
    _show_rounds(analysis, analyser.by_round())
    if analysis.acts:
        _show_decisions(analysis, analysis.acts)
        _show_rolls(analysis, analysis.acts)
    if analysis.dice:
        _show_dice(analysis, analysis.dice)


def _show_better(better: Better) -> None:
    print(f"    better: {better.words}{f' ({better.games})' if better.games else ''}")


def _show_curve(analysis: Analysis) -> None:
    from caltrop.chance import Z95

    print(f"\nThe chance of {analysis.sides[0]}, from the first act to the last:\n")
    played = analysis.played or ()
    for line in graph([one.chance[0] for one in analysis.chances], {one.act + 1: one.chance[0] for one in played}):
        print(line)
    print()
    if played:
        games = quantity(max([one.games for one in played]), "game")
        margin = quantity(round(100 * Z95 * max([one.error for one in played])), "point")
        print(f"  o: the result of up to {games} played on from a round's beginning, give or take {margin}\n")


def _show_rounds(analysis: Analysis, rounds: Sequence[RoundChange]) -> None:
    print(f"\nRound by round, for {analysis.sides[0]}:")
    for one in rounds:
        start = f"round {one.round}" if one.round else "before the first round"
        print(f"  {start}: {one.change}{'. ' if one.words else ''}{'; '.join(one.words)}")


def _show_decisions(analysis: Analysis, acts: Sequence[Act]) -> None:
    for side, name in enumerate(analysis.sides):
        if not (analysis.verdicts and analysis.verdicts[side]):
            continue
        print(f"\n{name}: {analysis.verdicts[side]}")
        mistakes = [one for one in acts if one.side == side and one.judged is not None and one.judged.better]
        for one in sorted(mistakes, key=lambda act: (-act.judged.cost if act.judged else 0.0, act.act)):
            print(f"  act {one.act}: {one.words}")
            if one.judged is not None and one.judged.better is not None:
                _show_better(one.judged.better)


def _show_rolls(analysis: Analysis, acts: Sequence[Act]) -> None:
    lucky = [one for one in acts if one.likely is not None and abs(one.after - one.average) >= LEAST]
    rolls = sorted(lucky, key=lambda one: (-abs(one.after - one.average), one.act))[:ROLLS]
    if rolls:
        print("\nThe dice that changed most:")
    for one in rolls:
        print(f"  act {one.act}, {analysis.sides[one.side]}: {one.words}")
        print(f"    {one.roll}")


def _show_dice(analysis: Analysis, dice: Sequence[DiceLuck]) -> None:
    from caltrop.lab.wording import percent

    print("\nThe dice over the whole game:")
    for one in dice:
        text = f"  {analysis.sides[one.side]}, {one.label}: {one.got}, {one.mean:.1f} expected"
        if one.as_good is not None and one.as_bad is not None:
            much, chance = ("good", one.as_good) if one.got >= one.mean else ("bad", one.as_bad)
            text += f"; the same rolls are as {much} in {percent(chance)}"
        print(text)


def graph(chances: list[float], played: Mapping[int, float]) -> list[str]:
    """Return a graph in characters: each column shows the chance at the end of some acts.

    Args:
        chances: The chances, before the first act and after each.
        played: Results of playouts from some acts, by the index of the chance.
    """
    from caltrop.lab.wording import percent

    count = min(WIDTH, len(chances))
    until = [(n + 1) * len(chances) // count for n in range(count)]
    ends = [chances[end - 1] for end in until]
    dots = {next(n for n, end in enumerate(until) if place < end): one for place, one in played.items()}
    lines = []
    for row in range(ROWS, -1, -1):
        marks = "".join(
            "o" if n in dots and round(dots[n] * ROWS) == row else "*" if round(end * ROWS) == row else " "
            for n, end in enumerate(ends)
        )
        lines.append(f"  {percent(row / ROWS):>5} |{marks}".rstrip())
    return lines
