"""Drawings of fighters, standing or fallen, by warband, name and Quality."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.picture import Fallen, Look, Paint, Piece, Point
from caltrop.roster import read_yaml
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish


class Looks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file `data/looks.yaml`, which defines how fighters are drawn."""

    fighters: dict[int, Look]
    automated: dict[int, Look]
    paint: Paint
    """Colours of automated models."""
    named: dict[str, Look]
    """Drawings of fighters with certain names."""


LOOKS: Looks = read_yaml(Path(__file__).parent / "data" / "looks.yaml", Looks).value


def drawn_as(t: Skirmish, f: Fighter) -> Look:
    """Return the drawing of a fighter: that of her warband, otherwise by her name or her Quality."""
    if f.look is not UNSET:
        return f.look
    if f.side in t.field.automated:
        return LOOKS.automated[f.quality]
    return look_of(f.name, f.quality)


def look_of(name: str, quality: int) -> Look:
    """Return the default drawing of a player's fighter: by her name, otherwise by her Quality."""
    return LOOKS.named.get(name) or LOOKS.fighters[quality]


def paint_of(t: Skirmish, f: Fighter) -> Paint | UnsetType:
    """Return the colours of a fighter: her own, otherwise those of her warband; unset if neither has colours."""
    if f.cloak is not UNSET:
        return f.cloak
    paints = () if t.field.paints is UNSET else t.field.paints
    given = paints[f.side] if f.side < len(paints) else None
    return given or (LOOKS.paint if f.side in t.field.automated else UNSET)


def fallen(t: Skirmish, fighter: int, at: Point) -> Fallen:
    f = t.fighters[fighter]
    return Fallen(
        piece=Piece(id=f.id, at=at, radius=t.field.radius),
        side=f.side,
        name=f.name,
        silhouette=f"fighter-{f.quality}",
        look=drawn_as(t, f),
        paint=paint_of(t, f),
    )
