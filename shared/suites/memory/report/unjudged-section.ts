import { type UnjudgedReason, unjudgedReasons } from "../../../contracts/judging/judgment.ts";
import type { NoteBlock, Tone, TreeBlock } from "../../../contracts/report.ts";
import { unjudgedText } from "../../../measures/judging/judge-blocks.ts";
import {
  asBrief,
  asFolded,
  cutTable,
  metricValue,
  note,
  type SectionParts,
  treeParts,
} from "../../../measures/report/charts/blocks.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import type { MemoryBreakdown } from "../sum/breakdown.ts";
import { judgedLabel, type ReportFacts } from "./report-facts.ts";

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
export function unjudgedSection({ metrics, breakdown }: ReportFacts): SectionParts {
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
      asBrief(note("Share unjudged", text)),
      unjudged.length === 0
        ? null
        : [reasonTree(unjudged), asFolded(asBrief(reasonTable(unjudged)))],
      inventedNote(metricValue(metrics, "unsupportedEvidence") ?? 0),
    ],
  };
}

function reasonTree(rows: readonly Row[]): TreeBlock {
  const groups = unjudgedReasons.flatMap((reason) => {
    const its = rows.filter((row) => row.reason === reason);
    const counts = its.map(({ metric, count }) => ({ label: judgedLabel(metric), count }));
    const parts = treeParts(counts, mostParts, "other metrics");
    return parts.length === 0 ? [] : [{ label: unjudgedText[reason], tone: tones[reason], parts }];
  });
  return { kind: "tree", title: "Unjudged values by reason", unit: "values", groups };
}

/** Most first: of a dozen metrics with several reasons each not all are shown. */
const reasonTable = (rows: readonly Row[]) =>
  cutTable(
    "Unjudged by metric",
    [
      ["metric", "Metric", "text", ({ metric }) => judgedLabel(metric)],
      ["reason", "Why", "text", ({ reason }) => unjudgedText[reason]],
      ["count", "Answers", "count"],
      ["share", "Share", "percent"],
    ],
    rows.toSorted((a, b) => b.count - a.count),
  );

function inventedNote(invented: number): NoteBlock | null {
  if (invented === 0) return null;
  const text = `Judges quoted ${figureText(invented, "count")} passages that the answers do not have. They were thrown away.`;
  return note("Invented quotations", text, "fair");
}
