import type { Ports } from "../platform/ports.ts";
import { slugOf } from "../submissions/check-models.ts";
import { announce } from "../webhooks/announce.ts";
import type { ScheduleRecord } from "./schedule-ports.ts";
import { modelOf } from "./schedule-view.ts";

/** Pauses a schedule that gets nowhere, and tells its owner why. */
export async function pauseSchedule(
  ports: Ports,
  schedule: ScheduleRecord,
  reason: string,
): Promise<void> {
  const { id, owner } = schedule;
  const now = ports.now();
  const model = modelOf(schedule);
  const { name, simulated = false } = model;
  const { suite, dataset } = schedule.request;
  const data = {
    schedule: id,
    suite,
    dataset,
    reason,
    pausedAt: new Date(now).toISOString(),
    model: { name, slug: slugOf(model, owner), simulated },
    links: { schedule: `/v1/schedules/${id}` },
  };
  // Told first: where this dies in between, it is paused by the next sweep, and told once.
  const subject = `${id} ${schedule.nextAt}`;
  await announce(ports, { type: "schedule.paused", owner, subject, data });
  await ports.schedules.changeStatus({
    id,
    from: "active",
    to: "paused",
    reason,
    nextAt: schedule.nextAt,
    event: { scheduleId: id, at: now, kind: "paused", detail: reason, runId: null },
  });
}
