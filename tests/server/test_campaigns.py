"""Campaigns on a server: begun, played, counted once, saved, and loaded from a file."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from caltrop.host.campaigns import ServerCampaigns
from caltrop.host.seats import DrawnSecrets
from caltrop.host.storage import Storage, StoredRow
from tests.server.tables import Talk, TestClient, served


class Led(NamedTuple):
    """A campaign with its leader's secret."""

    id: str
    token: str

    def get(self, client: TestClient, path: str = "") -> Any:
        """Return the answer to a question about the campaign."""
        return client.get(f"/api/campaigns/{self.id}{path}", headers=bearer(self.token))

    def post(self, client: TestClient, path: str, expected: Any) -> Any:
        """Return the answer to a request."""
        return client.post(f"/api/campaigns/{self.id}{path}", json=expected, headers=bearer(self.token))


def bearer(*tokens: str) -> dict[str, str]:
    """Return the header that presents these secrets."""
    return {"Authorization": "Bearer " + ",".join(tokens)} if tokens else {}


def begin_campaign(client: TestClient, **expected: Any) -> Led:
    made = client.post("/api/campaigns", json={"ruleset": "blade-skirmish", "title": "Red Hand", **expected})
    assert made.status_code == 201, made.text
    return Led(made.json()["campaign"], made.json()["token"])


def look_at_campaign(client: TestClient, led: Led) -> dict[str, Any]:
    answer = led.get(client)
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()
    return result


def play_and_give_up(client: TestClient, led: Led, **expected: Any) -> str:
    """Make the next battle and give it up immediately; return its id."""
    made = led.post(client, "/battle", expected)
    assert made.status_code == 201, made.text
    up = led.post(client, "/give-up", {}).json()
    assert up["playing"] == {"game": made.json()["game"], "over": True}
    game: str = made.json()["game"]
    return game


def test_games_with_campaigns_are_named(client: TestClient) -> None:
    result = client.get("/api/campaigns").json()
    assert result["rulesets"] == ["blade-skirmish", "duel"]
    assert [one["id"] for one in result["courses"]["blade-skirmish"]] == ["season", "salt-road"]
    assert result["courses"]["duel"] == []


def test_a_roster_goes_on_when_its_battles_have_been_fought(client: TestClient) -> None:
    led = begin_campaign(client, course="salt-road")
    early = led.post(client, "/again", {})
    assert (early.status_code, early.json()["message"][:40]) == (400, "There are 3 battles to be fought before ")
    for way in ("The Reliquary", "Run the Gauntlet", None):
        play_and_give_up(client, led)
        answers = {} if way is None else {"next": [way]}
        counted = led.post(client, "/count", {"store": True, "answers": answers}).json()
        assert way is None or counted["overview"]["next"]["title"] == way
    over = look_at_campaign(client, led)["overview"]
    assert [one["id"] for one in over["courses"]] == ["season", "salt-road"]
    again = led.post(client, "/again", {"course": "season"}).json()["overview"]
    assert (again["length"], len(again["battles"]), again["courses"]) == (9, 3, [])
    assert again["next"] is not None
    assert look_at_campaign(client, led)["overview"] == again


def test_a_campaign_is_begun_and_found_again_by_another_server(database: str) -> None:
    with served(database) as client:
        led = begin_campaign(client, army="old-guard", rules={"nemesis": "on"})
        first = look_at_campaign(client, led)
    with served(database) as client:
        assert look_at_campaign(client, led) == first
        assert client.get(f"/api/games/c:{led.id}").status_code == 404, "it is no game"
    shown = first["overview"]
    assert [one["name"] for one in shown["roster"]] == ["Hedda", "Runa", "Marit", "Solvei"]
    assert shown["rules"] == {"nemesis": "on"}
    assert first["playing"] is None


def test_a_battle_is_counted_once_and_nothing_before_that(client: TestClient) -> None:
    led = begin_campaign(client)
    before = look_at_campaign(client, led)
    game = play_and_give_up(client, led, fielded=["Maren", "Wren"])
    view = client.get(f"/api/games/{game}").json()
    assert view["scenario"] == before["overview"]["next"]["scenario"]
    assert view["undo"]["takeback"] is False
    seen = led.post(client, "/count", {"answers": {"recruits": ["Zoe"]}}).json()
    assert seen["battle"]["result"] == "lost"
    (asked,) = [one for one in seen["questions"] if one["id"] == "recruits"]
    assert (asked["least"], asked["most"], asked["chosen"]) == (0, 1, ["Zoe"])
    assert "Zoe" in [one["name"] for one in seen["overview"]["roster"]]
    assert look_at_campaign(client, led)["overview"] == before["overview"], "it was only looked at"
    counted = led.post(client, "/count", {"answers": {"recruits": ["Zoe"]}, "store": True}).json()
    assert counted == seen
    after = look_at_campaign(client, led)
    assert (after["overview"], after["playing"]) == (seen["overview"], None)
    again = led.post(client, "/count", {"store": True})
    assert (again.status_code, again.json()["code"]) == (409, "no-battle")
    assert look_at_campaign(client, led) == after


def test_a_fighter_has_a_name_a_cloak_and_a_saying_of_her_players_own(client: TestClient) -> None:
    led = begin_campaign(client)
    dressed = led.post(client, "/dress", {"who": "Maren", "name": "Old Maren", "cloak": "wine", "saying": "Not yet."})
    assert dressed.status_code == 200, dressed.text
    shown = look_at_campaign(client, led)["overview"]
    assert dressed.json()["overview"] == shown
    assert "wine" in shown["cloaks"]
    (maren,) = [one for one in shown["roster"] if one["name"] == "Old Maren"]
    assert (maren["cloak"], maren["saying"]) == ("wine", "Not yet.")
    for wrong, words in (
        ({"who": "Maren"}, "There is no Maren on the roster"),
        ({"who": "Wren", "name": "x" * 25}, "a name has 1 to 24 letters and digits"),
        ({"who": "Wren", "name": "old maren"}, "the roster has, or had, a old maren already"),
        ({"who": "Wren", "cloak": "whine"}, "did you mean 'wine'"),
        ({"who": "Wren", "saying": "Ha\nha"}, "a saying is one line of 1 to 80 characters"),
    ):
        answer = led.post(client, "/dress", wrong)
        assert answer.status_code == 400
        assert words in answer.json()["message"]
    assert look_at_campaign(client, led)["overview"] == shown
    made = led.post(client, "/battle", {"fielded": ["Old Maren"]}).json()
    (group,) = client.get(f"/api/games/{made['game']}").json()["picture"]["groups"][:1]
    assert (group["name"], group["paint"]) == ("Old Maren", "wine")
    assert group["stats"][0] == {"label": "Says", "value": "“Not yet.”", "because": []}
    waits = led.post(client, "/dress", {"who": "Old Maren", "cloak": ""})
    assert (waits.status_code, waits.json()["code"]) == (409, "battle-goes-on")


def test_two_people_play_one_season_together(database: str) -> None:
    """Each person has an own secret of the shared seat. Both play the same side, neither takes the seat from the other,
    and both find the game.
    """
    with served(database) as client:
        led = begin_campaign(client, army="old-guard", rules={"mode": "coop"})
        for who, player in (("Hedda", "Ann"), ("Runa", "Bo"), ("Marit", "Bo"), ("Runa", "")):
            assert led.post(client, "/dress", {"who": who, "player": player}).status_code == 200
        assert [one["player"] for one in look_at_campaign(client, led)["overview"]["roster"]] == ["Ann", "", "Bo", ""]
        wrong = led.post(client, "/dress", {"who": "Runa", "player": "x" * 25})
        assert (wrong.status_code, "1 to 24 characters" in wrong.json()["message"]) == (400, True)
        refused = led.post(client, "/seat", {})
        assert (refused.status_code, refused.json()["code"]) == (409, "no-battle")
        assert look_at_campaign(client, led)["overview"]["next"]["players"] == 1
        made = led.post(client, "/battle", {}).json()
        game, mine = made["game"], made["seats"][0]["token"]
        groups = client.get(f"/api/games/{game}").json()["picture"]["groups"][:4]
        played = {one["name"]: [s["value"] for s in one["stats"] if s["label"] == "Played by"] for one in groups}
        assert played == {"Hedda": ["Ann"], "Runa": [], "Marit": ["Bo"], "Solvei": []}
        friend = led.post(client, "/seat", {})
        assert friend.status_code == 201, friend.text
        hers = friend.json()["token"]
        assert friend.json() == {"side": 0, "player": "person", "token": hers}
        assert hers != mine
        with (
            client.websocket_connect(f"ws://127.0.0.1:8420/ws/{game}") as a,
            client.websocket_connect(f"ws://127.0.0.1:8420/ws/{game}") as b,
        ):
            one, two = Talk(a, tokens=[mine], screen="mine"), Talk(b, tokens=[hers], screen="hers")
            assert [talk.hear("view")["you"] for talk in (one, two)] == [0, 0]
            for talk in (one, two, one):
                asked = client.get(f"/api/games/{game}", headers=bearer(mine)).json()["decisions"][0]
                talk.tell({"type": "answer", "decision": asked["id"], "action": asked["offers"][0]["action"]})
                assert talk.hear("change", "moved", "refusal")["type"] == "change"
            assert two.hear("change", "moved")["type"] == "change"
            # A page with the same secret takes the seat from the page that had it, and not from the other person's
            # page.
            with client.websocket_connect(f"ws://127.0.0.1:8420/ws/{game}") as c:
                again = Talk(c, tokens=[mine], screen="elsewhere")
                assert again.hear("moved")["here"] is True
                assert one.hear("moved") == {"type": "moved", "sides": [0], "here": False, "for_good": False}
                asked = client.get(f"/api/games/{game}", headers=bearer(hers)).json()["decisions"][0]
                two.tell({"type": "answer", "decision": asked["id"], "action": asked["offers"][0]["action"]})
                assert two.hear("done", "refusal", "moved")["type"] == "done"
        placed = client.get(f"/api/games/{game}", headers=bearer(hers)).json()["act"]
        assert placed == 4
    with served(database) as client:  # after a restart, both secrets open the game
        for token in (mine, hers):
            view = client.get(f"/api/games/{game}", headers=bearer(token)).json()
            assert (view["you"], view["act"], len(view["decisions"])) == (0, placed, 1)
            assert [one["game"] for one in client.get("/api/games", headers=bearer(token)).json()["games"]] == [game]
        for _ in range(6):
            assert led.post(client, "/seat", {}).status_code == 201
        assert led.post(client, "/seat", {}).json()["message"] == "8 have this seat already"
        assert led.post(client, "/give-up", {}).json()["playing"]["over"]
        counted = led.post(client, "/count", {"store": True}).json()
        assert counted["overview"]["battles"][0]["given_up"]


def test_a_battle_of_a_campaign_is_played_against_a_friend_and_watched(client: TestClient) -> None:
    led = begin_campaign(client, rules={"mode": "versus", "nemesis": "on"})
    assert look_at_campaign(client, led)["overview"]["next"]["players"] == 2
    made = led.post(client, "/battle", {"friend": True}).json()
    game, tokens = made["game"], [seat["token"] for seat in made["seats"]]
    assert [seat["player"] for seat in made["seats"]] == ["person", "person"]
    watched = client.get(f"/api/games/{game}").json()
    assert [seat["awaited"] for seat in watched["seats"]] == [False, True]
    tokens[1] = client.post(f"/api/games/{game}/claim", json={}, headers=bearer(tokens[1])).json()["token"]
    sides: set[int] = set()
    while len(sides) < 2:
        views = [client.get(f"/api/games/{game}", headers=bearer(token)).json() for token in tokens]
        side = views[0]["waiting_for"][0]
        sides.add(side)
        asked = views[side]["decisions"][0]
        message = {"decision": asked["id"], "action": asked["offers"][0]["action"]}
        words = client.post(f"/api/games/{game}/messages", json=message, headers=bearer(tokens[side]))
        assert words.status_code == 200, words.text
        seen = client.get(f"/api/games/{game}").json()
        assert (seen["you"], seen["decisions"]) == (None, []), "an onlooker answers nothing"
    client.post(f"/api/games/{game}/messages", json={"type": "resign"}, headers=bearer(tokens[1]))
    counted = led.post(client, "/count", {"store": True}).json()
    assert (counted["battle"]["result"], counted["battle"]["given_up"]) == ("won", False)
    # Nobody can be invited if the rules play the enemy.
    alone = begin_campaign(client).post(client, "/battle", {"friend": True})
    assert (alone.status_code, "nobody can be invited" in alone.json()["message"]) == (400, True)


def test_one_battle_at_a_time_and_it_is_counted_when_it_is_over(client: TestClient) -> None:
    led = begin_campaign(client)
    made = led.post(client, "/battle", {}).json()
    assert made["seats"][0]["token"]
    assert look_at_campaign(client, led)["playing"] == {"game": made["game"], "over": False}
    for path in ("battle", "count"):
        answer = led.post(client, f"/{path}", {})
        assert (answer.status_code, answer.json()["code"]) == (409, "battle-goes-on")


def test_a_battle_that_the_server_cannot_go_on_with_is_made_anew(database: str) -> None:
    with served(database) as client:
        led = begin_campaign(client)
    storage = Storage(database)
    storage.append(f"c:{led.id}", [StoredRow(3, "battle", b'{"game": "lost"}')])
    storage.close()
    with served(database) as client:
        assert look_at_campaign(client, led)["playing"] is None
        assert led.post(client, "/count", {}).json()["code"] == "no-battle"
        made = led.post(client, "/battle", {}).json()
        assert look_at_campaign(client, led)["playing"] == {"game": made["game"], "over": False}


def test_two_who_count_at_once_do_not_both_count(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    led = begin_campaign(client)
    play_and_give_up(client, led)
    store = ServerCampaigns._store

    async def late(self: ServerCampaigns, *event: Any) -> None:
        monkeypatch.setattr(ServerCampaigns, "_store", store)
        await store(self, event[0], event[1], event[2], DrawnSecrets())
        await store(self, *event)

    monkeypatch.setattr(ServerCampaigns, "_store", late)
    answer = led.post(client, "/count", {"store": True})
    assert (answer.status_code, answer.json()["code"]) == (409, "goes-on")
    assert len(look_at_campaign(client, led)["overview"]["battles"]) == 1


def test_a_campaign_is_saved_and_taken_in_again(client: TestClient) -> None:
    led = begin_campaign(client)
    play_and_give_up(client, led)
    led.post(client, "/count", {"store": True})
    file = led.get(client, "/file")
    assert f"{led.id}.caltrop-campaign.json" in file.headers["content-disposition"]
    made = client.post("/api/campaigns/file", json=file.json()).json()
    other = Led(made["campaign"], made["token"])
    assert other.id != led.id
    assert other.token != led.token
    assert look_at_campaign(client, other)["overview"] == look_at_campaign(client, led)["overview"]
    assert other.get(client, "/file").content == file.content


@pytest.mark.parametrize(
    ("path", "expected", "status", "words"),
    [
        ("", {"ruleset": "hex-command", "title": "X"}, 400, "'hex-command' has no campaigns"),
        ("", {"ruleset": "blade-skirmish", "title": " "}, 400, "a campaign has a title"),
        ("", {"ruleset": "blade-skirmish", "title": "X", "army": "/etc/x.yaml"}, 400, "no army"),
        ("", {"ruleset": "blade-skirmish", "title": "X", "rules": {"nemesis": "maybe"}}, 400, "nemesis"),
        ("/file", {"format": "caltrop-game"}, 400, 'this is not a campaign: its format would be "caltrop-campaign"'),
        ("/file", {"format": "caltrop-campaign", "ruleset": "blade-skirmish"}, 400, "this key is missing"),
        ("/nothing/battle", {}, 404, "There is no such campaign here"),
    ],
)
def test_what_cannot_be_done_is_told(
    client: TestClient, path: str, expected: dict[str, Any], status: int, words: str
) -> None:
    answer = client.post(f"/api/campaigns{path}", json=expected)
    assert answer.status_code == status
    assert words in answer.json()["message"]


def test_who_cannot_be_fielded_is_told(client: TestClient) -> None:
    led = begin_campaign(client)
    answer = led.post(client, "/battle", {"fielded": ["Marem"]})
    assert answer.status_code == 400
    assert "did you mean 'Maren'" in answer.json()["message"]
    assert look_at_campaign(client, led)["playing"] is None


# Ownership of campaigns.


def secrets_of(client: TestClient, game: str) -> str:
    """Return all secrets that an onlooker learns about a game."""
    routes = ("", "/record", "/report", "/moments")
    return "".join(client.get(f"/api/games/{game}{route}").text for route in routes)


def campaign_routes(client: TestClient) -> list[tuple[str, str]]:
    """Return every route of one campaign, from the application's own list."""
    result = [
        (method, route.path)
        for route in client.app.app.routes  # type: ignore[attr-defined]
        if route.path.startswith("/api/campaigns/{")
        for method in sorted(route.methods)
    ]
    assert len(result) >= 6
    return result


WANTED: dict[str, Any] = {"count": {"store": True}, "dress": {"who": "Maren", "name": "Mine"}}
"""Bodies of routes that need more than an empty object."""


def attack(client: TestClient, id: str, *tokens: str) -> None:
    """Assert that a stranger with a campaign's name and these secrets is refused at every route."""
    for method, path in campaign_routes(client):
        sent = None if method == "GET" else WANTED.get(path.rpartition("/")[2], {})
        answer = client.request(method, path.replace("{id}", id), json=sent, headers=bearer(*tokens))
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong-token"), (method, path, answer.text)


def test_an_onlooker_of_a_battle_cannot_take_the_campaign_over(client: TestClient) -> None:
    led = begin_campaign(client)
    other = begin_campaign(client)
    made = led.post(client, "/battle", {}).json()
    seat: str = made["seats"][0]["token"]
    seen = secrets_of(client, made["game"])
    assert led.id in seen, "the name of its campaign stands in a battle's record"
    assert led.token not in seen
    before = look_at_campaign(client, led)
    for tokens in ((), (led.id,), (other.token,), (seat,), ("",)):
        attack(client, led.id, *tokens)
    assert look_at_campaign(client, led) == before
    up = led.post(client, "/give-up", {})
    assert up.json()["playing"] == {"game": made["game"], "over": True}
    attack(client, led.id)
    assert led.token not in secrets_of(client, made["game"])
    led.post(client, "/count", {"store": True})
    attack(client, led.id, seat)
    assert led.token not in led.get(client).text + led.get(client, "/file").text


def test_the_secret_of_a_campaign_lists_no_game_and_opens_none(client: TestClient) -> None:
    led = begin_campaign(client)
    made = led.post(client, "/battle", {}).json()
    seat = made["seats"][0]["token"]
    games = client.get("/api/games", headers=bearer(led.token, seat)).json()["games"]
    assert [entry["game"] for entry in games] == [made["game"]]
    assert client.get(f"/api/games/{made['game']}", headers=bearer(led.token)).json()["you"] is None


def store_old_campaign(database: str) -> tuple[str, str, str]:
    """Store a campaign in the form of a server without secrets of campaigns, with one battle.

    Returns:
        The name of the campaign, the game of its battle, and the secret of the seat in that game.
    """
    with served(database) as client:
        led = begin_campaign(client)
        text = led.get(client, "/file").content
        made = led.post(client, "/battle", {}).json()
    storage = Storage(database)
    battle = json.dumps({"game": made["game"]}).encode()
    storage.append("c:older", [StoredRow(1, "campaign", text), StoredRow(2, "battle", battle)])
    storage.close()
    return "older", made["game"], made["seats"][0]["token"]


def test_an_older_campaign_is_handed_over_to_those_who_have_fought_its_battles(database: str) -> None:
    id, game, seat = store_old_campaign(database)
    with served(database) as client:
        stranger = begin_campaign(client)
        theirs = stranger.post(client, "/battle", {}).json()["seats"][0]["token"]
        for tokens in ((), (id,), (theirs,), (stranger.token,)):
            attack(client, id, *tokens)
        first = client.post(f"/api/campaigns/{id}/claim", headers=bearer(theirs, seat), json={})
        assert first.status_code == 201
        # The same person may have opened the battle's link in a second browser.
        second = client.post(f"/api/campaigns/{id}/claim", headers=bearer(seat), json={})
        leading = [Led(made["campaign"], made["token"]) for made in (first.json(), second.json())]
        for led in leading:
            assert look_at_campaign(client, led)["playing"] == {"game": game, "over": False}
        attack(client, id, theirs)
        # Later battles do not prove who leads the campaign, because their links may be given to a friend.
        led = leading[0]
        led.post(client, "/give-up", {})
        led.post(client, "/count", {"store": True})
        later = led.post(client, "/battle", {}).json()["seats"][0]["token"]
        attack(client, id, later)


def test_an_older_campaign_without_a_battle_is_handed_over_once_unless_its_name_is_known(database: str) -> None:
    with served(database) as client:
        led = begin_campaign(client)
        text = led.get(client, "/file").content
    storage = Storage(database)
    storage.append("c:quiet", [StoredRow(1, "campaign", text)])
    storage.append("c:loud", [StoredRow(1, "campaign", text.replace(led.id.encode(), b"loud"))])
    storage.close()
    with served(database) as client:
        made = client.post("/api/campaigns/quiet/claim", json={})
        assert made.status_code == 201
        assert look_at_campaign(client, Led("quiet", made.json()["token"]))["playing"] is None
        attack(client, "quiet")
        # A copy of the other campaign has played, so a game shows its name to others.
        text = text.replace(led.id.encode(), b"loud")
        copy = client.post("/api/campaigns/file", content=text, headers={"Content-Type": "application/json"}).json()
        played = Led(copy["campaign"], copy["token"])
        assert played.post(client, "/battle", {}).status_code == 201
        attack(client, "loud")
