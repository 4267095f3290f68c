/** The symbols of dice without pips, in a box from -10 to 10, which differ by shape alone. */
import { silhouette, SILHOUETTES, type Silhouette } from "./silhouettes";

const OWN: Readonly<Record<string, Silhouette>> = {
  vehicle: { ...silhouette("medium"), words: "vehicle" },
  "god-machine": { ...silhouette("walker-heavy"), words: "God Machine" },
  target: {
    words: "target",
    path: "M0 -2.2 a2.2 2.2 0 1 0 0.01 0 Z",
    line: "M0 -6.4 A6.4 6.4 0 1 0 0.01 -6.4 M0 -10 V-6.4 M0 10 V6.4 M-10 0 H-6.4 M10 0 H6.4",
    width: 2,
  },
  retreat: {
    words: "retreat",
    path: "M-9.4 1.6 L-2.6 -5 V8.2 Z",
    line: "M-3 1.6 H3.4 Q8 1.6 8 -2.6 Q8 -7 3.4 -7 H1",
    width: 3,
  },
};

/** Return the symbol of a face by its name; null if there is none, so that the name is written. */
export function symbol(name: string): Silhouette | null {
  return OWN[name] ?? SILHOUETTES[name] ?? null;
}

/** Return a face in words, or its number if the dice have pips. */
export function faceWords(face: number, faces: readonly string[]): string {
  const name = faces[face - 1];
  return name === undefined ? String(face) : (symbol(name)?.words ?? name.replaceAll("-", " "));
}
