// Reads one table a line, as the page's painter gets it, and writes what its plan comes to; first the names on the shelves.
// node plans.mjs PATH-OF-ground
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const load = (name) => import(pathToFileURL(`${process.argv[2]}/${name}`).href);
const { digest, planOf } = await load("plan.ts");
const { LOOKS } = await load("looks/index.ts");
const { LANDS } = await load("lands.ts");
process.stdout.write(JSON.stringify({ looks: Object.keys(LOOKS), lands: Object.keys(LANDS) }) + "\n");
for await (const line of createInterface({ input: process.stdin })) {
  const plan = planOf(JSON.parse(line));
  const found = { digest: digest(plan), edges: plan.edges.length, hills: plan.hills.length, crowns: plan.crowns.length, bodies: plan.bodies.length };
  process.stdout.write(JSON.stringify(found) + "\n");
}
