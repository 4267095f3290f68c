// A bot in JavaScript that needs nothing but Node: it takes an open seat, or offers one, and answers by chance.
// Usage: node bot.mjs http://127.0.0.1:8420 duel
import { randomBytes } from "node:crypto";

const [server, game] = process.argv.slice(2);
const key = `me-${randomBytes(24).toString("hex")}`; // a bot that is to be the same one tomorrow keeps its key in a file

/** What the server answers. */
function ask(path, body) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return fetch(server + path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
}

const told = async (path, body) => (await ask(path, body)).json();

/** Answer what is asked in a game, as long as something is. */
async function play(id) {
  for (;;) {
    const [decision] = (await told(`/api/games/${id}`)).decisions;
    if (decision === undefined) return;
    const { action } = decision.offers[Math.floor(Math.random() * decision.offers.length)];
    const answer = await told(`/api/games/${id}/messages`, { type: "answer", decision: decision.id, action });
    if (answer.type === "refusal") {
      console.log("refused:", answer.message);
      return;
    }
  }
}

/** The events of the bot's games, one for each line. */
async function* events() {
  let text = "";
  for await (const part of (await ask("/api/me/events")).body.pipeThrough(new TextDecoderStream())) {
    const lines = (text + part).split("\n");
    text = lines.pop();
    for (const line of lines) if (line !== "") yield JSON.parse(line);
  }
}

await ask("/api/me", { name: "Chance in JavaScript" });
await ask("/api/me/bot", {});
const seat = (await told("/api/openings")).openings.find((one) => one.ruleset === game && !one.own);
if (seat) await ask(`/api/openings/${seat.game}/take`, {});
else await ask("/api/openings", { new: { ruleset: game, seats: ["person", "person"], invited: [0] } });
for await (const event of events()) {
  if (event.type === "turn") await play(event.game);
  if (event.type === "over") {
    console.log("over:", (await told(`/api/games/${event.game}`)).over.reason);
    process.exit(0);
  }
}
