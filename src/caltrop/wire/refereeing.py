"""The start of a battle on a real table, as its referee counts it; a server and a browser without a network use it."""

from __future__ import annotations

import re

from msgspec import UNSET

from caltrop.engine import ruleset
from caltrop.journal import Setting
from caltrop.kit.requests import with_pack
from caltrop.picture import Group
from caltrop.scenarios.printable import PaperGame, game_of
from caltrop.scenarios.summaries import turn_of
from caltrop.wire.messages import NewGame, RefereeTable, RefereeUnit


def table_of(body: NewGame) -> RefereeTable:
    """Return the start of a battle.

    Raises InputError for an unknown value, or ValueError for an unsuitable value; the message names the nearest valid
    value.
    """
    rules = ruleset(body.ruleset)
    scenario = body.scenario or rules.scenarios()[0].id
    rulings = {name: str(value) for name, value in with_pack(rules, body.rules, body.pack).items()}
    setting = Setting.chosen(rules.name, body.edition, scenario, body.armies, body.size, rulings)
    game, supplies = game_of(setting, 1.0), rules.parts.supplies
    p = game.picture
    turn = turn_of(rules.name)
    return RefereeTable(
        ruleset=rules.name,
        edition=setting.edition,
        title=game.title,
        scenario=game.scenario,
        rounds=p.stage.rounds,
        steps=tuple([(step.name, step.words) for step in turn] or [(name, "") for name in p.stage.steps]),
        once=sum([step.once for step in turn]),
        victory=() if p.goal is UNSET else p.goal.words,
        sides=tuple([(game.called(seat.side), seat.letter) for seat in p.seats]),
        points=tuple([_points(game, side) for side in range(len(p.seats))]),
        units=tuple([_unit(group) for group in game.placed.groups]),
        markers=() if supplies is None else supplies.markers,
        faces=p.faces,
    )


def _points(game: PaperGame, side: int) -> tuple[tuple[str, int], ...]:
    counted = [(s, re.match(r"(\d+)(?:(?: of |/)\d+)?$", s.value)) for s in game.picture.seats[side].points]
    return tuple([(s.label if s.words is UNSET else s.words, int(m[1])) for s, m in counted if m is not None])


def _unit(group: Group) -> RefereeUnit:
    most = group.strength.rpartition("/")[2]
    return RefereeUnit(
        id=group.id,
        side=group.side,
        name=group.name,
        strength=int(most) if most.isdigit() else max(len(group.pieces), 1),
        stats=tuple([(s.label, s.value) for s in group.stats]),
    )
