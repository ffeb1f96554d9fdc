import type { Leaderboard, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import { csvRecord } from "#shared/contracts/text/csv.ts";
import { servedIds } from "#shared/measures/performance/served-models.ts";

type Column = readonly [name: string, cell: (entry: LeaderboardEntry) => unknown];

/**
 * A board as CSV (RFC 4180), one record per model, with the same data as the board's JSON: each metric with interval, n
 * and coverage. Facts about the board are repeated in every record. Omitted because they fit no record: tests between
 * pairs, and scores of canaries. The columns are the metrics of the first page.
 */
export async function* boardCsv(
  board: Leaderboard,
  pages: AsyncIterable<readonly LeaderboardEntry[]>,
): AsyncGenerator<string> {
  const columns = columnsOf(board);
  yield csvRecord(columns.map(([name]) => name));
  for await (const entries of pages) {
    yield entries.map((entry) => csvRecord(columns.map(([, cell]) => cell(entry)))).join("");
  }
}

const placeColumns: readonly Column[] = [
  ["rank", ({ rank }) => rank],
  ["rankLow", ({ rankInterval }) => rankInterval?.[0]],
  ["rankHigh", ({ rankInterval }) => rankInterval?.[1]],
  ["best", ({ best }) => best],
  ["tieGroup", ({ tieGroup }) => tieGroup],
  ["model", ({ model }) => model.slug],
  ["name", ({ model }) => model.name],
  ["simulated", ({ model }) => model.simulated],
  ["provenance", ({ provenance }) => provenance.kind],
  ["endpointHost", ({ provenance }) => provenance.endpointHost],
  ["runner", ({ provenance: { runner } }) => runner && `${runner.owner}/${runner.name}`],
  ["cloudHost", ({ provenance }) => provenance.cloudHost ?? null],
];

const runColumns: readonly Column[] = [
  ["n", ({ n }) => n],
  ["coverage", ({ coverage }) => coverage],
  ["attempts", ({ attempts }) => attempts.total],
  ["attemptsFinished", ({ attempts }) => attempts.finished],
  ["attemptsFailed", ({ attempts }) => attempts.failed],
  ["attemptsCancelled", ({ attempts }) => attempts.cancelled],
  ["attemptsRunning", ({ attempts }) => attempts.running],
  ["attemptsUnlisted", ({ attempts }) => attempts.unlisted],
  ["attemptsHidden", ({ attempts }) => attempts.hidden],
  ["attemptsDeleted", ({ attempts }) => attempts.deleted],
  ["run", ({ run }) => run],
  ["concurrency", ({ concurrency }) => concurrency],
  ["scoringVersion", ({ scoringVersion }) => scoringVersion],
  ["codeRevision", ({ codeRevision }) => codeRevision],
  ["startedAt", ({ startedAt }) => startedAt],
  ["finishedAt", ({ finishedAt }) => finishedAt],
  ["unrankedReason", ({ unrankedReason }) => unrankedReason],
  ["url", ({ model }) => model.url],
  ["license", ({ model }) => model.license],
  ["parameters", ({ model }) => model.parameters],
  ["quantization", ({ model }) => model.quantization],
];

/** Ids of models in one cell. */
const idColumns: readonly Column[] = [
  ["model_id", ({ model }) => model.asked?.join("; ")],
  ["served_model_ids", ({ model }) => servedIds(model).join("; ")],
];

function columnsOf(board: Leaderboard): Column[] {
  const { headline, entries } = board;
  const others = new Set(entries.flatMap(({ metrics }) => Object.keys(metrics)));
  const metrics = [headline, ...[...others].filter((metric) => metric !== headline)];
  return [
    ...placeColumns,
    ...metrics.flatMap((metric) => metricColumns(metric, metric === headline)),
    ...runColumns,
    ...boardColumns(board),
    ...idColumns,
  ];
}

function metricColumns(metric: string, isHeadline: boolean): Column[] {
  const of = (part: (estimate: Estimate) => unknown) => (entry: LeaderboardEntry) => {
    const estimate = isHeadline ? entry.headline : entry.metrics[metric];
    return estimate && part(estimate);
  };
  return [
    [metric, of(({ value }) => value)],
    [`${metric}Low`, of(({ interval }) => interval?.[0])],
    [`${metric}High`, of(({ interval }) => interval?.[1])],
    [`${metric}N`, of(({ n }) => n)],
    [`${metric}Coverage`, of(({ coverage }) => coverage)],
    [`${metric}Grade`, of(({ grade }) => grade)],
  ];
}

function boardColumns({ dataset, judging, ...board }: Leaderboard): Column[] {
  const judges = Object.values(judging?.judges ?? {}).flatMap(({ routes }) => routes);
  const names = new Set(judges.map(({ provider, model }) => `${provider}:${model}`));
  const cells: Record<string, unknown> = {
    board: board.id,
    suite: board.suite,
    headline: board.headline,
    dataset: dataset.name,
    datasetVersion: dataset.version,
    samples: dataset.samples,
    promptHash: board.promptHash,
    structuredOutput: board.structuredOutput,
    repeats: board.repeats,
    isDefault: board.isDefault,
    hiddenSamples: board.hiddenSamples ?? false,
    judges: [...names].join(" ") || null,
    comparedSamples: board.comparedSamples,
    updatedAt: board.updatedAt,
    supersededBy: board.supersededBy,
    supersededAt: board.supersededAt,
  };
  return Object.entries(cells).map(([name, cell]) => [name, () => cell]);
}
