import type { Run } from "#shared/contracts/run.ts";
import { runSchema } from "#shared/contracts/run.ts";
import { submissionSchema } from "#shared/contracts/submission.ts";
import { BadInput } from "../bad-input.ts";
import type { ServiceClient } from "../remote/service-client.ts";

const idsSchema = submissionSchema.pick({ runs: true });

/** The ids of runs; one of a submission stands for all of its runs. Throws BadInput where none is given. */
export async function runIds(service: ServiceClient, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) throw new BadInput("name a run or a submission by its id, as run_01a2…");
  const ids = new Set<string>();
  for (const id of given) {
    if (!id.startsWith("sub_")) ids.add(id);
    else {
      const path = `/v1/submissions/${encodeURIComponent(id)}`;
      for (const run of (await service.get(path, idsSchema)).value.runs) ids.add(run.id);
    }
  }
  return [...ids];
}

/** Runs by their ids, in that order. */
export async function runsOf(service: ServiceClient, ids: readonly string[]): Promise<Run[]> {
  const replies = await Promise.all(
    ids.map((id) => service.get(`/v1/runs/${encodeURIComponent(id)}`, runSchema)),
  );
  return replies.map(({ value }) => value);
}
