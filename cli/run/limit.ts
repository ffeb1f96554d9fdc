import type { Metric } from "#shared/contracts/metric.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { BadInput } from "../bad-input.ts";
import { formatValue } from "../score/format-value.ts";
import { metricNamed, noMetric } from "./metric-named.ts";

/** What a metric of every run must reach; where lower is better, what it may not exceed. */
export interface Limit {
  metric: Metric;
  value: number;
}

/** Why a metric can't have such a limit; null where it can. */
export function limitProblem({ id, unit }: Metric, value: number): string | null {
  if (unit === "ratio" && (value < 0 || value > 1))
    return `${id} is a share from 0 to 1, not ${value}`;
  if (unit === "level" && (value < 1 || value > 5))
    return `${id} is a level from 1 to 5, not ${value}`;
  return null;
}

/** A limit as a flag gives it, `eqs=0.8`. Throws BadInput. */
export function limitOf(suite: Suite, given: string): Limit {
  const [, name = "", text = ""] = /^([^=]+)=(.+)$/.exec(given.trim()) ?? [];
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) {
    throw new BadInput(`--fail-under takes METRIC=VALUE, as ${suite.headline}=0.8, not "${given}"`);
  }
  const metric = metricNamed(suite, name.trim());
  if (metric === undefined) throw new BadInput(`--fail-under: ${noMetric(suite, name.trim())}`);
  const problem = limitProblem(metric, value);
  if (problem !== null) throw new BadInput(`--fail-under: ${problem}`);
  return { metric, value };
}

/** @example limitText({ metric: eqs, value: 0.8 }) // "EQS ≥ 0.800" */
export const limitText = ({ metric, value }: Limit): string =>
  `${metric.label} ${metric.better === "higher" ? "≥" : "≤"} ${formatValue(value, metric.format)}`;
