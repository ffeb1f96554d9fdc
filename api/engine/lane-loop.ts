import type { Ports } from "../platform/ports.ts";
import { Bell } from "./bell.ts";
import type { AnswerSource } from "./carry-unit.ts";
import { Lane, type LaneHold, type LaneOutcome } from "./lane.ts";
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
  const bell = new Bell();
  const lane = new Lane(ports, work, source, hold, bell);
  const goesOn = { commit: false, span: false, tick: false };
  const beside = (kind: keyof typeof goesOn, begin: () => Promise<void>) => {
    goesOn[kind] = true;
    const ended = begin().finally(() => {
      goesOn[kind] = false;
    });
    bell.after(ended);
  };
  for (;;) {
    lane.fill();
    if (!goesOn.commit && lane.wantsCommit()) beside("commit", () => lane.commit(false));
    if (!goesOn.span && lane.wantsSpan()) beside("span", () => lane.lengthen());
    if (lane.active.size === 0 && !goesOn.commit && !goesOn.span) break;
    if (!goesOn.tick) beside("tick", () => ports.sleep(TICK_MS));
    await bell.rung();
  }
  await lane.commit(true);
  return lane.outcome();
}
