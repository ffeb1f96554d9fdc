import type { JudgingStudy } from "#shared/contracts/boards/judging-study.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { studyRanks } from "#shared/measures/judging/judging-study.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { readableRun, readableSubmission } from "../runs/access.ts";
import { areAnswersGone, keepAbout } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { storedSamples } from "../runs/stored-samples.ts";
import { type ComparisonProblem, readScores, STATISTICS, whyNot } from "./compare.ts";

/** Rows per read. */
const PAGE = 500;

/** Finished runs of the same answers by scoring version, first the run that has the answers. */
type Judged = Map<string, RunRecord>;

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

/** The finished judgings of a submission's answers, and the run that has them, if the account may read them. */
export async function judgedRuns(
  platform: Platform,
  account: Account | null,
  id: string,
): Promise<Result<Judged, ComparisonProblem>> {
  const { runs = [] } = (await readableSubmission(platform, account, id)) ?? {};
  if (runs.length === 0)
    return err({ type: "not-found", detail: `there is no submission "${id}"` });
  const [parentId, ...others] = new Set(runs.map((run) => run.parentId));
  if (!parentId || others.length > 0) return conflict(`submission "${id}" has no rescored run`);
  const parent = await readableRun(platform, account, parentId);
  if (!parent.ok) return parent;
  const open = [parent.value, ...runs].find(
    ({ status }) => status === "queued" || status === "running",
  );
  if (open) return err({ type: "not-ready", detail: `run "${open.id}" is ${open.status}` });
  const { datasetVersion } = parent.value;
  const ended = [parent.value, ...runs].filter(
    (run) => run.status === "finished" && run.datasetVersion === datasetVersion,
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
