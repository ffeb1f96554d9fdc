import { type Judge, type Scale, scales } from "../../contracts/judging/judge.ts";
import type { Estimate } from "../../contracts/metric.ts";
import type { ReportBlock, TableBlock } from "../../contracts/report.ts";
import { metricValue, tableOf } from "../report/charts/blocks.ts";
import { cutTable } from "../report/charts/cut-table.ts";
import { agreementBlocks, type Judged } from "./agreement-blocks.ts";
import type { JudgeRow } from "./breakdown.ts";
import { judgeNotes } from "./judge-notes.ts";
import { judgeName } from "./judge-words.ts";

/**
 * Judges of a run, agreement of panels, and cautions about judges. `things` names the judged items.
 * @example judgeBlocks(tables, judges, "Answers").at(0)?.title
 */
export function judgeBlocks(
  tables: Judged,
  judges: readonly Pick<Judge, "id" | "label" | "scale">[],
  things: string,
): ReportBlock[] {
  const shownOf = (metric: string) =>
    judges.find(({ id }) => id === metric) ?? { label: metric, scale: "ratio" as const };
  const labelOf = (metric: string) => shownOf(metric).label;
  return [
    ...judgeNotes(tables.judges, labelOf),
    ...agreementBlocks(tables, { shownOf, things }),
    cutTable(
      "Judges by metric",
      [
        ["metric", "Metric", "text"],
        ["judge", "Judge", "text"],
        ["scale", "Scale", "text"],
        ["mean", "Mean value", "score"],
        ["judged", "Judged", "count"],
        ["failed", "Failed", "count"],
        ["cached", "Kept from before", "count"],
        ["flags", "Flags", "text"],
      ],
      tables.judges.map((row) => ({
        metric: labelOf(row.metric),
        scale: scaleText(shownOf(row.metric).scale),
        ...judgeRow(row),
      })),
    ),
  ];
}

/** Scales differ from row to row. */
const scaleText = (scale: Scale): string => scales[scale].join("–");

function judgeRow({
  judge,
  mean,
  asked,
  judged,
  cached,
  ...its
}: JudgeRow): TableBlock["rows"][number] {
  const flags = [
    ...(its.simulated ? ["simulated"] : []),
    ...(its.selfPreference ? ["same maker as the model"] : []),
    ...(its.fallback > 0 ? ["used as fallback"] : []),
  ];
  return {
    judge: judgeName(judge),
    mean,
    judged,
    failed: asked - judged,
    cached,
    flags: flags.length === 0 ? null : flags.join(", "),
  };
}

/**
 * What judging took, apart from what the model took.
 * @example judgingTable(metrics)[0]?.title // "Calls, tokens and cost"
 */
export function judgingTable(metrics: Readonly<Record<string, Estimate>>): ReportBlock[] {
  const value = (id: string) => metricValue(metrics, id);
  return tableOf(
    "Calls, tokens and cost",
    [
      ["requests", "Calls", "count"],
      ["cached", "Kept from before", "percent"],
      ["input", "Input tokens", "count"],
      ["output", "Output tokens", "count"],
      ["cost", "Cost", "usd"],
    ],
    [
      {
        requests: value("judgeRequests"),
        cached: value("judgeCachedRate"),
        input: value("judgeInputTokens"),
        output: value("judgeOutputTokens"),
        cost: value("judgeCostUsd"),
      },
    ],
  );
}
