import type { Writable } from "node:stream";
import type { Run } from "#shared/contracts/run.ts";
import { followRuns } from "../remote/follow-runs.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { runBars } from "../runs/run-bars.ts";
import { runsOf } from "../runs/runs-of.ts";
import { onTermination } from "../score/on-termination.ts";

/** Waits for the runs of a submission. Whoever stops waiting is told how to go on: `advice`. */
export async function followSubmission(
  service: ServiceClient,
  ids: readonly string[],
  advice: string,
  stderr: Writable,
): Promise<Run[]> {
  const bars = runBars(stderr);
  const leave = () => {
    bars.clear();
    stderr.write(`${advice}\n`);
  };
  const release = onTermination(leave);
  try {
    await followRuns(service, ids, (known) => bars.show(known));
    bars.clear();
    return await runsOf(service, ids);
  } catch (error) {
    leave();
    throw error;
  } finally {
    release();
  }
}
