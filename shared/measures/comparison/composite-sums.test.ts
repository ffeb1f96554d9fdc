import { describe, expect, it } from "vitest";
import type { Composite } from "../../contracts/suite.ts";
import { mean, variance } from "../../stats/significance/moments.ts";
import { xoshiro128 } from "../../stats/xoshiro128.ts";
import { byTotal, type LevelAnswer, levelled, levels, totalOf } from "./__fixtures__/levelled.ts";
import { tableOf } from "./__fixtures__/table-of.ts";
import { commonSamples } from "./common-samples.ts";
import {
  compositeDifferences,
  compositeOf,
  linearisedComposite,
  slopes,
} from "./composite-sums.ts";
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
  it("equals the metric's definition", () => {
    const [a, b] = [answersOf("a"), answersOf("b").filter(({ level }) => level !== "easy")];
    expect(compositeOf(sumsOf(a)[0]!, total)).toBeCloseTo(totalOf(a), 12);
    expect(compositeOf(sumsOf(b)[0]!, total)).toBeCloseTo(totalOf(b), 12);
  });

  it("is null if a required part has a zero denominator", () => {
    expect(compositeOf([ratio([0, 0], [0, 0])], only)).toBeNull();
    expect([...linearisedComposite([ratio([0, 0], [0, 0])], only)]).toEqual([0, 0]);
  });
});

describe("linearisedComposite()", () => {
  it("has the composite as its mean", () => {
    const answers = answersOf("a");
    expect(mean(linearisedComposite(sumsOf(answers)[0]!, total))).toBeCloseTo(totalOf(answers), 12);
  });

  it("has the variance of the jackknife's pseudovalues", () => {
    // The jackknife needs no slopes: n times the value minus n − 1 times the value without the sample.
    const answers = answersOf("a", 600);
    const n = answers.length;
    const values = answers.map(
      (_, i) => n * totalOf(answers) - (n - 1) * totalOf(answers.toSpliced(i, 1)),
    );
    const spread = variance(linearisedComposite(sumsOf(answers)[0]!, total), 1);
    expect(spread / variance(values, 1)).toBeCloseTo(1, 1);
  });

  it("of one part equals linearised(), even for units of different weight", () => {
    const part = ratio([1, 2.5, 0, 4], [2, 3, 0, 4]);
    expect(linearisedComposite([part], only)).toEqual(linearised(part));
  });

  it("ignores a part in which no unit has weight", () => {
    const either: Composite = { parts: ["a", "b"], value: ([a, b]) => (a ?? 0) + (b ?? 0) };
    const found = [...linearisedComposite([ratio([1, 0], [1, 1]), ratio([0, 0], [0, 0])], either)];
    expect(found).toEqual([1, 0]);
  });
});

describe("compositeDifferences()", () => {
  it("are exactly zero in samples with equal results", () => {
    const [a, b] = [answersOf("a"), answersOf("b")];
    const mixed = a.map((answer, i) => (i % 4 === 0 ? b[i]! : answer));
    const [x, y] = sumsOf(a, mixed);
    const found = compositeDifferences(x!, y!, total);
    found.forEach((difference, i) => {
      if (i % 4 === 0) expect(difference).not.toBe(0);
      else expect(difference).toBe(0);
    });
    expect([...compositeDifferences(x!, x!, total)]).toEqual(a.map(() => 0));
  });

  it("equal those of the ratio for a single part, except for the unit", () => {
    const [a, b] = [ratio([1, 2, 0, 4], [2, 3, 0, 4]), ratio([2, 2, 1, 3], [2, 4, 1, 4])];
    const plain = [...unitDifferences(a, b)];
    const weight = (mean(a.over) + mean(b.over)) / 2;
    expect([...compositeDifferences([a], [b], only)]).toEqual(
      plain.map((difference) => expect.closeTo(difference / weight, 12)),
    );
  });

  it("change their sign if the runs are swapped", () => {
    const [a, b] = sumsOf(answersOf("a"), answersOf("b"));
    expect(compositeDifferences(b!, a!, total)).toEqual(
      compositeDifferences(a!, b!, total).map((difference) => -difference),
    );
  });
});

type Values = readonly (number | null)[];
const at = (values: Values, k: number) => values[k] ?? Number.NaN;
const near = (slope: number) =>
  expect.closeTo(slope, 8 - Math.ceil(Math.log10(Math.abs(slope) + 1)));

it.each<[string, (values: Values) => number | null, Values, number[]]>([
  ["a sum", (v) => 3 * at(v, 0) - at(v, 1), [0.7, 0.2], [3, -1]],
  ["a product", (v) => at(v, 0) * at(v, 1), [0.5, 0.25], [0.25, 0.5]],
  ["a quotient of small numbers", (v) => at(v, 0) / at(v, 1), [0.5, 1e-4], [1e4, -5e7]],
  ["a harmonic mean", (v) => (2 * at(v, 0) * at(v, 1)) / (at(v, 0) + at(v, 1)), [1, 1], [0.5, 0.5]],
  ["milliseconds", (v) => 1 - at(v, 0) / 500, [320], [-1 / 500]],
  ["a clipped value", (v) => Math.max(0, 1 - at(v, 0) / 500), [800], [0]],
])("slopes() of %s", (_, figure, values, expected) => {
  expect(slopes(figure, values)).toEqual(expected.map(near));
});

it.each<[string, (value: number) => number | null, number, number]>([
  ["where clipping begins", (value) => Math.max(0, 1 - value / 500), 500, -1 / 500],
  ["at the end of the range", (value) => Math.min(1, value), 1, 1],
  ["where only one side is defined", (value) => (value > 1 ? null : 2 * value), 1, 2],
  ["at a peak", (value) => -Math.abs(value), 0, -1],
])("slopes() uses only one side %s", (_, figure, value, expected) => {
  const [slope] = slopes(([only]) => figure(only ?? Number.NaN), [value]);
  expect(Math.abs(slope ?? 0)).toBeCloseTo(Math.abs(expected), 9);
});

it("slopes() returns 0 for null values, and if the figure is undefined", () => {
  const total = ([a, b]: Values) => (a ?? 0) + (b ?? 0);
  expect(slopes(total, [null, 0.5])).toEqual([0, 1]);
  expect(slopes(() => null, [0.5])).toEqual([0]);
});
