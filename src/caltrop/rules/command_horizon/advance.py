"""A moving unit: its models follow their paths, and by a house rule units on overwatch may fire on the way."""

from __future__ import annotations

from caltrop.engine import End, Go, Procedure, Run, step
from caltrop.rules.command_horizon.limits import Paths
from caltrop.rules.command_horizon.overwatch import OverwatchFire, first_trigger
from caltrop.rules.command_horizon.records import Battle
from caltrop.table.measured import SharedWay


class Advance(Procedure):
    """The models of a unit move along their paths, which are paid for already."""

    side: int
    unit: int
    paths: Paths
    gone: int = 0
    """Distance that each model has gone along its path when the unit was last stopped."""

    @step("CH-OW-03")
    def be_watched(self, t: Battle) -> Run | Go:
        """The unit is fired at from the first point of its way where a unit on overwatch sees it in range."""
        if t.book.rules["overwatch"] == "off":
            return Go("stand")
        going = [(m, path) for m, path in self.paths if t.models[m].alive]
        models = [m for m, _ in going]
        left = SharedWay(SharedWay([path for _, path in going]).left(self.gone))
        trigger = first_trigger(t, self.unit, left, models) if going else None
        if trigger is None:
            return Go("stand")
        watcher, after = trigger
        self.gone += after
        for model, (x, y) in zip(models, left.at(after), strict=True):
            t.change_model(model, x=x, y=y)
        return Run(OverwatchFire(watcher=watcher, target=self.unit))

    @step("CH-OW-05")
    def go_on(self, t: Battle) -> Go | End:
        """The unit finishes its move if it survives; another unit on overwatch may fire on the way."""
        return Go("be_watched") if t.units[self.unit].models else End()

    @step("Q-MOVE-11")
    def stand(self, t: Battle) -> None:
        for model, path in self.paths:
            if t.models[model].alive:
                x, y = path[-1]
                t.change_model(model, x=x, y=y)
