/** The game to whose table somebody has just come by an invitation: they are greeted there. */
export const greeting = $state({ game: "" });
