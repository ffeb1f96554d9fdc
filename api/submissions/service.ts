import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SubmissionRequest } from "#shared/contracts/submissions/submission.ts";
import { judgeBatchErrors } from "../batches/batch-errors.ts";
import { boardErrors } from "../boards/board-limits.ts";
import { startLanes } from "../engine/seat-lanes.ts";
import { storeSubmitted, submittedKeys } from "../engine/stored-answers.ts";
import {
  dayOf,
  fittingCharge,
  judgesRefusal,
  type OverQuota,
  overQuota,
  runBytesRefusal,
  spendLimitOf,
} from "../keys/quota.ts";
import type { Charge } from "../keys/quota-store.ts";
import { estimatedSpend } from "../operator/spend-store.ts";
import type { Platform } from "../platform/platform.ts";
import { runnerErrors } from "../runners/service.ts";
import { needRoom } from "../runs/archive-runs.ts";
import { runFolder } from "../runs/run-objects.ts";
import type { NewRun } from "../runs/schema.ts";
import { checkModels } from "./check-models.ts";
import { judgeUsdOf } from "./estimate-submission.ts";
import { newRun } from "./new-run.ts";
import { type PlannedSubmission, planRuns } from "./plan-runs.ts";
import { plannedTestErrors } from "./planned-test-errors.ts";
import {
  type ResolvedSubmission,
  resolveSubmission,
  type Submitter,
} from "./resolve-submission.ts";

export type SubmissionRefusal =
  | { kind: "invalid"; errors: FieldError[] }
  | { kind: "full"; detail: string }
  | ({ kind: "over-quota" } & OverQuota);

/**
 * Accepts a submission: stores it with one run for each model and variant, all or nothing, and starts them. If the id
 * exists, the same request is being executed already. `canaries`: for the service's own submissions, the canary of each
 * model.
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
  // The insert decides; this earlier check only avoids storing answers of a refused submission.
  const { plan, runs } = checked.value;
  const charged = await fittingCharge(platform, submitter.quota, plan.total * runs.length);
  if (!charged.ok) return err({ kind: "over-quota", ...charged.error });
  const { quota, owner } = submitter;
  const full = quota === null || submitter.anyOwner ? null : await runBytesRefusal(platform, owner);
  if (full !== null) return err({ kind: "full", detail: full });
  const limit = spendLimitOf(quota, platform.now());
  const judgeUsd = limit === null ? 0 : await judgeUsdOf(platform, checked.value);
  const over = await judgesRefusal(platform, quota, judgeUsd * runs.length);
  if (over !== null) return err({ kind: "over-quota", ...over });
  const accepted = { id, charge: charged.value, canaries, judgeUsd };
  return store(platform, checked.value, submitter, accepted);
}

/** Resolves and checks a submission; also used for dry runs. */
export async function checkSubmission(
  platform: Platform,
  request: SubmissionRequest,
  submitter: Submitter,
): Promise<Result<PlannedSubmission, { kind: "invalid"; errors: FieldError[] }>> {
  const resolved = await resolveSubmission(platform, request, submitter);
  if (!resolved.ok) return err({ kind: "invalid", errors: resolved.error });
  const { suite, judging, options } = resolved.value;
  const errors = [
    ...checkModels(resolved.value, submitter, platform.settings),
    ...judgeBatchErrors(platform.judging, suite, judging, options["judgeMode"]),
    ...reuseErrors(platform, resolved.value),
    ...(await runnerErrors(platform, request, submitter.owner)),
  ];
  if (errors.length > 0) return err({ kind: "invalid", errors });
  const planned = planRuns(resolved.value, submitter);
  errors.push(
    ...(await plannedTestErrors(platform, planned, submitter)),
    ...(await boardErrors(platform, planned, submitter)),
  );
  return errors.length > 0 ? err({ kind: "invalid", errors }) : ok(planned);
}

/** Why a run can't reuse stored answers; empty if it can. */
function reuseErrors({ answers }: Platform, { suite, options }: ResolvedSubmission): FieldError[] {
  if (options["reuseAnswers"] !== true) return [];
  const pointer = "/options/reuseAnswers";
  const reasons: [isTrue: boolean, detail: string][] = [
    [answers === null, "this service stores no answers for reuse: leave it out"],
    [
      suite.scoresLatency === true,
      `suite ${suite.id} scores latency, which a stored answer does not have: leave it out`,
    ],
    [options["mode"] === "batch", "batches are always asked: leave it out, or options.mode"],
  ];
  return reasons.flatMap(([isTrue, detail]) => (isTrue ? [{ pointer, detail }] : []));
}

interface Accepted {
  id: string;
  charge: Charge | null;
  canaries: readonly string[];
  /** Expected cost of the judges of each run, USD; 0: no judges, or no limit. */
  judgeUsd: number;
}

async function store(
  platform: Platform,
  submission: PlannedSubmission,
  { owner, person, quota }: Submitter,
  { id, charge, canaries, judgeUsd }: Accepted,
): Promise<Result<string, SubmissionRefusal>> {
  const { suite, dataset } = submission;
  const accepted = { submissionId: id, owner, charge, canaries };
  const made = await Promise.all(
    submission.runs.map((planned) => newRun(platform, submission, planned, accepted)),
  );
  const now = platform.now();
  const judgeSpend = judgeUsd > 0 ? estimatedSpend(dayOf(now), judgeUsd) : null;
  const runs = made.map((run) => ({ ...run, startedBy: person ?? null, judgeSpend }));
  const noted = await storeAnswers(platform, submission, runs);
  await ensureBoards(platform, submission, runs);
  const { name: datasetName, version: datasetVersion } = dataset;
  const stored = await platform.runs.insert(
    { id, owner, suite: suite.id, datasetName, datasetVersion, createdAt: now },
    runs,
    charge,
    spendLimitOf(quota, now),
    { noted },
  );
  if (stored !== "stored" && noted !== null) await removeUnstored(platform, runs);
  if (stored === "over-quota" && charge !== null) {
    const over = await judgesRefusal(platform, quota, judgeUsd * runs.length);
    return err({ kind: "over-quota", ...(over ?? (await overQuota(platform, charge))) });
  }
  for (const phase of new Set(runs.map((run) => run.phase ?? "answering"))) {
    await startLanes(platform, phase);
  }
  return ok(id);
}

/** Time for storing runs after their answers; then answers without a run are deleted. */
const STORED_MS = 3_600_000;

/**
 * Stores submitted answers; models with answers have one run each, because they can't be swept. Their bytes count from
 * now on. The objects are noted first, so that neither a crash nor a failed insert leaves answers behind; returns the
 * notes, null if no model has answers.
 */
async function storeAnswers(platform: Platform, submission: PlannedSubmission, runs: NewRun[]) {
  const { request, plan } = submission;
  const given = request.models.flatMap(({ answers }, i) => {
    const run = runs[i];
    return run === undefined || answers === undefined ? [] : [{ run, answers }];
  });
  if (given.length === 0) return null;
  const keys = given.flatMap(({ run }) => submittedKeys(run.id, plan.heads.length * plan.repeats));
  const noted = { keys, deleteAt: platform.now() + STORED_MS };
  await platform.runs.noteObjects(noted);
  for (const { run, answers } of given) {
    const byId = Map.groupBy(answers, (answer) => answer.id);
    const inOrder = plan.heads.flatMap((head) =>
      Array.from({ length: plan.repeats }, (_, repeat) => byId.get(head.id)?.[repeat] ?? null),
    );
    await storeSubmitted(platform.objects, run.id, inOrder);
    run.storedBytes = await platform.objects.bytes(runFolder(run.id));
  }
  return noted;
}

/** Removes answers at once, unless a call whose reply was lost has stored their runs. */
async function removeUnstored({ runs: { get }, objects }: Platform, runs: readonly NewRun[]) {
  for (const { id } of runs) {
    if ((await get(id)) !== null) return;
    await objects.remove(await objects.keys(runFolder(id)));
  }
}

/** Creates boards before their runs, so that a finished run always finds its board. */
async function ensureBoards(platform: Platform, { boards }: PlannedSubmission, runs: NewRun[]) {
  for (const board of boards) {
    if (!runs.some((run) => run.boardId === board.id)) continue;
    await platform.boards.ensure(board, platform.now());
  }
}
