import type { Dataset } from "#shared/contracts/datasets/dataset.ts";
import type { Drift, TrafficChange } from "#shared/contracts/drift/drift.ts";
import { isDrift, mostAtOneEnd } from "#shared/measures/drift/drift-evidence.ts";
import {
  freshScores,
  independentDifference,
  isOfTraffic,
  type MeanDifference,
  trafficEvidence,
} from "#shared/measures/drift/traffic-change.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import { type Place, readCovered } from "./compare-with-earlier.ts";
import type { WatchedRun } from "./store.ts";

/** The stream from which a run's dataset version was drawn; null if it was not drawn. */
export async function streamOf(
  { datasets }: Pick<Platform, "datasets">,
  { suite, datasetName, datasetVersion }: RunRecord,
): Promise<Dataset["stream"] | null> {
  return (await datasets.find(suite, datasetName, datasetVersion))?.stream ?? null;
}

/**
 * Caches which samples of a run are covered: anchor and fresh samples of the same runs are compared, and D1 allows 50
 * queries on the free plan.
 */
export function withKnownCoverage(platform: Platform): Platform {
  const known = new Map<string, ReturnType<Platform["runs"]["coveredRanges"]>>();
  const coveredRanges = (run: string) => {
    const ranges = known.get(run) ?? platform.runs.coveredRanges(run);
    known.set(run, ranges);
    return ranges;
  };
  return { ...platform, runs: { ...platform.runs, coveredRanges } };
}

/**
 * Compares the fresh samples of a run on a stream with those of earlier runs on other versions. After a flagged change,
 * of the traffic or of the anchor, the next version becomes the reference. `drift`: the comparison of the anchor.
 */
export async function trafficChange(
  platform: Platform,
  run: RunRecord,
  { series, position }: Place,
  drift: Drift,
): Promise<TrafficChange> {
  const last = await platform.drifts.before(series, position, mostAtOneEnd);
  const [previous] = last;
  const before = previous?.record.drift.traffic ?? null;
  // A run on the same samples again adds no information.
  if (before !== null && previous?.run.datasetVersion === run.datasetVersion) {
    return { ...before, isFlagged: false, cause: null };
  }
  const first = before === null ? [] : await firstRuns(platform, before.runs);
  const [reference] = first;
  const isFirst = !previous || !reference || reference.id !== before?.runs[0];
  if (isFirst || endsHere(last)) {
    return { ...none, runs: [run.id], n: await countOf(platform, run) };
  }
  const known = first.length < mostAtOneEnd ? [...first, previous.run] : first;
  const chain = last.filter(({ record }) => record.drift.traffic?.runs[0] === reference.id);
  const ends = versionsIn([...known, ...chain.map((one) => one.run).reverse(), run]);
  const anchor = await anchorIds(platform, [ends[0]!, run]);
  const scores: number[][] = [];
  for (const one of ends) {
    scores.push(freshScores(await readCovered(platform, one), run.headline, anchor));
  }
  const [now, then] = [scores.at(-1)!, scores[0]!];
  const found = independentDifference(now, then) ?? { difference: 0, interval: null };
  const eValue = trafficEvidence(scores);
  const isFlagged = isDrift(eValue, found.difference);
  return {
    runs: versionsIn(known).map(({ id }) => id),
    n: now.length,
    ...found,
    eValue,
    isFlagged,
    cause: isFlagged ? causeOf(found, drift) : null,
  };
}

/** Whether a run on the previous version was flagged. */
function endsHere(last: readonly WatchedRun[]): boolean {
  const its = last.filter(({ run }) => run.datasetVersion === last[0]?.run.datasetVersion);
  return its.some(({ record }) => record.flagged || record.drift.traffic?.isFlagged);
}

const none = { difference: null, interval: null, eValue: 0, isFlagged: false, cause: null };

function causeOf(change: MeanDifference, drift: Drift): TrafficChange["cause"] {
  if (drift.isFlagged) return drift.attribution;
  return isOfTraffic(change, drift.againstReference) ? "dataset" : "unclear";
}

async function firstRuns({ runs }: Platform, ids: readonly string[]): Promise<RunRecord[]> {
  const found = await Promise.all(ids.map((id) => runs.get(id)));
  return found.flatMap((run) =>
    run?.status === "finished" && run.deletedAt === null && run.hiddenReason === null ? [run] : [],
  );
}

/** The first run on each version, because later ones have the same samples. */
function versionsIn(runs: readonly RunRecord[]): RunRecord[] {
  const seen = new Set<string>();
  return runs.filter(({ datasetVersion: version }) => seen.size < seen.add(version).size);
}

/** Ids of samples that all versions have. */
async function anchorIds(
  platform: Platform,
  runs: readonly RunRecord[],
): Promise<ReadonlySet<string>> {
  const ids: string[] = [];
  for (const run of runs) {
    const { heads } = await platform.datasets.index(run.suite, run.datasetVersion);
    const count = (await streamOf(platform, run))?.anchor ?? 0;
    ids.push(...heads.slice(0, count).map(({ id }) => id));
  }
  return new Set(ids);
}

async function countOf(platform: Platform, run: RunRecord): Promise<number> {
  const anchor = await anchorIds(platform, [run]);
  return freshScores(await readCovered(platform, run), run.headline, anchor).length;
}
