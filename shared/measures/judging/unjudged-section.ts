import { type UnjudgedReason, unjudgedReasons } from "../../contracts/judging/judgment.ts";
import type { Estimates } from "../../contracts/metric.ts";
import type { NoteBlock, Tone, TreeBlock } from "../../contracts/report.ts";
import type { Advice } from "../report/advice/advice.ts";
import { shareAdvice } from "../report/advice/answer-advice.ts";
import {
  asBrief,
  asFolded,
  cutTable,
  metricValue,
  note,
  type SectionParts,
  treeParts,
} from "../report/charts/blocks.ts";
import { figureText } from "../report/figures/figure-text.ts";
import type { UnjudgedRow } from "./breakdown.ts";
import { unjudgedText } from "./judge-blocks.ts";

/** A judged run. */
interface Judged {
  metrics: Estimates;
  breakdown: { unjudged: readonly UnjudgedRow[]; answers: number };
}

/** A metric's label; its id if the label is unknown. */
type LabelOf = (metric: string) => string;

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
 * The section on unjudged values and their reasons.
 * Source: docs/spec/memory.md, judges.
 * @example unjudgedSection(facts, labelOf).id // "unjudged"
 */
export function unjudgedSection({ metrics, breakdown }: Judged, labelOf: LabelOf): SectionParts {
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
        : [reasonTree(unjudged, labelOf), asFolded(asBrief(reasonTable(unjudged, labelOf)))],
      inventedNote(metricValue(metrics, "unsupportedEvidence") ?? 0),
    ],
  };
}

function reasonTree(rows: readonly UnjudgedRow[], labelOf: LabelOf): TreeBlock {
  const groups = unjudgedReasons.flatMap((reason) => {
    const its = rows.filter((row) => row.reason === reason);
    const counts = its.map(({ metric, count }) => ({ label: labelOf(metric), count }));
    const parts = treeParts(counts, mostParts, "other metrics");
    return parts.length === 0 ? [] : [{ label: unjudgedText[reason], tone: tones[reason], parts }];
  });
  return { kind: "tree", title: "Unjudged values by reason", unit: "values", groups };
}

/** Combinations of metric and reason, the most frequent first, because not all are shown. */
const reasonTable = (rows: readonly UnjudgedRow[], labelOf: LabelOf) =>
  cutTable(
    "Unjudged by metric",
    [
      ["metric", "Metric", "text", ({ metric }) => labelOf(metric)],
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

/** Highest acceptable share of unjudged answers. */
const mostUnjudged = 0.05;

/**
 * Advice on the metric with the most missing values, except failed requests, which have their own advice; null if
 * these are few.
 * @example unjudgedAdvice(facts, labelOf)?.change // "judges"
 */
export function unjudgedAdvice(
  { breakdown: { unjudged: rows, answers } }: Pick<Judged, "breakdown">,
  labelOf: LabelOf,
): Advice | null {
  const own = rows.filter(({ reason }) => reason !== "no_answer");
  const countOf = (metric: string) =>
    own.filter((row) => row.metric === metric).reduce((sum, { count }) => sum + count, 0);
  const metrics = [...new Set(own.map(({ metric }) => metric))];
  const [worst] = metrics.sort((a, b) => countOf(b) - countOf(a));
  if (worst === undefined) return null;
  const [most] = own.filter(({ metric }) => metric === worst).sort((a, b) => b.count - a.count);
  const label = labelOf(worst).toLowerCase();
  return shareAdvice({
    tone: "fair",
    change: "judges",
    cell: `Unjudged, ${label}`,
    count: countOf(worst),
    n: answers,
    limit: mostUnjudged,
    finding: `have no judgment of ${label}. Most frequent: ${unjudgedText[most!.reason].toLowerCase()}.`,
    action:
      "Name a fallbackJudge, or another judge for this metric, and judge the stored answers again.",
  });
}
