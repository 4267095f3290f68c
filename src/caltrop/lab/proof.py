"""Prove the strength of a game's computer players by statistics: `python -m caltrop.lab.proof [GAME...]`.

The pairings on the game's page, such as `veteran` against `random`, are played on every scenario, then again with
swapped seats. If the game has pairs of armies, a fixed rotation of them is used. With `--player` only the pairings of
one player are played; results of other players on the page stay. The report has numbers of wins with intervals,
thinking times, and obvious mistakes. Games and results are the same for any number of processes; only the times differ.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt
from pathlib import Path
from time import perf_counter, process_time

import msgspec

from caltrop.agreeing import quantity
from caltrop.chance import Z95, Seeded
from caltrop.engine import ruleset
from caltrop.journal import Setting
from caltrop.lab.kept import worked
from caltrop.lab.programs import run
from caltrop.players import Score, levels, measured_path, player
from caltrop.players.proof import Page, proof, proven


class ProofJob(msgspec.Struct, frozen=True):
    """One game to be played."""

    players: tuple[str, str]
    scenario: str
    edition: str
    number: int
    seed: int
    game: str


class ProofGame(msgspec.Struct, frozen=True):
    """The stored data of one game."""

    job: ProofJob
    points: int
    """Half points of the first player: 2 for a win, 1 for a draw."""
    decisions: int
    """Number of decisions of the first player."""
    total: float
    """Thinking time of the first player, in seconds."""
    longest: float
    seconds: float
    blunders: tuple[int, ...]
    """Number of obvious mistakes of the first player, by kind."""


def _page(game: str) -> Page:
    claims = proof(game)
    assert claims is not None, f"the players of {game} have no page"
    return claims


def armies_of(job: ProofJob) -> tuple[str, ...]:
    """Return the armies of a game; empty for the scenario's own. Each pairing is played twice, with swapped seats."""
    factions = {a.faction for a in ruleset(job.game).armies() if not a.editions or job.edition in a.editions}
    pairings = [p for p in _page(job.game).pairings if factions.issuperset(p)]
    return pairings[job.number // 2 % len(pairings)] if pairings else ()


def play(job: ProofJob) -> ProofGame:
    setting = Setting(ruleset=job.game, edition=job.edition, scenario=job.scenario, armies=armies_of(job))
    swapped = job.number % 2
    seed = f"{job.seed} {job.scenario} {job.edition} {job.players} {job.number}"
    match = setting.begin(Seeded(seed), keep=False)
    sides = [player(job.players[side ^ swapped], job.game) for side in (0, 1)]
    dice = [Seeded(f"{seed} {side}") for side in (0, 1)]
    page = _page(job.game)
    watch = page.watch()
    decisions, total, longest = 0, 0.0, 0.0
    began = process_time()
    while match.over is None:
        asked = match.waiting[0]
        view = match.view(asked.side)
        start = process_time()
        action = sides[asked.side].decide(asked, view, dice[asked.side])
        if asked.side == swapped:
            took = process_time() - start
            decisions, total, longest = decisions + 1, total + took, max(longest, took)
        before = match.state
        match.follow(asked, action)
        watch.see(asked, before, action, match.state)
    winner = match.over.winner
    counts = watch.counts[swapped]
    return ProofGame(
        job=job,
        points=1 if winner is None else 2 * int(winner == swapped),
        decisions=decisions,
        total=total,
        longest=longest,
        seconds=process_time() - began,
        blunders=tuple(counts[kind] for kind in page.kinds),
    )


def jobs(
    games: int, edition: str, seed: int, scenarios: Sequence[str], game: str, player: str | None = None
) -> Iterator[ProofJob]:
    """Yield all games of the proof, or those of one player, so ordered that all rows of the table fill up evenly."""
    matches = [m for m in _page(game).matches if player in (None, m[0])]
    for number in range(games):
        for (one, other, _, _), scenario in product(matches, scenarios):
            yield ProofJob((one, other), scenario, edition, number, seed, game)


def interval(half_points: int, games: int) -> tuple[float, float]:
    """Return the score interval of a share in which draws count half.

    Draws make the share vary less than the formula assumes, so the interval is rather too wide than too narrow.
    """
    if not games:
        return 0.0, 1.0
    share, square = half_points / (2 * games), Z95 * Z95
    centre = (share + square / (2 * games)) / (1 + square / games)
    half = Z95 * sqrt(share * (1 - share) / games + square / (4 * games * games)) / (1 + square / games)
    return max(0.0, centre - half), min(1.0, centre + half)


def verdict(low: float, share: float, bounds: tuple[float, float]) -> str:
    if bounds[1] < 1:
        return "yes" if bounds[0] <= share <= bounds[1] else "no"
    return "yes" if low > bounds[0] else "no"


def report(results: Sequence[ProofGame], games: int, edition: str, seed: int, game: str, earlier: str = "") -> str:
    """Return a game's part of the page, as Markdown. Rows of players without results come from the *earlier* page."""
    page = _page(game)
    own = _command(games, edition, seed, game)
    if earlier:
        own += "".join([f" --player {one}" for one in dict.fromkeys(r.job.players[0] for r in results)])
    lines = [
        _heading(page),
        "",
        page.introduction.strip().format(levels=_levels(game)),
        "",
        "## Who wins",
        "",
        "",  # This line is filled with the settings of the games once all rows are known.
        "",
        "| players | scenario | wins | draws | losses | share | interval | proven |",
        "|---|---|---|---|---|---|---|---|",
    ]
    made = lines.index("## Who wins") + 2
    for one, other, least, most in page.matches:
        some = [r for r in results if r.job.players == (one, other)]
        if not some and earlier:
            lines += _rows(earlier, page, "Who wins", f"{one} against {other}")
            continue
        for scenario in dict.fromkeys(r.job.scenario for r in some):
            lines.append(_line(f"{one} against {other}", scenario, [r for r in some if r.job.scenario == scenario],
                               (least, most)))  # fmt: skip
        lines.append(_line(f"{one} against {other}", "all", some, (least, most)))
    lines[made] = page.made.format(command=_commands(earlier, page, own), played=_played(lines))
    lines += [
        "",
        "## How long they think",
        "",
        "Processor time of the first player, on one core of the machine that made this page, other games beside it.",
        "",
        "| player | decisions a game | mean | mean of the longest of a game | longest of all | seconds a game, both |",
        "|---|---|---|---|---|---|",
    ]
    for one in dict.fromkeys(m[0] for m in page.matches):
        some = [r for r in results if r.job.players[0] == one]
        if not some and earlier:
            lines += _rows(earlier, page, "How long they think", one)
            continue
        n = max(1, len(some))
        asked = max(1, sum(r.decisions for r in some))
        lines.append(
            f"| {one} | {asked / n:.0f} | {1000 * sum(r.total for r in some) / asked:.1f} ms "
            f"| {1000 * sum(r.longest for r in some) / n:.0f} ms "
            f"| {1000 * max([r.longest for r in some], default=0):.0f} ms | {sum(r.seconds for r in some) / n:.2f} |"
        )
    lines += [
        "",
        "## Blunders",
        "",
        f"A hundred games of each player, counted by the definitions in `{page.counted}`.",
        "",
        "| player | " + " | ".join(page.kinds) + " |",
        "|---" * (len(page.kinds) + 1) + "|",
    ]
    for one in dict.fromkeys(m[0] for m in page.matches):
        some = [r for r in results if r.job.players[0] == one]
        if not some and earlier:
            lines += _rows(earlier, page, "Blunders", one)
            continue
        sums = [100 * sum(r.blunders[k] for r in some) / max(1, len(some)) for k in range(len(page.kinds))]
        lines.append(f"| {one} | " + " | ".join(f"{x:.1f}" for x in sums) + " |")
    return "\n".join([*lines, "", page.weaknesses.strip(), ""])


def _levels(game: str) -> str:
    rows = [f"| `{level.name}` | {level.words} |" for level in levels(game)]
    return "\n".join(["| player | how it plays |", "|---|---|", *rows])


def _rows(whole: str, page: Page, section: str, first: str) -> list[str]:
    part = f"{whole}\n# ".partition(f"{_heading(page)}\n")[2].partition("\n# ")[0]
    table = part.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return [line for line in table.splitlines() if line.startswith(f"| {first} |")]


def scores(results: Sequence[ProofGame], game: str) -> dict[str, tuple[Score, ...]]:
    """Return the scores of players for menus, from all scenarios together."""
    scores_by_name: dict[str, tuple[Score, ...]] = {}
    played = {r.job.players for r in results}
    for one, other, _, _ in [m for m in _page(game).matches if m[:2] in played]:
        some = [r.points for r in results if r.job.players == (one, other)]
        score = Score(other, len(some), some.count(2), some.count(1), *interval(sum(some), len(some)))
        scores_by_name[one] = (*scores_by_name.get(one, ()), score)
    return scores_by_name


def _heading(page: Page) -> str:
    return f"# The computer players of {page.title}"


def _command(games: int, edition: str, seed: int, game: str) -> str:
    return f"python -m caltrop.lab.proof {game} --games {games} --edition {edition} --seed {seed}"


def put_into(whole: str, part: str) -> str:
    r"""Return the page after replacing a game's part, or adding it at the end.

    >>> put_into("# One\n\nold\n\n# Two\n\nstays\n", "# One\n\nnew\n")
    '# One\n\nnew\n\n# Two\n\nstays\n'
    """
    heading = part.partition("\n")[0]
    parts = [p.rstrip("\n") + "\n" for p in re.split(r"^(?=# )", whole, flags=re.MULTILINE) if p.strip()]
    own = [i for i, p in enumerate(parts) if p.partition("\n")[0] == heading]
    if own:
        parts[own[0]] = part
    else:
        parts.append(part)
    return "\n".join(parts)


def _commands(earlier: str, page: Page, own: str) -> str:
    part = f"{earlier}\n".partition(f"{_heading(page)}\n")[2].partition("\n# ")[0]
    match = re.search(r"Made by (.*?) \(`make statistics`\)", part)
    if match is None:
        return own
    stay = [
        c for c in re.findall(r"`([^`]*)`", match[1]) if c.partition(" --player")[2] != own.partition(" --player")[2]
    ]
    return "` and `".join([*stay, own])


def _played(lines: Sequence[str]) -> str:
    rows = [
        [cell.strip() for cell in line.split("|")] for line in lines if line.startswith("| ") and " against " in line
    ]
    counts = sorted({sum(map(int, row[3:6])) for row in rows if len(row) > 6 and row[2] != "all"})
    return " or ".join(map(str, counts)) or "0"


def _line(title: str, scenario: str, some: Sequence[ProofGame], bounds: tuple[float, float]) -> str:
    points, games = sum(r.points for r in some), len(some)
    low, high = interval(points, games)
    share = points / (2 * games) if games else 0.0
    wins, draws = sum(r.points == 2 for r in some), sum(r.points == 1 for r in some)
    proven = verdict(low, share, bounds)
    return (
        f"| {title} | {scenario} | {wins} | {draws} | {games - wins - draws} | {100 * share:.1f} % "
        f"| {100 * low:.1f} to {100 * high:.1f} % | {proven} |"
    )


def main(argv: Sequence[str] | None = None) -> int:
    arguments = argparse.ArgumentParser(prog="python -m caltrop.lab.proof", description=__doc__)
    arguments.add_argument(
        "game", nargs="*", default=proven(), metavar="GAME", help=f"the games ({' '.join(proven())})"
    )
    arguments.add_argument("--games", type=int, default=200, help="games for each line of the table (200)")
    arguments.add_argument("--jobs", type=int, default=2, help="processes (2)")
    arguments.add_argument("--seed", type=int, default=1, help="any whole number (1)")
    arguments.add_argument("--edition", default="current", help="edition of the game (current)")
    arguments.add_argument("--scenario", action="append", help="only this scenario; may be given several times")
    arguments.add_argument("--player", help="only the games of this player; the others' lines stay as they are")
    arguments.add_argument("--keep", type=Path, help="a file in which results are kept, and from which they go on")
    arguments.add_argument("--output", type=Path, default=Path("notebook/opponents.md"), help="where the page goes")
    given = arguments.parse_args(argv)
    unknown = [name for name in given.game if name not in proven()]
    if unknown:
        arguments.error(f"the players of {unknown[0]!r} have no page; those of {', '.join(proven())} have")
    if given.scenario and len(given.game) != 1:
        arguments.error("a scenario is of one game: name it")
    for name in given.game:
        names = sorted({m[0] for m in _page(name).matches})
        if given.player is not None and given.player not in names:
            arguments.error(f"nothing is claimed of {given.player!r} in {name}; there are {', '.join(names)}")
    return max([_prove(name, given) for name in given.game])


def _prove(game: str, given: argparse.Namespace) -> int:
    """Write a game's part of the page. Return 1 if any claim is not proven, otherwise 0."""
    scenarios = given.scenario or _page(game).scenarios or [card.id for card in ruleset(game).scenarios()]
    every = list(jobs(given.games, given.edition, given.seed, scenarios, game, given.player))
    shown_at = perf_counter()

    def tell(count: int) -> None:
        nonlocal shown_at
        if perf_counter() - shown_at > 5:
            shown_at = perf_counter()
            print(f"\r{count} of {quantity(len(every), 'game')}", end="", file=sys.stderr, flush=True)

    results = worked(
        every, play, ProofGame, given.keep, given.jobs, "the page is made of the games that were finished", tell
    )
    print(file=sys.stderr)
    whole = given.output.read_text(encoding="utf-8") if given.output.exists() else ""
    earlier = "" if given.player is None else whole
    page = report(results, given.games, given.edition, given.seed, game, earlier)
    given.output.write_text(put_into(whole, page), encoding="utf-8")
    print(page)
    record = measured_path(game)
    if record is not None and len(results) == len(every) and given.scenario is None:
        before = {level.name: level.scores for level in levels(game) if level.scores} if earlier else {}
        record.write_bytes(msgspec.json.format(msgspec.json.encode(before | scores(results, game)), indent=1) + b"\n")
    return int("| no |" in page)


if __name__ == "__main__":
    run(main)
