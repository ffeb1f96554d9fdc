import { expect, it } from "vitest";
import { withoutUncertainTies } from "./results.ts";

const aBoard = (kind: "samples" | "clusters", count: number, tested = 1) => {
  const tests = { count: tested, pHolm: [], units: { kind, count } };
  return { entries: [{ run: "a", tieGroup: 1 }], tests } as unknown as Parameters<
    typeof withoutUncertainTies
  >[0];
};

it.each([
  [aBoard("samples", 8), 1],
  [aBoard("clusters", 20), 1],
  [aBoard("samples", 1, 0), null],
  [aBoard("clusters", 3), null],
  [{ ...aBoard("clusters", 3), tests: null }, 1],
])("withoutUncertainTies() of %j has tie group %s", (board, group) => {
  expect(withoutUncertainTies(board).entries.map(({ tieGroup }) => tieGroup)).toEqual([group]);
});
