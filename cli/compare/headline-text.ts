import type { MetricComparison } from "#shared/contracts/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { pText } from "#shared/measures/report/p-text.ts";
import { counted, formatCount, formatValue } from "../score/format-value.ts";
import {
  differenceIntervalText,
  differenceText,
  intervalText,
  ranksText,
  sizeText,
} from "./figure-text.ts";
import type { TextPart } from "./text-part.ts";

/** Where each run stands by the headline. */
export function standingsText({ standings, units }: MetricComparison, metric: Metric): TextPart {
  const head = ["run", metric.label, "95% interval", "rank interval", "P(best)", "tie group"];
  const rows = standings.map(({ run, value, interval, rankInterval, best }, place) => [
    run,
    formatValue(value, metric.format),
    intervalText(interval, metric.format),
    ranksText(rankInterval),
    formatValue(best, "percent"),
    tieText(standings, place),
  ]);
  return {
    title: `${metric.label} on the compared samples`,
    table: { head, rows, isText: (k) => k === 0 || k === head.length - 1 },
    notes: [
      units.count < 2
        ? `No intervals and no tests below two ${units.kind === "samples" ? "samples" : "sources"}.`
        : "Intervals hold 95 of 100 resamples, the same for all runs; P(best): share of firsts.",
    ],
  };
}

/** The group in words; its first is the run that the others of it can't be told from. */
function tieText(standings: MetricComparison["standings"], place: number): string {
  const group = standings[place]!.tieGroup;
  const first = standings.findIndex(({ tieGroup }) => tieGroup === group);
  if (group === 1) return place === first ? "1: first" : "1: not distinguishable from the first";
  if (place !== first) return `${group}: not distinguishable from ${standings[first]!.run}`;
  return `${group}: apart from the first${group === 2 ? "" : " of each group above"}`;
}

/** What of each pair says whether it differs. */
export function differencesText({ pairs }: MetricComparison, metric: Metric): TextPart {
  const head = [
    "pair",
    "difference",
    "95% interval",
    "p (t-test)",
    "p (Wilcoxon)",
    "win rate",
    "significant",
  ];
  const rows = pairs.map(({ a, b, difference, pHolm, wilcoxonPHolm, winRate, significantAt }) => [
    `${a} − ${b}`,
    differenceText(difference.value, metric.format),
    differenceIntervalText(difference.interval, metric.format),
    pText(pHolm) ?? "–",
    pText(wilcoxonPHolm) ?? "–",
    formatValue(winRate, "percent"),
    significantAt === null ? "no" : `yes, p < ${significantAt}`,
  ]);
  const corrected = pairs.length === 1 ? "" : `, corrected by Holm over ${pairs.length} pairs`;
  return {
    title: `${metric.label}: differences`,
    table: { head, rows, isText: (k) => k === 0 || k === head.length - 1 },
    notes: [
      `Tests are paired and two-sided${corrected}; significant by the t-test.`,
      "Win rate: share of samples on which the first of the pair scores higher, ties half.",
    ],
  };
}

/** How large the difference of each pair is, and what it takes to see it. */
export function effectsText(compared: MetricComparison, metric: Metric): TextPart {
  const { pairs, units } = compared;
  const tested = counted(units.count, units.kind === "samples" ? "sample" : "source");
  const head = ["pair", "Cohen's d", "", "dz", "detectable", "samples to separate"];
  const rows = pairs.map((pair) => [
    `${pair.a} − ${pair.b}`,
    sizeText(pair.cohensD),
    pair.effectSize ?? "",
    sizeText(pair.dz),
    formatValue(pair.detectableDifference, metric.format),
    pair.samplesToSeparate === null ? "–" : formatCount(pair.samplesToSeparate),
  ]);
  return {
    title: `${metric.label}: effect sizes and power`,
    table: { head, rows, isText: (k) => k === 0 || k === 2 },
    notes: [
      `Detectable: smallest difference found in 80% of cases with ${tested}.`,
      "Samples to separate: as many as find the observed difference in 80% of cases.",
    ],
  };
}
