import { openTarget } from "../engine/run-work.ts";
import { logProblem } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import { clientOf } from "./provider-batches.ts";

/** Cancels a run, and its open batches. False if the run has ended already. */
export const cancelRun = (platform: Platform, run: RunRecord): Promise<boolean> =>
  endWithBatches(platform, run, () => platform.runs.cancel(run.id, platform.now()));

/**
 * Ends a run, and cancels its open batches at their providers. That needs the key, which is deleted when the run ends,
 * so it is read before. A batch that can't be cancelled ends by itself; the log names it. False if `end` did not end
 * the run.
 */
export async function endWithBatches(
  platform: Platform,
  run: RunRecord,
  end: () => Promise<boolean>,
): Promise<boolean> {
  const open = await platform.batches.open(run.id);
  const target = open.length === 0 ? null : await openTarget(platform, run);
  if (!(await end())) return false;
  for (const { providerId, judge } of open) {
    if (providerId === null) continue;
    const client = clientOf(platform, { target }, judge);
    const cancelled = await client?.cancel(providerId);
    if (cancelled?.ok) continue;
    const error = cancelled?.failure.class ?? "no key";
    logProblem("batch-not-cancelled", { run: run.id, providerId, error });
  }
  return true;
}
