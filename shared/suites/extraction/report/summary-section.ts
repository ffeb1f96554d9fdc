import type { NoteBlock, ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { brief, metricValue } from "../../../measures/report/blocks.ts";
import { standingBlocks } from "../../../measures/report/standing-blocks.ts";
import type { ExtractionBreakdown } from "../breakdown.ts";
import { eqsBands } from "../verdict.ts";
import { componentBlocks } from "./component-blocks.ts";
import type { ReportFacts } from "./report-facts.ts";
import { standingCells } from "./standing-cells.ts";
import { verdictBlocks } from "./verdict-blocks.ts";

/**
 * EQS on its scale and in its components, what it is good enough for, which thresholds are met, and which
 * parts stand out.
 * Source: specification of the extraction suite, sections 5 to 7.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): ReportSection {
  const { metrics, breakdown } = facts;
  const eqs = metrics["eqs"];
  return {
    id: "summary",
    title: "Summary",
    intro:
      "How good the extraction is as a whole, and what that is good enough for. EQS and its components are means over all samples; an invalid output has 0 in each. Parts are compared by partial F1.",
    blocks: [
      ...brief<ReportBlock>([
        {
          ...{ kind: "gauge", title: "EQS", min: 0, max: 1, format: "score" },
          ...{ value: eqs?.value ?? null, interval: eqs?.interval ?? null },
          zones: eqsBands.map((band) => ({ ...band })),
        },
        ...verdictBlocks(breakdown, eqs),
        ...resamplingNote(breakdown),
      ]),
      ...componentBlocks(facts),
      ...standingBlocks(standingCells(breakdown), {
        ...{ label: "Partial F1", value: metricValue(metrics, "partialF1"), format: "score" },
      }),
    ],
  };
}

/** Said wherever something else than single samples is resampled. */
function resamplingNote({ units, clusters }: ExtractionBreakdown): NoteBlock[] {
  if (units.kind === "samples") return [];
  const text =
    clusters === null
      ? `A run of this size is kept in ${units.count} random groups of samples: intervals resample these, percentiles of time are within 0.1%, and paired comparisons go by group.`
      : `Intervals resample the ${clusters} clusters that samples belong to, since samples of one cluster are not independent.`;
  return [{ kind: "note", title: "Intervals", tone: "neutral", text }];
}
