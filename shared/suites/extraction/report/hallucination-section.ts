import type { HistogramBlock } from "../../../contracts/report.ts";
import { counted } from "../../../contracts/text/counted.ts";
import {
  asFolded,
  countedParts,
  intervalColumn,
  metricValue,
  noteIf,
  type SectionParts,
  stackOf,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { lostText, lostTotals } from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

const types = [
  ["fabricated", "Fabricated (critical)", "madeUp", "Not expected, and not in the text."],
  ["wrongValue", "Wrong value (critical)", "wrong", "The value is wrong, and not in the text."],
  [
    "misplaced",
    "Misplaced (moderate)",
    "other",
    "Not expected here, though the text has the value.",
  ],
  [
    "surplus",
    "Surplus (minor)",
    "partExtra",
    "A field of a surplus element, or a surplus element of a list of values.",
  ],
] as const;

/**
 * Hallucinations by type and severity, and the rates that count them.
 * Source: docs/spec/extraction.md, section 8.
 * @example hallucinationSection(facts).id // "hallucinations"
 */
export function hallucinationSection({ breakdown, metrics }: ReportFacts): SectionParts {
  return {
    id: "hallucinations",
    title: "Hallucinations",
    intro:
      "Values that should not be there, by origin; the headline rate is a mean over samples and counts an invalid output or a failed request as entirely hallucinated.",
    blocks: [
      stackOf(
        "Hallucinations by type",
        "values",
        countedParts(breakdown.errorAnalysis.hallucinations, types, (pattern) => ({ pattern })),
      ),
      tableOf(
        "Hallucination rates",
        [
          ["of", "Rate", "text"],
          ["value", "Value", "percent", ({ id }) => metricValue(metrics, id)],
          intervalColumn<{ id: string }>(({ id }) => metrics[id]?.interval ?? null, "percent"),
          ["n", "Samples", "count", ({ id }) => metrics[id]?.n ?? 0],
        ],
        [
          { id: "hallucinationRate", of: "Of all outputs (headline)" },
          { id: "hallucinationRateOfValid", of: "Of valid outputs" },
          { id: "criticalHallucinationRate", of: "Critical, of all predicted fields" },
        ],
      ),
      noteIf("Counted as hallucinated", madeUpText(breakdown.errorAnalysis.lost)),
    ],
  };
}

/** How many answers the headline rate counts as entirely hallucinated. */
function madeUpText(lost: ReportFacts["breakdown"]["errorAnalysis"]["lost"]): string {
  const { invalidOutput, failedRequest } = lostTotals(lost);
  const answers = invalidOutput.answers + failedRequest.answers;
  if (answers === 0) return "";
  return `The headline counts ${counted(answers, "answer")} of this run as entirely hallucinated: ${lostText(lost)}.`;
}

const measures = [
  ["tokenF1", "Words (token F1)"],
  ["levenshtein", "Letters (Levenshtein)"],
  ["containment", "Containment"],
] as const;
type Measure = (typeof measures)[number][0];

/**
 * How close matched strings are: histograms, mean, median; null without matched strings.
 * Source: docs/spec/extraction.md, sections 3 and 7.
 * @example similaritySection(facts)?.id // "similarity"
 */
export function similaritySection({ breakdown }: ReportFacts): SectionParts | null {
  const { similarity, matchedStrings, fuzzy } = breakdown.fields;
  if (matchedStrings === 0) return null;
  const rate = fuzzy.rate === null ? "" : ` (${figureText(fuzzy.rate, "percent")})`;
  return {
    id: "similarity",
    title: "Strings",
    intro: `Similarity of ${figureText(matchedStrings, "count")} strings on both sides; ${figureText(fuzzy.count, "count")}${rate} have a Levenshtein similarity of ${fuzzy.threshold} or more, a fuzzy match that affects no score.`,
    blocks: [
      ...measures.map(([id, label]) => histogram(label, similarity[id])),
      asFolded(
        tableOf(
          "Similarity of matched strings",
          [
            ["measure", "Measure", "text", ([, label]) => label],
            ["mean", "Mean", "score", ([id]) => similarity[id].mean],
            ["median", "Median", "score", ([id]) => similarity[id].median],
          ],
          measures,
        ),
      ),
    ],
  };
}

/** Bins that a chart shows together: ten are enough for a shape. */
const together = 2;

function histogram(
  label: string,
  { histogram: counts, mean, median }: ReportFacts["breakdown"]["fields"]["similarity"][Measure],
): HistogramBlock {
  const lines = [
    { x: median, label: "median" },
    { x: mean, label: "mean" },
  ];
  return {
    kind: "histogram",
    title: `Matched strings by ${label}`,
    unit: "strings",
    x: { label, format: "score", scale: "linear" },
    bins: Array.from({ length: Math.ceil(counts.length / together) }, (_, k) => {
      const from = k * together;
      const its = counts.slice(from, from + together);
      return {
        from: from / counts.length,
        to: (from + its.length) / counts.length,
        count: its.reduce((a, b) => a + b, 0),
      };
    }),
    lines: lines.flatMap(({ x, label: name }) => (x === null ? [] : [{ x, label: name }])),
  };
}
