import type { NoteBlock, TableBlock } from "../../../contracts/report.ts";
import { metricValue, tableOf } from "../../../measures/report/blocks.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import { limitsOf } from "../../../measures/report/reading.ts";
import { levelScore } from "../score/total-score.ts";
import { isRouted, note, type ReportFacts, steps } from "./report-facts.ts";

/** What a level earns for each part, as shares of the total. */
const nothing = { f1: 0, slowness: null, onDevice: 0 };
const most = {
  calls: levelScore({ ...nothing, f1: 1 }),
  time: levelScore({ ...nothing, slowness: 0 }),
  place: levelScore({ ...nothing, onDevice: 1 }),
};

/** A total in its parts, each as a share of the whole scale. */
interface TotalReach {
  calls: number;
  time: number;
  place: number;
  /** What perfect calls would have earned with the same latencies and sources. */
  ceiling: number;
}

/**
 * What a run earned of the total for calls, time and place, and what it could have earned at most with the
 * latencies and sources that it had. Null without samples. Linear in levels.
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

/** Less than this out of reach is no matter. */
const worthTelling = 0.005;

/**
 * The total in its parts, and where it ranks and perfect calls alone could not have earned all of it, what was
 * out of reach and why. Nothing without samples.
 * Source: docs/spec/tools.md, metrics.
 * @example reachBlocks(facts)[0]?.title // "What the total is made of"
 */
export function reachBlocks(facts: ReportFacts): (TableBlock | NoteBlock)[] {
  const reach = totalReach(facts);
  if (reach === null) return [];
  return [...partTable(facts, reach), ...(isRouted(facts) ? reachNote(facts, reach) : [])];
}

function partTable({ metrics }: ReportFacts, { calls, time, place }: TotalReach) {
  return tableOf(
    "What the total is made of",
    [
      ["part", "Part", "text"],
      ["earned", "Earned", "percent"],
      ["most", "At most", "percent"],
      ["by", "By", "text"],
    ],
    [
      ["Calls", calls, most.calls, `call F1 ${figureText(metricValue(metrics, "avgF1"), "score")}`],
      ["Time", time, most.time, timeText(metrics)],
      ["Place", place, most.place, placeText(metrics)],
    ].map(([part, earned, at, by]): TableBlock["rows"][number] => ({
      part: part!,
      earned: earned!,
      most: at!,
      by: by!,
    })),
  );
}

function timeText(metrics: ReportFacts["metrics"]): string {
  const time = metricValue(metrics, "avgTime");
  return time === null ? "no latency is known" : `mean latency ${figureText(time, "ms")}`;
}

const placeText = (metrics: ReportFacts["metrics"]): string =>
  `${shown(metricValue(metrics, "onDeviceRatio") ?? 0)} of answers from the device`;

function reachNote(facts: ReportFacts, { calls, time, place, ceiling }: TotalReach): NoteBlock[] {
  if (ceiling > 1 - worthTelling) return [];
  const { metrics, options } = facts;
  const lost = [
    {
      share: most.time - time,
      why: `time (${timeText(metrics)}; a level whose mean is ${figureText(options.timeBaselineMs, "ms")} or more earns nothing for it)`,
    },
    { share: most.place - place, why: `place (${placeText(metrics)})` },
  ]
    .filter(({ share }) => share >= worthTelling)
    .map(({ share, why }) => `${shown(share)} for ${why}`);
  const text = `With these latencies and sources even perfect calls would have earned ${shown(ceiling)}. Out of reach were ${lost.join(" and ")}.${beyondText(ceiling)} Of the ${shown(most.calls)} for calls the run earned ${shown(calls)}.`;
  return [note("What was out of reach", text, "fair")];
}

/** Thresholds that no calls could have met. */
function beyondText(ceiling: number): string {
  const limits = limitsOf(steps);
  const beyond = (["minimum", "target", "excellence"] as const).filter(
    (tier) => limits[tier] > ceiling,
  );
  if (beyond.length === 0) return "";
  const names = beyond.map((tier) => `${tier} (${shown(limits[tier])})`).join(" and ");
  return ` So the total's ${names} could not be met, whatever was called.`;
}

/**
 * The ceiling of a total within a recommendation; empty where all of it could be earned, or it does not rank.
 * @example reachText(facts)[0] // "With its latencies and sources the total could not pass 60.0%."
 */
export function reachText(facts: ReportFacts): string[] {
  const reach = isRouted(facts) ? totalReach(facts) : null;
  if (reach === null || reach.ceiling > 1 - worthTelling) return [];
  return [`With its latencies and sources the total could not pass ${shown(reach.ceiling)}.`];
}
