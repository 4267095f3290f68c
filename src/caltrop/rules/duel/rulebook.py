"""What the engine is told about the duel: its name, its scenarios and how a game begins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from caltrop import InputError
from caltrop.engine import Book, Ruleset, ScenarioCard
from caltrop.engine.parts import Parts, Referee, Sights
from caltrop.geometry import CM
from caltrop.picture import Picture
from caltrop.roster import nearest, read_yaml
from caltrop.rules.duel import picture
from caltrop.rules.duel.records import Duel, Duellist
from caltrop.rules.duel.turn import Duelling

_DATA = Path(__file__).parent / "data"


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A duellist as the scenario file writes it, in centimetres."""

    name: str
    at: tuple[int, int]
    wounds: int
    breath: int
    traits: tuple[str, ...] = ()


class _Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: str
    title: str
    minutes: int
    words: str
    table: tuple[int, int]
    rounds: int
    duellists: tuple[_Written, _Written]


@lru_cache(maxsize=1)
def _scenarios() -> dict[str, _Scenario]:
    return {s.id: s for s in read_yaml(_DATA / "scenarios.yaml", tuple[_Scenario, ...]).value}


class DuelRules(Ruleset):
    """The duel."""

    name = "duel"
    title = "Duel"
    words = "Two duellists and one die: the smallest game, and the template for a rulebook of your own"
    owner = "Caltrop"
    editions = ("current", "sharp")
    prefix = "DU-"
    state = Duel

    def scenarios(self) -> Sequence[ScenarioCard]:
        """The duels of the scenario file."""
        return [ScenarioCard(id=s.id, title=s.title, minutes=s.minutes, words=s.words) for s in _scenarios().values()]

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Duel:
        """The duellists on their marks."""
        every = _scenarios()
        if scenario not in every:
            raise InputError(f"there is no scenario {scenario!r} of duel; {nearest(scenario, every)}")
        if armies or size is not None:
            raise InputError("a duel has no armies and no size: its scenario names the duellists")
        s = every[scenario]
        return Duel(
            book=book,
            stack=[Duelling()],
            width=s.table[0] * CM,
            height=s.table[1] * CM,
            rounds=s.rounds,
            duellists=[
                Duellist(
                    name=d.name, at=(d.at[0] * CM, d.at[1] * CM), wounds=d.wounds, breath=d.breath, traits=d.traits
                )
                for d in s.duellists
            ],
        )

    def depict(self, t: Duel, side: int | None) -> Picture:
        """The table as the doors draw it."""
        return picture.depict(t)

    @property
    def parts(self) -> Parts:
        """What it offers besides playing."""
        from caltrop.rules.duel import attack, rulings
        from caltrop.rules.duel.sight import sight

        return Parts(
            forecasts=attack.foresee,
            referee=Referee(attack.AttackRequest, attack.resolve, attack.odds, attack.form),
            sights=Sights(see=sight, symmetric=True),
            rulings=rulings,
        )


ruleset = DuelRules()
