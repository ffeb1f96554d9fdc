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

/** Maximum metrics per reason that have their own area; the table has more. */
const mostParts = 5;

const tones: Readonly<Record<UnjudgedReason, Tone>> = {
  no_answer: "kind0",
  no_judge: "kind1",
  no_such_model: "failed",
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
      : `${figureText(rate ?? 0, "percent")} of all values are missing. They are left out of means; each metric's coverage shows the share judged.`;
  return {
    id: "unjudged",
    title: "Unjudged",
    intro: "A missing value is left out, never invented.",
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

/** Most frequent first: not all combinations of metric and reason are shown. */
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
  const text = `Judges quoted ${figureText(invented, "count")} passages that are not in the answers. They were dropped.`;
  return note("Invented quotations", text, "fair");
}
