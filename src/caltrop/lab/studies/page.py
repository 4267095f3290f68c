"""The report of a study: one self-contained HTML page with its plots as SVG; and tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from textwrap import fill, wrap

from caltrop.agreeing import agreeing, quantity
from caltrop.errors import InputError
from caltrop.lab.studies.figures import Bore, Estimate, Figures, SettingFigures

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --paper: #fff; --mark: #0b62c4;
  --clear: #9a3412; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9ba6b2; --line: #3d444d; --paper: #14181d;
  --mark: #6cb2ff; --clear: #ffab70; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-size: 0.9rem; margin: 0.5rem 0 1.5rem; }
th, td { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
p.soft, td.soft { color: var(--soft); }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .axis { stroke: var(--line); } svg .half { stroke: var(--soft); stroke-dasharray: 3 3; }
svg .mark { stroke: var(--mark); fill: var(--mark); } svg .clear { stroke: var(--clear); fill: var(--clear); }
.map { display: flex; flex-wrap: wrap; gap: 2px; } .map span { font-size: 0.7rem; padding: 0.1rem 0.3rem; }
"""


def page(figures: Figures) -> str:
    f = figures
    parts = [
        f"<h1>{escape(f.title)}</h1>",
        f"<p>{escape(f.words)}</p>" if f.words else "",
        f'<p class="soft">{escape(_state(f))}</p>',
        _settings(f),
        _effects(f),
        _levels(f),
        _first(f),
        _losses(f),
        _endings(f),
        _clauses(f),
        "<h2>What cannot be said yet</h2>",
        "<ul>" + "".join([f"<li>{escape(one)}</li>" for one in f.open]) + "</ul>" if f.open else "<p>Nothing.</p>",
        "<h2>How it was measured</h2>",
        f"<p>{escape(_method(f))}</p>",
    ]
    body = "\n".join([part for part in parts if part])
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(f.title)}</title><style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def with_figures(text: str, f: Figures, plot: str = "", what: str = "", more: Sequence[str] = ()) -> str:
    """Return a Markdown page after replacing the study's figures in it; other text is unchanged.

    Raises InputError if the page has no place for the figures.

    Args:
        text: The present page; empty for a new page.
        plot: Path of the plot's file relative to the page; empty for no plot.
        what: Subject of the plot; by default the share of wins, or its change.
        more: Lines to put before the figures.
    """
    if not text:
        text = f"# {f.title}\n\n{f.words}\n\n{BEGIN}\n{END}\n"
    before, after = check_place(text)
    return f"{before}{BEGIN}\n{_in_markdown(f, plot, what, more)}{END}{after}"


def check_place(text: str, source: str | None = None) -> tuple[str, str]:
    """Return the text before and after the page's place for figures.

    Raises InputError if the page has no place for them.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"figures are put between the lines {BEGIN} and {END}", source=source)
    return before, after


def plot_of(f: Figures) -> str:
    """Return the plot of a study as SVG: its effects, or its settings if there are no effects."""
    if f.effects and f.design != "list":
        reach = max([0.05, *[max(abs(e.share.low), abs(e.share.high)) for e in f.effects]])
        drawn = forest([(f"{e.factor} {e.level}", e.share, e.clear) for e in f.effects], -reach, reach, 0.0)
    else:
        drawn = forest([(_name(cell), cell.share, False) for cell in f.cells], 0.0, 1.0, 0.5)
    return alone(drawn)


def alone(drawn: str) -> str:
    """Return a plot as a separate SVG file with its own colours, because it cannot inherit those of a page."""
    head, rest = drawn.split(">", 1)
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{_STYLE}</style>{rest}\n'


def _name(cell: SettingFigures) -> str:
    # Listed settings have names of their own.
    levels = [level if factor == "case" else f"{factor} {level}" for factor, level in cell.levels.items()]
    return ", ".join(levels) or "all"


def _in_markdown(f: Figures, plot: str, what: str, more: Sequence[str]) -> str:
    who = ("side 0", "side 1") if f.measure == "side" else ("first player", "second player")
    interval = f"{100 * f.level:.4g} % interval"
    lines = ["", line("setting", "games", *who, "draws", "share", interval, "rounds"), line(*["---"] * 8)]
    for cell in f.cells:
        counts = [str(n) for n in (cell.games, *(cell.sides if f.measure == "side" else cell.wins), cell.draws)]
        share = cell.share
        span = f"{100 * share.low:.1f} to {100 * share.high:.1f} %"
        lines.append(line(_name(cell), *counts, f"{100 * share.value:.1f} %", span, f"{cell.rounds:.1f}"))
    if not f.cells:
        lines = []
    if plot:
        usual = "What changes who wins" if f.effects and f.design != "list" else "Who wins"
        lines = ["", f"![{what or usual + ': shares'} with their intervals]({plot})", *more, *lines]
    lines += _effects_in_markdown(f)
    if f.first is not None:
        lines += ["", f"The side with the first turn won {percent(f.first)} of the games."]
    lines += _clauses_in_markdown(f)
    method = f"{_state(f)}. {_method(f)}"
    return "\n".join([*lines, "", fill(method, 120, break_long_words=False), "", ""])


def _effects_in_markdown(f: Figures) -> list[str]:
    # A study of listed settings has no effects.
    if not f.effects or f.design == "list":
        return []
    lines = ["", line("level", "against", "games", "points of share", "p", "", "rounds"), line(*["---"] * 7)]
    for e in f.effects:
        rounds = "" if e.rounds is None else _number(e.rounds)
        verdict = "clear" if e.clear else "open"
        lines.append(
            line(f"{e.factor} {e.level}", e.against, str(e.games), _points(e.share), f"{e.p:.2g}", verdict, rounds)
        )
    return lines


CLAUSES = 12
"""Number of clauses, or sets of them, in a Markdown page: those that correlate most with the winner."""


def _clauses_in_markdown(f: Figures) -> list[str]:
    apart = [one for one in f.clauses if 0 < one.games < f.games]
    if not apart:
        return []
    apart.sort(key=lambda one: (-abs(one.share - one.without) * _weight(f, one), one.clause))
    # Clauses used in the same games, such as those of one army, cannot be told apart.
    alike: dict[tuple[int, float], list[Bore]] = {}
    for one in apart:
        alike.setdefault((one.games, one.share), []).append(one)
    lines = ["", "Clauses that correlate most with the winner; a correlation is not a cause:", ""]
    lines += [line("clause", "games in which it was used", "share there", "share elsewhere"), line(*["---"] * 4)]
    for first, *others in list(alike.values())[:CLAUSES]:
        named = f"{first.clause} and {len(others)} more in the same games" if others else first.clause
        lines.append(line(named, str(first.games), f"{100 * first.share:.1f} %", f"{100 * first.without:.1f} %"))
    return lines


def line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _state(f: Figures) -> str:
    looks = f"check {f.looks} of {f.of}" if f.of > 1 else "one check at the end"
    played = f"{f.played} of {quantity(f.total, 'game')} played"
    return f"{f.ruleset}: {f.state}; {played}, figures of {quantity(f.games, 'game')} ({looks})"


def _method(f: Figures) -> str:
    looks = f"{quantity(f.of, 'look')} together" if f.of > 1 else "one look"
    text = (
        f"Shares are of {f.measured}; a draw counts half. The interval of a setting covers "
        f"{100 * f.level:.4g} % (Wilson), so that {looks} {agreeing(f.of, 'misses')} at most one time in twenty. "
        "Effects are differences of shares with normal intervals, corrected for the number of looks and of effects "
        "(Bonferroni), "
        "their chances by Holm's method. "
    )
    if any(effect.paired for effect in f.effects):
        text += "Settings that differ in one factor alone are compared game by game, with the same dice. "
    return text + f"Seed {f.seed}, rules {f.rules}, digest of the games {f.digest}."


def _settings(f: Figures) -> str:
    if not f.cells:
        return ""
    names = [_name(cell) for cell in f.cells]
    sides = f.measure == "side"
    rows = [
        _row(
            [escape(name)],
            [cell.games, *(cell.sides if sides else cell.wins), cell.draws, percent(cell.share), _rounds(cell)],
        )
        for name, cell in zip(names, f.cells, strict=True)
    ]
    plot = forest([(name, cell.share, False) for name, cell in zip(names, f.cells, strict=True)], 0.0, 1.0, 0.5)
    who = ("side 0", "side 1") if sides else ("first player", "second player")
    head = _head(["setting"], ["games", *who, "draws", "share", "rounds"])
    return f"<h2>Who wins: {escape(f.measured)}</h2>\n{plot}\n<table>{head}{''.join(rows)}</table>"


def _effects(f: Figures) -> str:
    if not f.effects:
        return ""
    rows = [
        _row(
            [escape(f"{e.factor} {e.level}"), escape(e.against), "clear" if e.clear else "open"],
            [e.games, _points(e.share), f"{e.p:.2g}", "" if e.rounds is None else _number(e.rounds)],
        )
        for e in f.effects
    ]
    reach = max([0.05, *[max(abs(e.share.low), abs(e.share.high)) for e in f.effects]])
    plot = forest([(f"{e.factor} {e.level}", e.share, e.clear) for e in f.effects], -reach, reach, 0.0)
    head = _head(["level", "against", ""], ["games", "points of share", "p", "rounds"])
    return f"<h2>What changes who wins</h2>\n{plot}\n<table>{head}{''.join(rows)}</table>"


def _levels(f: Figures) -> str:
    if f.design == "list" or not f.levels or (len(f.levels) == 1 and f.cells):
        return ""
    rows = [
        _row([escape(factor), escape(level)], [cell.games, percent(cell.share), _rounds(cell)])
        for factor, levels in f.levels.items()
        for level, cell in levels.items()
    ]
    head = _head(["factor", "level"], ["games", "share", "rounds"])
    return f"<h2>Level by level</h2>\n<table>{head}{''.join(rows)}</table>"


def _first(f: Figures) -> str:
    if f.first is None:
        return ""
    return f"<h2>Who goes first</h2>\n<p>The side with the first turn won {percent(f.first)} of the games.</p>"


def _losses(f: Figures) -> str:
    if not f.losses:
        return ""
    rows = [_row([escape(one.name), escape(one.kind)], [one.units, f"{one.a_game:.2f}"]) for one in f.losses]
    head = _head(["side", "kind of unit"], ["lost", "a game"])
    return f"<h2>Losses</h2>\n<table>{head}{''.join(rows)}</table>"


def _endings(f: Figures) -> str:
    if not f.endings:
        return ""
    rows = [_row([escape(words)], [count]) for words, count in f.endings.items()]
    return f"<h2>How games ended</h2>\n<table>{_head(['ending'], ['games'])}{''.join(rows)}</table>"


def _clauses(f: Figures) -> str:
    """Return a heat map of the rulebook: darker for frequent clauses, coloured for those that correlate with the
    winner.
    """
    if not f.clauses:
        return ""
    chapters: dict[str, list[Bore]] = {}
    for one in f.clauses:
        chapters.setdefault(one.clause.rpartition("-")[0] or one.clause, []).append(one)
    rows = []
    for chapter, bore in chapters.items():
        cells = "".join([_heat(f, one) for one in bore])
        rows.append(f'<tr><td>{escape(chapter)}</td><td><div class="map">{cells}</div></td></tr>')
    text = (
        "Each field is a clause that was used. The stronger its colour, the more the first player's share in games "
        "with the clause differs from that in games without it: blue for more, orange for less. It is a link with "
        "winning, which need not be the cause."
    )
    return f"<h2>The rulebook in these games</h2>\n<p>{text}</p>\n<table>{''.join(rows)}</table>"


def _heat(f: Figures, one: Bore) -> str:
    apart = one.share - one.without
    depth = min(1.0, abs(apart) * 2) * _weight(f, one)
    colour = "11, 98, 196" if apart > 0 else "194, 65, 12"
    shares = f"share {100 * one.share:.0f} %, else {100 * one.without:.0f} %"
    title = f"{one.clause}: in {one.games} of {quantity(f.games, 'game')}; {shares}"
    number = one.clause.rpartition("-")[2]
    return f'<span style="background: rgba({colour}, {depth:.2f})" title="{escape(title)}">{escape(number)}</span>'


def _weight(f: Figures, one: Bore) -> float:
    return min(1.0, min(one.games, f.games - one.games) / max(1, f.games) * 4)


LETTERS, LINE = 38, 14
"""Largest number of letters in a line of text in a plot, and the height of a line."""


def forest(rows: Sequence[tuple[str, Estimate, bool]], low: float, high: float, middle: float) -> str:
    """Return a forest plot as SVG: estimates with their intervals, one below the other.

    Args:
        middle: Value of the vertical line for comparison.
    """
    left, width, top = 260, 420, 26
    # Names are not shortened, because they may differ only at their end.
    names = [wrap(name, LETTERS) or [""] for name, _, _ in rows]
    steps = [8 + LINE * len(lines) for lines in names]
    tall = top + sum(steps) + 8

    def x(value: float) -> float:
        return left + width * (min(max(value, low), high) - low) / (high - low)

    ticks = [low + (high - low) * n / 4 for n in range(5)]
    lines = [
        f'<svg viewBox="0 0 {left + width + 40} {tall}" width="{left + width + 40}" height="{tall}" role="img">',
        *[f'<text x="{x(t):.1f}" y="14" text-anchor="middle">{100 * t:.0f}</text>' for t in ticks],
        *[f'<line class="axis" x1="{x(t):.1f}" x2="{x(t):.1f}" y1="20" y2="{tall}"/>' for t in ticks],
        f'<line class="half" x1="{x(middle):.1f}" x2="{x(middle):.1f}" y1="20" y2="{tall}"/>',
    ]
    for n, (name, estimate, clear) in enumerate(rows):
        y = top + sum(steps[:n]) + steps[n] / 2
        kind = "clear" if clear else "mark"
        first = y + 4 - LINE * (len(names[n]) - 1) / 2
        shown = "".join(
            [
                f'<tspan x="{left - 10}" y="{first + LINE * i:.1f}">{escape(one)}</tspan>'
                for i, one in enumerate(names[n])
            ]
        )
        ends = f'x1="{x(estimate.low):.1f}" x2="{x(estimate.high):.1f}" y1="{y:.1f}" y2="{y:.1f}"'
        lines += [
            f'<text text-anchor="end">{shown}<title>{escape(name)}</title></text>',
            f'<line class="{kind}" stroke-width="2" {ends}/>',
            f'<circle class="{kind}" cx="{x(estimate.value):.1f}" cy="{y:.1f}" r="4"/>',
        ]
    return "\n".join([*lines, "</svg>"])


def _head(words: Sequence[str], numbers: Sequence[str]) -> str:
    cells = [f"<th>{word}</th>" for word in words] + [f'<th class="n">{number}</th>' for number in numbers]
    return f"<tr>{''.join(cells)}</tr>"


def _row(words: Sequence[str], numbers: Sequence[object]) -> str:
    cells = [f"<td>{word}</td>" for word in words] + [f'<td class="n">{number}</td>' for number in numbers]
    return f"<tr>{''.join(cells)}</tr>"


def percent(e: Estimate) -> str:
    return f"{100 * e.value:.1f} % ({100 * e.low:.1f} to {100 * e.high:.1f})"


def _points(e: Estimate) -> str:
    return f"{100 * e.value:+.1f} ({100 * e.low:+.1f} to {100 * e.high:+.1f})"


def _number(e: Estimate) -> str:
    # The number zero is written without a sign.
    value, low, high = (round(end, 2) + 0.0 for end in (e.value, e.low, e.high))
    return f"{value:+.2f} ({low:+.2f} to {high:+.2f})"


def _rounds(cell: SettingFigures) -> str:
    return f"{cell.rounds:.1f}"
