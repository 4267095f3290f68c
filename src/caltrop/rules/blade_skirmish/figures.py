"""The look of fighters, standing or fallen: by their warband, their names and their Qualities."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.picture import Fallen, Look, Paint, Piece, Point
from caltrop.roster import read_yaml
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish


class Looks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file `data/looks.yaml`: how fighters are drawn."""

    fighters: dict[int, Look]
    automated: dict[int, Look]
    paint: Paint
    """Of automated models."""
    named: dict[str, Look]
    """Of those who are known by name."""


LOOKS: Looks = read_yaml(Path(__file__).parent / "data" / "looks.yaml", Looks).value


def drawn_as(t: Skirmish, f: Fighter) -> Look:
    """Return how a fighter is drawn: as her warband says, else by her name, else by her Quality."""
    if f.look is not UNSET:
        return f.look
    if f.side in t.field.automated:
        return LOOKS.automated[f.quality]
    return look_of(f.name, f.quality)


def look_of(name: str, quality: int) -> Look:
    """Return how somebody who is played is drawn whose warband does not say: by her name, else by her Quality."""
    return LOOKS.named.get(name) or LOOKS.fighters[quality]


def paint_of(t: Skirmish, f: Fighter) -> Paint | UnsetType:
    """Return the colours of a fighter: by her warband, or her own if she is played."""
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
