import type { Estimate } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { intervalText } from "../compare/figure-text.ts";
import { formatValue } from "../terminal/format-value.ts";
import { type Limit, limitText } from "./limit.ts";

/** The outcome of a limit in a run. */
export interface Verdict {
  limit: Limit;
  estimate: Estimate | null;
  isMet: boolean;
}

/** A limit is met by the value itself; one that was not measured meets none. */
export function verdictOn({ metrics }: Run, limit: Limit): Verdict {
  const estimate = metrics?.[limit.metric.id] ?? null;
  const value = estimate?.value ?? null;
  const isMet =
    value !== null &&
    (limit.metric.better === "higher" ? value >= limit.value : value <= limit.value);
  return { limit, estimate, isMet };
}

/** @example verdictText(verdict) // "EQS is 0.720 (95% interval 0.680 – 0.760), wanted EQS ≥ 0.800" */
export function verdictText({ limit, estimate }: Verdict): string {
  const { label, format } = limit.metric;
  const wanted = `wanted ${limitText(limit)}`;
  if (estimate === null || estimate.value === null) return `${label} was not measured, ${wanted}`;
  const ends = intervalText(estimate.interval, format);
  const within = ends === "" ? "" : ` (95% interval ${ends})`;
  return `${label} is ${formatValue(estimate.value, format)}${within}, ${wanted}`;
}
