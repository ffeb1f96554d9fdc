import type { Leaderboard, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Dataset } from "#shared/contracts/datasets/dataset.ts";
import type { Run } from "#shared/contracts/run.ts";
import { MOST_COUNTED } from "#shared/measures/report/run/provenance-text.ts";
import { listedOn } from "../boards/board-pages.ts";
import type { BoardRecord } from "../boards/schema.ts";
import { withoutIds } from "../datasets/version-store.ts";
import { type Account, mayRead, readerOf } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { isAway } from "../runners/service.ts";
import { breakdownWithoutSamples, pointsWithoutSamples, readsSamples } from "./access.ts";
import { costOf } from "./run-cost.ts";
import { partsKey, type RunParts, retentionNotes } from "./run-objects.ts";
import { estimatedFinishAt, waitingUntil } from "./run-progress.ts";
import { isBatched, type RunRecord } from "./schema.ts";

const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

/** Maximum reasons of missing judgments that are shown. */
const TOLD = 3;

/** For unfinished runs and for lists. */
const noParts: RunParts = { breakdown: null, timeline: null, points: null };

export function runView(run: RunRecord, now: number, parts: RunParts = noParts): Run {
  return {
    id: run.id,
    submission: run.submissionId,
    parent: run.parentId,
    ...(run.republished && { republished: true }),
    suite: run.suite,
    suiteVersion: run.suiteVersion,
    dataset: {
      name: run.datasetName,
      version: run.datasetVersion,
      samples: run.datasetSamples,
    },
    model: run.model,
    provenance: provenanceOf(run),
    status: run.status,
    statusReason: run.statusReason,
    visibility: run.visibility,
    hiddenReason: run.hiddenReason,
    ...(run.samplesOwner !== null && { hiddenSamples: true }),
    phase: run.phase,
    progress: { total: run.total, done: run.done, failed: run.failed },
    judging: run.judging,
    options: run.options,
    hybrid: hybridOf(run),
    variant: run.variant,
    prices: run.prices,
    cost: costOf(run),
    concurrency: { wanted: run.concurrency, now: run.slotLimit },
    scoringVersion: run.scoringVersion,
    promptHash: run.promptHash,
    codeRevision: run.codeRevision,
    notes: [
      ...run.notes,
      ...reusedAnswers(parts),
      ...missingJudgments(run, parts),
      ...retentionNotes(run),
    ],
    headline: run.headline,
    metrics: run.metrics,
    ...(run.people !== null && { people: run.people }),
    ...parts,
    createdAt: iso(run.createdAt),
    startedAt: isoOrNull(run.startedAt),
    finishedAt: isoOrNull(run.finishedAt),
    estimatedFinishAt: isoOrNull(estimatedFinishAt(run, now)),
    waitingUntil: isoOrNull(waitingUntil(run, now)),
    answersRemovedAt: isoOrNull(run.answersRemovedAt),
    links: runLinks(run),
  };
}

function reusedAnswers({ points }: RunParts): string[] {
  const { reused, answers } = points ?? {};
  if (reused === undefined) return [];
  return [
    `${reused} of ${answers} answers were not requested again, but are stored answers to the same requests: they have no latency, throughput is not measured, and their tokens and cost are those of the first time; what the endpoint refused then is in the notes of that run`,
  ];
}

function missingJudgments(
  { status, failedJudgments: missing }: RunRecord,
  { points }: RunParts,
): string[] {
  if (status !== "finished" || missing === 0) return [];
  const told = (points?.judgeFailures ?? [])
    .slice(0, TOLD)
    .map(({ judge, reason, count }) => `${judge}: ${reason}, ${count}`);
  const why = told.length === 0 ? "" : ` (${told.join("; ")})`;
  const what = missing === 1 ? "1 judgment is" : `${missing} judgments are`;
  return [
    `${what} missing because judges failed${why}; POST /v1/runs/{id}/retry, or assay run --resume ID, requests them again`,
  ];
}

/** Links to a run's parts; paths on the same origin. */
export function runLinks(
  run: Pick<RunRecord, "id" | "modelSlug" | "status" | "visibility" | "hiddenReason">,
): Run["links"] {
  const isPublic = run.visibility === "public" && run.hiddenReason === null;
  return {
    self: `/v1/runs/${run.id}`,
    samples: `/v1/runs/${run.id}/samples`,
    report: isPublic ? `/runs/${run.id}/` : null,
    badge: `/badge/${run.modelSlug}.svg`,
    statement: run.status === "finished" ? `/v1/runs/${run.id}/statement` : null,
  };
}

function hybridOf({ hybrid }: RunRecord): Run["hybrid"] {
  if (hybrid === null) return null;
  const { cloud, confidenceThreshold } = hybrid;
  return { cloudHost: new URL(cloud.baseUrl).host, confidenceThreshold };
}

/** Who produced the answers of a run. */
export function provenanceOf({
  endpoint,
  hybrid,
  owner,
  runnerKeys,
}: Pick<RunRecord, "endpoint" | "hybrid" | "owner" | "runnerKeys">): Run["provenance"] {
  if (endpoint === null) return { kind: "self-reported", endpointHost: null };
  const cloudHost = hybrid === null ? null : new URL(hybrid.cloud.baseUrl).host;
  const { baseUrl, protocol, settings, relay, runner } = endpoint;
  // The submitter's program answered, through the command line that this service called.
  if (relay !== undefined) {
    const own = settings === undefined ? {} : { settings };
    return { kind: "self-reported", endpointHost: null, relay, ...own };
  }
  return {
    ...(runner === undefined
      ? { kind: "called" }
      : { kind: "runner", runner: { name: runner, owner, keys: runnerKeys ?? [] } }),
    // Host names of a private network are not published.
    endpointHost: runner === undefined ? new URL(baseUrl).host : null,
    ...(cloudHost !== null && { cloudHost }),
    ...(protocol !== undefined && { protocol }),
    ...(settings !== undefined && { settings }),
  };
}

/** A page of a board's entries, and the position of the next page; null: it is the last. */
interface EntryPage {
  entries: LeaderboardEntry[];
  next: number | null;
}

/** A board as the API shows it, with a page of its entries (default: the first). */
export function boardView(
  board: BoardRecord,
  facts: Pick<Leaderboard, "canaries" | "judgeWarnings" | "bridges"> | null,
  { entries, next }: EntryPage = {
    entries: board.entries,
    next: board.pages.length > 0 ? board.entries.length : null,
  },
): Leaderboard {
  const isSimulated =
    board.entries.every(({ model }) => model.simulated) &&
    board.pages.every((page) => page.simulated);
  return {
    id: board.id,
    suite: board.suite,
    dataset: {
      name: board.datasetName,
      version: board.datasetVersion,
      samples: board.datasetSamples,
    },
    scoringVersion: board.scoringVersion,
    promptHash: board.promptHash,
    structuredOutput: board.structuredOutput,
    repeats: board.repeats,
    headline: board.headline,
    isDefault: board.isDefault,
    ...(board.hiddenSamples && { hiddenSamples: true }),
    ...(board.likelyClusters && { likelyClusters: board.likelyClusters }),
    simulated: board.entries.length > 0 && isSimulated,
    judging: board.judging,
    canaries: facts?.canaries ?? null,
    judgeWarnings: facts?.judgeWarnings ?? [],
    bridges: facts?.bridges ?? [],
    comparedSamples: board.comparedSamples,
    tests: board.tests,
    entries,
    listed: listedOn(board),
    nextCursor: next === null ? null : `${next}`,
    supersededBy: board.supersededBy,
    supersededAt: isoOrNull(board.supersededAt),
    updatedAt: iso(board.updatedAt),
  };
}

/** A dataset in a list. Notes, ids and the mapping quote rows, so others do not see those of a private dataset. */
export function listedDataset(dataset: Dataset & { owner?: string }): Dataset {
  const view = datasetView(dataset);
  if (view.visibility !== "private") return view;
  const { mapping: _, ...shown } = withoutIds(view);
  return { ...shown, malformed: [], warnings: [] };
}

/** A dataset as its owner sees it, without the account name. */
export function datasetView({ owner: _, ...dataset }: Dataset & { owner?: string }): Dataset {
  return dataset;
}

/** A run as the API shows it to a reader. A finished run includes its parts, except data about hidden samples. */
export async function wholeRun(
  platform: Platform,
  run: RunRecord,
  account: Account | null,
): Promise<Run> {
  const now = platform.now();
  const starter = starterOf(run, account);
  if (run.status !== "finished")
    return {
      ...runView(run, now),
      ...starter,
      ...(await placeInLine(platform, run, account)),
      ...(await openBatches(platform, run)),
      ...(await awaitedRunner(platform, run)),
    };
  const [parts, watched] = await Promise.all([
    platform.objects.get<RunParts>(partsKey(run)),
    platform.drifts.get(run.id),
  ]);
  const detectableDrop = watched?.drift.detectable ?? null;
  const more = { ...starter, ...(detectableDrop !== null && { detectableDrop }) };
  if (parts === null) return { ...runView(run, now), ...more };
  if (readsSamples(run, account)) return { ...runView(run, now, parts), ...more };
  const shown = {
    breakdown: breakdownWithoutSamples(platform.suites.byId(run.suite), parts.breakdown),
    timeline: parts.timeline,
    points: pointsWithoutSamples(parts.points),
  };
  return { ...runView(run, now, shown), ...more };
}

/** Who started a run, for readers of its owner's private data. */
const starterOf = ({ startedBy, owner }: RunRecord, account: Account | null) =>
  startedBy !== null && mayRead(readerOf(account), owner) ? { startedBy } : {};

/** The run's position in the queue of its account. */
async function placeInLine(
  { runs }: Platform,
  { id, status, owner }: RunRecord,
  account: Account | null,
): Promise<Pick<Run, "runsBefore">> {
  if (status !== "queued" || !mayRead(readerOf(account), owner)) return {};
  return { runsBefore: await runs.runsBefore(id, MOST_COUNTED) };
}

async function awaitedRunner(
  { runners, now }: Platform,
  run: RunRecord,
): Promise<Pick<Run, "waitsFor">> {
  const { endpoint, parentId, phase, status, owner } = run;
  const isCalling = phase === "answering" && parentId === null;
  const isActive = isCalling && (status === "queued" || status === "running");
  const runner = endpoint?.runner;
  if (!isActive || runner === undefined) return {};
  const { lastSeenAt = null } = (await runners.get({ owner, name: runner })) ?? {};
  return isAway(lastSeenAt, now())
    ? { waitsFor: { runner, lastSeenAt: isoOrNull(lastSeenAt) } }
    : {};
}

async function openBatches(platform: Platform, run: RunRecord): Promise<Pick<Run, "batches">> {
  const isActive = run.status === "queued" || run.status === "running" || run.status === "paused";
  const open = isActive && isBatched(run) ? await platform.batches.open(run.id) : [];
  const [first] = open;
  if (first === undefined) return {};
  const requests = open.reduce((sum, batch) => sum + batch.requests, 0);
  return { batches: { open: open.length, requests, submittedAt: iso(first.createdAt) } };
}
