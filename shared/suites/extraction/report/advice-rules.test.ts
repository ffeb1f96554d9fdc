import { describe, expect, test } from "vitest";
import type { Estimate } from "../../../contracts/metric.ts";
import type { Advice } from "../../../measures/report/advice/advice.ts";
import { dozen } from "../__fixtures__/dozen.ts";
import { defaultOptions, type ExtractionOptions } from "../options.ts";
import { breakdownSchema, type ExtractionBreakdown } from "../sum/breakdown/breakdown.ts";
import type { CellFigures } from "../sum/breakdown/breakdown-parts.ts";
import { addAnswer, noAnswers } from "../sum/state.ts";
import { summarize } from "../sum/summarize.ts";
import { extractionAdvice } from "./advice-rules.ts";
import type { ReportFacts } from "./report-facts.ts";

const run = { runId: "r", options: defaultOptions, prices: null, wallMs: null };
const { metrics, breakdown } = summarize(dozen.reduce(addAnswer, noAnswers()), run);

interface Change {
  values?: Readonly<Record<string, number | null>>;
  intervals?: Readonly<Record<string, [number, number]>>;
  breakdown?: Partial<ExtractionBreakdown>;
  options?: Partial<ExtractionOptions>;
}

const good: Readonly<Record<string, number>> = {
  eqs: 0.95,
  validity: 1,
  hallucinationRate: 0.01,
  hallucinationRateOfValid: 0.01,
  partialF1: 0.9,
  partialPrecision: 0.9,
  partialRecall: 0.9,
  latencyP95: 500,
  successRate: 1,
  parseFailureRate: 0,
  schemaFailureRate: 0,
};
const parsed = breakdownSchema.parse(breakdown);
const cellOf = (part: Partial<CellFigures>): CellFigures => ({
  ...parsed.fields.byType[0]!,
  interval: [0.3, 0.5],
  standing: "below",
  partialF1: 0.4,
  n: 30,
  expected: 30,
  ...part,
});

/** A perfect run of 200 answers, with these changes. */
function factsOf({ values = {}, intervals = {}, options = {}, ...change }: Change): ReportFacts {
  const known = { ...good, ...values };
  const estimates = Object.keys({ ...metrics, ...known }).map((id): [string, Estimate] => {
    const value = known[id] ?? null;
    const interval = intervals[id] ?? (value === null ? null : [value - 0.01, value + 0.01]);
    return [id, { value, interval, n: 200, coverage: 1 }];
  });
  const fields = { ...parsed.fields, byType: [], byPath: [], byComplexity: [] };
  return {
    metrics: Object.fromEntries(estimates),
    points: null,
    timeline: null,
    options: { ...defaultOptions, ...options },
    breakdown: {
      ...parsed,
      fields,
      samples: 200,
      answers: 200,
      truncated: 0,
      refused: 0,
      empty: 0,
      errors: {},
      structuredModes: { json_schema: 200 },
      recommendation: "deploy without human review",
      ...change.breakdown,
    },
  };
}

const fieldsWith = (
  part: Partial<ExtractionBreakdown["fields"]>,
): Partial<ExtractionBreakdown> => ({
  fields: { ...parsed.fields, byType: [], byPath: [], byComplexity: [], ...part },
});

/** The complex bin with figures given by their intervals, and with the errors of its samples. */
const binsWith = (
  figures: Readonly<Record<string, [number, number]>>,
  patterns: ExtractionBreakdown["complexity"]["bins"][number]["patterns"] = {},
  n = 40,
  invalidFields = 0,
): Partial<ExtractionBreakdown> => ({
  complexity: {
    ...parsed.complexity,
    bins: [
      {
        ...parsed.complexity.bins[0]!,
        name: "complex",
        n,
        patterns,
        lost: {
          ...parsed.complexity.bins[0]!.lost!,
          offSchema: { answers: 1, fields: invalidFields },
        },
        figures: Object.fromEntries(
          Object.entries(figures).map(([id, interval]) => [
            id,
            { value: (interval[0] + interval[1]) / 2, interval },
          ]),
        ),
      },
    ],
  },
});

test("extractionAdvice() is empty for a perfect run", () => {
  expect(extractionAdvice(factsOf({}))).toEqual([]);
});

const invalid = { validity: 0.9, schemaFailureRate: 0.08, parseFailureRate: 0.02 };

test.each<[string, Change, Partial<Advice>, RegExp, RegExp]>([
  [
    "outputs without an enforced schema",
    { values: invalid, breakdown: { structuredModes: { json_object: 150, json_schema: 50 } } },
    { change: "mode", tone: "poor", cell: "Schema validity, whole run", value: 0.9, n: 200 },
    /^Schema validity is 90\.0%; “Good” is 98\.0% or more\. 2\.0% of the answers are not JSON, 8\.0%/,
    /^The schema was not enforced for 150 of 200 answers \(json_object: 150\)/,
  ],
  [
    "invalid answers made elsewhere with an unknown mode",
    { values: invalid, breakdown: { structuredModes: {} } },
    { change: "mode", cell: "Schema validity, whole run" },
    /^Schema validity/,
    /^No answer is known to have an enforced/,
  ],
  [
    "outputs that violate an enforced schema",
    { values: { ...invalid, validity: 0.96 } },
    { change: "prompt", tone: "fair" },
    /^Schema validity is 96\.0%/,
    /name required properties/,
  ],
  [
    "outputs that are not JSON",
    { values: { ...invalid, parseFailureRate: 0.09, schemaFailureRate: 0.01 } },
    { change: "prompt" },
    /9\.0% of the answers are not JSON/,
    /only the JSON/,
  ],
  [
    "answers that were cut off",
    { breakdown: { truncated: 20 } },
    { change: "parameters", tone: "poor", cell: "Cut off answers, whole run", value: 0.1, n: 200 },
    /^20 of 200 answers \(10\.0%\) were cut off/,
    /^Raise maxTokens above 2,048/,
  ],
  [
    "refusals and empty answers",
    { breakdown: { refused: 7, empty: 1 } },
    { change: "prompt", value: 0.04, n: 200 },
    /^8 of 200 answers \(4\.0%\) contain no output, and score 0: 7 refused, 1 empty\.$/,
    /system prompt/,
  ],
  [
    "requests that timed out",
    { values: { successRate: 0.97 }, breakdown: { errors: { network: 1, timeout: 5 } } },
    { change: "parameters", tone: "poor", cell: "Success rate, whole run" },
    /The most frequent failure: timeout \(5\)/,
    /more time/,
  ],
  [
    "answers that were not submitted",
    { values: { successRate: 0.97 }, breakdown: { errors: { not_submitted: 6 } } },
    { change: "data" },
    /not_submitted/,
    /every sample/,
  ],
  [
    "requests that failed for another reason",
    { values: { successRate: 0.992 }, breakdown: { errors: { invalid_response: 2 } } },
    { change: "parameters", tone: "fair" },
    /invalid_response \(2\)/,
    /names the interface/,
  ],
  [
    "invented fields",
    {
      values: { hallucinationRateOfValid: 0.12 },
      breakdown: {
        errorAnalysis: {
          ...parsed.errorAnalysis,
          hallucinations: { fabricated: 9, wrongValue: 50, misplaced: 3, surplus: 1 },
        },
      },
    },
    { change: "prompt", tone: "poor", value: 0.12 },
    /^12\.0% of the fields of valid outputs were not asked for; .* 9 of them are not in the text\.$/,
    /leave out/,
  ],
  [
    "surplus elements",
    {
      values: { hallucinationRateOfValid: 0.06 },
      breakdown: {
        errorAnalysis: {
          ...parsed.errorAnalysis,
          hallucinations: { fabricated: 1, wrongValue: 0, misplaced: 3, surplus: 7 },
        },
      },
    },
    { change: "prompt", tone: "fair" },
    /7 of them belong to surplus elements/,
    /element of each list/,
  ],
  [
    "a recall clearly below precision",
    { values: { partialRecall: 0.8 } },
    { change: "prompt", cell: "Partial recall, whole run", value: 0.8 },
    /^The model omits more than it invents: recall 0\.800, precision 0\.900/,
    /every field/,
  ],
  [
    "a precision clearly below recall",
    { values: { partialPrecision: 0.8 } },
    { change: "prompt", cell: "Partial precision, whole run", value: 0.8 },
    /^The model gives more than the text says/,
    /explicitly/,
  ],
  [
    "a weak path",
    {
      breakdown: {
        ...fieldsWith({ byPath: [cellOf({ name: "to", missed: 18, incorrect: 1, partial: 0 })] }),
        errorAnalysis: {
          ...parsed.errorAnalysis,
          common: [
            { pattern: "missing_value", path: "to", count: 18, example: { seq: 4, id: "s4" } },
          ],
        },
      },
    },
    { change: "prompt", cell: "Partial F1 of “to”", value: 0.4, interval: [0.3, 0.5], n: 30 },
    /^“to” is clearly weaker .*\(0\.400 against 0\.900\).* missing value \(18, first in sample s4\)\.$/,
    /that “to” is required/,
  ],
  [
    "a weak type without a weak path",
    {
      breakdown: fieldsWith({
        byType: [cellOf({ name: "number", missed: 0, incorrect: 12, partial: 0, spurious: 0 })],
      }),
    },
    { change: "prompt", cell: "Partial F1 of each field of type number" },
    /^Each field of type number/,
    /^Describe each field of type number/,
  ],
  [
    "complex schemas",
    { breakdown: fieldsWith({ byComplexity: [cellOf({ name: "complex" })] }) },
    { change: "data", cell: "Partial F1 of complex schemas", value: 0.4 },
    /\(0\.400 against 0\.900\)/,
    /Split such schemas/,
  ],
  [
    "repeats that differ",
    { values: { outputConsistency: 0.7 }, options: { temperature: 0.8 } },
    { change: "parameters", cell: "Output consistency, whole run", value: 0.7 },
    /^Only 70\.0%/,
    /which was 0\.8/,
  ],
  [
    "a slow model",
    { values: { latencyP95: 6000 } },
    { change: "model", tone: "poor", cell: "Latency p95, whole run", value: 6000 },
    /^Latency p95 is 6,000\u202fms; “Good” is 2,000\u202fms or less\.$/,
    /smaller model/,
  ],
  [
    "latency that correlates with output length",
    {
      values: { latencyP95: 3000 },
      breakdown: {
        complexity: {
          ...parsed.complexity,
          correlations: parsed.complexity.correlations.map((one) =>
            one.id === "latencyByOutput" ? { ...one, r: 0.91 } : one,
          ),
        },
      },
    },
    { change: "parameters", tone: "fair" },
    /\(r = 0\.91\)/,
    /fewer fields/,
  ],
  [
    "a useless run",
    { values: { eqs: 0.5 }, breakdown: { recommendation: "not recommended" } },
    { change: "model", tone: "poor", cell: "EQS, whole run", value: 0.5 },
    /^EQS 0\.500 with a hallucination rate of 1\.0%/,
    /leaderboard/,
  ],
  [
    "few exact matches despite a good EQS",
    {
      values: { exactMatch: 0.15 },
      breakdown: {
        errorAnalysis: {
          ...parsed.errorAnalysis,
          common: [
            { pattern: "partial_value", path: "a", count: 90, example: { seq: 4, id: "s4" } },
          ],
        },
      },
    },
    { change: "prompt", cell: "Exact match, whole run", value: 0.15, n: 200 },
    /^Only 15\.0% of the outputs equal the expected one in every value, though EQS is 0\.950\.$/,
    /^Correct the most common error first: partial value at “a” \(90, first in sample s4\)/,
  ],
  [
    "complex schemas with a low EQS",
    { breakdown: binsWith({ eqs: [0.6, 0.8] }, { missing_value: 31 }) },
    { change: "prompt", cell: "EQS, schemas: complex", value: 0.7, interval: [0.6, 0.8], n: 40 },
    /^EQS is lowest for schemas: complex: 0\.700 against 0\.950 for the whole run\. Most frequent there: missing value \(31\)\.$/,
    /how to avoid the error “missing value”/,
  ],
  [
    "complex schemas whose most frequent error is invalid output",
    { breakdown: binsWith({ eqs: [0.6, 0.8] }, { missing_value: 31 }, 40, 354) },
    { change: "prompt", cell: "EQS, schemas: complex" },
    /Most frequent there: invalid output \(354\)\.$/,
    /say what is required\.$/,
  ],
  [
    "outputs that are most often invalid for complex schemas",
    {
      values: invalid,
      breakdown: { ...binsWith({ validity: [0.6, 0.8] }), structuredModes: {} },
    },
    { change: "mode", cell: "Schema validity, whole run", n: 200 },
    /do not fit the schema\. Worst for schemas: complex, 70\.0% \(95% interval 60\.0–80\.0%, n = 40\): start there\.$/,
    /^No answer/,
  ],
  [
    "an interval that is too wide",
    { intervals: { eqs: [0.8, 1] } },
    { change: "data", tone: "neutral", cell: "EQS, whole run", interval: [0.8, 1] },
    /±0\.100/,
    /about 800 would bring/,
  ],
])("extractionAdvice() on %s", (_, change, expected, finding, action) => {
  const items = extractionAdvice(factsOf(change));
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject(expected);
  expect(items[0]?.finding).toMatch(finding);
  expect(items[0]?.action).toMatch(action);
});

describe("extractionAdvice()", () => {
  test.each<[string, Change]>([
    ["truncated answers whose rate may be below 1%", { breakdown: { truncated: 4 } }],
    ["refusals whose rate may be below 1%", { breakdown: { refused: 4 } }],
    ["a weak bin with few samples", { breakdown: binsWith({ eqs: [0.6, 0.8] }, {}, 19) }],
    ["a bin that may be as good as the whole run", { breakdown: binsWith({ eqs: [0.8, 0.96] }) }],
    ["a low exact match together with a low EQS", { values: { exactMatch: 0.1, eqs: 0.8 } }],
    ["inconsistent repeats at temperature 0", { values: { outputConsistency: 0.7 } }],
    ["intervals that overlap", { values: { partialRecall: 0.885 } }],
    [
      "parts that do not differ from the whole",
      {
        breakdown: fieldsWith({
          byPath: [cellOf({ standing: "level" })],
          byComplexity: [cellOf({ name: "complex", standing: null })],
        }),
      },
    ],
    ["a low success rate without known failures", { values: { successRate: 0.5 } }],
    ["nothing measured", { values: Object.fromEntries(Object.keys(good).map((id) => [id, null])) }],
  ])("gives no advice on %s", (_, change) => {
    expect(extractionAdvice(factsOf(change))).toEqual([]);
  });

  test("blames truncation, not the mode, if most invalid answers are truncated", () => {
    const facts = factsOf({ values: invalid, breakdown: { truncated: 16, structuredModes: {} } });
    expect(extractionAdvice(facts).map(({ change }) => change)).toEqual(["parameters"]);
  });

  test("names the three weak paths with the most expected fields", () => {
    const byPath = [5, 50, 10, 20].map((expected) => cellOf({ name: `p${expected}`, expected }));
    const items = extractionAdvice(factsOf({ breakdown: fieldsWith({ byPath }) }));
    expect(items.map(({ cell }) => cell)).toEqual(
      ["p50", "p20", "p10"].map((name) => `Partial F1 of “${name}”`),
    );
  });
});
