import { jsonrepair } from "jsonrepair";
import { bounds, holdsMoreValues } from "../../contracts/bounds.ts";
import { isJsonObject, type Json } from "../../contracts/json.ts";
import { type Bracketed, bracketed } from "./bracketed.ts";
import { isTooDeep, mayBeTooDeep } from "./nesting.ts";
import { closeTruncated } from "./read-truncated.ts";

/**
 * Characters of one answer that are repaired, all attempts together: jsonrepair takes quadratic time
 * if quotes are unescaped or never close, here about half a second. Some seven times what fits the
 * default token limit.
 */
const maxRepairLength = 65_536;

/** Most candidates read, and most repaired: prose has a few, and each costs microseconds. */
const maxCandidates = 1_000;
const maxRepairs = 100;

/** A part of an answer that may be the JSON asked for, with the text around it. */
interface Candidate extends Bracketed {
  within: string;
}

/**
 * The JSON in an answer that is not JSON itself. Candidates are the outermost brackets in each Markdown
 * code fence, then those of the whole text. Of these it is, in this order: the first that is JSON and
 * holds a property (an object, or an array with one in it); what is complete of the first that is the beginning
 * of such JSON, cut off; the first that a repair makes so; the first that is JSON; the first of which anything
 * is complete, or that a repair makes a non-empty array. So neither `[1]` nor `{schema}` in the prose is taken
 * for the answer behind it. Undefined where there is none, and where a value nests deeper than `maxDepth`.
 * At most 1,000 candidates are read, and of the first 100 at most 65,536 characters repaired. Never throws.
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

/** The complete part of an unclosed candidate; null if nothing is complete, undefined if it does not begin as JSON. */
function cutOff({ within, start, closed }: Candidate): Json | null | undefined {
  const text = closed ? undefined : closeTruncated(within.slice(start));
  return typeof text === "string" ? parseJson(text) : text;
}

/**
 * The JSON value of `text`; undefined where it is none, nested too deep or of more than `bounds.answerValues` values.
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

/** The inside of each code fence that opens on a line of its own, to its end or the text's. */
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

/** Each candidate repaired, up to the limit of characters. */
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
 * What to repair of a candidate. One that was cut off: what is complete, since repair would make up the rest. Any
 * other: up to its own end; of the first of an answer, whose brackets may be wrong, also up to the text's last
 * closing bracket, before what may be prose, and up to the text's end.
 */
function readings({ within, start, end, closed }: Candidate, isFirst: boolean): string[] {
  const complete = closed ? undefined : closeTruncated(within.slice(start), true);
  if (complete !== undefined) return complete === null ? [] : [complete];
  const last = Math.max(within.lastIndexOf("}"), within.lastIndexOf("]")) + 1;
  const ends = new Set(isFirst ? [end, ...(last > start ? [last] : []), within.length] : [end]);
  return [...ends].map((one) => within.slice(start, one));
}

/** Undefined also for what is empty, and for several values, which jsonrepair makes an array of lines. */
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
