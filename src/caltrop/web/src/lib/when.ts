/** Return in words how long ago something was. */
export function ago(when: number, now: number = Date.now()): string {
  const minutes = Math.round((now - when) / 60_000);
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (minutes < 60) return words.format(-minutes, "minute");
  if (minutes < 60 * 36) return words.format(-Math.round(minutes / 60), "hour");
  return words.format(-Math.round(minutes / 1440), "day");
}
