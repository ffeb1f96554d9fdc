import type { Metric } from "../../../contracts/metric.ts";
import type { Tone } from "../../../contracts/report.ts";
import type { Advice } from "../../../measures/report/advice/advice.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { levelNames, tierOf } from "../../../measures/report/figures/tier.ts";
import type { SuiteFacts } from "../../../measures/report/run/suite-report.ts";
import { extractionMetrics } from "../metrics.ts";
import type { ExtractionOptions } from "../options.ts";
import type { ExtractionBreakdown } from "../sum/breakdown/breakdown.ts";
import { extractionReadings, type Threshold, thresholds } from "../thresholds.ts";

/** Input of the sections of a report. */
export type ReportFacts = SuiteFacts<ExtractionOptions, ExtractionBreakdown>;

/** The figure behind a piece of advice. */
export type Figure = Pick<Advice, "cell" | "format" | "interval" | "n"> & { value: number };

/**
 * A metric of the run as the figure behind a piece of advice; null if it was not measured.
 * @example measured(facts, "eqs")?.cell // "EQS, whole run"
 */
export function measured({ metrics }: ReportFacts, id: string): Figure | null {
  const { value = null, interval = null, n = 0 } = metrics[id] ?? {};
  const { label, format } = shownMetric(id);
  return value === null ? null : { cell: `${label}, whole run`, value, format, interval, n };
}

/**
 * A metric of the catalogue, in the format in which the summary shows it.
 * @example shownMetric("validity").format // "percent"
 */
export function shownMetric(id: string): Metric {
  const metric = extractionMetrics.find((one) => one.id === id)!;
  const read = extractionReadings.find((one) => one.metric === id);
  return { ...metric, format: read?.format ?? metric.format };
}

/** A measured figure and the threshold it misses. */
interface OffTarget {
  figure: Figure;
  tone: Tone;
  /** A sentence with the figure and the target that it misses. */
  text: string;
}

/**
 * A metric that misses its target: poor below the minimum, else fair; null if it was not measured or meets the target.
 * Source: docs/spec/extraction.md, section 6.
 * @example missedTarget(facts, "latencyP95")?.text // "Latency p95 is 2,500 ms; “Good” is 2,000 ms or less."
 */
export function missedTarget(facts: ReportFacts, id: string): OffTarget | null {
  const figure = measured(facts, id);
  const limits = thresholds.find(({ metric }) => metric === id)!;
  const tier = tierOf(limits, figure?.value ?? null);
  if (figure === null || (tier !== "minimum" && tier !== "fails")) return null;
  const tone = tier === "fails" ? "poor" : "fair";
  return { figure, tone, text: `${limits.label} is ${besideTarget(figure, limits)}` };
}

function besideTarget({ value }: Figure, { format, target, better }: Threshold): string {
  const side = better === "higher" ? "or more" : "or less";
  return `${figureText(value, format)}; “${levelNames.target}” is ${figureText(target, format)} ${side}.`;
}
