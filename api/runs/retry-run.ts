import { scoringVersionOf } from "#shared/contracts/judging/scoring-version.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { RetryRequest } from "#shared/contracts/submissions/run-requests.ts";
import { promptHashOf } from "../boards/board-identity.ts";
import type { PhaseStart, RunRetry } from "../engine/phase-store.ts";
import { type RunPlan, suiteOptionsOf } from "../engine/run-plan.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import { startLanes } from "../engine/seat-lanes.ts";
import { withCurrentPrompts } from "../judging/resolve-judging.ts";
import {
  answeringStart,
  dealOut,
  judgingStart,
  type OpenUnits,
  unitsToJudge,
  unitsToRetry,
} from "../judging/units.ts";
import type { Account } from "../keys/account.ts";
import { chargeOf, judgesRefusal, overQuota, quotaOf, spendLimitOf } from "../keys/quota.ts";
import type { Charge } from "../keys/quota-store.ts";
import { estimatedSpend } from "../operator/spend-store.ts";
import { finalizeMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { hint } from "../platform/retry-storage.ts";
import { judgeUsdOf } from "../submissions/estimate-submission.ts";
import { sealSecrets } from "../submissions/new-run.ts";
import { ownedRun, type RunRefusal } from "./access.ts";
import { needRoom, putBackRows } from "./archive-runs.ts";
import { answersGoneDetail, areAnswersGone } from "./run-objects.ts";
import type { RunRecord } from "./schema.ts";

/**
 * Retries the failed samples of an ended run, within the same run; a failed run also continues with its remaining
 * samples. One transaction, so that of two calls one is refused. Charges the caller's quota for samples that had been
 * refunded. `id`: id of the retry.
 */
export async function retryRun(
  platform: Platform,
  account: Account,
  runId: string,
  request: RetryRequest,
  id = platform.newId("retry"),
): Promise<Result<RunRecord, RunRefusal>> {
  const owned = await ownedRun(platform, account, runId);
  if (!owned.ok) return owned;
  const run = owned.value;
  const refusal = refusalOf(platform, run, request);
  if (refusal !== null) return err(refusal);
  const work = await openRun(platform, { ...run, sealedSecrets: null });
  const again = await whatAgain(platform, run, work.plan);
  const quota = await quotaOf(platform, account);
  const charge = chargeOf(quota, run.total - run.charged, platform.now());
  const limit = spendLimitOf(quota, platform.now());
  const usd = limit === null ? 0 : await judgeUsdAgain(platform, work, again);
  const over = await judgesRefusal(platform, quota, usd);
  if (over !== null) return err({ type: "quota-exceeded", ...over });
  const spend = limit && { limit, estimate: estimatedSpend(limit.day, usd) };
  await needRoom(platform);
  const isWritable = await putBackRows(platform, run);
  const outcome = isWritable
    ? await reopen(platform, run, request, { id, again, charge, spend: usd > 0 ? spend : null })
    : "changed";
  if (outcome === "over-quota" && charge !== null) {
    const judges = await judgesRefusal(platform, quota, usd);
    return err({ type: "quota-exceeded", ...(judges ?? (await overQuota(platform, charge))) });
  }
  if (outcome !== "retried") {
    const detail = `run "${runId}" is being retried or rescored right now: read it again before another retry`;
    return err({ type: "conflict", detail });
  }
  await begin(platform, run, again);
  return ok((await platform.runs.get(runId)) ?? run);
}

/** The run that a retry reopened; null if there was no such retry. */
export async function retriedRun(platform: Platform, runId: string, id: string) {
  const run = await platform.runs.get(runId);
  return run?.retries.includes(id) ? run : null;
}

function refusalOf(platform: Platform, run: RunRecord, request: RetryRequest): RunRefusal | null {
  const detail = stateRefusal(platform, run);
  if (detail !== null) return { type: "conflict", detail };
  const isGiven = [request.endpoint, request.cloud].some(
    ({ apiKey, headers = {} } = {}) => apiKey !== undefined || Object.keys(headers).length > 0,
  );
  if (!run.hadSecrets || isGiven || !asksModel(run)) return null;
  const reason =
    "must be given again (or endpoint.headers): the endpoint's secrets were deleted when the run ended";
  return {
    type: "invalid-request",
    detail: "nothing was done: the endpoint needs its key or headers again: they are not stored",
    errors: [{ pointer: "/endpoint/apiKey", detail: reason }],
  };
}

/** Why a run can't be retried in its state; null if it can. */
function stateRefusal(platform: Platform, run: RunRecord): string | null {
  if (run.status !== "finished" && run.status !== "failed") {
    const advice =
      run.status === "cancelled" ? "submit the model again" : "wait until it has ended";
    return `a run that is ${run.status} can't be retried: ${advice}`;
  }
  if (areAnswersGone(run, platform.settings, platform.now())) {
    return `${answersGoneDetail(run)}, so it can't be summarized again: submit the model again`;
  }
  const isMissing = !asksModel(run) && !lacksJudgments(run);
  if (isMissing && run.parentId !== null) {
    return `run "${run.id}" scores the answers of run "${run.parentId}" and sent no requests: retry that run, then rescore it`;
  }
  if (isMissing && run.endpoint === null) {
    return `the answers of run "${run.id}" were submitted, so there is no endpoint to ask: submit the missing answers as a new submission`;
  }
  if (isMissing) return `no sample of run "${run.id}" failed, so there is nothing to retry`;
  const change = suiteChange(platform, run);
  return change === null
    ? null
    : `${change}, and all samples of a run must be scored by the same rules: submit the model again`;
}

/** Whether a retry calls the model: samples failed or were never asked. */
const asksModel = ({ endpoint, parentId, status, phase, failed }: RunRecord): boolean =>
  endpoint !== null &&
  parentId === null &&
  (failed > 0 || (status === "failed" && phase === "answering"));

/** Whether judgments failed or are still missing. */
const lacksJudgments = ({ judging, status, failedJudgments }: RunRecord): boolean =>
  judging !== null && (failedJudgments > 0 || status === "failed");

/** The work of a retry: units to ask or judge, and the phase that it starts with. */
interface Again extends OpenUnits {
  toJudge: number[];
  start: PhaseStart;
}

async function whatAgain(platform: Platform, run: RunRecord, plan: RunPlan): Promise<Again> {
  const judged = run.judging === null ? null : await platform.runs.judgedRanges(run.id);
  const toJudge = judged && unitsToJudge(plan, judged);
  const { units = [], seqs: unjudged = [] } = toJudge ?? {};
  if (!asksModel(run)) {
    const start = judgingStart(platform, run.options, units.length, plan.units.length);
    return { units, seqs: [], toJudge: unjudged, start };
  }
  const cursor = run.phase === "answering" ? run.cursor : plan.units.length;
  const again = unitsToRetry(plan, cursor, await platform.runs.coveredRanges(run.id));
  return { ...again, toJudge: unjudged, start: answeringStart(platform, run, cursor) };
}

/** Expected cost of a retry's judgments, USD: the share for the samples that it judges. */
async function judgeUsdAgain(
  platform: Platform,
  { run, plan, suite, options: suiteOptions }: RunWork,
  { seqs, toJudge }: Again,
): Promise<number> {
  const { judging, options, phase, datasetName: name, datasetVersion: version } = run;
  const dataset = { name, version };
  const usd = await judgeUsdOf(platform, { suite, options, suiteOptions, judging, plan, dataset });
  const isAll = phase === "answering";
  return isAll ? usd : usd * Math.min(1, (seqs.length + toJudge.length) / run.total);
}

async function reopen(
  platform: Platform,
  run: RunRecord,
  { endpoint, cloud }: RetryRequest,
  {
    id,
    again,
    charge,
    spend,
  }: { id: string; again: Again; charge: Charge | null; spend: RunRetry["spend"] },
): ReturnType<Platform["runs"]["retry"]> {
  const now = platform.now();
  return platform.runs.retry({
    id,
    runId: run.id,
    sampleTable: run.sampleTable,
    charge,
    spend,
    endedAt: run.finishedAt ?? 0,
    now,
    seqs: again.seqs,
    toJudge: again.toJudge,
    start: again.start,
    // Each lane gets a new lease, which fences off lanes from before the retry.
    pending: dealOut(again.units, again.start.lanes, run.lanes),
    sealedSecrets: await sealSecrets(platform, run.id, endpoint ?? {}, cloud),
    note: noteOf(run, now),
  });
}

function noteOf(run: RunRecord, now: number): string {
  const { failed, failedJudgments, total, done, phase } = run;
  const day = new Date(now).toISOString().slice(0, 10);
  if (!asksModel(run)) {
    return `missing judgments (${failedJudgments} had failed) were requested again on ${day}`;
  }
  const missing = phase === "answering" ? total - done : 0;
  const again = `${failed} failed ${failed === 1 ? "sample was" : "samples were"} asked again`;
  const rest = `${missing} without an answer so far ${missing === 1 ? "was" : "were"} asked`;
  const parts = [...(failed > 0 || missing === 0 ? [again] : []), ...(missing > 0 ? [rest] : [])];
  return `${parts.join(", and ")} on ${day}`;
}

/** Starts the lanes; if there is no work, sums up the run. */
async function begin(platform: Platform, { id, units }: RunRecord, again: Again): Promise<void> {
  const { phase, cursor } = again.start;
  const isWork = cursor < units || again.units.length > 0;
  if (!isWork) return hint(platform.queues.finish(finalizeMessage(id)));
  await startLanes(platform, phase);
}

/** How the run's suite has changed since, as text; null if requests and scores are the same. */
function suiteChange(
  platform: Pick<Platform, "suites">,
  run: Pick<
    RunRecord,
    "suite" | "suiteVersion" | "options" | "scoringVersion" | "promptHash" | "judging"
  >,
): string | null {
  const suite = platform.suites.byId(run.suite);
  if (suite === undefined) return `suite "${run.suite}" is no longer part of this service`;
  const options = suite.optionsSchema.safeParse(suiteOptionsOf(run.options));
  const isSame =
    options.success &&
    scoringVersionOf(suite, options.data, withCurrentPrompts(suite, run.judging, options.data)) ===
      run.scoringVersion &&
    (run.promptHash === null || promptHashOf(suite, options.data) === run.promptHash);
  if (isSame) return null;
  return `suite "${run.suite}" has changed since the run (version ${run.suiteVersion}, now ${suite.version})`;
}
