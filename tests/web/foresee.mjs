// Reads one case a line, {around, wishes}, and writes what the page's twin of the rules foresees for each wish.
// node foresee.mjs PATH-OF-reach.ts
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { Reach } = await import(pathToFileURL(process.argv[2]).href);
for await (const line of createInterface({ input: process.stdin })) {
  const { around, wishes } = JSON.parse(line);
  const reach = new Reach(around);
  process.stdout.write(JSON.stringify(wishes.map((wish) => reach.foresee(wish))) + "\n");
}
