import type { NoteBlock, ReportSection } from "../../../contracts/report.ts";
import { slotAccuracy } from "../../../judges/metrics/slot-accuracy.ts";
import { judgeBlocks, judgingTable } from "../../../measures/judging/judge-blocks.ts";
import { whyUnjudged } from "../../../measures/judging/judge-words.ts";
import { brief, metricBars } from "../../../measures/report/blocks.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import { slotsMetrics } from "../metrics.ts";
import type { SlotsBreakdown } from "../sum/breakdown.ts";
import { type ReportFacts, steps } from "./report-facts.ts";

/**
 * What judges say of stored values, who they are, and what judging took; null where a run was not judged.
 * Source: docs/spec/slots.md, LLM judge score.
 * @example judgeSection(facts)?.id // "judge"
 */
export function judgeSection({ metrics, breakdown }: ReportFacts): ReportSection | null {
  const isJudged = breakdown.judges.length > 0 || (metrics["judgeScore"]?.n ?? 0) > 0;
  if (!isJudged && breakdown.unjudged.length === 0) return null;
  const bars = metricBars("Judge score", ["judgeScore"], metrics, {
    catalogue: slotsMetrics,
    steps,
  });
  return {
    id: "judge",
    title: "Judge score",
    intro:
      "How far a judge, which sees the session, finds the value stored in each expected slot to mean the expected one; a missed slot is 0. Judges answer at temperature 0, by a fixed prompt whose hash is kept with every judgment.",
    blocks: [
      ...brief([bars]),
      ...unjudgedNote(breakdown),
      ...judgeBlocks(breakdown, [slotAccuracy], "Slots"),
      // Of judgments made elsewhere nobody knows what they took.
      ...((metrics["judgeRequests"]?.n ?? 0) > 0 ? judgingTable(metrics) : []),
    ],
  };
}

function unjudgedNote({ unjudged }: SlotsBreakdown): NoteBlock[] {
  if (unjudged.length === 0) return [];
  const share = unjudged.reduce((sum, row) => sum + row.share, 0);
  const why = unjudged.map(({ reason, count }) => `${whyUnjudged[reason]} (${count})`).join("; ");
  const text = `${figureText(share, "percent")} of the expected slots that were stored have no judgment. ${why}. No value was made up: a session with such a slot is left out of the judge score, and the coverage says so.`;
  return brief([{ kind: "note", title: "Unjudged slots", tone: "fair", text }]);
}
