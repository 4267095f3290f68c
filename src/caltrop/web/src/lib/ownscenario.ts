/** Return the title of a scenario that is a document instead of the name of a supplied one; empty if the document has
 * no title. */
export function titleOfDocument(scenario: string): string {
  if (/^[a-z0-9-]*$/.test(scenario)) return "";
  try {
    const { title } = JSON.parse(scenario) as { title?: unknown };
    return typeof title === "string" ? title : "";
  } catch {
    return /^title: *["']?(.*?)["']? *$/m.exec(scenario)?.[1] ?? "";
  }
}
