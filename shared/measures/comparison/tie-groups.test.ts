import { expect, it } from "vitest";
import { levelOf, tieGroups, winInterval } from "./tie-groups.ts";

it("tieGroups() groups each model with those that do not differ from it, best model first", () => {
  const scores = [0.5, 0.9, 0.85, 0.45];
  const differ = (a: number, b: number) => Math.abs(scores[a]! - scores[b]!) > 0.1;
  expect(tieGroups([1, 2, 0, 3], differ)).toEqual([2, 1, 1, 2]);
});

it("tieGroups() does not chain: each model of a group is compared only with the group's first", () => {
  const scores = [0.9, 0.82, 0.74];
  const differ = (a: number, b: number) => Math.abs(scores[a]! - scores[b]!) > 0.1;
  expect(tieGroups([0, 1, 2], differ)).toEqual([1, 1, 2]);
});

it("tieGroups() of no models is empty", () => {
  expect(tieGroups([], () => true)).toEqual([]);
});

it.each([
  [null, null],
  [0.05, null],
  [0.0499, 0.05],
  [0.01, 0.05],
  [0.0099, 0.01],
  [0, 0.01],
])("levelOf(%s) is %s", (p, level) => {
  expect(levelOf(p)).toBe(level);
});

const of = (samples: number, kind: "samples" | "clusters" = "samples") => ({
  samples,
  units: { kind, count: samples },
});

it("winInterval() is Wilson's interval over samples, with ties as halves", () => {
  const [low, high] = winInterval(0.7, of(40)) ?? [0, 0];
  expect(low).toBeCloseTo(0.5457, 4);
  expect(high).toBeCloseTo(0.8193, 4);
  expect(winInterval(0.5, of(3))?.map((end) => end.toFixed(3))).toEqual(["0.125", "0.875"]);
});

it("winInterval() is mirrored for the swapped pair", () => {
  const [low = 0, high = 0] = winInterval(0.3, of(40)) ?? [];
  const turned = winInterval(0.7, of(40)) ?? [0, 0];
  expect(1 - high).toBeCloseTo(turned[0], 12);
  expect(1 - low).toBeCloseTo(turned[1], 12);
});

it.each([
  ["for samples that share sources", of(40, "clusters")],
  ["for fewer than two samples", of(1)],
])("winInterval() is null %s", (_, comparison) => {
  expect(winInterval(0.5, comparison)).toBeNull();
});
