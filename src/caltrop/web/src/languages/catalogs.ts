import type { Catalog } from "./translator";

/** A catalog as it is stored: translations by source file. */
export type Sections = Readonly<Record<string, Catalog>>;

/** Join stored catalogs; of several translations of a sentence, the last is used. */
export const joined = (...catalogs: Sections[]): Catalog => Object.assign({}, ...catalogs.flatMap(Object.values));
