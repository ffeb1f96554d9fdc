import type { CanaryReport, CanaryResult } from "#shared/contracts/judging/canary.ts";
import type { Canary, RunJudging } from "#shared/contracts/judging/judging.ts";
import { scoringVersionOf } from "#shared/contracts/judging/scoring-version.ts";
import { err, type Result } from "#shared/contracts/result.ts";
import { submissionRequestSchema } from "#shared/contracts/submissions/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { standardJudgingOf } from "../judging/resolve-judging.ts";
import { logProblem } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import { type SubmissionRefusal, submit } from "../submissions/service.ts";

type Measured = Pick<RunRecord, "id" | "canary" | "headline" | "metrics" | "finishedAt">;

/** Smaller excesses over a bound are rounding errors. */
const TOLERANCE = 1e-9;

/**
 * Scores of canaries by the deployment's current judges, or with another scoring version; null for suites without
 * canaries and if no judge is available.
 */
export async function canaryReport(
  platform: Pick<Platform, "runs" | "judging">,
  suite: Suite,
  scoringVersion?: string,
): Promise<CanaryReport | null> {
  const judging = standardJudgingOf(platform.judging, suite);
  if (judging === null) return null;
  const version = scoringVersion ?? scoringVersionOf(suite, suite.optionsSchema.parse({}), judging);
  return reportOf(platform, suite, version, isSimulated(judging));
}

export async function canaryReports(
  platform: Pick<Platform, "runs" | "judging" | "suites">,
): Promise<CanaryReport[]> {
  const reports = await Promise.all(
    platform.suites.all.map((suite) => canaryReport(platform, suite)),
  );
  return reports.filter((report) => report !== null);
}

/** Like `canaryReports`, for a board's judges; null if they never judged canaries. */
export async function boardCanaries(
  platform: Pick<Platform, "runs" | "suites">,
  board: { suite: string; scoringVersion: string; judging: RunJudging | null },
): Promise<CanaryReport | null> {
  const suite = platform.suites.byId(board.suite);
  if (suite === undefined || board.judging === null) return null;
  const report = await reportOf(platform, suite, board.scoringVersion, isSimulated(board.judging));
  const isMeasured = report?.canaries.some(({ verdict }) => verdict !== "unmeasured");
  return isMeasured ? report : null;
}

async function reportOf(
  { runs }: Pick<Platform, "runs">,
  suite: Suite,
  scoringVersion: string,
  simulated: boolean,
): Promise<CanaryReport | null> {
  const canaries = suite.judging?.canaries ?? [];
  if (canaries.length === 0) return null;
  const measured = await runs.canaries(suite.id, scoringVersion);
  return {
    suite: suite.id,
    scoringVersion,
    simulated,
    canaries: canaryResults(canaries, measured),
  };
}

/** Each canary with its newest run's score, and whether that is within its bound. `runs` are newest first. */
export function canaryResults(
  canaries: readonly Canary[],
  measured: readonly Measured[],
): CanaryResult[] {
  const newest = (id: string) => measured.find(({ canary }) => canary === id);
  const headlineOf = (id: string) => {
    const run = newest(id);
    return run?.metrics?.[run.headline]?.value ?? null;
  };
  return canaries.map(({ id, label, description, bound }) => {
    const run = newest(id);
    return {
      id,
      label,
      description,
      bound,
      run: run?.id ?? null,
      headline: run?.metrics?.[run.headline] ?? null,
      verdict: verdictOf(bound, headlineOf(id), headlineOf),
      finishedAt: run?.finishedAt ? new Date(run.finishedAt).toISOString() : null,
    };
  });
}

function verdictOf(
  bound: Canary["bound"],
  value: number | null,
  headlineOf: (id: string) => number | null,
): CanaryResult["verdict"] {
  if (value === null) return "unmeasured";
  if (bound === null) return "unbounded";
  const base = "over" in bound ? headlineOf(bound.over) : 0;
  if (base === null) return "unmeasured";
  const most = "over" in bound ? base + bound.margin : bound.most;
  return value > most + TOLERANCE ? "broken" : "within";
}

const isSimulated = ({ judges }: RunJudging): boolean =>
  Object.values(judges).some(({ routes }) => routes.some(({ simulated }) => simulated));

const OWNER = "assay";

/**
 * Submits a suite's canaries for judging on a dataset, with its standard options unless others are given. Each is a run
 * of its own that is on no board. Returns the submission's id.
 */
export async function submitCanaries(
  platform: Platform,
  suite: Suite,
  dataset: string,
  options: Readonly<Record<string, unknown>> = {},
  id = platform.newId("sub"),
): Promise<Result<string, SubmissionRefusal>> {
  const canaries = suite.judging?.canaries ?? [];
  const [name = "", version = null] = dataset.split("@");
  const found = await platform.datasets.find(suite.id, name, version, {
    owner: OWNER,
    anyOwner: true,
  });
  if (found === null) {
    const detail = `suite ${suite.id} has no dataset "${dataset}"; GET /v1/datasets lists them`;
    return err({ kind: "invalid", errors: [{ pointer: "/dataset", detail }] });
  }
  const samples = await samplesOf(platform, suite, found.version);
  const request = submissionRequestSchema.parse({
    suite: suite.id,
    dataset: `${name}@${found.version}`,
    visibility: "unlisted",
    options,
    models: canaries.map((canary) => canaryModel(suite, canary, samples)),
  });
  const submitter = { owner: OWNER, anyOwner: true, quota: null };
  return submit(
    platform,
    request,
    submitter,
    id,
    canaries.map((canary) => canary.id),
  );
}

function canaryModel(suite: Suite, canary: Canary, samples: readonly unknown[]) {
  const outputs = canary.answers(samples);
  const ids = samples.map((sample) => suite.sampleHead(sample).id);
  return {
    name: `Canary: ${canary.label}`,
    slug: `${OWNER}/canary-${canary.id}`,
    simulated: true,
    answers: ids.map((id, i) => ({ id, output: outputs[i] ?? "" })),
  };
}

async function samplesOf(platform: Platform, suite: Suite, version: string): Promise<unknown[]> {
  const { heads } = await platform.datasets.index(suite.id, version);
  const samples: unknown[] = [];
  for (const position of heads.keys()) {
    const checked = suite.checkSample(await platform.datasets.row(suite.id, version, position));
    if (!checked.ok) throw new Error(`a stored row of ${suite.id} is malformed: ${checked.error}`);
    samples.push(checked.value.sample);
  }
  return samples;
}

/**
 * Submits canaries that were not judged within the configured interval. Does nothing if the interval is 0, the dataset
 * is missing or no judge is available. Of concurrent cron runs, one submits them.
 */
export async function submitDueCanaries(platform: Platform): Promise<void> {
  const { canaryIntervalMs, canaryDataset } = platform.settings;
  if (canaryIntervalMs === 0) return;
  const period = Math.floor(platform.now() / canaryIntervalMs);
  for (const suite of platform.suites.all) {
    if ((suite.judging?.canaries ?? []).length === 0) continue;
    const id = `sub_canaries_${suite.id}_${period}`;
    if ((await platform.runs.submission(id)) !== null) continue;
    const submitted = await submitCanaries(platform, suite, canaryDataset, {}, id);
    if (submitted.ok) continue;
    logProblem("canaries-refused", { suite: suite.id, error: submitted.error.kind });
  }
}
