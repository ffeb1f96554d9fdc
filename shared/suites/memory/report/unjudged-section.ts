import { type UnjudgedReason, unjudgedReasons } from "../../../contracts/judging/judgment.ts";
import type { NoteBlock, ReportSection, Tone, TreeBlock } from "../../../contracts/report.ts";
import { unjudgedText } from "../../../measures/judging/judge-blocks.ts";
import { asBrief, asFolded, metricValue } from "../../../measures/report/charts/blocks.ts";
import { cutTable } from "../../../measures/report/charts/cut-table.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import type { MemoryBreakdown } from "../sum/breakdown.ts";
import { judgedLabel, note, type ReportFacts } from "./report-facts.ts";

type Row = MemoryBreakdown["unjudged"][number];

/** Metrics of a reason that have an area of their own; the table behind it has more. */
const mostParts = 5;

const tones: Readonly<Record<UnjudgedReason, Tone>> = {
  no_answer: "kind0",
  no_judge: "kind1",
  judge_failed: "kind2",
  judge_refused: "kind3",
  invalid_judgment: "kind4",
  not_given: "kind5",
};

/**
 * What was not judged, and why.
 * Source: docs/spec/memory.md, judges.
 * @example unjudgedSection(facts).id // "unjudged"
 */
export function unjudgedSection({ metrics, breakdown }: ReportFacts): ReportSection {
  const { unjudged, answers } = breakdown;
  const rate = metricValue(metrics, "unjudgedRate");
  const text =
    unjudged.length === 0
      ? `Every metric was judged for all of ${answers} answers.`
      : `${figureText(rate ?? 0, "percent")} of all values are missing. They enter no mean; each metric's coverage says how much of the run it rests on.`;
  return {
    id: "unjudged",
    title: "Unjudged",
    intro: "A value that no judge gave is left out, and never made up.",
    blocks: [
      ...asBrief([note("Share unjudged", text)]),
      ...reasonTree(unjudged),
      ...(unjudged.length === 0 ? [] : asFolded(asBrief([reasonTable(unjudged)]))),
      ...inventedNote(metricValue(metrics, "unsupportedEvidence") ?? 0),
    ],
  };
}

function reasonTree(rows: readonly Row[]): TreeBlock[] {
  if (rows.length === 0) return [];
  const groups = unjudgedReasons.flatMap((reason) => {
    const its = rows
      .filter((row) => row.reason === reason)
      .map(({ metric, count }) => ({ label: judgedLabel(metric), count }))
      .sort((a, b) => b.count - a.count);
    if (its.length === 0) return [];
    const rest = its.slice(mostParts).reduce((sum, { count }) => sum + count, 0);
    const parts = its.slice(0, mostParts);
    if (rest > 0) parts.push({ label: "other metrics", count: rest });
    return [{ label: unjudgedText[reason], tone: tones[reason], parts }];
  });
  return [{ kind: "tree", title: "Unjudged values by reason", unit: "values", groups }];
}

/** Most first: of a dozen metrics with several reasons each not all are shown. */
function reasonTable(rows: readonly Row[]) {
  return cutTable(
    "Unjudged by metric",
    [
      ["metric", "Metric", "text"],
      ["reason", "Why", "text"],
      ["count", "Answers", "count"],
      ["share", "Share", "percent"],
    ],
    [...rows]
      .sort((a, b) => b.count - a.count)
      .map(({ metric, reason, count, share }) => ({
        metric: judgedLabel(metric),
        reason: unjudgedText[reason],
        count,
        share,
      })),
  );
}

function inventedNote(invented: number): NoteBlock[] {
  if (invented === 0) return [];
  const text = `Judges quoted ${figureText(invented, "count")} passages that the answers do not have. They were thrown away.`;
  return [note("Invented quotations", text, "fair")];
}
