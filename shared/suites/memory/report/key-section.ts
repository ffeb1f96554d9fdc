import type { ReportSection, StackBlock, Tone } from "../../../contracts/report.ts";
import { claimSources } from "../../../judges/metrics/groundedness.ts";
import { featureBoxes } from "../../../measures/report/charts/feature-boxes.ts";
import { sourceTexts } from "../show/evidence-marks.ts";
import { type ReportFacts, shareBars } from "./report-facts.ts";

/**
 * Memories used, over all samples and sample by sample, and how often.
 * Source: docs/spec/memory.md, metric 1.
 * @example keySection(facts).id // "keys"
 */
export function keySection({ metrics, breakdown: { keys }, points }: ReportFacts): ReportSection {
  const part = (label: string, count: number, tone: Tone, definition: string) => ({
    label,
    count,
    tone,
    definition,
  });
  return {
    id: "keys",
    title: "Memories used",
    intro:
      "A required key that the answer uses is a hit, a forbidden one a false alarm. Neutral and unknown keys count nowhere.",
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
      {
        kind: "stack",
        title: "Keys that count",
        unit: "keys",
        parts: [
          part("Hits", keys.tp, "right", "Required keys that answers use."),
          part("Misses", keys.fn, "missed", "Required keys that answers do not use."),
          part("False alarms", keys.fp, "extra", "Forbidden keys that answers use."),
        ],
      },
      ...featureBoxes("Score of answers by required keys", points, "requiredKeys", {
        label: "Memory citation score",
        format: "percent",
        of: ({ score }) => score,
      }),
    ],
  };
}

/**
 * Claims by source of support.
 * Source: docs/spec/memory.md, metric 2.
 * @example claimSection(facts).id // "claims"
 */
export function claimSection({ metrics, breakdown: { claims } }: ReportFacts): ReportSection {
  const stack: StackBlock = {
    kind: "stack",
    title: "Claims by source",
    unit: "claims",
    parts: claimSources.map((source) => ({
      ...sourceTexts[source],
      count: claims.sources[source],
    })),
  };
  return {
    id: "claims",
    title: "Claims",
    intro:
      "Every claim of an answer, by source of support. Claims are counted from the judge's list, never taken from its own totals.",
    blocks: [stack, shareBars("Groundedness", ["groundedness", "groundedness_macro"], metrics)],
  };
}
