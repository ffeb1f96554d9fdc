import { expect, it } from "vitest";
import { noState, readState, sortedBy, writeState } from "./board-state.ts";

const keys = ["rank", "f1"];

it("readState() takes back what writeState() wrote", () => {
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

it("writeState() keeps what is not its own, and is empty where nothing is said", () => {
  expect(writeState({ ...noState, q: "x" }, "?ref=home&q=old")).toBe("?ref=home&q=x");
  expect(writeState(noState, "?q=old")).toBe("");
});

it("sortedBy() goes from the first order to the other and back to ranks", () => {
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
