import { z } from "zod";
import type { EmbeddingJudge } from "../../contracts/judging/judge.ts";
import { defaultModels } from "../default-models.ts";
import { type Exchange, isEmptyAnswer } from "../exchange.ts";
import { meanValue, readingOf } from "../figures.ts";

/**
 * The cosine of two vectors, clipped to 0–1; 0 if one is a zero vector or their dimensions differ. Linear.
 * Source: docs/spec/memory.md, metric 3.
 * @example clippedCosine([1, 0], [1, 1]) // 0.707…
 */
export function clippedCosine(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return 0;
  let [product, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  const length = Math.sqrt(aa) * Math.sqrt(bb);
  return length > 0 ? Math.max(0, Math.min(1, product / length)) : 0;
}

/** Whether the answer is about the query, by the embeddings of both. */
export const relevance: EmbeddingJudge<Exchange> = {
  kind: "embeddings",
  id: "relevance",
  label: "Relevance",
  version: "1",
  scale: "ratio",
  route: defaultModels.embedding,
  judgment: z.object({ relevance: z.number().min(-1).max(1) }),
  texts: ({ query, answer }) => [query, answer],
  compare: (a, b) => ({ relevance: clippedCosine(a, b) }),
  // A recorded cosine may be negative, so it is clipped here, too.
  read: ({ relevance: value }, { answer }) =>
    readingOf(isEmptyAnswer(answer) ? 0 : Math.max(0, value!)),
  empty: () => readingOf(0),
  numbers: { whole: [], fractions: [] },
  labels: {},
  figures: [
    meanValue(
      {
        id: "relevance",
        label: "Relevance",
        definition:
          "Mean over samples of the cosine between the embeddings of query and answer, clipped to 0–1.",
      },
      "ratio",
    ),
  ],
};
