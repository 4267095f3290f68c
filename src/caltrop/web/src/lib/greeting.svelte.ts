/** The game that somebody has just joined by an invitation, whose table greets them. */
export const greeting = $state({ game: "" });
