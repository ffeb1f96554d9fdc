import { expect, it } from "vitest";
import { tieGroups } from "./tie-groups.ts";

it("tieGroups() puts all that don't differ from the first of a group into it", () => {
  const scores = [0.5, 0.9, 0.85, 0.45];
  const differ = (a: number, b: number) => Math.abs(scores[a]! - scores[b]!) > 0.1;
  expect(tieGroups([1, 2, 0, 3], differ)).toEqual([2, 1, 1, 2]);
});

it("tieGroups() does not chain: what differs from the first is apart, though its neighbour is not", () => {
  const scores = [0.9, 0.82, 0.74];
  const differ = (a: number, b: number) => Math.abs(scores[a]! - scores[b]!) > 0.1;
  expect(tieGroups([0, 1, 2], differ)).toEqual([1, 1, 2]);
});

it("tieGroups() of nothing is empty", () => {
  expect(tieGroups([], () => true)).toEqual([]);
});
