import { expect, it } from "vitest";
import {
  listPath,
  pageSearch,
  readQuery,
  type SampleQuery,
  samplePath,
  supportedQuery,
} from "./sample-query.ts";

const usual: SampleQuery = {
  run: "run_a",
  order: "score",
  only: "all",
  cursor: null,
  sample: null,
  repeat: 0,
};

it("readQuery() has no run without one, and the lowest scores first", () => {
  expect(readQuery("")).toBeNull();
  expect(readQuery("?run=run_a&only=else&repeat=x")).toEqual(usual);
});

it.each([
  [usual],
  [{ ...usual, order: "seq" as const, only: "failed" as const, cursor: "50" }],
  [{ ...usual, sample: "a/b ?", repeat: 2 }],
])("pageSearch() of %j is read back as it was", (query) => {
  expect(readQuery(pageSearch(query))).toEqual(query);
});

it.each([
  [usual, "/v1/runs/run_a/samples?limit=50&order=score"],
  [
    { ...usual, only: "failed" as const },
    "/v1/runs/run_a/samples?limit=50&order=score&covered=false",
  ],
  [
    { ...usual, only: "unscored" as const, cursor: "9" },
    "/v1/runs/run_a/samples?limit=50&order=score&status=unscored&cursor=9",
  ],
])("listPath(%j) is %s", (query, path) => {
  expect(listPath(query)).toBe(path);
});

it("samplePath() keeps a sample's id in one piece", () => {
  expect(samplePath({ ...usual, sample: "a/b" })).toBe(
    "/v1/runs/run_a/samples/a%2Fb/report?repeat=0",
  );
});

it("supportedQuery() neither sorts nor filters more samples than the API does", () => {
  const query = { ...usual, only: "failed" as const };
  expect(supportedQuery(query, 20_000)).toEqual(query);
  expect(supportedQuery(query, 20_001)).toEqual({ ...usual, order: "seq" });
});
