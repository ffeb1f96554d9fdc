import { basename, normalize } from "node:path";
import { type Comparison, comparisonSchema } from "#shared/contracts/boards/comparison.ts";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import { type ComparableRun, runDifferences } from "#shared/contracts/boards/run-differences.ts";
import type { ScoredRun } from "#shared/contracts/boards/scored-run.ts";
import { ownMetrics } from "#shared/contracts/judging/own-metrics.ts";
import type { RunScores } from "#shared/contracts/runs/run-scores.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { collectScores, noScores, runScores } from "#shared/measures/comparison/collect-scores.ts";
import { compareMetric, rankMetric } from "#shared/measures/comparison/compare-metric.ts";
import { compareRuns } from "#shared/measures/comparison/compare-runs.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { differingSettings } from "#shared/measures/comparison/differing-settings.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import { BadInput } from "../errors.ts";
import type { ComparedFigures, SampleScores } from "../report/load-page.ts";
import { type ResultsRun, resultsRun } from "../report/results-report.ts";
import { readSampleLines, type SampleLine, scoreOfLine } from "../report/sampled-report.ts";
import { MAX_FILES } from "./comparison-source.ts";

/** A comparison of result folders in the service's format, and data for its page. */
export interface ComparedFolders {
  suite: Suite;
  comparison: Comparison;
  figures: ComparedFigures;
  /** Headline scores of each run's answers. Reads all lines again. */
  samples(): SampleScores;
  /** The runs with their scores, in order. Reads all lines again. */
  scored(): ScoredRun[];
}

/** A folder with its samples. */
interface Folder extends ResultsRun {
  path: string;
  /** Whether some samples share a source. */
  isClustered: boolean;
  /** Reads the lines of its samples. */
  lines: () => Iterable<SampleLine>;
}

/**
 * Compares the runs of result folders like the service: from run.json, or the summary of `assay score`,
 * and the lines of their samples, without the dataset. More than MAX_FILES runs are only ranked by their headline.
 * Throws BadInput if runs are incomplete or not comparable.
 */
export function compareFolders(paths: readonly string[]): ComparedFolders {
  const folders = paths.map(openFolder);
  const [first] = folders;
  if (first === undefined) throw new Error("no folders to compare");
  refuseTwice(folders);
  const different = runDifferences(folders.map(comparableOf));
  if (different.length > 0) throw new BadInput(different.join("; "));
  const runs = folders.map(({ run }) => run);
  const suite = suiteFor(first.suite, first.run.options);
  const own = ownMetrics(first.run.judging);
  const isOne = runs.every(({ headline }) => headline === first.run.headline);
  const ranking = { ...suite, headline: isOne ? first.run.headline : suite.headline };
  const isRanked = folders.length > MAX_FILES;
  const { table, metrics } = readScores(folders, isRanked ? partsOf(ranking) : null);
  const figures = runs.map((run) => run.metrics ?? {});
  const seed = runs.map(({ id }) => id).join();
  const known = comparedMetrics(ranking, isRanked ? [ranking.headline] : metrics);
  const compare = isRanked ? rankMetric : compareMetric;
  const compared = compareRuns(table, figures, known, seed, compare);
  if (compared.metrics.length === 0)
    throw new BadInput("the folders have no scored sample in common");
  const listed: Comparison["runs"] = compared.runs.map((one, i) => {
    const { model, provenance, metrics: measured, headline } = runs[i]!;
    const whole = measured?.[headline] ?? { value: null, interval: null, n: 0, coverage: 0 };
    return { ...one, model, provenance, headline: whole };
  });
  const differing = differingSettings(listed);
  const { name, version } = first.run.dataset;
  const comparison = comparisonSchema.parse({
    suite: suite.id,
    dataset: { name, version },
    scoringVersion: first.run.scoringVersion,
    ...(own.length > 0 && { ownMetrics: own }),
    ...compared,
    runs: listed,
    ...(differing.length > 0 && { differingSettings: differing }),
  });
  return {
    suite: { ...suite, metrics: [...own, ...suite.metrics], headline: ranking.headline },
    comparison,
    scored: () => folders.map((folder) => ({ run: folder.run, scores: scoresOf(folder) })),
    figures: new Map(runs.map(({ id, metrics: measured }) => [id, measured ?? {}])),
    samples: () =>
      new Map(
        folders.map(({ run, lines }) => [
          run.id,
          Array.from(lines(), ({ id, score }) => ({ id, score })),
        ]),
      ),
  };
}

/** The headline, and the metrics from which it is computed. */
const partsOf = ({ headline, composites }: Suite): string[] => [
  headline,
  ...(composites?.[headline]?.parts ?? []),
];

/**
 * The scores of all runs, read one run at a time, so that only the table is in memory. `wanted`: metrics; null: all
 * metrics of the first run.
 */
function readScores(
  folders: readonly Folder[],
  wanted: readonly string[] | null,
): { table: ScoreTable; metrics: readonly string[] } {
  let read: ReturnType<typeof readScores> | null = null;
  for (const folder of folders) {
    const scores = scoresOf(folder, wanted, read?.table.ids);
    read ??= { table: scoreTable(scores), metrics: wanted ?? Object.keys(scores.values) };
    addRun(read.table, folder.run.id, scores, { metrics: read.metrics });
  }
  return read!;
}

function openFolder(path: string): Folder {
  const found = resultsRun(path);
  const { run, rows } = found;
  if (run.status !== "finished" || run.metrics === null) {
    throw new BadInput(`${path}: the run is ${run.status}; only finished runs can be compared`);
  }
  const file = rows.find(hasLines);
  if (file === undefined) {
    throw new BadInput(
      `${path}: it has no samples; assay run writes samples.jsonl with save_per_sample, assay score with --samples`,
    );
  }
  // Offline scorings have no unique names.
  const name = basename(normalize(path));
  const model = found.isScoredHere ? { ...run.model, name, slug: name } : run.model;
  return {
    ...found,
    // The breakdowns of a run are larger than all its scores.
    run: { ...run, model, breakdown: null, points: null, timeline: null },
    isClustered: isClustered(run.breakdown),
    path,
    lines: () => readSampleLines(file),
  };
}

function hasLines(path: string): boolean {
  for (const _ of readSampleLines(path)) return true;
  return false;
}

function refuseTwice(folders: readonly Folder[]): void {
  for (const [i, { run, path }] of folders.entries()) {
    const before = folders.slice(0, i).find((one) => one.run.id === run.id);
    if (before !== undefined) throw new BadInput(`${before.path} and ${path} have the same run`);
  }
}

/** The prompt is not compared for results of `assay score`, because it is unknown. */
function comparableOf({ run, isScoredHere }: Folder): ComparableRun {
  const { id, suite, dataset, scoringVersion, promptHash, options } = run;
  return {
    id,
    suite,
    datasetName: dataset.name,
    datasetVersion: dataset.version,
    datasetSamples: dataset.samples,
    scoringVersion,
    promptHash: isScoredHere ? "" : promptHash,
    options,
  };
}

/**
 * Scores by sample from a folder's lines, for the metrics `wanted` (null: all). Throws BadInput if lines are missing.
 */
function scoresOf(
  { run, suite, path, lines, isClustered: isShared }: Folder,
  wanted: readonly string[] | null = null,
  expected: readonly string[] = [],
): RunScores {
  const collected = noScores(expected);
  const options = run.options;
  let seq = 0;
  for (const line of lines()) {
    const { score, error } = scoreOfLine(line);
    const tags = line.cluster === undefined ? {} : { cluster: line.cluster };
    const place = { seq: seq++, id: line.id, tags, call: { error } };
    const values = valuesOf(suite, score, options, path, line.id);
    collectScores(collected, place, values, wanted ?? undefined);
  }
  const { total } = run.progress;
  if (seq !== total) {
    throw new BadInput(`${path}: it has samples of ${seq} answers of ${total}: write it again`);
  }
  const scores = runScores(collected);
  if (isShared && scores.clusters === null) {
    throw new BadInput(
      `${path}: its samples share sources that an older version did not write: write it again with assay export or assay score`,
    );
  }
  return scores;
}

function isClustered(breakdown: unknown): boolean {
  const { units } = (breakdown ?? {}) as { units?: { kind?: unknown } };
  return units?.kind === "clusters";
}

/** A sample's values of the compared metrics. Throws BadInput if its counts were deleted. */
function valuesOf(
  suite: Suite,
  score: ReturnType<typeof scoreOfLine>["score"],
  options: unknown,
  path: string,
  id: string,
): ReturnType<Suite["sampleValues"]> {
  try {
    const values = suite.sampleValues(score, options);
    if (isWhole(values)) return values;
  } catch {
    // Reported below.
  }
  throw new BadInput(
    `${path}: the sample ${JSON.stringify(id)} has no counts of suite ${suite.id}: its answer was deleted, or another version wrote it; write it again`,
  );
}

function isWhole(values: ReturnType<Suite["sampleValues"]>): boolean {
  for (const metric in values) {
    const value = values[metric];
    if (value === null || Number.isFinite(value)) continue;
    if (typeof value !== "object" || !Number.isFinite(value.of + value.over)) return false;
  }
  return true;
}
