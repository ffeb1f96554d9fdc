import { coverageFloor } from "#shared/contracts/boards/coverage-floor.ts";
import type { Drift, DriftPart } from "#shared/contracts/schedules/drift.ts";
import { attributeDrift } from "#shared/measures/drift/attribute-drift.ts";
import { driftEvidence, isDrift } from "#shared/measures/drift/drift-evidence.ts";
import { withMutex } from "../platform/mutex.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { DriftRecord } from "../schedules/schema.ts";
import { isScheduled } from "../schedules/view.ts";
import { announceDrift } from "./announce-drift.ts";
import {
  compareWithEarlier,
  datasetParts,
  type EarlierComparison,
  mostRows,
  type Place,
} from "./compare-with-earlier.ts";
import { frozenParts } from "./frozen-scores.ts";
import { seriesOf } from "./series.ts";
import type { WatchedRun } from "./store.ts";

/**
 * Compares a finished run with its reference, and announces where the model, or what measures it, has changed.
 * Can run any number of times: what was found is kept, and announced once. A run that was summed up again
 * since is looked at again while it is the newest, and so is one that was not covered, on which nothing rests.
 */
export async function watchDrift(platform: Platform, runId: string): Promise<void> {
  const run = await platform.runs.get(runId);
  if (run === null || !isWatchable(run)) return;
  const suite = platform.suites.byId(run.suite);
  const series = suite === undefined ? null : seriesOf(suite, run);
  if (series === null) return;
  const kept = await platform.drifts.get(runId);
  const places = await platform.drifts.places(series);
  const isFree = kept === null || !kept.covered || kept.position === places.newest;
  if (kept !== null && (kept.finishedAt === run.finishedAt || !isFree)) {
    return announceDrift(platform, { run, record: kept });
  }
  const found = await compareWithReference(platform, run, {
    series,
    position: positionOf(kept, places.length),
  });
  if (found === null) return;
  if (kept !== null) await platform.drifts.replace(found);
  // Its place was taken just now by another run of the series, or by the same message sent twice.
  else if (!(await platform.drifts.insert(found))) return watchAgain(platform, runId);
  await announceDrift(platform, { run, record: found });
}

/** What was not covered goes to the end: a retry answered it after those that came since. */
function positionOf(kept: WatchedRun["record"] | null, length: number): number {
  if (kept === null) return length;
  return kept.covered || kept.position === length - 1 ? kept.position : length;
}

async function watchAgain(platform: Platform, runId: string): Promise<void> {
  if ((await platform.drifts.get(runId)) !== null) return;
  throw new Error(`run ${runId} lost its place in its series: it is looked at again`);
}

const isWatchable = ({ status, deletedAt, hiddenReason }: RunRecord): boolean =>
  status === "finished" && deletedAt === null && hiddenReason === null;

/**
 * How a run lies to those before it. One that is not covered to the floor of the boards is neither compared
 * nor a reference: missing answers say nothing of the model. Null while its reference is being asked again: the next
 * cron run compares it.
 */
async function compareWithReference(
  platform: Platform,
  run: RunRecord,
  place: Place,
): Promise<DriftRecord | null> {
  const found = { runId: run.id, ...place, finishedAt: run.finishedAt ?? 0 };
  if (!isCovered(run)) return { ...found, ...firstOf(platform, run, false) };
  const [previous] = await platform.drifts.before(place.series, place.position, 1);
  const basis = previous && (await basisOf(platform, previous));
  if (!previous || !basis) {
    return { ...found, ...(await newReference(platform, run, previous?.run ?? null, place)) };
  }
  if (basis.reference.status !== "finished" || previous.run.status !== "finished") return null;
  return { ...found, ...(await rerunOf(platform, run, basis, place)) };
}

const isCovered = ({ metrics, headline }: RunRecord): boolean =>
  (metrics?.[headline]?.coverage ?? 0) >= coverageFloor;

/**
 * Null where the next run is a reference itself: after a drift was flagged, so that each change is reported once. The
 * flagged run is none, since luck had its part in its being flagged: what comes after would seem to have changed.
 */
async function basisOf(platform: Platform, { run, record }: WatchedRun): Promise<Basis | null> {
  if (record.flagged) return null;
  const { referenceId, rerun, evidence } = record;
  if (referenceId === null) return { reference: run, previous: run, rerun: 1, evidence: 0 };
  const reference = await platform.runs.get(referenceId);
  const isGone = !reference || reference.deletedAt !== null || reference.hiddenReason !== null;
  return isGone ? null : { reference, previous: run, rerun: rerun + 1, evidence };
}

/** The first of a series, or of what comes after a drift; null: there is none before. */
async function newReference(
  platform: Platform,
  run: RunRecord,
  previous: RunRecord | null,
  place: Place,
): Promise<Found> {
  const first = firstOf(platform, run);
  const isAlike = previous?.status === "finished" && previous.datasetVersion === run.datasetVersion;
  if (previous === null || !isAlike) return first;
  const comparison = await withMutex(platform, () =>
    compareWithEarlier(platform, run, previous, previous, place),
  );
  return { ...first, drift: { ...first.drift, againstPrevious: comparison.againstPrevious } };
}

/** Samples that a new version of the dataset has to leave as they were: fewer tell little of the model. */
const leastUnchanged = 20;

/** What was found of a run, but for which run it is. */
type Found = Omit<DriftRecord, "runId" | "series" | "position" | "finishedAt">;

/** What a re-evaluation continues from. */
interface Basis {
  reference: RunRecord;
  /** The run before: the reference itself for the first re-evaluation. */
  previous: RunRecord;
  /** Of the re-evaluation to come. */
  rerun: number;
  evidence: number;
}

const blank = (platform: Platform, run: RunRecord): Drift => ({
  run: run.id,
  reference: null,
  isCovered: true,
  rerun: 0,
  eValue: 0,
  isFlagged: false,
  attribution: null,
  againstReference: null,
  againstPrevious: null,
  parts: [],
  observedAt: new Date(platform.now()).toISOString(),
});

/** A run that is compared with none: a reference, where it is covered. */
const firstOf = (platform: Platform, run: RunRecord, covered = true): Found => ({
  covered,
  referenceId: null,
  rerun: 0,
  evidence: 0,
  flagged: false,
  datasetChanged: false,
  drift: { ...blank(platform, run), isCovered: covered },
});

/**
 * A run against its reference. Over another version of the dataset the evidence continues by the samples with the
 * same row: every step is an e-value of whatever samples it was taken on, and their weighted sum wants no more.
 * Where fewer than half of the run's samples are left of the reference's, the run is the next reference; its own
 * step counts nevertheless, from 20 samples on.
 */
async function rerunOf(
  platform: Platform,
  run: RunRecord,
  basis: Basis,
  place: Place,
): Promise<Found> {
  const { reference, previous, rerun } = basis;
  const comparison = await withMutex(platform, () =>
    compareWithEarlier(platform, run, reference, previous, place),
  );
  const { isComparable, keepsReference } = comparability(run, reference, comparison);
  const evidence = isComparable ? driftEvidence(basis.evidence, rerun, comparison.stepEValue) : 0;
  const difference = comparison.againstReference?.difference ?? 0;
  const flagged = isDrift(evidence, difference);
  const datasetChanged = run.datasetVersion !== previous.datasetVersion;
  const isWorthIt = flagged || (isScheduled(run) && isComparable);
  const parts = await partsOf(platform, run, reference, comparison, isWorthIt);
  // The dataset from before the run before has not moved the score just now.
  const moved = datasetChanged ? parts : parts.filter(({ cause }) => cause !== "dataset");
  const unflagged = datasetChanged ? "dataset" : null;
  const continues = flagged || keepsReference;
  const drift: Drift = {
    ...blank(platform, run),
    reference: reference.id,
    rerun: continues ? rerun : 0,
    eValue: evidence,
    isFlagged: flagged,
    parts,
    attribution: flagged ? attributeDrift(difference, moved) : unflagged,
    againstReference: comparison.againstReference,
    againstPrevious: comparison.againstPrevious,
  };
  if (!continues) return { ...firstOf(platform, run), datasetChanged, drift };
  const found = { referenceId: reference.id, rerun, evidence, flagged, datasetChanged, drift };
  return { covered: true, ...found };
}

/** Whether a run can be compared with its reference, and whether later runs are compared with it, too. */
function comparability(
  run: RunRecord,
  reference: RunRecord,
  { againstReference, samples }: EarlierComparison,
): { isComparable: boolean; keepsReference: boolean } {
  if (run.datasetVersion === reference.datasetVersion)
    return { isComparable: true, keepsReference: true };
  const common = againstReference?.n ?? 0;
  const isComparable = common >= leastUnchanged;
  return {
    isComparable,
    keepsReference: isComparable && common >= Math.min(samples, mostRows) / 2,
  };
}

async function partsOf(
  platform: Platform,
  run: RunRecord,
  reference: RunRecord,
  comparison: EarlierComparison,
  isWorthIt: boolean,
): Promise<DriftPart[]> {
  const { dataset, model } = datasetParts(run, reference, comparison.againstReference);
  const frozen = isWorthIt ? await frozenParts(platform, run, reference) : [];
  return [...dataset, ...(frozen.length > 0 ? frozen : model)];
}
