import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { bootstrap } from "./bootstrap/bootstrap.ts";
import { areFinite, bradleyTerry, comparisonsOf, strengthFigures } from "./bradley-terry.ts";
import { xoshiro128 } from "./xoshiro128.ts";

const two = comparisonsOf(2, [[0, 1]]);
const three = comparisonsOf(3, [
  [0, 1],
  [0, 2],
  [1, 2],
]);

test.each([
  [10, 7],
  [10, 5],
  [10, 10],
  [3, 0.5],
  [0, 0],
])("bradleyTerry() of two models, %d games with %d won, is the corrected log odds", (n, won) => {
  const [first, second] = bradleyTerry(two, [n], [won]);
  expect(first! - second!).toBeCloseTo(Math.log((won + 0.5) / (n - won + 0.5)), 9);
  expect(first! + second!).toBeCloseTo(0, 12);
});

test("bradleyTerry() recovers scores from exact win shares, even large scores", () => {
  const scores = [1.5, 0.25, -1.75];
  const chance = (i: number, j: number) => 1 / (1 + Math.exp(scores[j]! - scores[i]!));
  const games = 1e9;
  const won = three.pairs.map(([i, j]) => games * chance(i, j));
  const found = bradleyTerry(three, [games, games, games], won);
  for (const [m, score] of scores.entries()) expect(found[m]).toBeCloseTo(score, 6);
});

test("bradleyTerry() satisfies the likelihood equations: expected wins equal the wins", () => {
  const games = fc.record({
    played: fc.nat(40),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.tuple(games, games, games), (list) => {
      const played = list.map((one) => one.played);
      const won = list.map((one) => Math.round(one.played * one.share));
      const scores = bradleyTerry(three, played, won);
      const surplus = [0, 0, 0];
      for (const [k, [i, j]] of three.pairs.entries()) {
        const chance = 1 / (1 + Math.exp(scores[j]! - scores[i]!));
        const over = won[k]! + 0.25 - (played[k]! + 0.5) * chance;
        surplus[i]! += over;
        surplus[j]! -= over;
      }
      for (const one of surplus) expect(one).toBeCloseTo(0, 6);
    }),
  );
});

test("comparisonsOf() groups linked models, and scores have mean 0 in each group", () => {
  const apart = comparisonsOf(5, [
    [0, 3],
    [1, 2],
  ]);
  expect(apart.groups).toEqual([0, 1, 1, 0, 2]);
  const scores = bradleyTerry(apart, [8, 8], [6, 2]);
  expect(scores[0]! + scores[3]!).toBeCloseTo(0, 12);
  expect(scores[1]! + scores[2]!).toBeCloseTo(0, 12);
  expect(scores[0]).toBeGreaterThan(0);
  expect(scores[1]).toBeLessThan(0);
  expect(scores[4]).toBe(0);
});

test.each([
  ["every model beat every other", [9, 9, 9], [5, 4, 3], true],
  ["every model beat the next one in a circle", [9, 9, 9], [9, 0, 9], true],
  ["ties count as half a win", [9, 9, 9], [8.5, 9, 5], true],
  ["the first always won", [9, 9, 9], [9, 9, 5], false],
  ["the last always lost", [9, 9, 9], [5, 9, 9], false],
])("areFinite() if %s", (_, played, won, finite) => {
  expect(areFinite(three, played, won)).toEqual([finite, finite, finite]);
});

describe("intervals of Bradley–Terry scores", () => {
  /** Samples with all pairs of the models, and a preference of each sample's judge in addition to the scores. */
  function simulated(seed: string, samples: number, truth: readonly number[], shared: number) {
    const draw = xoshiro128(seed);
    const unit = () => (draw() + 0.5) / 4294967296;
    const normal = () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit());
    const played = three.pairs.map(() => new Float64Array(samples).fill(1));
    const won = three.pairs.map(() => new Float64Array(samples));
    for (let s = 0; s < samples; s++) {
      const own = truth.map((score) => score + shared * normal());
      for (const [k, [i, j]] of three.pairs.entries()) {
        won[k]![s] = Number(unit() < 1 / (1 + Math.exp(own[j]! - own[i]!)));
      }
    }
    return { played, won };
  }

  /** The scores in the limit of many samples; variation between answers brings them closer together. */
  function limit(truth: readonly number[], shared: number): Float64Array {
    const { played, won } = simulated("many", 40_000, truth, shared);
    const sums = (columns: Float64Array[]) =>
      columns.map((column) => column.reduce((a, b) => a + b));
    return bradleyTerry(three, sums(played), sums(won));
  }

  it("contain the true score in 95% of cases, even if the pairs of a sample are dependent", () => {
    const truth = [0.8, 0.1, -0.9];
    const wanted = limit(truth, 1);
    let [hits, all] = [0, 0];
    for (let run = 0; run < 160; run++) {
      const { played, won } = simulated(`run ${run}`, 40, truth, 1);
      const figures = [strengthFigures(three, played, won)];
      const intervals = bootstrap(40, `${run}`, figures, { resamples: 400 });
      for (const [m, interval] of intervals.entries()) {
        all += 1;
        hits += Number(interval![0] <= wanted[m]! && wanted[m]! <= interval![1]);
      }
    }
    expect(hits / all).toBeGreaterThan(0.92);
    expect(hits / all).toBeLessThan(0.985);
  });
});
