import { describe, expect, it } from "vitest";
import type { Composite } from "../../contracts/suite.ts";
import { mean, variance } from "../../stats/significance/moments.ts";
import { xoshiro128 } from "../../stats/xoshiro128.ts";
import { byTotal, type LevelAnswer, levelled, levels, totalOf } from "./__fixtures__/levelled.ts";
import { tableOf } from "./__fixtures__/table-of.ts";
import { commonSamples } from "./common-samples.ts";
import { compositeDifferences, compositeOf, linearisedComposite } from "./composite-sums.ts";
import { linearised, type UnitSums, unitDifferences, unitSums } from "./unit-sums.ts";

const total = byTotal.composite;
const only: Composite = { parts: ["f1"], value: ([ratio]) => ratio ?? null };

function answersOf(seed: string, count = 60): LevelAnswer[] {
  const draw = xoshiro128(seed);
  const unit = () => draw() / 2 ** 32;
  return Array.from({ length: count }, (_, i) => ({
    level: levels[i % 3]!,
    f1: 0.3 + 0.7 * unit(),
    timeMs: 100 + 250 * (i % 3) + 300 * unit(),
    onDevice: unit() < 0.6,
  }));
}

const sumsOf = (...runs: LevelAnswer[][]) =>
  unitSums(
    commonSamples(tableOf(runs.map((run, i) => levelled(`r${i}`, run))), "total", total.parts),
  );

const ratio = (of: number[], over: number[]): UnitSums => ({
  of: Float64Array.from(of),
  over: Float64Array.from(over),
});

describe("compositeOf()", () => {
  it("is the metric by its definition", () => {
    const [a, b] = [answersOf("a"), answersOf("b").filter(({ level }) => level !== "easy")];
    expect(compositeOf(sumsOf(a)[0]!, total)).toBeCloseTo(totalOf(a), 12);
    expect(compositeOf(sumsOf(b)[0]!, total)).toBeCloseTo(totalOf(b), 12);
  });

  it("is null where a part that it needs has nothing to divide by", () => {
    expect(compositeOf([ratio([0, 0], [0, 0])], only)).toBeNull();
    expect(linearisedComposite([ratio([0, 0], [0, 0])], only)).toEqual([0, 0]);
  });
});

describe("linearisedComposite()", () => {
  it("has the composite for its mean", () => {
    const answers = answersOf("a");
    expect(mean(linearisedComposite(sumsOf(answers)[0]!, total))).toBeCloseTo(totalOf(answers), 12);
  });

  it("has the spread of what a sample's leaving out changes", () => {
    // The jackknife needs no slopes: n times the value less n − 1 times that without the sample.
    const answers = answersOf("a", 600);
    const n = answers.length;
    const values = answers.map(
      (_, i) => n * totalOf(answers) - (n - 1) * totalOf(answers.toSpliced(i, 1)),
    );
    const spread = variance(linearisedComposite(sumsOf(answers)[0]!, total), 1);
    expect(spread / variance(values, 1)).toBeCloseTo(1, 1);
  });

  it("of one part is what linearised() is, also where units weigh differently", () => {
    const part = ratio([1, 2.5, 0, 4], [2, 3, 0, 4]);
    expect(linearisedComposite([part], only)).toEqual(linearised(part));
  });

  it("takes nothing from a part that no unit weighs in", () => {
    const either: Composite = { parts: ["a", "b"], value: ([a, b]) => (a ?? 0) + (b ?? 0) };
    const found = linearisedComposite([ratio([1, 0], [1, 1]), ratio([0, 0], [0, 0])], either);
    expect(found).toEqual([1, 0]);
  });
});

describe("compositeDifferences()", () => {
  it("are exactly zero in samples that both runs did alike", () => {
    const [a, b] = [answersOf("a"), answersOf("b")];
    const mixed = a.map((answer, i) => (i % 4 === 0 ? b[i]! : answer));
    const [x, y] = sumsOf(a, mixed);
    const found = compositeDifferences(x!, y!, total);
    found.forEach((difference, i) => {
      if (i % 4 === 0) expect(difference).not.toBe(0);
      else expect(difference).toBe(0);
    });
    expect(compositeDifferences(x!, x!, total)).toEqual(a.map(() => 0));
  });

  it("are those of the ratio where there is one part, but for the unit", () => {
    const [a, b] = [ratio([1, 2, 0, 4], [2, 3, 0, 4]), ratio([2, 2, 1, 3], [2, 4, 1, 4])];
    const plain = unitDifferences(a, b);
    const weight = (mean(a.over) + mean(b.over)) / 2;
    expect(compositeDifferences([a], [b], only)).toEqual(
      plain.map((difference) => expect.closeTo(difference / weight, 12)),
    );
  });

  it("change their sign with the order of the runs", () => {
    const [a, b] = sumsOf(answersOf("a"), answersOf("b"));
    expect(compositeDifferences(b!, a!, total)).toEqual(
      compositeDifferences(a!, b!, total).map((difference) => -difference),
    );
  });
});
