import type { MatchRules } from "../composite.ts";
import type { Hallucination } from "../fields/diagnosed-field.ts";
import { errorPattern, type FieldError, isPlaceholder } from "./error-pattern.ts";
import type { TextEvidence } from "./evidence.ts";
import { movedValues } from "./moved-values.ts";

/**
 * Fills in, for each field that is not exact, how a wrong value came about and which pattern the
 * error has. Errors of one sample belong together: a value missed here and spurious there is one error.
 * Source: docs/spec/extraction.md, section 8.
 * @example diagnose(matches.errors, new TextEvidence(sample.text, rules), rules)
 */
export function diagnose(
  errors: readonly FieldError[],
  text: TextEvidence,
  rules: MatchRules,
): void {
  for (const error of errors) {
    error.field.hallucination = hallucinationOf(error, text) ?? error.field.hallucination;
  }
  const moved = movedValues(errors, isFree, rules);
  for (const error of errors) error.field.pattern = errorPattern(error, moved.has(error), rules);
}

function hallucinationOf({ field }: FieldError, text: TextEvidence): Hallucination | null {
  if (field.category === "spurious") {
    if (field.excess) return "surplus";
    return text.holds(field.predicted!) ? "misplaced" : "fabricated";
  }
  return field.category === "incorrect" && !text.holds(field.predicted!) ? "wrongValue" : null;
}

/** Whether a spurious field can be the other half of a missed one. */
function isFree({ clash, predicted }: FieldError): boolean {
  return clash === null && !isPlaceholder(predicted!.value);
}
