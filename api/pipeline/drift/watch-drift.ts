import type { Drift } from "#shared/contracts/drift.ts";
import { attributeDrift } from "#shared/measures/drift/attribute-drift.ts";
import { driftEvidence, isDrift } from "#shared/measures/drift/drift-evidence.ts";
import type { DriftRecord, WatchedRun } from "../drift-ports.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import type { Ports, RunRecord } from "../ports.ts";
import { isScheduled } from "../schedules/scheduled-submission.ts";
import { announceDrift } from "./announce-drift.ts";
import { datasetParts } from "./dataset-parts.ts";
import { frozenParts } from "./frozen-parts.ts";
import { holdAgainst } from "./hold-against.ts";
import { seriesOf } from "./series-of.ts";

/**
 * Holds a finished run against its reference, and says so where the model, or what measures it, has changed.
 * Can run any number of times: what was found is kept, and announced once. A run that was summed up anew
 * since is looked at again while it is the newest.
 */
export async function watchDrift(ports: Ports, runId: string): Promise<void> {
  const run = await ports.runs.get(runId);
  if (run === null || !isWatchable(run)) return;
  const suite = ports.suites.byId(run.suite);
  const series = suite === undefined ? null : seriesOf(suite, run);
  if (series === null) return;
  const kept = await ports.drifts.get(runId);
  const length = await ports.drifts.length(series);
  const isNewest = kept === null || kept.position === length - 1;
  if (kept !== null && (kept.finishedAt === run.finishedAt || !isNewest)) {
    return announceDrift(ports, { run, record: kept });
  }
  const position = kept?.position ?? length;
  const found = await lookAt(ports, run, series, position);
  if (found === null) return;
  if (kept !== null) await ports.drifts.replace(found);
  // Its place was taken just now by another run of the series, or by the same message sent twice.
  else if (!(await ports.drifts.insert(found))) return watchAgain(ports, runId);
  await announceDrift(ports, { run, record: found });
}

async function watchAgain(ports: Ports, runId: string): Promise<void> {
  if ((await ports.drifts.get(runId)) !== null) return;
  throw new Error(`run ${runId} lost its place in its series: it is looked at again`);
}

const isWatchable = ({ status, deletedAt, hiddenReason }: RunRecord): boolean =>
  status === "finished" && deletedAt === null && hiddenReason === null;

/** Null where its reference is being asked again just now: the sweep comes back to it. */
async function lookAt(
  ports: Ports,
  run: RunRecord,
  series: string,
  position: number,
): Promise<DriftRecord | null> {
  const [previous] = await ports.drifts.before(series, position, 1);
  const basis = previous && (await basisOf(ports, previous));
  const found = { runId: run.id, series, position, finishedAt: run.finishedAt ?? 0 };
  if (!previous || !basis) {
    return { ...found, ...(await newReference(ports, run, previous?.run ?? null)) };
  }
  if (basis.reference.status !== "finished" || previous.run.status !== "finished") return null;
  return basis.reference.datasetVersion === run.datasetVersion
    ? { ...found, ...(await rerunOf(ports, run, previous.run, basis)) }
    : { ...found, ...(await otherDataset(ports, run, basis.reference)) };
}

type Found = Pick<DriftRecord, "referenceId" | "rerun" | "evidence" | "flagged" | "drift">;

/** What a re-evaluation goes on from. */
interface Basis {
  reference: RunRecord;
  /** Of the re-evaluation to come. */
  rerun: number;
  evidence: number;
}

/**
 * Null where the next run is a reference itself: after a drift was flagged, so that each change is told once. The
 * flagged run is none, since luck had its part in its being flagged: what comes after would seem to have changed.
 */
async function basisOf(ports: Ports, { run, record }: WatchedRun): Promise<Basis | null> {
  if (record.flagged) return null;
  if (record.referenceId === null) return { reference: run, rerun: 1, evidence: 0 };
  const reference = await ports.runs.get(record.referenceId);
  const isGone = !reference || reference.deletedAt !== null || reference.hiddenReason !== null;
  if (isGone) return null;
  return { reference, rerun: record.rerun + 1, evidence: record.evidence };
}

const blank = (ports: Ports, run: RunRecord) => ({
  ...{ run: run.id, reference: null, rerun: 0, eValue: 0, isFlagged: false, attribution: null },
  ...{ againstReference: null, againstPrevious: null, parts: [] },
  observedAt: new Date(ports.now()).toISOString(),
});

const firstOf = (ports: Ports, run: RunRecord): Found => ({
  ...{ referenceId: null, rerun: 0, evidence: 0, flagged: false },
  drift: blank(ports, run),
});

/** The first of a series, or of what comes after a drift; null: there is none before. */
async function newReference(
  ports: Ports,
  run: RunRecord,
  previous: RunRecord | null,
): Promise<Found> {
  const first = firstOf(ports, run);
  const isAlike = previous?.status === "finished" && previous.datasetVersion === run.datasetVersion;
  if (previous === null || !isAlike) return first;
  const held = await oneAtATime(ports, () => holdAgainst(ports, run, previous, previous));
  return { ...first, drift: { ...first.drift, againstPrevious: held.againstPrevious } };
}

/** Other samples: no chance is weighed, and what comes after is held against this run. */
async function otherDataset(ports: Ports, run: RunRecord, reference: RunRecord): Promise<Found> {
  const drift: Drift = {
    ...blank(ports, run),
    ...{ reference: reference.id, attribution: "dataset" },
    ...(await oneAtATime(ports, () => datasetParts(ports, run, reference))),
  };
  return { ...firstOf(ports, run), drift };
}

async function rerunOf(
  ports: Ports,
  run: RunRecord,
  previous: RunRecord,
  { reference, rerun, evidence: before }: Basis,
): Promise<Found> {
  const held = await oneAtATime(ports, () => holdAgainst(ports, run, reference, previous));
  const evidence = driftEvidence(before, rerun, held.stepEValue);
  const difference = held.againstReference?.difference ?? 0;
  const flagged = isDrift(evidence, difference);
  const isWorthIt = flagged || isScheduled(run);
  const parts = isWorthIt ? await frozenParts(ports, run, reference) : [];
  return {
    ...{ referenceId: reference.id, rerun, evidence, flagged },
    drift: {
      ...{ ...blank(ports, run), reference: reference.id, rerun },
      ...{ eValue: evidence, isFlagged: flagged, parts },
      attribution: flagged ? attributeDrift(difference, parts) : null,
      ...{ againstReference: held.againstReference, againstPrevious: held.againstPrevious },
    },
  };
}
