import type { NoteBlock, RadarBlock } from "../../../contracts/report.ts";
import { verdictBlocks } from "../../../measures/report/advice/recommendation-note.ts";
import {
  asBrief,
  asFolded,
  type BlockParts,
  metricValue,
  note,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { metricRadar } from "../../../measures/report/charts/metric-radar.ts";
import { shareSteps, toneGauge } from "../../../measures/report/charts/tone-steps.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { intervalNote } from "../../../measures/report/figures/interval-basis.ts";
import { barsOfParts } from "../../../measures/report/figures/part-interval.ts";
import {
  limitsOf,
  type Reading,
  serviceReadings,
} from "../../../measures/report/figures/reading.ts";
import { levelNames } from "../../../measures/report/figures/tier.ts";
import { strengthBlocks } from "../../../measures/report/parts/strength-blocks.ts";
import { toolsMetrics } from "../metrics.ts";
import { type Level, levels } from "../sample.ts";
import { levelScore } from "../score/total-score.ts";
import { toolsAdvice } from "./advice-rules.ts";
import {
  bars,
  comparedFigures,
  isRouted,
  type ReportFacts,
  rankingMetric,
} from "./report-facts.ts";

/**
 * The ranking figure on its scale and by level, the components of the total, and which levels and tags differ from the
 * whole.
 * Source: docs/spec/tools.md, metrics; which figure ranks.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): SectionParts {
  const { metrics, breakdown, options } = facts;
  const present = breakdown.levels.map(({ level }) => level);
  const formula = breakdown.levels
    .map(({ level, weight }) => `${weight.toFixed(2)} · ${level}`)
    .join(" + ");
  const routed = isRouted(facts);
  const scores = present.map((level) => `${level}Score`);
  const levelBars = routed ? barsOfParts(bars("Levels", scores, metrics)) : null;
  const ranking = rankingMetric(facts);
  const why = routed
    ? "This run was routed between a device and a cloud, so it ranks by its total."
    : ranking.id === "conversationRate"
      ? "This run ranks by conversations that are right to the end (rankBy: conversations)."
      : "A single endpoint ranks by call F1, the mean over samples; its total also counts speed and answers from the device.";
  const total = `Total = ${formula || "nothing, without samples"}. A level is 0.60 · call F1 + 0.15 · time score + 0.25 · on-device ratio; the time score falls from 1 to 0 at a mean latency of ${options.timeBaselineMs} ms.`;
  return {
    id: "summary",
    title: "Summary",
    intro: why,
    blocks: [
      asBrief(toneGauge(ranking, metrics[ranking.id], shareSteps)),
      verdictBlocks(metrics, {
        readings: toolsReadings(facts),
        catalogue: toolsMetrics,
        headline: ranking.id,
        advice: toolsAdvice(facts),
        parts: comparedFigures(facts)[0],
        more: reachText(facts),
      }),
      intervalNote(breakdown.units),
      missingNote(present),
      strengthBlocks(comparedFigures(facts)),
      asFolded([
        asBrief([levelBars, reachBlocks(facts)]),
        radar(facts),
        note("How the total is computed", total),
      ]),
    ],
  };
}

/** Includes irrelevance accuracy if the dataset has samples for which no call is right. */
function radar({ metrics }: ReportFacts): RadarBlock {
  const last =
    metrics["irrelevanceAccuracy"]?.value == null ? "schemaValidity" : "irrelevanceAccuracy";
  return metricRadar(
    "Calls, time and source",
    ["avgF1", "timeScore", "onDeviceRatio", last].map((id) => ({ id })),
    metrics,
    toolsMetrics,
  );
}

function missingNote(present: readonly Level[]): BlockParts {
  const missing = levels.filter((level) => !present.includes(level));
  if (missing.length === 0 || present.length === 0) return null;
  const text = `The dataset has no ${missing.join(" and no ")} samples, so the weights of the total were rescaled to the levels that it has. Totals of datasets with other levels are not comparable.`;
  return asBrief(note("Missing levels", text, "fair"));
}

const share = (metric: string): Reading => ({ metric, limits: limitsOf(shareSteps) });

/**
 * How the suite reads the metrics of a run. Calls decide correctness; time and source are only part of the total,
 * which is read only for routed runs. The limits are a reading aid of this project.
 */
export const toolsReadings = (facts: Pick<ReportFacts, "headline">): readonly Reading[] => [
  ...(isRouted(facts) ? [share("total")] : []),
  ...(facts.headline === "conversationRate"
    ? [{ ...share("conversationRate"), decides: true as const }]
    : []),
  { ...share("avgF1"), decides: true },
  { ...share("allRight"), decides: true },
  { ...share("irrelevanceAccuracy"), decides: true },
  share("schemaValidity"),
  ...serviceReadings,
];

/** Parts of a level's score, as shares of the total. */
const nothing = { f1: 0, slowness: null, onDevice: 0 };
const most = {
  calls: levelScore({ ...nothing, f1: 1 }),
  time: levelScore({ ...nothing, slowness: 0 }),
  place: levelScore({ ...nothing, onDevice: 1 }),
};

/** Parts of a total, each as a share of the whole scale. */
interface TotalReach {
  calls: number;
  time: number;
  place: number;
  /** The total of perfect calls with the same latencies and sources. */
  ceiling: number;
}

/**
 * The parts of a run's total for calls, time and source, and the maximum total with the run's latencies and sources.
 * Null without samples. Linear in levels.
 */
function totalReach({
  metrics,
  breakdown,
}: Pick<ReportFacts, "metrics" | "breakdown">): TotalReach | null {
  if (breakdown.levels.length === 0) return null;
  const mean = (figure: string) =>
    breakdown.levels.reduce(
      (sum, { level, weight }) => sum + weight * (metricValue(metrics, `${level}${figure}`) ?? 0),
      0,
    );
  const calls = most.calls * mean("F1");
  const time = most.time * mean("TimeScore");
  const place = most.place * mean("OnDevice");
  return { calls, time, place, ceiling: most.calls + time + place };
}

const shown = (share: number) => figureText(share, "percent");

/** A smaller unreachable part is not mentioned. */
const worthTelling = 0.005;

/**
 * The parts of the total; for a routed run also the share that perfect calls could not have reached, and why. Empty
 * without samples.
 * Source: docs/spec/tools.md, metrics.
 * @example reachBlocks(facts)[0]?.title // "Components of the total"
 */
function reachBlocks(facts: ReportFacts): BlockParts {
  const reach = totalReach(facts);
  if (reach === null) return null;
  return [partTable(facts, reach), isRouted(facts) ? reachNote(facts, reach) : null];
}

function partTable({ metrics }: ReportFacts, { calls, time, place }: TotalReach) {
  return tableOf(
    "Components of the total",
    [
      ["part", "Part", "text"],
      ["earned", "Reached", "percent"],
      ["most", "At most", "percent"],
      ["by", "By", "text"],
    ],
    [
      {
        part: "Calls",
        earned: calls,
        most: most.calls,
        by: `call F1 ${figureText(metricValue(metrics, "avgF1"), "score")}`,
      },
      { part: "Time", earned: time, most: most.time, by: timeText(metrics) },
      { part: "Source", earned: place, most: most.place, by: placeText(metrics) },
    ],
  );
}

function timeText(metrics: ReportFacts["metrics"]): string {
  const time = metricValue(metrics, "avgTime");
  return time === null ? "no latency is known" : `mean latency ${figureText(time, "ms")}`;
}

const placeText = (metrics: ReportFacts["metrics"]): string =>
  `${shown(metricValue(metrics, "onDeviceRatio") ?? 0)} of answers from the device`;

function reachNote(
  facts: ReportFacts,
  { calls, time, place, ceiling }: TotalReach,
): NoteBlock | null {
  if (ceiling > 1 - worthTelling) return null;
  const { metrics, options } = facts;
  const lost = [
    {
      share: most.time - time,
      why: `time (${timeText(metrics)}; a level whose mean is ${figureText(options.timeBaselineMs, "ms")} or more gets 0 for it)`,
    },
    { share: most.place - place, why: `source (${placeText(metrics)})` },
  ]
    .filter(({ share }) => share >= worthTelling)
    .map(({ share, why }) => `${shown(share)} for ${why}`);
  const text = `With these latencies and sources even perfect calls would have scored ${shown(ceiling)}. Not reachable: ${lost.join(" and ")}.${beyondText(ceiling)} Of the ${shown(most.calls)} for calls the run scored ${shown(calls)}.`;
  return note("Not reachable", text, "fair");
}

/** Names the levels that even perfect calls could not have reached. */
function beyondText(ceiling: number): string {
  const limits = limitsOf(shareSteps);
  const beyond = (["minimum", "target", "excellence"] as const).filter(
    (tier) => limits[tier] > ceiling,
  );
  if (beyond.length === 0) return "";
  const names = beyond.map((tier) => `${levelNames[tier]} (${shown(limits[tier])})`).join(" or ");
  return ` So no calls could have made the total ${names}.`;
}

/**
 * A sentence on the maximum total, for a recommendation; empty if 100% was reachable or the run does not rank by total.
 * @example reachText(facts)[0] // "With these latencies and sources, the total can be at most 60.0%."
 */
function reachText(facts: ReportFacts): string[] {
  const reach = isRouted(facts) ? totalReach(facts) : null;
  if (reach === null || reach.ceiling > 1 - worthTelling) return [];
  return [`With these latencies and sources, the total can be at most ${shown(reach.ceiling)}.`];
}
