import { answerOf, type SubmittedAnswer } from "#shared/contracts/submissions/submitted-answer.ts";
import type { ObjectStore } from "../platform/object-store.ts";
import type { Platform } from "../platform/platform.ts";
import type { StoredSample } from "../runs/stored-samples.ts";
import type { TimedAnswer } from "./execute-unit.ts";

/** Rows read at once: about what a lane claims. */
const PAGE = 25;
/** Pages and objects kept: units in flight are neighbours, so they share a few. */
const KEPT = 8;

/** Reads the stored answers of a run one by one, as another run scores them again. */
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

/** Remembers what was loaded last; what failed to load is loaded again. */
function keepingLast<Key, Value>(load: (key: Key) => Promise<Value>) {
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

/** Answers an object. */
const CHUNK = 200;

const keyOf = (runId: string, chunk: number) => `runs/${runId}/submitted-${chunk}.json`;

/** Keeps submitted answers in the order of the run's sequence; null where none was given. */
export async function storeSubmitted(
  objects: ObjectStore,
  runId: string,
  answers: readonly (SubmittedAnswer | null)[],
): Promise<void> {
  for (let start = 0; start < answers.length; start += CHUNK) {
    await objects.put(keyOf(runId, start / CHUNK), answers.slice(start, start + CHUNK));
  }
}

/** Reads submitted answers one by one, keeping the chunk read last. */
export function submittedReader(objects: ObjectStore, runId: string) {
  const chunks = new Map<number, Promise<(SubmittedAnswer | null)[] | null>>();
  return async (seq: number): Promise<TimedAnswer> => {
    const number = Math.floor(seq / CHUNK);
    const chunk = chunks.get(number) ?? objects.get(keyOf(runId, number));
    chunks.set(number, chunk);
    return { answer: answerOf((await chunk)?.[seq % CHUNK] ?? null), doneMs: null };
  };
}
