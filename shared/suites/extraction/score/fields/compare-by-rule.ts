import type { Json } from "../../../../contracts/json.ts";
import { type Comparison, partialOr } from "./category.ts";
import type { FieldRule } from "./field-rule.ts";
import type { FieldNode } from "./field-tree.ts";

/**
 * Compares two fields by their rule; `usual` compares them without a rule. Values that the rule can't read, such as a
 * text that is not a date, are compared by `usual`.
 * @example compareByRule(field("1 May 2026"), field("2026-05-01"), { compare: "date" }, usual).category // "exact"
 */
export function compareByRule(
  expected: FieldNode,
  predicted: FieldNode,
  rule: FieldRule,
  usual: () => Comparison,
): Comparison {
  const score = scoreBy(expected, predicted, rule);
  const comparison = score === null ? usual() : byScore(score);
  const isByTolerance = rule.compare === "number" && score !== null;
  const isExact =
    rule.threshold === undefined || isByTolerance
      ? comparison.category === "exact"
      : comparison.composite >= rule.threshold;
  if (isExact) return { ...comparison, category: "exact" };
  const category = rule.partial === false ? "incorrect" : partialOr(comparison.composite);
  return { ...comparison, category };
}

/** The similarity by the rule, 0–1; null if the rule does not apply to these values. */
function scoreBy(expected: FieldNode, predicted: FieldNode, rule: FieldRule): number | null {
  const [e, p] = [expected.value, predicted.value];
  switch (rule.compare) {
    case "exact":
      return Number(canonical(e) === canonical(p));
    case "number":
      return numberScore(numberOf(e), numberOf(p), rule);
    case "date":
      return dayScore(dayOf(e), dayOf(p));
    case "list":
      return Array.isArray(e) && Array.isArray(p) ? orderedShare(e, p) : null;
    default:
      return null;
  }
}

const byScore = (composite: number): Comparison => ({
  identical: composite === 1,
  composite,
  category: composite === 1 ? "exact" : partialOr(composite),
  sameType: true,
  similarity: null,
});

const canonical = (value: Json): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === "string" ? one.normalize("NFC") : one,
  );

/** A number, or a text that is a number, also with commas between digit groups. */
function numberOf(value: Json): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  const text = value.trim().replaceAll(/(?<=\d),(?=\d{3}(?:\D|$))/g, "");
  const number = /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function numberScore(e: number | null, p: number | null, rule: FieldRule): number | null {
  if (e === null || p === null) return null;
  const { tolerance = 0, relativeTolerance = 0 } = rule;
  const difference = Math.abs(p - e);
  // 1e-9 covers the error of decimal notation in a double.
  const most = Math.max(tolerance, relativeTolerance * Math.abs(e)) + 1e-9 * Math.abs(e);
  if (difference <= most) return 1;
  return e === 0 ? 0 : Math.max(0, 1 - difference / Math.abs(e));
}

const dayScore = (e: string | null, p: string | null): number | null =>
  e === null || p === null ? null : Number(e === p);

/** Names and abbreviations of months in English, German, French and Spanish, by number − 1. */
export const monthNames: readonly (readonly string[])[] = [
  ["january", "jan", "januar", "jänner", "janvier", "janv", "enero", "ene"],
  ["february", "feb", "februar", "février", "févr", "fév", "febrero"],
  ["march", "mar", "märz", "mär", "mars", "marzo"],
  ["april", "apr", "avril", "avr", "abril", "abr"],
  ["may", "mai", "mayo"],
  ["june", "jun", "juni", "juin", "junio"],
  ["july", "jul", "juli", "juillet", "juil", "julio"],
  ["august", "aug", "août", "agosto", "ago"],
  ["september", "sept", "sep", "septembre", "septiembre"],
  ["october", "oct", "oktober", "okt", "octobre", "octubre"],
  ["november", "nov", "novembre", "noviembre"],
  ["december", "dec", "dezember", "dez", "décembre", "déc", "diciembre", "dic"],
];

/** Notations of a day, each with the positions of year, month and day; without 03/04/2026, which is ambiguous. */
const dayForms = [
  {
    form: /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[t ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)? ?(?:z|[-+]\d{2}:?\d{2})?)?$/,
    order: [1, 2, 3],
  },
  { form: /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, order: [3, 2, 1] },
  {
    form: /^(\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?: of| de)? (\p{L}{3,10})\.?,?(?: de)? (\d{4})$/u,
    order: [3, 2, 1],
  },
  { form: /^(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u, order: [3, 1, 2] },
] as const;

/** The day of a date as ISO 8601; null for any other value. */
function dayOf(value: Json): string | null {
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  for (const { form, order } of dayForms) {
    const found = form.exec(text);
    if (found === null) continue;
    const [year, month, day] = order.map((place) => found[place] ?? "");
    const named = monthNames.findIndex((names) => names.includes(month ?? "")) + 1;
    const number = named || Number(month);
    const date = new Date(Date.UTC(Number(year), number - 1, Number(day)));
    if (date.getUTCMonth() !== number - 1 || date.getUTCDate() !== Number(day)) return null;
    return `${year}-${`${number}`.padStart(2, "0")}-${(day ?? "").padStart(2, "0")}`;
  }
  return null;
}

/** Length of the longest common subsequence of two lists, as a share of the longer list. O(n·m), at most 10⁶ steps. */
function orderedShare(a: readonly Json[], b: readonly Json[]): number | null {
  if (a.length * b.length > 1e6) return null;
  if (a.length === 0 && b.length === 0) return 1;
  const [rows, columns] = [a.map(canonical), b.map(canonical)];
  let before = new Uint32Array(columns.length + 1);
  for (const row of rows) {
    const now = new Uint32Array(columns.length + 1);
    for (const [j, column] of columns.entries()) {
      now[j + 1] = row === column ? before[j]! + 1 : Math.max(now[j]!, before[j + 1]!);
    }
    before = now;
  }
  return before[columns.length]! / Math.max(a.length, b.length);
}
