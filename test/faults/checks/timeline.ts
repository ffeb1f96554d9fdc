import { partsKey, type RunParts } from "../../../api/runs/run-objects.ts";
import {
  addToTimeline,
  emptyTimeline,
  timelineOf,
} from "../../../shared/measures/performance/timeline.ts";

import type { RunEvidence } from "../evidence.ts";

/** The stored timeline of a finished run, held against one made of its rows, byte for byte. */
export function checkTimeline({ run, rows, objects }: RunEvidence): string[] {
  const times = rows.flatMap(({ done_ms }) => done_ms ?? []);
  const tally = times.length === 0 ? null : emptyTimeline(Math.max(...times));
  for (const row of tally === null ? [] : rows) {
    addToTimeline(tally as NonNullable<typeof tally>, {
      doneMs: row.done_ms,
      covered: Boolean(row.covered),
      latencyMs: row.latency_ms,
      attempts: row.attempts,
      queueWaitMs: row.queue_wait_ms,
      retryWaitMs: row.retry_wait_ms,
    });
  }
  const made = tally && timelineOf(tally);
  const counted = made?.bins.reduce((sum, bin) => sum + bin.completed + bin.failed, 0) ?? 0;
  const parts = JSON.parse(objects.get(partsKey(run)) ?? "{}") as Partial<RunParts>;
  const isSame = JSON.stringify(parts.timeline) === JSON.stringify(made);
  return [
    ...(isSame ? [] : [`${run.model_slug}: the timeline is not what its rows give`]),
    ...(counted === times.length ? [] : [`${run.model_slug}: the timeline counts ${counted}`]),
  ];
}
