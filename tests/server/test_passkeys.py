"""Invalid passkeys are refused by the server. The tests of the page use a valid passkey."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from caltrop.host.together import passkeys
from caltrop.host.together.passkeys import SECONDS
from tests.server.tables import TestClient
from tests.server.test_notices import KEY, OTHER, Somebody


def invalid_credential(challenge: str, **more: Any) -> dict[str, Any]:
    """Return an invalid credential that answers a challenge."""
    data = json.dumps({"type": "webauthn.create", "challenge": challenge, "origin": "http://127.0.0.1:8420"})
    coded = base64.urlsafe_b64encode(data.encode()).rstrip(b"=").decode()
    response = {"clientDataJSON": coded, "attestationObject": "AA", "authenticatorData": "AA", "signature": "AA"}
    return {"credential": {"id": "AA", "rawId": "AA", "type": "public-key", "response": response, **more}}


def test_options_name_this_server_and_a_challenge_of_their_own(client: TestClient) -> None:
    anna = Somebody(client)
    options = [anna.post("/api/me/passkey/begin") for _ in range(2)]
    assert [one["rp"]["id"] for one in options] == ["127.0.0.1"] * 2
    assert options[0]["challenge"] != options[1]["challenge"]
    assert anna.me["passkeys"] == 0
    assert client.post("/api/me/passkey/begin", json={}).status_code == 401


def test_what_is_no_passkey_is_not_kept_and_signs_nobody_in(client: TestClient) -> None:
    anna = Somebody(client)
    challenge = anna.post("/api/me/passkey/begin")["challenge"]
    assert anna.post("/api/me/passkey", invalid_credential("other"), status=403)["code"] == "wrong-token"
    assert "not for this server" in anna.post("/api/me/passkey", invalid_credential(challenge), status=403)["message"]
    again = anna.post("/api/me/passkey", invalid_credential(challenge), status=403)
    assert "did not ask for this passkey" in again["message"], "a challenge is answered once"
    challenge = client.post("/api/passkey/begin", json={}).json()["challenge"]
    head = {"Authorization": f"Bearer {OTHER}"}
    answer = client.post("/api/passkey", json=invalid_credential(challenge), headers=head)
    assert (answer.status_code, answer.json()["message"]) == (403, "Nobody here has this passkey")
    assert client.get("/api/me", headers=head).status_code == 401


def test_a_challenge_has_its_time(client: TestClient) -> None:
    anna, now = Somebody(client), 0.0
    client.app.app.state.together.passkeys.clock = lambda: now  # type: ignore[attr-defined]
    challenge = anna.post("/api/me/passkey/begin")["challenge"]
    now = SECONDS
    assert (
        "did not ask for this passkey"
        in anna.post("/api/me/passkey", invalid_credential(challenge), status=403)["message"]
    )


def test_passkeys_are_tried_so_often(client: TestClient) -> None:
    for number in range(21):
        answer = client.post("/api/passkey", json=invalid_credential("x"), headers={"Authorization": f"Bearer {KEY}"})
        assert answer.status_code == (403 if number < 20 else 429)


def test_a_server_without_the_library_has_none(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passkeys, "find_spec", lambda name: None)
    anna = Somebody(client)
    assert anna.me["passkeys"] is None
    assert anna.post("/api/me/passkey/begin", status=404)["code"] == "not-found"
    assert client.post("/api/passkey/begin", json={}).status_code == 404
