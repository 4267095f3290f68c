/** The same battle again, with the sides swapped if two people play it. */
import { askAgain, packOf, type NewGame } from "../wire/api";
import type { View } from "../wire/types";
import { goTo, PERSON, play } from "./play";
import { knownGame, type KnownGame } from "./seats";

type Played = Pick<View, "ruleset" | "edition" | "scenario" | "rules" | "armies" | "size" | "clock" | "seats">;

/** Return the sides of people who play on other screens; none for onlookers. */
export function friendsOf(view: Pick<View, "seats">, game: Pick<KnownGame, "tokens"> | undefined): number[] {
  const tokens = game?.tokens ?? {};
  if (Object.keys(tokens).length === 0) return [];
  return view.seats
    .filter((seat) => seat.player === PERSON && tokens[seat.side] === undefined)
    .map((seat) => seat.side);
}

/** Return the name of the player on another screen who asks for a rematch; empty if nobody does. */
export function askedBy(view: Pick<View, "seats" | "again">, game: Pick<KnownGame, "tokens"> | undefined): string {
  const side = friendsOf(view, game).find((one) => view.again.includes(one));
  const seat = view.seats.find((one) => one.side === side);
  return seat?.called || seat?.name || "";
}

/** Return a game with the same table, armies, house rules and clock. A friend at another browser is invited again. */
export function rematch(view: Played, game: Pick<KnownGame, "tokens"> | undefined): NewGame {
  const { ruleset, edition, scenario, rules, armies, size, clock } = view;
  const seats = view.seats.filter((seat) => seat.player !== "rules").reverse();
  const invited = seats.flatMap((seat, side) =>
    seat.player === PERSON && game?.tokens[seat.side] === undefined ? [side] : [],
  );
  return {
    ruleset,
    edition,
    scenario,
    rules,
    armies,
    size,
    seats: seats.map((seat) => seat.player),
    // An onlooker invites no one, and plays all sides.
    ...(invited.length < seats.filter((seat) => seat.player === PERSON).length ? { invited } : {}),
    ...(clock === null ? {} : { clock }),
  };
}

/**
 * Play a finished battle again with the sides swapped. If a friend plays at another browser, the new table is theirs
 * too.
 */
export async function playAgain(id: string, view: View): Promise<void> {
  const game = knownGame(id);
  const entry = { ruleset: view.ruleset, title: game?.title ?? "" };
  if (friendsOf(view, game).length > 0) goTo(await askAgain(id, Object.values(game?.tokens ?? {})), entry);
  else {
    const { pack: name, ...rules } = view.rules;
    const again = rematch({ ...view, rules }, game);
    // The server may no longer have a pack of that name.
    const packed = name === undefined ? {} : { pack: await packOf(id, Object.values(game?.tokens ?? {})) };
    await play({ ...again, ...packed }, entry.title);
  }
}
