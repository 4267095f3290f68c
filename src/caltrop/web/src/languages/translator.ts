/**
 * Translates English sentences. The keys of a catalog are the sentences of the sources, as templates with named values:
 * `Order the {unit}`. A sentence is looked up as it is; then as a template with values, which are translated in turn;
 * then in its parts. Text without a key, such as a name, stays as it is.
 *
 * `{falls|fall}` in a key is a verb in both its forms; `{unit|units}` alone is a noun. A translation of a noun has a
 * form for each plural category of the language, in the order of `Intl.PluralRules`, separated by `|`. In a
 * translation, `{units:kann|können}` is such a list. The number in the value `units` chooses from it.
 *
 * Keys of requests and files stay as they are. A translation marks values that hold such keys with `!`, as in
 * `{join!}`. A field at fault at the beginning of a refusal is left alone too.
 */
export type Catalog = Readonly<Record<string, string>>;
export type Translate = (text: string) => string;

interface Template {
  /** Number of letters of the key outside its values. Of two matching keys, the one with more letters fits better. */
  weight: number;
  /** True if a template has so few words of its own that its values may not be parts of sentences. */
  weak: boolean;
  /** True if the last value stands after a colon, and may be any text. */
  endsFree: boolean;
  fits: RegExp;
  /** Runs of values with no text between them: the numbers of the first and the last value. */
  touching: [number, number][];
  names: string[];
  translation: string;
}

const HOLE = /\{([^{}]*)\}/g;
/** Punctuation and blanks at the ends of a part of a sentence. */
const ENDS = /^([ ,;:.()\n]*)(.*?)([ ,;:.()\n]*)$/s;
const WORDS = /[a-z][a-z'’]*/gi;
/** End of a value in the genitive, as in `{name}'s wound`: in a text it is a part of the name. */
const GENITIVE = /\}['’]\w+/g;
/** Separators at which a text is split into parts, the largest parts first. */
const SEAMS = ["(?<=[.?!]) |; |: | · ", " \\(", ", ", " and | or "];
/** Signs between or after sentences, which a value does not contain. */
const ENDED = /[;.?!] |[,;:]$/;
/** The values of a weak template have no commas and colons either. */
const PARTED = /[,;:.?!] |[,;:]$/;
const NAME = /^(?:[A-Z][\w'’-]*|\d+)$/;
const NUMBER = /^([-−+]?\d[\d.,]*) (.+)$/;
/** A name with a number before or behind it: `1st Squad`, `Brigand 3`. */
const ORDINAL = /^(\d+)(?:st|nd|rd|th) (.+)$/;
const COUNTED = /^(.+) (\d+)$/;
/** The field at fault at the beginning of a refusal, as in `units[2].kind: there is no such key`. */
const FIELD = /^([a-z][\w-]*(?:\.[\w-]+|\[\d+\])*: )(?=(?:[a-z'"`]\S*|[-\d.]+ is) \S+ \S)/;
/** Marks around a value until two adjacent values are separated by a blank. */
const SLOT = "\u0000";
/** Largest number of words that are divided among adjacent values. */
const MOST_WORDS = 14;
/** Number of cached translations, so that each text on a page is looked up once. */
const KEPT = 4000;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function templateOf(key: string, translation: string): Template {
  const names: string[] = [];
  const source = key.split(/(\{[^{}]*\})/).map((part) => {
    if (!part.startsWith("{")) return escaped(part);
    const inner = part.slice(1, -1);
    if (inner.includes("|")) return `(?:${inner.split("|").map(escaped).join("|")})`;
    names.push(inner);
    return "(.*?)";
  });
  const literal = key.replace(HOLE, (hole) => /^\{([^{}|]*)\|/.exec(hole)?.[1] ?? "");
  const touching: [number, number][] = [];
  let place = -1;
  for (const [run] of key.matchAll(/(?:\{[^{}|]+\} ?)+/g)) {
    const length = run.match(/\{/g)?.length ?? 0;
    if (length > 1) touching.push([place + 1, place + length]);
    place += length;
  }
  return {
    weight: literal.length,
    weak: (literal.match(/[a-z]{2,}/gi)?.length ?? 0) < 3,
    endsFree: /: \{[^{}]*\}$/.test(key),
    fits: new RegExp(`^${source.join("")}$`, "i"),
    touching,
    names,
    translation,
  };
}

/**
 * Return the function that translates into a language.
 *
 * `ordinal` writes a number before a name, as in `1st Squad`.
 */
export function translator(
  catalog: Catalog,
  language: string,
  ordinal: (number: number) => string = (number) => `${number}.`,
): Translate {
  const exactly = new Map<string, string>();
  /** Sentences in lower case, for texts that begin with a capital letter or do not. */
  const whole = new Map<string, [string, string]>();
  const nouns = new Map<string, string[]>();
  /** Translations of the singular and the plural of each noun, for a noun without a number. */
  const nounForms = new Map<string, string>();
  const templates = new Map<string, Template[]>();
  const counts = new Map<string, number>();
  const wordsOf = (key: string): string[] => [
    ...new Set(
      (
        key
          .replace(GENITIVE, "}")
          .replace(HOLE, (hole) => (hole.includes("|") ? hole : " "))
          .match(WORDS) ?? []
      ).map((word) => word.toLowerCase()),
    ),
  ];
  /** Beginnings of keys that look like a field at fault. */
  const beginnings = new Set(Object.keys(catalog).map((key) => /^[a-z][\w-]*: /.exec(key)?.[0]));
  const entries = Object.entries(catalog).filter(([, translation]) => translation !== "");
  for (const [key] of entries) for (const word of wordsOf(key)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [key, translation] of entries) {
    const noun = /^\{([^{}|]+)\|([^{}|]+)\}$/.exec(key);
    if (noun) {
      const [one = "", several = ""] = noun.slice(1).map((form) => form.toLowerCase());
      const forms = translation.split("|");
      for (const form of [one, several]) nouns.set(form, forms);
      nounForms.set(several, forms.at(-1) ?? "").set(one, forms[0] ?? "");
      continue;
    }
    if (!key.includes("{")) {
      exactly.set(key, translation);
      whole.set(key.toLowerCase(), [key, translation]);
      continue;
    }
    // The key is found by its rarest word, in any form of the word.
    const plain = wordsOf(key.replace(/\{[^{}]*\|[^{}]*\}/g, " "));
    const rarest =
      plain.length > 0
        ? [plain.reduce((one, other) => ((counts.get(other) ?? 0) < (counts.get(one) ?? 0) ? other : one))]
        : wordsOf(key);
    const template = templateOf(key, translation);
    for (const word of rarest) templates.set(word, [...(templates.get(word) ?? []), template]);
  }
  /** Blanks that an empty value leaves behind. French writes a blank before some signs. */
  const loose = language === "fr" ? /^ +| +(?=[ ,.)]|$)/g : /^ +| +(?=[ ,;:.)?!]|$)/g;
  const rules = new Intl.PluralRules(language);
  const { pluralCategories } = rules.resolvedOptions();

  /** Return the form for a number, or for the first number in a text. */
  const formFor = (text: string, forms: string[]): string => {
    const number = /[-−]?\d+(\.\d+)?/.exec(text)?.[0] ?? (/^(an?|one)\b/i.test(text) ? "1" : "2");
    return (
      forms[pluralCategories.indexOf(rules.select(Math.abs(Number(number.replace("−", "-")))))] ?? forms.at(-1) ?? ""
    );
  };

  /** Return the templates with a word of a text, those with more words of their own first. */
  const possible = (text: string): Template[] =>
    [...new Set((text.match(WORDS) ?? []).flatMap((word) => templates.get(word.toLowerCase()) ?? []))].sort(
      (one, other) => other.weight - one.weight,
    );
  /** Return whether a text fits a template with more words than a weak one. */
  const fitsStrongly = (text: string, weight: number): boolean =>
    possible(text).some((one) => !one.weak && one.weight > weight && one.fits.test(text));
  /**
   * Return whether a part of a text is a sentence with its own translation, longer than the words of a weak template.
   */
  const holdsSentence = (text: string, weight: number): boolean =>
    [...text.matchAll(new RegExp(SEAMS[0] ?? "", "g"))].some(({ index, 0: between }) =>
      [text.slice(0, index), text.slice(index + between.length)].some(
        (part) =>
          part.length > weight && part.includes(" ") && (whole.has(part.toLowerCase()) || fitsStrongly(part, weight)),
      ),
    );

  const numbered = (text: string): string | null => {
    const parts = NUMBER.exec(text);
    const forms = parts?.[2] === undefined ? undefined : nouns.get(parts[2].toLowerCase());
    if (!parts || !forms) return null;
    return `${parts[1]} ${formFor(parts[1] ?? "", forms)}`;
  };

  const filled = (text: string, onlyWeak: boolean): string | null => {
    for (const { endsFree, fits, names, touching, translation, weak, weight } of possible(text)) {
      const values = weak === onlyWeak ? fits.exec(text) : null;
      if (!values) continue;
      const within = values.slice(1, endsFree ? -1 : undefined);
      if (within.some((value) => (weak ? PARTED : ENDED).test(value))) continue;
      if (weak && !endsFree && holdsSentence(text, weight)) continue;
      for (const [first, last] of touching) parted(values, first + 1, last + 1);
      const sentence = translation.replace(HOLE, (_, hole: string) => {
        const [name = "", forms] = hole.replace(/!$/, "").split(":");
        // A value that the key does not have would be the whole text, and would be translated without end.
        if (!names.includes(name)) return hole;
        const value = values[names.indexOf(name) + 1] ?? "";
        if (hole.endsWith("!")) return `${SLOT}${value}${SLOT}`;
        return forms === undefined ? `${SLOT}${translate(value)}${SLOT}` : formFor(value, forms.split("|"));
      });
      return sentence.replaceAll(`${SLOT}${SLOT}`, " ").replaceAll(SLOT, "").replace(/ {2,}/g, " ").replace(loose, "");
    }
    return null;
  };

  /** Translate a name, or a noun in one of its forms. */
  const word = (text: string): string | undefined =>
    whole.get(text.toLowerCase())?.[1] ?? nounForms.get(text.toLowerCase());
  const ordinalName = (text: string): string | null => {
    const [, number, name] = ORDINAL.exec(text) ?? [];
    const noun = name === undefined ? undefined : word(name);
    return noun === undefined ? null : `${ordinal(Number(number))} ${noun}`;
  };
  /** Return the translations of the parts of a text, the longest parts first; null if a word is unknown. */
  const pieces = (words: string[]): string[] | null => {
    if (words.length === 0) return [];
    for (let end = words.length; end > 0; end -= 1) {
      const part = words.slice(0, end).join(" ");
      const first = word(part) ?? numbered(part) ?? ordinalName(part) ?? (end === 1 && NAME.test(part) ? part : null);
      const rest = first === null ? null : pieces(words.slice(end));
      if (first !== null && rest !== null) return [/^[A-Z]/.test(part) ? capital(first) : first, ...rest];
    }
    return null;
  };
  /** Translate a text of names, verbs and numbers only, as in `Alliance Light Tanks` or `Briar walks 4 inches`. */
  const joined = (text: string): string | null => {
    const words = text.split(" ");
    const parts = words.length > MOST_WORDS ? null : pieces(words);
    return parts === null || parts.every((part, i) => part === words[i]) ? null : parts.join(" ");
  };
  const named = (text: string): string | null => {
    const together = joined(text);
    const [, number, name] = ORDINAL.exec(text) ?? [];
    if (together === null && number !== undefined && name !== undefined)
      return `${ordinal(Number(number))} ${translate(name)}`;
    const [, called, count] = COUNTED.exec(text) ?? [];
    const exact = called === undefined ? undefined : word(called);
    return exact === undefined ? together : `${exact} ${count}`;
  };

  const certainty = (text: string): number => {
    if (text === "") return 0;
    if (word(text) !== undefined || numbered(text) !== null || named(text) !== null) return 2;
    return filled(text, false) !== null || filled(text, true) !== null ? 1 : 0;
  };
  /** Divide the words among adjacent values so that as many as possible are known. */
  const parted = (values: string[], first: number, last: number): void => {
    const words = values
      .slice(first, last + 1)
      .join(" ")
      .trim()
      .split(/ +/);
    if (words.length > MOST_WORDS) return;
    const best = (from: number, places: number): [number, string[]] => {
      const rest = words.slice(from).join(" ");
      if (places === 1) return [certainty(rest) * (words.length - from), [rest]];
      let division: [number, string[]] = [-1, []];
      for (let to = from; to <= words.length; to += 1) {
        const part = words.slice(from, to).join(" ");
        const [after, parts] = best(to, places - 1);
        const score = after + certainty(part) * (to - from);
        if (score >= division[0]) division = [score, [part, ...parts]];
      }
      return division;
    };
    const [score, parts] = best(0, last - first + 1);
    if (score > 0) parts.forEach((part, i) => (values[first + i] = i > 0 && part ? ` ${part}` : part));
  };

  const inParts = (text: string): string => {
    // Translate the longest beginning or ending that is a sentence by itself.
    const divisions = SEAMS.flatMap((seam) => [...text.matchAll(new RegExp(seam, "g"))])
      .flatMap(({ index, 0: between }) => {
        const beginning = text.slice(0, index);
        const ending = text.slice(index + between.length);
        return [
          { between, part: beginning, rest: ending, isFirst: true },
          { between, part: ending, rest: beginning, isFirst: false },
        ];
      })
      .sort((one, other) => other.part.length - one.part.length);
    for (const { between, part, rest, isFirst } of divisions) {
      const sentence = inOne(part);
      if (sentence === null) continue;
      return isFirst ? sentence + joint(between) + translate(rest) : translate(rest) + joint(between) + sentence;
    }
    return text;
  };
  const joint = (between: string): string =>
    between.replace(/^ (and|or) $/, (_, word: string) => ` ${translate(word)} `);

  /** Return the translation of a text that matches a key as a whole; null if no key does. */
  const inOne = (text: string): string | null => {
    const same = exactly.get(text);
    if (same !== undefined) return same;
    const exact = whole.get(text.toLowerCase());
    if (exact) return /^[a-z]/.test(exact[0]) && /^[A-Z]/.test(text) ? capital(exact[1]) : exact[1];
    const form = nounForms.get(text.toLowerCase());
    if (form !== undefined) return /^[A-Z]/.test(text) ? capital(form) : form;
    const field = FIELD.exec(text)?.[1];
    if (field !== undefined && !beginnings.has(field)) return field + translate(text.slice(field.length));
    const translation = numbered(text) ?? filled(text, false) ?? named(text) ?? filled(text, true);
    return translation !== null && /^[A-Z]/.test(text) ? capital(translation) : translation;
  };

  const memory = new Map<string, string>();
  function translate(text: string): string {
    if (!/[a-z]{2}/i.test(text)) return text;
    let translation = memory.get(text);
    if (translation === undefined) {
      const [, before = "", middle = "", after = ""] = ENDS.exec(text.replace(/\s+/g, " ")) ?? [];
      translation = before + (inOne(middle) ?? inParts(middle)) + after;
      if (memory.size >= KEPT) memory.clear();
      memory.set(text, translation);
    }
    return translation;
  }
  return translate;
}
