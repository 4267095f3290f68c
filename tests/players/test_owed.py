"""Laws of every computer player: legal answers, equal answers from equal seeds, and most games won.

`owed.yaml` names the settings for a game's players; a new game needs no entry.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import Decision, Listed, digest, rulesets
from caltrop.journal import Setting
from caltrop.lab.series import SeriesOrder, play_game
from caltrop.players import player, players, players_of
from caltrop.roster import read_yaml
from tests.tiers import everything, rotation


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a battle; by default the first scenario."""

    scenario: str | None = None
    armies: tuple[str, ...] = ()
    edition: str | None = None

    def setting(self, game: str, rules: dict[str, Any] | None = None) -> Setting:
        return Setting.chosen(game, self.edition, self.scenario, self.armies, None, rules)


class Wins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Number of games that the heuristic has to win against another player with changing seats."""

    other: str
    games: int
    seed: int
    wins: int


class Owed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings in which the players of a game are tried."""

    players: tuple[str, ...] = ()
    against: str = "easy"
    whole: tuple[Place, ...] = (Place(),)
    ruled: tuple[Place, ...] = ()
    rules: tuple[dict[str, Any], ...] = ()
    equal: Place = Place()
    wins: tuple[Wins, ...] = ()


GAMES = [game for game in rulesets() if len(players(game)) > 1]
SAID = read_yaml(Path(__file__).parent / "owed.yaml", dict[str, Owed]).value
OWED = {game: SAID.get(game, Owed()) for game in GAMES}


def levels(game: str) -> tuple[str, ...]:
    """Return the game's own players."""
    return tuple([name for name in players(game) if name != "random"])


def test_games_have_players() -> None:
    assert set(SAID) <= set(GAMES)
    assert {"command-horizon", "hex-command", "blade-skirmish", "squad-action"} <= set(GAMES)


def seated(game: str) -> list[tuple[str, Place]]:
    """Return pairs of a game's players and places.

    The full tier pairs every player with every place. The quick tier has one player at each place in turn, beginning
    with another player at each commit.
    """
    owed = OWED[game]
    names = owed.players or levels(game)
    pairs = [(name, place) for place in owed.whole for name in names]
    return (
        pairs
        if everything()
        else [pairs[n * len(names) + (n + rotation()) % len(names)] for n in range(len(owed.whole))]
    )


@pytest.mark.parametrize(
    ("game", "name", "place"),
    [
        pytest.param(game, name, place, id=f"{game}-{name}-{place.scenario or ''}{' '.join(place.armies)}")
        for game in OWED
        for name, place in seated(game)
    ],
)
def test_every_answer_of_a_game_is_legal_and_changes_nothing_in_the_view(game: str, name: str, place: Place) -> None:
    match = place.setting(game).begin(Seeded(f"{name} {place}"), keep=False)
    sides = [player(name, game), player(OWED[game].against, game)]
    dice = [Seeded(1), Seeded(2)]
    while match.over is None:
        asked = match.waiting[0]
        view = match.view(asked.side)
        before = digest(view)
        action = sides[asked.side].decide(asked, view, dice[asked.side])
        assert digest(view) == before
        refusal = asked.options(view).refusal(action)
        assert refusal is None, (asked, action, refusal)
        match.follow(asked, action)


@pytest.mark.parametrize(
    ("game", "place", "rules"),
    [
        pytest.param(game, place, rules, id=f"{game}-{place.scenario or ''}-{next(iter(rules))}")
        for game, owed in OWED.items()
        for place in owed.ruled
        for rules in owed.rules
    ],
)
def test_house_rules_and_earlier_editions_are_no_obstacle(game: str, place: Place, rules: dict[str, Any]) -> None:
    setting = place.setting(game, rules)
    result = play_game(SeriesOrder(setting=setting, players=("heuristic", OWED[game].against), games=1, seed=3), 0)
    assert not result.failed, result.failed


def after(game: str, seed: int, acts: int) -> str:
    """Return the digest of a game of the heuristic against `easy` after some acts, or at its end."""
    match = OWED[game].equal.setting(game).begin(Seeded(seed), keep=False)
    seated = players_of(match, "heuristic", "easy", seed=seed)
    for _ in range(acts):
        if match.over is not None:
            break
        seated.act()
    return digest(match.state)


@pytest.mark.parametrize("game", GAMES)
def test_equal_seeds_give_equal_games(game: str) -> None:
    assert after(game, 11, 100) == after(game, 11, 100)
    assert after(game, 11, 20) != after(game, 12, 20)


class Strange(Decision, frozen=True, kw_only=True):
    """A decision of a kind that no player knows."""

    def options(self, t: Any) -> Any:
        return Listed(["this", "that"])


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in GAMES for name in levels(game)])
def test_an_unknown_decision_is_answered_by_some_option(game: str, name: str) -> None:
    view = OWED[game].whole[0].setting(game).begin(Seeded(1), keep=False).view(0)
    assert player(name, game).decide(Strange(side=0), view, Seeded(1)) in ("this", "that")


@pytest.mark.parametrize(("game", "wins"), [(game, wins) for game, owed in OWED.items() for wins in owed.wins])
def test_the_heuristic_wins_most_games(game: str, wins: Wins) -> None:
    """Games are played until the result is clear. Two draws count as a win."""
    setting = OWED[game].equal.setting(game)
    order = SeriesOrder(setting=setting, players=("heuristic", wins.other), games=wins.games, seed=wins.seed, swap=True)
    points = 0
    for number in range(wins.games):
        result = play_game(order, number)
        assert not result.failed, result.failed
        points += {0: 2, None: 1}.get(result.winner, 0)
        if not points < 2 * wins.wins <= points + 2 * (wins.games - 1 - number):
            break
    assert points >= 2 * wins.wins
