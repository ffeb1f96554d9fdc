import { entriesOf, isBeyond } from "../../stats/bounded.ts";
import type { ErrorsBreakdown } from "./breakdown-parts.ts";
import type { ErrorPattern } from "./diagnosed-field.ts";
import { mostErrors } from "./field-tables.ts";
import type { ExtractionState } from "./state.ts";

type PatternGroup = keyof ErrorsBreakdown["groups"];

/** Source: specification of the extraction suite, section 8. */
export const patternGroups: Readonly<Record<ErrorPattern, PatternGroup>> = {
  ...{ type_coercion_failed: "type", wrong_type: "type" },
  ...{ wrong_nesting: "structure", array_vs_object: "structure" },
  ...{ missing_required_field: "structure", extra_field: "structure" },
  ...{ incomplete_extraction: "boundary", over_extraction: "boundary" },
  ...{ missing_value: "extraction", hallucinated_value: "extraction" },
  ...{ partial_value: "extraction", wrong_value: "extraction" },
};

/** Pairs of pattern and name path that are named. */
const mostCommon = 10;

/**
 * Hallucinations by type and severity, errors by pattern, and the most common of them with the first
 * sample that has each.
 * Source: specification of the extraction suite, section 8.
 * @example errorsBreakdown(state).severity.critical
 */
export function errorsBreakdown({ tallies, fields }: ExtractionState): ErrorsBreakdown {
  const { hallucinations, patterns } = tallies;
  const groups = { type: 0, structure: 0, boundary: 0, extraction: 0 };
  for (const [pattern, count] of Object.entries(patterns) as [ErrorPattern, number][]) {
    groups[patternGroups[pattern]] += count;
  }
  return {
    hallucinations,
    severity: {
      critical: hallucinations.fabricated + hallucinations.wrongValue,
      ...{ moderate: hallucinations.misplaced, minor: hallucinations.surplus },
    },
    total: Object.values(patterns).reduce((sum, count) => sum + count, 0),
    ...{ patterns, groups },
    common: commonErrors(fields.errors),
    dropped: isBeyond(fields.errors, mostErrors),
  };
}

function commonErrors(errors: ExtractionState["fields"]["errors"]): ErrorsBreakdown["common"] {
  return entriesOf(errors, mostErrors)
    .sort(([, a], [, b]) => b.count - a.count)
    .slice(0, mostCommon)
    .map(([key, { count, seq, id }]) => {
      const end = key.indexOf(" ");
      const pattern = key.slice(0, end) as ErrorPattern;
      return { pattern, path: key.slice(end + 1), count, example: { seq, id } };
    });
}
