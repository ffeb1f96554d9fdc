import { describe, expect, it } from "vitest";
import type { RunPlan } from "../engine/run-plan.ts";
import { dealOut, unitsToRetry } from "./units.ts";

/** Four samples in units of two, each with two repeats: positions 0–7. */
const plan: RunPlan = {
  positions: [0, 1, 2, 3],
  heads: [],
  units: [
    { samples: [0, 1], repeat: 0 },
    { samples: [0, 1], repeat: 1 },
    { samples: [2, 3], repeat: 0 },
    { samples: [2, 3], repeat: 1 },
  ],
  repeats: 2,
  total: 8,
};

describe("unitsToRetry()", () => {
  it.each<[string, number, [number, number][], number[], number[]]>([
    ["nothing if every sample is covered", 4, [[0, 7]], [], []],
    [
      "the whole unit of one failed sample",
      4,
      [
        [0, 1],
        [3, 7],
      ],
      [0],
      [0, 2],
    ],
    ["the last position", 4, [[0, 6]], [3], [5, 7]],
    [
      "several units",
      4,
      [
        [1, 1],
        [3, 4],
        [6, 6],
      ],
      [0, 3],
      [0, 2, 5, 7],
    ],
    ["all units if nothing is covered", 4, [], [0, 1, 2, 3], [0, 2, 1, 3, 4, 6, 5, 7]],
    ["no unit that was never claimed", 2, [[0, 3]], [], []],
    ["nothing past the run's end", 9, [[0, 7]], [], []],
  ])("gives %s", (_case, cursor, covered, units, seqs) => {
    const ranges = covered.map(([from, to]) => ({ from, to }));
    expect(unitsToRetry(plan, cursor, ranges)).toEqual({ units, seqs });
  });
});

describe("dealOut()", () => {
  it.each([
    [
      [1, 2, 3, 4, 5],
      2,
      [
        [1, 3, 5],
        [2, 4],
      ],
    ],
    [[7], 3, [[7], [], []]],
    [[], 2, [[], []]],
  ])("deals %j to %i lanes", (units, lanes, hands) => {
    expect(dealOut(units, lanes)).toEqual(hands);
  });
});
