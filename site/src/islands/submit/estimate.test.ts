import { expect, it } from "vitest";
import type { SubmissionEstimate } from "#shared/contracts/submissions/estimate.ts";
import { Estimate } from "./Estimate.tsx";

const expense = {
  samples: 10,
  units: 10,
  requests: 10,
  inputTokens: 1_000,
  expectedWallSeconds: 60,
  outputTokens: { expected: null, max: null },
  costUsd: null,
  batchCostUsd: null,
};
const basis = {
  requests: "r",
  inputTokens: "i",
  outputTokens: "o",
  costUsd: "at the prices given",
  expectedWallSeconds: "t",
};
const quota = { remainingSamples: null } as SubmissionEstimate["quota"];

const anEstimate = (more: Partial<SubmissionEstimate>): string =>
  String(
    Estimate({
      estimate: {
        separation: null,
        suite: "s",
        dataset: { name: "stock", version: "v" },
        total: expense,
        quota,
        models: [{ ...expense, basis, model: "acme/a", variant: null }],
        judgeRequests: 0,
        judgeCostUsd: null,
        judgeBatchCostUsd: null,
        judging: null,
        warnings: [],
        ...more,
      },
    }),
  );

it.each([
  [{}, ["not known without prices", "1\u202fmin 0\u202fs", "not known"]],
  [{ total: { ...expense, costUsd: { expected: 1, max: 2 } } }, ["$1.00, at most $2.00"]],
  [{ total: { ...expense, costUsd: { expected: null, max: 2 } } }, ["at most $2.00"]],
  [{ total: { ...expense, batchCostUsd: { expected: 0.5, max: 1 } } }, ["$0.50, at most $1.00"]],
  [{ warnings: ["its samples were corrected"] }, ["its samples were corrected"]],
  [{ judging: { judges: {}, stages: {} }, judgeRequests: 1_200 }, ["at most 1,200"]],
  [{ judging: { judges: {}, stages: {} }, judgeRequests: null }, ["depends on the answers"]],
])("Estimate() of %j shows %j", (more, texts) => {
  const html = anEstimate(more);
  for (const text of texts) expect(html).toContain(text);
});

it("Estimate() shows how many samples separate models, and their cost", () => {
  const differences = [
    { difference: 0.02, least: 900, most: 1_400, costUsd: 2.5 },
    { difference: 0.05, least: 224, most: 224, costUsd: null },
  ];
  const html = anEstimate({ separation: { runs: 3, samples: 500, differences } });
  for (const text of ["3 runs", "900 to 1,400", "at most $2.50", ">224<", "not known"]) {
    expect(html).toContain(text);
  }
  expect(anEstimate({})).not.toContain("tell two models apart");
});

it("Estimate() of a sweep has a row for each variant, and lists each basis once", () => {
  const models = [0, 1].map((temperature) => ({
    ...expense,
    basis,
    model: "acme/a",
    variant: { temperature },
  }));
  const html = anEstimate({ models });
  expect(html).toContain("temperature 0");
  expect(html).toContain("temperature 1");
  expect(html).toContain("<td>r</td>");
});

it("Estimate() states the basis of each number, including the cost", () => {
  const html = anEstimate({});
  expect(html).toMatch(/<th scope="row">Cost<\/th>\s*<td>at the prices given<\/td>/);
});
