import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SubmissionRequest } from "#shared/contracts/submissions/submission.ts";
import { boardErrors, madeBy } from "../boards/board-limits.ts";
import { storeSubmitted } from "../engine/stored-answers.ts";
import { chargeOf, type OverQuota, overQuota } from "../keys/quota.ts";
import type { Charge } from "../keys/quota-store.ts";
import { laneMessages } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { hint } from "../platform/retry-storage.ts";
import { needRoom } from "../runs/archive-runs.ts";
import type { NewRun } from "../runs/schema.ts";
import { checkModels, type Submitter } from "./check-models.ts";
import { boardsOf, newRun } from "./new-run.ts";
import { type ResolvedSubmission, resolveSubmission } from "./resolve-submission.ts";

/** Why a submission was not taken. */
export type SubmissionRefusal =
  | { kind: "invalid"; errors: FieldError[] }
  | ({ kind: "over-quota" } & OverQuota);

/**
 * Accepts a submission: stores it with one run a model and variant, and starts them. Nothing is stored half.
 * Where the id is taken, the same request came before and is being carried out. `canaries`: of the
 * service's own submissions, which canary each model is.
 */
export async function submit(
  platform: Platform,
  request: SubmissionRequest,
  submitter: Submitter,
  id = platform.newId("sub"),
  canaries: readonly string[] = [],
): Promise<Result<string, SubmissionRefusal>> {
  const checked = await checkSubmission(platform, request, submitter);
  if (!checked.ok) return checked;
  await needRoom(platform);
  const charge = chargeFor(checked.value, submitter, platform.now());
  if (charge !== null) {
    // The insert decides; asked before, a refused submission leaves no answers behind.
    const over = await overQuota(platform, charge);
    if (over.used + charge.samples > charge.allowed) return err({ kind: "over-quota", ...over });
  }
  return store(platform, checked.value, submitter, { id, charge, canaries });
}

/** Finds what a submission names and checks all of it: what a dry run does, too. */
export async function checkSubmission(
  platform: Platform,
  request: SubmissionRequest,
  submitter: Submitter,
): Promise<Result<ResolvedSubmission, { kind: "invalid"; errors: FieldError[] }>> {
  const resolved = await resolveSubmission(platform, request, submitter);
  if (!resolved.ok) return err({ kind: "invalid", errors: resolved.error });
  const errors = checkModels(resolved.value, submitter, platform.settings);
  if (errors.length === 0) errors.push(...(await boardErrors(platform, resolved.value, submitter)));
  return errors.length > 0 ? err({ kind: "invalid", errors }) : resolved;
}

function chargeFor(submission: ResolvedSubmission, { quota }: Submitter, now: number) {
  const { plan, request, variants } = submission;
  return chargeOf(quota, plan.total * request.models.length * variants.length, now);
}

async function store(
  platform: Platform,
  submission: ResolvedSubmission,
  submitter: Submitter,
  { id, charge, canaries }: { id: string; charge: Charge | null; canaries: readonly string[] },
): Promise<Result<string, SubmissionRefusal>> {
  const { request, suite, dataset } = submission;
  const { owner } = submitter;
  const runs = await Promise.all(
    request.models.flatMap((model, i) =>
      submission.variants.map((variant) => {
        const parts = { model, canary: canaries[i] ?? null, variant };
        return newRun(platform, submission, parts, { submissionId: id, owner, charge });
      }),
    ),
  );
  await storeAnswers(platform, submission, runs);
  await ensureBoards(platform, submission, runs, submitter);
  const { name: datasetName, version: datasetVersion } = dataset;
  const stored = await platform.runs.insert(
    { id, owner, suite: suite.id, datasetName, datasetVersion, createdAt: platform.now() },
    runs,
    charge,
  );
  if (stored === "over-quota" && charge !== null) {
    return err({ kind: "over-quota", ...(await overQuota(platform, charge)) });
  }
  // Where the id was taken by another request's runs, messages about these have no effect.
  await startRuns(platform, runs);
  return ok(id);
}

async function startRuns(platform: Platform, runs: readonly NewRun[]): Promise<void> {
  const messages = runs.flatMap(({ id, phase = "answering", lanes }) =>
    laneMessages({ id, phase }, lanes),
  );
  await hint(platform.queues.lanes(messages));
}

/** Models with answers have one run each: they can't be swept. */
async function storeAnswers(platform: Platform, submission: ResolvedSubmission, runs: NewRun[]) {
  const { request, plan } = submission;
  for (const [i, model] of request.models.entries()) {
    const run = runs[i];
    if (!run || model.answers === undefined) continue;
    const byId = Map.groupBy(model.answers, (answer) => answer.id);
    const inOrder = plan.heads.flatMap((head) =>
      Array.from({ length: plan.repeats }, (_, repeat) => byId.get(head.id)?.[repeat] ?? null),
    );
    await storeSubmitted(platform.objects, run.id, inOrder);
  }
}

/** Boards exist before their runs, so that a finished run always finds its own. */
async function ensureBoards(
  platform: Platform,
  submission: ResolvedSubmission,
  runs: NewRun[],
  submitter: Submitter,
) {
  for (const board of boardsOf(submission)) {
    if (!runs.some((run) => run.boardId === board.id)) continue;
    await platform.boards.ensure(madeBy(submitter, board), platform.now());
  }
}
