import type { RadarBlock, ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { brief } from "../../../measures/report/blocks.ts";
import { intervalNote } from "../../../measures/report/interval-basis.ts";
import { metricRadar } from "../../../measures/report/metric-radar.ts";
import { barsOfParts } from "../../../measures/report/part-interval.ts";
import { type StandingCell, standingBlocks } from "../../../measures/report/standing-blocks.ts";
import { toneGauge } from "../../../measures/report/tone-gauge.ts";
import { toolsMetrics } from "../metrics.ts";
import { type Level, levels } from "../sample.ts";
import { timeScore } from "../total-score.ts";
import { bars, levelLabels, note, type ReportFacts, steps } from "./report-facts.ts";

const headline = toolsMetrics[0]!;

/**
 * The total on its scale and by level, what it is made of, and which levels and tags differ from the whole.
 * Source: specification of the tools suite, metrics.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): ReportSection {
  const { metrics, breakdown, options } = facts;
  const present = breakdown.levels.map(({ level }) => level);
  const formula = breakdown.levels
    .map(({ level, weight }) => `${weight.toFixed(2)} · ${level}`)
    .join(" + ");
  const levelBars = barsOfParts(
    bars(
      "Levels",
      present.map((level) => `${level}Score`),
      metrics,
    ),
  );
  return {
    id: "summary",
    title: "Summary",
    intro: `Total = ${formula || "nothing, without samples"}. A level is 0.60 · mean F1 + 0.15 · time score + 0.25 · on-device ratio; the time score falls from 1 to 0 at a mean latency of ${options.timeBaselineMs} ms.`,
    blocks: [
      ...brief<ReportBlock>([toneGauge(headline, metrics["total"], steps), levelBars]),
      ...intervalNote(breakdown.units),
      ...missingNote(present),
      radar(facts),
      ...standingBlocks(cellsOf(facts), {
        ...{ label: "Mean F1", value: metrics["avgF1"]?.value ?? null, format: "score" },
      }),
    ],
  };
}

/** Irrelevance where the dataset has samples for which no call is right. */
function radar({ metrics, options }: ReportFacts): RadarBlock {
  const share = (ms: number) => timeScore(ms / options.timeBaselineMs);
  const { value = null, interval = null } = metrics["avgTime"] ?? {};
  const last =
    metrics["irrelevanceAccuracy"]?.value == null ? "schemaValidity" : "irrelevanceAccuracy";
  const { axes, ...block } = metricRadar(
    "Calls, time and place",
    [{ id: "avgF1" }, { id: "onDeviceRatio" }, { id: last }],
    metrics,
    toolsMetrics,
  );
  const time: RadarBlock["axes"][number] = {
    label: "Time score",
    value: value === null ? null : share(value),
    // The slower, the lower.
    interval: interval === null ? null : [share(interval[1]), share(interval[0])],
  };
  return { ...block, axes: axes.toSpliced(1, 0, time) };
}

/**
 * Levels and tags with their mean F1.
 * @example cellsOf(facts)[0]?.label // "level easy"
 */
export function cellsOf({
  metrics,
  breakdown,
}: Pick<ReportFacts, "metrics" | "breakdown">): StandingCell[] {
  return [
    ...breakdown.levels.map(({ level, n }) => {
      const { value = null, interval = null } = metrics[`${level}F1`] ?? {};
      return { label: `level ${levelLabels[level].toLowerCase()}`, value, interval, n };
    }),
    ...breakdown.tags.map(({ tag, name, n, figures }) => {
      const { value = null, interval = null } = figures["avgF1"] ?? {};
      return { label: `${tag} ${name}`, value, interval, n };
    }),
  ];
}

function missingNote(present: readonly Level[]): ReportBlock[] {
  const missing = levels.filter((level) => !present.includes(level));
  if (missing.length === 0 || present.length === 0) return [];
  const text = `The dataset has no ${missing.join(" and no ")} samples, so the weights of the total were rescaled to the levels that it has. Totals of datasets with other levels are another measure.`;
  return brief([note("Levels that are missing", text, "fair")]);
}
