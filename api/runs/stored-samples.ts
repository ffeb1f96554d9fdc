import type { Answer } from "#shared/contracts/answer.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { SampleScore } from "#shared/contracts/suite.ts";
import type { ObjectStore } from "../platform/object-store.ts";
import type { SampleRecord } from "./schema.ts";

/** One sample's answer and score, as stored in R2. */
export interface StoredSample {
  seq: number;
  id: string;
  answer: Answer;
  /** Arrival of the answer, ms from the run's start; null if this service did not send the request. */
  doneMs: number | null;
  score: SampleScore<Json>;
}

/** Concurrent reads: a Worker has six connections. */
const FETCHES = 5;
/**
 * Maximum samples in memory, unless an object has more: one has about 10 kB of JSON, and several times that when
 * parsed.
 */
const SAMPLES = 200;

/**
 * The stored samples of rows, in order, each from the object that its row names. Reads objects in the order in which
 * they are needed, and buffers samples that come early. Throws if an object was deleted; with `lenient` its samples are
 * missing.
 */
export async function* storedSamples(
  objects: Pick<ObjectStore, "get">,
  rows: readonly SampleRecord[],
  { lenient = false }: { lenient?: boolean } = {},
): AsyncGenerator<StoredSample> {
  const read = new Set<string>();
  const waiting = new Map<number, StoredSample>();
  let next = 0;
  for await (const { key, samples } of objectsOf(objects, rows, lenient)) {
    read.add(key);
    for (const sample of samples) waiting.set(sample.seq, sample);
    for (; read.has(rows[next]?.object ?? ""); next++) {
      const seq = rows[next]?.seq ?? -1;
      const sample = waiting.get(seq);
      waiting.delete(seq);
      if (sample !== undefined) yield sample;
    }
  }
}

/** The objects named by rows, in order of first use, each with its own samples. */
async function* objectsOf(
  objects: Pick<ObjectStore, "get">,
  rows: readonly SampleRecord[],
  lenient: boolean,
): AsyncGenerator<{ key: string; samples: StoredSample[] }> {
  const objectOf = new Map(rows.map((row) => [row.seq, row.object]));
  for (const keys of batchesOf(rows)) {
    const fetched = await Promise.all(keys.map((key) => objects.get<StoredSample[]>(key)));
    for (const [i, key] of keys.entries()) {
      const samples = fetched[i] ?? null;
      if (samples === null && !lenient) throw new Error(`missing object ${key}`);
      yield { key, samples: (samples ?? []).filter(({ seq }) => objectOf.get(seq) === key) };
    }
  }
}

/** Batches of object keys to fetch together, in order of the rows. */
function batchesOf(rows: readonly SampleRecord[]): string[][] {
  const counts = new Map<string, number>();
  for (const { object } of rows) counts.set(object, (counts.get(object) ?? 0) + 1);
  const batches: string[][] = [];
  let samples = Number.POSITIVE_INFINITY;
  for (const [key, count] of counts) {
    const batch = batches.at(-1);
    if (batch && batch.length < FETCHES && samples + count <= SAMPLES) {
      batch.push(key);
      samples += count;
    } else {
      batches.push([key]);
      samples = count;
    }
  }
  return batches;
}

/** The stored samples of rows by position. Samples of deleted objects are missing. */
export async function storedBySeq(
  objects: Pick<ObjectStore, "get">,
  rows: readonly SampleRecord[],
): Promise<Map<number, StoredSample>> {
  const found = new Map<number, StoredSample>();
  for await (const sample of storedSamples(objects, rows, { lenient: true })) {
    found.set(sample.seq, sample);
  }
  return found;
}
