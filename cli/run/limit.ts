import { z } from "zod";
import {
  type Estimate,
  estimateSchema,
  type LimitTier,
  limitTiers,
  type Metric,
  metricSchema,
} from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { meetsLimit } from "#shared/measures/report/figures/tier.ts";
import { suites } from "#shared/suites/registry.ts";
import { valueFlag } from "../command-line/command.ts";
import { intervalText } from "../compare/figure-text.ts";
import { BadInput } from "../errors.ts";
import { formatValue } from "../terminal/text.ts";

/** The flag --fail-under; `what` names in the help what is checked. */
export const failUnderFlag = (what: string) =>
  valueFlag(
    "METRIC=VALUE|TIER",
    `Exit with 1 if ${what} less than VALUE, or more for metrics where lower is better, such as hallucinationRate=0.05 or latencyP95=2000. Shares are 0 to 1, times are in ms. TIER is minimum, target or excellence: all thresholds of the report, for suites that have them`,
    { multiple: true },
  );

/** Minimum of a metric in every run; a maximum if lower is better. */
export interface Limit {
  metric: Metric;
  value: number;
}

/** Why a metric can't have such a limit; null if it can. */
export function limitProblem({ id, unit }: Metric, value: number): string | null {
  if (unit === "ratio" && (value < 0 || value > 1))
    return `${id} is a share from 0 to 1, not ${value}`;
  if (unit === "level" && (value < 1 || value > 5))
    return `${id} is a level from 1 to 5, not ${value}`;
  return null;
}

/** The limits of a suite's tier; empty if the suite has no tiers. */
export const tierLimits = ({ metrics, thresholds = [] }: Suite, tier: LimitTier): Limit[] =>
  thresholds.flatMap((tiers) => {
    const metric = metrics.find(({ id }) => id === tiers.metric);
    return metric === undefined ? [] : [{ metric, value: tiers[tier] }];
  });

/** The error for a suite without tiers; names the suites that have them. */
export function noTiers({ id, headline }: Suite): string {
  const others = suites.flatMap(({ id: other, thresholds }) => (thresholds ? [other] : []));
  return `${id} has no tiers (only ${others.join(", ")}); give a metric, such as ${headline}=0.8`;
}

/**
 * Limits from flags: a tier of the suite, such as `target`, or a limit on a metric, such as `eqs=0.8`, which takes
 * precedence. Throws BadInput.
 */
export function limitsOfFlags(suite: Suite, given: readonly string[]): Limit[] {
  const [tiers, single] = [given.filter(isTier), given.filter((one) => !isTier(one))];
  if (tiers.length > 1)
    throw new BadInput(`--fail-under: at most one tier, not ${tiers.join(", ")}`);
  const ofTier = tiers.flatMap((tier) => tierLimits(suite, tier));
  if (tiers.length > 0 && ofTier.length === 0)
    throw new BadInput(`--fail-under: ${noTiers(suite)}`);
  return mergeLimits(
    single.map((one) => metricLimit(suite, one)),
    ofTier,
  );
}

const isTier = (text: string): text is LimitTier =>
  (limitTiers as readonly string[]).includes(text);

/** Adds `others` for metrics without a limit. */
export function mergeLimits(limits: readonly Limit[], others: readonly Limit[]): Limit[] {
  const isGiven = new Set(limits.map(({ metric }) => metric.id));
  return [...limits, ...others.filter(({ metric }) => !isGiven.has(metric.id))];
}

function metricLimit(suite: Suite, given: string): Limit {
  const [, name = "", text = ""] = /^([^=]+)=(.+)$/.exec(given.trim()) ?? [];
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) {
    const tiers = limitTiers.join(", ");
    throw new BadInput(
      `--fail-under must be METRIC=VALUE, such as ${suite.headline}=0.8, or a tier, ${tiers}; several: the flag again; not "${given}"`,
    );
  }
  const metric = metricNamed(suite, name.trim());
  if (metric === undefined) throw new BadInput(`--fail-under: ${noMetric(suite, name.trim())}`);
  const problem = limitProblem(metric, value);
  if (problem !== null) throw new BadInput(`--fail-under: ${problem}`);
  return { metric, value };
}

/** A metric of the suite by id or label, in any case, with or without underscores; undefined if unknown. */
export const metricNamed = ({ metrics }: Suite, name: string): Metric | undefined =>
  metrics.find(({ id }) => id === name) ??
  metrics.find(({ id }) => plain(id) === plain(name)) ??
  metrics.find(({ label }) => plain(label) === plain(name));

const plain = (name: string): string => name.toLowerCase().replace(/[_\s,-]/g, "");

/** The error for an unknown metric, with the nearest known one. */
export function noMetric(suite: Suite, name: string): string {
  const ids = suite.metrics.map(({ id }) => id);
  const some = [suite.headline, ...suite.boardMetrics].join(", ");
  const near = suggestion(name, ids) || `; metrics are ${some} and more: see /methodology/`;
  return `${suite.id} has no metric "${name}"${near}`;
}

/** @example limitText({ metric: eqs, value: 0.8 }) // "EQS ≥ 0.800" */
export const limitText = ({ metric, value }: Limit): string =>
  `${metric.label} ${metric.better === "higher" ? "≥" : "≤"} ${formatValue(value, metric.format)}`;

/** The outcome of a limit in a run. */
export interface LimitOutcome {
  limit: Limit;
  estimate: Estimate | null;
  isMet: boolean;
}

/** The outcome as JSON. */
export const limitSchema = z.object({
  metric: z.string(),
  better: metricSchema.shape.better,
  limit: z.number(),
  value: estimateSchema.shape.value,
  interval: estimateSchema.shape.interval,
  met: z.boolean(),
});

export const limitJson = ({ limit, estimate, isMet }: LimitOutcome) => ({
  metric: limit.metric.id,
  better: limit.metric.better,
  limit: limit.value,
  value: estimate?.value ?? null,
  interval: estimate?.interval ?? null,
  met: isMet,
});

/** The value itself must meet a limit; an unmeasured metric meets none. */
export function checkLimit({ metrics }: Pick<Run, "metrics">, limit: Limit): LimitOutcome {
  const estimate = metrics?.[limit.metric.id] ?? null;
  const value = estimate?.value ?? null;
  const isMet = value !== null && meetsLimit(limit.metric.better, value, limit.value);
  return { limit, estimate, isMet };
}

/** @example outcomeText(outcome) // "EQS is 0.720 (95% interval 0.680 – 0.760), wanted EQS ≥ 0.800" */
export function outcomeText({ limit, estimate }: LimitOutcome): string {
  const { label, format } = limit.metric;
  const wanted = `wanted ${limitText(limit)}`;
  if (estimate === null || estimate.value === null) return `${label} was not measured, ${wanted}`;
  const ends = intervalText(estimate.interval, format);
  const within = ends === "" ? "" : ` (95% interval ${ends})`;
  return `${label} is ${formatValue(estimate.value, format)}${within}, ${wanted}`;
}
