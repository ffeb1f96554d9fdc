import { expect, it } from "vitest";
import { noState, readState, sortedBy, writeState } from "./board-state.ts";

const keys = ["rank", "f1"];

it("readState() restores what writeState() wrote", () => {
  const state = {
    q: "a&b é",
    provenance: "called",
    models: "real",
    ties: "1",
    sort: "f1",
    order: "descending" as const,
  };
  expect(readState(writeState(state, ""), keys)).toEqual(state);
});

it.each([["?sort=nothing&order=ascending"], ["?sort=f1&order=upwards"], ["?sort=f1"], [""]])(
  "readState(%j) has no order",
  (query) => {
    expect(readState(query, keys)).toEqual(noState);
  },
);

it("writeState() keeps unknown parameters, and is empty for the default state", () => {
  expect(writeState({ ...noState, q: "x" }, "?ref=home&q=old")).toBe("?ref=home&q=x");
  expect(writeState(noState, "?q=old")).toBe("");
});

it("sortedBy() alternates between both directions, then returns to ranks", () => {
  const first = sortedBy(noState, "f1", "descending");
  const second = sortedBy(first, "f1", "descending");
  const third = sortedBy(second, "f1", "descending");
  expect([first, second, third].map(({ sort, order }) => [sort, order])).toEqual([
    ["f1", "descending"],
    ["f1", "ascending"],
    ["", ""],
  ]);
  expect(sortedBy(second, "rank", "ascending").order).toBe("ascending");
});
