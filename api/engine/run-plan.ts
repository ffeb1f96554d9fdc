import type { Json } from "#shared/contracts/json.ts";
import type { SampleHead, Unit } from "#shared/contracts/runs/unit.ts";
import type { SuitePipeline } from "#shared/contracts/suite.ts";
import { sampleWithoutReplacement } from "#shared/stats/sample-without-replacement.ts";
import type { DatasetIndex } from "../datasets/store.ts";

/** The samples of a run and their units. Deterministic, so every lane computes the same. */
export interface RunPlan {
  /** Dataset positions of the run's samples, ascending. */
  positions: number[];
  heads: DatasetIndex["heads"];
  units: Unit[];
  /** How often each sample is asked. */
  repeats: number;
  total: number;
}

/** Plans a run over a dataset; the option `sample` draws a subset. */
export function planRun(
  suite: SuitePipeline,
  index: DatasetIndex,
  options: Record<string, unknown>,
  suiteOptions: unknown,
): RunPlan {
  const subset = options["sample"] as { n: number; seed: number } | undefined;
  const count = index.heads.length;
  const positions = sampleWithoutReplacement(
    count,
    subset?.n ?? count,
    `sample:${subset?.seed ?? 0}`,
  );
  const heads = positions.map((position) => index.heads[position] as DatasetIndex["heads"][number]);
  const units = suite.plan(heads as SampleHead[], suiteOptions);
  const total = units.reduce((sum, unit) => sum + unit.samples.length, 0);
  return { positions, heads, units, repeats: Math.max(1, Math.round(total / heads.length)), total };
}

/** Position of a sample's repeat in the run. */
export const seqOf = (plan: RunPlan, sample: number, repeat: number): number =>
  sample * plan.repeats + repeat;

/** Options that every run has; all other options belong to the suite. */
const runWide = new Set([
  "timeoutMs",
  "concurrency",
  "maxRetries",
  "maxCostUsd",
  "sample",
  "sweep",
  "mode",
  "judgeMode",
  "reuseAnswers",
  "plannedTest",
]);

/** The options that the suite's own schema checks. */
export function suiteOptionsOf(options: Record<string, unknown>): Record<string, Json> {
  const own = Object.entries(options).filter(([name]) => !runWide.has(name));
  return Object.fromEntries(own) as Record<string, Json>;
}
