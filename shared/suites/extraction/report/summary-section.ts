import type { ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { brief } from "../../../measures/report/blocks.ts";
import { intervalNote } from "../../../measures/report/interval-basis.ts";
import { standingBlocks } from "../../../measures/report/standing-blocks.ts";
import { eqsBands } from "../sum/breakdown/verdict.ts";
import { comparedFigures } from "./compared-figures.ts";
import { componentBlocks } from "./component-blocks.ts";
import type { ReportFacts } from "./report-facts.ts";
import { verdictBlocks } from "./verdict-blocks.ts";

/**
 * EQS on its scale and in its components, what it is good enough for, which thresholds are met, and which
 * parts stand out.
 * Source: docs/spec/extraction.md, sections 5 to 7.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): ReportSection {
  const { metrics, breakdown } = facts;
  const eqs = metrics["eqs"];
  return {
    id: "summary",
    title: "Summary",
    intro:
      "How good the extraction is as a whole, and what that is good enough for. EQS and its components are means over all samples; an invalid output has 0 in each. Parts are compared by partial F1, groups of samples by EQS and exact match, too.",
    blocks: [
      ...brief<ReportBlock>([
        {
          kind: "gauge",
          title: "EQS",
          min: 0,
          max: 1,
          format: "score",
          value: eqs?.value ?? null,
          interval: eqs?.interval ?? null,
          zones: eqsBands.map((band) => ({ ...band })),
        },
      ]),
      ...verdictBlocks(facts),
      ...intervalNote(breakdown.units),
      ...componentBlocks(facts),
      ...standingBlocks(comparedFigures(facts)),
    ],
  };
}
