import type { ReportSection, StackBlock } from "../../../contracts/report.ts";
import { claimSources } from "../../../judges/metrics/groundedness.ts";
import { sourceTexts } from "../show/source-texts.ts";
import { type ReportFacts, shareBars } from "./report-facts.ts";

/**
 * Claims by what bears them out.
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
      "Every claim of an answer, by what bears it out. Counts are those of the listed claims, never the judge's own.",
    blocks: [stack, shareBars("Groundedness", ["groundedness", "groundedness_macro"], metrics)],
  };
}
