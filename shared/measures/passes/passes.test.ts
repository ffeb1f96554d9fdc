import { expect, test } from "vitest";
import { rateInterval } from "../../stats/significance/rate-interval.ts";
import { passSection } from "../report/parts/pass-section.ts";
import { passFigures, passPower } from "./pass-figures.ts";
import { passProblem } from "./pass-metrics.ts";
import { addPass, noPasses, type PassTally, passesByUnit } from "./pass-tally.ts";

/** A tally of scores by sample; samples with the same first letter share a source. */
function tallyOf(samples: Readonly<Record<string, readonly number[]>>, passScore = 1): PassTally {
  const tally = noPasses(passScore)!;
  for (const [id, scores] of Object.entries(samples)) {
    for (const score of scores) addPass(tally, { id, unit: id[0]!, score });
  }
  return tally;
}

const four = { a: [1, 1, 1, 1], b: [1, 0, 1, 1], c: [0.2, 0.9, 0, 0], d: [1, 0, 0.5, 1] };

test("passPower() is the probability that k of the repeats all pass", () => {
  expect(passPower({ passed: 3, repeats: 4 }, 1)).toBe(0.75);
  expect(passPower({ passed: 3, repeats: 4 }, 2)).toBeCloseTo(0.5, 12);
  expect(passPower({ passed: 3, repeats: 4 }, 4)).toBe(0);
  expect(passPower({ passed: 1, repeats: 4 }, 2)).toBe(0);
  expect(passPower({ passed: 4, repeats: 4 }, 8)).toBeNull();
});

test("passFigures() returns pass^k and shares of samples, each with an interval", () => {
  const figures = passFigures(tallyOf(four), "run", 4);
  const shareOf = (id: string) => figures[id]?.value;
  expect(shareOf("passRate")).toBeCloseTo((1 + 0.75 + 0 + 0.5) / 4, 12);
  expect(shareOf("pass2")).toBeCloseTo((1 + 0.5 + 0 + 1 / 6) / 4, 12);
  expect(shareOf("pass4")).toBe(0.25);
  expect(figures["pass8"]).toEqual({ value: null, interval: null, n: 0, coverage: 0 });
  expect([shareOf("alwaysPasses"), shareOf("sometimesPasses"), shareOf("neverPasses")]).toEqual([
    0.25, 0.5, 0.25,
  ]);
  expect(shareOf("lowestPassShare")).toBe(0);
  expect(figures["alwaysPasses"]?.interval).toEqual(
    rateInterval({ hits: [1, 0, 0, 0], items: [1, 1, 1, 1] }),
  );
  for (const id of ["passRate", "pass2", "pass4", "alwaysPasses", "neverPasses"]) {
    const { value, interval } = figures[id]!;
    expect(interval![0]).toBeLessThan(value!);
    expect(interval![1]).toBeGreaterThan(value!);
  }
});

test("passFigures() counts a score equal to passScore as passed despite rounding", () => {
  const { passRate } = passFigures(tallyOf({ a: [0.1 + 0.2, 0.31] }, 0.3), "run", 1);
  expect(passRate?.value).toBe(1);
  expect(passFigures(tallyOf({ a: [0.29, 0.31] }, 0.3), "run", 1)["passRate"]?.value).toBe(0.5);
});

test("passFigures() has only a pass rate if each sample has one answer", () => {
  const figures = passFigures(tallyOf({ a: [1], b: [0], c: [1] }), "run", 6);
  expect(figures["passRate"]).toMatchObject({ value: 2 / 3, n: 3, coverage: 0.5 });
  expect(figures["alwaysPasses"]?.value).toBeNull();
  expect(figures["lowestPassShare"]?.value).toBeNull();
});

test("passFigures() resamples the samples of one source together", () => {
  const apart = passFigures(tallyOf({ a: [1, 1], b: [1, 1], c: [0, 0], d: [0, 0] }), "run", 4);
  const together = { a1: [1, 1], a2: [1, 1], b1: [0, 0], b2: [0, 0] };
  const width = (figures: typeof apart) => {
    const [low, high] = figures["alwaysPasses"]!.interval!;
    return high - low;
  };
  expect(width(passFigures(tallyOf(together), "run", 4))).toBeGreaterThan(width(apart));
});

test("passFigures() gives samples with equal pass rates an interval of positive width", () => {
  const half = Object.fromEntries([..."abcdefghij"].map((id) => [id, [1, 0]]));
  const { passRate } = passFigures(tallyOf(half), "run", 10);
  expect(passRate?.value).toBe(0.5);
  expect(passRate!.interval![1] - passRate!.interval![0]).toBeGreaterThan(0.2);
});

test("passFigures() is empty without a passScore", () => {
  expect(noPasses(null)).toBeNull();
  expect(passFigures(null, "run", 4)).toEqual({});
});

test("passFigures() of a large run uses a tally of bounded size that can be stored as JSON", () => {
  let tally = noPasses(1)!;
  for (let i = 0; i < 20_000; i++) {
    for (const score of [1, i % 4 === 0 ? 0 : 1]) {
      addPass(tally, { id: `s${i}`, unit: `sample s${i}`, score });
    }
    if (i === 9_999) tally = JSON.parse(JSON.stringify(tally)) as PassTally;
  }
  const { passRate, alwaysPasses } = passFigures(tally, "run", 20_000);
  expect(passRate?.value).toBeCloseTo(0.875, 12);
  expect(alwaysPasses).toMatchObject({ value: 0.75, n: 20_000 });
  const [low, high] = alwaysPasses!.interval!;
  expect(high - low).toBeGreaterThan(0.0115);
  expect(high - low).toBeLessThan(0.0125);
  expect(passesByUnit(tally).length).toBeGreaterThan(4_000);
  expect(passesByUnit(tally).length).toBeLessThanOrEqual(4_096);
});

test("passSection() draws the shares, and is null without repeats", () => {
  const metrics = passFigures(tallyOf(four), "run", 4);
  const section = passSection({ metrics, options: { repeats: 4, passScore: 1 } });
  expect(section?.intro).toContain("asked 4 times. An answer passes if its score is 1.");
  expect(section?.blocks).toMatchObject([
    [{ kind: "stack", parts: [{ count: 1 }, { count: 2 }, { count: 1 }] }],
    [{ kind: "table", rows: { length: 7 } }],
  ]);
  expect(passSection({ metrics, options: { repeats: 1, passScore: 1 } })).toBeNull();
  expect(passSection({ metrics: {}, options: { repeats: 4, passScore: null } })).toBeNull();
});

test.each([
  ["lowestPassShare", 1, 1, "needs options.repeats of 2 or more, not 1"],
  ["pass4", 3, 1, "needs options.repeats of 4 or more, not 3"],
  ["pass4", 4, 1, null],
  ["passRate", 1, 1, null],
  ["alwaysPasses", 4, null, "needs options.passScore, the score from which an answer passes"],
  ["eqs", 1, null, null],
])("passProblem() of %s with %i repeats, passScore %s", (id, repeats, passScore, problem) => {
  expect(passProblem(id, { repeats, passScore })).toBe(problem);
});
