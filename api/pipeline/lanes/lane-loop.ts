import type { Ports } from "../ports.ts";
import type { AnswerSource } from "./carry-unit.ts";
import { Lane, type LaneHold, type LaneOutcome } from "./lane-at-work.ts";
import type { RunWork } from "./run-work.ts";

/** How often a lane looks whether there is something to commit. */
const TICK_MS = 1_000;

/** Keeps the lane's slots taken, the next unit starting as one ends, and commits beside them. */
export async function laneLoop(
  ports: Ports,
  work: RunWork,
  source: AnswerSource,
  hold: LaneHold,
): Promise<LaneOutcome> {
  const lane = new Lane(ports, work, source, hold);
  let committing: Promise<void> | null = null;
  let lengthening: Promise<void> | null = null;
  let tick = ports.sleep(TICK_MS);
  for (;;) {
    lane.fill();
    if (committing === null && lane.wantsCommit()) {
      committing = lane.commit(false).finally(() => {
        committing = null;
      });
    }
    if (lengthening === null && lane.wantsSpan()) {
      lengthening = lane.lengthen().finally(() => {
        lengthening = null;
      });
    }
    const pending: Promise<void>[] = [...lane.active.values()];
    if (committing !== null) pending.push(committing);
    if (lengthening !== null) pending.push(lengthening);
    if (pending.length === 0) break;
    const ticked = await Promise.race([
      ...pending.map((promise) => promise.then(() => false)),
      tick,
    ]);
    if (ticked !== false) tick = ports.sleep(TICK_MS);
  }
  await lane.commit(true);
  return lane.outcome();
}
