import { coverageFloor } from "#shared/contracts/coverage-floor.ts";
import { oneAtATime } from "../platform/mutex.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { holdAgainst, type Place } from "./compare-runs.ts";
import type { DriftRecord, WatchedRun } from "./drift-ports.ts";
import { type Basis, type Found, firstOf, rerunOf } from "./rerun-of.ts";

/**
 * How a run lies to those before it. One that is not covered to the floor of the boards is neither held against
 * others nor a reference: what it lacks says nothing of the model. Null where its reference is being asked again
 * just now: the sweep comes back to it.
 */
export async function lookAt(
  ports: Ports,
  run: RunRecord,
  place: Place,
): Promise<DriftRecord | null> {
  const found = { runId: run.id, ...place, finishedAt: run.finishedAt ?? 0 };
  if (!isCovered(run)) return { ...found, ...firstOf(ports, run, false) };
  const [previous] = await ports.drifts.before(place.series, place.position, 1);
  const basis = previous && (await basisOf(ports, previous));
  if (!previous || !basis) {
    return { ...found, ...(await newReference(ports, run, previous?.run ?? null, place)) };
  }
  if (basis.reference.status !== "finished" || previous.run.status !== "finished") return null;
  return { ...found, ...(await rerunOf(ports, run, basis, place)) };
}

const isCovered = ({ metrics, headline }: RunRecord): boolean =>
  (metrics?.[headline]?.coverage ?? 0) >= coverageFloor;

/**
 * Null where the next run is a reference itself: after a drift was flagged, so that each change is told once. The
 * flagged run is none, since luck had its part in its being flagged: what comes after would seem to have changed.
 */
async function basisOf(ports: Ports, { run, record }: WatchedRun): Promise<Basis | null> {
  if (record.flagged) return null;
  const { referenceId, rerun, evidence } = record;
  if (referenceId === null) return { reference: run, previous: run, rerun: 1, evidence: 0 };
  const reference = await ports.runs.get(referenceId);
  const isGone = !reference || reference.deletedAt !== null || reference.hiddenReason !== null;
  return isGone ? null : { reference, previous: run, rerun: rerun + 1, evidence };
}

/** The first of a series, or of what comes after a drift; null: there is none before. */
async function newReference(
  ports: Ports,
  run: RunRecord,
  previous: RunRecord | null,
  place: Place,
): Promise<Found> {
  const first = firstOf(ports, run);
  const isAlike = previous?.status === "finished" && previous.datasetVersion === run.datasetVersion;
  if (previous === null || !isAlike) return first;
  const held = await oneAtATime(ports, () => holdAgainst(ports, run, previous, previous, place));
  return { ...first, drift: { ...first.drift, againstPrevious: held.againstPrevious } };
}
