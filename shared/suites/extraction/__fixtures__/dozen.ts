import type { ScoredSample } from "../../../contracts/suite.ts";
import type { DiagnosedField } from "../score/fields/diagnosed-field.ts";
import type { ExtractionDetail } from "../score/score.ts";
import { aDiagnosis, answered } from "./answered.ts";

/*
 * Twelve samples, small enough to compute figures by hand:
 *   s0–s4   name and age exact, tags missed:              E 3, P 2, F1 0.8, EQS 0.9
 *   s5      name and age exact, nothing else expected:    E 2, P 2, F1 1,   EQS 1
 *   s6–s8   name partial, age wrong, address.city extra:  E 2, P 3, F1 0.2, EQS 0.15 + 0.1 + 2/15 + 0.1
 *   s9      not JSON: name, age and tags missed;  s10 not valid: name and age missed
 *   s11     timed out: name missed
 * The texts have 200, 300 … 1,300 characters; the outputs 30, but 50 for s6–s8 and 8 for s9.
 */
const same = { tokenF1: 1, levenshtein: 1, containment: 1 };
const exact = { category: "exact", composite: 1, identical: true, typeCorrect: true } as const;
const name = aDiagnosis("name", { ...exact, predictedType: "string", similarity: same });
const number = { expectedType: "number", predictedType: "number" } as const;
const age = aDiagnosis("age", { ...exact, ...number });
const missedName = aDiagnosis("name", { pattern: "missing_required_field" });
const missedAge = aDiagnosis("age", {
  expectedType: "number",
  pattern: "missing_required_field",
});
const missedTags = aDiagnosis("tags", {
  expectedType: "array",
  required: false,
  pattern: "missing_value",
});
const poor: DiagnosedField[] = [
  aDiagnosis("name", {
    category: "partial",
    composite: 0.7,
    typeCorrect: true,
    predictedType: "string",
    similarity: { tokenF1: 0.5, levenshtein: 0.9, containment: 1 },
    pattern: "partial_value",
  }),
  aDiagnosis("age", {
    ...number,
    category: "incorrect",
    composite: 0.2,
    typeCorrect: true,
    hallucination: "wrongValue",
    pattern: "hallucinated_value",
  }),
  aDiagnosis("address.city", {
    category: "spurious",
    typeCorrect: false,
    expectedType: null,
    predictedType: "string",
    required: null,
    hallucination: "fabricated",
    pattern: "extra_field",
  }),
];

const medium = { totalFields: 10, maxDepth: 1, bin: "medium" } as const;
const complex = { totalFields: 20, maxDepth: 3, bin: "complex" } as const;
const timed = (latencyMs: number) => ({
  latencyMs,
  firstByteMs: 40,
  inputTokens: 100,
  outputTokens: 10,
  structuredMode: "json_object" as const,
});
const tags = { lang: "en" };

/** The twelve samples, in order. */
export const dozen: readonly ScoredSample<ExtractionDetail>[] = [
  ...[0, 1, 2, 3, 4].map((seq) =>
    answered(seq, [name, age, missedTags], {
      tags,
      call: { ...timed(100 * (seq + 1)), confidence: 0.95 },
    }),
  ),
  answered(5, [name, age], {
    tags,
    detail: { exactMatch: true },
    call: { ...timed(600), confidence: 0.95 },
  }),
  ...[6, 7, 8].map((seq) =>
    answered(seq, poor, {
      tags,
      complexity: medium,
      detail: { outputChars: 50 },
      call: { ...timed(100 * (seq + 1)), attempts: 2, retries: 1, confidence: 0.45 },
    }),
  ),
  answered(9, [missedName, missedAge, missedTags], {
    tags,
    complexity: complex,
    detail: { valid: false, parse: "failed", outputChars: 8 },
    call: { ...timed(1000), confidence: 0.45 },
  }),
  answered(10, [missedName, missedAge], {
    tags: { lang: "fr" },
    complexity: complex,
    detail: { valid: false },
    call: timed(1100),
  }),
  answered(11, [missedName], {
    tags: { lang: "fr" },
    complexity: complex,
    detail: { valid: false, status: "empty", parse: "failed", outputChars: null },
    call: { attempts: 4, retries: 3, error: { class: "timeout", message: "" } },
  }),
];
