import { bounds } from "../bounds.ts";
import { shownPointer } from "../field-errors.ts";
import { isJsonObject, type Json } from "../json.ts";

/** Lone halves of a surrogate pair: text that is no Unicode and that no hash or database keeps. */
const loneSurrogate = /\p{Surrogate}/u;

/**
 * What a name is better without: controls and line breaks, halves of surrogate pairs, annotation
 * marks, and whatever shows nothing or turns the text around it (Unicode's default ignorables, the
 * bidirectional controls among them). Joiners and variation selectors stay: scripts and emoji need
 * them.
 */
const unprintable =
  /[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]|\p{Surrogate}|(?!\p{Join_Control}|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/** A combining mark without a base character, or more marks than any script stacks: they cover their neighbours. */
const stacked = /^\p{M}|\p{M}{7}/u;

/** Takes room and shows nothing: blanks, joiners, variation selectors, the empty Braille cell. */
const blank = /\s|\p{Join_Control}|\p{Variation_Selector}|\u2800/gu;

/**
 * Whether a name can be shown on its own line next to other names without misleading: something visible,
 * nothing hidden, nothing that changes the text around it.
 * @example isPrintable("Llama 3.1 🦙") // true
 * @example isPrintable("a\u202eb") // false
 */
export const isPrintable = (text: string): boolean =>
  text.replace(blank, "") !== "" && !unprintable.test(text) && !stacked.test(text);

const everyUnprintable = new RegExp(unprintable, "gu");
const everyStack = /^\p{M}+|\p{M}{7,}/gu;

/**
 * A name from outside that can't be refused, as `isPrintable` allows it: what a name can't hold becomes U+FFFD, since
 * without a trace the name could be taken for another; blanks around it are left out. Empty where it shows nothing. Linear.
 * @example printableName("a\u202eb") // "a\ufffdb"
 */
export function printableName(text: string): string {
  const marked = text.replace(everyUnprintable, "\ufffd").trim().replace(everyStack, "\ufffd");
  return isPrintable(marked) ? marked : "";
}

/**
 * Path to the first string (or property name) that is not well-formed Unicode; null when all are.
 * Iterative, so that depth doesn't matter. Linear.
 * @example illFormedPath({ a: ["\ud800"] }) // ["a", 0]
 */
export function illFormedPath(value: unknown): PropertyKey[] | null {
  const open: { value: unknown; path: PropertyKey[] }[] = [{ value, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, path } = next;
    if (typeof inner === "string" && loneSurrogate.test(inner)) return path;
    if (typeof inner !== "object" || inner === null) continue;
    for (const [key, child] of Object.entries(inner)) {
      const at = [...path, Array.isArray(inner) ? Number(key) : key];
      if (loneSurrogate.test(key)) return at;
      open.push({ value: child, path: at });
    }
  }
  return null;
}

/** Tags of one sample: each has a table of its own in reports. */
const mostTags = 100;

/** Controls in an id break lists, addresses and databases that end text at NUL. */
const control = /\p{Cc}/u;

/**
 * Why a row of a dataset can't be stored, whatever its suite: text that is not well-formed Unicode, a number that no
 * double holds (1e400), or an id, a tag or a name of a field that is too long. Begins with a JSON pointer, cut where it
 * is long; null where nothing is wrong. Iterative. Linear.
 * @example rowFlaw({ id: "a", price: Infinity }) // "/price is a number beyond the range of doubles"
 */
export function rowFlaw(row: Json): string | null {
  const own = isJsonObject(row) ? (idFlaw(row["id"]) ?? tagsFlaw(row["tags"])) : null;
  return own ?? jsonFlaw(row);
}

/**
 * Why a JSON value can't be stored: half of a surrogate pair, a number that no double holds, or a name that is too
 * long. Begins with a JSON pointer; null where nothing is wrong. Iterative. Linear.
 * @example jsonFlaw({ price: Infinity }) // "/price is a number beyond the range of doubles"
 */
export function jsonFlaw(json: unknown): string | null {
  const open: Place[] = [{ value: json, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const found = valueFlaw(next.value);
    if (found !== null) return `${shownPointer(next.path)} ${found}`;
    for (const inner of placesIn(next)) {
      const ofName = nameFlaw(inner.path.at(-1));
      if (ofName !== null) return `${shownPointer(inner.path)} ${ofName}`;
      open.push(inner);
    }
  }
  return null;
}

/** A value, and where in a row it is. */
interface Place {
  value: unknown;
  path: PropertyKey[];
}

function placesIn({ value, path }: Place): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).map(([name, inner]) => ({
    value: inner,
    path: [...path, isList ? Number(name) : name],
  }));
}

function valueFlaw(value: unknown): string | null {
  if (typeof value === "number" && !Number.isFinite(value)) {
    return "is a number beyond the range of doubles";
  }
  return typeof value === "string" && loneSurrogate.test(value) ? halfPair : null;
}

function nameFlaw(name: PropertyKey | undefined): string | null {
  if (typeof name !== "string") return null;
  if (loneSurrogate.test(name)) return halfPair;
  return name.length > bounds.fieldName ? tooLong("is a name", name, bounds.fieldName) : null;
}

const halfPair = "contains half of a surrogate pair, which is not valid Unicode";

const tooLong = (what: string, text: string, most: number): string =>
  `${what} of ${text.length} characters, but at most ${most} are allowed`;

function idFlaw(id: Json | undefined): string | null {
  if (typeof id !== "string") return null;
  if (id.length > bounds.name) return tooLong("/id is an id", id, bounds.name);
  return control.test(id) ? "/id holds a control character" : null;
}

function tagsFlaw(tags: Json | undefined): string | null {
  if (tags === undefined || !isJsonObject(tags)) return null;
  const entries = Object.entries(tags);
  if (entries.length > mostTags)
    return `/tags are ${entries.length}, more than the ${mostTags} allowed`;
  for (const [name, tag] of entries) {
    const long = [name, tag].find(
      (text): text is string => typeof text === "string" && text.length > bounds.name,
    );
    if (long !== undefined) {
      return `${shownPointer(["tags", name])} ${tooLong("has a text", long, bounds.name)}`;
    }
  }
  return null;
}

/**
 * A JSON value with every lone surrogate replaced by U+FFFD, as UTF-8 would have it. Linear.
 * @example wellFormed("a\ud800") // "a\ufffd"
 */
export function wellFormed<T>(value: T): T {
  if (illFormedPath(value) === null) return value;
  const escaped = JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/gi, "\ufffd");
  return JSON.parse(escaped) as T;
}
