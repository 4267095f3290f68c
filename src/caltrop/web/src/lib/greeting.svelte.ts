/** The game that the user has just joined by an invitation. Its table shows a greeting. */
export const greeting = $state({ game: "" });
