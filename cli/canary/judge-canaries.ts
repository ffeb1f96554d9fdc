import type { Writable } from "node:stream";
import { submissionSchema } from "#shared/contracts/submission.ts";
import { type FollowedRun, followRuns, hasStopped } from "../remote/follow-runs.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { counted, formatCount } from "../score/format-value.ts";
import { onTermination } from "../score/on-termination.ts";
import { progressLine } from "./progress-line.ts";

const submittedSchema = submissionSchema.pick({ id: true, runs: true });

/**
 * Has the canaries of a suite judged and waits for it. Whoever stops waiting is told that the service goes
 * on.
 */
export async function judgeCanaries(
  service: ServiceClient,
  suite: string,
  dataset: string,
  stderr: Writable,
): Promise<FollowedRun[]> {
  const { value } = await service.post(
    `/v1/suites/${suite}/canaries`,
    { dataset },
    submittedSchema,
  );
  const line = progressLine(stderr);
  const leave = () => {
    line.clear();
    stderr.write(
      `the service goes on judging; assay canary ${suite} --no-run prints the outcome\n`,
    );
  };
  const release = onTermination(leave);
  try {
    const ids = value.runs.map(({ id }) => id);
    const runs = await followRuns(service, ids, (known) => line.show(progressText(known, ids)));
    line.clear();
    return runs;
  } catch (error) {
    leave();
    throw error;
  } finally {
    release();
  }
}

function progressText(runs: readonly FollowedRun[], ids: readonly string[]): string {
  const sum = (of: "done" | "total") => runs.reduce((all, { progress }) => all + progress[of], 0);
  const over = `${runs.filter(hasStopped).length} of ${counted(ids.length, "run")} done`;
  return `judging: ${over}, ${formatCount(sum("done"))} of ${counted(sum("total"), "sample")} …`;
}
