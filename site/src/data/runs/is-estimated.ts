import type { Metric } from "#shared/contracts/metric.ts";

const estimated: ReadonlySet<Metric["unit"]> = new Set(["ratio", "level", "ms"]);

/** Sums, extremes and shares of this run only, which do not depend on the choice of samples. */
const counted: ReadonlySet<string> = new Set([
  ...["latency", "firstToken", "firstByte", "generation"].flatMap((time) => [
    `${time}Min`,
    `${time}Max`,
  ]),
  "generationTime",
  "evaluationTime",
  "totalTime",
  "latencyTotal",
  "p95Source",
  "judgeCachedRate",
  "unjudgedRate",
]);

/** Whether other samples would give another value, so that it has an interval; other costs are amounts spent. */
export const isEstimated = ({ id, unit }: Pick<Metric, "id" | "unit">): boolean =>
  id === "costPer1kUsd" || (estimated.has(unit) && !counted.has(id));
