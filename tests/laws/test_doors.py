"""Every part that a ruleset offers is available at every door, through the registry of rulesets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop import cli
from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.engine import Decision, Refused, Ruleset, ruleset, rulesets
from caltrop.host.game import HostedGame
from caltrop.host.games import Games
from caltrop.host.seats import SecureDice, ServerLibrary
from caltrop.host.storage import Storage
from caltrop.players import player, players
from caltrop.scenarios.campaigns import campaigns, read_campaign
from caltrop.scenarios.rulings import rulings
from caltrop.server.guard import ServerLimits
from caltrop.terminal.sitting import Keys, Sitting
from tests.server.tables import Table, Talk, TestClient, served

NAMES = tuple(name for name in rulesets() if os.environ.get("LAWS", name) == name)
ACTS = 400
"""Number of acts of a game within which dice must be needed once."""


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return dice that are the same in every run."""
    fixed = Seeded("doors")
    monkeypatch.setattr(SecureDice, "roll", lambda _, pool, why=(): fixed.roll(pool, why))
    monkeypatch.setattr(SecureDice, "below", lambda _, n: fixed.below(n))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """Return a client of a server with every game."""
    limits = ServerLimits(requests=1e6, burst=10**6, messages=1e6, message_burst=10**6)
    with served(f"sqlite:///{tmp_path / 'games.sqlite'}", library=ServerLibrary(), limits=limits) as result:
        yield result


def wanted(rules: Ruleset) -> dict[str, Any]:
    """Return a request for a game of people alone."""
    first = rules.scenarios()[0]
    return {"ruleset": rules.name, "scenario": first.id, "seats": ["person"] * first.players}


def uncertain(game: HostedGame) -> tuple[str, Decision, Any]:
    """Play a game until an action needs dice. Return the decision and the action as plain data."""
    foresee, choices = game.ruleset.forecasts, Seeded("choices")
    name = game.ruleset.name
    # Sides that play at random may never meet.
    who = player("recruit" if "recruit" in players(name) else "random", name)
    assert foresee is not None
    for _ in range(ACTS):
        for id, decision in game.ids():
            view = game.match.view(decision.side)
            for offer in offered(decision).offers(view)[:20]:
                if foresee(view, decision.side, offer.action, decision) is not None:
                    return id, decision, plain(offer.action)
        id, decision = game.ids()[0]
        action = who.decide(decision, game.match.view(decision.side), choices)
        game.act(game.decision(id, (decision.side,)), action)
    raise AssertionError(f"nothing in {ACTS} acts is left to the dice")


def seers(game: HostedGame) -> tuple[int, int]:
    """Return a unit on the table and one of another side, as soon as both exist."""
    choices = Seeded("choices")
    for _ in range(ACTS):
        groups = [g for g in game.ruleset.depict(game.match.view(0), 0).groups if g.pieces]
        pairs = [(a.id, b.id) for a in groups for b in groups if a.side != b.side]
        if pairs:
            return pairs[0]
        id, decision = game.ids()[0]
        view = game.match.view(decision.side)
        options = decision.options(view)
        # Sides that end every step at once never see each other.
        active = [
            offer.action for offer in offered(decision).offers(view) if not offer.final and offer.action in options
        ]
        action = active[choices.below(len(active))] if active else options.sample(choices)
        game.act(game.decision(id, (decision.side,)), action)
    raise AssertionError("no two units stand on the table")


def plain(value: Any) -> Any:
    """Return a value as parsed JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def live(client: TestClient, table: Table) -> HostedGame:
    """Return the game of a table."""
    game: HostedGame = client.app.app.state.games.live[table.id].game  # type: ignore[attr-defined]
    return game


@pytest.mark.parametrize("name", NAMES)
def test_forecasts_and_sights_are_told_over_http_and_live(name: str, client: TestClient) -> None:
    rules = ruleset(name)
    table = Table(client, **wanted(rules))
    game = live(client, table)
    one, other = seers(game)
    question = {"type": "sight", "unit": one, "targets": [other]}
    answers = [table.say(0, question), said(table, 0, question)]
    if rules.sights is None:
        assert [answer["code"] for answer in answers] == ["no-sight"] * 2
    else:
        words = plain(rules.sights.see(game.match.view(0), one, (other,), {}, True))
        assert [answer["sightings"] for answer in answers] == [words] * 2
    if rules.forecasts is None:
        id, decision = game.ids()[0]
        action = plain(decision.options(game.match.view(decision.side)).first())
        question = {"type": "odds", "decision": id, "action": action}
        answers = [table.say(decision.side, question), said(table, decision.side, question)]
        assert [answer["code"] for answer in answers] == ["no-odds"] * 2
        return
    id, decision, action = uncertain(game)
    question = {"decision": id, "action": action}
    words = table.client.post(f"/api/games/{table.id}/odds", json=question, headers=table.bearer(decision.side)).json()
    heard = said(table, decision.side, {"type": "odds", **question})
    assert words["odds"] == heard["odds"]
    assert words["odds"]["outcomes"]


def said(table: Table, side: int, question: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of a live connection."""
    with table.live() as session:
        talk = Talk(session, tokens=[table.tokens[side]])
        talk.hear("view")
        talk.tell(question)
        return talk.hear("odds", "sight", "refusal")


@pytest.mark.parametrize("name", NAMES)
async def test_forecasts_and_sights_are_told_in_the_terminal(name: str, tmp_path: Path) -> None:
    rules = ruleset(name)
    games = Games(Storage(str(tmp_path / "games.sqlite")), ServerLibrary())
    sitting = Sitting(games, Keys(tmp_path / "seats.json"))
    try:
        await sitting.begin(wanted(rules))
        one, other = seers(sitting.table.game)
        if rules.sights is None:
            with pytest.raises(Refused, match="no lines of sight"):
                await sitting.sight(one, other, {})
        else:
            assert await sitting.sight(one, other, {}) is not None
        if rules.forecasts is not None:
            id, decision, action = uncertain(sitting.table.game)
            await sitting.look(decision.side)
            odds = await sitting.odds(id, action)
            assert odds is not None
            assert odds.outcomes
    finally:
        sitting.leave()
        await games.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_referee_is_asked_over_http_and_on_the_command_line(
    name: str, client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    referee = ruleset(name).referee
    assert (name in client.get("/api/odds").json()["rulesets"]) == (referee is not None)
    file = tmp_path / "attack.json"
    start: dict[str, Any] = {"ruleset": name}
    if referee is None:
        file.write_text(json.dumps(start))
        assert client.post("/api/odds", json=start).status_code == 400
        assert cli.main(["odds", str(file)]) == 1
        return
    asked = client.post("/api/odds/form", json=start).json()
    assert (asked["form"] is None) == (referee.form is None)
    if referee.form is None:
        pytest.skip("it has no attack to begin with")
    start = asked["form"]["start"]
    file.write_text(json.dumps(start))
    capsys.readouterr()
    assert cli.main(["odds", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == client.post("/api/odds", json=start).json() == referee.odds(start)
    # Without dice an attack is not resolved, and every door gives the same message.
    refused = client.post("/api/resolve", json=start).json()
    assert cli.main(["resolve", str(file)]) == 1
    assert refused["message"] in capsys.readouterr().err
    for what in ("attack", "resolve", "odds"):
        assert cli.main(["schema", what, "--game", name]) == 0
        assert json.loads(capsys.readouterr().out)["title"] == f"caltrop {what}"


@pytest.mark.parametrize("name", NAMES)
def test_rulings_are_read_on_the_page_of_the_rules_and_checked_on_the_command_line(
    name: str, client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = client.get(f"/api/rules/{name}").json()["examples"]
    if ruleset(name).rulings is None:
        assert examples == []
        assert cli.main(["schema", "ruling", "--game", name]) == 1
        return
    every = rulings(name)
    assert every
    assert [one["id"] for one in examples] == [one.head.id for one in every]
    assert cli.main(["schema", "ruling", "--game", name]) == 0
    assert cli.main(["validate", str(every[0].file)]) == 0
    assert every[0].head.id in capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_campaigns_are_led_over_http_and_on_the_command_line(name: str, client: TestClient, tmp_path: Path) -> None:
    part = ruleset(name).campaigns
    assert (name in client.get("/api/campaigns").json()["rulesets"]) == (part is not None)
    file = tmp_path / "one.caltrop-campaign.json"
    made = client.post("/api/campaigns", json={"ruleset": name, "title": "One"})
    code = cli.main(["campaign", "new", str(file), "--game", name])
    if part is None:
        assert (made.status_code, code) == (400, 1)
        return
    assert (made.status_code, code) == (201, 0)
    id, token = made.json()["campaign"], made.json()["token"]
    leads = {"Authorization": f"Bearer {token}"}
    shown = client.get(f"/api/campaigns/{id}", headers=leads).json()["overview"]
    assert (shown["ruleset"], shown["title"], shown["battles"]) == (name, "One", [])
    assert all(len(one["values"]) == len(shown["columns"]) for one in shown["roster"])
    assert set(shown["next"]["field"]) <= {one["name"] for one in shown["roster"] if one["ready"]}
    stored = client.get(f"/api/campaigns/{id}/file", headers=leads).content.decode()
    half = campaigns(name)
    assert plain(half.overview(half.campaign_file(stored))) == shown
    # A battle is given up on the server, and counted once with the proposed answer to every question.
    assert client.post(f"/api/campaigns/{id}/battle", json={}, headers=leads).status_code == 201
    client.post(f"/api/campaigns/{id}/give-up", json={}, headers=leads)
    looked = client.post(f"/api/campaigns/{id}/count", json={}, headers=leads).json()
    answers = {one["id"]: one["chosen"] for one in looked["questions"]}
    counted = client.post(f"/api/campaigns/{id}/count", json={"answers": answers, "store": True}, headers=leads).json()
    assert counted["battle"] == looked["battle"]
    assert (counted["battle"]["result"], counted["battle"]["given_up"]) == ("lost", True)
    after = client.get(f"/api/campaigns/{id}", headers=leads).json()
    assert (after["overview"], after["playing"]) == (counted["overview"], None)
    # The battle is repeated on the command line, where the computer plays it.
    assert cli.main(["campaign", "play", str(file), "--player", "random", "--seed", "1"]) == 0
    assert len(half.overview(read_campaign(file)[1]).battles) == 1
    assert cli.main(["validate", str(file)]) == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("part", "sort"), [("scenario_files", "scenario"), ("army_lists", "army")])
def test_files_of_authors_are_known_on_the_command_line(
    name: str, part: str, sort: str, capsys: pytest.CaptureFixture[str]
) -> None:
    there = getattr(ruleset(name), part) is not None
    assert cli.main(["schema", sort, "--game", name]) == (0 if there else 1)
    assert capsys.readouterr().out.startswith("{") == there
