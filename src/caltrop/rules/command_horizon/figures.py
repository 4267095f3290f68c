"""Drawings of models, standing or fallen, by their kind, army and equipment."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.picture import Fallen, Look, Paint, Piece, Token
from caltrop.rules.command_horizon.aim import model_kind
from caltrop.rules.command_horizon.catalogue import ARMIES
from caltrop.rules.command_horizon.places import is_putredine_infantry
from caltrop.rules.command_horizon.putredine import disabled, token_limit
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.records import Battle, Point

_SILHOUETTES = {"light-tank": "light", "medium-tank": "medium", "heavy-tank": "heavy"}


def fallen(t: Battle, model: int, at: Point) -> Fallen:
    unit = t.models[model].unit
    u = t.units[unit]
    return Fallen(
        piece=piece_of(t, model, at),
        side=u.side,
        name=u.name,
        silhouette=silhouette_of(t, unit),
        look=look_of(t, unit),
        paint=paint_of(t, u.side),
    )


def piece_of(t: Battle, m: int, at: Point) -> Piece:
    """Return the drawing of a model at a place, with its equipment."""
    model = t.models[m]
    attached = model.kind == "heavy-weapons" and t.units[model.unit].kind != "heavy-weapons"
    return Piece(
        id=m,
        at=at,
        radius=model.r,
        silhouette="heavy-weapons" if attached else "",
        look=model_kind(t, m).look if attached else UNSET,
        tokens=tuple(tokens_of(t, m)),
    )


def silhouette_of(t: Battle, unit: int) -> str:
    kind = t.units[unit].kind
    return "worm" if is_putredine_infantry(t, unit) else _SILHOUETTES.get(kind, kind)


def look_of(t: Battle, unit: int) -> Look | UnsetType:
    """Return the drawing of a unit: the drawing in its army list, otherwise that of its kind."""
    own = t.units[unit].look
    return kind_of(t, unit).look if own is UNSET else own


def paint_of(t: Battle, side: int) -> Paint | UnsetType:
    army = t.armies[side]
    return ARMIES[army.army].paint if army.paint is UNSET else army.paint


def tokens_of(t: Battle, model: int) -> Iterator[Token]:
    m = t.models[model]
    if m.worms:
        state = ", Disabled" if disabled(t, model) else ""
        words = f"Worm Tokens: {token_limit(t, model)} remove the model{state}"
        yield Token(kind="worm", label=quantity(m.worms, "Worm Token"), count=m.worms, words=words)
    if m.glands:
        size = "Large" if m.glands == 2 else "Small"
        yield Token(
            kind="gland",
            label=f"{size} Node Gland",
            count=m.glands,
            words=f"{size} Node Gland: {m.glands} CP each turn",
        )
