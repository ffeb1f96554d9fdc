import { describe, expect, it } from "vitest";
import type { SampleRecord } from "./schema.ts";
import { type StoredSample, storedBySeq, storedSamples } from "./stored-samples.ts";

/** Rows with the given numbers of samples per object, and a store that records concurrent reads. */
function store(sizes: readonly number[]) {
  const keys = sizes.flatMap((size, key) => Array<string>(size).fill(`${key}`));
  const rows = keys.map((object, seq) => ({ seq, object }) as SampleRecord);
  let under = 0;
  const most = { objects: 0 };
  const get = async (key: string) => {
    most.objects = Math.max(most.objects, ++under);
    await new Promise((resolve) => setTimeout(resolve, 1));
    under--;
    const seqs = rows.filter(({ object }) => object === key).map(({ seq }) => seq);
    return [...seqs, -1].map((seq) => ({ seq, id: `s${seq}` }) as StoredSample);
  };
  return { rows, most, objects: { get: get as never } };
}

const all = async (from: AsyncIterable<StoredSample>) => {
  const seqs: number[] = [];
  for await (const { seq } of from) seqs.push(seq);
  return seqs;
};

describe("storedSamples()", () => {
  it.each([
    ["small objects five at a time", Array<number>(12).fill(2), 5],
    ["large objects one at a time", [250, 250, 500, 10], 1],
    ["at most 320 samples at a time", Array<number>(6).fill(150), 2],
  ])("fetches %s", async (_, sizes, objects) => {
    const { rows, most, objects: from } = store(sizes);
    expect(await all(storedSamples(from, rows))).toEqual(rows.map(({ seq }) => seq));
    expect(most.objects).toBe(objects);
  });

  it("yields samples in the order of their rows, whichever objects contain them", async () => {
    const objectsOf = ["b", "a", "b", "c", "a", "c", "b", "d", "e", "f", "a"];
    const rows = objectsOf.map((object, seq) => ({ seq, object }) as SampleRecord);
    const get = async (key: string) =>
      rows
        .flatMap(({ seq, object }) => (object === key ? [{ seq } as StoredSample] : []))
        .reverse();
    expect(await all(storedSamples({ get: get as never }, rows))).toEqual([...objectsOf.keys()]);
  });

  it("throws for a missing object, unless missing samples are accepted", async () => {
    const { rows } = store([2]);
    const gone = { get: async () => null };
    await expect(all(storedSamples(gone, rows))).rejects.toThrow("missing object 0");
    expect((await storedBySeq(gone, rows)).size).toBe(0);
  });
});
