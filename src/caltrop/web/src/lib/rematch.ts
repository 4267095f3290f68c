/** The same battle once more, with the sides changed where two play it. */
import type { NewGame } from "../wire/api";
import type { View } from "../wire/types";
import { PERSON } from "./play";
import type { KnownGame } from "./seats";

type Played = Pick<View, "ruleset" | "edition" | "scenario" | "rules" | "armies" | "size" | "clock" | "seats">;

/** What is asked for: the same table, armies, house rules and clock; a friend who played elsewhere is invited again. */
export function rematch(view: Played, known: Pick<KnownGame, "tokens"> | undefined): NewGame {
  const { ruleset, edition, scenario, rules, armies, size, clock } = view;
  const seats = view.seats.filter((seat) => seat.player !== "rules").reverse();
  const invited = seats.flatMap((seat, side) => (seat.player === PERSON && known?.tokens[seat.side] === undefined ? [side] : []));
  return {
    ruleset,
    edition,
    scenario,
    rules,
    armies,
    size,
    seats: seats.map((seat) => seat.player),
    // Who only looked on has nobody to invite, and plays all of them.
    ...(invited.length < seats.filter((seat) => seat.player === PERSON).length ? { invited } : {}),
    ...(clock === null ? {} : { clock }),
  };
}
