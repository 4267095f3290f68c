"""Explain a recorded game: chances act by act, luck and play, turning points."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from caltrop.agreeing import quantity

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from caltrop.lab.explanation import Act, Analysis, AnalysisProgress, DiceLuck, RoundChange


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
            print("stopped: better decisions were not looked for everywhere", file=sys.stderr)
    except InputError as error:
        error.source = error.source or str(file)
        raise
    except ValueError as error:
        raise InputError(str(error), source=str(file)) from None
    analysis = analyser.told()
    if json:
        print_json(analysis)
    else:
        _show(analysis, analyser.named, analyser.battle.unplayed, analyser.by_round())


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
            print(f"{progress.words}: {progress.done} of {progress.of}", file=sys.stderr)


ROWS, WIDTH = 9, 64
ROLLS = 6
"""Number of rolls that are listed separately."""
POINT = 0.005
"""Smallest change of a chance to show: half a percentage point."""


def _show(analysis: Analysis, named: Sequence[float], unplayed: Collection[int], rounds: Sequence[RoundChange]) -> None:
    """Print an explanation.

    Args:
        named: Chance that each side lost by decisions for which a better one is named.
        unplayed: Sides without a player.
        rounds: The change in each round.
    """
    first, last = analysis.chances[0].chance, analysis.chances[-1].chance
    print(f"{analysis.ruleset}: {' against '.join(analysis.sides)}, {quantity(len(analysis.chances) - 1, 'act')}")
    print(f"\nThe chance of {analysis.sides[0]}, from the first act to the last:\n")
    played = analysis.played or ()
    for line in graph([one.chance[0] for one in analysis.chances], {one.act + 1: one.chance[0] for one in played}):
        print(line)
    print()
    if played:
        games = quantity(max([one.games for one in played]), "game")
        print(f"  o: the result of up to {games} played on from the beginning of a round\n")
    for side, name in enumerate(analysis.sides):
        parts = ", ".join(parts_of(analysis, side, named)) if side not in unplayed else "it has no player"
        print(f"  {name}: {_percent(first[side])} at first, {_percent(last[side])} at last: {parts}")
    for turn in analysis.turning:
        print(f"\n  act {turn.act}, {analysis.sides[turn.side]}: {_percent(turn.before)} to {_percent(turn.after)}")
        print(f"    {turn.words}")
        if turn.better is not None:
            print(f"    better, {_percent(turn.better.chance)}: {turn.better.words}")
    _show_rounds(analysis, rounds)
    if analysis.acts:
        _show_decisions(analysis, analysis.acts)
        _show_rolls(analysis, analysis.acts)
    if analysis.dice:
        _show_dice(analysis, analysis.dice)


def parts_of(analysis: Analysis, side: int, named: Sequence[float]) -> list[str]:
    """Return the parts of the change of a side's chance, in words; their numbers add up to it.

    >>> from caltrop.lab.explanation import Analysis, Chance
    >>> chances = (Chance(-1, (0.5, 0.5)), Chance(0, (0.0, 1.0)))
    >>> lost = Analysis("game", ("Ash", "Briar"), chances, (0.1, -0.1), (-0.6, 0.6), ())
    >>> parts_of(lost, 0, (0.2, 0.05))
    ['dice +10', 'own mistakes -20', 'mistakes of Briar +5', 'decisions that were not looked at -45']
    """
    others = [other for other in range(len(analysis.sides)) if other != side] if len(analysis.sides) == 2 else []
    rest = round(100 * (analysis.chances[-1].chance[side] - analysis.chances[0].chance[side]))
    parts = []
    for words, change in (
        ("dice", analysis.luck[side]),
        ("own mistakes", -named[side]),
        *[(f"mistakes of {analysis.sides[other]}", named[other]) for other in others],
    ):
        points = round(100 * change)
        rest -= points
        if points or words == "dice":
            parts.append(f"{words} {points:+}")
    words = "not explained by any one decision" if analysis.acts else "decisions that were not looked at"
    return [*parts, f"{words} {rest:+}"] if rest else parts


def _show_rounds(analysis: Analysis, rounds: Sequence[RoundChange]) -> None:
    print(f"\nRound by round, for {analysis.sides[0]}:")
    for one in rounds:
        start = f"round {one.round}" if one.round else "before the first round"
        changes = f"{_percent(one.before[0])} to {_percent(one.after[0])}, of it dice {100 * one.luck[0]:+.0f}"
        print(f"  {start}: {changes}{'. ' if one.words else ''}{'; '.join(one.words)}")


def _show_decisions(analysis: Analysis, acts: Sequence[Act]) -> None:
    for side, name in enumerate(analysis.sides):
        judged = [(one, one.judged) for one in acts if one.side == side and one.judged is not None]
        if not judged:
            continue
        wrong = sorted(
            [(-what.cost, one.act, one.words, what.better) for one, what in judged if what.better is not None]
        )
        lost = sum([what.cost for _, what in judged])
        print(
            f"\n{name}: {quantity(len(judged), 'decision')}, {quantity(len(wrong), 'mistake')}; "
            f"{100 * lost / len(judged):.2f} points lost a decision, by the estimate"
        )
        if analysis.scale:
            levels = ", ".join([f"{one.level} {100 * one.mean:.2f}" for one in analysis.scale])
            print(f"  (computer players in games among themselves: {levels})")
        for cost, act, words, better in wrong:
            print(f"  act {act}, {_points(cost)}: {words}")
            print(f"    better, {_percent(better.chance)} instead of {_percent(better.chance + cost)}: {better.words}")


def _show_rolls(analysis: Analysis, acts: Sequence[Act]) -> None:
    lucky = [one for one in acts if one.rolled and abs(one.luck) >= POINT]
    rolls = sorted(lucky, key=lambda one: (-abs(one.luck), one.act))[:ROLLS]
    if rolls:
        print("\nThe dice that changed most:")
    for one in rolls:
        sure = "" if one.error == 0 else f" (standard error {100 * one.error:.1f})"
        print(f"  act {one.act}, {analysis.sides[one.side]}, luck {_points(one.luck)}{sure}: {one.words}")


def _show_dice(analysis: Analysis, dice: Sequence[DiceLuck]) -> None:
    print("\nThe dice over the whole game:")
    for one in dice:
        text = f"  {analysis.sides[one.side]}, {one.label}: {one.got}, {one.mean:.1f} expected"
        if one.as_good is not None and one.as_bad is not None:
            much, chance = ("good", one.as_good) if one.got >= one.mean else ("bad", one.as_bad)
            text += f"; the same rolls are as {much} in {_percent(chance)}"
        print(text)


def graph(chances: list[float], played: Mapping[int, float]) -> list[str]:
    """Return a graph in characters: each column shows the chance at the end of some acts.

    Args:
        chances: The chances, before the first act and after each.
        played: Results of playouts from some acts, by the index of the chance.
    """
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
        lines.append(f"  {_percent(row / ROWS):>5} |{marks}".rstrip())
    return lines


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def _points(change: float) -> str:
    return f"{100 * change:+.0f}"
