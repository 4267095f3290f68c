"""Play one game of a study, and return the row that is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from caltrop.chance import Scripted, Seeded
from caltrop.clauses import MARKS, counting
from caltrop.engine import Fell, HouseValue, Match, Played, ruleset
from caltrop.journal import Record, Setting, record_of
from caltrop.lab.series import SeriesOrder, play_game
from caltrop.lab.studies.design import Study, label, rules_of
from caltrop.lab.workers import settle
from caltrop.picture import Picture
from caltrop.players import Seated, maker_of


class LostUnits(msgspec.Struct, frozen=True):
    side: int
    kind: str
    units: int


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """The stored data of a game: the setting, so that the game can be played again, and the result."""

    game: int
    """Number of the game in the study."""
    cell: int
    number: int
    """Number of the game in its setting. With common dice, games with the same number have the same dice."""
    levels: dict[str, str]
    ruleset: str
    edition: str
    scenario: str
    armies: tuple[str, ...]
    size: int | None
    rules: dict[str, HouseValue]
    players: tuple[str, str]
    """Players of side 0 and side 1."""
    seed: str
    """Seed of the game. The dice of the table have the seed made of this text and `table`; a player's dice have this
    text, `player` and the player's number.
    """
    swapped: bool
    """True if the players had swapped seats."""
    winner: int | None
    """The player who won: 0 for the first of the study, 1 for the second; None for a draw."""
    side: int | None
    winner_name: str | None
    """Name of the winner's side, such as `Asori`."""
    first: int | None
    """Side with the first turn in the first round; None if it is unknown."""
    first_name: str | None
    second_name: str | None
    names: tuple[str, ...]
    rounds: int
    decisions: int
    """Number of decisions with at least two options."""
    rolls: int
    points: tuple[int, ...]
    """Points of each side; empty for a game without points."""
    reason: str
    """Sentence on the end of the game."""
    lost: tuple[LostUnits, ...]
    clauses: tuple[str, ...]
    """The clauses used, if the study stores them."""
    digest: str
    """A hash of the final state and the journal."""


class GameWentWrong(Exception):
    """Raised if a game of a study raises an error.

    Attributes:
        game: Number of the game in the study.
        failed: Description of the error.
        record: The game up to the error.
    """

    def __init__(self, game: int, failed: str, record: Record | None) -> None:
        # With the original arguments, the error can be sent from another process.
        super().__init__(game, failed, record)
        self.game, self.failed, self.record = game, failed, record

    def __str__(self) -> str:
        return f"game {self.game} went wrong: {self.failed.strip().splitlines()[-1]}"


class OtherRules(Exception):
    """Raised in a worker whose version of program or rules differs from that with which the study began."""


class _RowWatch:
    """A watcher that notes the result, the side that began, the opening picture, and the match."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.opening: Picture | None = None
        self.match: Match | None = None

    def __call__(self, match: Match) -> None:
        if self.match is None:
            self.match = match
            self.opening = match.ruleset.depict(match.view(None), None)
        if self.first is None and match.over is None and match.ruleset.round(match.state) >= 1:
            self.first = match.state.active


@lru_cache(maxsize=256)
def _order(text: bytes, cell: int) -> SeriesOrder:
    return _study(text).order(cell)


@lru_cache(maxsize=4)
def _study(text: bytes) -> Study:
    return msgspec.json.decode(text, type=Study)


@lru_cache(maxsize=4)
def _rules(text: bytes) -> str:
    return rules_of(_study(text))


def play_row(text: bytes, index: int) -> GameRow:
    """Play one game of a study. Raises GameWentWrong if the game raises an error.

    Args:
        text: The study as JSON.
    """
    study = _study(text)
    cell, number = study.cell_of(index)
    order = _order(text, cell)
    watch = _RowWatch()
    result = play_game(order, number, watch)
    if result.failed:
        raise GameWentWrong(index, result.failed, result.record)
    assert watch.match is not None
    assert watch.opening is not None
    match, opening = watch.match, watch.opening
    over = match.over
    assert over is not None
    closing = match.ruleset.depict(match.view(None), None)
    names = tuple([seat.name for seat in opening.seats])
    first = watch.first
    return GameRow(
        game=index,
        cell=cell,
        number=number,
        levels={name: label(level) for name, level in study.levels(cell).items()},
        ruleset=order.setting.ruleset,
        edition=order.setting.edition,
        scenario=order.setting.scenario,
        armies=order.setting.armies,
        size=order.setting.size,
        rules=order.setting.rules,
        players=_names(order, number),
        seed=f"{order.seed} {number}",
        swapped=order.swapped(number),
        winner=result.winner,
        side=over.winner,
        winner_name=None if over.winner is None else names[over.winner],
        first=first,
        first_name=None if first is None else names[first],
        second_name=None if first is None or len(names) != 2 else names[1 - first],
        names=names,
        rounds=result.rounds,
        decisions=result.decisions,
        rolls=result.rolls,
        points=over.points,
        reason=over.reason,
        lost=_lost(opening, closing),
        clauses=_came_to_bear(order, match) if study.clauses else (),
        digest=result.digest.hex(),
    )


def _came_to_bear(order: SeriesOrder, match: Match) -> tuple[str, ...]:
    rolls = [entry.faces for entry in match.journal if isinstance(entry, Fell)]
    with counting() as fired:
        again = order.setting.begin(Scripted(*rolls), keep=False, in_place=True)
        for entry in match.journal:
            if isinstance(entry, Played):
                again.follow(again.state.asked[entry.index], entry.action)
    fired_clauses = [MARKS[id].clauses for id in fired]
    return tuple(sorted({clause for clauses in fired_clauses for clause in clauses}))


def _names(order: SeriesOrder, number: int) -> tuple[str, str]:
    one, other = order.seats(number)
    return str(one), str(other)


def _lost(opening: Picture, closing: Picture) -> tuple[LostUnits, ...]:
    had = Counter((group.side, group.kind) for group in opening.groups)
    has = Counter((group.side, group.kind) for group in closing.groups)
    gone = had - has
    return tuple([LostUnits(side, kind, count) for (side, kind), count in sorted(gone.items())])


def play_rows(text: bytes, rules: str, indexes: Sequence[int]) -> list[GameRow]:
    """Play some games of a study, in a worker.

    Raises OtherRules if this worker has other rules, or GameWentWrong if a game raises an error.

    Args:
        text: The study as JSON.
        rules: The result of `rules_of` when the study began.
    """
    if _rules(text) != rules:
        raise OtherRules("this worker has another version of Caltrop or of the rules than the study was begun with")
    rows = []
    for index in indexes:
        rows.append(play_row(text, index))
        settle()
    return rows


def begun_again(row: GameRow) -> tuple[Setting, Seated]:
    """Return the setting and the players of the game in a row, so that it can be played again.

    Raises InputError for an unknown pack; reading the study registers its packs.
    """
    book = ruleset(row.ruleset).book(row.edition, row.rules)
    setting = Setting.of(book, row.scenario, row.armies, row.size)
    match = setting.begin(Seeded(f"{row.seed} table"))
    dice = tuple([Seeded(f"{row.seed} player {side ^ row.swapped}") for side in range(2)])
    return setting, Seated(match, tuple([maker_of(who, row.ruleset)() for who in row.players]), dice)


def recorded(row: GameRow) -> Record:
    setting, seated = begun_again(row)
    seated.play()
    return record_of(seated.match, setting, players=row.players, seed=f"{row.seed} table", everything=True)
