import type { Drift, DriftPart } from "#shared/contracts/drift.ts";
import { attributeDrift } from "#shared/measures/drift/attribute-drift.ts";
import { driftEvidence, isDrift } from "#shared/measures/drift/drift-evidence.ts";
import { oneAtATime } from "../platform/mutex.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { isScheduled } from "../schedules/scheduled-submission.ts";
import { type Held, holdAgainst, type Place } from "./compare-runs.ts";
import { datasetParts } from "./dataset-parts.ts";
import type { DriftRecord } from "./drift-ports.ts";
import { frozenParts } from "./frozen-parts.ts";
import { mostRows } from "./unchanged-samples.ts";

/** Samples that a new version of the dataset has to leave as they were: fewer tell little of the model. */
const leastUnchanged = 20;

/** What was found of a run, but for which run it is. */
export type Found = Omit<DriftRecord, "runId" | "series" | "position" | "finishedAt">;

/** What a re-evaluation goes on from. */
export interface Basis {
  reference: RunRecord;
  /** The run before: the reference itself for the first re-evaluation. */
  previous: RunRecord;
  /** Of the re-evaluation to come. */
  rerun: number;
  evidence: number;
}

const blank = (ports: Ports, run: RunRecord): Drift => ({
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
  observedAt: new Date(ports.now()).toISOString(),
});

/** A run that is held against none: a reference, where it is covered. */
export const firstOf = (ports: Ports, run: RunRecord, covered = true): Found => ({
  covered,
  referenceId: null,
  rerun: 0,
  evidence: 0,
  flagged: false,
  datasetChanged: false,
  drift: { ...blank(ports, run), isCovered: covered },
});

/**
 * A run against its reference. Over another version of the dataset the evidence goes on by the samples with the
 * same row: every step is an e-value of whatever samples it was taken on, and their weighted sum wants no more.
 * Where fewer than half of the run's samples are left of the reference's, the run is the next reference; its own
 * step counts nevertheless, from 20 samples on.
 */
export async function rerunOf(
  ports: Ports,
  run: RunRecord,
  basis: Basis,
  place: Place,
): Promise<Found> {
  const { reference, previous, rerun } = basis;
  const held = await oneAtATime(ports, () => holdAgainst(ports, run, reference, previous, place));
  const kinship = kinshipOf(run, reference, held);
  const evidence = kinship.tells ? driftEvidence(basis.evidence, rerun, held.stepEValue) : 0;
  const difference = held.againstReference?.difference ?? 0;
  const flagged = isDrift(evidence, difference);
  const datasetChanged = run.datasetVersion !== previous.datasetVersion;
  const isWorthIt = flagged || (isScheduled(run) && kinship.tells);
  const parts = await partsOf(ports, run, reference, held, isWorthIt);
  // The dataset of before the run before has not moved the score just now.
  const moved = datasetChanged ? parts : parts.filter(({ cause }) => cause !== "dataset");
  const unflagged = datasetChanged ? "dataset" : null;
  const goesOn = flagged || kinship.lasts;
  const drift: Drift = {
    ...blank(ports, run),
    reference: reference.id,
    rerun: goesOn ? rerun : 0,
    eValue: evidence,
    isFlagged: flagged,
    parts,
    attribution: flagged ? attributeDrift(difference, moved) : unflagged,
    againstReference: held.againstReference,
    againstPrevious: held.againstPrevious,
  };
  if (!goesOn) return { ...firstOf(ports, run), datasetChanged, drift };
  const found = { referenceId: reference.id, rerun, evidence, flagged, datasetChanged, drift };
  return { covered: true, ...found };
}

/** Whether a run's samples tell of its reference's model, and whether runs go on being held against it. */
function kinshipOf(
  run: RunRecord,
  reference: RunRecord,
  { againstReference, samples }: Held,
): { tells: boolean; lasts: boolean } {
  if (run.datasetVersion === reference.datasetVersion) return { tells: true, lasts: true };
  const common = againstReference?.n ?? 0;
  const tells = common >= leastUnchanged;
  return { tells, lasts: tells && common >= Math.min(samples, mostRows) / 2 };
}

async function partsOf(
  ports: Ports,
  run: RunRecord,
  reference: RunRecord,
  held: Held,
  isWorthIt: boolean,
): Promise<DriftPart[]> {
  const { dataset, model } = datasetParts(run, reference, held.againstReference);
  const frozen = isWorthIt ? await frozenParts(ports, run, reference) : [];
  return [...dataset, ...(frozen.length > 0 ? frozen : model)];
}
