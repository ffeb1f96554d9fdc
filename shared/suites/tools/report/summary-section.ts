import type { RadarBlock, ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { soundAdvice } from "../../../measures/report/advice.ts";
import { brief } from "../../../measures/report/blocks.ts";
import { glanceBlocks } from "../../../measures/report/glance-blocks.ts";
import { intervalNote } from "../../../measures/report/interval-basis.ts";
import { metricRadar } from "../../../measures/report/metric-radar.ts";
import { barsOfParts } from "../../../measures/report/part-interval.ts";
import { measureReadings } from "../../../measures/report/reading.ts";
import { recommendationNote } from "../../../measures/report/recommendation-note.ts";
import { standingBlocks } from "../../../measures/report/standing-blocks.ts";
import { toneGauge } from "../../../measures/report/tone-gauge.ts";
import { toolsMetrics } from "../metrics.ts";
import { type Level, levels } from "../sample.ts";
import { timeScore } from "../score/total-score.ts";
import { toolsAdvice } from "./advice-rules.ts";
import { comparedFigures } from "./compared-figures.ts";
import { toolsReadings } from "./readings.ts";
import { bars, isRouted, note, type ReportFacts, rankingMetric, steps } from "./report-facts.ts";
import { reachBlocks, reachText } from "./total-reach.ts";

/**
 * The figure that ranks on its scale and by level, what the total is made of, and which levels and tags differ
 * from the whole.
 * Source: docs/spec/tools.md, metrics; which figure ranks.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): ReportSection {
  const { metrics, breakdown, options } = facts;
  const present = breakdown.levels.map(({ level }) => level);
  const formula = breakdown.levels
    .map(({ level, weight }) => `${weight.toFixed(2)} · ${level}`)
    .join(" + ");
  const routed = isRouted(facts);
  const scores = present.map((level) => `${level}Score`);
  const levelBars = routed ? [barsOfParts(bars("Levels", scores, metrics))] : [];
  const ranking = rankingMetric(facts);
  const why = routed
    ? "This run was routed between a device and a cloud, so it ranks by its total."
    : "A plain endpoint ranks by call F1, the mean over samples. Its total, which also pays for speed and for answers from the device, is for comparison only.";
  return {
    id: "summary",
    title: "Summary",
    intro: `${why} Total = ${formula || "nothing, without samples"}. A level is 0.60 · call F1 + 0.15 · time score + 0.25 · on-device ratio; the time score falls from 1 to 0 at a mean latency of ${options.timeBaselineMs} ms.`,
    blocks: [
      ...brief<ReportBlock>([toneGauge(ranking, metrics[ranking.id], steps)]),
      ...verdictBlocks(facts),
      ...brief<ReportBlock>([...levelBars, ...reachBlocks(facts)]),
      ...intervalNote(breakdown.units),
      ...missingNote(present),
      radar(facts),
      ...standingBlocks(comparedFigures(facts)),
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

function verdictBlocks(facts: ReportFacts): ReportBlock[] {
  const { metrics } = facts;
  const { value = null, n = 0 } = metrics[rankingMetric(facts).id] ?? {};
  const measured = measureReadings(toolsReadings(facts), metrics, toolsMetrics);
  const [calls] = comparedFigures(facts);
  return [
    recommendationNote({
      measured,
      n,
      isScored: value !== null,
      parts: calls,
      more: reachText(facts),
      advice: soundAdvice(toolsAdvice(facts)),
    }),
    ...glanceBlocks(measured, { isOwn: true }),
  ];
}

function missingNote(present: readonly Level[]): ReportBlock[] {
  const missing = levels.filter((level) => !present.includes(level));
  if (missing.length === 0 || present.length === 0) return [];
  const text = `The dataset has no ${missing.join(" and no ")} samples, so the weights of the total were rescaled to the levels that it has. Totals of datasets with other levels are another measure.`;
  return brief([note("Levels that are missing", text, "fair")]);
}
