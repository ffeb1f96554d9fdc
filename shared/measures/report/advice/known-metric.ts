import type { Estimates, Metric } from "../../../contracts/metric.ts";
import { metricNamed } from "../charts/blocks.ts";
import { figureText } from "../figures/figure-text.ts";
import type { Advice } from "./advice.ts";

/** A metric that was measured with its interval: what advice can rest on. */
export interface KnownMetric extends Pick<Advice, "cell" | "format" | "n"> {
  value: number;
  interval: [number, number];
}

/**
 * A metric as advice names it; null where it has no value or no interval.
 * @example knownMetric("f1", metrics, catalogue)?.cell // "F1"
 */
export function knownMetric(
  id: string,
  metrics: Estimates,
  catalogue: readonly Metric[],
): KnownMetric | null {
  const { value = null, interval = null, n = 0 } = metrics[id] ?? {};
  if (value === null || interval === null) return null;
  const { label, format } = metricNamed(catalogue, id);
  return { cell: label, format, value, interval, n };
}

/**
 * Whether a metric clearly lies below a limit, or below another metric: its interval does, and that of the
 * other one is above it. False where either was not measured.
 * @example isBelow(recall, precision)
 */
export function isBelow(
  metric: KnownMetric | null,
  limit: KnownMetric | number | null,
): metric is KnownMetric {
  if (metric === null || limit === null) return false;
  return metric.interval[1] < (typeof limit === "number" ? limit : limit.interval[0]);
}

/**
 * Whether a metric clearly lies above a limit. False where it was not measured.
 * @example isAbove(rate, 0.05)
 */
export function isAbove(metric: KnownMetric | null, limit: number): metric is KnownMetric {
  return metric !== null && metric.interval[0] > limit;
}

/**
 * The value of a metric within a sentence.
 * @example valueText({ cell: "F1", format: "score", value: 0.5, interval, n }) // "0.500"
 */
export const valueText = ({ value, format }: KnownMetric): string => figureText(value, format);

/** What is said of a figure. */
type Finding = Omit<Advice, keyof KnownMetric>;

/**
 * Advice on a metric that clearly lies below a limit; null where it does not.
 * @example adviceBelow(known(facts, "f1"), 0.5, (f1) => ({ finding: `F1 is ${valueText(f1)}.`, … }))
 */
export const adviceBelow = (
  metric: KnownMetric | null,
  limit: number,
  say: (metric: KnownMetric) => Finding,
): Advice | null => (isBelow(metric, limit) ? { ...metric, ...say(metric) } : null);

/**
 * Advice on a metric that clearly lies above a limit; null where it does not.
 * @example adviceAbove(known(facts, "avgTime"), 500, (time) => ({ finding: `… ${valueText(time)}.`, … }))
 */
export const adviceAbove = (
  metric: KnownMetric | null,
  limit: number,
  say: (metric: KnownMetric) => Finding,
): Advice | null => (isAbove(metric, limit) ? { ...metric, ...say(metric) } : null);

/** What follows from one of precision and recall that clearly lies below the other. */
type Side = readonly [finding: string, action: string];

/**
 * Advice where recall clearly lies below precision, so that too much is left out, or the other way round; null
 * where neither does.
 * @example balanceAdvice(precision, recall, { missing: ["calls are left out.", "…"], extra: ["…", "…"] })
 */
export function balanceAdvice(
  precision: KnownMetric | null,
  recall: KnownMetric | null,
  { missing, extra }: { missing: Side; extra: Side },
): Advice | null {
  if (precision === null || recall === null) return null;
  const say = (low: KnownMetric, high: KnownMetric, [finding, action]: Side): Advice => ({
    ...low,
    tone: "fair",
    change: "prompt",
    finding: `${low.cell}, ${valueText(low)}, lies clearly below ${high.cell.toLowerCase()}, ${valueText(high)}: ${finding}`,
    action,
  });
  if (isBelow(recall, precision)) return say(recall, precision, missing);
  return isBelow(precision, recall) ? say(precision, recall, extra) : null;
}
