import type { Writable } from "node:stream";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Visibility } from "#shared/contracts/dataset.ts";
import type { Run } from "#shared/contracts/run.ts";
import { submissionSchema } from "#shared/contracts/submission.ts";
import { BadInput } from "../bad-input.ts";
import type { Submitted } from "../config/plan.ts";
import { callOnce } from "../remote/call-once.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { followSubmission } from "../run/follow-submission.ts";
import { runsOf } from "../runs/runs-of.ts";
import { answersBody, pushedHead } from "./answers-body.ts";
import { namedDataset, publishedDataset } from "./published-dataset.ts";

/** Where answers go that were made on this machine. */
export interface PushTarget {
  service: ServiceClient;
  /** Whether a dataset that the service lacks is uploaded. */
  mayUpload: boolean;
  visibility: Visibility;
}

const submittedSchema = submissionSchema.pick({ id: true, runs: true });

/** What was published of one run. */
export interface PushedRun {
  /** Here, and there. */
  from: string;
  run: Run;
}

/** Says before anything is asked of a model that its answers could not be published. Throws BadInput. */
export async function refuseUnpushable(
  here: ServiceClient,
  { service, mayUpload }: PushTarget,
  { suite, dataset }: Pick<Submitted, "suite" | "dataset">,
): Promise<void> {
  if (here.origin === service.origin) {
    throw new BadInput(`--push ${service.origin}: the models are evaluated there already`);
  }
  // One that is not listed is looked for when the run is there, which knows its version.
  const own = await namedDataset(here, suite, dataset);
  if (own !== null) await publishedDataset(here, service, own, { mayUpload, isDry: true });
}

/**
 * Publishes the answers of runs that finished, as self-reported ones, and waits until they are scored. Under a
 * key of its content a run is published once, however often it is tried within a day. Throws BadInput.
 */
export async function pushRuns(
  here: ServiceClient,
  { service, mayUpload, visibility }: PushTarget,
  runs: readonly Run[],
  stderr: Writable,
): Promise<PushedRun[]> {
  const pushed: PushedRun[] = [];
  for (const run of runs.filter(({ status }) => status === "finished")) {
    const { version, name } = run.dataset;
    const own = { suite: run.suite, name, version, visibility };
    const there = await publishedDataset(here, service, own, {
      mayUpload,
      isDry: false,
      tell: (line) => void stderr.write(`${line}\n`),
    });
    const head = pushedHead(run, there, visibility);
    const key = contentHash({
      run: run.id,
      finishedAt: run.finishedAt,
      head: JSON.stringify(head),
    });
    const { id, runs: made } = await callOnce(key, async (headers) => {
      const pieces = answersBody(here, run, head);
      return (await service.stream("/v1/submissions", pieces, submittedSchema, headers)).value;
    });
    const advice = `${service.origin} goes on; assay status ${id} --wait --server ${service.origin} follows it`;
    const ids = made.map((one) => one.id);
    await followSubmission(service, ids, advice, stderr);
    for (const one of await runsOf(service, ids)) pushed.push({ from: run.id, run: one });
  }
  return pushed;
}
