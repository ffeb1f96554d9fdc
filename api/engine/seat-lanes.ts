import { capOf } from "../judging/units.ts";
import { laneMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { hint } from "../platform/retry-storage.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { Seat } from "./seat-store.ts";

type Phase = RunRecord["phase"];

/**
 * How long a seat waits for a consumer before lanes of its queue end their batch, so that the queue starts another
 * consumer.
 */
const SEAT_WAIT_MS = 1_000;

const limitsOf = (platform: Platform, phase: Phase) => ({
  phase,
  now: platform.now(),
  lanesMax: platform.settings.lanesMax,
  endpointCap: capOf(platform, { phase }),
});

/**
 * Starts the lanes that are next in line, if seats are free. Called whenever work arrives or a lane ends. Only a hint:
 * seats whose message is lost expire, and the cron job assigns them again. `atOnce`: number of queues to send to
 * concurrently.
 */
export async function startLanes(platform: Platform, phase: Phase, atOnce = 5): Promise<void> {
  const limits = limitsOf(platform, phase);
  const start = async () => {
    const expiresAt = limits.now + platform.settings.leaseMs;
    const seats = await platform.runs.giveSeats(limits, platform.newId("seat"), expiresAt);
    if (seats.length === 0) return;
    const messages = seats.map((seat) => laneMessage({ id: seat.run, phase }, seat));
    await platform.queues.lanes(messages, 0, atOnce);
  };
  await hint(start());
}

/**
 * Whether a working lane must end its span: others wait, its run is no longer active, or its queue has too few
 * consumers.
 */
export async function isToYield(
  platform: Platform,
  phase: Phase,
  seat: Pick<Seat, "run" | "lane">,
): Promise<boolean> {
  const limits = limitsOf(platform, phase);
  const overdueBy = limits.now + platform.settings.leaseMs - SEAT_WAIT_MS;
  const queues = await platform.queues.count(phase);
  return platform.runs.isToYield(limits, seat, { overdueBy, queues });
}
