"""Drawn requests of the referee's page: forms of attacks, and attacks with dice until they are settled."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

from caltrop.engine import ruleset
from caltrop.wire.attacks import answered
from caltrop.wire.messages import NewGame
from caltrop.wire.refereeing import table_of
from tests.rules.forms import changed_request

Asked = tuple[str, str]
"""The address of a request and its body."""


def drawn(game: str, seed: int, count: int) -> list[Asked]:
    """Return the requests for some random attacks of a game. Every attack asks for its form first."""
    chosen = random.Random(f"{game} {seed}")
    return [one for _ in range(count) for one in _attack(game, chosen)]


def _attack(game: str, chosen: random.Random) -> Iterator[Asked]:
    referee = ruleset(game).referee
    assert referee is not None
    assert referee.form is not None
    request = dict(referee.form({"ruleset": game}).start)
    for _ in range(chosen.randrange(4)):
        choices = referee.form(request).choices
        field = chosen.choice(sorted(choices))
        if choices[field]:
            value = chosen.choice(choices[field]).value
            request = changed_request(request, **{field.replace(".", "__"): value})
    yield "api/odds/form", json.dumps(request)
    letters = [face[0].upper() for face in table_of(NewGame(ruleset=game)).faces]
    dice: dict[str, Any] = {}
    for _ in range(12):
        text = json.dumps({**request, "dice": dice})
        yield "api/resolve", text
        status, answer = answered("api/resolve", text)
        field = json.loads(answer).get("field", "")
        name = re.fullmatch(r"dice\.(\w+)", field)
        if status == 200 or name is None:
            return
        number = json.loads(answer)["values"].get("dice")
        if number is None and name[1] not in dice:
            dice[name[1]] = []  # the refusal of an empty list says how many are called for
        elif number is None:
            dice[name[1]] = chosen.choice(letters or range(1, 7))
        else:
            dice[name[1]] = [chosen.choice(letters or range(1, 7)) for _ in range(number)]
