import { coverageFloor } from "#shared/contracts/leaderboard.ts";
import type { Run } from "#shared/contracts/run.ts";
import { formatShare } from "../format/number.ts";

/** Fewer samples than this give intervals too wide to tell good from fair. */
export const fewSamples = 50;

const statusLabels: Record<Run["status"], string> = {
  queued: "Waiting to start",
  running: "Running",
  paused: "Paused",
  finished: "Finished",
  failed: "Failed",
  cancelled: "Cancelled",
};

export const statusLabel = (run: Pick<Run, "status">): string => statusLabels[run.status];

export const headlineOf = (run: Pick<Run, "metrics" | "headline">) => run.metrics?.[run.headline];

/** What a reader must know before the numbers. */
export function warningsOf(run: Pick<Run, "headline" | "metrics" | "judging">): string[] {
  const headline = headlineOf(run);
  if (!headline) return [];
  const warnings: string[] = [];
  if (headline.coverage < coverageFloor) {
    const share = formatShare(headline.coverage);
    warnings.push(
      run.judging === null
        ? `The model answered only ${share} of the samples. Requests that failed score 0, so this run is shown but not ranked.`
        : `Only ${share} of the samples were answered and judged. Requests that failed score 0, and samples without a judgment that their score needs are left out, so this run is shown but not ranked.`,
    );
  }
  if (headline.n < fewSamples) {
    warnings.push(`Only ${headline.n} samples: read every number here with its interval.`);
  }
  return warnings;
}
