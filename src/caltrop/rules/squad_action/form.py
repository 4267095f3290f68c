"""The form of an attack request on a page."""

from __future__ import annotations

from typing import Any

from caltrop.engine.form import Choice, DiceSum, Form, form_of
from caltrop.kit.requests import book_or_usual
from caltrop.rules.squad_action.account import checks_thrown, saves_thrown, shots_thrown
from caltrop.rules.squad_action.catalogue import supplied
from caltrop.rules.squad_action.range import distances
from caltrop.rules.squad_action.requests import MOST_MODELS, RULESET, Asked, AttackRequest, asked, weapons_of_squads

OUTCOMES = {"models": "Models left", "pinned": "Pinned"}
"""Labels of the parts of an outcome."""


def form(raw: dict[str, Any]) -> Form:
    """Return the form for an unfinished request, which need not be valid.

    Args:
        raw: The unfinished request, as plain data.
    """
    shooter, target = (raw[who] if isinstance(raw.get(who), dict) else {} for who in ("shooter", "target"))
    book = book_or_usual(RULESET, raw)
    weapons = weapons_of_squads(book)
    profiles = tuple(Choice(value=key, words=row.title) for key, row in supplied(book).profiles.items())
    ranges: dict[str, tuple[int, int]] = {}
    models = target.get("models")
    if isinstance(models, int) and models <= MOST_MODELS:
        ranges["target.starting"] = (models, MOST_MODELS)
    weapon = next((row for key, row in weapons.items() if key == shooter.get("weapon")), None)
    if weapon is not None:
        ranges["distance"] = distances(book, weapon)
    return form_of(
        raw,
        asked,
        request=AttackRequest,
        start={"ruleset": RULESET},
        outcomes=OUTCOMES,
        choices={
            "shooter.profile": profiles,
            "shooter.weapon": tuple(Choice(value=key, words=_capital(row.title)) for key, row in weapons.items()),
            "target.profile": profiles,
        },
        ranges=ranges,
        dice=_dice,
    )


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]


def _dice(request: Asked) -> tuple[DiceSum, ...]:
    weapon, squad = request.weapon, request.squad
    each = 0 if weapon.by_die else int(weapon.shots)
    what = f"{request.models} × {weapon.title}"
    most = min(squad.left, request.models * (each or 6))
    return (
        shots_thrown(what, request.models, each, request.needed, request.fire, request.to_hit, request.reroll),
        *saves_thrown((request.save,) if request.save.possible else (), request.ignore),
        *checks_thrown(request.book, squad, most, False, request.flame, False),
    )
