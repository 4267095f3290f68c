"""Explain a recorded game: chances act by act, luck and play, turning points."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from caltrop.agreeing import quantity

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

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
        _show(analysis, analyser.battle.unplayed, analyser.by_round())


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
LEAST = 0.02
"""Smallest change of a chance by dice that is listed: two percentage points."""
EVEN = 0.05
"""Largest sum of the effects of a side's dice for which they are called even."""


def _show(analysis: Analysis, unplayed: Collection[int], rounds: Sequence[RoundChange]) -> None:
    """Print an explanation.

    Args:
        unplayed: Sides without a player.
        rounds: The change in each round.
    """
    from caltrop.chance import Z95

    first, last = analysis.chances[0].chance, analysis.chances[-1].chance
    print(f"{analysis.ruleset}: {' against '.join(analysis.sides)}, {quantity(len(analysis.chances) - 1, 'act')}")
    print(f"\nThe chance of {analysis.sides[0]}, from the first act to the last:\n")
    played = analysis.played or ()
    for line in graph([one.chance[0] for one in analysis.chances], {one.act + 1: one.chance[0] for one in played}):
        print(line)
    print()
    if played:
        games = quantity(max([one.games for one in played]), "game")
        margin = quantity(round(100 * Z95 * max([one.error for one in played])), "point")
        print(f"  o: the result of up to {games} played on from a round's beginning, give or take {margin}\n")
    for side, name in enumerate(analysis.sides):
        dice = "it has no player" if side in unplayed else dice_of(analysis.luck[side])
        print(f"  {name}: {_percent(first[side])} at first, {_percent(last[side])} at last; {dice}")
    for turn in analysis.turning:
        print(f"\n  act {turn.act}, {analysis.sides[turn.side]}: {change(turn.before, turn.after)}")
        print(f"    {turn.words}")
        if turn.better is not None:
            print(f"    better: {better_words(turn.better)}")
    _show_rounds(analysis, rounds)
    if analysis.acts:
        _show_decisions(analysis, analysis.acts)
        _show_rolls(analysis, analysis.acts)
    if analysis.dice:
        _show_dice(analysis, analysis.dice)


def dice_of(luck: float) -> str:
    """Return in words how much the dice helped a side.

    >>> dice_of(0.2), dice_of(-1.06), dice_of(0.01)
    ('the dice helped it', 'the dice hurt it', 'the dice were even')
    """
    return "the dice were even" if abs(luck) < EVEN else "the dice helped it" if luck > 0 else "the dice hurt it"


def better_words(better: Better) -> str:
    """Return a better answer in words, with the games that were played on from it and from the given one.

    >>> from caltrop.lab.explanation import Better, Trial
    >>> better_words(Better("hold", 0.6, Trial(48, 0.625, 0.5)))
    'hold (won 62 % of 48 games played on from here, the given answer 50 %)'
    """
    if not better.trial:
        return better.words
    games = f"{quantity(better.trial.games, 'game')} played on from here"
    won, given = _percent(better.trial.better), _percent(better.trial.given)
    return f"{better.words} (won {won} of {games}, the given answer {given})"


def change(before: float, after: float) -> str:
    """Return the change of a chance in words.

    >>> change(0.5, 0.7), change(0.998, 1.0)
    ('50 % to 70 %', 'stays at 100 %')
    """
    old, new = _percent(before), _percent(after)
    return f"stays at {new}" if old == new else f"{old} to {new}"


def _show_rounds(analysis: Analysis, rounds: Sequence[RoundChange]) -> None:
    print(f"\nRound by round, for {analysis.sides[0]}:")
    for one in rounds:
        start = f"round {one.round}" if one.round else "before the first round"
        print(f"  {start}: {change(one.before[0], one.after[0])}{'. ' if one.words else ''}{'; '.join(one.words)}")


def _show_decisions(analysis: Analysis, acts: Sequence[Act]) -> None:
    for side, name in enumerate(analysis.sides):
        judged = [(one, one.judged) for one in acts if one.side == side and one.judged is not None]
        if not judged:
            continue
        wrong = sorted(
            [(-what.cost, one.act, one.words, what.better) for one, what in judged if what.better is not None]
        )
        answers = quantity(len(wrong), "better answer")
        print(f"\n{name}: {quantity(len(judged), 'decision')} looked at, {answers} found")
        for _, act, words, better in wrong:
            print(f"  act {act}: {words}")
            print(f"    better: {better_words(better)}")


def _show_rolls(analysis: Analysis, acts: Sequence[Act]) -> None:
    lucky = [one for one in acts if one.likely is not None and abs(one.after - one.average) >= LEAST]
    rolls = sorted(lucky, key=lambda one: (-abs(one.after - one.average), one.act))[:ROLLS]
    if rolls:
        print("\nThe dice that changed most:")
    for one in rolls:
        print(f"  act {one.act}, {analysis.sides[one.side]}: {one.words}")
        print(f"    {roll_words(one)}")


def roll_words(act: Act) -> str:
    """Return in words how good the dice of an act were, and how likely."""
    good = "good" if act.after >= act.average else "bad"
    return (
        f"{_percent(act.after)} with these dice, {_percent(act.average)} on average; "
        f"dice as {good} as these come up in {_percent(act.likely or 0)}"
    )


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
