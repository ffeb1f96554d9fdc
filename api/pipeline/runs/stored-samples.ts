import type { ObjectStore, SampleRecord, StoredSample } from "../ports.ts";

/** Objects fetched at once: a Worker has six connections. */
const FETCHES = 5;

/**
 * The stored samples behind rows, by place in the run: each from the object that its row names, so
 * counted once. Those of objects that are gone are missing.
 */
export async function storedBySeq(
  objects: Pick<ObjectStore, "get">,
  rows: readonly SampleRecord[],
): Promise<Map<number, StoredSample>> {
  const objectOf = new Map(rows.map((row) => [row.seq, row.object]));
  const keys = [...new Set(objectOf.values())];
  const found = new Map<number, StoredSample>();
  for (let i = 0; i < keys.length; i += FETCHES) {
    const wanted = keys.slice(i, i + FETCHES);
    const fetched = await Promise.all(wanted.map((key) => objects.get<StoredSample[]>(key)));
    for (const [j, samples] of fetched.entries()) {
      for (const sample of samples ?? []) {
        if (objectOf.get(sample.seq) === wanted[j]) found.set(sample.seq, sample);
      }
    }
  }
  return found;
}
