import { costUsd } from "../bench/cost/prices.ts";
import type { Deployment, SampleDemand } from "./demand.ts";
import { daysUntilFull, limits, perSecond } from "./limits.ts";

/** USD a GB and month of what lies in R2 and D1 (/r2/pricing, /d1/platform/pricing; read on 2026-11-21), and days of a month. */
const STORAGE = { r2: 0.015, d1: 0.75, days: 30 };

/** How much of a bound is used: above 1 the load can't be borne. */
interface LimitUse {
  name: string;
  share: number;
  allows: string;
  lift: string;
}

export interface Prediction {
  samplesPerDay: number;
  /** Most used first. */
  uses: LimitUse[];
  /** The highest load that this deployment can process. */
  mostPerDay: number;
  /** Time in which a day's samples are done at full speed. */
  hours: number;
  daysUntilFull: number;
  /** Beyond what a plan includes; storage is that of all samples of one month. */
  usdPerMonth: { running: number; storage: number };
}

/** What a load means for a deployment: how near each bound is, what it costs, when its database is full. */
export function predict(
  samplesPerDay: number,
  demand: SampleDemand,
  deployment: Deployment,
): Prediction {
  const rate = perSecond(samplesPerDay);
  const uses = limits
    .map(({ samplesPerSecond, allows, ...limit }) => ({
      ...limit,
      allows: allows(deployment),
      share: rate / samplesPerSecond(demand, deployment),
    }))
    .sort((a, b) => b.share - a.share);
  const samples = samplesPerDay * STORAGE.days;
  const { r2Bytes, d1Bytes } = demand;
  return {
    samplesPerDay,
    uses,
    mostPerDay: samplesPerDay / (uses[0]?.share ?? 0),
    hours: 24 * (uses[0]?.share ?? 0),
    daysUntilFull: daysUntilFull(samplesPerDay, demand, deployment),
    usdPerMonth: {
      running: costUsd(demand) * samples,
      storage: (samples * (r2Bytes * STORAGE.r2 + d1Bytes * STORAGE.d1)) / 1e9,
    },
  };
}
