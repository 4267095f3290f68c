import type { Catalog } from "../translator";
import page from "./page.json";
import shared from "../../../../languages/de.json";

/** The translations of each game lie in its own folder. */
const games = import.meta.glob<Catalog>("../../../../rules/*/languages/de.json", { eager: true, import: "default" });

export default Object.assign({}, ...Object.values(games), shared, page) as Catalog;
