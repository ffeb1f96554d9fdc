import { judgingStart, unitsToJudge } from "../judging/units-to-judge.ts";
import { laneMessages } from "../platform/messages.ts";
import type { Ports } from "../platform/ports.ts";
import { dealOut } from "../runs/units-to-retry.ts";
import type { RunWork } from "./run-work.ts";

/** Has the answers of a run judged, all of which are in. Can run any number of times. */
export async function beginJudging(ports: Ports, { run, plan }: RunWork): Promise<void> {
  const { units } = unitsToJudge(plan, await ports.runs.judgedRanges(run.id));
  const isWhole = units.length === plan.units.length;
  const start = judgingStart(ports, units.length, isWhole ? 0 : plan.units.length);
  // Every lane has a lease from the start, which keeps the lanes out that asked the model.
  const pending = dealOut(isWhole ? [] : units, start.lanes, run.lanes);
  const now = ports.now();
  if (!(await ports.runs.beginJudging({ run, now, pending, start }))) return;
  await ports.queues.lanes(laneMessages({ id: run.id, phase: "judging" }, start.lanes));
}
