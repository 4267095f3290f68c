"""Fill the cache of exact odds that is shipped with the package, from a fixed series of games."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from caltrop.chance import Seeded
from caltrop.engine import known, ruleset, rulesets
from caltrop.errors import InputError
from caltrop.journal import Setting
from caltrop.lab.series import SeriesOrder, play_game
from caltrop.lab.workers import workers
from caltrop.players import listed as names_of_players
from caltrop.roster import nearest

SEED = 46
"""The seed of the series."""
PLAYER = "heuristic"
"""Player of both sides."""
ROUNDS = 16
"""Number of times that each scenario is played by default."""
ROOM = 4 << 20
"""Size of the odds of a game, in bytes, at which its series ends. In a wheel, the odds take a tenth of this size."""


class ListedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of cached odds, as the command lists it."""

    file: str
    shipped: bool
    """True if the file came with the package; False if Caltrop wrote it on this machine."""
    ruleset: str = ""
    question: str = ""
    edition: str = ""
    answers: int = 0
    bytes: int
    state: str
    """State of the file: `in force`, `out of date` if the rules have changed since, or `unreadable` if it is damaged or
    from an earlier version of Caltrop. Games read only files that are in force.
    """


def listed() -> Iterator[ListedFile]:
    for folder in (known.SHIPPED, known.cache_folder()):
        for place in sorted(folder.glob("*" + known.SUFFIX)) if folder is not None else ():
            shipped, size = folder == known.SHIPPED, place.stat().st_size
            odds_file = known.read_file(place)
            if odds_file is None:
                yield ListedFile(file=str(place), shipped=shipped, bytes=size, state="unreadable")
                continue
            yield ListedFile(
                file=str(place),
                shipped=shipped,
                ruleset=odds_file.ruleset,
                question=odds_file.question,
                edition=odds_file.edition,
                answers=len(odds_file.answers),
                bytes=size,
                state="in force" if _current(odds_file, place) else "out of date",
            )


def _current(file: known.OddsFile, place: Path) -> bool:
    try:
        return file.name() == place.name
    except (OSError, ImportError):
        return False


def fill(game: str, rounds: int = ROUNDS) -> list[Path]:
    """Play the series of a game, and replace its shipped odds by the results.

    Each round plays every scenario once. The series runs in a new process without cached odds, so the same rules and
    rounds write the same files. Returns the files, in order; none if the game's players use no cached odds. Raises
    InputError for an unknown game, or if the files cannot be written.

    Args:
        rounds: Largest number of games of each scenario.
    """
    if game not in rulesets():
        raise InputError(f"there is no game {game!r}; {nearest(game, rulesets())}")
    try:
        with TemporaryDirectory() as aside:
            if PLAYER in names_of_players(game):
                with workers(1) as pool:
                    pool.submit(_play, game, rounds, Path(aside)).result()
            return _put_in_place(game, Path(aside))
    except OSError as error:
        raise InputError(f"the odds cannot be kept: {error.strerror or error}", source=str(known.SHIPPED)) from error


def _play(game: str, rounds: int, folder: Path) -> None:
    with known.filled(folder) as written:
        for number in range(rounds):
            for order in _orders(game, number):
                result = play_game(order, 0)
                if result.failed:
                    raise InputError(f"a game went wrong: {result.failed.strip().splitlines()[-1]}")
            if not 0 < written() < ROOM:  # Players that have asked for no odds after the first round never do.
                break


def _put_in_place(game: str, aside: Path) -> list[Path]:
    known.SHIPPED.mkdir(parents=True, exist_ok=True)
    for old in known.SHIPPED.glob("*" + known.SUFFIX):
        file = known.read_file(old)
        if file is None or file.ruleset == game:
            old.unlink()
    return [Path(shutil.copyfile(new, known.SHIPPED / new.name)) for new in sorted(aside.glob("*" + known.SUFFIX))]


def _orders(game: str, number: int) -> Iterator[SeriesOrder]:
    """Yield the games of a round, alternately with the armies of the scenario and with two armies of one size."""
    rules = ruleset(game)
    armies = rules.armies()
    pairs = [(one.id, other.id) for one in armies for other in armies if one.size == other.size]
    for at, card in enumerate(rules.scenarios()):
        setting = Setting.chosen(game, scenario=card.id)
        if pairs and number % 2:
            # Scenarios of a round get different pairs of armies.
            chosen = msgspec.structs.replace(setting, armies=pairs[(number // 2 + 7 * at) % len(pairs)])
            setting = chosen if _playable(chosen) else setting
        yield SeriesOrder(setting=setting, players=(PLAYER, PLAYER), games=1, seed=SEED + number)


def _playable(setting: Setting) -> bool:
    try:
        setting.begin(Seeded(SEED), keep=False)
    except ValueError:
        return False
    return True
