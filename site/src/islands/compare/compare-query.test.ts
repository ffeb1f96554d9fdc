import { expect, it } from "vitest";
import {
  compareCommand,
  comparePath,
  compareSearch,
  countProblem,
  readQuery,
} from "./compare-query.ts";

const nothing = { runs: [], suite: null, dataset: null, view: null, metric: null };

it.each([
  ["", nothing],
  ["?runs=", nothing],
  ["?runs=a,b,%20a,,b", { ...nothing, runs: ["a", "b"] }],
  [
    "?runs=a%2Cb&view=cost&metric=eqs",
    { ...nothing, runs: ["a", "b"], view: "cost", metric: "eqs" },
  ],
  ["?suite=tools&dataset=acme/calls", { ...nothing, suite: "tools", dataset: "acme/calls" }],
])("readQuery(%j)", (search, query) => {
  expect(readQuery(search)).toEqual(query);
});

it("compareSearch() can be read back with readQuery()", () => {
  const query = { ...nothing, runs: ["run_a", "run&b"], view: "production", metric: "eqs" };
  expect(compareSearch(query)).toBe("?runs=run_a,run%26b&view=production&metric=eqs");
  expect(readQuery(compareSearch(query))).toEqual(query);
  expect(compareSearch({ ...query, view: null, metric: null })).toBe("?runs=run_a,run%26b");
});

it("comparePath() encodes special characters of ids", () => {
  expect(comparePath(["a", "b&c"])).toBe("/v1/compare?runs=a,b%26c");
});

it("compareCommand() requests the same comparison", () => {
  expect(compareCommand("https://api.example", ["a", "b&c"])).toBe(
    'curl "https://api.example/v1/compare?runs=a,b%26c"',
  );
});

it.each([
  [0, "Choose at least 2 runs, not 0."],
  [2, null],
  [20, null],
  [21, "Choose at most 20 runs, not 21."],
])("countProblem(%i) is %j", (count, problem) => {
  expect(countProblem(count)).toBe(problem);
});
