"""The measured worth of units as Markdown tables, and as a plot."""

from __future__ import annotations

from caltrop.lab.studies.figures import Estimate
from caltrop.lab.studies.page import alone, forest, line, percent
from caltrop.lab.studies.points import Points, named

WHAT = "What units are worth: points"
"""Subject of the plot."""


def in_markdown(points: Points) -> list[str]:
    """Return the tables of a page: units, pairs of units, held-out battles, and pairings."""
    lines = ["", line("army", "unit", "points", "interval", "drawn"), line(*["---"] * 5)]
    for unit in points.units:
        span = f"{unit.low:.0f} to {unit.high:.0f}"
        lines.append(line(unit.pool, named(unit.unit), f"{unit.points:.0f}", span, str(unit.drawn)))
    if points.together:
        lines += ["", line("army", "together", "more, or less", "interval"), line(*["---"] * 4)]
    for two in points.together:
        both = " and ".join([named(one) for one in two.units])
        lines.append(line(two.pool, both, f"{two.points:+.0f}", f"{two.low:+.0f} to {two.high:+.0f}"))
    besides = ", ".join([f"{pool} {value:+.0f}" for pool, value in points.pools.items()])
    lines += ["", f"What every army has besides: {besides}. Being side 0 is worth {points.first_side:+.0f}."]
    lines += [
        "",
        f"Battles held out (logarithmic loss {points.loss:.3f}; a coin has 0.693), what was predicted of side 0:",
    ]
    lines += ["", line("predicted", "games", "won"), line(*["---"] * 3)]
    lines += [line(f"{100 * one.predicted:.0f} %", str(one.games), percent(one.won)) for one in points.held_out]
    if points.pairings:
        lines += ["", "Different armies that cost the same:", ""]
        lines += [line("one", "its points", "other", "its points", "games", "the one won"), line(*["---"] * 6)]
    for pair in points.pairings:
        one, other = (f"{cost:.0f}" for cost in pair.points)
        lines.append(line(pair.one, one, pair.other, other, str(pair.games), percent(pair.share)))
    return lines


def plot_of_worths(points: Points) -> str:
    """Return the points of all units with their intervals, as SVG; a line marks the mean of the units."""
    # The axis is labelled in hundredths of its values.
    rows = [
        (f"{one.pool}: {named(one.unit)}", Estimate(one.points / 100, one.low / 100, one.high / 100), False)
        for one in points.units
    ]
    low, high = min([0.0, *[e.low for _, e, _ in rows]]), max([1.0, *[e.high for _, e, _ in rows]])
    return alone(forest(rows, low, high, 1.0))
