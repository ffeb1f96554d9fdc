import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { RescoreRequest } from "#shared/contracts/submissions/run-requests.ts";
import { newBoardError } from "../boards/board-limits.ts";
import { suiteOptionsOf } from "../engine/run-plan.ts";
import { openRun } from "../engine/run-work.ts";
import { startLanes } from "../engine/seat-lanes.ts";
import { judgedFromStart, judgingStart } from "../judging/units.ts";
import type { Account } from "../keys/account.ts";
import {
  chargeOf,
  dayOf,
  judgesRefusal,
  overQuota,
  type Quota,
  quotaOf,
  spendLimitOf,
} from "../keys/quota.ts";
import { estimatedSpend } from "../operator/spend-store.ts";
import type { Platform } from "../platform/platform.ts";
import { judgeUsdOf } from "../submissions/estimate-submission.ts";
import { ownedRun, type RunRefusal } from "./access.ts";
import { needRoom } from "./archive-runs.ts";
import { type Rescoring, type RescoringRefusal, resolveRescoring } from "./resolve-rescoring.ts";
import { answersGoneDetail, areAnswersGone } from "./run-objects.ts";
import type { NewRun, RunRecord } from "./schema.ts";
import { isOfNarrowing } from "./visibility-store.ts";

const SHOWN_DIGITS = 12;

/**
 * Rescores a finished run's stored answers with the current suite, as a new run and submission that are charged to the
 * caller's quota. Never calls the model. Returns the submission's id.
 */
export async function rescoreRun(
  platform: Platform,
  account: Account,
  runId: string,
  request: RescoreRequest,
  submissionId = platform.newId("sub"),
): Promise<Result<string, RunRefusal>> {
  const owned = await ownedRun(platform, account, runId);
  if (!owned.ok) return owned;
  const parent = owned.value;
  const charged = {
    submissionId,
    quota: await quotaOf(platform, account),
    startedBy: account.person ?? null,
  };
  if (request.judgings !== undefined) {
    const judgings = await judgingsOf(platform, parent, request);
    if (!judgings.ok) return judgings;
    const visibility = parent.visibility === "private" ? "private" : "unlisted";
    return store(platform, parent, judgings.value, { visibility }, charged);
  }
  const rescoring = await rescoringOf(platform, parent, request.options);
  if (!rescoring.ok) return rescoring;
  const { board } = rescoring.value;
  if (board !== null && parent.boardId !== null && !account.scopes.includes("admin")) {
    const detail = await newBoardError(platform, account.owner, [board]);
    if (detail !== null) return err({ type: "conflict", detail });
    if (!board.isDefault) rescoring.value.board = { ...board, madeBy: account.owner };
  }
  return store(platform, parent, [rescoring.value], parent, charged);
}

/** Several rescorings of a run, listed on no board: the best of many judgings would rank too high. */
async function judgingsOf(
  platform: Platform,
  parent: RunRecord,
  { options, judgings = [] }: RescoreRequest,
): Promise<Result<Rescoring[], RescoringRefusal>> {
  const found = new Map<string, Rescoring>();
  for (const [i, judging] of judgings.entries()) {
    const one = await rescoringOf(platform, parent, { ...options, ...judging });
    if (!one.ok) return err({ ...one.error, detail: `judging ${i}: ${one.error.detail}` });
    const { scoringVersion, notes } = one.value;
    if (found.has(scoringVersion)) {
      return err({ type: "conflict", detail: `judging ${i} is the same as another one` });
    }
    found.set(scoringVersion, { ...one.value, board: null, notes: [...notes, judgingNote] });
  }
  return ok([...found.values()]);
}

const judgingNote =
  "one of several judgings of the same answers: it is unlisted and on no board, because the best of many would rank too high";

/** How to rescore a run's stored answers; refused if that is impossible or would change nothing. */
export async function rescoringOf(
  platform: Platform,
  parent: RunRecord,
  options: RescoreRequest["options"],
): Promise<Result<Rescoring, RescoringRefusal>> {
  const detail = stateRefusal(platform, parent);
  if (detail !== null) return err({ type: "conflict", detail });
  return resolveRescoring(platform, parent, options);
}

async function store(
  platform: Platform,
  parent: RunRecord,
  rescorings: readonly Rescoring[],
  { visibility }: Pick<RunRecord, "visibility">,
  {
    submissionId,
    quota,
    startedBy,
  }: { submissionId: string; quota: Quota | null; startedBy: string | null },
): Promise<Result<string, RunRefusal>> {
  await needRoom(platform);
  const now = platform.now();
  const { suite, datasetName, owner, total } = parent;
  const datasetVersion = rescorings[0]?.dataset.version ?? parent.datasetVersion;
  const charge = chargeOf(quota, total * rescorings.length, now);
  const spend = spendLimitOf(quota, now);
  const usd = spend === null ? [] : await judgeUsdOfEach(platform, parent, rescorings);
  const over = await judgesRefusal(platform, quota, sumOf(usd));
  if (over !== null) return err({ type: "quota-exceeded", ...over });
  const runs = rescorings.map((rescoring, i) => ({
    ...rescoredRun(platform, submissionId, parent, rescoring),
    judgeSpend: spend && rescoring.judging && estimatedSpend(dayOf(now), usd[i] ?? 0),
    startedBy,
    visibility,
    quotaKey: charge?.key ?? null,
    quotaDay: charge?.day ?? null,
    charged: total,
    refundable: total,
  }));
  for (const [i, { board }] of rescorings.entries()) {
    if (board !== null && runs[i]?.boardId !== null) await platform.boards.ensure(board, now);
  }
  const submission = { id: submissionId, owner, suite, datasetName, datasetVersion };
  const stored = await platform.runs.insert({ ...submission, createdAt: now }, runs, charge, spend);
  if (stored === "over-quota" && charge !== null) {
    const judges = await judgesRefusal(platform, quota, sumOf(usd));
    return err({ type: "quota-exceeded", ...(judges ?? (await overQuota(platform, charge))) });
  }
  for (const phase of new Set(runs.map((run) => run.phase ?? "answering"))) {
    await startLanes(platform, phase);
  }
  return ok(submissionId);
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, usd) => sum + usd, 0);

/** Expected cost of the judges of each rescoring, USD. */
async function judgeUsdOfEach(
  platform: Platform,
  parent: RunRecord,
  rescorings: readonly Rescoring[],
): Promise<number[]> {
  const { plan } = await openRun(platform, { ...parent, sealedSecrets: null });
  return Promise.all(
    rescorings.map(({ suite, options, judging, dataset: { version } }) => {
      const suiteOptions = suite.optionsSchema.parse(suiteOptionsOf(options));
      const dataset = { name: parent.datasetName, version };
      return judgeUsdOf(platform, { suite, options, suiteOptions, judging, plan, dataset });
    }),
  );
}

function stateRefusal(platform: Platform, parent: RunRecord): string | null {
  if (parent.status !== "finished") {
    return `a run that is ${parent.status} can't be rescored: wait until all of its answers are stored`;
  }
  if (parent.hiddenReason !== null) {
    return `run "${parent.id}" is hidden (${parent.hiddenReason}): it can be rescored after an admin shows it again`;
  }
  if (areAnswersGone(parent, platform.settings, platform.now())) {
    return `${answersGoneDetail(parent)}, so there is nothing left to score: submit the model again`;
  }
  return null;
}

/** The parent's answers, endpoint and provenance under the current rules, without secrets and cost limit. */
export function rescoredRun(
  platform: Platform,
  submissionId: string,
  parent: RunRecord,
  rescoring: Rescoring,
): NewRun {
  const { suite, dataset, options, scoringVersion, judging, notes, board } = rescoring;
  const start = judging && judgingStart(platform, options, parent.units, 0);
  const { owner, visibility, datasetName } = parent;
  const { modelSlug, model, endpoint, runnerKeys, prices, promptHash, refused } = parent;
  const { units, lanes, concurrency, total, variant, hybrid } = parent;
  return {
    id: platform.newId("run"),
    submissionId,
    parentId: parent.id,
    owner,
    visibility,
    suite: suite.id,
    suiteVersion: suite.version,
    headline: rescoring.headline,
    datasetName,
    datasetVersion: dataset.version,
    datasetSamples: dataset.samples,
    modelSlug,
    model,
    endpoint,
    runnerKeys,
    options,
    variant,
    hybrid,
    prices,
    scoringVersion,
    promptHash,
    refused,
    units,
    lanes,
    concurrency,
    slotLimit: concurrency,
    total,
    boardId: parent.boardId === null ? null : (board?.id ?? null),
    countedOn: board?.id ?? null,
    samplesOwner: parent.samplesOwner,
    status: "queued",
    notes: [
      ...parent.notes.filter((note) => !isOfNarrowing(note)),
      originNote(parent, dataset),
      ...(judging === null ? [] : [keptJudgmentsNote]),
      ...notes,
    ],
    judging,
    canary: parent.canary,
    answeredAt: parent.answeredAt ?? parent.finishedAt,
    ...(start && judgedFromStart(start)),
    createdAt: platform.now(),
  };
}

const keptJudgmentsNote =
  "stored judgments are used again where there are any: judge costs and times cover only the others";

function originNote(parent: RunRecord, { version }: Rescoring["dataset"]): string {
  const origin = `the stored answers of run ${parent.id}, scored again`;
  if (version === parent.datasetVersion) return origin;
  return `${origin} by the corrected dataset version ${version.slice(0, SHOWN_DIGITS)}`;
}
