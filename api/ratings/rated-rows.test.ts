import { expect, it } from "vitest";
import type { Json } from "#shared/contracts/json.ts";
import { ratedRows } from "./rated-rows.ts";
import type { DatasetRating } from "./store.ts";

const rating = (more: Partial<DatasetRating>): DatasetRating => ({
  version: "v2",
  sampleId: "a",
  answerHash: "h1",
  metric: "empathy",
  rater: "Ada",
  score: 4,
  ...more,
});

/** Versions of rows by id; null: deleted. */
const versions: Record<string, Record<string, Json>> = {
  v1: { a: { id: "a", query: "old" }, b: { id: "b", query: "B" }, c: null },
  v2: { x: { id: "x" }, a: { id: "a", query: "A", human: { empathy: 1 } } },
};

const rowsOf = async (stored: readonly DatasetRating[]) => {
  const asked: unknown[] = [];
  const platform = {
    ratings: {
      ofDataset: async (...by: unknown[]) => {
        asked.push(by);
        return [...stored];
      },
    },
    datasets: {
      index: async (_: string, version: string) => ({
        heads: Object.keys(versions[version]!).map((id) => ({ id, tags: {} })),
      }),
      row: async (_: string, version: string, at: number) => Object.values(versions[version]!)[at]!,
    },
  };
  const of = { owner: "acme", suite: "memory", dataset: "acme/requests" };
  const bytes = await ratedRows(platform as never, of);
  expect(asked).toEqual([["acme", "memory", "acme/requests", 50_000]]);
  const text = new TextDecoder().decode(bytes);
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line) as Json);
};

it("ratedRows() has the ratings of each sample, with raters in the same order for every metric", async () => {
  const rows = await rowsOf([
    rating({ rater: "Bo", score: 2 }),
    rating({}),
    rating({ metric: "safety", score: 0.5 }),
    rating({ version: "v1", sampleId: "b", answerHash: "h2", score: 5 }),
  ]);
  expect(rows).toEqual([
    {
      id: "a",
      query: "A",
      human: { answerHash: "h1", empathy: [4, 2], safety: [0.5, null] },
    },
    { id: "b", query: "B", human: { answerHash: "h2", empathy: [5] } },
  ]);
});

it("ratedRows() takes the answer with the most ratings, or that of the newer run if equal", async () => {
  const other = { version: "v1", answerHash: "h0" };
  const [newer] = await rowsOf([rating({}), rating(other)]);
  expect(newer).toMatchObject({ query: "A", human: { answerHash: "h1" } });
  const [most] = await rowsOf([rating({}), rating(other), rating({ ...other, rater: "Bo" })]);
  expect(most).toMatchObject({ query: "old", human: { answerHash: "h0", empathy: [4, 4] } });
});

it("ratedRows() counts only a rater's newest rating of an answer, and skips deleted rows", async () => {
  const rows = await rowsOf([
    rating({ score: 5 }),
    rating({ score: 1 }),
    rating({ version: "v1", sampleId: "c" }),
  ]);
  expect(rows).toMatchObject([{ id: "a", human: { empathy: [5] } }]);
  expect(await rowsOf([])).toEqual([]);
});
