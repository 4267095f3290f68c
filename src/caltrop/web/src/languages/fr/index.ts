import type { Catalog } from "../translator";
import page from "./page.json";
import shared from "../../../../languages/fr.json";

/** The translations of each game lie in its own folder. */
const games = import.meta.glob<Catalog>("../../../../rules/*/languages/fr.json", { eager: true, import: "default" });

export default Object.assign({}, ...Object.values(games), shared, page) as Catalog;
