"""What the engine is told about the duel: its name, its switches, its scenarios and how a game begins."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import msgspec

from caltrop.engine import Book, Ruleset, ScenarioCard, Switch
from caltrop.geometry import CM
from caltrop.picture import Picture
from caltrop.rules.duel import picture
from caltrop.rules.duel.records import Duel, Duellist
from caltrop.rules.duel.turn import Duelling


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
    text = files(__package__).joinpath("data/scenarios.yaml").read_bytes()
    return {s.id: s for s in msgspec.yaml.decode(text, type=tuple[_Scenario, ...])}


class DuelRules(Ruleset):
    """The duel."""

    name = "duel"
    title = "Duel"
    words = "Two duellists and one die: the smallest game, and the template for a rulebook of your own"
    owner = "Caltrop"
    editions = ("current", "sharp")
    prefix = "DU-"
    state = Duel

    @property
    def switches(self) -> Sequence[Switch]:
        """The house rules."""
        return (
            Switch(
                name="bid.tie",
                values=("die", "first-side"),
                clauses=("DU-BID-04", "DU-BID-05"),
                words="Who begins where the stakes are equal",
            ),
            Switch(name="parry.price", values=(1,), min=0, max=3, clauses=("DU-PARRY-01",), words="Breath for a parry"),
        )

    def scenarios(self) -> Sequence[ScenarioCard]:
        """The duels of the scenario file."""
        return [ScenarioCard(id=s.id, title=s.title, minutes=s.minutes, words=s.words) for s in _scenarios().values()]

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Duel:
        """The duellists on their marks."""
        every = _scenarios()
        if scenario not in every:
            near = difflib.get_close_matches(scenario, every, 1) or list(every)[:1]
            raise ValueError(f"there is no scenario {scenario!r} of duel; did you mean {near[0]}?")
        if armies or size is not None:
            raise ValueError("a duel has no armies and no size: its scenario names the duellists")
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


ruleset = DuelRules()
