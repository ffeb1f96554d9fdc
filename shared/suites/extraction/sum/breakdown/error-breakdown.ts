import { leftOut } from "../../../../stats/sums/bounded.ts";
import type { ErrorPattern } from "../../score/fields/diagnosed-field.ts";
import { fieldRates } from "../../score/tally.ts";
import type { ExtractionState } from "../state.ts";
import type { ErrorsBreakdown } from "./breakdown-parts.ts";
import {
  crowdsIn,
  type ErrorCount,
  errorRules,
  type FieldTables,
  namesOf,
} from "./field-tables.ts";

type PatternGroup = keyof ErrorsBreakdown["groups"];

/** Source: docs/spec/extraction.md, section 8. */
export const patternGroups: Readonly<Record<ErrorPattern, PatternGroup>> = {
  type_coercion_failed: "type",
  wrong_type: "type",
  wrong_nesting: "structure",
  array_vs_object: "structure",
  missing_required_field: "structure",
  extra_field: "structure",
  incomplete_extraction: "boundary",
  over_extraction: "boundary",
  missing_value: "extraction",
  hallucinated_value: "extraction",
  partial_value: "extraction",
  wrong_value: "extraction",
};

/** Maximum listed pairs of pattern and name path. */
const mostCommon = 10;

/**
 * Hallucinations by severity: fabricated and wrong values, misplaced ones, surplus ones.
 * Source: docs/spec/extraction.md, section 8.
 * @example severityOf(tallies.hallucinations).critical
 */
export function severityOf(
  hallucinations: ExtractionState["tallies"]["hallucinations"],
): ErrorsBreakdown["severity"] {
  return {
    critical: hallucinations.fabricated + hallucinations.wrongValue,
    moderate: hallucinations.misplaced,
    minor: hallucinations.surplus,
  };
}

/**
 * Hallucinations by type and severity, errors by pattern, and the most common errors with their first sample, all for
 * valid outputs; and answers without counted fields.
 * Source: docs/spec/extraction.md, section 8.
 * @example errorsBreakdown(state).severity.critical
 */
export function errorsBreakdown({ tallies, fields }: ExtractionState): ErrorsBreakdown {
  const { hallucinations, patterns } = tallies;
  const groups = { type: 0, structure: 0, boundary: 0, extraction: 0 };
  for (const [pattern, count] of Object.entries(patterns) as [ErrorPattern, number][]) {
    groups[patternGroups[pattern]] += count;
  }
  const total = Object.values(patterns).reduce((sum, count) => sum + count, 0);
  return {
    hallucinations,
    severity: severityOf(hallucinations),
    total,
    patterns,
    groups,
    lost: tallies.lost.byKind,
    salvage: salvageOf(tallies.lost),
    ...pairsOf(fields.errors, total),
  };
}

function salvageOf({ salvage }: ExtractionState["tallies"]["lost"]): ErrorsBreakdown["salvage"] {
  const { answers, fields } = salvage;
  return answers === 0 ? null : { answers, partialF1: fieldRates(fields).partialF1 };
}

/** The most common pairs, the grouped names, and the rest. */
function pairsOf(
  errors: FieldTables["errors"],
  total: number,
): Pick<ErrorsBreakdown, "common" | "crowds" | "left"> {
  const pairs = namesOf(errors, errorRules);
  const crowds = crowdsIn(errors);
  const known = [...pairs.map(([, entry]) => entry), ...crowds.map(({ entry }) => entry)];
  return {
    common: pairs
      .sort(([, a], [, b]) => b.count - a.count)
      .slice(0, mostCommon)
      .map(([key, error]) => ({ ...pairOf(key), ...shown(error) })),
    crowds: crowds
      .sort((a, b) => b.entry.count - a.entry.count)
      .slice(0, mostCommon)
      .map(({ at, side, moreThan, entry }) => ({
        ...(at === null ? { pattern: null, path: "" } : pairOf(at)),
        side,
        moreThan,
        ...shown(entry),
      })),
    left: {
      errors: total - known.reduce((sum, { count }) => sum + count, 0),
      pairs: leftOut(errors.named),
      crowds: Math.max(0, crowds.length - mostCommon),
    },
  };
}

function pairOf(key: string): { pattern: ErrorPattern; path: string } {
  const end = key.indexOf(" ");
  return { pattern: key.slice(0, end) as ErrorPattern, path: key.slice(end + 1) };
}

function shown({ count, seq, id }: ErrorCount) {
  return { count, example: { seq, id } };
}
