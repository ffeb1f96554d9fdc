import type { Result } from "#shared/contracts/result.ts";
import { readableSubmission } from "../pipeline/runs/readable-run.ts";
import { createOnce } from "../pipeline/submissions/create-once.ts";
import { submissionView } from "../pipeline/submissions/submission-view.ts";
import type { Account } from "../security/account.ts";
import type { AppContext } from "./api-app.ts";
import { keyConflictProblem, repeatableRequest, replayedHeader } from "./idempotency-key.ts";
import { problem } from "./problem-response.ts";

/**
 * Makes a submission, once for a request with an idempotency key, and answers 202 with it or with
 * what `refuse` makes of the reason.
 */
export async function acceptSubmission<E>(
  c: AppContext,
  account: Account,
  create: (id: string) => Promise<Result<string, E>>,
  refuse: (error: E) => never,
) {
  const { ports } = c.var;
  const outcome = await createOnce(ports, await repeatableRequest(c, account.owner), {
    idPrefix: "sub",
    find: async (id) => ((await ports.runs.submission(id)) === null ? null : id),
    create,
  });
  if (outcome.kind === "refused") return refuse(outcome.error);
  if (!("value" in outcome)) return keyConflictProblem(c, outcome);
  const id = outcome.value;
  const stored = await readableSubmission(ports, account, id);
  if (stored === null) {
    const detail = `submission "${id}", which an earlier request with this idempotency-key made, has been deleted: send a new key to submit again`;
    return problem(c, "gone", detail);
  }
  if (outcome.kind === "replayed") c.header(replayedHeader, "true");
  return c.json(submissionView(stored), 202, { location: `/v1/submissions/${id}` });
}
