/** Lessons completed in this browser. */
const KEY = "caltrop.lessons";

export function lessonsDone(): ReadonlySet<string> {
  try {
    return new Set((localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean));
  } catch {
    return new Set();
  }
}

export function keepLesson(ruleset: string, id: string): void {
  try {
    localStorage.setItem(KEY, [...new Set([...lessonsDone(), `${ruleset}/${id}`])].join(" "));
  } catch {
    // Without storage the lesson is not remembered.
  }
}
