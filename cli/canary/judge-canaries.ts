import type { Writable } from "node:stream";
import { submissionSchema } from "#shared/contracts/submission.ts";
import { type FollowedRun, followRuns } from "../remote/follow-runs.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { progressLine } from "../runs/progress-line.ts";
import { progressText } from "../runs/progress-text.ts";
import { onTermination } from "../score/on-termination.ts";

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
    const runs = await followRuns(service, ids, (known) =>
      line.show(`judging: ${progressText(known, ids.length)}`),
    );
    line.clear();
    return runs;
  } catch (error) {
    leave();
    throw error;
  } finally {
    release();
  }
}
