import { catalogsOf, type Sections } from "../catalogs";
import page from "./page.json";
import shared from "../../../../languages/de.json";

/** The translations of each game lie in its own folder. */
const games = import.meta.glob<Sections>("../../../../rules/*/languages/de.json", { eager: true, import: "default" });

export default catalogsOf(games, shared, page);
