import { answerOf, type SubmittedAnswer } from "#shared/contracts/submissions/submitted-answer.ts";
import { eachAtOnce, type ObjectStore } from "../platform/object-store.ts";
import type { Platform } from "../platform/platform.ts";
import { runFolder } from "../runs/run-objects.ts";
import type { StoredSample } from "../runs/stored-samples.ts";
import type { TimedAnswer } from "./execute-unit.ts";
import { seqOf } from "./run-plan.ts";
import type { RunWork } from "./run-work.ts";

/** Rows per read: about one claim of a lane. */
const PAGE = 25;
/** Number of pages and objects kept: units in flight are neighbours and share a few. */
const KEPT = 8;

/** Reads a run's stored answers one by one, for a run that rescores them. */
export function storedReader(platform: Pick<Platform, "runs" | "objects">, runId: string) {
  const pages = keepingLast((page: number) => platform.runs.samples(runId, page * PAGE - 1, PAGE));
  const objects = keepingLast((key: string) => platform.objects.get<StoredSample[]>(key));
  return async (seq: number): Promise<StoredSample> => {
    const rows = await pages(Math.floor(seq / PAGE));
    const row = rows.find((one) => one.seq === seq);
    const stored = row && (await objects(row.object))?.find((sample) => sample.seq === seq);
    if (!stored) throw new Error(`run ${runId} has no answer ${seq} any more`);
    return stored;
  };
}

/** Caches the last results of `load`; failed loads are not cached. */
export function keepingLast<Key, Value>(load: (key: Key) => Promise<Value>) {
  const kept = new Map<Key, Promise<Value>>();
  return (key: Key): Promise<Value> => {
    const value = kept.get(key) ?? load(key);
    kept.delete(key);
    kept.set(key, value);
    value.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}

/** Key prefix of a holder's answers; the commit number follows. */
export const answersKey = (runId: string, lane: number, attempt: number): string =>
  `${runFolder(runId)}answers/${lane}-${attempt}-`;

/** Maximum number of objects that a crashed holder saved after its last commit. */
const UNCOMMITTED = 2;

/**
 * Samples that crashed holders of a lane saved but did not commit, by unit: they are paid for. `crashes`: number of
 * crashes since the last committed sample.
 */
export async function answersLeft(
  { objects }: Pick<Platform, "objects">,
  { run, plan }: Pick<RunWork, "run" | "plan">,
  { lane, attempt, crashes, units }: LeftLane,
): Promise<Map<number, StoredSample[]>> {
  const bySeq = new Map<number, StoredSample>();
  for (let earlier = attempt - crashes; earlier < attempt; earlier++) {
    const keys = await objects.keys(answersKey(run.id, lane, earlier));
    const numbered = keys.flatMap((key) => {
      const [, commit] = /-(\d+)\.json$/.exec(key) ?? [];
      return commit === undefined ? [] : [{ key, commit: Number(commit) }];
    });
    const last = numbered.sort((a, b) => a.commit - b.commit).slice(-UNCOMMITTED);
    for (const { key } of last) {
      for (const sample of (await objects.get<StoredSample[]>(key)) ?? []) {
        bySeq.set(sample.seq, sample);
      }
    }
  }
  const found = units.map((number) => {
    const { samples = [], repeat = 0 } = plan.units[number] ?? {};
    const its = samples.flatMap((one) => bySeq.get(seqOf(plan, one, repeat)) ?? []);
    return [number, its, its.length > 0 && its.length === samples.length] as const;
  });
  return new Map(found.flatMap(([number, its, isWhole]) => (isWhole ? [[number, its]] : [])));
}

interface LeftLane {
  lane: number;
  attempt: number;
  crashes: number;
  units: readonly number[];
}

/** Answers per object. */
const CHUNK = 200;

const keyOf = (runId: string, chunk: number) => `runs/${runId}/submitted-${chunk}.json`;

/** Keys of the objects for this many submitted answers. */
export const submittedKeys = (runId: string, answers: number): string[] =>
  Array.from({ length: Math.ceil(answers / CHUNK) }, (_, chunk) => keyOf(runId, chunk));

/** Stores submitted answers in the order of the run; null for samples without an answer. */
export async function storeSubmitted(
  objects: ObjectStore,
  runId: string,
  answers: readonly (SubmittedAnswer | null)[],
): Promise<void> {
  await eachAtOnce(submittedKeys(runId, answers.length).entries(), ([chunk, key]) =>
    objects.put(key, answers.slice(chunk * CHUNK, (chunk + 1) * CHUNK)),
  );
}

/** Reads submitted answers one by one; caches the latest chunk. */
export function submittedReader(objects: ObjectStore, runId: string) {
  const chunks = new Map<number, Promise<(SubmittedAnswer | null)[] | null>>();
  return async (seq: number): Promise<TimedAnswer> => {
    const number = Math.floor(seq / CHUNK);
    const chunk = chunks.get(number) ?? objects.get(keyOf(runId, number));
    chunks.set(number, chunk);
    return { answer: answerOf((await chunk)?.[seq % CHUNK] ?? null), doneMs: null };
  };
}
