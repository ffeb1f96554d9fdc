import type { RunScores } from "#shared/contracts/run-scores.ts";
import type { DriftPart, PairedChange } from "#shared/contracts/schedules/drift.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import type { RankingMetric } from "#shared/measures/comparison/standings.ts";
import { pairedChange } from "#shared/measures/drift/paired-change.ts";
import { mostAtOneEnd, stepEValue } from "#shared/measures/drift/step-e-value.ts";
import { coveredScores, tableScores } from "#shared/measures/drift/table-scores.ts";
import { sampleWithoutReplacement } from "#shared/stats/sample-without-replacement.ts";
import { isSameRow } from "../datasets/check-correction.ts";
import type { Platform } from "../platform/platform.ts";
import { scoresKey } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";

/** A run compared with those before it. */
export interface EarlierComparison {
  /** An e-value of only this run against "nothing changed since the reference". */
  stepEValue: number;
  againstReference: PairedChange | null;
  againstPrevious: PairedChange | null;
  /** Samples of the run, whether or not the others have them. */
  samples: number;
}

/** A position in the series of runs that were asked the same. */
export interface Place {
  series: string;
  position: number;
}

/** A run's headline as comparisons take it. */
export function rankingMetric(
  { metrics, composites }: Suite,
  { headline }: Pick<RunRecord, "headline">,
): RankingMetric {
  const better = metrics.find(({ id }) => id === headline)?.better ?? "higher";
  return { id: headline, better, composite: composites?.[headline] };
}

/**
 * Compares a run with its reference and the run before it, over the samples that both cover; where the dataset
 * has another version than the reference's, over those with the same row.
 */
export async function compareWithEarlier(
  platform: Platform,
  run: RunRecord,
  reference: RunRecord,
  previous: RunRecord,
  place: Place,
): Promise<EarlierComparison> {
  const suite = platform.suites.byId(run.suite);
  if (suite === undefined) throw new Error(`suite ${run.suite} is not registered`);
  const metric = rankingMetric(suite, run);
  const ends = await runsAtBothEnds(platform, run, reference, place);
  const others = ends.some(({ id }) => id === previous.id) ? [] : [previous];
  const metrics = [metric.id, ...(metric.composite?.parts ?? [])];
  const table = await readTable(platform, reference, [...ends.slice(1), ...others], metrics);
  const { runs, unitOf } = tableScores(table, metric.id);
  return {
    stepEValue: stepEValue(runs.slice(0, ends.length), unitOf),
    againstReference: pairedChange(table, metric, run.id, reference.id),
    againstPrevious: pairedChange(table, metric, run.id, previous.id),
    samples: table.runs.find((one) => one.run === run.id)?.samples ?? 0,
  };
}

/** The reference with the runs after it, and the newest with those before it: as many as are looked at. */
async function runsAtBothEnds(
  platform: Platform,
  run: RunRecord,
  reference: RunRecord,
  { series, position }: Place,
): Promise<RunRecord[]> {
  const first = await platform.drifts.since(reference.id, mostAtOneEnd);
  const last = await platform.drifts.before(series, position, mostAtOneEnd - 1);
  const isOfBasis = ({ record }: (typeof last)[number]) => record.referenceId === reference.id;
  const known = [...first, ...last.filter(isOfBasis).reverse()];
  const byId = new Map(known.map((one) => [one.run.id, one.run]));
  byId.delete(run.id);
  const usable = [...byId.values()].filter(({ status }) => status === "finished");
  return [reference, ...usable.filter(({ id }) => id !== reference.id), run];
}

/** A run's scores, those of samples left out that were not covered. Throws where they are gone. */
export async function readCovered(
  { objects, runs }: Pick<Platform, "objects" | "runs">,
  run: RunRecord,
): Promise<RunScores> {
  const scores = await objects.get<RunScores>(scoresKey(run));
  if (scores === null) throw new Error(`run ${run.id} has no scores by sample`);
  const repeats = Math.max(1, Math.round(run.total / scores.ids.length));
  return coveredScores(scores, await runs.coveredRanges(run.id), repeats);
}

/** Scores without the samples that are not in `ids`. */
export function only(scores: RunScores, ids: ReadonlySet<string>): RunScores {
  const others = scores.ids.flatMap((id, i) => (ids.has(id) ? [] : [i]));
  return { ...scores, lacking: [...new Set([...scores.lacking, ...others])] };
}

/**
 * The covered scores of a reference and of runs that were asked the same, with the metrics named; of those on
 * another version of the dataset, the samples whose rows are the reference's. One run after the other, since of
 * a large one only the table fits into memory.
 */
async function readTable(
  platform: Pick<Platform, "objects" | "runs" | "datasets">,
  reference: RunRecord,
  others: readonly RunRecord[],
  metrics: readonly string[],
): Promise<ScoreTable> {
  const first = await readCovered(platform, reference);
  const table = scoreTable(first);
  addRun(table, reference.id, first, { metrics });
  const unchanged = new Map<string, ReadonlySet<string>>();
  for (const run of others) {
    const scores = await readCovered(platform, run);
    const { datasetVersion: version } = run;
    const isSame = version === reference.datasetVersion;
    const ids = unchanged.get(version);
    const same = isSame
      ? null
      : (ids ?? (await unchangedSamples(platform, reference, first.ids, version)));
    if (same !== null) unchanged.set(version, same);
    addRun(table, run.id, same === null ? scores : only(scores, same), { metrics });
  }
  return table;
}

/** Samples whose rows are compared: reading them all would take a large dataset's time. */
export const mostRows = 1_000;

/**
 * Which of a reference's samples have the same row in another version of its dataset, of a thousand of them at
 * the most: the same thousand for every version, so that runs on several of them have samples in common.
 */
export async function unchangedSamples(
  { datasets }: Pick<Platform, "datasets">,
  { id, suite, datasetVersion: before }: RunRecord,
  ids: readonly string[],
  now: string,
): Promise<ReadonlySet<string>> {
  const placesIn = async (version: string) => {
    const { heads } = await datasets.index(suite, version);
    return new Map(heads.map((head, position) => [head.id, position]));
  };
  const [then, today] = [await placesIn(before), await placesIn(now)];
  const same = new Set<string>();
  for (const i of sampleWithoutReplacement(ids.length, mostRows, id)) {
    const sample = ids[i]!;
    const [old, its] = [then.get(sample), today.get(sample)];
    if (old === undefined || its === undefined) continue;
    const row = await datasets.row(suite, before, old);
    if (isSameRow(row, await datasets.row(suite, now, its))) same.add(sample);
  }
  return same;
}

/**
 * The outcome of a headline where the reference is of another version of the dataset: `change` is that on the
 * samples with the same row, and the rest of the whole change is attributed to the dataset. The model's part
 * is stated where nothing else could have moved those samples: no judge, and the same scoring. Empty on one
 * version, and where a run has no headline.
 */
export function datasetParts(
  run: RunRecord,
  reference: RunRecord,
  change: PairedChange | null,
): { dataset: DriftPart[]; model: DriftPart[] } {
  const [now, then] = [run, reference].map((one) => one.metrics?.[run.headline]);
  const isSame = run.datasetVersion === reference.datasetVersion;
  if (isSame || !now || now.value === null || then?.value == null)
    return { dataset: [], model: [] };
  const rest = now.value - then.value - (change?.difference ?? 0);
  const isModelAlone =
    run.judging === null && run.scoringVersion === reference.scoringVersion && change !== null;
  return {
    dataset: [{ cause: "dataset", n: now.n, difference: rest, interval: null }],
    model: isModelAlone ? [{ cause: "model", ...figuresOf(change) }] : [],
  };
}

const figuresOf = ({ n, difference, interval }: PairedChange) => ({ n, difference, interval });
