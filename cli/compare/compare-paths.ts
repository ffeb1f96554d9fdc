import { createHash } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";
import { normalize, sep } from "node:path";
import type { Readable } from "node:stream";
import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import { headlineOf } from "#shared/contracts/boards/ranking.ts";
import { rowText, textHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import { scoringVersionOf } from "#shared/contracts/judging/scoring-version.ts";
import type { RunScores } from "#shared/contracts/runs/run-scores.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { collectScores, noScores, runScores } from "#shared/measures/comparison/collect-scores.ts";
import { compareRuns } from "#shared/measures/comparison/compare-runs.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import type { RankingMetric } from "#shared/measures/comparison/standings.ts";
import { BadInput } from "../errors.ts";
import { isSameFile, type OpenFile, openSeekable } from "../files/open-file.ts";
import type { RowNotes } from "../files/row-notes.ts";
import { asLines, openDataset as openOnce } from "../score/open-dataset.ts";
import { type ScoredFiles, type ScoringTask, scoreFiles } from "../score/score-files.ts";

/** The service refuses rows that are nested deeper, and reading them could take very long. */
const MAX_DEPTH = 128;

/** Files to compare. */
export interface ComparedPaths {
  suite: Suite;
  options: unknown;
  dataset: string;
  /** Files of answers; `-` for `stdin`. */
  answers: readonly string[];
  /** Prices for each file of answers. */
  prices: readonly ScoringTask["prices"][];
  stdin: Readable;
}

/** A file of answers as a compared run. */
interface ComparedFile {
  name: string;
  /** Samples without a row, which are left out of the comparison. */
  missing: number;
  /** Missing answers to samples that have other answers, which are compared. */
  missingRepeats: number;
  /** Samples whose answers could not be scored; also left out of the comparison. */
  unscored: number;
  /** Id of the metric that ranks the run. */
  headline: string;
  scored: Pick<ScoredFiles, "runId" | "prices"> & { metrics: ScoredFiles["summary"]["metrics"] };
}

/** The outcome of a comparison of files. */
export interface ComparedFiles {
  /** Usable samples of the dataset. */
  samples: number;
  malformed: RowNotes;
  warnings: RowNotes;
  /** Runs in the order of the files. */
  files: ComparedFile[];
  seed: string;
  /** In the service's format; runs are named after their files. */
  comparison: Comparison;
  /** The compared scores, with the metrics by sample. */
  table: ScoreTable;
  ranking: readonly RankingMetric[];
}

/**
 * Compares files of answers like the service compares runs. Files are scored one after the other, and only columns of
 * numbers are kept. Throws BadInput for invalid input.
 */
export async function comparePaths(paths: ComparedPaths): Promise<ComparedFiles> {
  const { suite, options } = paths;
  refuseTwice(paths.answers);
  const read = await readRuns(paths);
  const { files, table, metrics, first } = read;
  // Resamples do not depend on the order of the files.
  const seed = textHash(
    files
      .map(({ scored }) => scored.runId)
      .sort()
      .join("\n"),
  );
  const figures = files.map(({ scored }) => scored.metrics);
  const [headline = suite.headline, ...other] = new Set(files.map((file) => file.headline));
  // Files that are ranked by different metrics are compared by the suite's headline.
  const ranked = { ...suite, headline: other.length === 0 ? headline : suite.headline };
  const known = comparedMetrics(ranked, metrics);
  const compared = compareRuns(table, figures, known, seed);
  if (compared.metrics[0]?.metric !== ranked.headline) {
    const reason = "no sample has a scored answer in every file";
    throw new BadInput(`${reason}: leave out the file with different samples`);
  }
  const { samples, malformed, warnings } = first;
  return {
    samples,
    malformed,
    warnings,
    files,
    seed,
    table,
    ranking: known.bySample,
    comparison: {
      suite: suite.id,
      dataset: { name: runNames([paths.dataset])[0]!, version: read.version },
      scoringVersion: scoringVersionOf(suite, options),
      ...compared,
      runs: compared.runs.map((run, i) => ({
        ...run,
        model: modelOf(run.run),
        provenance: { kind: "self-reported", endpointHost: null },
        headline: files[i]!.scored.metrics[ranked.headline]!,
      })),
    },
  };
}

function refuseTwice(paths: readonly string[]): void {
  for (const [i, path] of paths.entries()) {
    const before = paths
      .slice(0, i)
      .find((other) => normalize(other) === normalize(path) || isSameFile(other, path));
    if (before === undefined) continue;
    const also = before === path ? "twice" : `twice, also as ${before}`;
    throw new BadInput(`--answers ${path}: the same file is given ${also}`);
  }
}

/** Scores the files one after the other. */
async function readRuns({ dataset, answers, prices, ...task }: ComparedPaths) {
  const names = runNames(answers);
  const version = new DatasetVersion();
  let read: { table: ScoreTable; metrics: string[]; first: ScoredFiles } | null = null;
  const files: ComparedFile[] = [];
  for (const [i, path] of answers.entries()) {
    const { scored, scores } = await scoreRun({
      ...task,
      dataset,
      answers: path,
      prices: prices[i] ?? null,
      ...(read === null && { onSample: (row, bytes) => version.add(row, bytes) }),
    });
    read ??= { table: scoreTable(scores), metrics: Object.keys(scores.values), first: scored };
    if (scored.datasetHash !== read.first.datasetHash) {
      throw new BadInput(`${dataset}: the file changed while it was being read`);
    }
    addRun(read.table, names[i]!, scores, { metrics: read.metrics });
    const { samples, runId, summary } = scored;
    const values = scores.values[task.suite.headline]?.of ?? [];
    const unscored = values.filter((value) => value === null).length;
    const missing = samples - scores.ids.length;
    files.push({
      headline: headlineOf(task.suite, scored.options),
      name: names[i]!,
      missing,
      missingRepeats: scored.missing - missing * scored.repeats,
      unscored,
      scored: { runId, prices: scored.prices, metrics: summary.metrics },
    });
  }
  if (read === null) throw new Error("no files to compare");
  return { ...read, files, version: version.digest() };
}

/**
 * Names of runs: file names without `.jsonl`, with as many parent folders as needed to be unique, otherwise the
 * paths. Different paths have different names.
 * @example runNames(["a/answers.jsonl", "b/answers.jsonl", "c.jsonl"]) // ["a/answers", "b/answers", "c"]
 */
export function runNames(paths: readonly string[]): string[] {
  const parts = paths.map(partsOf);
  const depths = paths.map(() => 1);
  for (;;) {
    const names = parts.map((all, i) => all.slice(-depths[i]!).join("/"));
    const shared = [...names.keys()].filter((i) => names.indexOf(names[i]!) !== i);
    if (shared.length === 0) return names;
    const alike = new Set(shared.map((i) => names[i]!));
    const longer = [...names.keys()].filter(
      (i) => alike.has(names[i]!) && depths[i]! < parts[i]!.length,
    );
    if (longer.length === 0) return [...paths];
    for (const i of longer) depths[i]!++;
  }
}

function partsOf(path: string): string[] {
  if (path === "-") return ["stdin"];
  const parts = normalize(path)
    .replace(/(?<=[^/\\])\.jsonl$/i, "")
    .split(sep);
  return parts.filter((part) => part !== "");
}

/**
 * The version of a dataset at the service, computed row by row: SHA-256 of the rows in stored
 * form, one per line. A row that the service would refuse is included unchanged.
 */
export class DatasetVersion {
  readonly #hash = createHash("sha256");
  #rows = 0;

  add(row: Json, bytes: Buffer): void {
    if (this.#rows++ > 0) this.#hash.update("\n");
    this.#hash.update(isDeeper(row, MAX_DEPTH) ? bytes : rowText(row));
  }

  /** The version in hex. No row can be added afterwards. */
  digest(): string {
    return this.#hash.digest("hex");
  }
}

function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1));
}

/** A file of answers to score, and its dataset. */
interface RunTask {
  suite: Suite;
  options: unknown;
  dataset: string;
  /** `-` for `stdin`. */
  answers: string;
  stdin: Readable;
  prices: ScoringTask["prices"];
  onSample?(row: Json, bytes: Buffer): void;
}

/**
 * Scores a file of answers like `assay score`, and returns its samples one by one for a comparison, if they have
 * a row in the file. Throws BadInput.
 */
async function scoreRun(task: RunTask): Promise<{ scored: ScoredFiles; scores: RunScores }> {
  const { suite, options } = task;
  const dataset = openSeekableDataset(task.dataset);
  const answers = asLines(await openSeekable(task.answers, task.stdin));
  const collected = noScores();
  let scoredAnswers = 0;
  try {
    const scored = await scoreFiles({
      ...task,
      dataset,
      answers,
      onScore({ given, score, call, ...sample }) {
        const seq = scoredAnswers++;
        if (given)
          collectScores(collected, { ...sample, seq, call }, suite.sampleValues(score, options));
      },
    });
    return { scored, scores: runScores(collected) };
  } finally {
    closeSync(dataset.fd);
    closeSync(answers.fd);
  }
}

/** Opens a dataset that is read several times. Throws BadInput for a pipe, which can be read only once. */
export function openSeekableDataset(path: string): OpenFile {
  const file = openOnce(path);
  if (fstatSync(file.fd).isFile()) return file;
  closeSync(file.fd);
  throw new BadInput(
    `${path}: a pipe or device cannot be read once for each file of answers: use a file`,
  );
}

/** A model that is known only by its file name. */
export const modelOf = (name: string): Comparison["runs"][number]["model"] => ({
  slug: name,
  name,
  url: null,
  license: null,
  parameters: null,
  quantization: null,
  simulated: false,
});
