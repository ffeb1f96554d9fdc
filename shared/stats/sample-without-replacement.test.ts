import { expect, it } from "vitest";
import { sampleWithoutReplacement } from "./sample-without-replacement.ts";

it("sampleWithoutReplacement() gives n distinct integers in order, the same for the same seed", () => {
  const chosen = sampleWithoutReplacement(100, 10, "a");
  expect(new Set(chosen).size).toBe(10);
  expect(chosen).toEqual([...chosen].sort((a, b) => a - b));
  expect(sampleWithoutReplacement(100, 10, "a")).toEqual(chosen);
  expect(sampleWithoutReplacement(100, 10, "b")).not.toEqual(chosen);
});

it("sampleWithoutReplacement() gives all integers if n is at least the count", () => {
  expect(sampleWithoutReplacement(3, 3, "a")).toEqual([0, 1, 2]);
  expect(sampleWithoutReplacement(2, 9, "a")).toEqual([0, 1]);
  expect(sampleWithoutReplacement(0, 1, "a")).toEqual([]);
});

it("sampleWithoutReplacement() chooses every integer equally often", () => {
  const counts = new Array(5).fill(0);
  for (let seed = 0; seed < 2_000; seed++) {
    for (const i of sampleWithoutReplacement(5, 2, `${seed}`)) counts[i] += 1;
  }
  for (const count of counts) expect(count / 2_000).toBeCloseTo(0.4, 1);
});
