/** The game that the user has just joined by an invitation. The table of the game shows a greeting. */
export const greeting = $state({ game: "" });
