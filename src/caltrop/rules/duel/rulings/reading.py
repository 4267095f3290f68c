"""Reads rulings strictly: every name in a ruling is checked before it is played."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from caltrop.geometry import CM
from caltrop.rules.duel.records import BASE
from caltrop.rules.duel.rulings.form import Case, RulingFile, RulingLine, SceneGiven
from caltrop.rules.duel.rulings.play import DuelPlay
from caltrop.scenarios.cases import merged
from caltrop.scenarios.reading import Reader
from caltrop.scenarios.rulings import Ruling


class DuelReader(Reader):
    game = "duel"
    form = RulingFile
    play = DuelPlay
    units = ("unit",)

    def scene(self, ruling: Ruling, case: Case, i: int, editions: Sequence[str]) -> list[str]:
        """Return the names of the two duellists. Check that both duellists stand on the table, and that they do not
        overlap.
        """
        head = ruling.head
        assert isinstance(head, RulingFile)
        given = merged(head.scene, case.scene, SceneGiven)
        units = given.units or {}
        if len(units) != 2:
            raise self.scene_fault(ruling, i, f"a duel has 2 duellists; this scene has {len(units)}", "units")
        width, height = given.table or (16, 10)
        for name, unit in units.items():
            x, y = unit.at or (0, 0)
            if not (1 <= x <= width - 1 and 1 <= y <= height - 1):
                complaint = f"a base of {2 * BASE // CM} cm does not stand on the table at ({x}, {y})"
                raise self.scene_fault(ruling, i, complaint, "units", name)
        return list(units)

    def line(
        self, ruling: Ruling, line: RulingLine, names: list[str], editions: Sequence[str], *path: str | int
    ) -> None:
        if line.ask is not UNSET and "unit" in self.play.questions[line.ask][1] and line.unit is UNSET:
            raise ruling.wrong(f"{line.ask} needs a unit", *path)


read = DuelReader().read
