import type { Catalog } from "./translator";

/** A catalog as it is stored: translations by source file. */
export type Sections = Readonly<Record<string, Catalog>>;
/** Returns the catalog for the players of a game, or of all games. A word may mean something else in another game. */
export type Catalogs = (ruleset: string | null) => Catalog;

/** Join stored catalogs; of several translations of a sentence, the last is used. */
const joined = (...catalogs: Sections[]): Catalog => Object.assign({}, ...catalogs.flatMap(Object.values));

/** Return the catalogs of a language: those of games by path, and those that all games share. */
export const catalogsOf =
  (games: Readonly<Record<string, Sections>>, ...shared: Sections[]): Catalogs =>
  (ruleset) => {
    const folder = ruleset?.replaceAll("-", "_") ?? null;
    const own = Object.entries(games).filter(([path]) => folder === null || path.split("/").includes(folder));
    return joined(...own.map(([, sections]) => sections), ...shared);
  };
