import { catalogsOf, type Sections } from "../catalogs";
import page from "./page.json";
import shared from "../../../../languages/fr.json";

/** The translations of each game lie in its own folder. */
const games = import.meta.glob<Sections>("../../../../rules/*/languages/fr.json", { eager: true, import: "default" });

export default catalogsOf(games, shared, page);
