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
 * Maximum samples read ahead, unless an object has more: one has about 10 kB of JSON, and several times that when
 * parsed. Five objects of quick answers.
 */
const SAMPLES = 320;

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

/**
 * The objects named by rows, in order of first use, each with its own samples. While one is used, the next ones are
 * read.
 */
async function* objectsOf(
  objects: Pick<ObjectStore, "get">,
  rows: readonly SampleRecord[],
  lenient: boolean,
): AsyncGenerator<{ key: string; samples: StoredSample[] }> {
  const objectOf = new Map(rows.map((row) => [row.seq, row.object]));
  const left = [...Map.groupBy(rows, ({ object }) => object)];
  const ahead: { key: string; count: number; samples: Promise<StoredSample[] | null> }[] = [];
  const readAhead = () => {
    for (;;) {
      const held = ahead.reduce((sum, { count }) => sum + count, 0);
      const [key, { length: count }] = left[0] ?? [undefined, []];
      const hasRoom = ahead.length < FETCHES && held + count <= SAMPLES;
      if (key === undefined || (ahead.length > 0 && !hasRoom)) return;
      left.shift();
      const samples = objects.get<StoredSample[]>(key);
      // It is awaited later: until then its failure must not count as unhandled.
      samples.catch(() => {});
      ahead.push({ key, count, samples });
    }
  };
  for (readAhead(); ahead.length > 0; readAhead()) {
    const { key, samples } = ahead.shift()!;
    const found = await samples;
    if (found === null && !lenient) throw new Error(`missing object ${key}`);
    yield { key, samples: (found ?? []).filter(({ seq }) => objectOf.get(seq) === key) };
  }
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
