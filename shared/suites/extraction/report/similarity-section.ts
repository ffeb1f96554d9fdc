import type { HistogramBlock, ReportSection } from "../../../contracts/report.ts";
import { folded, tableOf } from "../../../measures/report/blocks.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import type { ReportFacts } from "./report-facts.ts";

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
export function similaritySection({ breakdown }: ReportFacts): ReportSection | null {
  const { similarity, matchedStrings, fuzzy } = breakdown.fields;
  if (matchedStrings === 0) return null;
  const rate = fuzzy.rate === null ? "" : ` (${figureText(fuzzy.rate, "percent")})`;
  return {
    id: "similarity",
    title: "Strings",
    intro: `How close ${figureText(matchedStrings, "count")} strings that both sides have are. ${figureText(fuzzy.count, "count")} of them${rate} come within ${fuzzy.threshold} by Levenshtein: a fuzzy match, in no score.`,
    blocks: [
      ...measures.map(([id, label]) => histogram(label, similarity[id])),
      ...folded(
        tableOf(
          "Similarity of matched strings",
          [
            ["measure", "Measure", "text"],
            ["mean", "Mean", "score"],
            ["median", "Median", "score"],
          ],
          measures.map(([id, measure]) => ({
            measure,
            mean: similarity[id].mean,
            median: similarity[id].median,
          })),
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
