"""Games that earlier versions stored are opened, replayed and verified, or the message names the version that they
need.

Each folder beside this file is a set that `record.py` made once, by the code of its time. A game whose rules are still
those of today is played again and every digest compared. A game with older rules is shown from its record, and its
verdict names the version. `make test` takes a tenth of the games, which moves with every commit; `make test-all` takes
all.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from caltrop.cli.replay import replay as shown
from caltrop.engine import ruleset, rulesets
from caltrop.host.seats import ServerLibrary
from caltrop.journal import Record, load, transcript, verify
from caltrop.scenarios.campaigns import read_campaign
from caltrop.server.guard import ServerLimits
from tests.corpus.record import Contents, Kept
from tests.server.tables import TestClient, served
from tests.tiers import rotating

HERE = Path(__file__).parent
MOST, MOST_OF_ONE = 3_000_000, 250_000
"""Largest number of bytes of a set, and of a set with a single ruleset.

Every version of the rules adds a set, so the sum has no limit.
"""


def contents(folder: Path) -> Contents:
    return msgspec.json.decode((folder / "contents.json").read_bytes(), type=Contents)


SETS = {folder.parent.name: contents(folder.parent) for folder in sorted(HERE.glob("*/contents.json"))}
GAMES = rotating([f"{name}/{file}" for name, held in SETS.items() for file in held.games], 10)
DATABASES = [f"{name}/{file}" for name, held in SETS.items() for file in held.databases]
CAMPAIGNS = [f"{name}/{file}" for name, held in SETS.items() for file in held.campaigns]


def has_campaign(path: str) -> bool:
    """Return whether a database has a campaign. Databases of small sets have none."""
    name, _, file = path.partition("/")
    return file in SETS[name].server_campaigns


def known(path: str) -> Record:
    return load(HERE / path)


@pytest.mark.parametrize("path", GAMES)
def test_a_recorded_game_is_played_again_or_says_which_version_it_needs(path: str) -> None:
    name, _, file = path.partition("/")
    noted, record = SETS[name].games[file], known(path)
    today = ruleset(record.ruleset).rules_version
    assert (record.ruleset, record.rules_version) == (noted.ruleset, noted.rules_version)
    assert (record.outcome and record.outcome.reason) == noted.over
    verdict = verify(record)
    assert verdict.same, verdict
    if record.rules_version < today:
        assert verdict.entries == 0
        assert f"version {record.rules_version}" in verdict.words
        return
    kept_back = "kept back" in verdict.words
    assert (verdict.entries == len(record.entries) == noted.entries) or kept_back, verdict
    if record.outcome is not None:
        assert "every digest is the same" in verdict.words
        assert not kept_back


@pytest.mark.parametrize("path", GAMES)
def test_a_recorded_game_is_told_to_its_end(path: str) -> None:
    record = known(path)
    lines = transcript(record)
    assert all(word in lines for entry in record.entries for word in getattr(entry, "words", ()))
    assert record.outcome is None or record.outcome.reason in lines


@pytest.mark.parametrize("path", GAMES[::12])
def test_a_recorded_game_is_shown_as_it_ended(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    record = known(path)
    shown(HERE / path, json=True)
    moment = msgspec.json.decode(capsys.readouterr().out)
    assert moment["view"]["groups"] is not None
    assert (moment["outcome"] or {}).get("reason") == (record.outcome and record.outcome.reason)
    assert moment["played_again"] == (record.rules_version == ruleset(record.ruleset).rules_version)


@pytest.fixture
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[TestClient, dict[str, Kept], str, str]]:
    """Run a server with a database of the corpus; yield its client, its games, and its campaign."""
    path: str = request.param
    name, _, file = path.partition("/")
    copy = tmp_path / "games.sqlite"
    with gzip.open(HERE / path) as packed, copy.open("wb") as flat:
        shutil.copyfileobj(packed, flat)
    generous = ServerLimits(requests=1e6, burst=10**6, messages=1e6, message_burst=10**6)
    with served(f"sqlite:///{copy}", limits=generous, library=ServerLibrary()) as client:
        held = SETS[name]
        yield client, held.databases[file], held.server_campaigns.get(file, ""), held.campaign_tokens.get(file, "")


def bearer(kept: Kept) -> dict[str, str]:
    return {"Authorization": "Bearer " + ",".join(token for token in kept.tokens if token is not None)}


@pytest.mark.parametrize("opened", rotating(DATABASES, 5), indirect=True)
def test_every_game_of_a_database_is_listed_and_opened(opened: tuple[TestClient, dict[str, Kept], str, str]) -> None:
    client, games, _, _ = opened
    assert games
    for id, kept in games.items():
        listed = client.get("/api/games", headers=bearer(kept)).json()["games"]
        entry = next(one for one in listed if one["game"] == id)
        assert (entry["ruleset"], entry["over"]) == (kept.ruleset, kept.over)
        answer = client.get(f"/api/games/{id}", headers=bearer(kept))
        if answer.status_code == 409 and kept.rules_version < ruleset(kept.ruleset).rules_version:
            assert f"version {kept.rules_version} of the rules" in answer.json()["message"]
            continue
        assert answer.status_code == 200, (kept.how, answer.text)
        view = answer.json()
        if view.get("as_recorded") and kept.rules_version < ruleset(kept.ruleset).rules_version:
            # The old version stored no events, which are shown as far as the present rules give the same events.
            assert f"version {kept.rules_version} of the rules" in view["as_recorded"]
            assert view["act"] <= kept.acts
            continue
        # A computer player continues as soon as its game is opened.
        assert view["act"] == kept.acts or not kept.over, kept.how
        assert (view["over"] is not None) == kept.over, kept.how
        if kept.over:
            moments = client.get(f"/api/games/{id}/moments", headers=bearer(kept)).json()
            assert moments["moments"][-1]["act"] == kept.acts
        if "lesson" not in kept.how:
            record = client.get(f"/api/games/{id}/record", headers=bearer(kept))
            assert client.post("/api/verify", json=record.json()).json()["same"] is True


@pytest.mark.parametrize("opened", [p for p in DATABASES if "blade-skirmish" in p and has_campaign(p)], indirect=True)
def test_a_campaign_in_a_database_goes_on(opened: tuple[TestClient, dict[str, Kept], str, str]) -> None:
    client, games, campaign, token = opened
    if not token:
        # In that version, a campaign's name alone opened it. A player of one of its battles now gets a secret.
        battle = next(kept for kept in games.values() if "counted" in kept.how)
        claimed = client.post(f"/api/campaigns/{campaign}/claim", json={}, headers=bearer(battle))
        assert claimed.status_code < 300, claimed.text
        token = claimed.json()["token"]
    leads = {"Authorization": f"Bearer {token}"}
    shown = client.get(f"/api/campaigns/{campaign}", headers=leads).json()
    assert len(shown["overview"]["battles"]) == 2
    if shown["playing"] is None:
        made = client.post(f"/api/campaigns/{campaign}/battle", json={}, headers=leads)
        assert made.status_code == 201, made.text


@pytest.mark.parametrize("path", CAMPAIGNS)
def test_a_campaign_file_is_read(path: str) -> None:
    name, _, file = path.partition("/")
    half, campaign = read_campaign(HERE / path)
    assert len(half.overview(campaign).battles) == SETS[name].campaigns[file]


def test_the_sets_hold_every_edition_and_fit() -> None:
    assert SETS
    for name, held in SETS.items():
        everything = {(game, edition) for game, editions in held.editions.items() for edition in editions}
        for kept in (held.games.values(), [one for games in held.databases.values() for one in games.values()]):
            assert {(one.ruleset, one.edition) for one in kept} >= everything, name
        assert set(held.editions) <= set(rulesets())
        size = sum(file.stat().st_size for file in (HERE / name).rglob("*") if file.is_file())
        assert size < (MOST if len(held.editions) > 1 else MOST_OF_ONE), name
