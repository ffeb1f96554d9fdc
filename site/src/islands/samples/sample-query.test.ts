import { expect, it } from "vitest";
import {
  hasFilters,
  listPath,
  neighbourPath,
  pageSearch,
  readQuery,
  rowPath,
  type SampleQuery,
  samplePath,
  supportedQuery,
  withoutFilters,
} from "./sample-query.ts";

const usual: SampleQuery = {
  run: "run_a",
  isOwnPage: false,
  order: null,
  only: "all",
  cursor: null,
  sample: null,
  repeat: 0,
  rival: null,
};

it("readQuery() is null without a run, and ignores unknown parameters and values", () => {
  expect(readQuery("")).toBeNull();
  expect(readQuery("?run=run_a&only=else&repeat=x&order=best&path=&colour=red")).toEqual(usual);
});

it("readQuery() takes the run from the address of its own page of samples", () => {
  const own = { ...usual, isOwnPage: true, path: "*date*", verdict: "incorrect" };
  expect(readQuery("?path=*date*&verdict=incorrect", "/runs/run_a/samples/")).toEqual(own);
  expect(pageSearch(own)).toBe("?path=*date*&verdict=incorrect");
  expect(pageSearch({ ...usual, isOwnPage: true })).toBe("?");
});

it.each<[SampleQuery]>([
  [usual],
  [{ ...usual, order: "seq", only: "failed", cursor: "50" }],
  [{ ...usual, sample: "a/b ?", repeat: 2, rival: "run_b" }],
  [{ ...usual, tag: "domain:a&b", min: "0.5", max: "0.9", text: "50 %", judge: "m/x" }],
])("pageSearch() of %j can be read back with readQuery()", (query) => {
  expect(readQuery(pageSearch(query))).toEqual(query);
});

it.each<[SampleQuery, string]>([
  [usual, "/v1/runs/run_a/samples?order=score&limit=50&look=true"],
  [
    { ...usual, only: "failed", path: "items[].*" },
    "/v1/runs/run_a/samples?order=score&covered=false&path=items%5B%5D.*&limit=50&look=true",
  ],
  [
    { ...usual, only: "unscored", order: "latest", cursor: "9" },
    "/v1/runs/run_a/samples?order=latest&status=unscored&limit=50&look=true&cursor=9",
  ],
])("listPath(%j) is %s", (query, path) => {
  expect(listPath(query)).toBe(path);
});

it("neighbourPath() keeps filters and order", () => {
  const query: SampleQuery = { ...usual, verdict: "missed", cursor: "50" };
  const path = "/v1/runs/run_a/samples?order=score&verdict=missed&limit=1&cursor=7";
  expect(neighbourPath(query, 7, "after")).toBe(path);
  expect(neighbourPath(query, 7, "before")).toBe(`${path}&direction=before`);
});

it("samplePath() and rowPath() encode a sample's id", () => {
  expect(samplePath({ ...usual, sample: "a/b" })).toBe(
    "/v1/runs/run_a/samples/a%2Fb/report?repeat=0",
  );
  expect(rowPath("run_b", "a/b")).toBe("/v1/runs/run_b/samples?id=a%2Fb&look=true&limit=1");
});

it("withoutFilters() keeps run and order", () => {
  const query: SampleQuery = { ...usual, order: "seq", path: "a", only: "failed", cursor: "4" };
  expect(hasFilters(query)).toBe(true);
  expect(withoutFilters(query)).toEqual({ ...usual, order: "seq" });
  expect(hasFilters(withoutFilters(query))).toBe(false);
});

it("supportedQuery() drops filters and order that the API does not support for so many samples", () => {
  const query: SampleQuery = { ...usual, only: "failed", tag: "a:b", path: "x" };
  const few = { total: 20_000, isUnderWay: false };
  expect(supportedQuery(query, few)).toEqual({ ...query, order: "score" });
  expect(supportedQuery(query, { ...few, isUnderWay: true }).order).toBe("latest");
  const many = { ...few, total: 20_001 };
  expect(supportedQuery(query, many)).toEqual({ ...usual, order: "seq", path: "x" });
});
