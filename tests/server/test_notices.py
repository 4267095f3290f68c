"""Notices of turns: at most one for each turn, and never while the page is open."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import re
import ssl
from collections.abc import Iterator
from email import message_from_bytes, policy
from typing import Any

import pytest

from caltrop.host.together import carriers
from caltrop.host.together.carriers import Carriers, Notice, Outside
from caltrop.host.together.notices import Notices
from caltrop.host.together.outward import NotPosted
from caltrop.host.together.persons import Mail
from tests.server.conftest import UNHURRIED
from tests.server.elsewhere import Receiver, Subscriber, mailing, receiving, wait_until
from tests.server.tables import Table, Talk, TestClient, served
from tests.server.test_people import claim, invited

KEY = "me-a-key-that-a-browser-has-drawn"
OTHER = "me-another-key-of-another-browser"


class Somebody:
    """A person with a browser."""

    def __init__(self, client: TestClient, key: str = KEY, name: str = "Anna") -> None:
        self.client, self.key = client, key
        self.me = self.post("/api/me", {"name": name, "browser": "the red one"})

    def post(self, path: str, body: Any = None, *tokens: str, status: int = 200, **headers: str) -> Any:
        """Send a request with this person's key; return the answer."""
        bearer = {"Authorization": f"Bearer {','.join((self.key, *tokens))}", **headers}
        answer = self.client.post(path, json={} if body is None else body, headers=bearer)
        assert answer.status_code == status, answer.text
        return answer.json()

    def get(self, path: str, status: int = 200) -> Any:
        """Send a question with this person's key; return the answer."""
        answer = self.client.get(path, headers={"Authorization": f"Bearer {self.key}"})
        assert answer.status_code == status, answer.text
        return answer.json()


def without_delays(client: TestClient, *retries: float) -> Notices:
    """Let a server send its notices without delay, and return them."""
    notices: Notices = client.app.app.state.together.notices  # type: ignore[attr-defined]
    notices.moment, notices.lingering, notices.retries = 0.0, 0.0, retries or (0.0,)
    return notices


def wait_for_notices(client: TestClient) -> None:
    """Wait until all notices have been sent."""
    notices: Notices = client.app.app.state.together.notices  # type: ignore[attr-defined]
    wait_until(lambda: not notices._tasks)


@pytest.fixture
def mail() -> Iterator[tuple[str, list[Any]]]:
    with mailing() as result:
        yield result


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as result:
        yield result


@pytest.fixture
def here(database: str, mail: tuple[str, list[Any]]) -> Iterator[TestClient]:
    """Yield a client of a server that may send notices to addresses on this machine."""
    outside = Outside(mail=mail[0], sender="caltrop@example.org", private=True)
    with served(database, limits=UNHURRIED, outside=outside) as client:
        without_delays(client)
        yield client


def take_side(client: TestClient, side: int = 1) -> tuple[Somebody, Table]:
    """Give Anna a side in a game between two people."""
    anna, table = Somebody(client), Table(client)
    anna.post(f"/api/games/{table.id}/mine?side={side}", None, table.tokens[side], status=201)
    return anna, table


def test_a_webhook_is_told_of_a_turn_signed_and_once(here: TestClient, receiver: Receiver) -> None:
    anna, table = take_side(here)
    hook = anna.post("/api/me/hook", {"url": receiver.url})["hook"]
    assert json.loads(receiver.posted[0].body)["kind"] == "hello"
    table.answer(0, {"type": "Stake", "points": 2})
    posted = wait_until(lambda: receiver.posted[1:])[0]
    body = json.loads(posted.body)
    assert (body["kind"], body["game"], body["side"], body["person"]) == ("turn", table.id, 1, "Anna")
    assert body["url"] == f"http://127.0.0.1:8420/{table.id}"
    match = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", posted.headers["Caltrop-Signature"])
    assert match is not None
    signed = hmac.new(hook["secret"].encode(), f"{match[1]}.".encode() + posted.body, hashlib.sha256).hexdigest()
    assert match[2] == signed
    table.say(0, {"type": "talk", "text": "Are you there?"})
    wait_for_notices(here)
    assert len(receiver.posted) == 2, "at most one a turn"
    assert not any(secret in posted.body.decode() for secret in (*table.tokens, KEY, hook["secret"]))


def test_each_turn_is_told_anew(here: TestClient, receiver: Receiver) -> None:
    anna, table = take_side(here, 0)
    anna.post("/api/me/hook", {"url": receiver.url})
    table.begin()
    wait_until(lambda: len(receiver.posted) == 2)
    table.answer(0, {"type": "Stay"})
    while 0 not in table.view(0)["waiting_for"]:
        table.answer(1, {"type": "Stay"} if table.view(1)["decisions"][0]["kind"] == "Move" else {"type": "Pass"})
    wait_until(lambda: len(receiver.posted) == 3)


def test_nobody_is_told_while_the_page_is_open(here: TestClient, receiver: Receiver) -> None:
    anna, table = take_side(here)
    anna.post("/api/me/hook", {"url": receiver.url})
    with table.live() as session:
        talk = Talk(session, tokens=[KEY])
        assert talk.hear("view")["you"] == 1, "the key of a browser opens the seats of its person"
        table.answer(0, {"type": "Stake", "points": 2})
        talk.hear("change")
        wait_for_notices(here)
    assert len(receiver.posted) == 1
    table.say(0, {"type": "talk", "text": "Are you there?"})
    wait_until(lambda: len(receiver.posted) == 2)


def test_a_page_that_falls_asleep_as_a_turn_begins_does_not_keep_its_player_from_being_told(
    here: TestClient, receiver: Receiver
) -> None:
    notices = without_delays(here)
    notices.lingering = 0.5
    anna, table = take_side(here)
    anna.post("/api/me/hook", {"url": receiver.url})
    with table.live() as session:
        talk = Talk(session, tokens=[KEY])
        talk.hear("view")
        table.answer(0, {"type": "Stake", "points": 2})
        talk.hear("change")
        assert len(receiver.posted) == 1
    wait_until(lambda: len(receiver.posted) == 2)
    wait_for_notices(here)
    assert len(receiver.posted) == 2, "once"


def test_what_is_not_taken_is_posted_again_and_then_no_more(here: TestClient, receiver: Receiver) -> None:
    without_delays(here, 0.0, 0.0)
    anna, table = take_side(here)
    anna.post("/api/me/hook", {"url": receiver.url})
    receiver.answers = [503, 500, 200]
    table.answer(0, {"type": "Stake", "points": 2})
    wait_until(lambda: len(receiver.posted) == 4)
    wait_for_notices(here)
    assert len(receiver.posted) == 4, "the third was taken"
    assert len({json.loads(one.body)["side"] for one in receiver.posted[1:]}) == 1
    receiver.answers = [503] * 9
    table.say(0, {"type": "undo"})
    wait_for_notices(here)


def test_it_is_given_up_after_so_many_tries(here: TestClient, receiver: Receiver) -> None:
    without_delays(here, 0.0, 0.0)
    anna, table = take_side(here)
    anna.post("/api/me/hook", {"url": receiver.url})
    receiver.answers = [503] * 20
    table.answer(0, {"type": "Stake", "points": 2})
    wait_until(lambda: len(receiver.posted) == 4)
    wait_for_notices(here)
    assert len(receiver.posted) == 4


def test_what_was_not_brought_is_brought_after_a_restart(database: str, receiver: Receiver) -> None:
    outside = Outside(private=True)
    with served(database, limits=UNHURRIED, outside=outside) as client:
        without_delays(client, 1000.0)
        anna, table = take_side(client)
        anna.post("/api/me/hook", {"url": receiver.url})
        receiver.answers = [503]
        table.answer(0, {"type": "Stake", "points": 2})
        wait_until(lambda: len(receiver.posted) == 2)
    again = Outside(private=True, retries=(0.0,))
    with served(database, limits=UNHURRIED, outside=again):
        wait_until(lambda: len(receiver.posted) == 3)


def test_web_push_is_sealed_for_the_browser_and_signed(here: TestClient, receiver: Receiver) -> None:
    anna, table = take_side(here)
    browser = Subscriber()
    me = anna.post("/api/me/push", browser.subscription(receiver.url))
    assert me["pushes"] == [receiver.url]
    table.answer(0, {"type": "Stake", "points": 2})
    posted = wait_until(lambda: receiver.posted)[0]
    words = json.loads(browser.opened(posted.body))
    assert (words["path"], words["tag"]) == (table.id, f"turn-{table.id}")
    assert "your turn" in words["title"]
    headers = {name.lower(): value for name, value in posted.headers.items()}
    assert (headers["content-encoding"], int(headers["ttl"]) > 0) == ("aes128gcm", True)
    match = re.fullmatch(r"vapid t=([^.]+)\.([^.]+)\.([^,]+), ?k=(.+)", headers["authorization"])
    assert match is not None
    claims = json.loads(base64.urlsafe_b64decode(match[2] + "=="))
    assert claims["aud"] == f"http://127.0.0.1:{receiver.port}"
    assert match[4] == me["vapid"]


def test_a_browser_that_receives_nothing_more_is_forgotten(here: TestClient, receiver: Receiver) -> None:
    anna, table = take_side(here)
    anna.post("/api/me/push", Subscriber().subscription(receiver.url))
    receiver.answers = [410]
    table.answer(0, {"type": "Stake", "points": 2})
    wait_until(lambda: receiver.posted)
    wait_for_notices(here)
    assert anna.get("/api/me")["pushes"] == []
    anna.post("/api/me/push", Subscriber().subscription(receiver.url))
    assert anna.post("/api/me/push/drop", {"endpoint": receiver.url})["pushes"] == []


def test_mail_is_sent_to_an_address_that_was_confirmed_and_to_no_other(
    here: TestClient, mail: tuple[str, list[Any]]
) -> None:
    letters = mail[1]
    anna, table = take_side(here)
    assert anna.post("/api/me/mail", {"address": "anna@example.org"})["mail"]["confirmed"] is False
    code = re.search(rb"\b(\d{8})\b", letters[0].content)
    assert code is not None
    table.answer(0, {"type": "Stake", "points": 2})
    wait_for_notices(here)
    assert len(letters) == 1, "the address is not confirmed yet"
    wrong = anna.post("/api/me/mail/confirm", {"code": "x"}, status=403)
    assert wrong["code"] == "wrong-token"
    assert anna.post("/api/me/mail/confirm", {"code": code[1].decode()})["mail"]["confirmed"] is True
    table.say(0, {"type": "talk", "text": "Are you there?"})
    letter = wait_until(lambda: letters[1:])[0]
    assert letter.rcpt_tos == ["anna@example.org"]
    words = message_from_bytes(letter.content, policy=policy.default).get_content()
    assert f"http://127.0.0.1:8420/{table.id}" in words
    stop = re.search(r"#stop=(\S+)", words)
    assert stop is not None
    answer = here.post("/api/stop-mail", json={"stop": stop[1][:-1] + "~"})
    assert answer.status_code == 404
    assert here.post("/api/stop-mail", json={"stop": stop[1]}).status_code == 200
    assert anna.get("/api/me")["mail"] is None


def test_an_address_is_given_anew_after_wrong_codes(here: TestClient) -> None:
    anna = Somebody(here)
    anna.post("/api/me/mail", {"address": "anna@example.org"})
    for _ in range(5):
        anna.post("/api/me/mail/confirm", {"code": "00"}, status=403)
    assert anna.get("/api/me")["mail"] is None


@pytest.mark.parametrize(
    "address",
    ["anna", "anna@", "a@b\r\nBcc: c@d.org", "a b@c.org", "a@c..org", "<a@c.org>", "a@c.org,b@c.org", "a@" + "c" * 260],
)
def test_what_is_no_address_for_mail_is_refused(here: TestClient, address: str) -> None:
    assert Somebody(here).post("/api/me/mail", {"address": address}, status=400)["code"] == "wrong-value"


def test_ways_are_chosen_for_each_game(here: TestClient, receiver: Receiver) -> None:
    anna, table = take_side(here)
    anna.post("/api/me/hook", {"url": receiver.url})
    path = f"/api/games/{table.id}/ways"
    assert anna.get(path) == {"ways": None, "may": ["hook"]}
    assert anna.post(path, {"ways": []})["ways"] == []
    table.answer(0, {"type": "Stake", "points": 2})
    wait_for_notices(here)
    assert len(receiver.posted) == 1
    anna.post(path, {"ways": None})
    table.say(0, {"type": "talk", "text": "Are you there?"})
    wait_until(lambda: len(receiver.posted) == 2)
    stranger = Somebody(here, OTHER, "Bela")
    assert stranger.get(path, status=403)["code"] == "not-your-seat"


def test_a_server_without_mail_says_so(client: TestClient) -> None:
    refusal = Somebody(client).post("/api/me/mail", {"address": "a@b.org"}, status=404)
    assert "its host can set them up" in refusal["message"]


def test_ways_are_set_so_often_in_an_hour(here: TestClient, receiver: Receiver) -> None:
    anna = Somebody(here)
    for _ in range(20):
        anna.post("/api/me/hook", {"url": receiver.url})
    assert anna.post("/api/me/hook", {"url": receiver.url}, status=429)["code"] == "too-fast"
    assert anna.post("/api/me/hook", {"url": ""})["hook"] is None, "ending it is always possible"


def test_other_notices_are_brought_once(here: TestClient, receiver: Receiver) -> None:
    anna = Somebody(here)
    anna.post("/api/me/hook", {"url": receiver.url})
    notices = without_delays(here)
    assert here.portal is not None
    here.portal.call(notices.tell, anna.me["person"], Notice(kind="rematch", title="T", words="W", game="g"))
    assert json.loads(wait_until(lambda: receiver.posted[1:])[0].body)["kind"] == "rematch"


def test_who_is_to_lose_a_seat_or_may_choose_is_told_once(here: TestClient, receiver: Receiver) -> None:
    table = invited(here)
    host = {"Authorization": f"Bearer {table.tokens[0]}"}
    table.tokens[1] = claim(table)["token"]
    anna = Somebody(here)
    anna.post(f"/api/games/{table.id}/mine", None, table.tokens[1], status=201)
    anna.post("/api/me/hook", {"url": receiver.url})
    for _ in range(2):
        here.post(f"/api/games/{table.id}/renew?side=1", json={}, headers=host)
    wait_for_notices(here)
    words = [json.loads(one.body) for one in receiver.posted]
    assert [one["words"] for one in words if one["kind"] == "late"] == [
        "Somebody else will get your seat unless you come back within minutes."
    ]


def test_who_may_choose_because_time_is_up_is_told(here: TestClient, receiver: Receiver) -> None:
    anna = Somebody(here)
    table = Table(here, clock={"per": "turn", "seconds": 3600, "then": "choose"})
    anna.post(f"/api/games/{table.id}/mine?side=1", None, table.tokens[1], status=201)
    anna.post("/api/me/hook", {"url": receiver.url})
    games = here.app.app.state.games  # type: ignore[attr-defined]
    live = games.live[table.id]
    live.game.clock.left[0] = 0
    assert here.portal is not None
    here.portal.call(games.change, live, lambda game: game.time_up())
    late = wait_until(lambda: [one for one in receiver.posted if b"choose who replaces it" in one.body])
    assert json.loads(late[0].body)["side"] == 1


def test_who_is_asked_for_a_rematch_is_told_while_away(here: TestClient, receiver: Receiver) -> None:
    anna, table = take_side(here)
    anna.post("/api/me/hook", {"url": receiver.url})
    table.say(0, {"type": "resign"})
    head = table.bearer(0)
    for _ in range(2):
        assert here.post(f"/api/games/{table.id}/rematch", json={}, headers=head).status_code == 201
    words = wait_until(lambda: [one for one in receiver.posted if b"rematch" in one.body])
    wait_for_notices(here)
    assert len([one for one in receiver.posted if b"rematch" in one.body]) == len(words) == 1


@pytest.mark.parametrize("why", ["a restart", "kept apart"])
def test_a_rematch_is_asked_for_once_and_by_nobody_who_is_kept_apart(
    database: str, receiver: Receiver, why: str
) -> None:
    def asked() -> int:
        return len([one for one in receiver.posted if b"rematch" in one.body])

    with served(database, limits=UNHURRIED, outside=Outside(private=True)) as client:
        without_delays(client)
        anna, table = take_side(client)
        bela = Somebody(client, OTHER, "Bela")
        bela.post(f"/api/games/{table.id}/mine?side=0", None, table.tokens[0], status=201)
        anna.post("/api/me/hook", {"url": receiver.url})
        if why == "kept apart":
            anna.post(f"/api/people/{bela.me['person']}/apart", {"blocked": True})
        table.say(0, {"type": "resign"})
        assert client.post(f"/api/games/{table.id}/rematch", json={}, headers=table.bearer(0)).status_code == 201
        wait_for_notices(client)
        assert asked() == (why == "a restart")
    with served(database, limits=UNHURRIED, outside=Outside(private=True)) as client:
        without_delays(client)
        table.client = client
        table.view(0)
        wait_for_notices(client)
        assert asked() == (why == "a restart")


def test_vapid_keys_outlive_a_restart(database: str) -> None:
    keys = []
    for _ in range(2):
        with served(database, limits=UNHURRIED) as client:
            keys.append(Somebody(client).me["vapid"])
    assert len(set(keys)) == 1
    assert len(base64.urlsafe_b64decode(keys[0] + "==")) == 65


def test_a_server_without_libraries_offers_no_web_push(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carriers, "find_spec", lambda name: None)
    anna = Somebody(client)
    assert (anna.me["vapid"], anna.me["ways"]) == ("", ["hook"])
    assert anna.post("/api/me/push", Subscriber().subscription("https://push.example/a"), status=404)["code"]


def test_a_server_of_mail_shows_its_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    contexts: list[ssl.SSLContext] = []

    def refused(host: str, port: int, *, timeout: float, context: ssl.SSLContext) -> None:
        contexts.append(context)
        raise OSError("nobody is there")

    monkeypatch.setattr("smtplib.SMTP_SSL", refused)
    carriers = Carriers(Outside(mail="smtps://me:secret@mail.example", sender="caltrop@example.org"), lambda: "")
    mail = Mail(address="anna@example.org", origin="https://games.example", code="12345678", stop="")
    with pytest.raises(NotPosted, match="does not accept it"):
        asyncio.run(carriers.to_confirm(mail))
    (context,) = contexts
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
