import type { Comparison, MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { testNotes } from "#shared/measures/comparison/words/test-notes.ts";
import { listed, pText } from "#shared/measures/report/figures/figure-text.ts";
import { formatCount, formatValue, printable } from "../terminal/text.ts";
import {
  differenceIntervalText,
  differenceText,
  intervalText,
  ranksText,
  sizeText,
} from "./figure-text.ts";

/** Samples listed that differ most; --json has more. */
const MAX_DIFFERING = 5;

/** Longer ids are truncated. */
const MAX_ID = 40;

/** The header, then cells by row. */
export interface PartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Whether a column has text instead of numbers. */
  isText: (column: number) => boolean;
  /** Whether a terminal may split a wide table into several tables. */
  mayBreak?: boolean;
}

/** A part of the output: a title, a table, and explanations. */
export interface TextPart {
  title: string;
  table: PartTable;
  notes: string[];
}

/**
 * A comparison as tables, one for each question. `wholes`: name for whole runs or files in the table of best metrics.
 */
export function comparisonParts(suite: Suite, comparison: Comparison, wholes: string): TextPart[] {
  const [headline] = comparison.metrics;
  const metric = suite.metrics.find(({ id }) => id === headline?.metric);
  if (headline === undefined || metric === undefined) throw new Error("nothing was compared");
  const ranked = { ...suite, headline: metric.id };
  const passes = comparison.metrics.find((one) => one.metric === "passRate" && one !== headline);
  const passRate = suite.metrics.find(({ id }) => id === "passRate");
  const isRanked = headline.pairs.length === 0;
  const parts = [
    standingsText(headline, metric),
    isRanked ? null : differencesText(headline, metric),
    passes && passRate ? differencesText(passes, passRate) : null,
    isRanked ? null : effectsText(headline, metric),
    ...comparison.metrics.map((one) => marginText(one, suite)),
    otherMetricsText(suite, comparison.metrics),
    bestText(ranked, comparison, wholes),
    isRanked ? null : differingText(ranked, comparison),
  ];
  return parts.filter((part) => part !== null);
}

/** The headline of each run, with its rank. */
function standingsText(compared: MetricComparison, metric: Metric): TextPart {
  const { standings, units } = compared;
  const head = ["run", metric.label, "95% interval", "rank interval", "P(best)", "group"];
  const rows = standings.map(({ run, value, interval, rankInterval, best }, place) => [
    run,
    formatValue(value, metric.format),
    intervalText(interval, metric.format),
    ranksText(rankInterval),
    formatValue(best, "percent"),
    tieText(compared, place),
  ]);
  return {
    title: `${metric.label} on the compared samples`,
    table: { head, rows, isText: (k) => k === 0 || k === head.length - 1 },
    notes: [
      units.count < 2
        ? `No intervals and no tests below two ${units.kind === "samples" ? "samples" : "sources"}.`
        : "95% intervals from resamples, the same ones for all runs; P(best): share of resamples ranked first.",
      ...(compared.pairs.length > 0
        ? []
        : [
            "So many runs are only ranked; compare fewer of them for other metrics and for each pair.",
          ]),
    ],
  };
}

/** A tie group in words: none of its runs differs significantly from the first, but they need not be equal. */
function tieText({ standings, units }: MetricComparison, place: number): string {
  const group = standings[place]!.tieGroup;
  const first = standings.findIndex(({ tieGroup }) => tieGroup === group);
  const apart = units.count < 2 ? "not tested against" : "not significantly different from";
  if (group === 1) return place === first ? "1: first" : `1: ${apart} first`;
  if (place !== first) return `${group}: ${apart} ${standings[first]!.run}`;
  return `${group}: different from first${group === 2 ? "" : " of each group above"}`;
}

/** Tests of each pair. */
function differencesText(compared: MetricComparison, metric: Metric): TextPart {
  const { pairs } = compared;
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
    significantAt !== null ? `yes, p < ${significantAt}` : pHolm === null ? "not tested" : "no",
  ]);
  const corrected = pairs.length === 1 ? "" : `, corrected by Holm over ${pairs.length} pairs`;
  return {
    title: `${metric.label}: differences`,
    table: { head, rows, isText: (k) => k === 0 || k === head.length - 1 },
    notes: [
      `Tests are paired and two-sided${corrected}; significant by the t-test.`,
      "Win rate: share of samples on which the first of the pair scores higher, ties half.",
      ...testNotes(compared, (run) => run),
    ],
  };
}

/** Effect size of each pair, and the samples needed to detect it. */
function effectsText(compared: MetricComparison, metric: Metric): TextPart {
  const { pairs, units } = compared;
  const tested = counted(units.count, units.kind === "samples" ? "sample" : "source");
  const head = ["pair", "Cohen's d", "", "dz", "detectable", "samples needed"];
  const rows = pairs.map((pair) => [
    `${pair.a} − ${pair.b}`,
    sizeText(pair.cohensD),
    pair.effectSize ?? "",
    sizeText(pair.dz),
    pair.detectableDifference === null
      ? "–"
      : differenceText(pair.detectableDifference, metric.format).replace("+", ""),
    pair.samplesToSeparate === null ? "–" : formatCount(pair.samplesToSeparate),
  ]);
  return {
    title: `${metric.label}: effect sizes and power`,
    table: { head, rows, isText: (k) => k === 0 || k === 2 },
    notes: [
      `Detectable: smallest difference found in 80% of cases with ${tested}.`,
      "Samples needed: the number with which the observed difference is found in 80% of cases.",
    ],
  };
}

/** Which pairs are within a margin; null without a margin. */
function marginText(
  { metric: id, margin, pairs }: MetricComparison,
  suite: Suite,
): TextPart | null {
  const metric = metricOf(suite, id);
  if (margin === undefined || metric === undefined) return null;
  // Not rounded, because a small margin would be shown as 0.
  const within = `${margin.margin}`;
  const verdicts = {
    same: (a: string, b: string) => `${a} and ${b} are the same within ${within}`,
    "a-no-worse": (a: string, b: string) => `${a} is at most ${within} worse than ${b}`,
    "b-no-worse": (a: string, b: string) => `${b} is at most ${within} worse than ${a}`,
    "not-shown": () => "not shown",
  };
  const rows = margin.pairs.map(({ a, b, aNoWorse, bNoWorse, same, verdict }, i) => [
    `${a} − ${b}`,
    differenceText(pairs[i]!.difference.value, metric.format),
    pText(aNoWorse) ?? "–",
    pText(bNoWorse) ?? "–",
    pText(same) ?? "–",
    verdicts[verdict](a, b),
  ]);
  const head = [
    "pair",
    "difference",
    "p (first no worse)",
    "p (second no worse)",
    "p (same)",
    "shown at 0.05",
  ];
  return {
    title: `${metric.label}: within a margin of ${within}`,
    table: { head, rows, isText: (k) => k === 0 || k === head.length - 1, mayBreak: true },
    notes: [
      "One-sided paired t-tests, corrected by Holm; “the same” needs both tests (TOST). Not shown does not mean different: more samples may show it.",
    ],
  };
}

/** The other metrics by run; those that differ from the best of their column are marked. */
function otherMetricsText(
  suite: Suite,
  [headline, ...others]: readonly MetricComparison[],
): TextPart | null {
  if (headline === undefined || others.length === 0) return null;
  const known = others.map((one) => ({ one, metric: metricOf(suite, one.metric)! }));
  const head = ["run", ...known.map(({ one, metric }) => headOf(one, metric, headline.samples))];
  const rows = headline.standings.map(({ run }) => [
    run,
    ...known.map(({ one, metric }) => cellOf(one, run, metric)),
  ]);
  const lower = known.filter(({ one }) => one.better === "lower").map(({ metric }) => metric.label);
  const lowerNote = lower.length === 0 ? [] : [`Lower is better: ${lower.join(", ")}.`];
  return {
    title: "Other metrics on the compared samples",
    table: { head, rows, isText: (k) => k === 0, mayBreak: true },
    notes: [
      "* differs from the best of its column, p < 0.05 after Holm; ** p < 0.01.",
      ...lowerNote,
    ],
  };
}

const metricOf = ({ metrics }: Suite, id: string) => metrics.find((metric) => metric.id === id);

/** A header with space for the mark, so that the numbers of a column are aligned. */
function headOf({ samples }: MetricComparison, { label }: Metric, common: number): string {
  return `${label}${samples === common ? "" : `, ${counted(samples, "sample")}`}  `;
}

function cellOf({ standings, pairs }: MetricComparison, run: string, metric: Metric): string {
  const best = standings[0]!.run;
  const pair = pairs.find(({ a, b }) => (a === best && b === run) || (a === run && b === best));
  const level = pair?.significantAt ?? null;
  const mark = level === null ? "" : level === 0.01 ? "**" : "*";
  const value = standings.find((one) => one.run === run)?.value ?? null;
  return `${formatValue(value, metric.format)}${mark.padEnd(2)}`;
}

/** The best run by each metric of whole runs or files; `wholes` names which. */
function bestText(suite: Suite, { bestBy, frontiers }: Comparison, wholes: string): TextPart {
  const perCost = `${suite.headline}PerCost`;
  const headline = metricOf(suite, suite.headline)!.label;
  const rows = bestBy.map(({ metric: id, value, runs }) => {
    const metric = metricOf(suite, id);
    const label = id === perCost ? `${headline} per USD of 1,000 answers` : (metric?.label ?? id);
    return [label, formatValue(value, metric?.format ?? "count"), listed(runs, 3)];
  });
  const frontier = (what: string, runs: readonly string[] | null, needed: string) =>
    `${headline} against ${what}: ${runs === null ? `not known without ${needed}` : runs.join(", ")}`;
  return {
    title: "Best by metric, and Pareto frontiers",
    table: { head: ["metric", "value", "best"], rows, isText: (k) => k !== 1 },
    notes: [
      wholes,
      frontier("p95 latency", frontiers.latency, "latencyMs"),
      frontier("cost", frontiers.cost, "prices and tokens"),
    ],
  };
}

/** The samples with the largest differences of headline scores. */
function differingText(suite: Suite, { differing, runs }: Comparison): TextPart | null {
  if (differing.length === 0) return null;
  const { label, format } = metricOf(suite, suite.headline)!;
  const rows = differing
    .slice(0, MAX_DIFFERING)
    .map(({ id, scores }) => [shortId(id), ...scores.map((score) => formatValue(score, format))]);
  return {
    title: `Samples that differ most in ${label}`,
    table: {
      head: ["sample", ...runs.map(({ run }) => run)],
      rows,
      isText: (k) => k === 0,
      mayBreak: true,
    },
    notes: [],
  };
}

/** A sample's id on one line, truncated if long. */
export function shortId(id: string): string {
  const shown = printable(id);
  return shown.length > MAX_ID ? `${shown.slice(0, MAX_ID - 1)}…` : shown;
}

/** The whole output: title, subject and parts. */
export interface PartedText {
  title: string;
  about: string[];
  parts: TextPart[];
}
