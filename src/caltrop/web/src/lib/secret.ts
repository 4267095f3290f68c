/** A secret drawn by chance. */
export function drawn(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (n) => n.toString(16).padStart(2, "0")).join("");
}

/**
 * A secret that this browser draws for a seat, kept before it is sent: a request whose answer was lost is the same
 * again.
 */
export function secretFor(what: string): string {
  const key = `caltrop.claim.${what}`;
  try {
    const secret = localStorage.getItem(key) ?? drawn();
    localStorage.setItem(key, secret);
    return secret;
  } catch {
    return drawn();
  }
}
