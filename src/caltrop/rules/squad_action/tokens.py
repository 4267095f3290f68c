"""Overwatch tokens: going on overwatch, choosing face-down tokens, and the chance of each face (SQ-ORG-33 to 35)."""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Guards, Offer, Offered, Usual
from caltrop.chance import Dice
from caltrop.engine import Action, Ask, End, Event, FaceDown, Listed, MotionOf, Procedure, Refusal, Run, ask, does, step
from caltrop.kit.words import listed
from caltrop.rules.squad_action.acts import Doings, UnitAct, name_of
from caltrop.rules.squad_action.overwatch import NOT_ON_TABLE, ONLY_FIRE, OTHER_TOKENS, PINNED, STAYS_PUT, Interruptions
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.watching import faces_of_tokens, tokens_of


class GoOnOverwatch(Procedure):
    """A unit lays its tokens, which ends its activation (SQ-ORG-33)."""

    unit: int
    before: int = 0

    @step("SQ-ORG-40", "SQ-S31")
    def let_watchers_break_in(self, t: Firefight) -> Run:
        return Run(Interruptions(actor=self.unit, before=self.before))

    @step("SQ-ACT-03", "SQ-ORG-34", "SQ-ORG-35", "SQ-ORG-41", "SQ-S30", "SQ-S33")
    def choose_tokens(self, t: Firefight, result: tuple[int, bool]) -> Ask | End:
        """The owner chooses each token's face; the other side learns only their number.

        A unit that was stopped lays none.
        """
        if result[1]:
            return End()
        return ask(LayTokens(side=t.units[self.unit].side, unit=self.unit, count=tokens_of(t, self.unit)))

    @step("SQ-ORG-33", "SQ-ORG-34", "SQ-ORG-35", "SQ-S34")
    def lay(self, t: Firefight, choice: Lay) -> None:
        t.tokens[self.unit] = FaceDown(t.units[self.unit].side, choice.faces)
        t.change(self.unit, watching=t.next_watch(), acted=int(t.book.rules["actions_per_activation"]))
        t.tell(WentOnOverwatch(self.unit, len(choice.faces)))


def guess_tokens(view: Firefight, side: int, dice: Dice) -> Firefight:
    """Return a full firefight that agrees with a side's view. Hidden tokens are drawn with equal probability."""
    if not any(None in laid.faces for laid in view.tokens.values()):
        return view
    t = view.clone()
    for unit, laid in view.tokens.items():
        if None in laid.faces:
            ways = list(combinations_with_replacement(faces_of_tokens(t, unit), len(laid.faces)))
            t.tokens[unit] = FaceDown(laid.side, ways[dice.below(len(ways))])
    return t


# --- decisions -------------------------------------------------------------------------------------------------------


class Lay(Action, frozen=True):
    """Choose the faces of a unit's tokens, which lie face down."""

    unit: int
    faces: tuple[str, ...]


class LayTokens(Offered, frozen=True, kw_only=True):
    unit: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-34", "SQ-ORG-35", "SQ-S30")
    hint: ClassVar[str] = (
        "A Fire token is a full shot in the enemy's turn, a Move token a move. The other side sees how many there are, "
        "and not which."
    )
    secret: ClassVar[bool] = True

    def options(self, t: Firefight) -> Listed:
        faces = faces_of_tokens(t, self.unit)
        choices: list[tuple[str, ...]] = [()]
        for _ in range(self.count):
            choices = [(*c, f) for c in choices for f in faces if not c or faces.index(f) >= faces.index(c[-1])]
        return Listed([Lay(self.unit, c) for c in choices], partial(self._why_not, t), "SQ-ORG-34")

    def _why_not(self, t: Firefight, action: Any) -> Refusal | None:
        if not isinstance(action, Lay):
            return None
        faces, u, given = faces_of_tokens(t, self.unit), t.units[self.unit], len(action.faces)
        moves = any(f != "fire" for f in action.faces)
        return (
            OTHER_TOKENS.refuses(given != self.count, name=u.name, count=self.count, given=given)
            or STAYS_PUT.refuses(u.called and moves)
            or ONLY_FIRE.refuses(len(faces) == 1 and moves)
        )

    def prompt(self, t: Firefight) -> str:
        return f"{does(t.units[self.unit].name, 'lays')} {quantity(self.count, 'token')}: Fire or Move?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [
            Offer(action=a, words=f"Lay {listed([face.capitalize() for face in a.faces])}", unit=self.unit)
            for a in self.options(t)
        ]

    def usual(self, t: Firefight, unit: int | None = None) -> Usual | None:
        """Return the tokens if there is no choice between their faces."""
        first, *others = self.offers(t)
        if others or unit not in (None, self.unit):
            return None
        return Usual(action=first.action, words=first.words, unit=self.unit, said=True)


class Watch(UnitAct, frozen=True):
    """Go on overwatch, which ends the unit's activation."""

    kind = "overwatch"
    words = "Go on overwatch"
    guards = Guards(
        (NOT_ON_TABLE, lambda t, unit: not t.units[unit].in_play),
        (PINNED, lambda t, unit: t.units[unit].pinned),
        name=name_of,
    )

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> GoOnOverwatch:
        return GoOnOverwatch(unit=self.unit, before=before)

    def nearest(self, o: Doings) -> None: ...


# --- events ----------------------------------------------------------------------------------------------------------


class WentOnOverwatch(Event, frozen=True):
    unit: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-03", "SQ-ORG-33", "SQ-ORG-35")
    template = "{unit:goes} on overwatch with {count:token}"
    shown = MotionOf("mark", "overwatch")
