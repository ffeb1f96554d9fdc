import { type Answer, emptyAnswer } from "#shared/contracts/answer.ts";
import { canonicalJson } from "#shared/contracts/content-hash.ts";
import {
  type Correction,
  type Dataset,
  MOST_NAMED,
  type RowNote,
} from "#shared/contracts/datasets/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Unit } from "#shared/contracts/runs/unit.ts";
import type { SuitePipeline } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { planRun } from "../engine/run-plan.ts";
import type { Platform } from "../platform/platform.ts";
import { areSameUnits } from "../runs/requests-differ.ts";
import type { DatasetIndex } from "./store.ts";

/** Maximum number of requests of a unit that are compared: with equal answers, no suite asks more. */
const MAX_STEPS = 50;

/** The samples of a version that corrects another. */
export interface CorrectedRows {
  index: DatasetIndex;
  row: (position: number) => Json;
}

/** Why the rows are not a correction; `rows` are those to fix, if any. */
export interface CorrectionFault {
  detail: string;
  rows: RowNote[];
}

/**
 * Compares a corrected version with the original, position by position. Stored answers will be scored with it, so it
 * must have the same samples in the same order, and ask a model the same.
 */
export async function checkCorrection(
  { datasets }: Pick<Platform, "datasets">,
  suite: SuitePipeline,
  before: Pick<Dataset, "name" | "version">,
  rows: CorrectedRows,
): Promise<Result<Omit<Correction, "reason">, CorrectionFault>> {
  const { heads } = rows.index;
  const index = await datasets.index(suite.id, before.version);
  const ids = index.heads.map(({ id }) => id);
  const misplaced = placeNotes(heads, ids);
  if (heads.length !== ids.length || misplaced.length > 0) {
    const detail = `a correction must have the same samples in the same order as the version that it corrects, which has ${ids.length} samples; this upload has ${heads.length}. Upload a different set of samples without corrects`;
    return err({ detail, rows: misplaced });
  }
  const changed = new Map<number, Json>();
  for (const position of heads.keys()) {
    const old = await datasets.row(suite.id, before.version, position);
    if (!isSameRow(old, rows.row(position))) changed.set(position, old);
  }
  if (changed.size === 0) {
    return err({ detail: `no sample differs from version ${before.version}`, rows: [] });
  }
  const asked = askedOtherwise(suite, index, rows, changed);
  if (asked.length > 0) {
    const detail = `the model's requests would change for ${counted(asked.length, "sample")}: a correction may only change how answers are scored; upload it without corrects, and submit the models again`;
    return err({ detail, rows: asked });
  }
  const named = [...changed.keys()].slice(0, MOST_NAMED).flatMap((at) => heads[at]?.id ?? []);
  return ok({ version: before.version, samples: changed.size, ids: named });
}

/** Number of rows that differ between two versions of the same samples. */
export async function countChanged(
  { datasets }: Pick<Platform, "datasets">,
  suite: string,
  [before, after]: readonly [before: string, after: string],
  samples: number,
): Promise<number> {
  let changed = 0;
  for (let position = 0; position < samples; position++) {
    const old = await datasets.row(suite, before, position);
    if (!isSameRow(old, await datasets.row(suite, after, position))) changed++;
  }
  return changed;
}

/** Only the first: after a missing sample, all others are misplaced. */
function placeNotes(heads: DatasetIndex["heads"], ids: readonly string[]): RowNote[] {
  const at = heads.findIndex(({ id }, i) => id !== ids[i]);
  const head = heads[at];
  if (head === undefined) return [];
  const expected = ids[at] === undefined ? "no sample" : `"${ids[at]}"`;
  return [{ line: at + 1, id: head.id, reason: `found where ${expected} is expected` }];
}

/** The changed samples that lead to different requests, with the suite's default options. */
function askedOtherwise(
  suite: SuitePipeline,
  index: DatasetIndex,
  rows: CorrectedRows,
  changed: ReadonlyMap<number, Json>,
): RowNote[] {
  const options = suite.optionsSchema.parse({});
  const { units } = planRun(suite, index, {}, options);
  if (!areSameUnits(units, planRun(suite, rows.index, {}, options).units)) {
    return [{ line: 1, id: null, reason: "samples are grouped differently" }];
  }
  const sampleOf = (row: Json): unknown => {
    const checked = suite.checkSample(row);
    return checked.ok ? checked.value.sample : null;
  };
  return units.flatMap((unit) => {
    const differing = unit.samples.filter((at) => changed.has(at));
    const [first] = differing;
    if (first === undefined) return [];
    const now = unit.samples.map((at) => sampleOf(rows.row(at)));
    const then = now.map((sample, i) => {
      const old = changed.get(unit.samples[i] ?? -1);
      return old === undefined ? sample : sampleOf(old);
    });
    if (requestsOf(suite, options, unit, now) === requestsOf(suite, options, unit, then)) return [];
    const id = rows.index.heads[first]?.id ?? null;
    return [{ line: first + 1, id, reason: "the model's request would change" }];
  });
}

/** All requests of a unit as text, if every answer is empty. */
function requestsOf(
  suite: SuitePipeline,
  options: unknown,
  unit: Unit,
  samples: readonly unknown[],
): string {
  const replies: Answer[] = [];
  const requests: string[] = [];
  while (replies.length < MAX_STEPS) {
    const step = suite.next({ samples, options, repeat: unit.repeat }, replies);
    if (step.kind === "done") break;
    requests.push(JSON.stringify(step.request));
    replies.push({ ...emptyAnswer, output: "" });
  }
  return requests.join("\n");
}

export const isSameRow = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b);
