"""A bot that needs only Python. It takes an open seat of a game, or offers one, and answers at random.

Usage: python bot.py http://127.0.0.1:8420 duel
"""

from __future__ import annotations

import json
import random
import secrets
import sys
import urllib.request
from typing import Any

SERVER, GAME = sys.argv[1], sys.argv[2]
KEY = f"me-{secrets.token_hex(24)}"  # to return as the same bot, store this key in a file


def ask(path: str, body: Any = None) -> Any:
    """Return the server's response to a request."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        return urllib.request.urlopen(urllib.request.Request(SERVER + path, data, headers))
    except urllib.error.HTTPError as error:
        return error  # a refusal is JSON, too


def play(game: str) -> None:
    """Answer the questions of a game at random, as long as there are any."""
    while True:
        decisions = json.load(ask(f"/api/games/{game}"))["decisions"]
        if not decisions:
            return
        offers = decisions[0]["offers"]
        words = {"type": "answer", "decision": decisions[0]["id"], "action": random.choice(offers)["action"]}
        answer = json.load(ask(f"/api/games/{game}/messages", words))
        if answer["type"] == "refusal":
            print("refused:", answer["message"])
            return


ask("/api/me", {"name": "Chance in Python"})
ask("/api/me/bot", {})
seats = json.load(ask("/api/openings"))["openings"]
mine = next((seat for seat in seats if seat["ruleset"] == GAME and not seat["own"]), None)
if mine is not None:
    ask(f"/api/openings/{mine['game']}/take", {})
else:
    ask("/api/openings", {"new": {"ruleset": GAME, "seats": ["person", "person"], "invited": [0]}})
for line in ask("/api/me/events"):
    event = json.loads(line)
    if event["type"] == "turn":
        play(event["game"])
    elif event["type"] == "over":
        print("over:", json.load(ask(f"/api/games/{event['game']}"))["over"]["reason"])
        break
