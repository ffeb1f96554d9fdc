import type { RunRecord } from "../../api/runs/schema.ts";
import { submit } from "../../api/submissions/service.ts";
import { textHash } from "../../shared/contracts/content-hash.ts";
import { submissionRequestSchema } from "../../shared/contracts/submissions/submission.ts";
import { operator, type Service } from "./service.ts";

/** Submits `request` and returns its runs. Ids are derived from `name`, so they are reproducible. */
export async function takeIn(
  { platform }: Service,
  name: string,
  request: object,
): Promise<RunRecord[]> {
  const made: string[] = [];
  const newId = (prefix: string) => {
    const before = made.filter((id) => id.startsWith(`${prefix}_`)).length;
    const id = `${prefix}_${textHash(before === 0 ? name : `${name}, ${before}`).slice(0, 32)}`;
    made.push(id);
    return id;
  };
  const parsed = submissionRequestSchema.parse(request);
  const taken = await submit({ ...platform, newId }, parsed, operator);
  if (!taken.ok) throw new Error(`the service refuses ${name}: ${JSON.stringify(taken.error)}`);
  const runs: RunRecord[] = [];
  for (const id of made.filter((one) => one.startsWith("run_"))) {
    const run = await platform.runs.get(id);
    if (run === null) throw new Error(`${id} was not stored`);
    runs.push(run);
  }
  return runs;
}
