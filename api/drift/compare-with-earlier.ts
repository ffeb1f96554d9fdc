import type { Drift, DriftPart, PairedChange } from "#shared/contracts/drift/drift.ts";
import type { RunScores } from "#shared/contracts/runs/run-scores.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import type { RankingMetric } from "#shared/measures/comparison/standings.ts";
import { detectableDrop } from "#shared/measures/drift/detectable-drop.ts";
import { mostAtOneEnd, possibleChanges } from "#shared/measures/drift/drift-evidence.ts";
import { movedSamples } from "#shared/measures/drift/moved-samples.ts";
import { pairedChange } from "#shared/measures/drift/paired-change.ts";
import { coveredScores, tableScores } from "#shared/measures/drift/table-scores.ts";
import { sampleWithoutReplacement } from "#shared/stats/sample-without-replacement.ts";
import { isSameRow } from "../datasets/check-correction.ts";
import type { Platform } from "../platform/platform.ts";
import { scoresKey } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";

export interface EarlierComparison {
  /** Evidence (an e-value) of this run and the previous ones against "nothing changed since the reference". */
  evidence: number;
  /** Samples that changed with the headline, and the smallest detectable drop. */
  moved: Drift["moved"];
  detectable: number | null;
  againstReference: PairedChange | null;
  againstPrevious: PairedChange | null;
  /** Number of the run's samples, including those that other runs do not have. */
  samples: number;
}

/** A position in a series of equally configured runs. */
export interface Place {
  series: string;
  position: number;
}

/** A run's headline in the form that comparisons take. */
export function rankingMetric(
  { metrics, composites }: Suite,
  { headline }: Pick<RunRecord, "headline">,
): RankingMetric {
  const better = metrics.find(({ id }) => id === headline)?.better ?? "higher";
  return { id: headline, better, composite: composites?.[headline] };
}

/**
 * Compares a run with its reference and with the previous run, over the samples that both cover. If the dataset version
 * differs from the reference's: over samples with an unchanged row.
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
  const { runs: all, unitOf } = tableScores(table, metric.id);
  const runs = all.slice(0, ends.length);
  const againstReference = pairedChange(table, metric, run.id, reference.id);
  const ids = [...table.rows.keys()];
  const changes = possibleChanges(runs, unitOf);
  const likeliest = changes.toSorted((a, b) => b.evidence - a.evidence)[0]?.since ?? 1;
  const moved = movedSamples(runs, againstReference?.difference ?? 0, likeliest);
  return {
    evidence: changes.reduce((sum, { evidence }) => sum + evidence, 0),
    moved: moved.map(({ at, before, since }) => ({ id: ids[at]!, before, since })),
    detectable: detectableDrop(runs, unitOf),
    againstReference,
    againstPrevious: pairedChange(table, metric, run.id, previous.id),
    samples: table.runs.find((one) => one.run === run.id)?.samples ?? 0,
  };
}

/** The reference and the next runs, and the newest run with the previous ones, limited in number. */
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

/** A run's scores, without uncovered samples. Throws if they are deleted. */
export async function readCovered(
  { objects, runs }: Pick<Platform, "objects" | "runs">,
  run: RunRecord,
): Promise<RunScores> {
  const scores = await objects.get<RunScores>(scoresKey(run));
  if (scores === null) throw new Error(`run ${run.id} has no scores by sample`);
  const repeats = Math.max(1, Math.round(run.total / scores.ids.length));
  return coveredScores(scores, await runs.coveredRanges(run.id), repeats);
}

export function only(scores: RunScores, ids: ReadonlySet<string>): RunScores {
  const others = scores.ids.flatMap((id, i) => (ids.has(id) ? [] : [i]));
  return { ...scores, lacking: [...new Set([...scores.lacking, ...others])] };
}

/**
 * The covered scores of a reference and of later runs, with the named metrics. Runs on another dataset version: only
 * samples whose rows equal the reference's. One run at a time, because memory holds only the table.
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

/** Maximum number of rows compared: reading all rows of a large dataset takes too long. */
export const mostRows = 1_000;

/**
 * Samples of a reference whose row is the same in another version of its dataset; checks a thousand at most. It checks
 * the same thousand for every version, so that runs on several versions share samples.
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
 * Splits the headline's change if the reference has another dataset version: `change` is measured on samples with an
 * unchanged row, and the rest is attributed to the dataset. The model's part is stated only if nothing else could have
 * changed those samples: no judge, and the same scoring. Empty for equal versions, and if a run has no headline.
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
    dataset: [{ cause: "dataset", n: now.n, difference: rest, interval: null, p: null }],
    model: isModelAlone ? [{ cause: "model", ...figuresOf(change) }] : [],
  };
}

const figuresOf = ({ n, difference, interval, wilcoxonP }: PairedChange) => ({
  n,
  difference,
  interval,
  p: wilcoxonP,
});
