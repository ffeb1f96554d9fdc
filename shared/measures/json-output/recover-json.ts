import { jsonrepair } from "jsonrepair";
import { bounds, holdsMoreValues } from "../../contracts/bounds.ts";
import { isJsonObject, type Json } from "../../contracts/json.ts";
import { type Bracketed, bracketed } from "./bracketed.ts";
import { isTooDeep, mayBeTooDeep } from "./nesting.ts";
import { closeTruncated } from "./read-truncated.ts";

/**
 * Limit on repaired characters of one answer, over all attempts: jsonrepair takes quadratic time for unescaped or
 * unclosed quotes, at this length about half a second. About seven times the default token limit.
 */
const maxRepairLength = 65_536;

/** Maximum number of candidates parsed, and repaired: prose has a few, and each costs microseconds. */
const maxCandidates = 1_000;
const maxRepairs = 100;

/** A part of an answer that may be the requested JSON, with the text around it. */
interface Candidate extends Bracketed {
  within: string;
}

/**
 * Finds the JSON in an answer that is not JSON itself. Candidates are the outermost brackets in each Markdown code
 * fence, then those of the whole text. Returns, in this order: the first candidate that is JSON with a property (an
 * object, or an array that contains one); the complete part of the first candidate that begins such JSON and is
 * truncated; the first that a repair turns into such JSON; the first that is JSON; the first with a complete part, or
 * that a repair turns into a non-empty array. So neither `[1]` nor `{schema}` in prose is taken for the answer after
 * it. Undefined if there is none, and if a value is nested deeper than `maxDepth`. At most 1,000 candidates are
 * parsed; of the first 100, at most 65,536 characters are repaired. Never throws.
 * Source: docs/spec/extraction.md, section 1.
 * @example recoverJson('As in [1], it is {"a": 1}.') // { a: 1 }
 */
export function recoverJson(text: string): Json | undefined {
  const usable = candidatesIn([...inFences(text), text]).filter(({ tooDeep }) => !tooDeep);
  const strict = usable.filter(({ closed }) => closed).map(asItStands);
  const whole = strict.find(holdsProperty);
  if (whole !== undefined) return whole;
  const cut = usable.map(cutOff);
  const begun = cut.find(holdsProperty);
  if (begun !== undefined) return begun;
  const repaired = repairs(usable.filter((_, i) => cut[i] === undefined));
  return (
    repaired.find(holdsProperty) ??
    [...strict, ...cut, ...repaired].find((value) => value !== undefined && value !== null)
  );
}

/**
 * The complete part of an unclosed candidate; null if nothing is complete, undefined if it is not the beginning of
 * JSON.
 */
function cutOff({ within, start, closed }: Candidate): Json | null | undefined {
  const text = closed ? undefined : closeTruncated(within.slice(start));
  return typeof text === "string" ? parseJson(text) : text;
}

/**
 * Parses `text`; undefined if it is not JSON, is nested too deep, or has more than `bounds.answerValues` values.
 * @example parseJson("[1]") // [1]
 */
export function parseJson(text: string): Json | undefined {
  if (holdsMoreValues(text, bounds.answerValues)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return mayBeTooDeep(text) && isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The content of each code fence that opens on its own line, up to the closing fence or the end of the text. */
function inFences(text: string): string[] {
  const insides: string[] = [];
  const opening = /^[ \t]*```[^\n`]*\n/gm;
  while (opening.exec(text) !== null) {
    const start = opening.lastIndex;
    const end = text.indexOf("\n```", start - 1);
    insides.push(text.slice(start, end < 0 ? undefined : end));
    if (end < 0) break;
    opening.lastIndex = end + 4;
  }
  return insides;
}

function candidatesIn(texts: readonly string[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const within of texts) {
    for (const piece of bracketed(within)) {
      if (candidates.push({ ...piece, within }) >= maxCandidates) return candidates;
    }
  }
  return candidates;
}

const asItStands = ({ within, start, end }: Candidate): Json | undefined =>
  parseJson(within.slice(start, end));

const holdsProperty = (value: Json | undefined): boolean =>
  Array.isArray(value)
    ? value.some(isJsonObject)
    : value !== undefined && isJsonObject(value) && Object.keys(value).length > 0;

/** Repairs each candidate, up to the limit of characters. */
function repairs(candidates: readonly Candidate[]): (Json | undefined)[] {
  let left = maxRepairLength;
  return candidates.slice(0, maxRepairs).map((candidate, i) => {
    for (const text of readings(candidate, i === 0)) {
      left -= text.length;
      const value = left < 0 ? undefined : repair(text);
      if (value !== undefined) return value;
    }
    return undefined;
  });
}

/**
 * The texts of a candidate to repair. For a truncated one: the complete part, because a repair would invent the rest.
 * For any other: up to its own end; and for the first candidate, whose brackets may be wrong, also up to the last
 * closing bracket of the text (prose may follow), and up to the end of the text.
 */
function readings({ within, start, end, closed }: Candidate, isFirst: boolean): string[] {
  const complete = closed ? undefined : closeTruncated(within.slice(start), true);
  if (complete !== undefined) return complete === null ? [] : [complete];
  const last = Math.max(within.lastIndexOf("}"), within.lastIndexOf("]")) + 1;
  const ends = new Set(isFirst ? [end, ...(last > start ? [last] : []), within.length] : [end]);
  return [...ends].map((one) => within.slice(start, one));
}

/** Repairs a text. Undefined for an empty text, and for several values, which jsonrepair combines into an array. */
function repair(text: string): Json | undefined {
  try {
    const json = jsonrepair(text);
    const lines = `[\n${text[0]}`;
    if (json.startsWith(lines) && !text.startsWith(lines)) return undefined;
    const value = parseJson(json);
    const isFilled = typeof value === "object" && value !== null && Object.keys(value).length > 0;
    return isFilled ? value : undefined;
  } catch {
    return undefined;
  }
}
