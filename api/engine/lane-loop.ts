import type { Ports } from "../platform/ports.ts";
import { Bell } from "./bell.ts";
import type { AnswerSource } from "./carry-unit.ts";
import { Lane, type LaneHold, type LaneOutcome } from "./lane.ts";
import type { RunWork } from "./run-work.ts";

/** How often a lane looks whether there is something to commit. */
const TICK_MS = 1_000;

/** Keeps the lane's slots taken, the next unit starting as one ends, and commits in the background. */
export async function laneLoop(
  ports: Ports,
  work: RunWork,
  source: AnswerSource,
  hold: LaneHold,
): Promise<LaneOutcome> {
  const bell = new Bell();
  const lane = new Lane(ports, work, source, hold, bell);
  const isUnderWay = { commit: false, span: false, tick: false };
  const inBackground = (kind: keyof typeof isUnderWay, begin: () => Promise<void>) => {
    isUnderWay[kind] = true;
    const ended = begin().finally(() => {
      isUnderWay[kind] = false;
    });
    bell.after(ended);
  };
  for (;;) {
    lane.fill();
    if (!isUnderWay.commit && lane.wantsCommit()) inBackground("commit", () => lane.commit(false));
    if (!isUnderWay.span && lane.wantsSpan()) inBackground("span", () => lane.lengthen());
    if (lane.active.size === 0 && !isUnderWay.commit && !isUnderWay.span) break;
    if (!isUnderWay.tick) inBackground("tick", () => ports.sleep(TICK_MS));
    await bell.rung();
  }
  await lane.commit(true);
  return lane.outcome();
}
