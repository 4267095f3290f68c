"""Each log line belongs to the round in which its event happened, and names the side that it is about."""

from __future__ import annotations

import re

import pytest

from caltrop.chance import Seeded
from caltrop.engine import rulesets
from caltrop.host.log import Log
from caltrop.host.telling import tell, tell_of_act
from caltrop.journal import Setting
from tests.server.tables import Table, TestClient


def test_lines_are_of_their_round_and_of_the_side_that_they_tell_of(client: TestClient) -> None:
    table = Table(client, ruleset="command-horizon", scenario="first-battle")
    names = {seat["name"]: seat["side"] for seat in table.view(0)["picture"]["seats"]}
    for _ in range(40):
        views = [table.view(side) for side in (0, 1)]
        if views[0]["picture"]["stage"]["round"] > 2:
            break
        side = next(n for n, view in enumerate(views) if view["decisions"])
        offers = views[side]["decisions"][0]["offers"]
        table.answer(side, ([o for o in offers if o["final"]] or offers)[-1]["action"])
    words = table.view(0)["log"]
    turns = [entry for entry in words if entry["kind"].endswith("TurnBegan")]
    assert len(turns) >= 4
    assert [entry["n"] for entry in words if entry["begins"]] == [entry["n"] for entry in turns]
    for entry in turns:
        match = re.fullmatch(r"Round (\d): the turn of (.*)", entry["text"])
        assert match
        assert (entry["round"], entry["about"]) == (int(match[1]), names[match[2]])
    # Events before a new round belong to the old one, although the same act caused both.
    rounds = [entry["round"] for entry in words]
    assert rounds == sorted(rounds)
    generated = [entry for entry in words if " generates " in entry["text"]]
    assert all(entry["about"] == names[entry["text"].split(" generates ")[0]] for entry in generated)


@pytest.mark.parametrize("game", [game for game in rulesets() if game != "duel"])
def test_a_turn_that_begins_stands_by_itself_in_every_game(game: str) -> None:
    match = Setting.chosen(game).begin(Seeded(7))
    log = Log((None,), lambda: 0, lambda: match.ruleset.round(match.state))
    tell(log, match, match.opening, None)
    turns, choices = {match.ruleset.turn(match.state)}, Seeded(1)
    while len(turns) < 4 and match.over is None:
        asked = match.waiting[0]
        tell_of_act(log, match, match.follow(asked, asked.options(match.state).sample(choices)), asked.side)
        turns.add(match.ruleset.turn(match.state))
    begun = [entry.kind for entry in log.lines[None] if entry.begins]
    assert len(begun) >= 2
    assert set(begun) == {"TurnBegan"}


def test_a_place_that_is_drawn_is_told_as_a_place_and_not_as_a_die(client: TestClient) -> None:
    table = Table(client, ruleset="blade-skirmish", scenario="cut-them-down", seats=["person"])
    words = table.view(0)["log"]
    assert max(thrown["sides"] for entry in words for thrown in entry["dice"]) <= 8, "who has which post is thrown for"
    drawn = [entry["text"] for entry in words if entry["text"].startswith("Where ")]
    assert all(re.fullmatch(r"Where [\w ]+ stands", text) for text in drawn)
    groups = {group["name"]: group for group in table.view(0)["picture"]["groups"]}
    places = [
        re.fullmatch(
            r"(.+) of Brigand Band takes the \w+ post, ([\d.]+) inch(?:es)? from the west edge and ([\d.]+) .*",
            e["text"],
        )
        for e in words
    ]
    result = [match for match in places if match is not None]
    assert len(result) == len(set(drawn)) == 8, "a place that is not legal is drawn again"
    for match in result:
        x, y = groups[match[1]]["pieces"][0]["at"]
        assert (round(x / 254, 1), round(y / 254, 1)) == (float(match[2]), float(match[3]))
