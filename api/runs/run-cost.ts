import type { Run } from "#shared/contracts/run.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { tokenCostUsd } from "#shared/measures/performance/token-cost.ts";
import type { RunRecord } from "./schema.ts";

/** Significant digits of a sum of prices. */
const SIGNIFICANT = 12;

/** A sum of prices without floating-point noise. */
export const roundUsd = (usd: number): number => Number(usd.toPrecision(SIGNIFICANT));

type Spending = Pick<
  RunRecord,
  "prices" | "inputTokens" | "outputTokens" | "maxCostUsd" | "unmetered"
>;

/**
 * The maximum that a run may have spent, and its limit; null without prices. Where they cost more, all output counts as
 * thoughts and all input as a recording, and no input as cached: the real numbers are known once the run is summed up.
 */
export function costOf(run: Spending): Run["cost"] {
  if (run.prices === null) return null;
  const { inputPerMillion, audioPerMillion = 0 } = run.prices;
  const { outputPerMillion, reasoningPerMillion = 0 } = run.prices;
  const prices = {
    inputPerMillion: Math.max(inputPerMillion, audioPerMillion),
    outputPerMillion: Math.max(outputPerMillion, reasoningPerMillion),
  };
  const spentUsd = roundUsd(tokenCostUsd(run.inputTokens, run.outputTokens, prices));
  return { spentUsd, maxUsd: run.maxCostUsd };
}

/** Why a run can't continue with this cost limit (null: no limit); null if it can. */
export function costBar(run: Spending, maxCostUsd: number | null): string | null {
  if (maxCostUsd === null) return null;
  const cost = costOf(run);
  if (cost === null) {
    return `maxCostUsd can't be ${maxCostUsd}: the run was submitted without prices; resume it without`;
  }
  if (run.unmetered > 0) {
    return `the endpoint gave no token counts for ${counted(run.unmetered, "answer")}, so the limit of ${maxCostUsd} USD can't be enforced: resume with {"maxCostUsd": null} to continue without one`;
  }
  if (cost.spentUsd < maxCostUsd) return null;
  return `the run has spent ${cost.spentUsd} USD of its limit of ${maxCostUsd} USD: resume with a higher one, such as {"maxCostUsd": ${higher(cost.spentUsd)}}, or null for none`;
}

/** A round number above the spent amount. */
const higher = (spentUsd: number): number => Number((spentUsd * 2).toPrecision(1)) || 1;
