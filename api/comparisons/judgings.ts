import type { JudgingStudy } from "#shared/contracts/boards/judging-study.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { studyRanks } from "#shared/measures/judging/judging-study.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { readableRun, readableSubmission } from "../runs/access.ts";
import { areAnswersGone } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { storedSamples } from "../runs/stored-samples.ts";
import { type ComparisonProblem, readScores, STATISTICS, whyNot } from "./compare.ts";

/** Rows per read. */
const PAGE = 500;

/** Runs of the same answers: the run that has them, and its rescorings by scoring version. */
interface Judged {
  parent: RunRecord;
  byVersion: Map<string, RunRecord>;
}

/**
 * How much the judging decides among rescored runs: each submission has the judgings of one run. Ended runs never
 * change, so a study is computed once and stored.
 */
export async function studyJudgings(
  platform: Platform,
  account: Account | null,
  submissions: readonly string[],
): Promise<Result<JudgingStudy, ComparisonProblem>> {
  const judged: Judged[] = [];
  for (const id of submissions) {
    const one = await judgedRuns(platform, account, id);
    if (!one.ok) return one;
    judged.push(one.value);
  }
  const problem = whyNot(
    judged.map(({ parent }) => parent),
    "judgings",
  );
  if (problem !== null) return err(problem);
  const versions = [...(judged[0]?.byVersion.keys() ?? [])].filter((version) =>
    judged.every(({ byVersion }) => byVersion.has(version)),
  );
  if (versions.length < 2) {
    const detail = "the submissions have fewer than two judgings in common that have finished";
    return err({ type: "conflict", detail });
  }
  const grid = judged.map(({ byVersion }) => versions.map((version) => byVersion.get(version)!));
  const tooMany = whyNot(grid.flat(), "size");
  if (tooMany !== null) return err(tooMany);
  const key = `comparisons/${contentHash([STATISTICS, "judgings", ...grid.flat().map(({ id, finishedAt }) => [id, finishedAt])])}.json`;
  const kept = await platform.objects.get<JudgingStudy>(key);
  if (kept !== null) return ok(kept);
  const study = await workOut(platform, judged, grid);
  if (study === null) {
    return err({ type: "conflict", detail: "no sample is scored in every run" });
  }
  await platform.objects.putOnce(key, JSON.stringify(study));
  return ok(study);
}

async function judgedRuns(
  platform: Platform,
  account: Account | null,
  id: string,
): Promise<Result<Judged, ComparisonProblem>> {
  const stored = await readableSubmission(platform, account, id);
  if (stored === null) return err({ type: "not-found", detail: `there is no submission "${id}"` });
  const parents = new Set(stored.runs.map(({ parentId }) => parentId));
  const [parentId] = parents;
  if (parents.size !== 1 || !parentId) {
    const detail = `submission "${id}" has no rescored run: give those of POST /v1/runs/{id}/rescore`;
    return err({ type: "conflict", detail });
  }
  const parent = await readableRun(platform, account, parentId);
  if (!parent.ok) return parent;
  const open = stored.runs.find(({ status }) => status === "queued" || status === "running");
  if (open) return err({ type: "not-ready", detail: `run "${open.id}" is ${open.status}` });
  const finished = [parent.value, ...stored.runs].filter(
    ({ status, datasetVersion }) =>
      status === "finished" && datasetVersion === parent.value.datasetVersion,
  );
  const byVersion = new Map(finished.map((run) => [run.scoringVersion, run]));
  return ok({ parent: parent.value, byVersion });
}

async function workOut(
  platform: Platform,
  judged: readonly Judged[],
  grid: readonly (readonly RunRecord[])[],
): Promise<JudgingStudy | null> {
  const [first] = grid[0]!;
  const suite = platform.suites.byId(first!.suite);
  if (!suite) throw new Error(`suite ${first!.suite} is not registered`);
  const { table, metrics } = await readScores(platform, grid.flat());
  const { headline } = first!;
  const { bySample } = comparedMetrics({ ...suite, headline }, metrics);
  const lengths: Map<string, number>[] = [];
  for (const { parent } of judged) lengths.push(await answerLengths(platform, parent));
  const seed = grid
    .flat()
    .map(({ id }) => id)
    .join();
  const judgings = grid[0]!;
  const ranked = studyRanks(table, bySample[0]!, judgings.length, lengths, seed);
  if (ranked === null) return null;
  const models = judged.map(({ parent }, m) => ({
    run: parent.id,
    model: parent.model,
    results: grid[m]!.map(({ id }, j) => ({
      run: id,
      value: ranked.values[m]![j]!,
      rank: ranked.ranks[m]![j]!,
    })),
    first: ranked.ranks[m]!.filter((rank, j) => ranked.ranks.every((other) => other[j]! >= rank))
      .length,
  }));
  const meanRank = ({ results }: (typeof models)[number]) =>
    results.reduce((sum, { rank }) => sum + rank, 0);
  return {
    suite: first!.suite,
    dataset: { name: first!.datasetName, version: first!.datasetVersion },
    metric: headline,
    samples: ranked.samples,
    judgings: judgings.map((run, j) => ({
      scoringVersion: run.scoringVersion,
      options: differingOptions(run, judgings),
      simulated: Object.values(run.judging?.judges ?? {}).some(({ routes }) =>
        routes.some(({ simulated }) => simulated),
      ),
      longerWins: ranked.longerWins[j]!,
    })),
    models: models.sort((a, b) => meanRank(a) - meanRank(b)),
    variance: ranked.variance,
  };
}

function differingOptions({ options }: RunRecord, all: readonly RunRecord[]) {
  const names = [...new Set(all.flatMap((run) => Object.keys(run.options)))];
  const textOf = (run: RunRecord, name: string) => JSON.stringify(run.options[name] ?? null);
  const differing = names.filter((name) => new Set(all.map((run) => textOf(run, name))).size > 1);
  return Object.fromEntries(differing.map((name) => [name, options[name] ?? null]));
}

/** Characters of a run's first answer to each sample; empty if the answers were deleted. */
async function answerLengths(platform: Platform, run: RunRecord): Promise<Map<string, number>> {
  const lengths = new Map<string, number>();
  if (areAnswersGone(run, platform.settings, platform.now())) return lengths;
  for (let after = -1; ; ) {
    const rows = await platform.runs.samples(run.id, after, PAGE);
    for await (const { id, answer } of storedSamples(platform.objects, rows)) {
      if (answer.output !== null && !lengths.has(id)) lengths.set(id, answer.output.length);
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return lengths;
    after = last.seq;
  }
}
