import { coverageFloor } from "#shared/contracts/boards/coverage-floor.ts";
import type { Drift, DriftPart } from "#shared/contracts/drift/drift.ts";
import type { Redirect } from "#shared/contracts/drift/drift-notice.ts";
import { attributeDrift } from "#shared/measures/drift/attribute-drift.ts";
import { isDrift } from "#shared/measures/drift/drift-evidence.ts";
import { redirectOf } from "#shared/measures/performance/served-models.ts";
import type { Platform } from "../platform/platform.ts";
import { withMemory } from "../platform/with-memory.ts";
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
import { streamOf, trafficChange, withKnownCoverage } from "./traffic.ts";

/**
 * Compares a finished run with its reference, and announces a change of the model or of what measures it. Idempotent:
 * the result is stored, and announced once. The newest run is compared again after a retry, and so is an uncovered run,
 * because no other run depends on it.
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
  let record: DriftRecord | null = found;
  if (kept !== null) await platform.drifts.replace(found);
  // A duplicate message recorded this run, or this one did and the reply was lost; or another run took its position.
  else if (!(await platform.drifts.insert(found))) record = await platform.drifts.get(runId);
  if (record === null) {
    throw new Error(`run ${runId} lost its place in its series: it is looked at again`);
  }
  const isShown = record.drift.detectable !== null && run.visibility === "public";
  if (isShown) await platform.publications.markChanged();
  await announceDrift(platform, { run, record });
}

/** An uncovered run moves to the end: a retry answered it after the runs that came since. */
function positionOf(kept: WatchedRun["record"] | null, length: number): number {
  if (kept === null) return length;
  return kept.covered || kept.position === length - 1 ? kept.position : length;
}

const isWatchable = ({ status, deletedAt, hiddenReason }: RunRecord): boolean =>
  status === "finished" && deletedAt === null && hiddenReason === null;

/**
 * Compares a run with its earlier ones. A run with less than the boards' minimum coverage is not compared and is no
 * reference: missing answers say nothing about the model. Null while its reference is being retried: a later turn of
 * the cron job compares it.
 */
async function compareWithReference(
  platform: Platform,
  run: RunRecord,
  place: Place,
): Promise<DriftRecord | null> {
  const found = { runId: run.id, ...place, finishedAt: run.finishedAt ?? 0 };
  if (!isCovered(run)) return { ...found, ...firstOf(platform, run, false) };
  if ((await streamOf(platform, run)) === null) {
    const compared = await comparedRun(platform, run, place, false);
    return compared && { ...found, ...compared };
  }
  const knowing = withKnownCoverage(platform);
  const compared = await comparedRun(knowing, run, place, true);
  return compared && { ...found, ...(await withTraffic(knowing, run, place, compared)) };
}

/** Adds the comparison of a stream's fresh samples. A change of the traffic is attributed to the dataset. */
async function withTraffic(
  platform: Platform,
  run: RunRecord,
  place: Place,
  compared: Found,
): Promise<Found> {
  const traffic = await trafficChange(platform, run, place, compared.drift);
  const isOther = traffic.isFlagged && traffic.cause === "dataset";
  const datasetChanged = isOther && compared.datasetChanged;
  const unflagged = datasetChanged ? "dataset" : null;
  const attribution = compared.flagged ? compared.drift.attribution : unflagged;
  return { ...compared, datasetChanged, drift: { ...compared.drift, attribution, traffic } };
}

/** The comparison itself; null while the reference is being retried. */
async function comparedRun(
  platform: Platform,
  run: RunRecord,
  place: Place,
  isStream: boolean,
): Promise<Found | null> {
  const [previous] = await platform.drifts.before(place.series, place.position, 1);
  const basis = previous && (await basisOf(platform, previous));
  if (!previous || !basis) return newReference(platform, run, previous?.run ?? null, place);
  if (basis.reference.status !== "finished" || previous.run.status !== "finished") return null;
  return rerunOf(platform, run, basis, place, isStream);
}

const isCovered = ({ metrics, headline }: RunRecord): boolean =>
  (metrics?.[headline]?.coverage ?? 0) >= coverageFloor;

/**
 * Null if the next run is a reference itself: a flagged drift ends a series, so that each change is reported once. The
 * flagged run is no reference: it was flagged partly by chance, so later runs would seem to have changed.
 */
async function basisOf(platform: Platform, { run, record }: WatchedRun): Promise<Basis | null> {
  if (record.flagged) return null;
  const { referenceId, rerun } = record;
  if (referenceId === null) return { reference: run, previous: run, rerun: 1 };
  const reference = await platform.runs.get(referenceId);
  const isGone = !reference || reference.deletedAt !== null || reference.hiddenReason !== null;
  return isGone ? null : { reference, previous: run, rerun: rerun + 1 };
}

/** The first run of a series, or the first after a drift; null if there is no earlier one. */
async function newReference(
  platform: Platform,
  run: RunRecord,
  previous: RunRecord | null,
  place: Place,
): Promise<Found> {
  const first = firstOf(platform, run);
  const isAlike = previous?.status === "finished" && previous.datasetVersion === run.datasetVersion;
  if (previous === null || !isAlike) return first;
  const comparison = await withMemory(platform, 1, () =>
    compareWithEarlier(platform, run, previous, previous, place),
  );
  return { ...first, drift: { ...first.drift, againstPrevious: comparison.againstPrevious } };
}

/** Minimum unchanged samples after a dataset change: fewer say little about the model. */
const leastUnchanged = 20;

/** A drift record without its run's keys. */
type Found = Omit<DriftRecord, "runId" | "series" | "position" | "finishedAt">;

/** What a re-evaluation continues from. */
interface Basis {
  reference: RunRecord;
  /** The previous run; for the first re-evaluation, the reference itself. */
  previous: RunRecord;
  rerun: number;
}

const blank = (platform: Platform, run: RunRecord): Drift => ({
  run: run.id,
  reference: null,
  isCovered: true,
  rerun: 0,
  eValue: 0,
  isFlagged: false,
  attribution: null,
  redirect: null,
  againstReference: null,
  againstPrevious: null,
  moved: [],
  detectable: null,
  traffic: null,
  parts: [],
  observedAt: new Date(platform.now()).toISOString(),
});

/** For a run without comparison: if covered, it is a reference. */
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
 * Compares a run with its reference. If the dataset version changed, the samples with an unchanged row are compared. If
 * fewer than half of the run's samples remain, the run becomes the next reference; it is still tested if it has at least
 * 20 samples.
 */
async function rerunOf(
  platform: Platform,
  run: RunRecord,
  basis: Basis,
  place: Place,
  isStream: boolean,
): Promise<Found> {
  const { reference, previous, rerun } = basis;
  const comparison = await withMemory(platform, 1, () =>
    compareWithEarlier(platform, run, reference, previous, place),
  );
  const { isComparable, keepsReference } = comparability(run, reference, comparison, isStream);
  const evidence = isComparable ? comparison.evidence : 0;
  const difference = comparison.againstReference?.difference ?? 0;
  const redirect = comparison.againstReference && redirectOf(reference.model, run.model);
  const flagged = isDrift(evidence, difference) || redirect !== null;
  const datasetChanged = run.datasetVersion !== previous.datasetVersion;
  const isWorthIt = flagged || (isScheduled(run) && isComparable);
  const parts = await partsOf(platform, run, reference, comparison, isWorthIt);
  // The previous run already had this dataset version, so the dataset did not cause the latest change. Fresh samples of
  // a stream vary by chance, and are tested apart.
  const moved =
    datasetChanged && !isStream ? parts : parts.filter(({ cause }) => cause !== "dataset");
  const unflagged = datasetChanged ? "dataset" : null;
  const continues = flagged || keepsReference;
  const drift: Drift = {
    ...blank(platform, run),
    reference: reference.id,
    rerun: continues ? rerun : 0,
    eValue: evidence,
    isFlagged: flagged,
    // Drifts are public, but only the owner may know ids of hidden samples.
    moved: flagged && run.samplesOwner === null ? comparison.moved : [],
    detectable: comparison.detectable,
    parts,
    redirect,
    attribution: flagged ? causeOf(difference, moved, redirect) : unflagged,
    againstReference: comparison.againstReference,
    againstPrevious: comparison.againstPrevious,
  };
  if (!continues) return { ...firstOf(platform, run), datasetChanged, drift };
  const found = { referenceId: reference.id, rerun, evidence, flagged, datasetChanged, drift };
  return { covered: true, ...found };
}

/** A model that answers in place of another is the cause, unless something else moved the score. */
function causeOf(difference: number, parts: readonly DriftPart[], redirect: Redirect | null) {
  const cause = attributeDrift(difference, parts);
  return cause === "unclear" && redirect !== null ? "model" : cause;
}

/**
 * Whether a run is comparable with its reference, and whether later runs can also be compared with that reference: if
 * most samples are the same, or the stream's anchor is.
 */
function comparability(
  run: RunRecord,
  reference: RunRecord,
  { againstReference, samples }: EarlierComparison,
  isStream: boolean,
): { isComparable: boolean; keepsReference: boolean } {
  if (run.datasetVersion === reference.datasetVersion)
    return { isComparable: true, keepsReference: true };
  const common = againstReference?.n ?? 0;
  const isComparable = common >= leastUnchanged;
  return {
    isComparable,
    keepsReference: isComparable && (isStream || common >= Math.min(samples, mostRows) / 2),
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
