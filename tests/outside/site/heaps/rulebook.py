"""One heap of stones, of which two sides take by turns; Caltrop finds it by its entry point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from caltrop.asking import Offer, Offered
from caltrop.engine import (
    Action,
    Ask,
    Book,
    End,
    Event,
    Go,
    Listed,
    Outcome,
    Procedure,
    Ruleset,
    ScenarioCard,
    State,
    Switch,
    ask,
    step,
)
from caltrop.picture import Picture, Seat, Stage, Stat

MOST = 3


class Heap(State, kw_only=True):
    """The stones that are left, and the side whose turn it is."""

    stones: int
    turn: int = 0


class Take(Action, frozen=True):
    """Take stones of the heap."""

    stones: int


class Taken(Event, frozen=True):
    """Stones were taken."""

    side: int
    stones: int
    clauses: ClassVar[tuple[str, ...]] = ("HP-TAKE-01",)

    def sentence(self, t: Heap) -> str:
        """Who took how many."""
        return f"{'AB'[self.side]} takes {self.stones}: {t.stones} are left"


class HowMany(Offered, frozen=True, kw_only=True):
    """How many stones?"""

    clauses: ClassVar[tuple[str, ...]] = ("HP-TAKE-01",)

    def options(self, t: Heap) -> Listed:
        """One, two or three, as far as there are some."""
        return Listed([Take(n) for n in range(1, min(MOST, t.stones) + 1)], clause="HP-TAKE-01")

    def offers(self, t: Heap) -> list[Offer]:
        """The choices by their number."""
        return [Offer(action=take, words=f"Take {take.stones}") for take in self.options(t)]

    def prompt(self, t: Heap) -> str:
        """The question."""
        return f"How many of {t.stones} stones do you take?"


class Taking(Procedure):
    """Both take by turns until the heap is gone."""

    @step("HP-TAKE-01")
    def ask_how_many(self, t: Heap) -> Ask:
        """The side whose turn it is chooses a number."""
        return ask(HowMany(side=t.turn))

    @step("HP-TAKE-01", "HP-END-01")
    def take(self, t: Heap, choice: Take) -> Go | End:
        """The side that takes the last stone wins."""
        side = t.turn
        t.stones -= choice.stones
        t.turn = t.active = 1 - side
        t.tell(Taken(side, choice.stones))
        if t.stones:
            return Go("ask_how_many")
        t.over = Outcome(side, f"{'AB'[side]} has taken the last stone")
        return End()


class Heaps(Ruleset):
    """Heaps."""

    name = "heaps"
    title = "Heaps"
    prefix = "HP-"
    state = Heap

    @property
    def switches(self) -> Sequence[Switch]:
        """None."""
        return ()

    def scenarios(self) -> Sequence[ScenarioCard]:
        """One heap."""
        return [ScenarioCard(id="twelve", title="Twelve stones", minutes=1)]

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Heap:
        """Twelve stones."""
        if scenario != "twelve":
            raise ValueError(f"there is no scenario {scenario!r}; did you mean twelve?")
        return Heap(book=book, stack=[Taking()], stones=12)

    def depict(self, t: Any, side: int | None) -> Picture:
        """An empty table, and how many stones are left."""
        words = t.over.reason if t.over is not None else f"{t.stones} stones are left"
        seats = [Seat(side=n, name="AB"[n], letter="AB"[n], shape=("circle", "diamond")[n],
                      points=(Stat(label="Stones", value=str(t.stones)),)) for n in (0, 1)]  # fmt: skip
        stage = Stage(round=0, rounds=0, steps=("Take",), now=0 if t.over is None else -1, words=words)
        return Picture(
            form="plane", width=10_000, height=10_000, scale=100, measure="cm", seats=tuple(seats), stage=stage
        )


ruleset = Heaps()
