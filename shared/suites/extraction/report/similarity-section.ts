import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import type { ReportFacts } from "./report-facts.ts";

const measures = [
  ["tokenF1", "Words (token F1)"],
  ["levenshtein", "Letters (Levenshtein)"],
  ["containment", "Containment"],
] as const;

/**
 * How close matched strings are: mean, median, histogram.
 * Source: specification of the extraction suite, sections 3 and 7.
 * @example similaritySection(facts).id // "similarity"
 */
export function similaritySection({ breakdown }: ReportFacts): ReportSection {
  const { similarity, matchedStrings, fuzzy } = breakdown.fields;
  const bins = similarity.tokenF1.histogram.length;
  const edge = (k: number) => (k / bins).toFixed(2);
  return {
    id: "similarity",
    title: "Strings",
    intro: `How close ${matchedStrings} strings that both sides have are, and how many come within ${fuzzy.threshold} by Levenshtein (a fuzzy match, in no score).`,
    blocks: [
      ...tableOf(
        "Similarity of matched strings",
        [
          ["measure", "Measure", "text"],
          ["mean", "Mean", "score"],
          ["median", "Median", "score"],
        ],
        measures.map(([id, measure]) => ({
          ...{ measure, mean: similarity[id].mean, median: similarity[id].median },
        })),
      ),
      ...tableOf(
        "Fuzzy matches",
        [
          ["least", "Levenshtein", "text"],
          ["count", "Fuzzy matches", "count"],
          ["strings", "Matched strings", "count"],
          ["rate", "Rate", "percent"],
        ],
        [
          {
            ...{ least: `at least ${fuzzy.threshold}`, count: fuzzy.count },
            ...{ strings: matchedStrings, rate: fuzzy.rate },
          },
        ],
      ),
      ...tableOf(
        "Histogram of similarity",
        [
          ["from", "From", "text"],
          ...measures.map(([id, label]) => [id, label, "count"] as [string, string, "count"]),
        ],
        Array.from({ length: bins }, (_, k) => ({
          from: `${edge(k)}–${edge(k + 1)}`,
          ...Object.fromEntries(measures.map(([id]) => [id, similarity[id].histogram[k] ?? 0])),
        })),
      ),
    ],
  };
}
