"""Recon moves: scouts move before the first turn (SQ-TRT-13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from caltrop.asking import Act, Offer, OneOf, Proposal, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import Ask, End, Go, Procedure, Refusal, Run, agreeing, ask, back, rule, step
from caltrop.rules.squad_action.acts import Doings, name_of
from caltrop.rules.squad_action.broken import Terror
from caltrop.rules.squad_action.movement import MOVES, NO_PACKS_YET, NOT_A_SCOUT, STAYS_ON, Move, Moved, distance_of
from caltrop.rules.squad_action.reach import allowance, base_move
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.routes import routes_of


class ReconMoves(Procedure):
    """Recon units of a side make one Move each between deployment and the first turn (SQ-TRT-13)."""

    side: int
    asked: tuple[int, ...] = ()

    @step("SQ-TRT-13")
    def offer(self, t: Firefight) -> Ask | End:
        """Recon units move one after another, each up to its base move."""
        unit = next((u.id for u in t.of_side(self.side) if u.id not in self.asked and scouts(t, u.id)), None)
        if unit is None:
            return End()
        self.asked = (*self.asked, unit)
        return ask(Scout(side=self.side, unit=unit))

    @step("SQ-TRT-13", "SQ-Q60")
    def move(self, t: Firefight, choice: Move | StayPut) -> Run | Go:
        """The Move does not count for any activation."""
        if isinstance(choice, Move):
            distance = distance_of(t, choice)
            headings = routes_of(t, choice.unit).headings(choice)
            t.put({m: path[-1] for m, path in choice.paths})
            if headings:
                t.change_model(t.units[choice.unit].models[0], heading=headings[-1])
            t.tell(Moved(choice.unit, distance, "scouts ahead", False, choice.paths))
            return Run(Terror(unit=choice.unit))
        return Go("offer")

    faced = back("offer", "SQ-TRT-17", "SQ-Q37")


@rule("SQ-TRT-13")
def scouts(t: Firefight, unit: int) -> bool:
    return "recon" in t.units[unit].traits and base_move(t, unit) > 0


class StayPut(Act, frozen=True):
    """Stay where the unit was deployed."""

    words = "Stay where you are"
    final = True


class ScoutOptions(Doings):
    """The places to which a Recon unit may move before the battle."""

    def __init__(self, t: Firefight, unit: int) -> None:
        super().__init__(t, unit, kinds=("move",))
        self.acts = (StayPut, *self.acts)

    def refusal(self, action: Any) -> Refusal | None:
        if isinstance(action, StayPut):
            return None
        if not isinstance(action, Move) or action.unit != self.unit:
            refusal = NOT_A_SCOUT.refuses(True, name=name_of(self.t, self.unit))
        else:
            name = name_of(self.t, self.unit)
            refusal = (
                NO_PACKS_YET.refuses(action.jump, name=name)
                or STAYS_ON.refuses(action.off, name=name)
                or super().refusal(action)
            )
        return refusal and (refusal if refusal.nearest is not None else refusal.towards(StayPut()))

    def of(self, act: type[Act]) -> Iterator[Any]:
        return (one for one in super().of(act) if one == StayPut() or not (one.jump or one.off))

    def sample(self, dice: Dice) -> Any:
        if dice.below(4) and MOVES.may(self.t, unit=self.unit):
            routes = routes_of(self.t, self.unit)
            way = routes.sample(dice)
            return StayPut() if way is None or way.off else Move.of_way(routes, way)
        return StayPut()


class Scout(OneOf, frozen=True, kw_only=True):
    """The owner chooses where a Recon unit goes."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-TRT-13",)
    hint: ClassVar[str] = "Recon units move once before the first turn, by as much as a base move."

    def options(self, t: Firefight) -> ScoutOptions:
        return ScoutOptions(t, self.unit)

    def prompt(self, t: Firefight) -> str:
        return f"Where {agreeing(t.units[self.unit].name, 'does')} {t.units[self.unit].name} go before the battle?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [StayPut().offer(self.options(t))]

    def regions(self, t: Firefight) -> list[Region]:
        return [Region(form="move", unit=self.unit, words="Move", bands=((allowance(t, self.unit, False), 0),))]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        return super().propose(t, msgspec.structs.replace(wish, act=""))
