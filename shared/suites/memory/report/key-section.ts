import { claimSources } from "../../../judges/metrics/groundedness.ts";
import { type SectionParts, stackOf } from "../../../measures/report/charts/blocks.ts";
import { featureBoxes } from "../../../measures/report/charts/feature-boxes.ts";
import { sourceTexts } from "../show/evidence-marks.ts";
import { type ReportFacts, shareBars } from "./report-facts.ts";

/**
 * Use of memories: figures over all samples and per sample, and counts.
 * Source: docs/spec/memory.md, metric 1.
 * @example keySection(facts).id // "keys"
 */
export const keySection = ({ metrics, breakdown, points }: ReportFacts): SectionParts => ({
  id: "keys",
  title: "Memories used",
  intro:
    "A required key that the answer uses is a hit, a forbidden one a false alarm. Neutral and unknown keys do not count.",
  blocks: [
    shareBars(
      "Over all samples together, and mean of samples",
      [
        "memory_utilization",
        "memory_precision",
        "memory_recall",
        "memory_utilization_macro",
        "memory_precision_macro",
        "memory_recall_macro",
      ],
      metrics,
    ),
    stackOf("Keys that count", "keys", [
      ["Hits", breakdown.keys.tp, "right", "Required keys that answers use."],
      ["Misses", breakdown.keys.fn, "missed", "Required keys that answers do not use."],
      ["False alarms", breakdown.keys.fp, "extra", "Forbidden keys that answers use."],
    ]),
    featureBoxes("Score of answers by required keys", points, "requiredKeys", {
      label: "Memory citation score",
      format: "percent",
      of: ({ score }) => score,
    }),
  ],
});

/**
 * Claims by source of support.
 * Source: docs/spec/memory.md, metric 2.
 * @example claimSection(facts).id // "claims"
 */
export const claimSection = ({ metrics, breakdown }: ReportFacts): SectionParts => ({
  id: "claims",
  title: "Claims",
  intro:
    "Every claim of an answer, by source of support. Claims are counted from the judge's list, never taken from its own totals.",
  blocks: [
    stackOf(
      "Claims by source",
      "claims",
      claimSources.map((source) => {
        const { label, tone, definition } = sourceTexts[source];
        return [label, breakdown.claims.sources[source], tone, definition];
      }),
    ),
    shareBars("Groundedness", ["groundedness", "groundedness_macro"], metrics),
  ],
});
