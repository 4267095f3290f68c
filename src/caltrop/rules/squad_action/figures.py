"""Drawings of models, standing or fallen, and of their markers."""

from __future__ import annotations

from typing import cast

from msgspec import UNSET, UnsetType

from caltrop.geometry import disc_around
from caltrop.picture import (
    Fallen,
    Look,
    Paint,
    Piece,
    Point,
)
from caltrop.rules.squad_action.places import LONG, WIDE, body_at
from caltrop.rules.squad_action.records import Firefight, Model, Unit

VEHICLES = ("truck", "apc", "ifv", "light-tank", "battle-tank", "heavy-tank")
"""Rows of vehicles that have drawings of their own."""
TROOPS = ("conscript", "powered", "assault")
"""Profiles whose soldiers have a drawing of their own."""
BY_WEAPON = {
    "anti-tank-launcher": "anti-tank",
    "fusion-gun": "anti-tank",
    "rpg": "anti-tank",
    "sniper-rifle": "sniper",
    "light-machine-gun": "machine-gun",
    "heavy-machine-gun": "machine-gun",
    "flamethrower": "flamer",
    "light-mortar": "mortar",
}
"""Drawing of a soldier, by weapon."""


def look_of(t: Firefight, u: Unit) -> Look:
    """Return the drawing of a unit: from its army list or its models; for a machine, from its row or a similar row."""
    if u.look is not UNSET:
        return u.look
    if not u.on_foot:
        row = t.vehicle(u.id)
        if row.look is not UNSET:
            return row.look
        if u.kind != "vehicle":
            return "walker" if u.kind == "walker" else "gunship"
        return "hull-battle" if not row.seats else "apc" if row.weapons else "truck"
    models = [t.models[m] for m in u.models]
    looks = [_model_look(t, u, m) for m in models]
    for leading in ("powered-officer", "officer", "spotter"):
        if leading in looks:
            return cast(Look, leading)
    return max(looks, key=looks.count) if looks else "rifle"


def _model_look(t: Firefight, u: Unit, model: Model) -> Look:
    row = t.profile(u.id)
    plain: Look = "jump" if "jump" in u.traits else "rifle" if row.look is UNSET else row.look
    if model.officer:
        return "powered-officer" if plain == "powered" else "officer"
    if model.spotter:
        return "spotter"
    seen = [weapon.look for w in model.weapons if (weapon := t.weapon(w)).look is not UNSET]
    return seen[0] if seen else plain


def silhouette_of(t: Firefight, u: Unit) -> str:
    """Return the silhouette of a unit: that of most models; for a machine, that of its row or a similar row."""
    models = [t.models[m] for m in u.models]
    if u.kind == "infantry":
        if any(m.officer for m in models):
            return "officer"
        if any(m.spotter for m in models):
            return "spotter"
        armed = [BY_WEAPON[w] for m in models for w in m.weapons if w in BY_WEAPON]
        few = [name for name in ("anti-tank", "sniper", "mortar", "machine-gun") if name in armed]
        if few and len(armed) * 2 >= len(models):
            return few[0]
        return "jump" if "jump" in u.traits else u.row if u.row in TROOPS else "rifle"
    if u.kind != "vehicle":
        return "strider" if u.kind == "walker" else "gunship"
    row = t.vehicle(u.id)
    return u.row if u.row in VEHICLES else "battle-tank" if not row.seats else "apc" if row.weapons else "truck"


def _figure(t: Firefight, u: Unit, model: Model) -> str:
    plain = "jump" if "jump" in u.traits else u.row if u.row in TROOPS else "rifle"
    if model.officer:
        return "officer"
    if model.spotter:
        return "spotter"
    return next((BY_WEAPON[w] for w in model.weapons if w in BY_WEAPON), plain)


def fallen(t: Firefight, model: int, at: Point) -> Fallen:
    """Return the drawing of a fallen model at the place of its fall."""
    u = t.units[t.models[model].unit]
    return Fallen(
        piece=piece_of(t, u, model, at),
        side=u.side,
        name=u.name,
        silhouette=silhouette_of(t, u),
        look=look_of(t, u),
        paint=paint_of(t, u.side),
    )


def paint_of(t: Firefight, side: int) -> Paint | UnsetType:
    return UNSET if t.field.paints is UNSET else t.field.paints[side] or UNSET


def piece_of(t: Firefight, u: Unit, m: int, at: Point) -> Piece:
    model = t.models[m]
    return Piece(
        id=m,
        at=at,
        radius=disc_around(body_at(t, m, at))[2],
        silhouette=_figure(t, u, model) if u.on_foot else "",
        look=_model_look(t, u, model) if u.on_foot and u.look is UNSET else UNSET,
        heading=model.heading if u.machine else UNSET,
        hull=(LONG, WIDE) if u.kind == "vehicle" else UNSET,
    )
