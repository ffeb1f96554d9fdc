import { bounds } from "../bounds.ts";
import { shownPointer } from "../field-errors.ts";
import { isJsonObject, type Json } from "../json.ts";

/** Lone surrogates: not valid Unicode, and changed by hashes and databases. */
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Characters not allowed in names: controls and line breaks, lone surrogates, annotation marks, and whatever is
 * invisible or changes the direction of text (Unicode's default ignorables, including bidirectional controls).
 * Joiners and variation selectors are allowed: scripts and emoji need them.
 */
const unprintable =
  /[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]|\p{Surrogate}|(?!\p{Join_Control}|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/** A combining mark without a base character, or more marks than any script stacks: they overlap other text. */
const stacked = /^\p{M}|\p{M}{7}/u;

/** Characters that have width but show nothing: blanks, joiners, variation selectors, the empty Braille cell. */
const blank = /\s|\p{Join_Control}|\p{Variation_Selector}|\u2800/gu;

/**
 * Whether a name can be shown next to other names without misleading readers: it has visible characters, and no
 * invisible ones or ones that change the text around it.
 * @example isPrintable("Llama 3.1 🦙") // true
 * @example isPrintable("a\u202eb") // false
 */
export const isPrintable = (text: string): boolean =>
  text.replace(blank, "") !== "" && !unprintable.test(text) && !stacked.test(text);

const everyUnprintable = new RegExp(unprintable, "gu");
const everyStack = /^\p{M}+|\p{M}{7,}/gu;

/**
 * Makes a name from outside printable, for names that can't be rejected. Disallowed characters become U+FFFD, because
 * without them the name could look like another; surrounding blanks are removed. Empty if nothing is visible. Linear.
 * @example printableName("a\u202eb") // "a\ufffdb"
 */
export function printableName(text: string): string {
  const marked = text.replace(everyUnprintable, "\ufffd").trim().replace(everyStack, "\ufffd");
  return isPrintable(marked) ? marked : "";
}

/**
 * Path to the first string (or property name) that is not well-formed Unicode; null if there is none. Iterative, so
 * nesting depth is not limited. Linear.
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

/** Maximum number of tags of a sample: reports have a table for each. */
const mostTags = 100;

/** Control characters in an id break lists, addresses, and databases that end text at NUL. */
const control = /\p{Cc}/u;

/**
 * Why a dataset row can't be stored, for any suite: text that is not well-formed Unicode, a number beyond the range
 * of doubles (1e400), or an id, tag or field name that is too long. Begins with a JSON pointer, cut if long; null if
 * the row is valid. Iterative. Linear.
 * @example rowFlaw({ id: "a", price: Infinity }) // "/price is a number beyond the range of doubles"
 */
export function rowFlaw(row: Json): string | null {
  const own = isJsonObject(row) ? (idFlaw(row["id"]) ?? tagsFlaw(row["tags"])) : null;
  return own ?? jsonFlaw(row);
}

/**
 * Why a JSON value can't be stored: a lone surrogate, a number beyond the range of doubles, or a name that is too
 * long. Begins with a JSON pointer; null if the value is valid. Iterative. Linear.
 * @example jsonFlaw({ price: Infinity }) // "/price is a number beyond the range of doubles"
 */
export function jsonFlaw(json: unknown): string | null {
  if (isFlawless(json)) return null;
  const open: Place[] = [{ value: json, name: "", within: null }];
  for (let next = open.pop(); next; next = open.pop()) {
    const found = valueFlaw(next.value);
    if (found !== null) return `${shownPointer(pathOf(next))} ${found}`;
    for (const inner of placesIn(next)) {
      const ofName = nameFlaw(inner.name);
      if (ofName !== null) return `${shownPointer(pathOf(inner))} ${ofName}`;
      open.push(inner);
    }
  }
  return null;
}

/** Whether no value and no name has a flaw: many times faster than the search for its place. Iterative. */
function isFlawless(json: unknown): boolean {
  const open = [json];
  while (open.length > 0) {
    const value = open.pop();
    if (valueFlaw(value) !== null || !areNamesFlawless(value, open)) return false;
  }
  return true;
}

/** Adds the values in `value` to `open`. */
function areNamesFlawless(value: unknown, open: unknown[]): boolean {
  if (typeof value !== "object" || value === null) return true;
  const isList = Array.isArray(value);
  for (const [name, inner] of isList ? value.entries() : Object.entries(value)) {
    if (!isList && nameFlaw(name) !== null) return false;
    open.push(inner);
  }
  return true;
}

/** A value with its name or index and its container; null for the whole. */
interface Place {
  value: unknown;
  name: PropertyKey;
  within: Place | null;
}

function placesIn(place: Place): Place[] {
  const { value } = place;
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).map(([name, inner]) => ({
    value: inner,
    name: isList ? Number(name) : name,
    within: place,
  }));
}

function pathOf(place: Place): PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at = place; at.within !== null; at = at.within) path.push(at.name);
  return path.reverse();
}

function valueFlaw(value: unknown): string | null {
  if (typeof value === "number" && !Number.isFinite(value)) {
    return "is a number beyond the range of doubles";
  }
  return typeof value === "string" && loneSurrogate.test(value) ? halfPair : null;
}

function nameFlaw(name: PropertyKey): string | null {
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
 * Replaces every lone surrogate in a JSON value by U+FFFD, as UTF-8 encoders do. Linear.
 * @example wellFormed("a\ud800") // "a\ufffd"
 */
export function wellFormed<T>(value: T): T {
  if (illFormedPath(value) === null) return value;
  const escaped = JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/gi, "\ufffd");
  return JSON.parse(escaped) as T;
}
