import { openTarget } from "../engine/run-work.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import { clientOf } from "./provider-batches.ts";

/**
 * Cancels a run, and its open batches at their providers; the key for that is deleted with the cancellation, so it is
 * read before. A batch that can't be cancelled ends by itself; the log names it. False if the run has ended already.
 */
export async function cancelRun(platform: Platform, run: RunRecord): Promise<boolean> {
  const open = await platform.batches.open(run.id);
  const target = open.length === 0 ? null : await openTarget(platform, run);
  if (!(await platform.runs.cancel(run.id, platform.now()))) return false;
  for (const { providerId, judge } of open) {
    if (providerId === null) continue;
    const client = clientOf(platform, { target }, judge);
    const cancelled = await client?.cancel(providerId);
    if (cancelled?.ok) continue;
    const error = cancelled?.failure.message ?? "no key";
    console.error(JSON.stringify({ event: "batch-not-cancelled", run: run.id, providerId, error }));
  }
  return true;
}
