/** The person at this browser, across games: a key drawn here, and the server's data about its owner. */
import { ask, post, ownGames, Unanswered } from "../wire/api";
import type { CodeView, Me, PeopleView, TakenSeat, WaysView } from "../wire/shapes";
import { drawn } from "./secret";
import { keepGame, knownGame, knownGames } from "./seats";
import { setOwnName } from "./settings.svelte";

const KEY = "caltrop.me";
let me = $state.raw<Me | null>(null);

/** Return the key of this browser; empty if nobody has chosen a name at this browser. */
export function ownKey(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Return the server's data about this browser's person; null if unknown. */
export function whoIAm(): Me | null {
  return me;
}

function keep(next: Me): Me {
  me = next;
  setOwnName(next.name);
  return next;
}

/** Return a name that tells this browser from a person's other browsers. */
function browserWords(): string {
  const agent = navigator.userAgent;
  const name = /Firefox/.test(agent)
    ? "Firefox"
    : /Edg/.test(agent)
      ? "Edge"
      : /Chrome/.test(agent)
        ? "Chrome"
        : /Safari/.test(agent)
          ? "Safari"
          : "Browser";
  const system = /Android/.test(agent)
    ? "Android"
    : /iPhone|iPad/.test(agent)
      ? "iOS"
      : /Windows/.test(agent)
        ? "Windows"
        : /Mac/.test(agent)
          ? "macOS"
          : "Linux";
  return `${name} on ${system}`;
}

/** Ask the server for the person of this browser. */
export async function lookAtMe(): Promise<Me | null> {
  if (ownKey() === "") return null;
  try {
    return keep(await ask<Me>("api/me", [ownKey()]));
  } catch (error) {
    // Another browser of the person has removed this browser.
    if (error instanceof Unanswered && error.status === 401) localStorage.removeItem(KEY);
    return (me = null);
  }
}

/** Choose a name, or change it. */
export async function be(name: string): Promise<Me> {
  const key = ownKey() || `me-${drawn()}`;
  localStorage.setItem(KEY, key);
  return keep(await post<Me>("api/me", { name, browser: browserWords() }, [key]));
}

/** Send a request as the person of this browser. */
export function asMe<T>(path: string, body: unknown = {}): Promise<T> {
  return post<T>(path, body, [ownKey()]);
}

/** Send a change of the person's data, and keep the answer. */
export async function changeMe(path: string, body: unknown = {}): Promise<Me> {
  return keep(await asMe<Me>(path, body));
}

/** Return a code that adds another browser to this person. */
export function carryCode(): Promise<CodeView> {
  return asMe("api/me/code");
}

/** Add this browser to the person of a code from another browser. */
export async function carryOver(code: string): Promise<Me> {
  const key = ownKey() || `me-${drawn()}`;
  const identity = await post<Me>("api/me/carry", { code, browser: browserWords() }, [key]);
  localStorage.setItem(KEY, key);
  return keep(identity);
}

// Passkeys.

/** Return whether this page may ask for passkeys, which need a host name instead of an IP address. */
export function canPasskey(): boolean {
  return (
    isSecureContext &&
    "credentials" in navigator &&
    "parseCreationOptionsFromJSON" in PublicKeyCredential &&
    !/^[\d.]+$|:/.test(location.hostname)
  );
}

/** Make a passkey with which this person can sign in at other browsers. */
export async function makePasskey(): Promise<Me> {
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(await asMe("api/me/passkey/begin"));
  const made = (await navigator.credentials.create({ publicKey: options })) as PublicKeyCredential;
  return changeMe("api/me/passkey", { credential: made.toJSON() });
}

/** Sign in as the person of a passkey. */
export async function signIn(): Promise<Me> {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(await post("api/passkey/begin", {}));
  const passkey = (await navigator.credentials.get({ publicKey: options })) as PublicKeyCredential;
  const key = ownKey() || `me-${drawn()}`;
  const next = await post<Me>("api/passkey", { credential: passkey.toJSON(), browser: browserWords() }, [key]);
  localStorage.setItem(KEY, key);
  return keep(next);
}

/** Delete this person on the server. The games of this browser stay. */
export async function forgetMe(): Promise<void> {
  await asMe("api/me/forget");
  localStorage.removeItem(KEY);
  me = null;
}

/**
 * Link the seat that is played at this browser with the person. Several seats belong to several people, and are not
 * linked.
 */
export async function claimMine(id: string): Promise<void> {
  const game = knownGame(id);
  const [seat, ...more] = Object.entries(game?.tokens ?? {});
  const key = ownKey();
  if (key === "" || game === undefined || game.mine === key || seat === undefined || more.length > 0 || seat[1] === key)
    return;
  await post(`api/games/${id}/mine`, {}, [key, seat[1]]);
  keepGame({ id, mine: key });
}

/** Add the games of this person to the list of this browser, including games from other browsers. */
export async function bringGames(): Promise<void> {
  const key = ownKey();
  if (key === "") return;
  const seats = new Set(
    knownGames()
      .filter((game) => Object.keys(game.tokens).length > 0)
      .map((game) => game.id),
  );
  for (const game of (await ownGames([key])).reverse()) {
    const [side] = game.sides;
    if (seats.has(game.game) || side === undefined) continue;
    keepGame({
      id: game.game,
      ruleset: game.ruleset,
      title: game.title,
      tokens: { [side]: key },
      mine: key,
      over: game.over,
      seen: Date.parse(game.at) || Date.now(),
    });
  }
}

/** Join a table where this person has a seat that this browser does not know yet, as in a tournament. */
export async function findSeat(id: string): Promise<void> {
  if (ownKey() !== "" && Object.keys(knownGame(id)?.tokens ?? {}).length === 0)
    await bringGames().catch(() => undefined);
}

/** Ask how this person is notified about a game. */
export function waysOf(id: string): Promise<WaysView> {
  return ask(`api/games/${id}/ways`, [ownKey()]);
}

/** Choose the ways of notification for a game: all ways (null), or these. */
export function chooseWays(id: string, ways: WaysView["ways"]): Promise<WaysView> {
  return asMe(`api/games/${id}/ways`, { ways });
}

/** Return the people of a game, for its players. */
export function peopleOf(id: string): Promise<PeopleView> {
  return ask(`api/games/${id}/people`, Object.values(knownGame(id)?.tokens ?? {}));
}

const MUTED = "caltrop.muted";

/** Return the people whose chat is hidden in this browser. */
export function mutedHere(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(MUTED) ?? "[]");
    return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Hide the chat of a person in this browser, or show it again. Return the people whose chat is hidden. */
export function setMuted(person: string, on: boolean): string[] {
  const next = [...mutedHere().filter((one) => one !== person), ...(on ? [person] : [])];
  localStorage.setItem(MUTED, JSON.stringify(next));
  return next;
}

/** Take a seat that belongs to this person from now on. */
export function sitDown(seat: TakenSeat): void {
  keepGame({
    id: seat.game,
    ruleset: seat.ruleset,
    title: seat.title,
    tokens: { [seat.side]: ownKey() },
    mine: ownKey(),
  });
  location.assign(seat.game);
}

// Web push.

/** Return whether this browser can receive web push on this page. */
export function canPush(): boolean {
  return isSecureContext && "serviceWorker" in navigator && "PushManager" in globalThis;
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Register this browser for web push. */
export async function pushHere(vapid: string): Promise<Me> {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("Notifications are blocked in this browser");
  await navigator.serviceWorker.register("push.js");
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytes(vapid),
  });
  const { endpoint, keys } = subscription.toJSON();
  return changeMe("api/me/push", { endpoint, p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" });
}

/** Return the address at which this browser receives web push; empty if it does not. */
export async function pushedHere(): Promise<string> {
  if (!canPush()) return "";
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription())?.endpoint ?? "";
}

/** Stop web push to this browser. */
export async function pushNoMore(): Promise<Me | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return me;
  await subscription.unsubscribe();
  return changeMe("api/me/push/drop", { endpoint: subscription.endpoint });
}
