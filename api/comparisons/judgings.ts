import type { JudgingStudy } from "#shared/contracts/boards/judging-study.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { studyRanks } from "#shared/measures/judging/judging-study.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { isReadable } from "../runs/access.ts";
import { areAnswersGone, keepAbout } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { storedSamples } from "../runs/stored-samples.ts";
import { type ComparisonProblem, readScores, STATISTICS, whyNot } from "./compare.ts";

/** Rows per read. */
const PAGE = 500;

/** Finished runs of the same answers by scoring version; the run that has the answers comes first. */
type Judged = Map<string, RunRecord>;

/**
 * How much the judging matters among rescored runs: each submission has the judgings of one run. Ended runs never
 * change, so a study is computed once and stored.
 */
export async function studyJudgings(
  platform: Platform,
  account: Account | null,
  submissions: readonly string[],
): Promise<Result<JudgingStudy, ComparisonProblem>> {
  const each = await judgedRuns(platform, account, submissions);
  if (!each.ok) return each;
  const judged = each.value;
  const versions = [...judged[0]!.keys()].filter((version) =>
    judged.every((its) => its.has(version)),
  );
  const grid = judged.map((its) => versions.map((version) => its.get(version)!));
  const models = judged.map((its) => [...its.values()][0]!);
  const problem = whyNot(platform, models, "judgings") ?? whyNot(platform, grid.flat(), "size");
  if (problem !== null) return err(problem);
  if (versions.length < 2) return conflict("fewer than two judgings have finished for every model");
  const runs = grid.flat().map(({ id, finishedAt }) => [id, finishedAt]);
  const key = `compared/${contentHash([STATISTICS, "judgings", ...runs])}.json`;
  const kept = await platform.objects.get<JudgingStudy>(key);
  if (kept !== null) return ok(kept);
  const study = await workOut(platform, models, grid);
  if (study === null) return conflict("no sample is scored in every run");
  await keepAbout(platform.objects, grid.flat(), key, study);
  return ok(study);
}

const conflict = (detail: string) => err({ type: "conflict" as const, detail });

/** For each submission, the finished judgings of one run's answers and that run, if the account may read them. */
export async function judgedRuns(
  { runs }: Platform,
  account: Account | null,
  submissions: readonly string[],
): Promise<Result<Judged[], ComparisonProblem>> {
  // Read at once: an invocation has few queries, and there may be twenty submissions.
  const rescored = await runs.rescoredOf(submissions);
  const parents = await runs.some(rescored.flatMap(({ parentId }) => parentId ?? []));
  const readable = (run: RunRecord) => isReadable(run, account);
  const judged: Judged[] = [];
  for (const id of submissions) {
    const those = rescored.filter(({ submissionId }) => submissionId === id);
    const its = judgingsOf(id, those.filter(readable), parents.filter(readable));
    if (!its.ok) return its;
    judged.push(its.value);
  }
  return ok(judged);
}

function judgingsOf(
  id: string,
  runs: readonly RunRecord[],
  parents: readonly RunRecord[],
): Result<Judged, ComparisonProblem> {
  const [parentId, ...others] = new Set(runs.map((run) => run.parentId));
  if (others.length > 0) return conflict(`submission "${id}" has rescored runs of several runs`);
  const parent = parents.find((run) => run.id === parentId);
  if (parent === undefined) {
    const detail = `there is no submission "${id}" of rescored runs: give those that POST /v1/runs/{id}/rescore made`;
    return err({ type: "not-found", detail });
  }
  const all = [parent, ...runs];
  const open = all.find(({ status }) => status === "queued" || status === "running");
  if (open) return err({ type: "not-ready", detail: `run "${open.id}" is ${open.status}` });
  const ended = all.filter(
    (run) => run.status === "finished" && run.datasetVersion === parent.datasetVersion,
  );
  return ok(new Map(ended.map((run) => [run.scoringVersion, run])));
}

const routesOf = ({ judging }: RunRecord) =>
  Object.values(judging?.judges ?? {}).flatMap(({ routes }) => routes);

async function workOut(
  platform: Platform,
  models: readonly RunRecord[],
  grid: readonly (readonly RunRecord[])[],
): Promise<JudgingStudy | null> {
  const [judgings] = grid as [RunRecord[]];
  const [{ suite: id, headline, datasetName: name, datasetVersion: version }] = models as [
    RunRecord,
  ];
  const suite = platform.suites.byId(id);
  if (!suite) throw new Error(`suite ${id} is not registered`);
  const { table, metrics } = await readScores(platform, grid.flat());
  const [metric] = comparedMetrics({ ...suite, headline }, metrics).bySample;
  const lengths: Map<string, number>[] = [];
  for (const run of models) lengths.push(await answerLengths(platform, run));
  const ranked = studyRanks(table, metric!, judgings.length, lengths, models[0]!.id);
  if (ranked === null) return null;
  const meanRank = (m: number) => ranked.results[m]!.reduce((sum, { rank }) => sum + rank, 0);
  return {
    suite: id,
    dataset: { name, version },
    metric: headline,
    samples: ranked.samples,
    judgings: judgings.map((run, j) => ({
      scoringVersion: run.scoringVersion,
      options: differingOptions(run, judgings),
      judges: [...new Set(routesOf(run).map(({ model }) => model))].sort(),
      simulated: routesOf(run).some(({ simulated }) => simulated),
      longerWins: ranked.longerWins[j]!,
    })),
    models: [...models.keys()]
      .sort((a, b) => meanRank(a) - meanRank(b))
      .map((m) => ({
        run: models[m]!.id,
        model: models[m]!.model,
        results: grid[m]!.map((run, j) => ({ run: run.id, ...ranked.results[m]![j]! })),
        first: ranked.first[m]!,
      })),
    variance: ranked.variance,
  };
}

function differingOptions({ options }: RunRecord, all: readonly RunRecord[]) {
  const textsOf = (name: string) => all.map((run) => JSON.stringify(run.options[name] ?? null));
  const differing = Object.entries(options).filter(([name]) => new Set(textsOf(name)).size > 1);
  return Object.fromEntries(differing);
}

/** Characters of a run's answer to each sample; empty if the answers were deleted. */
async function answerLengths(platform: Platform, run: RunRecord): Promise<Map<string, number>> {
  const lengths = new Map<string, number>();
  if (areAnswersGone(run, platform.settings, platform.now())) return lengths;
  for (let after: number | undefined = -1; after !== undefined; ) {
    const rows = await platform.runs.samples(run.id, after, PAGE);
    for await (const { id, answer } of storedSamples(platform.objects, rows)) {
      if (answer.output !== null) lengths.set(id, answer.output.length);
    }
    after = rows.length < PAGE ? undefined : rows.at(-1)?.seq;
  }
  return lengths;
}
