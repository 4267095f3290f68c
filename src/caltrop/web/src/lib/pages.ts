/** The main pages by name, to which every page links. */
export const PAGES = [
  { name: "Play", to: "./" },
  { name: "Learn", to: "learn" },
  { name: "Replays", to: "replay" },
  { name: "Odds", to: "odds" },
  { name: "Lab", to: "lab" },
  { name: "Rules", to: "rules" },
] as const;

/** Further entries of the menu. */
export const MORE = [
  { name: "New game", to: "new" },
  { name: "Armies", to: "armies" },
  { name: "Maps", to: "maps" },
  { name: "Packs", to: "packs" },
  { name: "People", to: "people" },
  { name: "Campaigns", to: "season" },
  { name: "Referee", to: "referee" },
  { name: "Settings", to: "settings" },
] as const;

export type PageName = (typeof PAGES)[number]["name"] | (typeof MORE)[number]["name"] | "";
