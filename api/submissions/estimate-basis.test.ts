import { expect, it } from "vitest";
import { answeredBasis, type BasisFacts, estimateBasis } from "./estimate-basis.ts";

const facts: BasisFacts = {
  slug: "acme/m",
  units: { probed: 50, all: 240 },
  requests: 480,
  concurrency: 20,
  metered: null,
  latency: { meanMs: 2_000, run: null },
  prices: null,
};

const own = { id: "run_1", modelSlug: "acme/m" };
const other = { id: "run_2", modelSlug: "other/n" };

it.each<[Partial<BasisFacts>, keyof ReturnType<typeof estimateBasis>, string]>([
  [{}, "requests", "for 50 of 240 units"],
  [{}, "expectedWallSeconds", "480 requests × 2000 ms each, 20 at once; that latency is assumed"],
  [{ latency: { meanMs: 812.4, run: own } }, "expectedWallSeconds", "this model in its newest run"],
  [
    { latency: { meanMs: 812.4, run: other } },
    "expectedWallSeconds",
    "812 ms each, 20 at once; that is the mean latency of another model, in run run_2 of other/n, since this one was not timed yet: it may be faster or slower",
  ],
  [{}, "outputTokens", "no finished run on this dataset to go by"],
  [{ metered: other }, "outputTokens", "another model, whose answers may be longer or shorter"],
  [{}, "costUsd", "no prices were given"],
  [
    { prices: { inputPerMillion: 0.15, outputPerMillion: 0.6 } },
    "costUsd",
    "the tokens above at $0.15 per million input tokens and $0.60 per million output tokens",
  ],
])("estimateBasis() of %j says of %s: %s", (more, figure, text) => {
  expect(estimateBasis({ ...facts, ...more })[figure]).toContain(text);
});

it("estimateBasis() says nothing of other models where the run is the model's own", () => {
  const basis = estimateBasis({ ...facts, metered: own, latency: { meanMs: 1, run: own } });
  expect(JSON.stringify(basis)).not.toContain("another model");
});

it("answeredBasis() says that nothing is asked, of every figure", () => {
  expect(new Set(Object.values(answeredBasis())).size).toBe(1);
  expect(Object.keys(answeredBasis()).sort()).toEqual(Object.keys(estimateBasis(facts)).sort());
});
