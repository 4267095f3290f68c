/** Random secrets. */
export function drawn(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (n) => n.toString(16).padStart(2, "0")).join("");
}

/** Return a new secret for a seat, stored before it is sent, so that a repeated request sends the same secret. */
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
