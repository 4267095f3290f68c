"""A move under way: models follow their paths, and by a house rule units on overwatch may fire at them."""

from __future__ import annotations

from caltrop.engine import End, Go, Procedure, Run, step
from caltrop.rules.command_horizon.limits import Paths
from caltrop.rules.command_horizon.overwatch import OverwatchFire, first_trigger
from caltrop.rules.command_horizon.records import Battle
from caltrop.table.measured import SharedWay


class Advance(Procedure):
    """The models of a unit move along paths that are already paid for."""

    side: int
    unit: int
    paths: Paths
    gone: int = 0
    """Distance that the models have moved when the unit was last stopped."""

    @step("CH-OW-03")
    def be_watched(self, t: Battle) -> Run | Go:
        """Units on overwatch may fire from the first point on the path where they see the unit in range."""
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
        """A surviving unit continues its move, and another unit on overwatch may fire at it."""
        return Go("be_watched") if t.units[self.unit].models else End()

    @step("Q-MOVE-11")
    def stand(self, t: Battle) -> None:
        for model, path in self.paths:
            if t.models[model].alive:
                x, y = path[-1]
                t.change_model(model, x=x, y=y)
